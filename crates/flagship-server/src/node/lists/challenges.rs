//! The list of challenges: statistics, stuck teams and problems in the source.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use flagship_game::board::display_key;
use flagship_game::{Board, ChallengeId, Contest, StatusKind, points, view};
use flagship_pack::Problem;
use foldhash::fast::RandomState;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::ReadScope;
use super::drafts::{ChallengeDraft, Found};
use super::table::{Table, columns};
use super::teams::Boards;
use super::tries::{AllTries, Tries};

/// Maximum number of stuck teams listed by name.
const STUCK_MAX: usize = 5;

/// Visibility of a challenge to players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Visible.
    Shown,
    /// Visible from the start of the event.
    FromStart,
    /// Not visible, because a challenge that it requires is not released.
    Waits,
    /// Scheduled for release.
    Timed,
    /// Hidden by organizers.
    Hidden,
}

impl State {
    fn of(contest: &Contest, described: &ChallengeDraft, now_ms: i64) -> Self {
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

/// A challenge. Fields that the caller may not see are null. Times are epoch milliseconds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedChallenge {
    /// Challenge ID.
    #[schema(value_type = String)]
    pub id: ChallengeId,
    /// Challenge name.
    pub challenge_name: String,
    /// Categories.
    pub categories: Vec<String>,
    /// `shown`, `from_start`, `waits` (for a required challenge), `timed` or `hidden`.
    #[schema(value_type = String)]
    pub state: State,
    /// Time of the scheduled release, if it is pending.
    pub releases_at: Option<i64>,
    /// Close time.
    pub closes_at: Option<i64>,
    /// Status set by organizers.
    #[schema(value_type = String)]
    pub status: StatusKind,
    /// Note about the status.
    pub status_note: String,
    /// Current value of a solve, without bonuses for early solves.
    pub value: i64,
    /// Number of solves.
    pub solves: usize,
    /// Time of the first solve.
    pub first_solve_at: Option<i64>,
    /// Number of attempts: incorrect submissions plus one per solve.
    pub tries: Option<i64>,
    /// Number of teams with at least one attempt.
    pub tried_by: Option<usize>,
    /// Number of incorrect submissions in the last hour.
    pub wrong_last_hour: Option<i64>,
    /// Median time from the release (or the start, if later) to a solve, in milliseconds; null
    /// without solves.
    pub median_ms: Option<i64>,
    /// Number of teams with incorrect submissions and no solve.
    pub stuck: Option<usize>,
    /// The stuck teams with the most attempts, at most 5. Only for callers who may edit the
    /// challenge.
    pub stuck_teams: Option<Vec<StuckTeam>>,
    /// Number of flags. Only for callers who may edit the challenge.
    pub flags: Option<usize>,
    /// Maximum number of incorrect submissions per team; null for no limit. Only for callers who
    /// may edit the challenge.
    pub attempts: Option<u32>,
    /// Problems that `flagship check` finds in the source. Only for callers who may edit the
    /// challenge.
    #[schema(value_type = Option<Vec<Found>>)]
    pub problems: Option<Vec<Problem>>,
    /// IDs of the required challenges. Only for callers who may edit the challenge.
    #[schema(value_type = Option<Vec<String>>)]
    pub requirements: Option<Vec<ChallengeId>>,
    /// Organizer who last changed the challenge since files were applied. Only for callers who may
    /// edit it.
    pub changed_by: Option<String>,
    /// Time of that change.
    pub changed_at: Option<i64>,
}

/// A team with incorrect submissions and no solve.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StuckTeam {
    /// Team name.
    pub team_name: String,
    /// Number of incorrect submissions.
    pub tries: i64,
    /// Time of the last submission.
    pub last_at: i64,
}

