//! The list of teams: rank, status and email.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use flagship_game::contest::Team as Playing;
use flagship_game::division::effective;
use flagship_game::{Board, Contest, TeamId};
use flagship_store::desk::divisions;
use flagship_store::lists::attempts;
use flagship_store::lists::teams::{self as store, Contact, LastMail, MailState, Outside};
use flagship_store::{Db, Seal, StoreError, sightings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::ReadScope;
use super::table::{Table, columns};

/// Maximum number of teams per page.
pub const PAGE_MAX: usize = 200;

/// Order of teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By rank, then unranked teams by name, waiting and unconfirmed teams last. A team whose rank
    /// changes between two pages may be missed.
    #[default]
    Rank,
    /// In the order of joining. Paging returns each team exactly once.
    Joined,
}

/// Status of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// On the scoreboard.
    Plays,
    /// Hidden by organizers.
    Hidden,
    /// Banned by organizers.
    Banned,
    /// Joined after the end of the event.
    Late,
    /// Email address confirmed, and on the waiting list.
    Waiting,
    /// Email address not confirmed.
    Unconfirmed,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Plays, Self::Hidden, Self::Banned, Self::Late, Self::Waiting, Self::Unconfirmed];

    /// Wire name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plays => "plays",
            Self::Hidden => "hidden",
            Self::Banned => "banned",
            Self::Late => "late",
            Self::Waiting => "waiting",
            Self::Unconfirmed => "unconfirmed",
        }
    }

    fn of(team: &Playing) -> Self {
        match team {
            team if team.banned => Self::Banned,
            team if team.hidden => Self::Hidden,
            team if team.late => Self::Late,
            _ => Self::Plays,
        }
    }
}

/// Time without a solve after which a team that submits incorrect flags is stuck, in milliseconds.
const STUCK_MS: i64 = 30 * 60_000;
/// Time since the last activity within which a team is online, in milliseconds.
const ONLINE_MS: i64 = 15 * 60_000;

/// Recent activity of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// On the scoreboard, with incorrect submissions in this period, and no solve since its start.
    Stuck(i64, i64),
    /// Seen since this time.
    Online(i64),
}

impl Activity {
    /// Teams that are stuck. `hidden_ms` is the time from which the reader may not see submissions.
    pub fn stuck(now_ms: i64, hidden_ms: Option<i64>) -> Self {
        Self::Stuck(now_ms - STUCK_MS, hidden_ms.unwrap_or(i64::MAX))
    }

    /// Teams that are online.
    pub fn online(now_ms: i64) -> Self {
        Self::Online(now_ms - ONLINE_MS)
    }

    /// Accounts with this activity, apart from their solves, if the reader may know them.
    async fn read(self, db: &Db, sight: &ReadScope) -> Result<HashSet<i64>, StoreError> {
        let found = match self {
            Self::Stuck(from_ms, until_ms) if sight.wrong && sight.only.is_none() => {
                attempts::teams_between(db, from_ms, until_ms).await?
            }
            Self::Online(from_ms) if sight.addresses => {
                sightings::online_since(db, from_ms).await?
            }
            _ => Vec::new(),
        };
        Ok(found.into_iter().map(|(id,)| id).collect())
    }
}

/// Filters and order of teams.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Part of the name, or the number. Also part of the email address, for readers who can see it.
    pub part: String,
    /// Statuses; all if empty.
    pub standings: Vec<Standing>,
    /// Recent activity.
    pub activity: Option<Activity>,
    /// Delivery state of the newest email, if it was not sent.
    pub mail: Option<MailState>,
    /// Order.
    pub order: Order,
    /// The teams in a division; `None` for all teams.
    pub division: Option<HashSet<TeamId>>,
    /// Position after which the page starts.
    pub after: Option<After>,
}

/// End of a page. Remains valid if the last team of the page disappears from the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum After {
    /// In rank order: index of the last team, and its name, which locates it if its rank has
    /// changed.
    Rank(usize, String),
    /// In joining order: position of the last team.
    Joined(Joined),
}

/// Permanent position of a team in the joining order: signup time and account ID for readers who
/// see addresses, otherwise the team number.
type Joined = (i64, i64);

