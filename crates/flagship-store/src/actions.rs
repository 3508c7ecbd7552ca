//! What organizers did: a table that only grows, each row with a hash that follows from the one
//! before. It says who and why, which the journal does not.

pub mod idempotency;

use flagship_game::TeamId;
use serde_json::Value;
use sqlx::{Database, Encode, QueryBuilder, Type};

use crate::engine::{Tx, insert, on, push_list, run};
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

pub(crate) const COLUMNS: &str = "select id, at_ms, actor, action, object, body, commitment, \
    first_seq, last_seq, undoes, hash from actions";

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
    let last: Option<Last> = run!(tx => query_as(sql).fetch_optional);
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
    let sql = "insert into actions (id, at_ms, actor, action, object, body, commitment, \
               first_seq, last_seq, undoes, hash) \
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    run!(tx => query(sql, row.id, row.at_ms, &row.actor, &row.action, &row.object, &row.body,
        &row.commitment, row.first_seq, row.last_seq, row.undoes, &row.hash).execute);
    for objects in new.objects.chunks(OBJECTS_MAX) {
        let sql = "insert into action_objects (object, action_id, action) ";
        insert!(tx => sql, objects, |object| (object, row.id, &row.action), "");
    }
    if let Some(restore) = &new.restore {
        let sealed = seal.seal_text(RESTORE, &row.id.to_string(), restore);
        let sql = "insert into action_restores (action_id, sealed) values ($1, $2)";
        run!(tx => query(sql, row.id, sealed).execute);
    }
    Ok(row)
}

/// Records what an actor did outside of the lane, about one object; nothing puts it back.
pub(crate) async fn record(
    tx: &mut Tx,
    seal: &Seal,
    (actor, action): (&str, &str),
    object: &str,
    arguments: &Value,
    now_ms: i64,
) -> Result<()> {
    let new = NewAction {
        actor,
        action,
        objects: &[object.to_owned()],
        restore: None,
        arguments,
        reason: "",
        seqs: None,
        undoes: None,
    };
    let last = last_in(tx).await?;
    append(tx, seal, &new, &last, now_ms).await?;
    Ok(())
}

/// What puts back what an action changed; `None` if nothing does.
pub(crate) async fn restore_in(tx: &mut Tx, seal: &Seal, id: i64) -> Result<Option<String>> {
    let sql = "select sealed from action_restores where action_id = $1";
    let sealed: Option<String> = run!(tx => query_scalar(sql, id).fetch_optional);
    sealed.map(|sealed| open_restore(seal, id, &sealed)).transpose()
}

fn open_restore(seal: &Seal, id: i64, sealed: &str) -> Result<String> {
    seal.open_text(RESTORE, &id.to_string(), sealed).ok_or_else(|| {
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
    let sql = "select action_id from action_restores where action_id between $1 and $2";
    Ok(run!(db.read() => query_scalar(sql, first, last).fetch_all))
}

pub(crate) async fn by_id_in(tx: &mut Tx, id: i64) -> Result<Option<Record>> {
    Ok(run!(tx => query_as(COLUMNS + " where id = $1", id).fetch_optional))
}

/// An action.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Record>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// Goes on with a condition: a column has one of these, of which there is at least one.
pub(crate) fn one_of<'q, D: Database>(
    query: &mut QueryBuilder<D>,
    column: &str,
    of: impl IntoIterator<Item = &'q str>,
) where
    &'q str: Encode<'q, D> + Type<D>,
{
    push_list(query.push(format!(" and {column} in ")), of);
}

/// Those of `actions` before one, the newest first.
pub async fn before(db: &Db, id: i64, actions: &[&str], count_max: i64) -> Result<Vec<Record>> {
    Ok(on!(db.read(), conn => {
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

/// The first actions after one, the oldest first.
pub async fn after(db: &Db, id: i64, count_max: i64) -> Result<Vec<Record>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where id > $1 order by id limit $2", id, count_max)
        .fetch_all))
}

/// The id of the last action; 0 if there is none.
pub async fn last(db: &Db) -> Result<i64> {
    let sql = "select coalesce(max(id), 0) from actions";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
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
    let found: Option<(String, i64)> = run!(tx => query_as(sql, object).fetch_optional);
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
    Ok(run!(tx => query_as(sql, id, APPLY).fetch_all))
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
    let sql = "select undoes, id from actions where undoes between $1 and $2";
    Ok(run!(db.read() => query_as(sql, first, last).fetch_all))
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
    Ok(run!(tx => query_scalar(sql, OWN_TEAM, since_ms, object, action).fetch_one))
}

/// The action that took one back.
pub(crate) async fn undone_by_in(tx: &mut Tx, id: i64) -> Result<Option<i64>> {
    let sql = "select id from actions where undoes = $1";
    Ok(run!(tx => query_scalar(sql, id).fetch_optional))
}

/// Checks the chain and the bodies that were not erased.
///
/// # Errors
/// [`StoreError::Corrupt`] names the first action that is not as it was written.
pub async fn verify(db: &Db, seal: &Seal) -> Result<usize> {
    let all: Vec<Record> = run!(db.snapshot() => query_as(COLUMNS + " order by id").fetch_all);
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
