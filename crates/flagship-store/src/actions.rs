//! The audit log: an append-only table, each row chained to the hash of the previous row. Unlike
//! the journal, the audit log stores actors and reasons.

pub mod idempotency;

use flagship_game::TeamId;
use serde_json::Value;
use sqlx::{Database, Encode, QueryBuilder, Type};

use crate::engine::{Tx, insert, on, push_list, run};
use crate::key::token_hash;
use crate::{Db, Result, Seal, StoreError};

/// Maximum random bits in the step between two ids. The number of bits is chosen uniformly, so a
/// long step does not prove that actions are hidden in between.
const STEP_BITS_MAX: u32 = 20;

/// Name of the action that applies the event files. It cannot be undone, and it blocks the undo of
/// earlier actions.
pub const APPLY: &str = "event.apply";

/// A stored action.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Record {
    /// Id. Ids increase in random steps, so that gaps do not reveal actions that the viewer may not
    /// see.
    pub id: i64,
    /// Time, in epoch milliseconds.
    pub at_ms: i64,
    /// The organizer's name.
    pub actor: String,
    /// Name of the action: `team.ban`.
    pub action: String,
    /// Objects that the action is about: `team 7`. Several objects are separated by commas.
    pub object: String,
    /// JSON with a salt, the arguments and the reason; `None` once erased.
    pub body: Option<String>,
    /// Hash of the body.
    pub commitment: String,
    /// First journal entry that the action appended.
    pub first_seq: Option<i64>,
    /// Last journal entry that the action appended.
    pub last_seq: Option<i64>,
    /// Id of the action that this one undoes.
    pub undoes: Option<i64>,
    /// Hash over the row and the previous hash.
    pub hash: String,
}

impl Record {
    /// Returns a field of the body, `arguments` or `reason`; null if the body was erased.
    pub fn field(&self, name: &str) -> Value {
        let body = self.body.as_deref().and_then(|body| serde_json::from_str::<Value>(body).ok());
        body.and_then(|mut body| body.get_mut(name).map(Value::take)).unwrap_or_default()
    }

    /// Inputs of the hash.
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

/// A new action for the audit log.
pub(crate) struct NewAction<'a> {
    pub(crate) actor: &'a str,
    pub(crate) action: &'a str,
    /// Objects that the action is about; at least one.
    pub(crate) objects: &'a [String],
    /// Undo data as JSON; `None` if the action cannot be undone.
    pub(crate) restore: Option<String>,
    pub(crate) arguments: &'a Value,
    pub(crate) reason: &'a str,
    /// First and last journal entry that the action appended.
    pub(crate) seqs: Option<(i64, i64)>,
    pub(crate) undoes: Option<i64>,
}

/// The most recent action, to which the next one is chained.
#[derive(Default, sqlx::FromRow)]
pub(crate) struct LastAction {
    id: i64,
    hash: String,
    /// Id of the last matching action; 0 if there is none.
    #[sqlx(default)]
    pub(crate) head: i64,
}

pub(crate) const COLUMNS: &str = "select id, at_ms, actor, action, object, body, commitment, \
    first_seq, last_seq, undoes, hash from actions";

/// Actor name of the command line. It exceeds the maximum length of an organizer's name.
pub const COMMAND_LINE: &str = "somebody at the command line";

/// Actor name for a team's actions on its own account: empty.
pub const OWN_TEAM: &str = "";

/// Maximum objects per statement.
const OBJECTS_MAX: usize = 250;

/// Purpose of the seal of undo data.
const RESTORE: &str = "restore of an act";

/// Returns the last action. To append the next one, the caller must already hold the accounts lock.
pub(crate) async fn last_in(tx: &mut Tx) -> Result<LastAction> {
    let sql = "select id, hash from actions order by id desc limit 1";
    let last: Option<LastAction> = run!(tx => query_as(sql).fetch_optional);
    Ok(last.unwrap_or_default())
}

