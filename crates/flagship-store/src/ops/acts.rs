//! What organizers do: each act is decided, done and recorded in one transaction, which reads again
//! whether its organizer may do it.

use flagship_game::entry::Fact;
use flagship_game::{ChallengeId, Contest, Entry, TeamId};
use serde_json::{Value, json};

use super::accounts::join;
use super::step::StepTx;
use super::teams::{self, TeamChange, TeamError};
use crate::accounts::{self, Account};
use crate::acts::{self, NewAct, Record};
use crate::mail::{self, Cause, Draft, Kind, Purpose, SHARER_DIGITS, Token};
use crate::organizers::{Organizer, Role, Standing};
use crate::{Result, Seal, Tx, addresses, sessions};

/// How long a code is valid that an organizer tells a team, in milliseconds.
const CODE_MS: i64 = HOUR_MS;
/// Most mails to one address in an hour that organizers cause.
const MAILS_MAX: u32 = 10;
/// Most acts with mails of one organizer in an hour. Each queues one or two.
const MAIL_ACTS_MAX: i64 = 100;
/// Most changes of a team's address in a day.
const CHANGES_MAX: i64 = 10;
/// An hour, in milliseconds.
const HOUR_MS: i64 = 3_600_000;

/// An act about a team.
#[derive(Clone)]
pub enum Act {
    /// A change of its standing. An award has no reason of its own: the journal is public.
    Change(TeamChange),
    /// Withdraws a solve.
    Withdraw {
        /// Of which challenge.
        challenge: ChallengeId,
    },
    /// Confirms its address.
    Confirm,
    /// Ends its sessions, and the links and codes that it has not used.
    EndSessions,
    /// Changes the address of a confirmed team.
    Address {
        /// The present address, when the mails were written.
        was: String,
        /// The new address.
        email: String,
        /// Whether it counts at once, which only organizers may say.
        at_once: bool,
        /// To the present address, with the token that stops the change.
        warning: (Draft, String),
        /// To the new address.
        notice: Draft,
    },
    /// Changes the address of a team that is not confirmed.
    Correct {
        /// The new address.
        email: String,
        /// To the new address.
        letter: Draft,
        /// The token that confirms it.
        token: String,
    },
    /// Mails it a link.
    Link {
        /// Its address when the mail was written.
        was: String,
        /// What the link is for.
        purpose: Purpose,
        /// The mail.
        letter: Draft,
        /// The token of its link.
        token: String,
    },
    /// Makes a code that sets a new password, for an organizer to tell.
    Code {
        /// The code.
        token: String,
    },
}

/// Who does something, as in [`Standing`].
#[derive(Clone, Debug)]
pub struct By {
    /// The digest of the token of their session, or of the one for scripts.
    pub pass: String,
    /// The roles of which they need one.
    pub roles: &'static [Role],
    /// Since when they must have given the second factor, in epoch milliseconds.
    pub proven_after_ms: Option<i64>,
}

/// Something that an organizer wants done.
#[derive(Clone)]
pub struct Order {
    /// Who.
    pub by: By,
    /// What.
    pub what: What,
    /// Why.
    pub reason: String,
}

/// What is to be done.
#[derive(Clone)]
pub enum What {
    /// An act.
    Do {
        /// The exact name of the team.
        team: String,
        /// What to do with it.
        act: Box<Act>,
        /// The last act about the team when it was looked at, of those that the organizer may see.
        head: Option<(i64, Vec<&'static str>)>,
    },
    /// Takes an act back.
    Undo {
        /// Which.
        id: i64,
    },
}

/// Why an act is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    /// The session or token of whoever asks has ended, or they lost the role.
    #[error("the session has ended")]
    Ended,
    /// No team has the name.
    #[error("no team has this name")]
    NoTeam,
    /// No act has the id.
    #[error("no act has this id")]
    NoAct,
    /// Somebody did something with the team meanwhile.
    #[error("somebody did something with the team meanwhile")]
    Touched,
    /// It is so already.
    #[error("it is so already")]
    Unchanged,
    /// The points are 0, or more than an award may be either way, alone or together.
    #[error("the points are out of range")]
    Points,
    /// The team has not solved the challenge.
    #[error("the team has not solved the challenge")]
    NotSolved,
    /// The team has not confirmed its address, or has already.
    #[error("the team is not confirmed, or is already")]
    Standing,
    /// Another team has the address.
    #[error("another team has the address")]
    AddressTaken,
    /// So many mails went to the address, or were caused by the organizer, in an hour; or so many
    /// changes of an address were made in a day.
    #[error("many mails were sent")]
    Mails,
    /// What was done does not come back.
    #[error("what was done does not come back")]
    NoUndo,
}

