//! The challenges: how each is doing, who is stuck, and what is wrong with its text.

use std::collections::{BTreeSet, HashMap, HashSet};

use flagship_game::contest::Team;
use flagship_game::{Board, ChallengeId, Contest, StatusKind, TeamId, points};
use flagship_pack::Problem;
use serde_json::{Value, json};

use super::drafts::Described;
use super::table::Table;
use super::teams::Boards;
use super::tries::{AllTries, Tries};

/// Teams that are named as stuck.
const STUCK_MAX: usize = 5;

/// Which challenges a reader may see, and how much of them.
#[derive(Clone, Debug)]
pub struct Sight {
    /// What the freeze hides.
    pub truth: bool,
    /// All that players see. Without it, only those that the reader may edit.
    pub seen: bool,
    /// How many flags there were, and how long teams take.
    pub counts: bool,
    /// Those that the reader may edit, of which it sees all; `None` for any.
    pub own: Option<BTreeSet<ChallengeId>>,
}

impl Sight {
    /// What everybody sees.
    pub fn public() -> Self {
        Self { truth: false, seen: true, counts: false, own: Some(BTreeSet::new()) }
    }

    /// What whoever has the machine sees.
    pub fn all() -> Self {
        Self { truth: true, seen: true, counts: true, own: None }
    }

    fn is_own(&self, id: &ChallengeId) -> bool {
        self.own.as_ref().is_none_or(|own| own.contains(id))
    }
}

/// Whether players see a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// They do.
    Shown,
    /// They will, from the start on.
    FromStart,
    /// They do not, because a challenge that it requires is not released.
    Waits,
    /// It is released at a time.
    Timed,
    /// Organizers hide it.
    Hidden,
}

impl State {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::FromStart => "from_start",
            Self::Waits => "waits",
            Self::Timed => "timed",
            Self::Hidden => "hidden",
        }
    }

    fn of(contest: &Contest, described: &Described, now_ms: i64) -> Self {
        let id = &described.challenge.id;
        match described.release_at_ms {
            _ if contest.is_seen(id) => Self::Shown,
            _ if contest.is_shown(id) => Self::FromStart,
            _ if contest.is_released(id) => Self::Waits,
            Some(at_ms) if at_ms > now_ms && !described.hidden => Self::Timed,
            _ => Self::Hidden,
        }
    }
}

/// A team that sent wrong flags and no right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Its name.
    pub team: String,
    /// How many wrong flags it sent.
    pub tries: i64,
    /// When it sent the last one, in epoch milliseconds.
    pub last_at_ms: i64,
}

/// How flags for a challenge went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How many were judged: wrong ones, and one for each solve.
    pub tries: i64,
    /// How many teams sent one.
    pub tried_by: usize,
    /// Wrong ones of the last hour.
    pub wrong_of_hour: i64,
    /// The median time from its release, or the start if that was later, to a solve, in
    /// milliseconds; `None` without a solve.
    pub median_ms: Option<i64>,
    /// How many teams sent wrong flags and no right one.
    pub stuck: usize,
}

/// What only those see who may edit a challenge.
#[derive(Clone, Debug)]
pub struct Own {
    /// How many flags count.
    pub flags: usize,
    /// The teams that sent the most wrong flags and no right one.
    pub stuck: Vec<Stuck>,
    /// Errors and warnings in its text.
    pub problems: Vec<Problem>,
    /// The challenges that it requires, seen or not.
    pub requirements: Vec<ChallengeId>,
    /// Who changed it since files were applied, and when, in epoch milliseconds.
    pub changed: Option<(String, i64)>,
}

/// A challenge. What the reader may not see is missing.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its id.
    pub id: ChallengeId,
    /// Its name.
    pub name: String,
    /// Its categories.
    pub categories: Vec<String>,
    /// Whether players see it.
    pub state: State,
    /// When it is released, if that is to come, in epoch milliseconds.
    pub release_at_ms: Option<i64>,
    /// When it closes.
    pub closes_at_ms: Option<i64>,
    /// How organizers say it is, and a note.
    pub status: (StatusKind, String),
    /// What a solve is worth now.
    pub value: i64,
    /// How many teams solved it.
    pub solves: usize,
    /// When the first one did, in epoch milliseconds.
    pub first_at_ms: Option<i64>,
    /// How flags went.
    pub counts: Option<Counts>,
    /// More, for who may edit it.
    pub own: Option<Own>,
}