impl After {
    /// True if the position belongs to a list in this order.
    pub fn is_of(&self, order: Order) -> bool {
        matches!((self, order), (Self::Rank(..), Order::Rank) | (Self::Joined(_), Order::Joined))
    }
}

/// A team. Fields that the caller may not see are null.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Account ID.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Team name.
    pub team_name: String,
    /// Two-letter country code.
    pub country: String,
    /// Position among all teams in the order of joining, starting at 1.
    pub number: Option<usize>,
    /// Score on the unfrozen scoreboard.
    pub truth: Option<TeamScore>,
    /// Score on the public scoreboard.
    pub public: Option<TeamScore>,
    /// `plays`, `hidden`, `banned`, `late` (joined after the end), `waiting` (on the waiting list)
    /// or `unconfirmed`.
    #[schema(value_type = Option<String>)]
    pub standing: Option<Standing>,
    /// True if the team declared that all its members are students.
    pub student: Option<bool>,
    /// Time of the signup, in epoch milliseconds.
    pub signed_up_at: Option<i64>,
    /// Email address.
    pub email: Option<String>,
    /// Pending new email address. The change can still be canceled from the previous address.
    pub new_email: Option<String>,
    /// Newest email to the team's address; null if there is none.
    pub mail: Option<Mail>,
    /// Member names, as entered by the team.
    pub members: Option<Vec<String>>,
    /// IDs of the team's divisions, including private ones.
    pub divisions: Option<Vec<String>>,
    /// Answers in the signup form, by the ID of the field: texts, or booleans for a consent.
    #[schema(value_type = Option<HashMap<String, Value>>)]
    pub fields: Option<Map<String, Value>>,
    /// Labels of the fields at the signup, such as the statements that the team consented to.
    pub field_labels: Option<BTreeMap<String, String>>,
}

/// Score on a scoreboard.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamScore {
    /// Rank, starting at 1.
    pub rank: usize,
    /// Points.
    pub points: i64,
    /// Points awarded or deducted by organizers.
    pub award: i64,
    /// Number of solves.
    pub solves: usize,
    /// Time of the last solve, in epoch milliseconds; null without a solve.
    pub last_solve_at: Option<i64>,
}

/// Delivery state of an email. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// `queued`, `sent` or `refused`.
    pub state: &'static str,
    /// Time at which the email was queued.
    pub queued_at: i64,
    /// Time at which the email was sent.
    pub sent_at: Option<i64>,
    /// Number of delivery attempts.
    pub tries: i64,
    /// Time of the next delivery attempt; null if the email was sent or has failed.
    pub next_try_at: Option<i64>,
    /// Response of the mail server that rejected the email.
    pub server_said: Option<String>,
}

/// A page of teams.
pub struct Page {
    /// Teams in the requested order.
    pub teams: Vec<Team>,
    /// Number of teams on all pages.
    pub total: usize,
    /// Position after which the next page starts; `None` on the last page.
    pub next: Option<After>,
}

/// Contest state and the scoreboards that the reader may see.
pub struct Boards<'a> {
    /// Fold of the journal.
    pub contest: &'a Contest,
    /// Public scoreboard.
    pub public: &'a Board,
    /// Unfrozen scoreboard, if the reader may see it.
    pub truth: Option<&'a Board>,
}

/// A candidate team, before paging.
struct Line<'a> {
    id: Option<i64>,
    name: &'a str,
    country: &'a str,
    standing: Standing,
}

/// Account data that the fold lacks, for readers who see addresses.
#[derive(Default)]
pub struct Accounts {
    unconfirmed: Vec<Outside>,
    /// Confirmed accounts on the waiting list, in its order.
    waiting: Vec<Outside>,
    /// Accounts whose email address matches the search.
    with_address: HashSet<i64>,
    undelivered: HashMap<i64, MailState>,
    /// Joining positions of all accounts.
    places: HashMap<i64, Joined>,
    /// Accounts with the requested activity.
    active: HashSet<i64>,
}

