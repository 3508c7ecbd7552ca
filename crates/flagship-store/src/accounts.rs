//! Accounts, one for each team. A confirmed account has a team in the journal under the same id.

use std::collections::BTreeSet;

use flagship_game::{TeamKey, TeamName, name};

use crate::engine::{Tx, on};
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
    on!(tx, conn => {
        sqlx::query("update accounts set network = $2 where id = $1")
            .bind(id).bind(network).execute(conn).await?;
    });
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
    on!(tx, conn => {
        let sql = "insert into accounts (id, name, email, country, password_hash, student, \
                   created_at_ms, confirmed_at_ms, keys_form, language) \
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        sqlx::query(sql).bind(id).bind(new.name.as_str()).bind(new.email.to_lowercase())
            .bind(&new.country).bind(&new.password_hash).bind(new.student)
            .bind(now_ms).bind(confirmed_at_ms).bind(KEYS_FORM).bind(&new.language)
            .execute(&mut *conn).await?;
        for key in keys {
            sqlx::query("insert into names (name_key, account_id) values ($1, $2)")
                .bind(key.as_str()).bind(id).execute(&mut *conn).await?;
        }
    });
    Ok(id)
}

/// Whether a name with these keys is taken. A lapsed account loses it here.
pub async fn is_taken(tx: &mut Tx, keys: &BTreeSet<TeamKey>, now_ms: i64) -> Result<bool> {
    free_lapsed(tx, keys, now_ms).await?;
    for key in keys {
        let found: Option<String> = on!(tx, conn => {
            sqlx::query_scalar("select name_key from names where name_key = $1")
                .bind(key.as_str()).fetch_optional(conn).await?
        });
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
        on!(&mut tx, conn => {
            let sql = "insert into names (name_key, account_id) ";
            let mut insert = sqlx::QueryBuilder::new(sql);
            insert.push_values(rows, |mut line, (key, id)| {
                line.push_bind(key.as_str()).push_bind(*id);
            });
            insert.push(" on conflict do nothing").build().execute(conn).await?;
        });
    }
    on!(&mut tx, conn => {
        let sql = "update accounts set keys_form = $1 where keys_form < $1";
        sqlx::query(sql).bind(KEYS_FORM).execute(conn).await?;
    });
    tx.commit().await
}

/// Ids and names of the accounts that may lack keys, the oldest first.
async fn incomplete(tx: &mut Tx) -> Result<Vec<(i64, String)>> {
    let sql = "select id, name from accounts where keys_form < $1 order by created_at_ms, id";
    Ok(on!(tx, conn => sqlx::query_as(sql).bind(KEYS_FORM).fetch_all(conn).await?))
}

/// Finds the account for a typed name with these keys: the one with exactly this name, or else the
/// only one with a look-alike name.
pub async fn by_name(db: &Db, typed: &str, keys: &BTreeSet<TeamKey>) -> Result<Option<Account>> {
    // Not parsed: a name from before a rule was made still logs in.
    // No name has a NUL, and PostgreSQL takes no text with one.
    let name = name::normalize(typed).filter(|name| !name.contains('\0'));
    let Some(name) = name else { return Ok(None) };
    let mut conn = db.read().await?;
    let sql = format!("{COLUMNS} where id in (select account_id from names where name_key = $1)");
    let mut found: Vec<Account> = Vec::new();
    for key in keys {
        let more: Option<Account> = on!(&mut conn, conn => {
            sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str())).bind(key.as_str())
                .fetch_optional(conn).await?
        });
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
    on!(tx, conn => {
        // A team never lapses.
        let teams = sqlx::query_as(of_email("is not null", oldest))
            .bind(&email).bind(i64::MIN).bind(TEAMS_PER_MAIL_MAX).fetch_all(&mut *conn).await?;
        let mut waiting: Vec<Account> = sqlx::query_as(of_email("is null", &of_network))
            .bind(&email).bind(lapsed_ms).bind(WAITING_PER_MAIL_MAX).bind(network)
            .fetch_all(&mut *conn).await?;
        let others: Vec<Account> = sqlx::query_as(of_email("is null", oldest))
            .bind(&email).bind(lapsed_ms).bind(WAITING_PER_MAIL_MAX).fetch_all(conn).await?;
        let own: BTreeSet<i64> = waiting.iter().map(|account| account.id).collect();
        waiting.extend(others.into_iter().filter(|account| !own.contains(&account.id)));
        waiting.truncate(WAITING_PER_MAIL_MAX as usize);
        Ok(OfAddress { teams, waiting })
    })
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
    Ok(on!(tx, conn => {
        sqlx::query_as(sql).bind(email.to_lowercase()).fetch_optional(conn).await?
    }))
}

