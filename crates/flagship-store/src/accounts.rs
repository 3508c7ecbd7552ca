//! Team accounts. Each confirmed account has a team with the same id in the journal.

use std::collections::BTreeSet;

use flagship_game::{DivisionId, TeamKey, TeamName, name};

use crate::engine::{Tx, insert, run};
use crate::key::token_hash;
use crate::sessions::{Session, SessionOrigin};
use crate::{Db, Lock, Result, mail, sessions};

pub mod memberships;
pub mod signup_codes;

/// Lifetime of an unconfirmed account, in milliseconds.
pub const UNCONFIRMED_MS: i64 = 24 * 3_600_000;
/// Maximum teams per email address, for events without address confirmation and for imports in the
/// console. One email can contain a reset link for each of them.
pub const TEAMS_PER_ADDRESS_MAX: i64 = 20;
/// Maximum teams whose links fit into one email. `flagship team import` does not limit the teams
/// per address.
pub const TEAMS_PER_MAIL_MAX: i64 = 100;
/// Maximum unconfirmed accounts whose links fit into one email. The limit is low because anyone can
/// create unconfirmed accounts.
pub const WAITING_PER_MAIL_MAX: i64 = 5;
/// Maximum accounts deleted per transaction. Many accounts can expire at once, and other writers
/// wait for the transaction.
const LAPSED_MAX: i64 = 100;

/// Version of the name keys. Must increase with each change of `name::keys`, including its tables.
const KEYS_FORM: i64 = 3;
const INSERT_KEY: &str = "insert into names (name_key, account_id) values ($1, $2)";
/// Maximum rows per insert of keys.
const INSERT_ROWS_MAX: usize = 500;

/// A new account.
#[derive(Clone)]
pub struct NewAccount {
    /// The team's name.
    pub name: TeamName,
    /// The email address. Stored in lower case, so that addresses that differ only in case are the
    /// same.
    pub email: String,
    /// Two-letter country code.
    pub country: String,
    /// Password hash as a PHC string. Without one, the team must set a password through an emailed
    /// link.
    pub password_hash: Option<String>,
    /// True if the team declared that all members are students.
    pub student: bool,
    /// Divisions of the team.
    pub divisions: Vec<DivisionId>,
    /// Language code for emails; `None` if the team did not choose one.
    pub language: Option<String>,
}

/// A stored account. No `Debug`, because it contains an address and a hash.
#[derive(Clone, sqlx::FromRow)]
pub struct Account {
    /// The id of the account, and of its team in the journal.
    pub id: i64,
    /// The team's name.
    pub name: String,
    /// The email address.
    pub email: String,
    /// Two-letter country code.
    pub country: String,
    /// Password hash as a PHC string.
    pub password_hash: Option<String>,
    /// True if the team declared that all members are students.
    pub student: bool,
    /// Time of the signup, in epoch milliseconds.
    pub created_at_ms: i64,
    /// Time at which the address was confirmed, in epoch milliseconds.
    pub confirmed_at_ms: Option<i64>,
    /// Language code for emails; `None` if the team did not choose one.
    pub language: Option<String>,
    /// Position in the order of signups; `None` for imported teams.
    pub signup_number: Option<i64>,
    /// Time at which the account was put on the waiting list, in epoch milliseconds.
    pub waiting_since_ms: Option<i64>,
}

impl Account {
    /// True if the account is on the waiting list, confirmed or not.
    pub fn waits(&self) -> bool {
        self.waiting_since_ms.is_some()
    }

    /// True if the account has a team in the journal.
    pub fn has_team(&self) -> bool {
        self.confirmed_at_ms.is_some() && !self.waits()
    }

    /// True if the account was not confirmed in time. It will be deleted.
    pub fn has_lapsed(&self, now_ms: i64) -> bool {
        self.confirmed_at_ms.is_none() && self.created_at_ms + UNCONFIRMED_MS <= now_ms
    }
}

const COLUMNS: &str = "select id, name, email, country, password_hash, student, created_at_ms, \
                       confirmed_at_ms, language, signup_number, waiting_since_ms from accounts";

/// Inserts an account whose name has these keys.
pub async fn insert(
    tx: &mut Tx,
    new: &NewAccount,
    keys: &BTreeSet<TeamKey>,
    now_ms: i64,
    confirmed_at_ms: Option<i64>,
) -> Result<i64> {
    let id = rand::random_range(1..i64::MAX);
    let sql = "insert into accounts (id, name, email, country, password_hash, student, \
               created_at_ms, confirmed_at_ms, keys_form, language) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    run!(tx => query(sql, id, new.name.as_str(), new.email.to_lowercase(), &new.country,
        &new.password_hash, new.student, now_ms, confirmed_at_ms, KEYS_FORM, &new.language)
        .execute);
    for key in keys {
        run!(tx => query(INSERT_KEY, key.as_str(), id).execute);
    }
    memberships::add_in(tx, id, &new.divisions).await?;
    Ok(id)
}

