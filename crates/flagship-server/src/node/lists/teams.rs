//! The teams: their places, their standing and their mail.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use flagship_game::contest::Team as Playing;
use flagship_game::{Board, Contest};
use flagship_store::lists::teams::{self as store, Contact, LastMail, MailState, Unconfirmed};
use flagship_store::{Db, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Sight;
use super::table::{Table, columns};

/// Most teams of a page.
pub const PAGE_MAX: usize = 200;

/// The order of the teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By rank, then those without one by name, the unconfirmed last. Who moves between two pages
    /// may be missed.
    #[default]
    Rank,
    /// In the order in which they joined: who reads all pages sees each team once.
    Joined,
}

/// Whether a team plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is on the board.
    Plays,
    /// Organizers hid it.
    Hidden,
    /// Organizers banned it.
    Banned,
    /// It joined after the end.
    Late,
    /// Its address is not confirmed.
    Unconfirmed,
}

impl Standing {
    fn of(team: &Playing) -> Self {
        match team {
            team if team.banned => Self::Banned,
            team if team.hidden => Self::Hidden,
            team if team.late => Self::Late,
            _ => Self::Plays,
        }
    }
}

/// Which teams.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// A part of the name, or for who sees them of the address, or the number.
    pub part: String,
    /// Only those with this standing.
    pub standing: Option<Standing>,
    /// Only those whose newest mail was not sent, and is in this state.
    pub mail: Option<MailState>,
    /// In which order.
    pub order: Order,
    /// Only those behind this place.
    pub after: Option<After>,
}

/// Where a page ended. It holds on if the last team of the page is not in the list any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum After {
    /// By rank: the index of the last team, and its name, by which it is found if it has moved.
    Rank(usize, String),
    /// By joining: the place of the last team.
    Joined(Joined),
}

/// The place of a team in the order of joining, which never changes: for who sees addresses when
/// it signed up and the id of its account, for others its number.
type Joined = (i64, i64);

impl After {
    /// Whether it is of a list in this order.
    pub fn is_of(&self, order: Order) -> bool {
        matches!((self, order), (Self::Rank(..), Order::Rank) | (Self::Joined(_), Order::Joined))
    }
}

/// A team. What the caller may not see is null.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// The id of its account.
    #[serde(skip)]
    pub id: Option<i64>,
    /// Its name.
    pub team_name: String,
    /// Its country, as two letters.
    pub country: String,
    /// The how many-th team it was that joined, from 1.
    pub number: Option<usize>,
    /// Its place, with what the freeze hides.
    pub truth: Option<TeamScore>,
    /// Its place as everybody sees it.
    pub public: Option<TeamScore>,
    /// `plays`, `hidden`, `banned`, `late` (it joined after the end) or `unconfirmed`.
    #[schema(value_type = Option<String>)]
    pub standing: Option<Standing>,
    /// Whether it says that it consists of students alone.
    pub student: Option<bool>,
    /// When it signed up, in epoch milliseconds.
    pub signed_up_at: Option<i64>,
    /// Where its mails go.
    pub email: Option<String>,
    /// Where they will go, unless the address before stops that.
    pub new_email: Option<String>,
    /// The newest mail to its address; null without one.
    pub mail: Option<Mail>,
    /// The names of its people, as it says them.
    pub members: Option<Vec<String>>,
}

/// A place on a board.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamScore {
    /// Counted from 1.
    pub rank: usize,
    /// Its points.
    pub points: i64,
    /// Those that organizers gave or took.
    pub award: i64,
    /// How many challenges it solved.
    pub solves: usize,
    /// When it last did, in epoch milliseconds; null without a solve.
    pub last_solve_at: Option<i64>,
}

/// What became of a mail. Times are epoch milliseconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// `queued`, `sent` or `refused`.
    pub state: &'static str,
    /// When it was queued.
    pub queued_at: i64,
    /// When it was sent.
    pub sent_at: Option<i64>,
    /// How often it was tried.
    pub tries: i64,
    /// When it is tried next; null if it was sent, or was given up.
    pub next_try_at: Option<i64>,
    /// What the mail server said when it refused it.
    pub server_said: Option<String>,
}

/// Some of the teams.
pub struct Page {
    /// In the order that was asked for.
    pub teams: Vec<Team>,
    /// How many there are on all pages.
    pub total: usize,
    /// Behind which the next page begins; `None` on the last one.
    pub next: Option<After>,
}

/// The folded contest, and the boards of it that the reader may see.
pub struct Boards<'a> {
    /// The fold.
    pub contest: &'a Contest,
    /// The public board.
    pub public: &'a Board,
    /// With what the freeze hides, for who sees it.
    pub truth: Option<&'a Board>,
}

/// A team before it is known whether it is on the page.
struct Line<'a> {
    id: Option<i64>,
    name: &'a str,
    country: &'a str,
    standing: Standing,
}

/// What the accounts add to the fold, for who sees addresses.
#[derive(Default)]
pub struct Accounts {
    unconfirmed: Vec<Unconfirmed>,
    /// Whose address has the part that is searched for.
    with_address: HashSet<i64>,
    undelivered: HashMap<i64, MailState>,
    /// The places of all accounts in the order of joining.
    places: HashMap<i64, Joined>,
}