/// Appends an action to the audit log, in the transaction that performs it. The transaction must
/// hold the accounts lock.
pub(crate) async fn append(
    tx: &mut Tx,
    seal: &Seal,
    new: &NewAction<'_>,
    last: &LastAction,
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

/// Records an operation that ran outside of the lane, is about one object and cannot be undone.
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

/// Returns the undo data of an action; `None` if it cannot be undone.
pub(crate) async fn restore_in(tx: &mut Tx, seal: &Seal, id: i64) -> Result<Option<String>> {
    let sql = "select sealed from action_restores where action_id = $1";
    let sealed: Option<String> = run!(tx => query_scalar(sql, id).fetch_optional);
    sealed.map(|sealed| open_restore(seal, id, &sealed)).transpose()
}

fn open_restore(seal: &Seal, id: i64, sealed: &str) -> Result<String> {
    seal.open_text(RESTORE, &id.to_string(), sealed)
        .ok_or_else(|| StoreError::Corrupt(format!("the undo data of action {id} was modified")))
}

/// Returns the undo data of `actions` about an object, newest first.
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

/// Returns which of these actions can be undone.
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

/// Returns an action.
pub async fn by_id(db: &Db, id: i64) -> Result<Option<Record>> {
    by_id_in(&mut db.snapshot().await?, id).await
}

/// Appends the condition that a column has one of these values; at least one is required.
pub(crate) fn one_of<'q, D: Database>(
    query: &mut QueryBuilder<D>,
    column: &str,
    of: impl IntoIterator<Item = &'q str>,
) where
    &'q str: Encode<'q, D> + Type<D>,
{
    push_list(query.push(format!(" and {column} in ")), of);
}

/// Returns the actions named in `actions` before an id, newest first.
pub async fn before(db: &Db, id: i64, actions: &[&str], count_max: i64) -> Result<Vec<Record>> {
    Ok(on!(db.read(), conn => {
        let mut query = QueryBuilder::new(format!("{COLUMNS} where id < "));
        query.push_bind(id);
        one_of(&mut query, "action", actions.iter().copied());
        query.push(" order by id desc limit ").push_bind(count_max);
        query.build_query_as().fetch_all(conn).await?
    }))
}

/// Object name of a team.
pub fn team_object(account_id: i64) -> String {
    format!("team {account_id}")
}

/// Object name of a team's name.
pub fn name_object(account_id: i64) -> String {
    format!("name {account_id}")
}

/// Object name of a team's solve.
pub fn solve_object(account_id: i64, challenge: &str) -> String {
    format!("solve {account_id} {challenge}")
}

/// Object name of the evidence about one or two teams.
pub fn evidence_object(team: TeamId, other: Option<TeamId>) -> String {
    match other {
        Some(other) => format!("evidence {} {}", team.min(other).0, team.max(other).0),
        None => format!("evidence {}", team.0),
    }
}

/// Returns the first actions after an id, oldest first.
pub async fn after(db: &Db, id: i64, count_max: i64) -> Result<Vec<Record>> {
    Ok(run!(db.read() => query_as(COLUMNS + " where id > $1 order by id limit $2", id, count_max)
        .fetch_all))
}

/// The id of the last action; 0 if there is none.
pub async fn last(db: &Db) -> Result<i64> {
    let sql = "select coalesce(max(id), 0) from actions";
    Ok(run!(db.read() => query_scalar(sql).fetch_one))
}