/// Keeps the language of an account's mails, if none was kept, in a transaction that holds the lock
/// on accounts. A later one changes nothing: whoever learns the password must not choose in which
/// language its owner is warned.
pub async fn speak_in(tx: &mut Tx, account: &Account, language: Option<&str>) -> Result<()> {
    if language.is_some() && account.language.is_none() {
        on!(tx, conn => {
            sqlx::query("update accounts set language = $2 where id = $1")
                .bind(account.id).bind(language).execute(conn).await?;
        });
    }
    Ok(())
}

pub(crate) async fn is_address_full(tx: &mut Tx, email: &str) -> Result<bool> {
    let count: i64 = on!(tx, conn => {
        let sql = "select count(*) from accounts where email = $1 and confirmed_at_ms is not null";
        sqlx::query_scalar(sql).bind(email.to_lowercase()).fetch_one(conn).await?
    });
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
    let mut conn = db.read().await?;
    Ok(on!(&mut conn, conn => {
        sqlx::query_as(sql).bind(token_hash(token)).bind(purpose.as_str()).bind(now_ms)
            .fetch_optional(conn).await?
    }))
}

/// All confirmed accounts, for the organizers.
pub async fn confirmed(db: &Db) -> Result<Vec<Account>> {
    let mut conn = db.read().await?;
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} where confirmed_at_ms is not null"));
    Ok(on!(&mut conn, conn => sqlx::query_as(sql).fetch_all(conn).await?))
}

/// All accounts that wait for their address to be confirmed, for the organizers.
pub async fn unconfirmed(db: &Db) -> Result<Vec<Account>> {
    let mut conn = db.read().await?;
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} where confirmed_at_ms is null"));
    Ok(on!(&mut conn, conn => sqlx::query_as(sql).fetch_all(conn).await?))
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
    let mut conn = db.read().await?;
    let sql = "select name_key, name, confirmed_at_ms, email from names \
               join accounts on accounts.id = names.account_id \
               where confirmed_at_ms is not null or created_at_ms > $1 \
               order by created_at_ms, id, name_key";
    Ok(on!(&mut conn, conn => {
        sqlx::query_as(sql).bind(now_ms - UNCONFIRMED_MS).fetch_all(conn).await?
    }))
}

/// The account with an id.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Account>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// The same within a transaction or a snapshot.
pub async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Account>> {
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} where id = $1"));
    Ok(on!(tx, conn => sqlx::query_as(sql).bind(id).fetch_optional(conn).await?))
}