/// An act that is done.
#[derive(Clone)]
pub struct Acted {
    /// Its record.
    pub record: Record,
    /// The contest before it.
    pub before: Contest,
    /// The contest after it.
    pub after: Contest,
}

impl PartialEq for Acted {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
    }
}

impl Eq for Acted {}

impl std::fmt::Debug for Acted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acted").field("record", &self.record).finish_non_exhaustive()
    }
}

/// Refused, or not.
type Decided<T> = std::result::Result<T, ActError>;

impl Act {
    /// The names of all acts.
    pub const NAMES: [&str; 12] = [
        "solve.withdraw",
        "team.address",
        "team.award",
        "team.ban",
        "team.code",
        "team.confirm",
        "team.end_sessions",
        "team.hide",
        "team.resend",
        "team.reset",
        "team.show",
        "team.unban",
    ];
    /// Those that can be taken back.
    pub const UNDOABLE: [&str; 5] =
        ["team.award", "team.ban", "team.hide", "team.show", "team.unban"];

    /// Its name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Change(TeamChange::Ban) => "team.ban",
            Self::Change(TeamChange::Unban) => "team.unban",
            Self::Change(TeamChange::Hide) => "team.hide",
            Self::Change(TeamChange::Show) => "team.show",
            Self::Change(TeamChange::Award { .. }) => "team.award",
            Self::Withdraw { .. } => "solve.withdraw",
            Self::Confirm => "team.confirm",
            Self::EndSessions => "team.end_sessions",
            Self::Address { .. } | Self::Correct { .. } => "team.address",
            Self::Link { purpose: Purpose::Confirm, .. } => "team.resend",
            Self::Link { .. } => "team.reset",
            Self::Code { .. } => "team.code",
        }
    }

    /// Whether it sends mails.
    fn mails(&self) -> bool {
        matches!(self, Self::Address { .. } | Self::Correct { .. } | Self::Link { .. })
    }

    /// What is recorded of it, without addresses and secrets.
    pub fn arguments(&self, team: &str) -> Value {
        match self {
            Self::Change(TeamChange::Award { points, .. }) => {
                json!({"team": team, "points": points})
            }
            Self::Withdraw { challenge } => json!({"team": team, "challenge": challenge}),
            Self::Address { at_once: false, .. } => json!({"team": team, "waits": true}),
            _ => json!({"team": team}),
        }
    }

    /// Whether it fits a team that is confirmed, or one that is not.
    fn fits(&self, is_confirmed: bool) -> Decided<()> {
        let is_for_unconfirmed = match self {
            Self::Confirm if is_confirmed => return Err(ActError::Unchanged),
            Self::Confirm | Self::Correct { .. } => true,
            Self::Link { purpose, .. } => *purpose == Purpose::Confirm,
            _ => false,
        };
        if is_for_unconfirmed == is_confirmed { Err(ActError::Standing) } else { Ok(()) }
    }

    /// The fact that it records; `None` for acts without one.
    fn fact(&self, contest: &Contest, account: &Account) -> Decided<Option<Fact>> {
        let team = TeamId(account.id);
        match self {
            Self::Confirm => {
                let (name, country) = (account.name.clone(), account.country.clone());
                Ok(Some(Fact::Team { team, name, country }))
            }
            Self::Change(change) => {
                let fact = teams::fact_of(contest, team, change).map_err(|error| match error {
                    TeamError::NoTeam => ActError::NoTeam,
                    TeamError::PointsOutOfRange | TeamError::TotalOutOfRange => ActError::Points,
                })?;
                fact.map(Some).ok_or(ActError::Unchanged)
            }
            Self::Withdraw { challenge } => {
                Ok(Some(Fact::SolveWithdrawn { team, challenge: challenge.clone() }))
            }
            _ => Ok(None),
        }
    }
}