/// Returns the last action of all, with the id of the last action about any of `objects` as its
/// head. Only actions named in `actions` count for the head; `None` counts all.
pub(crate) async fn last_of_in(
    tx: &mut Tx,
    objects: &[String],
    actions: Option<&[&str]>,
) -> Result<LastAction> {
    if objects.is_empty() {
        return last_in(tx).await;
    }
    let mut last = LastAction::default();
    let mut head = 0;
    for objects in objects.chunks(OBJECTS_MAX) {
        // Single statement, because the lane waits for it.
        let found: Option<LastAction> = on!(tx, conn => {
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
    Ok(LastAction { head, ..last })
}

/// Returns the actions about an object that are named in `actions`, newest first.
pub(crate) async fn about_in(tx: &mut Tx, object: &str, actions: &[&str]) -> Result<Vec<Record>> {
    Ok(on!(tx, conn => {
        let sql = "where id in (select action_id from action_objects where object = ";
        let mut query = QueryBuilder::new(format!("{COLUMNS} {sql}"));
        query.push_bind(object);
        one_of(&mut query, "action", actions.iter().copied());
        query.push(") order by id desc");
        query.build_query_as().fetch_all(conn).await?
    }))
}

/// A later action about the same object.
#[derive(sqlx::FromRow)]
pub(crate) struct LaterAction {
    pub(crate) id: i64,
    /// Name of the action: `team.ban`.
    pub(crate) action: String,
    /// Objects, separated by commas.
    pub(crate) object: String,
}

/// Returns later actions that share an object with this action, newest first: those that can still
/// be undone, and those that applied event files.
pub(crate) async fn undoable_after_in(tx: &mut Tx, id: i64) -> Result<Vec<LaterAction>> {
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

/// Returns the actions about these objects that can still be undone, newest first.
pub async fn undoable_about_in(tx: &mut Tx, objects: &[String]) -> Result<Vec<(i64, String)>> {
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

/// Returns which of these actions were undone, each with the id of its undo.
pub async fn undone(db: &Db, ids: &[i64]) -> Result<Vec<(i64, i64)>> {
    let (Some(first), Some(last)) = (ids.iter().min(), ids.iter().max()) else {
        return Ok(Vec::new());
    };
    let sql = "select undoes, id from actions where undoes between $1 and $2";
    Ok(run!(db.read() => query_as(sql, first, last).fetch_all))
}

/// Number of an organizer's actions since a time. Counts only actions named in `actions`.
pub async fn count_in(tx: &mut Tx, actor: &str, actions: &[&str], since_ms: i64) -> Result<i64> {
    Ok(on!(tx, conn => {
        let mut query = QueryBuilder::new("select count(*) from actions where actor = ");
        query.push_bind(actor).push(" and at_ms > ").push_bind(since_ms);
        one_of(&mut query, "action", actions.iter().copied());
        query.build_query_scalar().fetch_one(conn).await?
    }))
}

/// Number of objects of an organizer's actions since a time. Counts only actions named in
/// `actions`.
pub async fn count_objects_in(
    tx: &mut Tx,
    actor: &str,
    actions: &[&str],
    since_ms: i64,
) -> Result<i64> {
    Ok(on!(tx, conn => {
        let sql = "select coalesce(sum(1 + length(object) - length(replace(object, ',', ''))), 0) \
                   from actions where actor = ";
        let mut query = QueryBuilder::new(sql);
        query.push_bind(actor).push(" and at_ms > ").push_bind(since_ms);
        one_of(&mut query, "action", actions.iter().copied());
        query.build_query_scalar().fetch_one(conn).await?
    }))
}

/// Number of times a team performed an action on its own account since a time.
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

/// Returns the id of the action that undid this one.
pub(crate) async fn undone_by_in(tx: &mut Tx, id: i64) -> Result<Option<i64>> {
    let sql = "select id from actions where undoes = $1";
    Ok(run!(tx => query_scalar(sql, id).fetch_optional))
}

/// Checks the hash chain and the bodies that were not erased.
///
/// # Errors
/// [`StoreError::Corrupt`] names the first modified action.
pub async fn verify(db: &Db, seal: &Seal) -> Result<usize> {
    let all: Vec<Record> = run!(db.snapshot() => query_as(COLUMNS + " order by id").fetch_all);
    let mut before = String::new();
    for action in &all {
        let is_body = action.body.as_ref().is_none_or(|body| token_hash(body) == action.commitment);
        if !is_body || seal.action_hash(&action.parts(&before)) != action.hash {
            let id = action.id;
            return Err(StoreError::Corrupt(format!("action {id} was modified")));
        }
        before.clone_from(&action.hash);
    }
    Ok(all.len())
}
