//! Join cards: printed secrets with which a team sets its password and logs in, once. The database
//! contains only digests of them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::accounts::{self, Account};
use crate::actions::{self, COMMAND_LINE, NewAction, team_object};
use crate::engine::Tx;
use crate::organizers::Changer;
use crate::{Db, Lock, Result, mail};

/// Name of the action in the audit log.
pub(super) const CARDS: &str = "team.cards";
/// Object of an audit log entry about the cards of several teams.
const SEVERAL: &str = "cards";
/// Expiry time of stored cards: the year 9999. The end of the event, which can change, is checked
/// when a card is used.
const UNTIL_MS: i64 = 253_370_764_800_000;

/// Teams that get a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CardTeams {
    /// All teams except these accounts.
    AllExcept(BTreeSet<i64>),
    /// Confirmed teams with exactly these names.
    Named(BTreeSet<String>),
}

/// Secrets of a card. No `Debug`, because anyone with the token or the code can log in.
pub struct CardSecrets {
    /// Token of the link.
    pub token: String,
    /// Code to type, as printed.
    pub code: String,
    /// MAC of the code and the account.
    pub code_digest: String,
}

/// A new card of a team. No `Debug`, because of its secrets.
pub struct JoinCard {
    /// Name of the team.
    pub team: String,
    /// Secrets of the card.
    pub secrets: CardSecrets,
}

/// Reason for rejecting cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CardError {
    /// The organizer's session has ended, or the role was removed.
    #[error("the session has ended")]
    Ended,
    /// No team has a given name.
    #[error("no team has this name")]
    NoTeam,
    /// A team has not confirmed its address.
    #[error("the team has not confirmed its email address")]
    Unconfirmed,
    /// A team is on the waiting list.
    #[error("the team is on the waiting list")]
    Waits,
}

/// Makes new cards with an audit log entry and returns them by team name. They void earlier cards
/// of their teams. `secrets` generates the secrets of an account's card.
pub async fn make(
    db: &Db,
    by: Changer<'_>,
    teams: &CardTeams,
    reason: &str,
    secrets: impl Fn(i64) -> CardSecrets,
    now_ms: i64,
) -> Result<std::result::Result<Vec<JoinCard>, CardError>> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let (seal, actor) = match by {
        Changer::CommandLine(seal) => (seal, COMMAND_LINE.to_owned()),
        Changer::Organizer(seal, authorization) => {
            match authorization.check(&mut tx, now_ms).await? {
                Ok(organizer) => (seal, organizer.name),
                Err(_) => return Ok(Err(CardError::Ended)),
            }
        }
    };
    let mut accounts = match find(&mut tx, teams, now_ms).await? {
        Ok(accounts) => accounts,
        Err(error) => return Ok(Err(error)),
    };
    if accounts.is_empty() {
        return Ok(Ok(Vec::new()));
    }
    accounts.sort_by_cached_key(|account| (account.name.to_lowercase(), account.id));
    let ids: Vec<i64> = accounts.iter().map(|account| account.id).collect();
    let (objects, arguments) = subject(&accounts);
    let card = |account: Account| JoinCard { secrets: secrets(account.id), team: account.name };
    let cards: Vec<JoinCard> = accounts.into_iter().map(card).collect();
    mail::end_cards_in(&mut tx, &ids).await?;
    let tokens: Vec<(&str, i64)> = cards.iter().zip(ids).flat_map(tokens).collect();
    mail::keep_cards_in(&mut tx, &tokens, UNTIL_MS).await?;
    let new = NewAction {
        actor: &actor,
        action: CARDS,
        objects: &objects,
        restore: None,
        arguments: &arguments,
        reason,
        seqs: None,
        undoes: None,
    };
    let last = actions::last_in(&mut tx).await?;
    actions::append(&mut tx, seal, &new, &last, now_ms).await?;
    tx.commit().await?;
    Ok(Ok(cards))
}

/// The accounts of teams that get a card, all or none.
async fn find(
    tx: &mut Tx,
    teams: &CardTeams,
    now_ms: i64,
) -> Result<std::result::Result<Vec<Account>, CardError>> {
    let names = match teams {
        CardTeams::AllExcept(ids) => {
            let all = accounts::teams_in(tx).await?;
            let has_card = |it: &Account| !ids.contains(&it.id) && !it.email.is_empty();
            return Ok(Ok(all.into_iter().filter(has_card).collect()));
        }
        CardTeams::Named(names) => names,
    };
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        match accounts::named_in(tx, name).await?.filter(|it| !it.has_lapsed(now_ms)) {
            None => return Ok(Err(CardError::NoTeam)),
            // The team was erased.
            Some(account) if account.email.is_empty() => return Ok(Err(CardError::NoTeam)),
            Some(account) if account.confirmed_at_ms.is_none() => {
                return Ok(Err(CardError::Unconfirmed));
            }
            Some(account) if account.waits() => return Ok(Err(CardError::Waits)),
            Some(account) => found.push(account),
        }
    }
    Ok(Ok(found))
}

/// Objects and arguments of the audit log entry: the team, or the number of teams.
fn subject(accounts: &[Account]) -> (Vec<String>, Value) {
    match accounts {
        [account] => (vec![team_object(account.id)], json!({"team": account.name})),
        accounts => (vec![SEVERAL.to_owned()], json!({"teams": accounts.len()})),
    }
}

/// The tokens of a card that are stored, with its account.
fn tokens((card, account_id): (&JoinCard, i64)) -> [(&str, i64); 2] {
    let CardSecrets { token, code_digest, .. } = &card.secrets;
    [(token, account_id), (code_digest, account_id)]
}
