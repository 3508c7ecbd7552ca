//! Accounts, one for each team. A confirmed account has a team in the journal under the same id.

use std::collections::BTreeSet;

use flagship_game::{TeamKey, TeamName, name};

use crate::engine::{Tx, insert, run};
use crate::key::token_hash;
use crate::sessions::Marks;
use crate::{Db, Lock, Result, mail, sessions};

/// How long an unconfirmed account is kept, in milliseconds.
pub const UNCONFIRMED_MS: i64 = 24 * 3_600_000;
/// Most teams with one address where addresses are not confirmed, and after an import in the
/// console: as many reset links fit into a mail.
pub const TEAMS_PER_ADDRESS_MAX: i64 = 20;
/// Most teams of one address whose links go into one mail; `flagship team import` can make more.
pub const TEAMS_PER_MAIL_MAX: i64 = 100;
/// Most unconfirmed accounts of one address whose links go into one mail. Anyone can make them.
pub const WAITING_PER_MAIL_MAX: i64 = 5;
/// Accounts that one transaction deletes: many may lapse at once, and others wait for the writer.
const LAPSED_MAX: i64 = 100;

/// The form of the keys that this program computes. A higher one with each change of `name::keys`,
/// also by its tables.
const KEYS_FORM: i64 = 3;
const INSERT_KEY: &str = "insert into names (name_key, account_id) values ($1, $2)";
/// Rows of one insert of keys.
const INSERT_ROWS_MAX: usize = 500;

/// An account to be created.
#[derive(Clone)]
pub struct NewAccount {
    /// The team's name.
    pub name: TeamName,
    /// The e-mail address; stored in lower case, so that case does not make another address.
    pub email: String,
    /// Two-letter country code.
    pub country: String,
    /// Password hash as a PHC string; without one the team sets a password by mail first.
    pub password_hash: Option<String>,
    /// Whether the team says that it consists of students alone.
    pub student: bool,
    /// The code of the language of its mails; `None` if it has named none.
    pub language: Option<String>,
}

/// An account as it is stored. No `Debug`: it holds an address and a hash.
#[derive(Clone, sqlx::FromRow)]
pub struct Account {
    /// The id of the account, and of its team in the journal.
    pub id: i64,
    /// The team's name.
    pub name: String,
    /// The e-mail address.
    pub email: String,
    /// Two-letter country code.
    pub country: String,
    /// Password hash as a PHC string.
    pub password_hash: Option<String>,
    /// Whether the team says that it consists of students alone.
    pub student: bool,
    /// When it signed up, in epoch milliseconds.
    pub created_at_ms: i64,
    /// When it confirmed its address, in epoch milliseconds.
    pub confirmed_at_ms: Option<i64>,
    /// The code of the language of its mails; `None` if it has named none.
    pub language: Option<String>,
}

impl Account {
    /// Whether it was not confirmed in time, and waits to be deleted.
    pub fn has_lapsed(&self, now_ms: i64) -> bool {
        self.confirmed_at_ms.is_none() && self.created_at_ms + UNCONFIRMED_MS <= now_ms
    }
}

/// The result of a signup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signup {
    /// The account was created with this id.
    Created(i64),
    /// The name, or a look-alike of it, is taken.
    NameTaken,
    /// [`TEAMS_PER_ADDRESS_MAX`] teams have the address.
    AddressFull,
}

const COLUMNS: &str = "select id, name, email, country, password_hash, student, created_at_ms, \
                       confirmed_at_ms, language from accounts";

/// Creates an unconfirmed account in a transaction that holds the lock on accounts. Other accounts
/// may have the same address: the first to confirm keeps it. `network` is a digest of the client's
/// network.
pub async fn sign_up(tx: &mut Tx, new: &NewAccount, network: &str, now_ms: i64) -> Result<Signup> {
    let keys = new.name.keys();
    if is_taken(tx, &keys, now_ms).await? {
        return Ok(Signup::NameTaken);
    }
    let id = insert(tx, new, &keys, now_ms, None).await?;
    run!(tx => query("update accounts set network = $2 where id = $1", id, network).execute);
    Ok(Signup::Created(id))
}