/// Challenges that a reader may see: first in the order of the site, then those invisible to
/// players in the same order. `tries` contains the submissions that the reader may know about.
pub fn list(
    boards: &Boards<'_>,
    described: &[ChallengeDraft],
    tries: &AllTries,
    sight: &ReadScope,
    now_ms: i64,
) -> Vec<ListedChallenge> {
    let (contest, board) = (boards.contest, boards.truth.unwrap_or(boards.public));
    let solves = Solves::of(contest, board);
    let known: HashMap<&ChallengeId, &ChallengeDraft> =
        described.iter().map(|it| (&it.challenge.id, it)).collect();
    let on_board: HashSet<&ChallengeId> =
        board.tallies().iter().map(|tally| &tally.challenge().id).collect();
    let ordered = board.tallies().iter().filter_map(|it| known.get(&it.challenge().id).copied());
    let unseen = described.iter().filter(|it| !on_board.contains(&it.challenge.id));
    let mut unseen: Vec<&ChallengeDraft> = unseen.collect();
    unseen.sort_by_cached_key(|it| display_key(&it.challenge));
    let is_for_reader = |it: &&ChallengeDraft| {
        let id = &it.challenge.id;
        sight.is_own(id) || (sight.seen && contest.is_seen(id))
    };
    let listed = ordered.chain(unseen).filter(is_for_reader);
    listed
        .map(|it| {
            let id = &it.challenge.id;
            let tries = sight.counts.then(|| tries.of(id));
            of_one(contest, it, &solves, tries.as_deref(), sight, now_ms)
        })
        .collect()
}

fn of_one(
    contest: &Contest,
    described: &ChallengeDraft,
    solves: &Solves<'_>,
    tries: Option<&Tries>,
    sight: &ReadScope,
    now_ms: i64,
) -> ListedChallenge {
    let challenge = &described.challenge;
    let id = &challenge.id;
    let nothing = ChallengeSolves::default();
    let teams = &solves.teams;
    let solves = solves.of.get(id).unwrap_or(&nothing);
    let solved = solves.times_ms.len();
    let stuck = tries.map(|tries| stuck(teams, tries, &solves.solved_by)).unwrap_or_default();
    let status = match sight.addresses || sight.is_own(id) {
        true => contest.challenge_status(id).map(|it| (it.kind, &*it.note)),
        false => view::public_status(contest, id),
    };
    let status = status.map(|(kind, note)| (kind, note.to_owned()));
    let (status, status_note) = status.unwrap_or_default();
    let median_ms = median(&solves.times_ms).filter(|_| tries.is_some());
    let own = sight.is_own(id).then_some(described);
    let (changed_by, changed_at) = own.and_then(|own| own.changed.clone()).unzip();
    ListedChallenge {
        id: id.clone(),
        challenge_name: challenge.name.clone(),
        categories: challenge.categories.clone(),
        state: State::of(contest, described, now_ms),
        releases_at: described.release_at_ms.filter(|at_ms| *at_ms > now_ms),
        closes_at: challenge.closes_ms,
        status,
        status_note,
        value: points::value(&challenge.scoring, solved as u32, None),
        solves: solved,
        first_solve_at: Some(solves.first_ms).filter(|ms| *ms > 0),
        tries: tries.map(|it| it.total + solved as i64),
        tried_by: tries.map(|_| stuck.len() + solved),
        wrong_last_hour: tries.map(|it| it.of_last_hour(now_ms)),
        median_ms: median_ms.map(|at_ms| (at_ms - open_from_ms(contest, id)).max(0)),
        stuck: tries.map(|_| stuck.len()),
        stuck_teams: own.map(|_| most(stuck)),
        flags: own.map(|own| own.flags),
        attempts: own.and_then(|own| own.challenge.rules.attempts_max),
        problems: own.map(|own| own.problems.clone()),
        requirements: own.map(|own| own.challenge.requirements.clone()),
        changed_by,
        changed_at,
    }
}

/// Solves of one challenge on a scoreboard.
#[derive(Default)]
struct ChallengeSolves {
    first_ms: i64,
    times_ms: Vec<i64>,
    /// True for each row whose team solved the challenge; empty if the challenge is not on the
    /// scoreboard.
    solved_by: Vec<bool>,
}

/// Name and scoreboard row of each active team, by account.
type Teams<'a> = HashMap<i64, (&'a str, Option<usize>), RandomState>;

/// Solves on a scoreboard.
struct Solves<'a> {
    of: HashMap<&'a ChallengeId, ChallengeSolves>,
    teams: Teams<'a>,
}

