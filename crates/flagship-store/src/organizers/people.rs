//! Organizers' names, passwords, second factors and recovery codes.

use std::collections::HashMap;

use flagship_game::name::TeamName;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::passes::{self, Kind, Pass};
use super::record;
use super::rights::{Rights, Role};
use crate::actions::{self, COMMAND_LINE};
use crate::engine::{Tx, run};
use crate::{Db, Lock, Result, Seal, StoreError};

/// An organizer as stored.
#[derive(Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Organizer {
    /// The internal id, random and positive.
    pub id: i64,
    /// The name.
    pub name: String,
    /// Roles and challenges.
    #[sqlx(skip)]
    pub rights: Rights,
    /// Password hash; `None` until the invitation is used.
    pub password_hash: Option<String>,
    /// Sealed secret of the second factor; `None` until the invitation is used.
    pub factor: Option<String>,
    /// Time step of the last used code.
    pub factor_step: i64,
    /// Time at which the organizer was added, in epoch milliseconds.
    pub created_at_ms: i64,
}

impl Organizer {
    /// True if the organizer has a password and a second factor.
    pub fn is_enrolled(&self) -> bool {
        self.password_hash.is_some() && self.factor.is_some()
    }

    /// True if the organizer has a role.
    pub fn is(&self, role: Role) -> bool {
        self.rights.roles.contains(&role)
    }
}

/// Reason for rejecting a change of organizers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrganizerError {
    /// Another organizer has the name, or a look-alike of it.
    #[error("another organizer has this or a look-alike name")]
    NameTaken,
    /// No organizer has the name.
    #[error("no organizer has this name")]
    Unknown,
    /// The organizer is the last owner, or the last owner who can log in.
    #[error("this is the last owner")]
    LastOwner,
    /// Owners cannot reset themselves: they would be logged out before they see the new link.
    #[error("an owner does not reset themselves")]
    Own,
    /// The caller's session has ended, or the caller is no longer an owner.
    #[error("the session has ended")]
    Ended,
    /// The organizer has the maximum number of tokens.
    #[error("the organizer has too many tokens")]
    TooManyTokens,
}

pub(crate) type OrganizerResult<T> = Result<std::result::Result<T, OrganizerError>>;

#[derive(sqlx::FromRow)]
struct OrganizerRow {
    #[sqlx(flatten)]
    organizer: Organizer,
    roles: String,
    challenges: String,
}

const COLUMNS: &str = "select id, name, roles, challenges, password_hash, factor, factor_step, \
                       created_at_ms from organizers";

impl OrganizerRow {
    fn read(self) -> Result<Organizer> {
        let Some(rights) = Rights::of_columns(&self.roles, &self.challenges) else {
            let words = format!("the roles of organizer {:?}", self.organizer.name);
            return Err(StoreError::Corrupt(words));
        };
        Ok(Organizer { rights, ..self.organizer })
    }
}

/// Actor of a change of organizers, and the seal for the audit log entry. The transaction of the
/// change reads the actor again, so that a pass that ended during the request changes nothing.
#[derive(Clone, Copy)]
pub enum Changer<'a> {
    /// A user with a shell on the machine.
    CommandLine(&'a Seal),
    /// An authenticated organizer.
    Organizer(&'a Seal, Authorization<'a>),
}

impl<'a> Changer<'a> {
    /// Begins a change, if the actor is still authorized.
    async fn begin(self, db: &Db, now_ms: i64) -> OrganizerResult<Change<'a>> {
        let mut tx = db.begin(Lock::Accounts).await?;
        let (seal, actor) = match self {
            Self::CommandLine(seal) => (seal, None),
            Self::Organizer(seal, authorization) => {
                (seal, Some(done!(authorization.check(&mut tx, now_ms).await?)))
            }
        };
        Ok(Ok(Change { tx, seal, actor, now_ms }))
    }

    /// Begins a change of the organizer with this name.
    async fn begin_of(
        self,
        db: &Db,
        name: &str,
        now_ms: i64,
    ) -> OrganizerResult<(Change<'a>, Organizer)> {
        let mut change = done!(self.begin(db, now_ms).await?);
        let organizer = by_name_in(&mut change.tx, name).await?.ok_or(OrganizerError::Unknown);
        Ok(organizer.map(|organizer| (change, organizer)))
    }
}

