//! Activity of a team: all its events on one timeline, limited to what a reader may see.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flagship_actions::mail::language::Language;
use flagship_actions::sentences;
use flagship_game::{ChallengeId, Contest, TeamId};
use flagship_store::actions::Record;
use flagship_store::desk::questions;
use flagship_store::lists::activity::{self as store, PageStart};
use flagship_store::lists::teams::{Contact, MailState, contacts};
use flagship_store::sightings::{self, Kind, Sighting, SightingTimes};
use flagship_store::{Db, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadScope;
use super::flags::{self, Read, Sent, Verdict};
use super::table::{Table, columns};
use super::teams::Mail;

/// Maximum number of lines per page.
pub const PAGE_MAX: usize = 100;

/// Sort order and position names for events at the same time. Later variants come first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Rank {
    #[default]
    SignedUp,
    Confirmed,
    Mail,
    Seen,
    Wrong,
    Right,
    Question,
    Action,
}

/// Position of a line. Positions never change, so paging misses no line and repeats none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Time of the event, or of its first occurrence, in epoch milliseconds.
    pub at_ms: i64,
    rank: Rank,
    id: i64,
    name: String,
}

impl Place {
    fn new(at_ms: i64, rank: Rank, id: i64) -> Self {
        Self { at_ms, rank, id, name: String::new() }
    }

    /// Start of the next page in the table of a rank.
    fn within(before: Option<&Self>, rank: Rank) -> PageStart {
        let Some(before) = before else { return PageStart { at_ms: i64::MAX, id: i64::MAX } };
        let id = match before.rank.cmp(&rank) {
            // Rows at this time come after the position.
            Ordering::Greater => i64::MAX,
            Ordering::Equal => before.id,
            Ordering::Less => i64::MIN,
        };
        PageStart { at_ms: before.at_ms, id }
    }

    /// Same for the list of submissions, where correct ones come first at the same time.
    fn within_flags(before: Option<&Self>) -> Option<flags::Place> {
        let before = before?;
        let (verdict, id) = match before.rank {
            Rank::Right => (Verdict::Right, before.id),
            Rank::Wrong => (Verdict::Wrong, before.id),
            rank if rank > Rank::Right => (Verdict::Right, i64::MAX),
            _ => (Verdict::Wrong, i64::MIN),
        };
        Some(flags::Place { at_ms: before.at_ms, verdict, id })
    }
}

impl ReadScope {
    /// True if the reader may see a question or message. `hidden_ms` is the time from which the
    /// freeze hides solves, if it does.
    fn sees(&self, question: &questions::Row, hidden_ms: Option<i64>) -> bool {
        let is_hidden = hidden_ms.is_some_and(|ms| tells_of_a_solve(question, ms));
        if is_hidden && !self.truth {
            return false;
        }
        let id = question.challenge_id.as_ref().and_then(|id| ChallengeId::parse(id).ok());
        let is_about_own = |only: &BTreeSet<_>| id.is_some_and(|id| only.contains(&id));
        self.questions && self.only.as_ref().is_none_or(is_about_own)
    }
}

/// True for a message, at or after `since_ms`, that a submission was credited. That submission can
/// be from the freeze. Only rejudging sends messages about a challenge that do not answer a
/// question.
fn tells_of_a_solve(question: &questions::Row, since_ms: i64) -> bool {
    let is_of_rejudge = question.text.is_empty() && question.challenge_id.is_some();
    is_of_rejudge && question.at_ms >= since_ms
}

/// A line of the activity. Fields that do not apply to its kind, or that the caller may not see,
/// are null.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryLine {
    /// Position of the line.
    #[serde(skip)]
    pub place: Place,
    /// Time of the event in epoch milliseconds, or of its first occurrence if it is counted.
    pub at: i64,
    /// `signed_up`, `confirmed`, `mail`, `login`, `list` (the challenges were fetched), `download`,
    /// `right`, `part` (one of several flags that a challenge needs), `wrong`, `question`, `told`
    /// or `action`.
    pub kind: &'static str,
    /// Challenge ID.
    pub challenge_id: Option<String>,
    /// Network of the client: an IPv4 address, or the first address of an IPv6 /64. Null if not
    /// stored.
    pub network: Option<String>,
    /// Number of occurrences since; for an incorrect submission, the number of times its text was
    /// submitted.
    pub times: Option<i64>,
    /// Time of the last occurrence.
    pub last_at: Option<i64>,
    /// Kind of near miss of an incorrect submission.
    pub near: Option<String>,
    /// True for a submission after the end of the event, which no score counts.
    pub after_end: bool,
    /// Delivery state of an email.
    pub mail: Option<Mail>,
    /// Subject of an email, text of a question, or sentence of an action.
    pub text: Option<String>,
    /// State of a question.
    pub question: Option<StoryAnswer>,
    /// Organizer action.
    pub action: Option<StoryAction>,
}