impl Accounts {
    /// Reads them.
    pub async fn read(db: &Db, sight: &Sight, query: &Query) -> Result<Self, StoreError> {
        let mut read = Self::default();
        if !sight.addresses {
            return Ok(read);
        }
        read.unconfirmed = store::unconfirmed(db).await?;
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

/// The teams of a page, without their addresses.
pub fn page(
    boards: &Boards<'_>,
    accounts: &Accounts,
    sight: &Sight,
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
        // One that joined since the places were read is the last.
        place.unwrap_or((i64::MAX, 0))
    };
    if query.order == Order::Joined {
        lines.sort_by_cached_key(joined);
    }
    let from = match &query.after {
        None => 0,
        Some(After::Joined(last)) => lines.partition_point(|line| joined(line) <= *last),
        Some(After::Rank(index, name)) => {
            // The team may have got another name since the page before.
            let now = || boards.contest.team_formerly(name).map(|team| &*team.name);
            let place = |name: &str| lines.iter().position(|line| line.name == name);
            let last = place(name).or_else(|| place(now()?));
            // If it is gone, the next one has its place.
            last.map_or(*index, |last| last + 1).min(lines.len())
        }
    };
    let part = query.part.to_lowercase();
    let is_asked = |line: &Line<'_>| {
        let id = line.id.unwrap_or_default();
        let is_named = line.name.to_lowercase().contains(&part)
            || accounts.with_address.contains(&id)
            || shown.number(line).is_some_and(|number| number.to_string() == part);
        let is_standing = query.standing.is_none_or(|it| sight.addresses && it == line.standing);
        let is_mailed = query.mail.is_none_or(|it| accounts.undelivered.get(&id) == Some(&it));
        is_named && is_standing && is_mailed
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

/// The team with a name, without its address; `None` if the reader sees no such team.
pub fn one(boards: &Boards<'_>, accounts: &Accounts, sight: &Sight, name: &str) -> Option<Team> {
    let lines = lines(boards, accounts, sight);
    let line = lines.iter().find(|line| line.name == name)?;
    Some(Shown::new(boards, sight).team(line))
}

/// What is shown of teams.
struct Shown<'a> {
    sight: &'a Sight,
    numbers: HashMap<&'a str, usize>,
    public: HashMap<&'a str, TeamScore>,
    truth: HashMap<&'a str, TeamScore>,
}

impl<'a> Shown<'a> {
    fn new(boards: &Boards<'a>, sight: &'a Sight) -> Self {
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

/// Everybody whom the reader may see: by rank, then the others by name, the unconfirmed last.
fn lines<'a>(boards: &Boards<'a>, accounts: &'a Accounts, sight: &Sight) -> Vec<Line<'a>> {
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
    // One that confirmed since the board was made is among them.
    let uncounted = |team: &&'a Arc<Playing>| !known.contains(&*team.name);
    let uncounted = contest.teams().filter(uncounted).map(|team| Line {
        id: Some(team.id.0),
        name: &team.name,
        country: &team.country,
        standing: Standing::of(team),
    });
    // One that confirmed since the accounts were read is in the fold already.
    let is_waiting = |it: &&'a Unconfirmed| contest.team_named(&it.name).is_none();
    let waiting = accounts.unconfirmed.iter().filter(is_waiting);
    let waiting = waiting.map(|it| Line {
        id: Some(it.id),
        name: &it.name,
        country: &it.country,
        standing: Standing::Unconfirmed,
    });
    let mut others: Vec<Line<'_>> = uncounted.chain(waiting).collect();
    others.sort_by_key(|line| (line.standing == Standing::Unconfirmed, line.name));
    lines.append(&mut others);
    lines
}

/// The places on a board by name.
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

/// Adds addresses and mail, for who sees them.
pub async fn add_contacts(db: &Db, sight: &Sight, teams: &mut [Team]) -> Result<(), StoreError> {
    if !sight.addresses {
        return Ok(());
    }
    let ids: Vec<i64> = teams.iter().filter_map(|team| team.id).collect();
    let contacts = store::contacts(db, &ids).await?;
    let mut contacts: HashMap<i64, Contact> = contacts.into_iter().map(|it| (it.id, it)).collect();
    for team in teams {
        if let Some(contact) = team.id.and_then(|id| contacts.remove(&id)) {
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
    }

    /// When it signed up, if its address is not confirmed since.
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

/// The teams as a table, with the columns that a reader may see, and with times as `time` writes
/// them.
pub fn table(
    teams: &[Team],
    sight: &Sight,
    has_addresses: bool,
    time: impl Fn(i64) -> Value,
) -> Table {
    let time = |ms: Option<i64>| ms.map(&time);
    let Sight { addresses: private, truth, .. } = *sight;
    // These have addresses, or may have one in the words of a server, or the names of people.
    let personal = private && has_addresses;
    columns! { it in teams.iter();
        "number" if private => it.number,
        "team" => it.team_name,
        "country" => it.country,
        "student" if private => it.student,
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
    }
}