/// A change of an organizer, inside its transaction.
struct Change<'a> {
    tx: Tx,
    seal: &'a Seal,
    /// `None` for the command line.
    actor: Option<Organizer>,
    now_ms: i64,
}

impl Change<'_> {
    /// Commits the change with its audit log entry.
    async fn commit(mut self, action: &str, organizer_id: i64, arguments: &Value) -> Result<()> {
        let actor = self.actor.as_ref().map_or(COMMAND_LINE, |it| it.name.as_str());
        let by = (actor, action);
        let object = record::object(organizer_id);
        actions::record(&mut self.tx, self.seal, by, &object, arguments, self.now_ms).await?;
        self.tx.commit().await
    }
}

/// Credentials of an organizer's request, with the required rights. The transaction that performs
/// the operation checks them again, because the session may have ended since the request arrived.
#[derive(Clone, Copy, Debug)]
pub struct Authorization<'a> {
    /// Digest of the session token or API token.
    pub pass: &'a str,
    /// Roles, one of which is required.
    pub roles: &'a [Role],
    /// Earliest accepted time of the last two-factor authentication, in epoch milliseconds; `None`
    /// if not required.
    pub proven_after_ms: Option<i64>,
}

impl Authorization<'_> {
    /// Returns the organizer if still authorized.
    pub(crate) async fn check(self, tx: &mut Tx, now_ms: i64) -> OrganizerResult<Organizer> {
        // A single statement, because the lane waits for it.
        let sql = format!(
            "{COLUMNS} where id = (select organizer_id from organizer_passes where digest = $1 \
             and expires_at_ms > $2 and (cast($3 as bigint) is null or factor_at_ms > $3))"
        );
        let found: Option<OrganizerRow> = run!(tx => query_as(AssertSqlSafe(sql), self.pass, now_ms,
            self.proven_after_ms).fetch_optional);
        let organizer = found.map(OrganizerRow::read).transpose()?;
        let has_role = |it: &Organizer| self.roles.iter().any(|role| it.is(*role));
        Ok(organizer.filter(has_role).ok_or(OrganizerError::Ended))
    }
}

/// All organizers, by name.
pub async fn all(db: &Db) -> Result<Vec<Organizer>> {
    let rows: Vec<OrganizerRow> = run!(db.snapshot() => query_as(COLUMNS + " order by name")
        .fetch_all);
    rows.into_iter().map(OrganizerRow::read).collect()
}

/// Returns the organizer with this or a look-alike name.
pub async fn by_name(db: &Db, name: &str) -> Result<Option<Organizer>> {
    by_name_in(&mut db.snapshot().await?, name).await
}

/// Returns the organizer with exactly this name, otherwise the only one with a look-alike name.
pub(crate) async fn by_name_in(tx: &mut Tx, name: &str) -> Result<Option<Organizer>> {
    let Ok(name) = TeamName::parse(name) else { return Ok(None) };
    let sql = format!(
        "{COLUMNS} where id in (select organizer_id from organizer_names where name_key = $1)"
    );
    let mut found: Vec<OrganizerRow> = Vec::new();
    for key in name.keys() {
        let sql = AssertSqlSafe(sql.as_str());
        let more: Option<OrganizerRow> = run!(tx => query_as(sql, key.as_str()).fetch_optional);
        let is_known = |id| found.iter().any(|known| known.organizer.id == id);
        found.extend(more.filter(|more| !is_known(more.organizer.id)));
    }
    let exact = found.iter().position(|row| row.organizer.name == name.as_str());
    let row = match (exact, found.len()) {
        (Some(place), _) => Some(found.swap_remove(place)),
        (None, 1) => found.pop(),
        _ => None,
    };
    row.map(OrganizerRow::read).transpose()
}