/// Inserts an account, whose name has these keys.
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
    Ok(id)
}

/// Whether a name with these keys is taken. A lapsed account loses it here.
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

/// Gives the names that an older program wrote the keys that this one computes. A key that two
/// teams would share goes to the one that has it, or else to the one that signed up first; both
/// keep their names.
pub(crate) async fn complete_keys(db: &Db) -> Result<()> {
    if incomplete(&mut db.snapshot().await?).await?.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin(Lock::Accounts).await?;
    // Read again: another node may have completed them, or an account may be deleted.
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

/// Ids and names of the accounts that may lack keys, the oldest first.
async fn incomplete(tx: &mut Tx) -> Result<Vec<(i64, String)>> {
    let sql = "select id, name from accounts where keys_form < $1 order by created_at_ms, id";
    Ok(run!(tx => query_as(sql, KEYS_FORM).fetch_all))
}

/// Finds the account for a typed name with these keys: the one with exactly this name, or else the
/// only one with a look-alike name.
pub async fn by_name(db: &Db, typed: &str, keys: &BTreeSet<TeamKey>) -> Result<Option<Account>> {
    // Not parsed: a name from before a rule was made still logs in.
    // No name has a NUL, and PostgreSQL takes no text with one.
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

/// The accounts of an address.
pub struct OfAddress {
    /// The confirmed ones, the oldest first.
    pub teams: Vec<Account>,
    /// The unconfirmed ones. Those that signed up from the network that asks come first, then the
    /// oldest.
    pub waiting: Vec<Account>,
}

/// The accounts of an address, at most [`TEAMS_PER_MAIL_MAX`] and [`WAITING_PER_MAIL_MAX`].
/// `network` is the digest of the network that asks.
pub async fn of_address(tx: &mut Tx, email: &str, network: &str, now_ms: i64) -> Result<OfAddress> {
    let (email, lapsed_ms) = (email.to_lowercase(), now_ms - UNCONFIRMED_MS);
    let of_email = |is_confirmed, rest| {
        sqlx::AssertSqlSafe(format!(
            "{COLUMNS} where email = $1 and confirmed_at_ms {is_confirmed} {rest}"
        ))
    };
    let oldest = "and created_at_ms > $2 order by created_at_ms, id limit $3";
    let of_network = format!("and substr(network, 33) = substr($4, 33) {oldest}");
    // A team never lapses.
    let teams = run!(tx => query_as(of_email("is not null", oldest), &email, i64::MIN,
        TEAMS_PER_MAIL_MAX).fetch_all);
    let mut waiting: Vec<Account> = run!(tx => query_as(of_email("is null", &of_network), &email,
        lapsed_ms, WAITING_PER_MAIL_MAX, network).fetch_all);
    let others: Vec<Account> = run!(tx => query_as(of_email("is null", oldest), &email, lapsed_ms,
        WAITING_PER_MAIL_MAX).fetch_all);
    let own: BTreeSet<i64> = waiting.iter().map(|account| account.id).collect();
    waiting.extend(others.into_iter().filter(|account| !own.contains(&account.id)));
    waiting.truncate(WAITING_PER_MAIL_MAX as usize);
    Ok(OfAddress { teams, waiting })
}

/// Whether a confirmed team has an address.
pub async fn has_address(db: &Db, email: &str) -> Result<bool> {
    Ok(team_of_email(&mut db.snapshot().await?, email).await?.is_some())
}

/// The team that a mail to an address is about.
#[derive(sqlx::FromRow)]
pub struct TeamOfEmail {
    /// Its name.
    pub name: String,
    /// The code of the language of its mails.
    pub language: Option<String>,
}

/// The oldest team with a confirmed address.
pub async fn team_of_email(tx: &mut Tx, email: &str) -> Result<Option<TeamOfEmail>> {
    let sql = "select name, language from accounts \
               where email = $1 and confirmed_at_ms is not null \
               order by created_at_ms, id limit 1";
    Ok(run!(tx => query_as(sql, email.to_lowercase()).fetch_optional))
}

/// Keeps the language of an account's mails, if none was kept, in a transaction that holds the lock
/// on accounts. A later one changes nothing: whoever learns the password must not choose in which
/// language its owner is warned.
pub async fn speak_in(tx: &mut Tx, account: &Account, language: Option<&str>) -> Result<()> {
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

/// Finds the account that a mailed token belongs to, if it is valid for `purpose`. The token stays
/// valid.
pub async fn by_token(
    db: &Db,
    token: &str,
    purpose: mail::Purpose,
    now_ms: i64,
) -> Result<Option<Account>> {
    let sql = format!(
        "{COLUMNS} where id in (select account_id from mail_tokens where token_hash = $1 \
         and purpose = $2 and used_at_ms is null and expires_at_ms > $3)"
    );
    let sql = sqlx::AssertSqlSafe(sql);
    Ok(run!(db.read() => query_as(sql, token_hash(token), purpose.as_str(), now_ms).fetch_optional))
}

/// All confirmed accounts, for the organizers.
pub async fn confirmed(db: &Db) -> Result<Vec<Account>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where confirmed_at_ms is not null").fetch_all))
}

/// All accounts that wait for their address to be confirmed, for the organizers.
pub async fn unconfirmed(db: &Db) -> Result<Vec<Account>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where confirmed_at_ms is null").fetch_all))
}

/// A key of a name, with the account that has it.
#[derive(sqlx::FromRow)]
pub struct KeptName {
    /// The key.
    pub name_key: String,
    /// The present name of the account; the key may be one of a former name.
    pub name: String,
    /// When it confirmed its address, in epoch milliseconds.
    pub confirmed_at_ms: Option<i64>,
    /// Its e-mail address.
    pub email: String,
}

/// The keys of all names that no other team may have at `now_ms`, for the organizers.
pub async fn kept_names(db: &Db, now_ms: i64) -> Result<Vec<KeptName>> {
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

/// The same within a transaction or a snapshot.
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

/// Gives an account another name and country. [`take_keys_in`] comes before.
pub async fn rename_in(tx: &mut Tx, id: i64, name: &str, country: &str) -> Result<()> {
    let sql = "update accounts set name = $2, country = $3 where id = $1";
    run!(tx => query(sql, id, name, country).execute);
    run!(tx => query("delete from former_names where name = $1", name).execute);
    Ok(())
}

/// Takes the keys of a name for an account, which keeps those that it has; `false` if another
/// account has one of them.
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

/// Keeps the name that an account had, and whether it leads to the account's team.
pub async fn leave_name_in(tx: &mut Tx, account: &Account, leads_on: bool) -> Result<()> {
    let sql = "insert into former_names (name, account_id, leads_on) values ($1, $2, $3) \
               on conflict (name) do update set leads_on = excluded.leads_on";
    run!(tx => query(sql, &account.name, account.id, leads_on).execute);
    Ok(())
}

/// Whether a name that a team had leads to it.
pub async fn leads_on(db: &Db, name: &str) -> Result<bool> {
    let sql = "select leads_on from former_names where name = $1";
    let found: Option<bool> = run!(db.read() => query_scalar(sql, name).fetch_optional);
    Ok(found.unwrap_or_default())
}

pub(crate) async fn confirm_in(tx: &mut Tx, id: i64, now_ms: i64) -> Result<()> {
    let sql = "update accounts set confirmed_at_ms = $2, network = null where id = $1";
    run!(tx => query(sql, id, now_ms).execute);
    Ok(())
}

/// Sets a password by a mailed token and ends the team's sessions; `false` if the token is not
/// valid.
pub async fn reset_password(tx: &mut Tx, token: &str, hash: &str, now_ms: i64) -> Result<bool> {
    let Some(id) = mail::use_token(tx, token, mail::Purpose::Reset, now_ms).await? else {
        return Ok(false);
    };
    run!(tx => query("update accounts set password_hash = $2 where id = $1", id, hash).execute);
    let sql = "update mail_tokens set used_at_ms = $2 \
               where account_id = $1 and purpose <> 'confirm' and used_at_ms is null";
    run!(tx => query(sql, id, now_ms).execute);
    sessions::revoke_all_in(tx, id, now_ms).await?;
    Ok(true)
}

/// A team that has shown that it knows its password.
pub struct Shown<'a> {
    /// Its account.
    pub account_id: i64,
    /// The hash of the password that was right.
    pub password_hash: &'a str,
    /// The digest of the token of the session in which it did.
    pub session: &'a str,
}

impl Shown<'_> {
    /// The account, while its password is the same and the session lives.
    pub async fn account_in(&self, tx: &mut Tx, now_ms: i64) -> Result<Option<Account>> {
        if !sessions::is_living_in(tx, self.session, now_ms).await? {
            return Ok(None);
        }
        let account = by_id_in(tx, self.account_id).await?;
        let is_same = |it: &Account| it.password_hash.as_deref() == Some(self.password_hash);
        Ok(account.filter(is_same))
    }

    /// Sets another password, ends all sessions, this one too, and the links that were mailed, and
    /// begins a session with a new token: whoever has the token of before is out. `false` if the
    /// session has ended or the password is another one.
    pub async fn set_password(
        &self,
        tx: &mut Tx,
        hash: &str,
        (token, marks): (&str, &Marks),
        now_ms: i64,
    ) -> Result<bool> {
        let id = self.account_id;
        if self.account_in(tx, now_ms).await?.is_none() {
            return Ok(false);
        }
        run!(tx => query("update accounts set password_hash = $2 where id = $1", id, hash).execute);
        mail::end_tokens_in(tx, id, now_ms).await?;
        sessions::revoke_all_in(tx, id, now_ms).await?;
        sessions::create_with_in(tx, token, id, marks, now_ms).await?;
        Ok(true)
    }
}