/// The challenges that a reader may see: in the order of the site, then those that players do not
/// see, by id. `tries` are those that the reader may know of.
pub fn list(
    boards: &Boards<'_>,
    described: &[Described],
    tries: &AllTries,
    sight: &Sight,
    now_ms: i64,
) -> Vec<Listed> {
    let (contest, board) = (boards.contest, boards.truth.unwrap_or(boards.public));
    let solves = Solves::of(board);
    let known: HashMap<&ChallengeId, &Described> =
        described.iter().map(|it| (&it.challenge.id, it)).collect();
    let on_board: HashSet<&ChallengeId> =
        board.tallies().iter().map(|tally| &tally.challenge().id).collect();
    let ordered = board.tallies().iter().filter_map(|it| known.get(&it.challenge().id).copied());
    let unseen = described.iter().filter(|it| !on_board.contains(&it.challenge.id));
    let is_for_reader = |it: &&Described| {
        let id = &it.challenge.id;
        sight.is_own(id) || (sight.seen && contest.is_seen(id))
    };
    let listed = ordered.chain(unseen).filter(is_for_reader);
    listed
        .map(|it| {
            let id = &it.challenge.id;
            let tries = tries.of(id).filter(|_| sight.counts);
            of_one(contest, it, solves.0.get(id), tries, sight, now_ms)
        })
        .collect()
}

fn of_one(
    contest: &Contest,
    described: &Described,
    solves: Option<&OfChallenge<'_>>,
    tries: Option<&Tries>,
    sight: &Sight,
    now_ms: i64,
) -> Listed {
    let challenge = &described.challenge;
    let id = &challenge.id;
    let nothing = OfChallenge::default();
    let solves = solves.unwrap_or(&nothing);
    let solved = solves.times_ms.len();
    let stuck = tries.map(|tries| stuck(contest, tries, solves)).unwrap_or_default();
    let status = contest.challenge_status(id);
    let status = status.map(|it| (it.kind, it.note.clone())).unwrap_or_default();
    let counts = sight.counts.then(|| Counts {
        tries: tries.map_or(0, |it| it.total) + solved as i64,
        tried_by: stuck.len() + solved,
        wrong_of_hour: tries.map_or(0, |it| it.of_last_hour(now_ms)),
        median_ms: median(&solves.times_ms).map(|at_ms| (at_ms - open_from_ms(contest, id)).max(0)),
        stuck: stuck.len(),
    });
    let own = sight.is_own(id).then(|| Own {
        flags: described.flags,
        stuck: stuck.into_iter().take(STUCK_MAX).collect(),
        problems: described.problems.clone(),
        requirements: challenge.requirements.clone(),
        changed: described.changed.clone(),
    });
    Listed {
        id: id.clone(),
        name: challenge.name.clone(),
        categories: challenge.categories.clone(),
        state: State::of(contest, described, now_ms),
        release_at_ms: described.release_at_ms.filter(|at_ms| *at_ms > now_ms),
        closes_at_ms: challenge.closes_ms,
        status,
        value: points::value(&challenge.scoring, solved as u32, None),
        solves: solved,
        first_at_ms: Some(solves.first_ms).filter(|ms| *ms > 0),
        counts,
        own,
    }
}

/// The solves of a challenge on a board.
#[derive(Default)]
struct OfChallenge<'a> {
    first_ms: i64,
    times_ms: Vec<i64>,
    teams: HashSet<&'a str>,
}

/// The solves on a board by challenge.
struct Solves<'a>(HashMap<&'a ChallengeId, OfChallenge<'a>>);

impl<'a> Solves<'a> {
    fn of(board: &'a Board) -> Self {
        let tallies = board.tallies();
        let mut all: Vec<OfChallenge<'_>> = tallies
            .iter()
            .map(|it| OfChallenge { first_ms: it.first_ms(), ..OfChallenge::default() })
            .collect();
        for row in board.rows() {
            for mark in row.marks() {
                let of = &mut all[mark.challenge as usize];
                of.times_ms.push(mark.at_ms);
                of.teams.insert(row.name());
            }
        }
        Self(tallies.iter().map(|tally| &tally.challenge().id).zip(all).collect())
    }
}

