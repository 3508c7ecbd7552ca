//! What organizers did: a table that only grows, each row with a hash that follows from the one
//! before. It says who and why, which the journal does not.

pub mod idempotency;

use flagship_game::TeamId;
use serde_json::Value;
use sqlx::{Database, Encode, QueryBuilder, Type};

use crate::engine::{Tx, on};
use crate::key::token_hash;
use crate::{Db, Result, Seal, StoreError};

/// Steps from an id to the next have at most so many bits. Any number of bits is as likely, so that
/// a long step is no proof of two.
const STEP_BITS_MAX: u32 = 20;

/// The event's files were applied. Nothing takes it back, but it stands in the way of what came
/// before.
pub const APPLY: &str = "event.apply";

/// An action as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Record {
    /// Later actions have higher ones. The steps are random: an action that somebody may not see
    /// leaves no gap.
    pub id: i64,
    /// When, in epoch milliseconds.
    pub at_ms: i64,
    /// The organizer's name.
    pub actor: String,
    /// What: `team.ban`.
    pub action: String,
    /// What it is about: `team 7`; several objects are separated by commas.
    pub object: String,
    /// JSON: a salt, the arguments and the reason; `None` once it is erased.
    pub body: Option<String>,
    /// The hash of the body.
    pub commitment: String,
    /// The first entry of the journal that it appended.
    pub first_seq: Option<i64>,
    /// The last one.
    pub last_seq: Option<i64>,
    /// The action that it takes back.
    pub undoes: Option<i64>,
    /// Follows from the row and from the hash before it.
    pub hash: String,
}

impl Record {
    /// A field of the body: `arguments` or `reason`; null if it was erased.
    pub fn field(&self, name: &str) -> Value {
        let body = self.body.as_deref().and_then(|body| serde_json::from_str::<Value>(body).ok());
        body.and_then(|mut body| body.get_mut(name).map(Value::take)).unwrap_or_default()
    }

    /// What its hash is made from.
    fn parts(&self, before: &str) -> [String; 10] {
        let number = |number: Option<i64>| number.map(|it| it.to_string()).unwrap_or_default();
        [
            before.to_owned(),
            self.id.to_string(),
            self.at_ms.to_string(),
            self.actor.clone(),
            self.action.clone(),
            self.object.clone(),
            self.commitment.clone(),
            number(self.first_seq),
            number(self.last_seq),
            number(self.undoes),
        ]
    }
}

/// An action to be recorded.
pub(crate) struct NewAction<'a> {
    pub(crate) actor: &'a str,
    pub(crate) action: &'a str,
    /// What it is about, at least one.
    pub(crate) objects: &'a [String],
    /// JSON of what puts it back; `None` if nothing does.
    pub(crate) restore: Option<String>,
    pub(crate) arguments: &'a Value,
    pub(crate) reason: &'a str,
    /// The first and the last entry that it appended.
    pub(crate) seqs: Option<(i64, i64)>,
    pub(crate) undoes: Option<i64>,
}

/// The last action of all, which the next one follows.
#[derive(Default, sqlx::FromRow)]
pub(crate) struct Last {
    id: i64,
    hash: String,
    /// The last one of those that were asked for; 0 if there is none.
    #[sqlx(default)]
    pub(crate) head: i64,
}

const COLUMNS: &str = "select id, at_ms, actor, action, object, body, commitment, first_seq, \
                       last_seq, undoes, hash from actions";

/// Actor of the command line, in the record. It is longer than the name of an organizer may be.
pub const COMMAND_LINE: &str = "somebody at the command line";

/// Who acts when a team does something about itself: nobody's name.
pub const OWN_TEAM: &str = "";

/// Objects of one statement.
const OBJECTS_MAX: usize = 250;

/// What actions are sealed for.
const RESTORE: &str = "restore of an act";

/// The last action. Whoever appends the next one holds the lock on accounts since before.
pub(crate) async fn last_in(tx: &mut Tx) -> Result<Last> {
    let sql = "select id, hash from actions order by id desc limit 1";
    let last: Option<Last> = on!(tx, conn => sqlx::query_as(sql).fetch_optional(conn).await?);
    Ok(last.unwrap_or_default())
}