/// True if a name with these keys is taken. Frees the name first if its account has expired.
pub async fn is_taken(tx: &mut Tx, keys: &BTreeSet<TeamKey>, now_ms: i64) -> Result<bool> {
    free_lapsed(tx, keys, now_ms).await?;
    for key in keys {
        let sql = "select name_key from names where name_key = $1";
        let found: Option<String> = run!(tx => query_scalar(sql, key.as_str()).fetch_optional);
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds keys of the current version to names that an older version stored. If two teams have the
/// same key, it goes to the team that already owns it, otherwise to the team that signed up first.
/// Both teams keep their names.
pub(crate) async fn complete_keys(db: &Db) -> Result<()> {
    if incomplete(&mut db.snapshot().await?).await?.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    // Read again under the lock: another node may have added keys or deleted accounts.
    let names = incomplete(&mut tx).await?;
    let keys_of = |(id, name): &(i64, String)| {
        let id = *id;
        name::keys(name).into_iter().map(move |key| (key, id))
    };
    let rows: Vec<(TeamKey, i64)> = names.iter().flat_map(keys_of).collect();
    for rows in rows.chunks(INSERT_ROWS_MAX) {
        let sql = "insert into names (name_key, account_id) ";
        insert!(&mut tx => sql, rows, |(key, id)| (key.as_str(), *id), " on conflict do nothing");
    }
    let sql = "update accounts set keys_form = $1 where keys_form < $1";
    run!(&mut tx => query(sql, KEYS_FORM).execute);
    tx.commit().await
}

/// Ids and names of accounts that may lack keys, oldest first.
async fn incomplete(tx: &mut Tx) -> Result<Vec<(i64, String)>> {
    let sql = "select id, name from accounts where keys_form < $1 order by created_at_ms, id";
    Ok(run!(tx => query_as(sql, KEYS_FORM).fetch_all))
}

/// Finds the account for an entered name with these keys: the account with exactly this name,
/// otherwise the only account with a look-alike name.
pub async fn by_name(db: &Db, typed: &str, keys: &BTreeSet<TeamKey>) -> Result<Option<Account>> {
    // Normalized but not parsed, so that teams whose names predate a naming rule can still log in.
    // No name contains NUL, and PostgreSQL rejects text with NUL.
    let name = name::normalize(typed).filter(|name| !name.contains('\0'));
    let Some(name) = name else { return Ok(None) };
    let sql = format!("{COLUMNS} where id in (select account_id from names where name_key = $1)");
    let mut conn = db.read().await?;
    let mut found: Vec<Account> = Vec::new();
    for key in keys {
        let sql = sqlx::AssertSqlSafe(sql.as_str());
        let more: Option<Account> = run!(&mut conn => query_as(sql, key.as_str()).fetch_optional);
        found.extend(more.filter(|more| found.iter().all(|known| known.id != more.id)));
    }
    let exact = found.iter().position(|account| account.name == name);
    Ok(match (exact, found.len()) {
        (Some(place), _) => Some(found.swap_remove(place)),
        (None, 1) => found.pop(),
        _ => None,
    })
}

/// The accounts with an email address.
pub struct AddressAccounts {
    /// Confirmed accounts, oldest first.
    pub teams: Vec<Account>,
    /// Unconfirmed accounts: those from the client's network first, then the others, each oldest
    /// first.
    pub waiting: Vec<Account>,
}

/// Returns at most [`TEAMS_PER_MAIL_MAX`] confirmed and [`WAITING_PER_MAIL_MAX`] unconfirmed
/// accounts with an address. `network` is the digest of the client's network.
pub async fn for_address(
    tx: &mut Tx,
    email: &str,
    network: &str,
    now_ms: i64,
) -> Result<AddressAccounts> {
    let (email, lapsed_ms) = (email.to_lowercase(), now_ms - UNCONFIRMED_MS);
    let of_email = |is_confirmed, rest| {
        sqlx::AssertSqlSafe(format!(
            "{COLUMNS} where email = $1 and confirmed_at_ms {is_confirmed} {rest}"
        ))
    };
    let oldest = "and created_at_ms > $2 order by created_at_ms, id limit $3";
    let of_network = format!("and substr(network, 33) = substr($4, 33) {oldest}");
    // Confirmed accounts never expire.
    let teams = run!(tx => query_as(of_email("is not null", oldest), &email, i64::MIN,
        TEAMS_PER_MAIL_MAX).fetch_all);
    let mut waiting: Vec<Account> = run!(tx => query_as(of_email("is null", &of_network), &email,
        lapsed_ms, WAITING_PER_MAIL_MAX, network).fetch_all);
    let others: Vec<Account> = run!(tx => query_as(of_email("is null", oldest), &email, lapsed_ms,
        WAITING_PER_MAIL_MAX).fetch_all);
    let own: BTreeSet<i64> = waiting.iter().map(|account| account.id).collect();
    waiting.extend(others.into_iter().filter(|account| !own.contains(&account.id)));
    waiting.truncate(WAITING_PER_MAIL_MAX as usize);
    Ok(AddressAccounts { teams, waiting })
}

/// True if a confirmed team has this address.
pub async fn has_address(db: &Db, email: &str) -> Result<bool> {
    Ok(team_of_email(&mut db.snapshot().await?, email).await?.is_some())
}

/// The team named in an email to an address.
#[derive(sqlx::FromRow)]
pub struct TeamOfEmail {
    /// The team's name.
    pub name: String,
    /// Language code for emails.
    pub language: Option<String>,
}

/// The oldest team with a confirmed address.
pub async fn team_of_email(tx: &mut Tx, email: &str) -> Result<Option<TeamOfEmail>> {
    let sql = "select name, language from accounts \
               where email = $1 and confirmed_at_ms is not null \
               order by created_at_ms, id limit 1";
    Ok(run!(tx => query_as(sql, email.to_lowercase()).fetch_optional))
}

/// Sets the email language of an account if none is set, in a transaction that holds the accounts
/// lock. An existing language is kept: an intruder with the password must not choose the language
/// of the owner's warnings.
pub async fn set_mail_language_in(
    tx: &mut Tx,
    account: &Account,
    language: Option<&str>,
) -> Result<()> {
    if language.is_some() && account.language.is_none() {
        let sql = "update accounts set language = $2 where id = $1";
        run!(tx => query(sql, account.id, language).execute);
    }
    Ok(())
}

pub(crate) async fn is_address_full(tx: &mut Tx, email: &str) -> Result<bool> {
    let sql = "select count(*) from accounts where email = $1 and confirmed_at_ms is not null";
    let count: i64 = run!(tx => query_scalar(sql, email.to_lowercase()).fetch_one);
    Ok(count >= TEAMS_PER_ADDRESS_MAX)
}

/// Finds the account of an emailed token that is valid for `purpose`. Does not use up the token.
pub async fn by_token(
    db: &Db,
    token: &str,
    purpose: mail::Purpose,
    now_ms: i64,
) -> Result<Option<Account>> {
    by_token_of(db, token, purpose.as_str(), now_ms).await
}

/// Finds the account of a token of a join card that is unused and not void.
pub async fn by_card(db: &Db, token: &str, now_ms: i64) -> Result<Option<Account>> {
    by_token_of(db, token, mail::CARD, now_ms).await
}

async fn by_token_of(db: &Db, token: &str, purpose: &str, now_ms: i64) -> Result<Option<Account>> {
    let sql = format!(
        "{COLUMNS} where id in (select account_id from mail_tokens where token_hash = $1 \
         and purpose = $2 and used_at_ms is null and expires_at_ms > $3)"
    );
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(run!(db.read() => query_as(sql, token_hash(token), purpose, now_ms).fetch_optional))
}

/// All confirmed accounts.
pub async fn confirmed(db: &Db) -> Result<Vec<Account>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where confirmed_at_ms is not null").fetch_all))
}

/// All accounts that have a team in the journal, within a transaction.
pub(crate) async fn teams_in(tx: &mut Tx) -> Result<Vec<Account>> {
    Ok(run!(tx => query_as(
        COLUMNS + " where confirmed_at_ms is not null and waiting_since_ms is null"
    ).fetch_all))
}

/// Confirmed accounts on the waiting list, in the order of their signups, at most `count_max`.
pub(crate) async fn waiting_in(tx: &mut Tx, count_max: i64) -> Result<Vec<Account>> {
    let sql = format!(
        "{COLUMNS} where waiting_since_ms is not null and confirmed_at_ms is not null \
         order by coalesce(signup_number, 0), created_at_ms, id limit $1"
    );
    Ok(run!(tx => query_as(sqlx::AssertSqlSafe(sql.as_str()), count_max).fetch_all))
}

/// All confirmed accounts on the waiting list, in the order of their signups.
pub async fn waiting(db: &Db) -> Result<Vec<Account>> {
    waiting_in(&mut db.snapshot().await?, i64::MAX).await
}

/// All unconfirmed accounts.
pub async fn unconfirmed(db: &Db) -> Result<Vec<Account>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where confirmed_at_ms is null").fetch_all))
}