impl By {
    fn standing(&self) -> Standing<'_> {
        let Self { pass, roles, proven_after_ms } = self;
        Standing { pass, roles, proven_after_ms: *proven_after_ms }
    }
}

/// The contest as an act would make it.
pub fn contest_after(
    contest: &Contest,
    account: &Account,
    act: &Act,
    now_ms: i64,
) -> Decided<Contest> {
    act.fits(account.confirmed_at_ms.is_some())?;
    let mut after = contest.clone();
    let Some(fact) = act.fact(contest, account)? else { return Ok(after) };
    let entry = Entry { seq: after.seq() + 1, at_ms: now_ms.max(after.at_ms()), fact };
    after.fold(&entry).map_err(|_| ActError::NotSolved)?;
    Ok(after)
}

/// What is written into the record of an act.
struct Done {
    name: &'static str,
    object: String,
    arguments: Value,
    undoes: Option<i64>,
}

pub(super) async fn act(step: &mut StepTx, order: &Order) -> Result<Decided<Acted>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    addresses::settle(&mut step.tx, now_ms).await?;
    let Ok(organizer) = order.by.standing().check(&mut step.tx, now_ms).await? else {
        return Ok(Err(ActError::Ended));
    };
    let before = step.contest().clone();
    let done = match &order.what {
        What::Do { team, act, head } => perform(step, &organizer, team, act, head).await?,
        What::Undo { id } => undo(step, *id).await?,
    };
    let done = match done {
        Ok(done) => done,
        Err(refused) => return Ok(Err(refused)),
    };
    let after = step.contest().clone();
    let seqs = (after.seq() > before.seq()).then_some((before.seq() + 1, after.seq()));
    let new = NewAct {
        actor: &organizer.name,
        act: done.name,
        object: &done.object,
        arguments: &done.arguments,
        reason: &order.reason,
        seqs,
        undoes: done.undoes,
    };
    let record = acts::append(&mut step.tx, &step.seal.clone(), &new, now_ms).await?;
    Ok(Ok(Acted { record, before, after }))
}