/// Records an action after the last one, in the transaction that does it, which holds the lock on
/// accounts.
pub(crate) async fn append(
    tx: &mut Tx,
    seal: &Seal,
    new: &NewAction<'_>,
    last: &Last,
    now_ms: i64,
) -> Result<Record> {
    let bits = rand::random_range(0..=STEP_BITS_MAX);
    let id = last.id + rand::random_range(1..=1 << bits);
    let salt = format!("{:032x}", rand::random::<u128>());
    let body = serde_json::json!({
        "salt": salt, "arguments": new.arguments, "reason": new.reason,
    });
    let body = body.to_string();
    let mut row = Record {
        id,
        at_ms: now_ms,
        actor: new.actor.to_owned(),
        action: new.action.to_owned(),
        object: new.objects.join(","),
        commitment: token_hash(&body),
        body: Some(body),
        first_seq: new.seqs.map(|(first, _)| first),
        last_seq: new.seqs.map(|(_, last)| last),
        undoes: new.undoes,
        hash: String::new(),
    };
    row.hash = seal.action_hash(&row.parts(&last.hash));
    on!(tx, conn => {
        let sql = "insert into actions (id, at_ms, actor, action, object, body, commitment, \
                   first_seq, last_seq, undoes, hash) \
                   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        sqlx::query(sql).bind(row.id).bind(row.at_ms).bind(&row.actor).bind(&row.action)
            .bind(&row.object).bind(&row.body).bind(&row.commitment).bind(row.first_seq)
            .bind(row.last_seq).bind(row.undoes).bind(&row.hash).execute(&mut *conn).await?;
        for objects in new.objects.chunks(OBJECTS_MAX) {
            let sql = "insert into action_objects (object, action_id, action) ";
            let mut insert = QueryBuilder::new(sql);
            insert.push_values(objects, |mut line, object| {
                line.push_bind(object).push_bind(row.id).push_bind(&row.action);
            });
            insert.build().execute(&mut *conn).await?;
        }
        if let Some(restore) = &new.restore {
            let sealed = seal.actions_key().seal(RESTORE, &row.id.to_string(), restore.as_bytes());
            sqlx::query("insert into action_restores (action_id, sealed) values ($1, $2)")
                .bind(row.id).bind(sealed).execute(conn).await?;
        }
    });
    Ok(row)
}

/// What puts back what an action changed; `None` if nothing does.
pub(crate) async fn restore_in(tx: &mut Tx, seal: &Seal, id: i64) -> Result<Option<String>> {
    let sql = "select sealed from action_restores where action_id = $1";
    let sealed: Option<String> =
        on!(tx, conn => sqlx::query_scalar(sql).bind(id).fetch_optional(conn).await?);
    sealed.map(|sealed| open_restore(seal, id, &sealed)).transpose()
}

fn open_restore(seal: &Seal, id: i64, sealed: &str) -> Result<String> {
    let plain = seal.actions_key().unseal(RESTORE, &id.to_string(), sealed);
    let text = plain.and_then(|plain| String::from_utf8(plain).ok());
    text.ok_or_else(|| {
        StoreError::Corrupt(format!("what puts action {id} back is not as it was kept"))
    })
}

/// The undo data of `actions` about an object, the newest first.
pub(crate) async fn restores_about_in(
    tx: &mut Tx,
    seal: &Seal,
    object: &str,
    actions: &[&str],
) -> Result<Vec<String>> {
    let rows: Vec<(i64, String)> = on!(tx, conn => {
        let sql = "select action_restores.action_id, sealed from action_restores \
                   join action_objects on action_objects.action_id = action_restores.action_id \
                   where object = ";
        let mut query = QueryBuilder::new(sql);
        query.push_bind(object);
        one_of(&mut query, "action", actions.iter().copied());
        query.push(" order by action_restores.action_id desc");
        query.build_query_as().fetch_all(conn).await?
    });
    rows.into_iter().map(|(id, sealed)| open_restore(seal, id, &sealed)).collect()
}

/// Those of some actions that something puts back.
pub async fn undoable(db: &Db, ids: &[i64]) -> Result<Vec<i64>> {
    let (Some(first), Some(last)) = (ids.iter().min(), ids.iter().max()) else {
        return Ok(Vec::new());
    };
    let mut conn = db.read().await?;
    let sql = "select action_id from action_restores where action_id between $1 and $2";
    Ok(on!(&mut conn, conn => {
        sqlx::query_scalar(sql).bind(first).bind(last).fetch_all(conn).await?
    }))
}

pub(crate) async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Record>> {
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} where id = $1"));
    Ok(on!(tx, conn => sqlx::query_as(sql).bind(id).fetch_optional(conn).await?))
}

/// An action.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Record>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// Goes on with a condition: a column has one of these, of which there is at least one.
fn one_of<'q, D>(query: &mut QueryBuilder<D>, column: &str, of: impl IntoIterator<Item = &'q str>)
where
    D: Database,
    &'q str: Encode<'q, D> + Type<D>,
{
    let mut listed = query.push(format!(" and {column} in (")).separated(", ");
    for it in of {
        listed.push_bind(it);
    }
    query.push(")");
}