/// The account with exactly this name.
pub async fn named_in(tx: &mut Tx, name: &str) -> Result<Option<Account>> {
    let sql = format!(
        "{COLUMNS} where name = $1 and id in (select account_id from names where name_key = $2)"
    );
    for key in name::keys(name) {
        let found = on!(tx, conn => {
            sqlx::query_as(sqlx::AssertSqlSafe(sql.as_str())).bind(name).bind(key.as_str())
                .fetch_optional(conn).await?
        });
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Gives an account another name and country. [`take_keys_in`] comes before.
pub async fn rename_in(tx: &mut Tx, id: i64, name: &str, country: &str) -> Result<()> {
    on!(tx, conn => {
        sqlx::query("update accounts set name = $2, country = $3 where id = $1")
            .bind(id).bind(name).bind(country).execute(&mut *conn).await?;
        sqlx::query("delete from former_names where name = $1").bind(name).execute(conn).await?;
    });
    Ok(())
}

/// Takes the keys of a name for an account, which keeps those that it has; `false` if another
/// account has one of them.
pub async fn take_keys_in(tx: &mut Tx, id: i64, name: &TeamName, now_ms: i64) -> Result<bool> {
    let keys = name.keys();
    free_lapsed(tx, &keys, now_ms).await?;
    let mut free = Vec::new();
    for key in &keys {
        let owner: Option<i64> = on!(tx, conn => {
            sqlx::query_scalar("select account_id from names where name_key = $1")
                .bind(key.as_str()).fetch_optional(conn).await?
        });
        match owner {
            None => free.push(key),
            Some(owner) if owner == id => {}
            Some(_) => return Ok(false),
        }
    }
    for key in free {
        on!(tx, conn => {
            sqlx::query("insert into names (name_key, account_id) values ($1, $2)")
                .bind(key.as_str()).bind(id).execute(conn).await?;
        });
    }
    Ok(true)
}

/// Keeps the name that an account had, and whether it leads to the account's team.
pub async fn leave_name_in(tx: &mut Tx, account: &Account, leads_on: bool) -> Result<()> {
    on!(tx, conn => {
        let sql = "insert into former_names (name, account_id, leads_on) values ($1, $2, $3) \
                   on conflict (name) do update set leads_on = excluded.leads_on";
        sqlx::query(sql).bind(&account.name).bind(account.id).bind(leads_on).execute(conn).await?;
    });
    Ok(())
}

/// Whether a name that a team had leads to it.
pub async fn leads_on(db: &Db, name: &str) -> Result<bool> {
    let mut conn = db.read().await?;
    let sql = "select leads_on from former_names where name = $1";
    let found: Option<bool> =
        on!(&mut conn, conn => sqlx::query_scalar(sql).bind(name).fetch_optional(conn).await?);
    Ok(found.unwrap_or_default())
}

pub(crate) async fn confirm_in(tx: &mut Tx, id: i64, now_ms: i64) -> Result<()> {
    on!(tx, conn => {
        sqlx::query("update accounts set confirmed_at_ms = $2, network = null where id = $1")
            .bind(id).bind(now_ms).execute(conn).await?;
    });
    Ok(())
}

/// Sets a password by a mailed token and ends the team's sessions; `false` if the token is not
/// valid.
pub async fn reset_password(tx: &mut Tx, token: &str, hash: &str, now_ms: i64) -> Result<bool> {
    let Some(id) = mail::use_token(tx, token, mail::Purpose::Reset, now_ms).await? else {
        return Ok(false);
    };
    on!(tx, conn => {
        sqlx::query("update accounts set password_hash = $2 where id = $1")
            .bind(id).bind(hash).execute(&mut *conn).await?;
        let sql = "update mail_tokens set used_at_ms = $2 \
                   where account_id = $1 and purpose <> 'confirm' and used_at_ms is null";
        sqlx::query(sql).bind(id).bind(now_ms).execute(conn).await?;
    });
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
        on!(tx, conn => {
            sqlx::query("update accounts set password_hash = $2 where id = $1").bind(id).bind(hash)
                .execute(conn).await?;
        });
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
        on!(tx, conn => {
            let sql = "delete from names where account_id in (select id from accounts \
                       where confirmed_at_ms is null and created_at_ms <= $1 \
                       and id in (select account_id from names where name_key = $2))";
            sqlx::query(sql).bind(now_ms - UNCONFIRMED_MS).bind(key.as_str()).execute(conn).await?;
        });
    }
    Ok(())
}

/// Deletes some of the accounts that were not confirmed within [`UNCONFIRMED_MS`] of their signup
/// and have no tokens any more; `true` if there may be more.
pub async fn forget_lapsed(tx: &mut Tx, now_ms: i64) -> Result<bool> {
    let sql = "select id from accounts where confirmed_at_ms is null and created_at_ms <= $1 \
               and not exists (select 1 from mail_tokens where account_id = accounts.id) \
               order by created_at_ms limit $2";
    let ids: Vec<i64> = on!(tx, conn => {
        sqlx::query_scalar(sql).bind(now_ms - UNCONFIRMED_MS).bind(LAPSED_MAX)
            .fetch_all(&mut *conn).await?
    });
    on!(tx, conn => {
        for id in &ids {
            for sql in ["delete from names where account_id = $1",
                        "delete from accounts where id = $1"] {
                sqlx::query(sql).bind(*id).execute(&mut *conn).await?;
            }
        }
    });
    Ok(ids.len() as i64 == LAPSED_MAX)
}
