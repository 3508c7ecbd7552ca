//! Divisions with their private rules. The journal repeats the public part. The definitions contain
//! codes, so they are sealed under the event's secret.

use std::collections::{BTreeMap, HashMap, HashSet};

use flagship_game::division::{self, Division, DivisionId, DivisionRules};
use flagship_game::{Contest, TeamId};

use crate::accounts::Account;
pub(crate) use crate::accounts::memberships::{add_in, all_in, counts_in};
pub use crate::accounts::memberships::{of_account_in, of_accounts, set_in};
use crate::engine::Tx;
use crate::{Db, Result, Seal, StoreError, meta};

/// Meta key of the definitions.
const DEFINITIONS: &str = "divisions";
/// Purpose for which the definitions are sealed.
const PURPOSE: &str = "divisions of the event";

/// Returns all divisions with their rules.
pub async fn rules(db: &Db, seal: &Seal) -> Result<Vec<DivisionRules>> {
    rules_in(&mut db.snapshot().await?, seal).await
}

/// Like [`rules`], within a transaction.
pub async fn rules_in(tx: &mut Tx, seal: &Seal) -> Result<Vec<DivisionRules>> {
    let Some(sealed) = meta::get(tx, DEFINITIONS).await? else { return Ok(Vec::new()) };
    let text = seal.open_text(PURPOSE, DEFINITIONS, &sealed);
    let rules = text.and_then(|text| serde_json::from_str(&text).ok());
    rules.ok_or_else(|| StoreError::Corrupt("the divisions were modified".to_owned()))
}

pub(crate) async fn set_rules_in(tx: &mut Tx, seal: &Seal, rules: &[DivisionRules]) -> Result<()> {
    let text = serde_json::to_string(rules).expect("plain data");
    meta::set(tx, DEFINITIONS, &seal.seal_text(PURPOSE, DEFINITIONS, &text)).await
}

/// Returns all divisions with their rules, and the number of teams and signups in each.
pub async fn with_counts(
    db: &Db,
    seal: &Seal,
    contest: &Contest,
) -> Result<(Vec<DivisionRules>, HashMap<DivisionId, usize>)> {
    let mut tx = db.snapshot().await?;
    let rules = rules_in(&mut tx, seal).await?;
    let all = all_in(&mut tx).await?;
    let count = |id: &DivisionId| members_among(&all, contest, &rules, id).len();
    let counts = rules.iter().map(|it| (it.id().clone(), count(it.id()))).collect();
    Ok((rules, counts))
}

/// Returns the teams and signups whose membership in a division counts. `rules` are all divisions.
/// The teams of a public division are those of the fold, so that they stay after an erasure.
pub async fn members(
    db: &Db,
    contest: &Contest,
    rules: &[DivisionRules],
    id: &DivisionId,
) -> Result<HashSet<TeamId>> {
    let all = all_in(&mut db.snapshot().await?).await?;
    Ok(members_among(&all, contest, rules, id))
}

fn members_among(
    all: &BTreeMap<i64, Vec<DivisionId>>,
    contest: &Contest,
    rules: &[DivisionRules],
    id: &DivisionId,
) -> HashSet<TeamId> {
    let counts = |joined: &[DivisionId]| {
        division::effective(divisions(rules), joined).iter().any(|it| it.id == *id)
    };
    let stored = all.iter().filter(|(_, joined)| counts(joined));
    let mut members: HashSet<TeamId> = stored.map(|(account_id, _)| TeamId(*account_id)).collect();
    if contest.division(id.as_str()).is_some() {
        members.retain(|team| contest.team(*team).is_none());
        let recorded = contest.teams().filter(|it| contest.divisions_of(it).contains(id));
        members.extend(recorded.map(|it| it.id));
    }
    members
}

/// Returns the members of the division that replaces the student flag; `None` if there is none, so
/// that the flag of the account counts.
pub async fn students(db: &Db, seal: &Seal, contest: &Contest) -> Result<Option<HashSet<TeamId>>> {
    let rules = rules(db, seal).await?;
    match rules.iter().find(|it| it.division.student) {
        Some(student) => members(db, contest, &rules, student.id()).await.map(Some),
        None => Ok(None),
    }
}

/// Removes an account that is confirmed from the divisions for other email domains: its address may
/// have changed since it joined them.
pub(crate) async fn leave_other_domains_in(
    tx: &mut Tx,
    seal: &Seal,
    account: &Account,
) -> Result<()> {
    let joined = of_account_in(tx, account.id).await?;
    if joined.is_empty() {
        return Ok(());
    }
    let rules = rules_in(tx, seal).await?;
    let domain = account.email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let refuses =
        |id: &DivisionId| rules.iter().any(|it| it.id() == id && !it.accepts_domain(domain));
    let (left, kept): (Vec<_>, Vec<_>) = joined.into_iter().partition(refuses);
    match left.is_empty() {
        true => Ok(()),
        false => set_in(tx, account.id, &kept).await,
    }
}

fn divisions(rules: &[DivisionRules]) -> impl Iterator<Item = &Division> {
    rules.iter().map(|it| &it.division)
}

/// The public divisions among stored memberships.
pub fn public_of(rules: &[DivisionRules], joined: &[DivisionId]) -> Vec<DivisionId> {
    let is_private = |id: &DivisionId| rules.iter().any(|it| it.private && it.id() == id);
    let joined = division::effective(divisions(rules), joined).into_iter();
    joined.map(|it| it.id.clone()).filter(|id| !is_private(id)).collect()
}

/// Public divisions of an account that becomes a team.
pub(crate) async fn public_in(
    tx: &mut Tx,
    seal: &Seal,
    account_id: i64,
) -> Result<Vec<DivisionId>> {
    let joined = of_account_in(tx, account_id).await?;
    if joined.is_empty() {
        return Ok(Vec::new());
    }
    Ok(public_of(&rules_in(tx, seal).await?, &joined))
}