/// State of a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoryAnswer {
    /// Question ID.
    pub id: i64,
    /// `open`, `answered` or `closed`.
    pub state: String,
    /// Answer.
    pub answer: Option<String>,
    /// Time of the answer, in epoch milliseconds.
    pub answered_at: Option<i64>,
}

/// An organizer action.
#[derive(Serialize, ToSchema)]
pub struct StoryAction {
    /// Action ID.
    pub id: i64,
    /// Name of the organizer.
    pub actor: String,
    /// Action name: `team.ban`.
    pub action: String,
    /// Reason; null if it was erased.
    pub reason: Value,
}

impl StoryLine {
    /// A line with only a position and a kind.
    fn new(place: Place, kind: &'static str) -> Self {
        Self { at: place.at_ms, place, kind, ..Self::default() }
    }

    fn of_mail(mail: store::Mail) -> Self {
        let place = Place::new(mail.created_at_ms, Rank::Mail, mail.id);
        let state = MailState::of(mail.sent_at_ms, mail.last_error.as_deref());
        let became = Mail {
            state: state.as_str(),
            queued_at: mail.created_at_ms,
            sent_at: mail.sent_at_ms,
            tries: mail.attempts,
            next_try_at: mail.next_at_ms,
            server_said: mail.last_error,
        };
        Self { mail: Some(became), text: Some(mail.subject), ..Self::new(place, "mail") }
    }

    fn of_flag(sent: Sent) -> Self {
        let rank = if sent.verdict == Verdict::Wrong { Rank::Wrong } else { Rank::Right };
        let place = Place::new(sent.at, rank, sent.place.id);
        Self {
            challenge_id: Some(sent.challenge_id),
            network: sent.network,
            times: sent.times,
            near: sent.near,
            after_end: sent.after_end,
            ..Self::new(place, sent.verdict.as_str())
        }
    }

    fn of_question(row: questions::Row) -> Self {
        let place = Place::new(row.at_ms, Rank::Question, row.id);
        let question = StoryAnswer {
            id: row.id,
            state: row.state,
            answer: row.answer,
            answered_at: row.answered_at_ms,
        };
        let text = Some(row.text).filter(|text| !text.is_empty());
        let kind = if text.is_some() { "question" } else { "told" };
        let challenge_id = row.challenge_id;
        Self { challenge_id, text, question: Some(question), ..Self::new(place, kind) }
    }

    fn of_action(record: Record, language: Language) -> Self {
        let place = Place::new(record.at_ms, Rank::Action, record.id);
        let text = Some(sentences::sentence(&record, language, false));
        let reason = record.field("reason");
        let action =
            StoryAction { id: record.id, actor: record.actor, action: record.action, reason };
        Self { text, action: Some(action), ..Self::new(place, "action") }
    }

    /// Kind-specific columns of a file: last time, state and details.
    fn rest(&self) -> (Option<i64>, Option<&str>, Value) {
        match (&self.mail, &self.question, &self.action) {
            (Some(mail), ..) => {
                let last = mail.sent_at.or(mail.next_try_at);
                (last, Some(mail.state), json!(mail.server_said))
            }
            (_, Some(it), _) => (it.answered_at, Some(it.state.as_str()), json!(it.answer)),
            (.., Some(action)) => (None, Some(action.action.as_str()), action.reason.clone()),
            _ => (self.last_at, self.near.as_deref(), Value::Null),
        }
    }
}

/// A page of the activity.
pub struct Page {
    /// Lines, newest first.
    pub lines: Vec<StoryLine>,
    /// Position after which the next page starts; `None` on the last page.
    pub next: Option<Place>,
}

