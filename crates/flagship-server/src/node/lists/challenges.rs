//! The challenges: how each is doing, who is stuck, and what is wrong with its text.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};

use flagship_game::board::display_key;
use flagship_game::{Board, ChallengeId, Contest, StatusKind, points, view};
use flagship_pack::Problem;
use foldhash::fast::RandomState;
use serde_json::{Value, json};

use super::drafts::Described;
use super::table::Table;
use super::teams::Boards;
use super::tries::{AllTries, TriesOf};

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
    /// The notes about how challenges are that players may not read yet, because they are locked.
    pub notes: bool,
    /// Those that the reader may edit, of which it sees all; `None` for any.
    pub own: Option<BTreeSet<ChallengeId>>,
}

impl Sight {
    /// What everybody sees.
    pub fn public() -> Self {
        let own = Some(BTreeSet::new());
        Self { truth: false, seen: true, counts: false, notes: false, own }
    }

    /// What whoever has the machine sees.
    pub fn all() -> Self {
        Self { truth: true, seen: true, counts: true, notes: true, own: None }
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

/// The challenges that a reader may see: in the order of the site, then in the same order those
/// that players do not see. `tries` are those that the reader may know of.
pub fn list(
    boards: &Boards<'_>,
    described: &[Described],
    tries: &AllTries,
    sight: &Sight,
    now_ms: i64,
) -> Vec<Listed> {
    let (contest, board) = (boards.contest, boards.truth.unwrap_or(boards.public));
    let solves = Solves::of(contest, board);
    let known: HashMap<&ChallengeId, &Described> =
        described.iter().map(|it| (&it.challenge.id, it)).collect();
    let on_board: HashSet<&ChallengeId> =
        board.tallies().iter().map(|tally| &tally.challenge().id).collect();
    let ordered = board.tallies().iter().filter_map(|it| known.get(&it.challenge().id).copied());
    let unseen = described.iter().filter(|it| !on_board.contains(&it.challenge.id));
    let mut unseen: Vec<&Described> = unseen.collect();
    unseen.sort_by_cached_key(|it| display_key(&it.challenge));
    let is_for_reader = |it: &&Described| {
        let id = &it.challenge.id;
        sight.is_own(id) || (sight.seen && contest.is_seen(id))
    };
    let listed = ordered.chain(unseen).filter(is_for_reader);
    listed
        .map(|it| {
            let id = &it.challenge.id;
            let tries = sight.counts.then(|| tries.of(id));
            of_one(contest, it, &solves, tries, sight, now_ms)
        })
        .collect()
}

fn of_one(
    contest: &Contest,
    described: &Described,
    solves: &Solves<'_>,
    tries: Option<TriesOf<'_>>,
    sight: &Sight,
    now_ms: i64,
) -> Listed {
    let challenge = &described.challenge;
    let id = &challenge.id;
    let (nothing, teams) = (OfChallenge::default(), &solves.teams);
    let solves = solves.of.get(id).unwrap_or(&nothing);
    let solved = solves.times_ms.len();
    let stuck = tries.map(|tries| stuck(teams, tries, &solves.solved_by)).unwrap_or_default();
    let status = match sight.notes || sight.is_own(id) {
        true => contest.challenge_status(id).map(|it| (it.kind, &*it.note)),
        false => view::public_status(contest, id),
    };
    let status = status.map(|(kind, note)| (kind, note.to_owned())).unwrap_or_default();
    let counts = sight.counts.then(|| Counts {
        tries: tries.map_or(0, TriesOf::total) + solved as i64,
        tried_by: stuck.len() + solved,
        wrong_of_hour: tries.map_or(0, |it| it.of_last_hour(now_ms)),
        median_ms: median(&solves.times_ms).map(|at_ms| (at_ms - open_from_ms(contest, id)).max(0)),
        stuck: stuck.len(),
    });
    let own = sight.is_own(id).then(|| Own {
        flags: described.flags,
        stuck: most(stuck),
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
struct OfChallenge {
    first_ms: i64,
    times_ms: Vec<i64>,
    /// Whether the team of each row solved it; empty if it is not on the board.
    solved_by: Vec<bool>,
}

/// The name of each team that counts, and its row on a board, by account.
type Teams<'a> = HashMap<i64, (&'a str, Option<usize>), RandomState>;

/// The solves on a board.
struct Solves<'a> {
    of: HashMap<&'a ChallengeId, OfChallenge>,
    teams: Teams<'a>,
}

impl<'a> Solves<'a> {
    fn of(contest: &'a Contest, board: &'a Board) -> Self {
        let (tallies, count) = (board.tallies(), board.rows().len());
        let mut all: Vec<OfChallenge> = tallies
            .iter()
            .map(|it| OfChallenge {
                first_ms: it.first_ms(),
                times_ms: Vec::with_capacity(it.nsolves() as usize),
                solved_by: vec![false; count],
            })
            .collect();
        for (row, place) in board.rows().zip(0..) {
            for mark in row.marks() {
                let of = &mut all[mark.challenge as usize];
                of.times_ms.push(mark.at_ms);
                of.solved_by[place] = true;
            }
        }
        let rows: HashMap<&str, usize> = board.rows().map(|row| row.name()).zip(0..).collect();
        let counting = contest.teams().filter(|team| team.counts());
        let teams = counting.map(|team| (team.id.0, (&*team.name, rows.get(&*team.name).copied())));
        let of = tallies.iter().map(|tally| &tally.challenge().id).zip(all).collect();
        Self { of, teams: teams.collect() }
    }
}

/// A team that is stuck: how many wrong flags it sent, its name, when it sent the last one.
type IsStuck<'a> = (Reverse<i64>, &'a str, i64);

/// The teams that sent wrong flags and no right one. Teams that do not count are left out.
fn stuck<'a>(teams: &Teams<'a>, tries: TriesOf<'_>, solved_by: &[bool]) -> Vec<IsStuck<'a>> {
    let of_team = |(id, (tries, last_at_ms))| {
        let (name, row) = teams.get(&id)?;
        let has_solved = row.is_some_and(|row| solved_by.get(row) == Some(&true));
        (!has_solved).then_some((Reverse(tries), *name, last_at_ms))
    };
    tries.teams().filter_map(of_team).collect()
}

/// Those with the most wrong flags.
fn most(mut stuck: Vec<IsStuck<'_>>) -> Vec<Stuck> {
    if stuck.len() > STUCK_MAX {
        stuck.select_nth_unstable(STUCK_MAX);
        stuck.truncate(STUCK_MAX);
    }
    stuck.sort_unstable();
    let named = |(Reverse(tries), team, last_at_ms): IsStuck<'_>| Stuck {
        team: team.to_owned(),
        tries,
        last_at_ms,
    };
    stuck.into_iter().map(named).collect()
}

/// The median; of two in the middle the earlier one.
fn median(times_ms: &[i64]) -> Option<i64> {
    let mut times_ms = times_ms.to_vec();
    let middle = times_ms.len().checked_sub(1)? / 2;
    Some(*times_ms.select_nth_unstable(middle).1)
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