impl Accounts {
    /// Reads the account data.
    pub async fn read(db: &Db, sight: &ReadScope, query: &Query) -> Result<Self, StoreError> {
        let mut read = Self::default();
        if let Some(activity) = query.activity {
            read.active = activity.read(db, sight).await?;
        }
        if !sight.addresses {
            return Ok(read);
        }
        read.unconfirmed = store::unconfirmed(db).await?;
        read.waiting = store::waiting(db).await?;
        if !query.part.is_empty() {
            read.with_address = store::with_address(db, &query.part.to_lowercase()).await?;
        }
        if query.mail.is_some() {
            read.undelivered = store::undelivered(db).await?.into_iter().collect();
        }
        if query.order == Order::Joined {
            let places = store::places(db).await?;
            read.places = places.into_iter().map(|(at_ms, id)| (id, (at_ms, id))).collect();
        }
        Ok(read)
    }
}

/// Returns a page of teams, without email addresses.
pub fn page(
    boards: &Boards<'_>,
    accounts: &Accounts,
    sight: &ReadScope,
    query: &Query,
    count_max: usize,
) -> Page {
    let shown = Shown::new(boards, sight);
    let mut lines = lines(boards, accounts, sight);
    let joined = |line: &Line<'_>| -> Joined {
        let place = match sight.addresses {
            true => line.id.and_then(|id| accounts.places.get(&id).copied()),
            false => shown.numbers.get(line.name).map(|number| (*number as i64, 0)),
        };
        // A team that joined after the positions were read comes last.
        place.unwrap_or((i64::MAX, 0))
    };
    if query.order == Order::Joined {
        lines.sort_by_cached_key(joined);
    }
    let from = match &query.after {
        None => 0,
        Some(After::Joined(last)) => lines.partition_point(|line| joined(line) <= *last),
        Some(After::Rank(index, name)) => {
            // The team may have been renamed since the previous page.
            let now = || boards.contest.team_formerly(name).map(|team| &*team.name);
            let place = |name: &str| lines.iter().position(|line| line.name == name);
            let last = place(name).or_else(|| place(now()?));
            // If the team is gone, the next one has its index.
            last.map_or(*index, |last| last + 1).min(lines.len())
        }
    };
    let part = query.part.to_lowercase();
    let is_asked = |line: &Line<'_>| {
        let id = line.id.unwrap_or_default();
        let is_named = line.name.to_lowercase().contains(&part)
            || accounts.with_address.contains(&id)
            || shown.number(line).is_some_and(|number| number.to_string() == part);
        let is_standing = query.standings.is_empty()
            || (sight.addresses && query.standings.contains(&line.standing));
        let is_mailed = query.mail.is_none_or(|it| accounts.undelivered.get(&id) == Some(&it));
        let is_active = query.activity.is_none_or(|activity| {
            let is_stuck =
                |from_ms| line.standing == Standing::Plays && shown.last_solve_ms(line) < from_ms;
            accounts.active.contains(&id)
                && match activity {
                    Activity::Stuck(from_ms, _) => is_stuck(from_ms),
                    Activity::Online(_) => true,
                }
        });
        let is_member = query.division.as_ref().is_none_or(|it| it.contains(&TeamId(id)));
        is_named && is_standing && is_mailed && is_active && is_member
    };
    let total = lines.iter().filter(|line| is_asked(line)).count();
    let behind = lines.iter().enumerate().skip(from);
    let mut asked = behind.filter(|(_, line)| is_asked(line));
    let page: Vec<(usize, &Line<'_>)> = asked.by_ref().take(count_max).collect();
    let next = asked.next().and(page.last()).map(|(index, line)| match query.order {
        Order::Rank => After::Rank(*index, line.name.to_owned()),
        Order::Joined => After::Joined(joined(line)),
    });
    Page { teams: page.iter().map(|(_, line)| shown.team(line)).collect(), total, next }
}

/// Returns the team with a name, without its email address; `None` if the reader can see no such
/// team.
pub fn one(
    boards: &Boards<'_>,
    accounts: &Accounts,
    sight: &ReadScope,
    name: &str,
) -> Option<Team> {
    let lines = lines(boards, accounts, sight);
    let line = lines.iter().find(|line| line.name == name)?;
    Some(Shown::new(boards, sight).team(line))
}

/// Data for rendering teams.
struct Shown<'a> {
    sight: &'a ReadScope,
    numbers: HashMap<&'a str, usize>,
    public: HashMap<&'a str, TeamScore>,
    truth: HashMap<&'a str, TeamScore>,
}