/// Request for a page.
pub struct Query {
    /// Account ID.
    pub id: i64,
    /// Position after which the page starts.
    pub before: Option<Place>,
    /// Maximum number of lines.
    pub count_max: usize,
}

/// Reads a page. `contest` returns the newest fold.
pub async fn page(
    db: &Db,
    contest: impl Fn() -> Arc<Contest>,
    sight: &ReadScope,
    query: Query,
) -> Result<Page, StoreError> {
    let Query { id, before, count_max } = query;
    let before = before.as_ref();
    let some = count_max.saturating_add(1);
    let limit = i64::try_from(some).unwrap_or(i64::MAX);
    let within = |rank| Place::within(before, rank);
    let mut lines = Vec::new();
    if sight.addresses
        && let Some(contact) = contacts(db, &[id]).await?.pop()
    {
        lines.extend(signups(&contact));
        let mails = store::mails(db, &contact.email, within(Rank::Mail), limit).await?;
        lines.extend(mails.into_iter().map(StoryLine::of_mail));
        let mut rows = sightings::of_team(db, id).await?;
        // A download implies that the team solved the required challenge. Fetching the challenge
        // list can imply a solve too, because the site fetches it when a solve unlocks a challenge.
        if contest().hidden_from_ms().is_some() && !sight.truth {
            let tells = [Kind::List, Kind::Download].map(Kind::as_str);
            rows.retain(|row| !tells.contains(&&*row.kind));
        }
        lines.extend(seen(rows, sight.networks));
    }
    if !sight.actions.is_empty() {
        let actions = store::actions(db, id, &sight.actions, within(Rank::Action), limit).await?;
        lines.extend(actions.into_iter().map(|it| StoryLine::of_action(it, sight.language)));
    }
    lines.extend(questions(db, &contest, id, before, sight, limit).await?);
    let flags = flags_of(db, &contest, sight, id, before, some).await?;
    lines.extend(flags.into_iter().map(StoryLine::of_flag));
    lines.retain(|line| before.is_none_or(|before| line.place < *before));
    lines.sort_by(|a, b| b.place.cmp(&a.place));
    let has_more = lines.len() > count_max;
    lines.truncate(count_max);
    let next = lines.last().filter(|_| has_more).map(|line| line.place.clone());
    Ok(Page { lines, next })
}

fn signups(contact: &Contact) -> impl Iterator<Item = StoryLine> {
    let line = |at_ms, rank, kind| StoryLine::new(Place::new(at_ms, rank, 0), kind);
    let signed_up = line(contact.created_at_ms, Rank::SignedUp, "signed_up");
    let confirmed = contact.confirmed_at_ms;
    let confirmed = confirmed.map(|at_ms| line(at_ms, Rank::Confirmed, "confirmed"));
    std::iter::once(signed_up).chain(confirmed)
}

/// Submissions that the reader may see. A whole page may be for hidden challenges, so more pages
/// are read until there are enough.
async fn flags_of(
    db: &Db,
    contest: &impl Fn() -> Arc<Contest>,
    sight: &ReadScope,
    id: i64,
    before: Option<&Place>,
    count_max: usize,
) -> Result<Vec<Sent>, StoreError> {
    let team = Some(TeamId(id));
    let mut behind = Place::within_flags(before);
    let mut flags = Vec::new();
    loop {
        let query = flags::Query { team, before: behind, ..flags::Query::default() };
        let hidden_ms = contest().hidden_from_ms();
        let read = Read::new(db, hidden_ms, sight, query, count_max).await?;
        let page = read.page(&contest(), sight).with_networks(db, sight).await?;
        flags.extend(page.flags);
        behind = page.next;
        if behind.is_none() || flags.len() >= count_max {
            return Ok(flags);
        }
    }
}

/// Questions that the reader may see. An author may see few of a page, so more pages are read until
/// there are enough.
async fn questions(
    db: &Db,
    contest: &impl Fn() -> Arc<Contest>,
    id: i64,
    before: Option<&Place>,
    sight: &ReadScope,
    count_max: i64,
) -> Result<Vec<StoryLine>, StoreError> {
    let mut lines = Vec::new();
    let mut within = Place::within(before, Rank::Question);
    if !sight.questions {
        return Ok(lines);
    }
    loop {
        let read = store::questions(db, id, within, count_max).await?;
        let is_last = (read.len() as i64) < count_max;
        if let Some(last) = read.last() {
            within = PageStart { at_ms: last.at_ms, id: last.id };
        }
        let hidden_ms = contest().hidden_from_ms();
        let seen = read.into_iter().filter(|it| sight.sees(it, hidden_ms));
        lines.extend(seen.map(StoryLine::of_question));
        if is_last || lines.len() as i64 >= count_max {
            return Ok(lines);
        }
    }
}