/// A name key and the account that owns it.
#[derive(sqlx::FromRow)]
pub struct ReservedName {
    /// The key.
    pub name_key: String,
    /// The current name of the account. The key can belong to a former name.
    pub name: String,
    /// Time at which the address was confirmed, in epoch milliseconds.
    pub confirmed_at_ms: Option<i64>,
    /// The email address of the account.
    pub email: String,
}

/// The keys of all names that are unavailable to other teams at `now_ms`.
pub async fn reserved_names(db: &Db, now_ms: i64) -> Result<Vec<ReservedName>> {
    let sql = "select name_key, name, confirmed_at_ms, email from names \
               join accounts on accounts.id = names.account_id \
               where confirmed_at_ms is not null or created_at_ms > $1 \
               order by created_at_ms, id, name_key";
    Ok(run!(db.read() => query_as(sql, now_ms - UNCONFIRMED_MS).fetch_all))
}

/// The account with an id.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Account>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// Like [`by_id`], within a transaction or a snapshot.
pub async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Account>> {
    Ok(run!(tx => query_as(COLUMNS + " where id = $1", id).fetch_optional))
}

/// The account with exactly this name.
pub async fn named_in(tx: &mut Tx, name: &str) -> Result<Option<Account>> {
    let sql = format!(
        "{COLUMNS} where name = $1 and id in (select account_id from names where name_key = $2)"
    );
    for key in name::keys(name) {
        let found = run!(tx => query_as(sqlx::AssertSqlSafe(sql.as_str()), name, key.as_str())
            .fetch_optional);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Changes the name and the country of an account. Requires [`take_keys_in`] first.
pub async fn rename_in(tx: &mut Tx, id: i64, name: &str, country: &str) -> Result<()> {
    let sql = "update accounts set name = $2, country = $3 where id = $1";
    run!(tx => query(sql, id, name, country).execute);
    run!(tx => query("delete from former_names where name = $1", name).execute);
    Ok(())
}

/// Reserves the keys of a name for an account. The account keeps its other keys. Returns `false` if
/// another account owns one of the new keys.
pub async fn take_keys_in(tx: &mut Tx, id: i64, name: &TeamName, now_ms: i64) -> Result<bool> {
    let keys = name.keys();
    free_lapsed(tx, &keys, now_ms).await?;
    let mut free = Vec::new();
    for key in &keys {
        let sql = "select account_id from names where name_key = $1";
        let owner: Option<i64> = run!(tx => query_scalar(sql, key.as_str()).fetch_optional);
        match owner {
            None => free.push(key),
            Some(owner) if owner == id => {}
            Some(_) => return Ok(false),
        }
    }
    for key in free {
        run!(tx => query(INSERT_KEY, key.as_str(), id).execute);
    }
    Ok(true)
}

/// Stores the account's name as a former name. Links with it redirect to the team if `leads_on`.
pub async fn record_former_name_in(tx: &mut Tx, account: &Account, leads_on: bool) -> Result<()> {
    let sql = "insert into former_names (name, account_id, leads_on) values ($1, $2, $3) \
               on conflict (name) do update set leads_on = excluded.leads_on";
    run!(tx => query(sql, &account.name, account.id, leads_on).execute);
    Ok(())
}

/// True if links with this former name redirect to the team.
pub async fn former_name_redirects(db: &Db, name: &str) -> Result<bool> {
    let sql = "select leads_on from former_names where name = $1";
    let found: Option<bool> = run!(db.read() => query_scalar(sql, name).fetch_optional);
    Ok(found.unwrap_or_default())
}

pub(crate) async fn confirm_in(tx: &mut Tx, id: i64, now_ms: i64) -> Result<()> {
    let sql = "update accounts set confirmed_at_ms = $2, network = null where id = $1";
    run!(tx => query(sql, id, now_ms).execute);
    Ok(())
}

/// Sets a password with an emailed token and revokes the team's sessions; `false` if the token is
/// invalid.
pub async fn reset_password(tx: &mut Tx, token: &str, hash: &str, now_ms: i64) -> Result<bool> {
    let Some(id) = mail::use_token(tx, token, mail::Purpose::Reset, now_ms).await? else {
        return Ok(false);
    };
    set_password_in(tx, id, hash, now_ms).await?;
    Ok(true)
}

/// Sets a password with a token of a join card, revokes the team's sessions and creates one with
/// `token`; `None` if the card was used, is void or does not exist. Requires the accounts lock.
pub async fn join(
    tx: &mut Tx,
    card: &str,
    hash: &str,
    (token, origin): (&str, &SessionOrigin),
    now_ms: i64,
) -> Result<Option<Session>> {
    let Some(id) = mail::use_token_of(tx, card, mail::CARD, now_ms).await? else {
        return Ok(None);
    };
    set_password_in(tx, id, hash, now_ms).await?;
    sessions::create_with_in(tx, token, id, origin, now_ms).await.map(Some)
}

/// Sets a password, invalidates all unused links except confirmation links, and revokes all
/// sessions.
async fn set_password_in(tx: &mut Tx, id: i64, hash: &str, now_ms: i64) -> Result<()> {
    run!(tx => query("update accounts set password_hash = $2 where id = $1", id, hash).execute);
    mail::end_cards_in(tx, &[id]).await?;
    let sql = "update mail_tokens set used_at_ms = $2 \
               where account_id = $1 and purpose <> 'confirm' and used_at_ms is null";
    run!(tx => query(sql, id, now_ms).execute);
    sessions::revoke_all_in(tx, id, now_ms).await
}

/// Proof that a team just entered its password.
pub struct VerifiedPassword<'a> {
    /// The account.
    pub account_id: i64,
    /// Hash of the verified password.
    pub password_hash: &'a str,
    /// Digest of the session token.
    pub session: &'a str,
}

impl VerifiedPassword<'_> {
    /// Returns the account if its password is unchanged and the session is still valid.
    pub async fn account_in(&self, tx: &mut Tx, now_ms: i64) -> Result<Option<Account>> {
        if !sessions::is_active_in(tx, self.session, now_ms).await? {
            return Ok(None);
        }
        let account = by_id_in(tx, self.account_id).await?;
        let is_same = |it: &Account| it.password_hash.as_deref() == Some(self.password_hash);
        Ok(account.filter(is_same))
    }

    /// Changes the password, revokes all sessions, invalidates emailed links and creates a session
    /// with a new token. Anyone who holds the old token loses access. Returns `false` if the
    /// session ended or the password was changed concurrently.
    pub async fn set_password(
        &self,
        tx: &mut Tx,
        hash: &str,
        (token, origin): (&str, &SessionOrigin),
        now_ms: i64,
    ) -> Result<bool> {
        let id = self.account_id;
        if self.account_in(tx, now_ms).await?.is_none() {
            return Ok(false);
        }
        run!(tx => query("update accounts set password_hash = $2 where id = $1", id, hash).execute);
        mail::end_tokens_in(tx, id, now_ms).await?;
        sessions::revoke_all_in(tx, id, now_ms).await?;
        sessions::create_with_in(tx, token, id, origin, now_ms).await?;
        Ok(true)
    }
}

