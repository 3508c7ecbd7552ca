//! Signups: an account with its code, its answers and its place.

pub mod waiting_list;

use self::waiting_list::Admission;
use crate::Result;
use crate::accounts::{NewAccount, insert, is_taken, signup_codes};
use crate::desk::signup_answers::{self, Answer};
use crate::engine::{Tx, run};

/// Data of a signup besides the account.
#[derive(Clone, Default)]
pub struct SignupDetails {
    /// Digest of the client's network.
    pub network: String,
    /// Signup code, without hyphens.
    pub code: Option<String>,
    /// Answers to the questions of the form.
    pub answers: Vec<Answer>,
}

/// The result of a signup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    /// The account was created with this id.
    Created(i64),
    /// The account was created with this id, on the waiting list.
    Waiting(i64),
    /// The signup code is unknown, used up or revoked.
    CodeInvalid,
    /// The name or a look-alike is taken.
    NameTaken,
    /// The address already has [`TEAMS_PER_ADDRESS_MAX`](crate::accounts::TEAMS_PER_ADDRESS_MAX)
    /// teams.
    AddressFull,
    /// The event has no place left, and no waiting list.
    Full,
}

impl Signup {
    /// The id of the account, if it was created.
    pub fn account_id(self) -> Option<i64> {
        match self {
            Self::Created(id) | Self::Waiting(id) => Some(id),
            Self::CodeInvalid | Self::NameTaken | Self::AddressFull | Self::Full => None,
        }
    }
}

/// Creates an unconfirmed account, in a transaction that holds the accounts lock and in which
/// `admission` was decided. Several unconfirmed accounts can have the same address; the first to be
/// confirmed keeps it.
pub async fn sign_up(
    tx: &mut Tx,
    new: &NewAccount,
    details: &SignupDetails,
    admission: Admission,
    now_ms: i64,
) -> Result<Signup> {
    let SignupDetails { network, code, answers } = details;
    if let Some(code) = code
        && !signup_codes::is_valid_in(tx, code, now_ms).await?
    {
        return Ok(Signup::CodeInvalid);
    }
    let keys = new.name.keys();
    if is_taken(tx, &keys, now_ms).await? {
        return Ok(Signup::NameTaken);
    }
    if admission == Admission::Full {
        return Ok(Signup::Full);
    }
    let waiting_since_ms = (admission == Admission::Waits).then_some(now_ms);
    let id = insert(tx, new, &keys, now_ms, None).await?;
    let sql = "update accounts set network = $2, signup_code = $3, waiting_since_ms = $4, \
               signup_number = (select coalesce(max(signup_number), 0) + 1 from accounts) \
               where id = $1";
    run!(tx => query(sql, id, network, code, waiting_since_ms).execute);
    signup_answers::add_in(tx, id, answers).await?;
    Ok(match waiting_since_ms {
        Some(_) => Signup::Waiting(id),
        None => Signup::Created(id),
    })
}