/// Those of `actions` before one, the newest first.
pub async fn before(db: &Db, id: i64, actions: &[&str], count_max: i64) -> Result<Vec<Record>> {
    let mut conn = db.read().await?;
    Ok(on!(&mut conn, conn => {
        let mut query = QueryBuilder::new(format!("{COLUMNS} where id < "));
        query.push_bind(id);
        one_of(&mut query, "action", actions.iter().copied());
        query.push(" order by id desc limit ").push_bind(count_max);
        query.build_query_as().fetch_all(conn).await?
    }))
}

/// How actions name a team.
pub fn team_object(account_id: i64) -> String {
    format!("team {account_id}")
}

/// How actions name what a team is called.
pub fn name_object(account_id: i64) -> String {
    format!("name {account_id}")
}

/// How actions name the solve of a challenge by a team.
pub fn solve_object(account_id: i64, challenge: &str) -> String {
    format!("solve {account_id} {challenge}")
}

/// How actions name what two teams have in common, or what is evidence about one.
pub fn evidence_object(team: TeamId, other: Option<TeamId>) -> String {
    match other {
        Some(other) => format!("evidence {} {}", team.min(other).0, team.max(other).0),
        None => format!("evidence {}", team.0),
    }
}

/// Those of `actions` about a team or a solve of it, before a time and an id, the newest first.
pub(crate) async fn about_team(
    db: &Db,
    account_id: i64,
    actions: &[&str],
    (at_ms, id): (i64, i64),
    count_max: i64,
) -> Result<Vec<Record>> {
    let mut conn = db.read().await?;
    Ok(on!(&mut conn, conn => {
        let sql = "where id in (select action_id from action_objects where (object in (";
        let mut query = QueryBuilder::new(format!("{COLUMNS} {sql}"));
        query.push_bind(team_object(account_id)).push(", ").push_bind(name_object(account_id));
        query.push(") or object like ").push_bind(solve_object(account_id, "%")).push(")");
        one_of(&mut query, "action", actions.iter().copied());
        query.push(") and at_ms <= ").push_bind(at_ms);
        query.push(" and (at_ms < ").push_bind(at_ms).push(" or id < ").push_bind(id);
        query.push(") order by at_ms desc, id desc limit ").push_bind(count_max);
        query.build_query_as().fetch_all(conn).await?
    }))
}

/// The first actions after one, the oldest first.
pub async fn after(db: &Db, id: i64, count_max: i64) -> Result<Vec<Record>> {
    let mut conn = db.read().await?;
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} where id > $1 order by id limit $2"));
    Ok(on!(&mut conn, conn => {
        sqlx::query_as(sql).bind(id).bind(count_max).fetch_all(conn).await?
    }))
}

/// The id of the last action; 0 if there is none.
pub async fn last(db: &Db) -> Result<i64> {
    let mut conn = db.read().await?;
    let sql = "select coalesce(max(id), 0) from actions";
    Ok(on!(&mut conn, conn => sqlx::query_scalar(sql).fetch_one(conn).await?))
}

/// The last action, with the last one of `actions` about any of some objects; `None` for all
/// actions.
pub(crate) async fn last_of_in(
    tx: &mut Tx,
    objects: &[String],
    actions: Option<&[&str]>,
) -> Result<Last> {
    if objects.is_empty() {
        return last_in(tx).await;
    }
    let mut last = Last::default();
    let mut head = 0;
    for objects in objects.chunks(OBJECTS_MAX) {
        // One statement: the lane waits for it.
        let found: Option<Last> = on!(tx, conn => {
            let sql = "select id, hash, \
                       coalesce((select max(action_id) from action_objects where true";
            let mut query = QueryBuilder::new(sql);
            one_of(&mut query, "object", objects.iter().map(String::as_str));
            if let Some(actions) = actions {
                one_of(&mut query, "action", actions.iter().copied());
            }
            query.push("), 0) as head from actions order by id desc limit 1");
            query.build_query_as().fetch_optional(conn).await?
        });
        last = found.unwrap_or_default();
        head = head.max(last.head);
    }
    Ok(Last { head, ..last })
}

/// Who did the last action about an object, and when, in epoch milliseconds.
pub(crate) async fn last_about_in(tx: &mut Tx, object: &str) -> Result<(String, i64)> {
    let sql = "select actor, at_ms from actions where id = \
               (select max(action_id) from action_objects where object = $1)";
    let found: Option<(String, i64)> =
        on!(tx, conn => sqlx::query_as(sql).bind(object).fetch_optional(conn).await?);
    Ok(found.unwrap_or_default())
}