/// Frees a name with these keys, if its account was not confirmed within [`UNCONFIRMED_MS`] of its
/// signup. A later link does not extend that time: it would show that the address has no team.
async fn free_lapsed(tx: &mut Tx, keys: &BTreeSet<TeamKey>, now_ms: i64) -> Result<()> {
    for key in keys {
        let sql = "delete from names where account_id in (select id from accounts \
                   where confirmed_at_ms is null and created_at_ms <= $1 \
                   and id in (select account_id from names where name_key = $2))";
        run!(tx => query(sql, now_ms - UNCONFIRMED_MS, key.as_str()).execute);
    }
    Ok(())
}

/// Deletes some of the accounts that were not confirmed within [`UNCONFIRMED_MS`] of their signup
/// and have no tokens any more; `true` if there may be more.
pub async fn forget_lapsed(tx: &mut Tx, now_ms: i64) -> Result<bool> {
    let sql = "select id from accounts where confirmed_at_ms is null and created_at_ms <= $1 \
               and not exists (select 1 from mail_tokens where account_id = accounts.id) \
               order by created_at_ms limit $2";
    let ids: Vec<i64> = run!(tx => query_scalar(sql, now_ms - UNCONFIRMED_MS, LAPSED_MAX)
        .fetch_all);
    for id in &ids {
        run!(tx => query("delete from names where account_id = $1", *id).execute);
        run!(tx => query("delete from accounts where id = $1", *id).execute);
    }
    Ok(ids.len() as i64 == LAPSED_MAX)
}
