//! Places of an event with a maximum number of teams, and its waiting list.
//!
//! A place is held by each team that is neither hidden, banned nor erased, and by each signup that
//! is not confirmed yet. Signups without a place wait. A confirmed one joins when its turn comes;
//! others are passed over. All decisions hold the accounts lock, so they are atomic over all nodes.

use flagship_game::Contest;

use crate::accounts::{Account, UNCONFIRMED_MS};
use crate::engine::{Tx, on, push_list, run};
use crate::{Db, Result, accounts};

/// Time for which an unconfirmed signup holds its place while a confirmed team waits, in
/// milliseconds.
pub const HELD_MS: i64 = 3_600_000;
/// Maximum ids per statement.
const IDS_MAX: usize = 500;

/// Rules about the number of teams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capacity {
    /// Maximum number of teams; `None` for no maximum.
    pub teams_max: Option<i64>,
    /// True if teams can wait for a place.
    pub has_waiting_list: bool,
}

/// Decision about a new signup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// The signup gets a place.
    Place,
    /// The signup goes to the end of the waiting list.
    Waits,
    /// The event is full, and has no waiting list.
    Full,
}

/// Places at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Places {
    /// Number of free places. Negative if the maximum was lowered.
    free: i64,
    /// Number of confirmed teams that wait.
    waiting: i64,
}

impl Places {
    /// True if a place is left for a new signup.
    fn has_room(self) -> bool {
        self.free > self.waiting
    }
}

/// Decides about a new signup in a transaction that holds the accounts lock.
pub async fn admission_in(
    tx: &mut Tx,
    capacity: Capacity,
    contest: &Contest,
    now_ms: i64,
) -> Result<Admission> {
    if capacity.teams_max.is_none() {
        return Ok(Admission::Place);
    }
    end_late_holds_in(tx, now_ms).await?;
    let places = places_in(tx, capacity, contest, now_ms).await?;
    Ok(match (places.has_room(), capacity.has_waiting_list) {
        (true, _) => Admission::Place,
        (false, true) => Admission::Waits,
        (false, false) => Admission::Full,
    })
}

/// True if a new signup gets no place now. Only [`admission_in`] within the transaction of the
/// signup decides.
pub async fn is_full(db: &Db, capacity: Capacity, contest: &Contest, now_ms: i64) -> Result<bool> {
    if capacity.teams_max.is_none() {
        return Ok(false);
    }
    let places = places_in(&mut db.snapshot().await?, capacity, contest, now_ms).await?;
    Ok(!places.has_room())
}

/// Returns confirmed teams whose turn has come, in the order of their signups, at most `count_max`.
pub async fn next(
    db: &Db,
    capacity: Capacity,
    contest: &Contest,
    count_max: i64,
    now_ms: i64,
) -> Result<Vec<Account>> {
    let mut tx = db.snapshot().await?;
    if waiting_in(&mut tx, None).await? == 0 {
        return Ok(Vec::new());
    }
    next_in(&mut tx, capacity, contest, count_max, now_ms).await
}

/// Like [`next`], within a transaction.
pub(crate) async fn next_in(
    tx: &mut Tx,
    capacity: Capacity,
    contest: &Contest,
    count_max: i64,
    now_ms: i64,
) -> Result<Vec<Account>> {
    let free = places_in(tx, capacity, contest, now_ms).await?.free;
    if free <= 0 {
        return Ok(Vec::new());
    }
    accounts::waiting_in(tx, free.min(count_max)).await
}

/// True if an account on the list can join now: a place is left after the confirmed teams that
/// signed up earlier. Requires the accounts lock.
pub(crate) async fn is_next_in(
    tx: &mut Tx,
    account: &Account,
    capacity: Capacity,
    contest: &Contest,
    now_ms: i64,
) -> Result<bool> {
    let free = places_in(tx, capacity, contest, now_ms).await?.free;
    let number = account.signup_number.unwrap_or_default();
    Ok(free > waiting_in(tx, Some(number)).await?)
}

/// Takes an account off the list. Requires the accounts lock.
pub(crate) async fn leave_in(tx: &mut Tx, id: i64) -> Result<()> {
    let sql = "update accounts set waiting_since_ms = null where id = $1";
    run!(tx => query(sql, id).execute);
    Ok(())
}

/// Puts signups on the list that were not confirmed within [`HELD_MS`], if a confirmed team waits
/// for their places. Requires the accounts lock.
pub(crate) async fn end_late_holds_in(tx: &mut Tx, now_ms: i64) -> Result<()> {
    let sql = "update accounts set waiting_since_ms = $1 where confirmed_at_ms is null \
               and waiting_since_ms is null and created_at_ms <= $2 and exists (select 1 \
               from accounts w where w.waiting_since_ms is not null \
               and w.confirmed_at_ms is not null)";
    run!(tx => query(sql, now_ms, now_ms - HELD_MS).execute);
    Ok(())
}

async fn places_in(
    tx: &mut Tx,
    capacity: Capacity,
    contest: &Contest,
    now_ms: i64,
) -> Result<Places> {
    let waiting = waiting_in(tx, None).await?;
    let Some(teams_max) = capacity.teams_max else {
        return Ok(Places { free: i64::MAX, waiting });
    };
    let held_ms = if waiting > 0 { HELD_MS } else { UNCONFIRMED_MS };
    let sql = "select count(*) from accounts where waiting_since_ms is null \
               and erased_at_ms is null \
               and (confirmed_at_ms is not null or created_at_ms > $1)";
    let holders: i64 = run!(&mut *tx => query_scalar(sql, now_ms - held_ms).fetch_one);
    let holders = holders - uncounted_in(tx, contest).await?;
    Ok(Places { free: teams_max - holders, waiting })
}

/// Number of confirmed teams on the list, or of those with a signup before `number`.
async fn waiting_in(tx: &mut Tx, number: Option<i64>) -> Result<i64> {
    let sql = "select count(*) from accounts where waiting_since_ms is not null \
               and confirmed_at_ms is not null and coalesce(signup_number, 0) < $1";
    let number = number.unwrap_or(i64::MAX);
    Ok(run!(tx => query_scalar(sql, number).fetch_one))
}

/// Number of accounts whose teams hold no place: hidden and banned ones. The fold can be older than
/// the transaction, but only an organizer's change makes a difference.
async fn uncounted_in(tx: &mut Tx, contest: &Contest) -> Result<i64> {
    let uncounted = contest.teams().filter(|team| team.hidden || team.banned);
    let ids: Vec<i64> = uncounted.map(|team| team.id.0).collect();
    let mut all = 0;
    for ids in ids.chunks(IDS_MAX) {
        let count: i64 = on!(&mut *tx, conn => {
            let sql = "select count(*) from accounts where waiting_since_ms is null \
                       and erased_at_ms is null and id in ";
            let mut query = sqlx::QueryBuilder::new(sql);
            push_list(&mut query, ids);
            query.build_query_scalar().fetch_one(conn).await?
        });
        all += count;
    }
    Ok(all)
}