impl<'a> Shown<'a> {
    fn new(boards: &Boards<'a>, sight: &'a ReadScope) -> Self {
        Self {
            sight,
            numbers: boards.contest.teams().map(|team| &*team.name).zip(1..).collect(),
            public: scores(boards.public),
            truth: boards.truth.map(scores).unwrap_or_default(),
        }
    }

    fn number(&self, line: &Line<'_>) -> Option<usize> {
        self.numbers.get(line.name).copied().filter(|_| self.sight.addresses)
    }

    /// Time of the last solve that the reader may see; 0 without one.
    fn last_solve_ms(&self, line: &Line<'_>) -> i64 {
        let score = self.truth.get(line.name).or_else(|| self.public.get(line.name));
        score.and_then(|score| score.last_solve_at).unwrap_or(0)
    }

    fn team(&self, line: &Line<'_>) -> Team {
        Team {
            id: line.id,
            team_name: line.name.to_owned(),
            country: line.country.to_owned(),
            number: self.number(line),
            truth: self.truth.get(line.name).copied(),
            public: self.public.get(line.name).copied(),
            standing: self.sight.addresses.then_some(line.standing),
            ..Team::default()
        }
    }
}

/// All teams that the reader may see: by rank, then the others by name, then the waiting list in
/// its order, then unconfirmed ones by name.
fn lines<'a>(boards: &Boards<'a>, accounts: &'a Accounts, sight: &ReadScope) -> Vec<Line<'a>> {
    let contest = boards.contest;
    let ranked = boards.truth.unwrap_or(boards.public).rows();
    let mut lines: Vec<Line<'_>> = ranked
        .map(|row| Line {
            id: contest.team_named(row.name()).map(|team| team.id.0),
            name: row.name(),
            country: row.country(),
            standing: Standing::Plays,
        })
        .collect();
    if !sight.addresses {
        return lines;
    }
    let known: HashSet<&str> = lines.iter().map(|line| line.name).collect();
    // Includes teams confirmed after the scoreboard was computed.
    let uncounted = |team: &&'a Arc<Playing>| !known.contains(&*team.name);
    let uncounted = contest.teams().filter(uncounted).map(|team| Line {
        id: Some(team.id.0),
        name: &team.name,
        country: &team.country,
        standing: Standing::of(team),
    });
    // A team that joined after the accounts were read is already in the fold.
    let outside = |all: &'a [Outside], standing: Standing| -> Vec<Line<'a>> {
        let outside = all.iter().filter(|it| contest.team_named(&it.name).is_none());
        let line = |it: &'a Outside| Line {
            id: Some(it.id),
            name: it.name.as_str(),
            country: it.country.as_str(),
            standing,
        };
        outside.map(line).collect()
    };
    let mut uncounted: Vec<Line<'_>> = uncounted.collect();
    uncounted.sort_by_key(|line| line.name);
    lines.append(&mut uncounted);
    lines.append(&mut outside(&accounts.waiting, Standing::Waiting));
    let mut unconfirmed = outside(&accounts.unconfirmed, Standing::Unconfirmed);
    unconfirmed.sort_by_key(|line| line.name);
    lines.append(&mut unconfirmed);
    lines
}

/// Scores by team name.
fn scores(board: &Board) -> HashMap<&str, TeamScore> {
    let ranked = board.rows().zip(1..);
    ranked
        .map(|(row, rank)| {
            let score = TeamScore {
                rank,
                points: row.points(),
                award: row.award(),
                solves: row.marks().len(),
                last_solve_at: Some(row.last_solve_ms()).filter(|ms| *ms > 0),
            };
            (row.name(), score)
        })
        .collect()
}