/// Frees a name with these keys if its account was not confirmed within [`UNCONFIRMED_MS`]. A
/// request for another link does not extend this time: an extension would reveal that the address
/// has no team.
async fn free_lapsed(tx: &mut Tx, keys: &BTreeSet<TeamKey>, now_ms: i64) -> Result<()> {
    for key in keys {
        let sql = "delete from names where account_id in (select id from accounts \
                   where confirmed_at_ms is null and created_at_ms <= $1 \
                   and id in (select account_id from names where name_key = $2))";
        run!(tx => query(sql, now_ms - UNCONFIRMED_MS, key.as_str()).execute);
    }
    Ok(())
}

/// Deletes some accounts that were not confirmed within [`UNCONFIRMED_MS`] and have no tokens left.
/// Returns `true` if there may be more.
pub async fn forget_lapsed(tx: &mut Tx, now_ms: i64) -> Result<bool> {
    let sql = "select id from accounts where confirmed_at_ms is null and created_at_ms <= $1 \
               and not exists (select 1 from mail_tokens where account_id = accounts.id) \
               order by created_at_ms limit $2";
    let ids: Vec<i64> = run!(tx => query_scalar(sql, now_ms - UNCONFIRMED_MS, LAPSED_MAX)
        .fetch_all);
    for id in &ids {
        run!(tx => query("delete from names where account_id = $1", *id).execute);
        run!(tx => query("delete from signup_answers where account_id = $1", *id).execute);
        run!(tx => query("delete from team_divisions where account_id = $1", *id).execute);
        run!(tx => query("delete from accounts where id = $1", *id).execute);
    }
    Ok(ids.len() as i64 == LAPSED_MAX)
}