async fn is_taken(tx: &mut Tx, name: &TeamName) -> Result<bool> {
    for key in name.keys() {
        let sql = "select organizer_id from organizer_names where name_key = $1";
        let found: Option<i64> = run!(tx => query_scalar(sql, key.as_str()).fetch_optional);
        if found.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Organizer>> {
    let found: Option<OrganizerRow> = run!(tx => query_as(COLUMNS + " where id = $1", id)
        .fetch_optional);
    found.map(OrganizerRow::read).transpose()
}

/// Adds an organizer with an invitation that is valid for a day. `invitation` is the digest of its
/// token.
pub async fn add(
    db: &Db,
    by: Changer<'_>,
    name: &TeamName,
    rights: &Rights,
    invitation: &str,
    now_ms: i64,
) -> OrganizerResult<()> {
    let mut change = done!(by.begin(db, now_ms).await?);
    if is_taken(&mut change.tx, name).await? {
        return Ok(Err(OrganizerError::NameTaken));
    }
    let id = rand::random_range(1..i64::MAX);
    let (roles, challenges) = rights.columns();
    let sql = "insert into organizers (id, name, roles, challenges, factor_step, created_at_ms) \
               values ($1, $2, $3, $4, 0, $5)";
    run!(&mut change.tx => query(sql, id, name.as_str(), roles, challenges, now_ms).execute);
    for key in name.keys() {
        let sql = "insert into organizer_names (name_key, organizer_id) values ($1, $2)";
        run!(&mut change.tx => query(sql, key.as_str(), id).execute);
    }
    passes::create_in(&mut change.tx, invitation, id, Kind::Invitation, now_ms).await?;
    let mut arguments = record::rights(rights);
    arguments["organizer"] = json!(name.as_str());
    change.commit(record::ADD, id, &arguments).await?;
    Ok(Ok(()))
}

/// Changes an organizer's rights and returns the name. API tokens are revoked if a role is removed.
pub async fn set_rights(
    db: &Db,
    by: Changer<'_>,
    name: &str,
    rights: &Rights,
    now_ms: i64,
) -> OrganizerResult<String> {
    let (mut change, organizer) = done!(by.begin_of(db, name, now_ms).await?);
    let tx = &mut change.tx;
    let is_owner = rights.roles.contains(&Role::Owner);
    if organizer.is(Role::Owner) && !is_owner && !has_other_owner(tx, &organizer).await? {
        return Ok(Err(OrganizerError::LastOwner));
    }
    let (roles, challenges) = rights.columns();
    let sql = "update organizers set roles = $2, challenges = $3 where id = $1";
    run!(tx => query(sql, organizer.id, roles, challenges).execute);
    if !organizer.rights.roles.is_subset(&rights.roles) {
        passes::end_all_in(tx, organizer.id, &[Kind::Token]).await?;
    }
    let mut arguments = record::rights(rights);
    arguments["organizer"] = json!(organizer.name);
    arguments["before"] = record::rights(&organizer.rights);
    change.commit(record::ROLE, organizer.id, &arguments).await?;
    Ok(Ok(organizer.name))
}

/// Removes an organizer's password and second factor, ends sessions and tokens, and creates an
/// invitation that is valid for a day. Returns the name.
pub async fn reset(
    db: &Db,
    by: Changer<'_>,
    name: &str,
    invitation: &str,
    now_ms: i64,
) -> OrganizerResult<String> {
    let (mut change, organizer) = done!(by.begin_of(db, name, now_ms).await?);
    if change.actor.as_ref().is_some_and(|actor| actor.id == organizer.id) {
        return Ok(Err(OrganizerError::Own));
    }
    let tx = &mut change.tx;
    let sql = "update organizers set password_hash = null, factor = null, factor_step = 0 \
               where id = $1";
    run!(tx => query(sql, organizer.id).execute);
    run!(tx => query("delete from recovery_codes where organizer_id = $1", organizer.id).execute);
    passes::end_all_in(tx, organizer.id, &Kind::ALL).await?;
    passes::create_in(tx, invitation, organizer.id, Kind::Invitation, now_ms).await?;
    let arguments = json!({"organizer": organizer.name});
    change.commit(record::RESET, organizer.id, &arguments).await?;
    Ok(Ok(organizer.name))
}

/// Removes an organizer with all credentials; returns the name.
pub async fn remove(db: &Db, by: Changer<'_>, name: &str, now_ms: i64) -> OrganizerResult<String> {
    let (mut change, organizer) = done!(by.begin_of(db, name, now_ms).await?);
    let tx = &mut change.tx;
    if organizer.is(Role::Owner) && !has_other_owner(tx, &organizer).await? {
        return Ok(Err(OrganizerError::LastOwner));
    }
    passes::end_all_in(tx, organizer.id, &Kind::ALL).await?;
    for sql in [
        "delete from recovery_codes where organizer_id = $1",
        "delete from organizer_names where organizer_id = $1",
        "delete from organizers where id = $1",
    ] {
        run!(tx => query(sql, organizer.id).execute);
    }
    let before = record::rights(&organizer.rights);
    let arguments = json!({"organizer": organizer.name, "before": before});
    change.commit(record::REMOVE, organizer.id, &arguments).await?;
    Ok(Ok(organizer.name))
}

/// True if there is another owner. If this owner can log in, the other one must be able to as well.
async fn has_other_owner(tx: &mut Tx, owner: &Organizer) -> Result<bool> {
    let others: Vec<OrganizerRow> = run!(tx => query_as(COLUMNS + " where id <> $1", owner.id)
        .fetch_all);
    let others: Vec<Organizer> =
        others.into_iter().map(OrganizerRow::read).collect::<Result<_>>()?;
    let replaces = |it: &Organizer| it.is_enrolled() || !owner.is_enrolled();
    Ok(others.iter().any(|it| it.is(Role::Owner) && replaces(it)))
}

/// A new second factor.
pub struct NewFactor<'a> {
    /// Sealed secret.
    pub sealed: &'a str,
    /// Time step of the code that confirmed the authenticator app.
    pub step: i64,
    /// Digests of the recovery codes.
    pub codes: &'a [String],
}

/// Uses an invitation: sets the password and the second factor, and begins a session. Returns
/// `false` if the invitation was used, replaced or has expired.
pub async fn enrol(
    db: &Db,
    invitation: &str,
    session: &str,
    password_hash: &str,
    factor: &NewFactor<'_>,
    now_ms: i64,
) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let pass = passes::find_in(&mut tx, invitation, now_ms).await?;
    let Some(pass) = pass.filter(|pass| pass.kind == Kind::Invitation) else { return Ok(false) };
    let id = pass.organizer_id;
    passes::end_all_in(&mut tx, id, &[Kind::Invitation]).await?;
    let sql = "update organizers set password_hash = $2 where id = $1";
    run!(&mut tx => query(sql, id, password_hash).execute);
    set_factor_in(&mut tx, id, factor).await?;
    passes::create_in(&mut tx, session, id, Kind::Session, now_ms).await?;
    passes::prove_in(&mut tx, session, id, now_ms).await?;
    tx.commit().await?;
    Ok(true)
}