/// Adds email addresses and email states, if the reader may see them.
pub async fn add_contacts(
    db: &Db,
    seal: &Seal,
    sight: &ReadScope,
    teams: &mut [Team],
) -> Result<(), StoreError> {
    if !sight.addresses {
        return Ok(());
    }
    let ids: Vec<i64> = teams.iter().filter_map(|team| team.id).collect();
    let contacts = store::contacts(db, &ids).await?;
    let rules = divisions::rules(db, seal).await?;
    let mut joined = match rules.is_empty() {
        true => HashMap::new(),
        false => divisions::of_accounts(db, &ids).await?,
    };
    let mut contacts: HashMap<i64, Contact> = contacts.into_iter().map(|it| (it.id, it)).collect();
    for team in teams {
        if let Some(mut contact) = team.id.and_then(|id| contacts.remove(&id)) {
            let joined = joined.remove(&contact.id).unwrap_or_default();
            let joined = effective(rules.iter().map(|it| &it.division), &joined);
            if rules.iter().any(|it| it.division.student) {
                contact.student = joined.iter().any(|it| it.student);
            }
            team.divisions = Some(joined.iter().map(|it| it.id.to_string()).collect());
            team.add(contact);
        }
    }
    Ok(())
}

impl Team {
    fn add(&mut self, contact: Contact) {
        self.student = Some(contact.student);
        self.signed_up_at = Some(contact.created_at_ms);
        self.email = Some(contact.email);
        self.new_email = contact.new_email;
        self.mail = contact.mail.map(Mail::from);
        self.members = Some(contact.members);
        let answers = contact.answers;
        self.field_labels =
            Some(answers.iter().map(|it| (it.field.clone(), it.label.clone())).collect());
        self.fields = Some(
            answers
                .into_iter()
                .map(|it| (it.field, serde_json::from_str(&it.value).unwrap_or(Value::Null)))
                .collect(),
        );
    }

    /// Time of the signup, if the email address is still unconfirmed.
    fn unconfirmed_since(&self) -> Option<i64> {
        self.signed_up_at.filter(|_| self.standing == Some(Standing::Unconfirmed))
    }
}

impl From<LastMail> for Mail {
    fn from(mail: LastMail) -> Self {
        Self {
            state: mail.state.as_str(),
            queued_at: mail.queued_at_ms,
            sent_at: mail.sent_at_ms,
            tries: mail.tries,
            next_try_at: mail.next_at_ms,
            server_said: mail.said,
        }
    }
}

/// Teams as a table with the columns that a reader may see. `time` formats times.
pub fn table(
    teams: &[Team],
    sight: &ReadScope,
    has_addresses: bool,
    time: impl Fn(i64) -> Value,
) -> Table {
    let time = |ms: Option<i64>| ms.map(&time);
    let ReadScope { addresses: private, truth, .. } = *sight;
    // These columns contain email addresses, server responses that may quote one, or member names.
    let personal = private && has_addresses;
    let is_joined = |it: &Team| it.divisions.as_ref().is_some_and(|it| !it.is_empty());
    let has_divisions = teams.iter().any(is_joined);
    columns! { it in teams.iter();
        "number" if private => it.number,
        "team" => it.team_name,
        "country" => it.country,
        "student" if private => it.student,
        "divisions" if has_divisions => it.divisions.as_ref().map(|it| it.join(" ")),
        "standing" if private => it.standing,
        "rank" if truth => it.truth.map(|it| it.rank),
        "points" if truth => it.truth.map(|it| it.points),
        "award" if truth => it.truth.map(|it| it.award),
        "solves" if truth => it.truth.map(|it| it.solves),
        "last_solve" if truth => time(it.truth.and_then(|it| it.last_solve_at)),
        "public_rank" => it.public.map(|it| it.rank),
        "public_points" => it.public.map(|it| it.points),
        "public_solves" => it.public.map(|it| it.solves),
        "signed_up" if private => time(it.signed_up_at),
        "unconfirmed_since" if private => time(it.unconfirmed_since()),
        "mail" if private => it.mail.as_ref().map(|it| it.state),
        "mail_at" if private => time(it.mail.as_ref().map(|it| it.sent_at.unwrap_or(it.queued_at))),
        "mail_tries" if private => it.mail.as_ref().map(|it| it.tries),
        "next_try" if private => time(it.mail.as_ref().and_then(|it| it.next_try_at)),
        "server_said" if personal => it.mail.as_ref().map(|it| &it.server_said),
        "email" if personal => it.email,
        "new_email" if personal => it.new_email,
        "members" if personal => it.members.as_ref().map(|it| it.join(", ")),
        "fields" if personal => it.fields.as_ref().map(|it| Value::Object(it.clone()).to_string()),
    }
}