/// A later action about the same object.
#[derive(sqlx::FromRow)]
pub(crate) struct Later {
    pub(crate) id: i64,
    /// Its name: `team.ban`.
    pub(crate) action: String,
    /// Its objects, separated by commas.
    pub(crate) object: String,
}

/// The actions after one about an object of it that stand and could be taken back, or applied
/// files, the newest first.
pub(crate) async fn standing_after_in(tx: &mut Tx, id: i64) -> Result<Vec<Later>> {
    let sql = "select distinct actions.id, actions.action, actions.object \
               from action_objects later join actions on actions.id = later.action_id \
               join action_objects own on own.object = later.object and own.action_id = $1 \
               left join action_restores on action_restores.action_id = later.action_id \
               where later.action_id > $1 \
               and (action_restores.action_id is not null or later.action = $2) \
               and not exists (select 1 from actions undo where undo.undoes = later.action_id) \
               order by actions.id desc";
    Ok(on!(tx, conn => sqlx::query_as(sql).bind(id).bind(APPLY).fetch_all(conn).await?))
}

/// The actions about some objects that stand and could be taken back, the newest first.
pub async fn standing_about_in(tx: &mut Tx, objects: &[String]) -> Result<Vec<(i64, String)>> {
    let mut all: Vec<(i64, String)> = Vec::new();
    for objects in objects.chunks(OBJECTS_MAX) {
        let found: Vec<(i64, String)> = on!(&mut *tx, conn => {
            let sql = "select distinct action_objects.action_id, action from action_objects \
                       join action_restores \
                       on action_restores.action_id = action_objects.action_id where not exists \
                       (select 1 from actions where actions.undoes = action_objects.action_id)";
            let mut query = QueryBuilder::new(sql);
            one_of(&mut query, "object", objects.iter().map(String::as_str));
            query.build_query_as().fetch_all(conn).await?
        });
        all.extend(found);
    }
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.dedup();
    Ok(all)
}

/// The actions that were taken back, of these.
pub async fn undone(db: &Db, ids: &[i64]) -> Result<Vec<(i64, i64)>> {
    let (Some(first), Some(last)) = (ids.iter().min(), ids.iter().max()) else {
        return Ok(Vec::new());
    };
    let mut conn = db.read().await?;
    let sql = "select undoes, id from actions where undoes between $1 and $2";
    Ok(on!(&mut conn, conn => sqlx::query_as(sql).bind(first).bind(last).fetch_all(conn).await?))
}

/// How many of `actions` an organizer did since a time.
pub async fn count_in(tx: &mut Tx, actor: &str, actions: &[&str], since_ms: i64) -> Result<i64> {
    Ok(on!(tx, conn => {
        let mut query = QueryBuilder::new("select count(*) from actions where actor = ");
        query.push_bind(actor).push(" and at_ms > ").push_bind(since_ms);
        one_of(&mut query, "action", actions.iter().copied());
        query.build_query_scalar().fetch_one(conn).await?
    }))
}

/// How often a team did an action about itself since a time.
pub(crate) async fn own_since_in(
    tx: &mut Tx,
    object: &str,
    action: &str,
    since_ms: i64,
) -> Result<i64> {
    let sql = "select count(*) from actions where actor = $1 and at_ms > $2 and id in \
               (select action_id from action_objects where object = $3 and action = $4)";
    Ok(on!(tx, conn => {
        sqlx::query_scalar(sql).bind(OWN_TEAM).bind(since_ms).bind(object).bind(action)
            .fetch_one(conn).await?
    }))
}

/// The action that took one back.
pub(crate) async fn undone_by_in(tx: &mut Tx, id: i64) -> Result<Option<i64>> {
    let sql = "select id from actions where undoes = $1";
    Ok(on!(tx, conn => sqlx::query_scalar(sql).bind(id).fetch_optional(conn).await?))
}

/// Checks the chain and the bodies that were not erased.
///
/// # Errors
/// [`StoreError::Corrupt`] names the first action that is not as it was written.
pub async fn verify(db: &Db, seal: &Seal) -> Result<usize> {
    let mut tx = db.snapshot().await?;
    let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} order by id"));
    let all: Vec<Record> = on!(&mut tx, conn => sqlx::query_as(sql).fetch_all(conn).await?);
    let mut before = String::new();
    for action in &all {
        let is_body = action.body.as_ref().is_none_or(|body| token_hash(body) == action.commitment);
        if !is_body || seal.action_hash(&action.parts(&before)) != action.hash {
            let id = action.id;
            return Err(StoreError::Corrupt(format!("action {id} is not as it was recorded")));
        }
        before.clone_from(&action.hash);
    }
    Ok(all.len())
}