/// The teams that sent wrong flags and no right one, those with the most first. Teams that do not
/// count are left out.
fn stuck(contest: &Contest, tries: &Tries, solves: &OfChallenge<'_>) -> Vec<Stuck> {
    let is_stuck = |team: &&Team| team.counts() && !solves.teams.contains(&*team.name);
    let mut stuck: Vec<Stuck> = tries
        .teams
        .iter()
        .filter_map(|(id, (tries, last_at_ms))| {
            let team = contest.team(TeamId(*id)).map(|team| &**team).filter(is_stuck)?;
            Some(Stuck { team: team.name.to_string(), tries: *tries, last_at_ms: *last_at_ms })
        })
        .collect();
    stuck.sort_by(|a, b| b.tries.cmp(&a.tries).then_with(|| a.team.cmp(&b.team)));
    stuck
}

/// The median; of two in the middle the earlier one.
fn median(times_ms: &[i64]) -> Option<i64> {
    let mut sorted = times_ms.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

/// Since when teams could solve a challenge.
fn open_from_ms(contest: &Contest, id: &ChallengeId) -> i64 {
    let start_ms = contest.event().and_then(|event| event.start_ms);
    let released_ms = contest.first_released_ms(id);
    start_ms.into_iter().chain(released_ms).max().unwrap_or_default()
}

/// The columns with counts.
const COUNTS: [&str; 5] = ["tries", "tried_by", "wrong_last_hour", "median_minutes", "stuck"];
/// The columns that only who may edit some challenge has.
const OWN: [&str; 5] = ["flags", "stuck_teams", "problems", "changed_by", "changed_at"];

/// The challenges as a table, with the columns that a reader may see, and with times as `time`
/// writes them.
pub fn table(listed: &[Listed], sight: &Sight, time: impl Fn(i64) -> Value) -> Table {
    let columns = [
        "id",
        "challenge",
        "category",
        "state",
        "release_at",
        "closes_at",
        "status",
        "status_note",
        "points",
        "solves",
        "first_solve",
        "tries",
        "tried_by",
        "wrong_last_hour",
        "median_minutes",
        "stuck",
        "flags",
        "stuck_teams",
        "problems",
        "changed_by",
        "changed_at",
    ];
    let mut table = Table::new(&columns, listed.iter().map(|it| row(it, &time)));
    if !sight.counts {
        table = table.without(&COUNTS);
    }
    if sight.own.as_ref().is_some_and(BTreeSet::is_empty) {
        table = table.without(&OWN);
    }
    table
}

/// The name of a status.
pub fn status_name(kind: StatusKind) -> &'static str {
    match kind {
        StatusKind::Works => "works",
        StatusKind::LookedAt => "looked_at",
        StatusKind::Broken => "broken",
        StatusKind::Fixed => "fixed",
    }
}

/// A duration in minutes, with one decimal.
fn minutes(ms: i64) -> f64 {
    (ms as f64 / 6_000.0).round() / 10.0
}

fn row(it: &Listed, time: &impl Fn(i64) -> Value) -> Vec<Value> {
    let time = |ms: Option<i64>| ms.map_or(Value::Null, time);
    let (counts, own) = (it.counts.as_ref(), it.own.as_ref());
    let stuck = |own: &Own| {
        let teams = own.stuck.iter().map(|it| format!("{} ({})", it.team, it.tries));
        teams.collect::<Vec<_>>().join(", ")
    };
    let problems = |own: &Own| {
        let lines = own.problems.iter().map(ToString::to_string);
        lines.collect::<Vec<_>>().join("\n")
    };
    let changed = own.and_then(|own| own.changed.as_ref());
    vec![
        json!(it.id),
        json!(it.name),
        json!(it.categories.join(", ")),
        json!(it.state.as_str()),
        time(it.release_at_ms),
        time(it.closes_at_ms),
        json!(status_name(it.status.0)),
        json!(it.status.1),
        json!(it.value),
        json!(it.solves),
        time(it.first_at_ms),
        json!(counts.map(|it| it.tries)),
        json!(counts.map(|it| it.tried_by)),
        json!(counts.map(|it| it.wrong_of_hour)),
        json!(counts.and_then(|it| it.median_ms).map(minutes)),
        json!(counts.map(|it| it.stuck)),
        json!(own.map(|it| it.flags)),
        json!(own.map(stuck)),
        json!(own.map(problems)),
        json!(changed.map(|(by, _)| by)),
        time(changed.map(|(_, at_ms)| *at_ms)),
    ]
}
