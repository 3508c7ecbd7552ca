//! Signups, confirmations and admissions from the waiting list: an account becomes a team of the
//! journal.

use flagship_game::{TeamId, facts};

use super::step::StepTx;
use crate::accounts::{self, Account, NewAccount};
use crate::desk::divisions;
use crate::mail::{Cause, Draft, Kind, Purpose, SHARER_DIGITS, queue, use_token};
use crate::signups::waiting_list::{self, Admission, Capacity};
use crate::signups::{self, Signup, SignupDetails};
use crate::{Result, Tx};

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

/// A confirmed account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The team.
    pub team: TeamId,
    /// True if the team waits for a place, and cannot log in yet.
    pub waits: bool,
}

/// The email to a waiting team that gets a place. No `Debug`, because of the address.
#[derive(Clone)]
pub struct AdmissionMail {
    /// The account.
    pub account_id: i64,
    /// The email.
    pub draft: Draft,
}

/// Creates an account that needs no confirmation.
pub(super) async fn sign_up(
    step: &mut StepTx,
    new: &NewAccount,
    details: &SignupDetails,
    capacity: Capacity,
) -> Result<Signup> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let contest = step.contest().clone();
    let tx = &mut step.tx;
    let admission = waiting_list::admission_in(tx, capacity, &contest, now_ms).await?;
    // A full event gives all addresses one answer.
    if admission != Admission::Full && accounts::is_address_full(tx, &new.email).await? {
        return Ok(Signup::AddressFull);
    }
    let signed_up = signups::sign_up(tx, new, details, admission, now_ms).await?;
    if let Some(id) = signed_up.account_id() {
        let account = accounts::by_id_in(&mut step.tx, id).await?;
        join(step, account.expect("the account was made above")).await?;
    }
    Ok(signed_up)
}

/// Confirms the account of an emailed token. The first confirmed account keeps the address. A
/// waiting account joins if it is its turn.
pub(super) async fn confirm(
    step: &mut StepTx,
    token: &str,
    capacity: Capacity,
) -> Result<std::result::Result<Confirmation, ConfirmError>> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let contest = step.contest().clone();
    let tx = &mut step.tx;
    let bad_token = Ok(Err(ConfirmError::BadToken));
    let Some(id) = use_token(tx, token, Purpose::Confirm, now_ms).await? else { return bad_token };
    waiting_list::end_late_holds_in(tx, now_ms).await?;
    let Some(account) = accounts::by_id_in(tx, id).await? else { return bad_token };
    if accounts::team_of_email(tx, &account.email).await?.is_some() {
        return Ok(Err(ConfirmError::AddressTaken));
    }
    let mut waits = account.waits();
    join(step, account.clone()).await?;
    if waits {
        // From now on, signups that are not confirmed hold their places only for an hour.
        let tx = &mut step.tx;
        waiting_list::end_late_holds_in(tx, now_ms).await?;
        if waiting_list::is_next_in(tx, &account, capacity, &contest, now_ms).await? {
            enter(step, account).await?;
            waits = false;
        }
    }
    Ok(Ok(Confirmation { team: TeamId(id), waits }))
}

/// Gives free places to the waiting teams that are next and have an email in `mails`, in the order
/// of their signups. Returns their number.
pub(super) async fn admit(
    step: &mut StepTx,
    capacity: Capacity,
    mails: &[AdmissionMail],
) -> Result<usize> {
    step.tx.also_lock_accounts().await?;
    let now_ms = step.now_ms();
    let contest = step.contest().clone();
    waiting_list::end_late_holds_in(&mut step.tx, now_ms).await?;
    let tx = &mut step.tx;
    let count_max = mails.len() as i64;
    let next = waiting_list::next_in(tx, capacity, &contest, count_max, now_ms).await?;
    let mut admitted = 0;
    for account in next {
        let mail = mails.iter().find(|mail| mail.account_id == account.id);
        // A team that signed up earlier has just confirmed. The caller writes its email first.
        let Some(mail) = mail.filter(|mail| mail.draft.address == account.email) else { break };
        enter(step, account).await?;
        send(&mut step.tx, mail, now_ms).await?;
        admitted += 1;
    }
    Ok(admitted)
}

/// Queues the email about a place, without a limit: a team gets it once.
async fn send(tx: &mut Tx, mail: &AdmissionMail, now_ms: i64) -> Result<()> {
    let AdmissionMail { account_id, draft } = mail;
    // Each team counts as a separate network, so that no email waits behind the others.
    let network = format!("{account_id:0>SHARER_DIGITS$x}").repeat(2);
    let account_id = Some(*account_id);
    let cause = Cause { kind: Kind::Place, network: &network, per_hour_max: 0, account_id };
    queue(tx, draft, cause, now_ms).await?;
    Ok(())
}

/// Confirms an account and records its team, unless it is already confirmed. A waiting account is
/// only confirmed.
pub(super) async fn join(step: &mut StepTx, account: Account) -> Result<()> {
    if account.confirmed_at_ms.is_none() {
        let now_ms = step.now_ms();
        accounts::confirm_in(&mut step.tx, account.id, now_ms).await?;
        let seal = step.seal.clone();
        divisions::leave_other_domains_in(&mut step.tx, &seal, &account).await?;
        if !account.waits() {
            record(step, account).await?;
        }
    }
    Ok(())
}

/// Takes a confirmed account off the waiting list and records its team.
pub(super) async fn enter(step: &mut StepTx, account: Account) -> Result<()> {
    waiting_list::leave_in(&mut step.tx, account.id).await?;
    record(step, account).await
}

async fn record(step: &mut StepTx, account: Account) -> Result<()> {
    let team = TeamId(account.id);
    let seal = step.seal.clone();
    let divisions = divisions::public_in(&mut step.tx, &seal, account.id).await?;
    let (name, country) = (account.name, account.country);
    step.append(step.now_ms(), facts::Team { team, name, country, hidden: false, divisions })
}
