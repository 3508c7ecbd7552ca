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
use crate::addresses::{self, Seen};
use crate::mail::{self, Cause, Draft, Kind, Purpose, SHARER_DIGITS, Token};
use crate::organizers::{Organizer, Role, Standing};
use crate::{Result, sessions};

/// How long a code is valid that an organizer tells a team, in milliseconds.
pub const CODE_MS: i64 = 3_600_000;
/// Most mails to one address in an hour that organizers cause.
const MAILS_MAX: u32 = 10;

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
    /// Ends its sessions.
    EndSessions,
    /// Changes its address.
    Address {
        /// The account as it was read when the mails were written.
        was: Seen,
        /// The new address.
        email: String,
        /// To the address that can stop the change, with the token that does.
        warning: (Draft, String),
        /// To the new address of a confirmed team.
        notice: Draft,
        /// To the new address of a team that is not confirmed, with the token that confirms it.
        welcome: (Draft, String),
    },
    /// Mails it a link.
    Link {
        /// The account as it was read when the mail was written.
        was: Seen,
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

/// What an organizer wants done.
#[derive(Clone)]
pub struct Order {
    /// Who.
    pub by: By,
    /// What.
    pub what: What,
    /// Why.
    pub reason: String,
}

/// What an organizer wants done.
#[derive(Clone)]
pub enum What {
    /// An act.
    Do {
        /// The exact name of the team.
        team: String,
        /// What to do with it.
        act: Act,
        /// The last act about the team when it was looked at.
        head: Option<i64>,
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
    /// So many mails went to the address in an hour.
    #[error("many mails went to the address")]
    Mails,
    /// What was done does not come back.
    #[error("what was done does not come back")]
    NoUndo,
}

/// An act that is done.
#[derive(Clone)]
pub struct Acted {
    /// Its id.
    pub id: i64,
    /// The contest before it.
    pub before: Contest,
    /// The contest after it.
    pub after: Contest,
}

impl PartialEq for Acted {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Acted {}

impl std::fmt::Debug for Acted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Acted").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Act {
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
            Self::Address { .. } => "team.address",
            Self::Link { purpose: Purpose::Confirm, .. } => "team.resend",
            Self::Link { .. } => "team.reset",
            Self::Code { .. } => "team.code",
        }
    }

    /// What is recorded of it, without addresses and secrets.
    fn arguments(&self, team: &str) -> Value {
        match self {
            Self::Change(TeamChange::Award { points, .. }) => {
                json!({"team": team, "points": points})
            }
            Self::Withdraw { challenge } => json!({"team": team, "challenge": challenge}),
            _ => json!({"team": team}),
        }
    }

    /// Whether it can be taken back.
    pub fn has_undo(name: &str) -> bool {
        ["team.ban", "team.unban", "team.hide", "team.show", "team.award"].contains(&name)
    }

    /// The fact that it records, unless it changes nothing; `None` for acts without one.
    fn fact(&self, contest: &Contest, team: TeamId) -> std::result::Result<Option<Fact>, ActError> {
        match self {
            Self::Change(change) => {
                let fact = teams::fact_of(contest, team, change).map_err(|error| match error {
                    TeamError::NoTeam => ActError::NoTeam,
                    TeamError::PointsOutOfRange | TeamError::TotalOutOfRange => ActError::Points,
                })?;
                fact.map(Some).ok_or(ActError::Unchanged)
            }
            Self::Withdraw { challenge } => {
                let fact = Fact::SolveWithdrawn { team, challenge: challenge.clone() };
                Ok(Some(fact))
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
    team: &str,
    act: &Act,
    now_ms: i64,
) -> std::result::Result<Contest, ActError> {
    let mut after = contest.clone();
    let Some(id) = contest.team_named(team).map(|team| team.id) else { return Ok(after) };
    let Some(fact) = act.fact(contest, id)? else { return Ok(after) };
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

pub(super) async fn act(
    step: &mut StepTx,
    order: &Order,
) -> Result<std::result::Result<Acted, ActError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let Ok(organizer) = order.by.standing().check(&mut step.tx, now_ms).await? else {
        return Ok(Err(ActError::Ended));
    };
    let before = step.contest().clone();
    let done = match &order.what {
        What::Do { team, act, head } => perform(step, &organizer, team, act, *head).await?,
        What::Undo { id } => undo(step, &organizer, *id).await?,
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
    let id = acts::append(&mut step.tx, &step.seal.clone(), &new, now_ms).await?;
    Ok(Ok(Acted { id, before, after }))
}

type Performed = Result<std::result::Result<Done, ActError>>;

async fn perform(
    step: &mut StepTx,
    organizer: &Organizer,
    team: &str,
    act: &Act,
    head: Option<i64>,
) -> Performed {
    let Some(account) = accounts::named_in(&mut step.tx, team).await? else {
        return Ok(Err(ActError::NoTeam));
    };
    let object = format!("team {}", account.id);
    if let Some(head) = head {
        let last = acts::last_of_in(&mut step.tx, &object).await?;
        if last.map_or(0, |last| last.id) != head {
            return Ok(Err(ActError::Touched));
        }
    }
    let arguments = act.arguments(team);
    if let Err(refused) = apply(step, organizer, &account, act).await? {
        return Ok(Err(refused));
    }
    Ok(Ok(Done { name: act.name(), object, arguments, undoes: None }))
}

/// Takes an act back, unless a later one about the same team stands.
async fn undo(step: &mut StepTx, organizer: &Organizer, id: i64) -> Performed {
    let Some(record) = acts::by_id_in(&mut step.tx, id).await? else {
        return Ok(Err(ActError::NoAct));
    };
    if acts::undone_by_in(&mut step.tx, id).await?.is_some() {
        return Ok(Err(ActError::Unchanged));
    }
    let Some((team, act)) = inverse(step.contest(), &record) else {
        return Ok(Err(ActError::NoUndo));
    };
    if acts::last_standing_in(&mut step.tx, &record.object).await? != Some(id) {
        return Ok(Err(ActError::Touched));
    }
    let name = step.contest().team(team).map(|team| team.name.to_string()).unwrap_or_default();
    let Some(account) = accounts::by_id_in(&mut step.tx, team.0).await? else {
        return Ok(Err(ActError::NoTeam));
    };
    if let Err(refused) = apply(step, organizer, &account, &act).await? {
        return Ok(Err(refused));
    }
    let arguments = act.arguments(&name);
    Ok(Ok(Done { name: act.name(), object: record.object, arguments, undoes: Some(id) }))
}

/// What puts back what an act changed; `None` if nothing does.
fn inverse(contest: &Contest, record: &Record) -> Option<(TeamId, Act)> {
    if record.undoes.is_some() {
        return None;
    }
    let team = TeamId(record.object.strip_prefix("team ")?.parse().ok()?);
    contest.team(team)?;
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
    Some((team, Act::Change(change)))
}

async fn apply(
    step: &mut StepTx,
    organizer: &Organizer,
    account: &Account,
    act: &Act,
) -> Result<std::result::Result<(), ActError>> {
    let (team, now_ms) = (TeamId(account.id), step.now_ms());
    let is_confirmed = account.confirmed_at_ms.is_some();
    match act {
        Act::Change(_) | Act::Withdraw { .. } if !is_confirmed => Ok(Err(ActError::Standing)),
        Act::Change(change) => {
            let fact = match act.fact(step.contest(), team) {
                Ok(fact) => fact,
                Err(refused) => return Ok(Err(refused)),
            };
            if *change == TeamChange::Ban {
                sessions::revoke_all_in(&mut step.tx, team.0, now_ms).await?;
            }
            fact.map_or(Ok(()), |fact| step.append(now_ms, fact))?;
            Ok(Ok(()))
        }
        Act::Withdraw { challenge } => {
            let done = teams::withdraw(step, &account.name, challenge).await?;
            Ok(done.map_err(|_| ActError::NotSolved))
        }
        Act::Confirm if is_confirmed => Ok(Err(ActError::Unchanged)),
        Act::Confirm => join(step, account.clone()).await.map(Ok),
        Act::EndSessions => {
            sessions::revoke_all_in(&mut step.tx, team.0, now_ms).await?;
            Ok(Ok(()))
        }
        Act::Address { was, .. } | Act::Link { was, .. } => {
            if *was != addresses::seen_in(&mut step.tx, account).await? {
                return Ok(Err(ActError::Touched));
            }
            let is_trusted = organizer.is(Role::Organizer) || organizer.is(Role::Owner);
            mail_act(step, account, act, is_trusted).await
        }
        Act::Code { .. } if !is_confirmed => Ok(Err(ActError::Standing)),
        Act::Code { token } => {
            let (purpose, expires_at_ms) = (Purpose::Reset, now_ms + CODE_MS);
            keep(step, account, token, purpose, expires_at_ms).await.map(Ok)
        }
    }
}

/// Changes an address or mails a link.
async fn mail_act(
    step: &mut StepTx,
    account: &Account,
    act: &Act,
    is_trusted: bool,
) -> Result<std::result::Result<(), ActError>> {
    let (now_ms, is_confirmed) = (step.now_ms(), account.confirmed_at_ms.is_some());
    let lapses_at_ms = account.created_at_ms + accounts::UNCONFIRMED_MS;
    match act {
        Act::Address { email, warning, notice, .. } if is_confirmed => {
            let expires_at_ms = now_ms + addresses::STOP_MS;
            addresses::change_in(&mut step.tx, account, email, is_trusted, now_ms).await?;
            keep(step, account, &warning.1, Purpose::Stop, expires_at_ms).await?;
            // The warning is never left out for want of a budget.
            send(step, &warning.0, 0, now_ms).await?;
            send(step, notice, MAILS_MAX, now_ms).await?;
            Ok(Ok(()))
        }
        Act::Address { email, welcome, .. } => {
            if !send(step, &welcome.0, MAILS_MAX, now_ms).await? {
                return Ok(Err(ActError::Mails));
            }
            // Nobody has shown that the address before is theirs.
            addresses::set_email_in(&mut step.tx, account.id, email).await?;
            mail::end_tokens_in(&mut step.tx, account.id, now_ms).await?;
            keep(step, account, &welcome.1, Purpose::Confirm, lapses_at_ms).await.map(Ok)
        }
        Act::Link { purpose, letter, token, .. } => {
            if (*purpose == Purpose::Confirm) == is_confirmed {
                return Ok(Err(ActError::Standing));
            }
            let expires_at_ms = if is_confirmed { now_ms + mail::LINK_MS } else { lapses_at_ms };
            if !send(step, letter, MAILS_MAX, now_ms).await? {
                return Ok(Err(ActError::Mails));
            }
            keep(step, account, token, *purpose, expires_at_ms).await.map(Ok)
        }
        _ => Ok(Ok(())),
    }
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

/// Queues a mail; `false` if its address has had so many in an hour.
async fn send(step: &mut StepTx, letter: &Draft, per_hour_max: u32, now_ms: i64) -> Result<bool> {
    // All organizers share mails as one network does.
    let network = "0".repeat(2 * SHARER_DIGITS);
    let cause = Cause { kind: Kind::Organizer, network: &network, per_hour_max };
    mail::queue(&mut step.tx, letter, cause, now_ms).await
}