/// Team activity other than submissions, which have their own lines. Without networks, the
/// sightings of all networks are merged.
fn seen(rows: Vec<Sighting>, has_networks: bool) -> impl Iterator<Item = StoryLine> {
    let mut all: BTreeMap<(&'static str, String, Option<String>), SightingTimes> = BTreeMap::new();
    for row in rows {
        let shown = [Kind::Login, Kind::List, Kind::Download].map(Kind::as_str);
        let Some(kind) = shown.into_iter().find(|kind| *kind == row.kind) else { continue };
        let network = has_networks.then_some(row.network);
        let times =
            SightingTimes { first_ms: row.first_ms, last_ms: row.last_ms, count: row.count };
        let known = all.entry((kind, row.object, network));
        known.and_modify(|it| it.add(times)).or_insert(times);
    }
    all.into_iter().map(|((kind, object, network), times)| {
        let shown = network.clone().unwrap_or_default();
        let name = format!("{kind}/{object}/{shown}");
        let place = Place { at_ms: times.first_ms, rank: Rank::Seen, id: 0, name };
        StoryLine {
            challenge_id: Some(object).filter(|it| !it.is_empty()),
            network: network.filter(|it| !it.is_empty()),
            times: Some(times.count),
            last_at: Some(times.last_ms),
            ..StoryLine::new(place, kind)
        }
    })
}

/// Activity as a table. `time` formats times.
pub fn table(lines: &[StoryLine], time: impl Fn(i64) -> Value) -> Table {
    columns! { (it, (last, state, more)) in lines.iter().map(|it| (it, it.rest()));
        "time" => time(it.at),
        "kind" => it.kind,
        "challenge_id" => it.challenge_id,
        "network" => it.network,
        "last" => last.map(&time),
        "count" => it.times.or(it.mail.as_ref().map(|it| it.tries)),
        "state" => state,
        // A message to a team is stored as an answer without a question.
        "what" => it.text.as_deref().or(it.question.as_ref().map(|_| "")),
        "more" => more,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_is_read_behind_the_place() {
        let before = Place::new(50, Rank::Wrong, 7);
        let within = |rank| Place::within(Some(&before), rank).id;
        assert_eq!(within(Rank::Mail), i64::MAX, "all of the moment come later");
        assert_eq!(within(Rank::Action), i64::MIN, "all of the moment came before");
        let flags = |rank, id| {
            let place = Place::new(50, rank, id);
            Place::within_flags(Some(&place)).expect("it is behind one")
        };
        let place = |verdict, id| flags::Place { at_ms: 50, verdict, id };
        assert_eq!(flags(Rank::Wrong, 7), place(Verdict::Wrong, 7));
        assert_eq!(flags(Rank::Right, 7), place(Verdict::Right, 7));
        assert_eq!(flags(Rank::Action, 7), place(Verdict::Right, i64::MAX));
        assert_eq!(flags(Rank::Mail, 7), place(Verdict::Wrong, i64::MIN));
    }

    #[test]
    fn without_networks_their_sightings_are_one() {
        let row = |network: &str, at_ms, kind: Kind| Sighting {
            team_id: 1,
            kind: kind.as_str().to_owned(),
            object: String::new(),
            network: network.to_owned(),
            first_ms: at_ms,
            last_ms: at_ms,
            count: 1,
        };
        let rows = vec![
            row("192.0.2.7", 5, Kind::Login),
            row("192.0.2.8", 9, Kind::Login),
            row("192.0.2.9", 1, Kind::Right),
        ];
        let told = |has_networks| -> Vec<(i64, String, i64)> {
            let lines = seen(rows.clone(), has_networks);
            lines.map(|it| (it.at, it.place.name, it.times.unwrap_or_default())).collect()
        };
        assert_eq!(told(false), [(5, "login//".to_owned(), 2)]);
        assert_eq!(told(true).len(), 2, "a solve is in the story as a flag");
    }
}