impl<'a> Solves<'a> {
    fn of(contest: &'a Contest, board: &'a Board) -> Self {
        let (tallies, count) = (board.tallies(), board.rows().len());
        let mut all: Vec<ChallengeSolves> = tallies
            .iter()
            .map(|it| ChallengeSolves {
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

/// A stuck team: number of incorrect submissions, name, time of the last one.
type StuckRow<'a> = (Reverse<i64>, &'a str, i64);

/// Stuck teams. Inactive teams are skipped.
fn stuck<'a>(teams: &Teams<'a>, tries: &Tries, solved_by: &[bool]) -> Vec<StuckRow<'a>> {
    let of_team = |(id, (tries, last_at_ms)): (&i64, &(i64, i64))| {
        let (name, row) = teams.get(id)?;
        let has_solved = row.is_some_and(|row| solved_by.get(row) == Some(&true));
        (!has_solved).then_some((Reverse(*tries), *name, *last_at_ms))
    };
    tries.teams.iter().filter_map(of_team).collect()
}

/// The teams with the most incorrect submissions.
fn most(mut stuck: Vec<StuckRow<'_>>) -> Vec<StuckTeam> {
    if stuck.len() > STUCK_MAX {
        stuck.select_nth_unstable(STUCK_MAX);
        stuck.truncate(STUCK_MAX);
    }
    stuck.sort_unstable();
    let named = |(Reverse(tries), team, last_at): StuckRow<'_>| StuckTeam {
        team_name: team.to_owned(),
        tries,
        last_at,
    };
    stuck.into_iter().map(named).collect()
}

/// Median; the lower of the two middle values if the count is even.
fn median(times_ms: &[i64]) -> Option<i64> {
    let mut times_ms = times_ms.to_vec();
    let middle = times_ms.len().checked_sub(1)? / 2;
    Some(*times_ms.select_nth_unstable(middle).1)
}

/// Time from which teams could solve a challenge.
fn open_from_ms(contest: &Contest, id: &ChallengeId) -> i64 {
    let start_ms = contest.event().and_then(|event| event.start_ms);
    let released_ms = contest.first_released_ms(id);
    start_ms.into_iter().chain(released_ms).max().unwrap_or_default()
}

/// A duration in minutes, with one decimal.
fn minutes(ms: i64) -> f64 {
    (ms as f64 / 6_000.0).round() / 10.0
}

/// Joins the texts of all elements.
fn joined<T>(all: &[T], text: impl Fn(&T) -> String, between: &str) -> String {
    all.iter().map(text).collect::<Vec<_>>().join(between)
}

/// Challenges as a table with the columns that a reader may see. `time` formats times.
pub fn table(listed: &[ListedChallenge], sight: &ReadScope, time: impl Fn(i64) -> Value) -> Table {
    let time = |ms: Option<i64>| ms.map(&time);
    let counts = sight.counts;
    let own = sight.own.as_ref().is_none_or(|own| !own.is_empty());
    let stuck = |it: &StuckTeam| format!("{} ({})", it.team_name, it.tries);
    columns! { it in listed.iter();
        "id" => it.id,
        "challenge" => it.challenge_name,
        "category" => it.categories.join(", "),
        "state" => it.state,
        "release_at" => time(it.releases_at),
        "closes_at" => time(it.closes_at),
        "status" => it.status,
        "status_note" => it.status_note,
        "points" => it.value,
        "solves" => it.solves,
        "first_solve" => time(it.first_solve_at),
        "tries" if counts => it.tries,
        "tried_by" if counts => it.tried_by,
        "wrong_last_hour" if counts => it.wrong_last_hour,
        "median_minutes" if counts => it.median_ms.map(minutes),
        "stuck" if counts => it.stuck,
        "flags" if own => it.flags,
        "stuck_teams" if own => it.stuck_teams.as_ref().map(|it| joined(it, stuck, ", ")),
        "problems" if own => it.problems.as_ref().map(|it| joined(it, Problem::to_string, "\n")),
        "changed_by" if own => it.changed_by,
        "changed_at" if own => time(it.changed_at),
    }
}
