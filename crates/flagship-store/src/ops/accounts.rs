//! Signups and confirmations: an account becomes a team of the journal.

use flagship_game::{TeamId, facts};

use super::step::StepTx;
use crate::Result;
use crate::accounts::{self, Account, NewAccount, Signup};
use crate::mail::{Purpose, use_token};

/// Error returned when a confirmation is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfirmError {
    /// The token is used, expired or invalid.
    #[error("the token is not good")]
    BadToken,
    /// Another team confirmed the address first.
    #[error("the address has a team already")]
    AddressTaken,
}

/// Creates an account that needs no confirmation.
pub(super) async fn sign_up(step: &mut StepTx, new: &NewAccount, network: &str) -> Result<Signup> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    if accounts::is_address_full(&mut step.tx, &new.email).await? {
        return Ok(Signup::AddressFull);
    }
    let signed_up = accounts::sign_up(&mut step.tx, new, network, now_ms).await?;
    if let Signup::Created(id) = signed_up {
        let account = accounts::by_id_in(&mut step.tx, id).await?;
        join(step, account.expect("the account was made above")).await?;
    }
    Ok(signed_up)
}

/// Confirms the account of an emailed token. The first confirmed account keeps the address.
pub(super) async fn confirm(
    step: &mut StepTx,
    token: &str,
) -> Result<std::result::Result<TeamId, ConfirmError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let tx = &mut step.tx;
    let bad_token = Ok(Err(ConfirmError::BadToken));
    let Some(id) = use_token(tx, token, Purpose::Confirm, now_ms).await? else { return bad_token };
    let Some(account) = accounts::by_id_in(tx, id).await? else { return bad_token };
    if accounts::team_of_email(tx, &account.email).await?.is_some() {
        return Ok(Err(ConfirmError::AddressTaken));
    }
    join(step, account).await?;
    Ok(Ok(TeamId(id)))
}

/// Confirms an account and records its team, unless it is already confirmed.
pub(super) async fn join(step: &mut StepTx, account: Account) -> Result<()> {
    if account.confirmed_at_ms.is_none() {
        let now_ms = step.now_ms();
        accounts::confirm_in(&mut step.tx, account.id, now_ms).await?;
        let (name, country) = (account.name, account.country);
        step.append(
            now_ms,
            facts::Team { team: TeamId(account.id), name, country, hidden: false },
        )?;
    }
    Ok(())
}