/// Replaces the second factor and the recovery codes of an authenticated organizer, and ends the
/// other sessions. `old` is the sealed secret to be replaced. Nothing changes if it was replaced
/// concurrently.
pub async fn replace_factor(
    db: &Db,
    authorization: Authorization<'_>,
    old: Option<&str>,
    factor: &NewFactor<'_>,
    now_ms: i64,
) -> OrganizerResult<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let organizer = match authorization.check(&mut tx, now_ms).await? {
        Ok(organizer) if organizer.factor.as_deref() == old => organizer,
        _ => return Ok(Err(OrganizerError::Ended)),
    };
    set_factor_in(&mut tx, organizer.id, factor).await?;
    passes::end_others_in(&mut tx, organizer.id, authorization.pass).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

async fn set_factor_in(tx: &mut Tx, id: i64, factor: &NewFactor<'_>) -> Result<()> {
    let sql = "update organizers set factor = $2, factor_step = $3 where id = $1";
    run!(tx => query(sql, id, factor.sealed, factor.step).execute);
    run!(tx => query("delete from recovery_codes where organizer_id = $1", id).execute);
    for code in factor.codes {
        let sql = "insert into recovery_codes (organizer_id, digest) values ($1, $2)";
        run!(tx => query(sql, id, code).execute);
    }
    Ok(())
}