async fn perform(
    step: &mut StepTx,
    organizer: &Organizer,
    team: &str,
    act: &Act,
    head: &Option<(i64, Vec<&'static str>)>,
) -> Result<Decided<Done>> {
    let now_ms = step.now_ms();
    let account = accounts::named_in(&mut step.tx, team).await?;
    let Some(account) = account.filter(|account| !account.has_lapsed(now_ms)) else {
        return Ok(Err(ActError::NoTeam));
    };
    let object = format!("team {}", account.id);
    if let Some((head, seen)) = head {
        let last = acts::last_of_in(&mut step.tx, &object, seen, false).await?;
        if last.map_or(0, |last| last.id) != *head {
            return Ok(Err(ActError::Touched));
        }
    }
    let is_trusted = organizer.is(Role::Organizer) || organizer.is(Role::Owner);
    if matches!(act, Act::Address { at_once: true, .. }) && !is_trusted {
        return Ok(Err(ActError::Ended));
    }
    if act.mails() {
        let (actor, since_ms) = (&organizer.name, now_ms - HOUR_MS);
        let acts = ["team.address", "team.resend", "team.reset"];
        if acts::count_in(&mut step.tx, actor, &acts, since_ms).await? >= MAIL_ACTS_MAX {
            return Ok(Err(ActError::Mails));
        }
    }
    let (name, arguments) = (act.name(), act.arguments(team));
    let done = apply(step, &account, act).await?;
    Ok(done.map(|()| Done { name, object, arguments, undoes: None }))
}

/// Takes an act back, unless a later one about the same team stands that could be taken back too.
async fn undo(step: &mut StepTx, id: i64) -> Result<Decided<Done>> {
    let Some(record) = acts::by_id_in(&mut step.tx, id).await? else {
        return Ok(Err(ActError::NoAct));
    };
    if acts::undone_by_in(&mut step.tx, id).await?.is_some() {
        return Ok(Err(ActError::Unchanged));
    }
    let Some((team, act)) = inverse(&record) else { return Ok(Err(ActError::NoUndo)) };
    let last = acts::last_of_in(&mut step.tx, &record.object, &Act::UNDOABLE, true).await?;
    if last.is_none_or(|last| last.id != id) {
        return Ok(Err(ActError::Touched));
    }
    let Some(account) = accounts::by_id_in(&mut step.tx, team).await? else {
        return Ok(Err(ActError::NoTeam));
    };
    let (name, arguments) = (act.name(), act.arguments(&account.name));
    let (object, undoes) = (record.object, Some(id));
    let done = apply(step, &account, &act).await?;
    Ok(done.map(|()| Done { name, object, arguments, undoes }))
}

/// What puts back what an act changed, and on which account; `None` if nothing does.
fn inverse(record: &Record) -> Option<(i64, Act)> {
    if record.undoes.is_some() {
        return None;
    }
    let account = record.object.strip_prefix("team ")?.parse().ok()?;
    let change = match record.act.as_str() {
        "team.ban" => TeamChange::Unban,
        "team.unban" => TeamChange::Ban,
        "team.hide" => TeamChange::Show,
        "team.show" => TeamChange::Hide,
        "team.award" => {
            let points = record.field("arguments").get("points")?.as_i64()?;
            TeamChange::Award { points: -points, reason: String::new() }
        }
        _ => return None,
    };
    Some((account, Act::Change(change)))
}

async fn apply(step: &mut StepTx, account: &Account, act: &Act) -> Result<Decided<()>> {
    let (id, now_ms) = (account.id, step.now_ms());
    if let Err(refused) = act.fits(account.confirmed_at_ms.is_some()) {
        return Ok(Err(refused));
    }
    match act {
        Act::Change(change) => {
            let fact = match act.fact(step.contest(), account) {
                Ok(fact) => fact,
                Err(refused) => return Ok(Err(refused)),
            };
            if *change == TeamChange::Ban {
                sessions::revoke_all_in(&mut step.tx, id, now_ms).await?;
            }
            fact.map_or(Ok(()), |fact| step.append(now_ms, fact)).map(Ok)
        }
        Act::Withdraw { challenge } => {
            let done = teams::withdraw(step, &account.name, challenge).await?;
            Ok(done.map_err(|_| ActError::NotSolved))
        }
        Act::Confirm => {
            if accounts::team_of_email(&mut step.tx, &account.email).await?.is_some() {
                return Ok(Err(ActError::AddressTaken));
            }
            join(step, account.clone()).await.map(Ok)
        }
        Act::EndSessions => {
            mail::end_tokens_in(&mut step.tx, id, now_ms).await?;
            sessions::revoke_all_in(&mut step.tx, id, now_ms).await.map(Ok)
        }
        Act::Code { token } => {
            keep(step, account, token, Purpose::Reset, now_ms + CODE_MS).await.map(Ok)
        }
        Act::Address { was, email, at_once, warning, notice } => {
            if let Err(refused) = is_other(account, was, email) {
                return Ok(Err(refused));
            }
            if accounts::team_of_email(&mut step.tx, email).await?.is_some() {
                return Ok(Err(ActError::AddressTaken));
            }
            let since_ms = now_ms - addresses::STOP_MS;
            if addresses::count_in(&mut step.tx, id, since_ms).await? >= CHANGES_MAX {
                return Ok(Err(ActError::Mails));
            }
            if send(step, account, notice, MAILS_MAX).await?.is_none() {
                return Ok(Err(ActError::Mails));
            }
            // The warning is never left out for want of a budget.
            let sent = send(step, account, &warning.0, 0).await?;
            let warning = (sent.expect("it has no budget"), warning.1.as_str());
            let tx = &mut step.tx;
            addresses::change_in(tx, account, email, warning, *at_once, now_ms).await.map(Ok)
        }
        Act::Correct { email, letter, token } => correct(step, account, email, letter, token).await,
        Act::Link { was, .. } if *was != account.email => Ok(Err(ActError::Touched)),
        Act::Link { purpose, letter, token, .. } => {
            if send(step, account, letter, MAILS_MAX).await?.is_none() {
                return Ok(Err(ActError::Mails));
            }
            let expires_at_ms = match account.confirmed_at_ms {
                Some(_) => now_ms + mail::LINK_MS,
                None => lapses_at_ms(account),
            };
            keep(step, account, token, *purpose, expires_at_ms).await.map(Ok)
        }
    }
}

/// Whether an address is another one than the present one, which is the one that was seen.
fn is_other(account: &Account, was: &str, email: &str) -> Decided<()> {
    match account.email.as_str() {
        present if present != was => Err(ActError::Touched),
        present if present == email => Err(ActError::Unchanged),
        _ => Ok(()),
    }
}

/// Changes an address that nobody has shown to be theirs.
async fn correct(
    step: &mut StepTx,
    account: &Account,
    email: &str,
    letter: &Draft,
    token: &str,
) -> Result<Decided<()>> {
    let now_ms = step.now_ms();
    if let Err(refused) = is_other(account, &account.email, email) {
        return Ok(Err(refused));
    }
    if accounts::team_of_email(&mut step.tx, email).await?.is_some() {
        return Ok(Err(ActError::AddressTaken));
    }
    if send(step, account, letter, MAILS_MAX).await?.is_none() {
        return Ok(Err(ActError::Mails));
    }
    addresses::set_email_in(&mut step.tx, account.id, email).await?;
    mail::end_tokens_in(&mut step.tx, account.id, now_ms).await?;
    keep(step, account, token, Purpose::Confirm, lapses_at_ms(account)).await.map(Ok)
}

fn lapses_at_ms(account: &Account) -> i64 {
    account.created_at_ms + accounts::UNCONFIRMED_MS
}

async fn keep(
    step: &mut StepTx,
    account: &Account,
    token: &str,
    purpose: Purpose,
    expires_at_ms: i64,
) -> Result<()> {
    let token = Token { token, account_id: account.id, purpose, expires_at_ms };
    mail::keep_tokens(&mut step.tx, &[token]).await
}

/// Queues a mail and returns its id; `None` if its address has had so many in an hour. The mails
/// about each team take turns with those of networks, so that no warning waits behind mails about
/// other teams.
async fn send(
    step: &mut StepTx,
    account: &Account,
    letter: &Draft,
    per_hour_max: u32,
) -> Result<Option<i64>> {
    let team = format!("{:0>width$x}", account.id, width = SHARER_DIGITS);
    let (network, now_ms) = (team.repeat(2), step.now_ms());
    let cause = Cause { kind: Kind::Organizer, network: &network, per_hour_max };
    mail::queue(&mut step.tx, letter, cause, now_ms).await
}

/// Stops the change of an address by the token that the address before was mailed, and records it;
/// `false` if the token is not valid.
pub async fn stop_address(tx: &mut Tx, seal: &Seal, token: &str, now_ms: i64) -> Result<bool> {
    let Some(account) = addresses::stop_in(tx, token, now_ms).await? else { return Ok(false) };
    let new = NewAct {
        actor: "",
        act: "team.address",
        object: &format!("team {}", account.id),
        arguments: &json!({"team": account.name, "stopped": true}),
        reason: "",
        seqs: None,
        undoes: None,
    };
    acts::append(tx, seal, &new, now_ms).await?;
    Ok(true)
}