/// A proof of the second factor.
pub enum Proof {
    /// A code of this time step.
    Step(i64),
    /// The digest of a recovery code.
    Recovery(String),
}

/// Marks the proof as used and the session as authenticated by it; `false` if the proof was used
/// before or the session has ended.
pub async fn prove(
    db: &Db,
    session: &str,
    organizer_id: i64,
    proof: &Proof,
    now_ms: i64,
) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let used = match proof {
        Proof::Step(step) => {
            let sql = "update organizers set factor_step = $2 where id = $1 and factor_step < $2";
            run!(&mut tx => query(sql, organizer_id, *step).execute)
        }
        Proof::Recovery(digest) => {
            let sql = "delete from recovery_codes where organizer_id = $1 and digest = $2";
            run!(&mut tx => query(sql, organizer_id, digest).execute)
        }
    };
    if used == 0 || !passes::prove_in(&mut tx, session, organizer_id, now_ms).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

/// Number of remaining recovery codes.
pub async fn codes_left(db: &Db, id: i64) -> Result<i64> {
    let sql = "select count(*) from recovery_codes where organizer_id = $1";
    Ok(run!(db.read() => query_scalar(sql, id).fetch_one))
}

/// Creates a session if the organizer still has this password, so that a reset also ends logins in
/// progress.
pub async fn sign_in(db: &Db, digest: &str, organizer: &Organizer, now_ms: i64) -> Result<bool> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let now = by_id_in(&mut tx, organizer.id).await?;
    let is_same =
        |now: Organizer| now.is_enrolled() && now.password_hash == organizer.password_hash;
    if !now.is_some_and(is_same) {
        return Ok(false);
    }
    passes::end_oldest_unproven_in(&mut tx, organizer.id).await?;
    passes::create_in(&mut tx, digest, organizer.id, Kind::Session, now_ms).await?;
    tx.commit().await?;
    Ok(true)
}

/// Creates an API token.
pub async fn create_token(
    db: &Db,
    digest: &str,
    name: &str,
    days: u32,
    now_ms: i64,
) -> OrganizerResult<()> {
    let mut tx = db.begin(Lock::Accounts).await?;
    let Some(organizer) = by_name_in(&mut tx, name).await? else {
        return Ok(Err(OrganizerError::Unknown));
    };
    let expires_at_ms = now_ms + i64::from(days) * passes::DAY_MS;
    passes::insert(&mut tx, digest, organizer.id, Kind::Token, now_ms, expires_at_ms).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Returns the rights of all organizers with a session or an API token, by its digest.
pub async fn rights_by_pass(db: &Db, now_ms: i64) -> Result<HashMap<String, (i64, Rights)>> {
    let sql = "select p.digest, o.id, o.roles, o.challenges from organizer_passes p \
               join organizers o on o.id = p.organizer_id \
               where p.kind <> 'invitation' and p.expires_at_ms > $1";
    let rows: Vec<(String, i64, String, String)> = run!(db.read() => query_as(sql, now_ms)
        .fetch_all);
    let of_row = |(digest, id, roles, challenges): (String, i64, String, String)| {
        let rights = Rights::of_columns(&roles, &challenges);
        let corrupt = || StoreError::Corrupt(format!("the roles of organizer {id}"));
        Ok((digest, (id, rights.ok_or_else(corrupt)?)))
    };
    rows.into_iter().map(of_row).collect()
}

/// Returns the pass with this digest and its organizer.
pub async fn by_pass(db: &Db, digest: &str, now_ms: i64) -> Result<Option<(Pass, Organizer)>> {
    let mut tx = db.snapshot().await?;
    let Some(pass) = passes::find_in(&mut tx, digest, now_ms).await? else { return Ok(None) };
    let organizer = by_id_in(&mut tx, pass.organizer_id).await?;
    Ok(organizer.map(|organizer| (pass, organizer)))
}
