//! Review of a plan before it is applied: the lines that describe its changes, and the verdict.

use std::path::Path;

use flagship_game::ChallengeId;
use flagship_pack::source::{State, three_way};
use flagship_pack::{Broken, Live, Pack, Problem, Settings, Severity, is_read, place};
use flagship_store::ops::{ApplyError, ChallengeChange, Plan, PlanStep, Preview};
use flagship_store::sources::{self, StoredSource};
use flagship_store::{Db, Seal, StoreError, settings};

use super::difference;
use super::live::{self, LiveChanges, Take};
use super::message::{FACTOR, apply_error_message};
use crate::node::settings::{at_start_in, live_over_site, over_site};

/// Options of an apply.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Side that wins where live edits and the files differ.
    pub take: Option<Take>,
    /// Confirmed number of destructive changes.
    pub confirm: Option<usize>,
    /// True to show the changes without applying them.
    pub dry_run: bool,
}

/// A plan compared with the live edits.
pub struct Comparison<'a> {
    pack: &'a Pack,
    plan: Plan,
    live: LiveChanges,
    wish: Wish,
}

/// Lines that describe a plan, and the verdict.
pub struct Review {
    /// Lines, in order.
    pub lines: Vec<String>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Decision about a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The plan is rejected, with the reason.
    Rejected(String),
    /// There is nothing to write.
    Unchanged,
    /// The changes were only to be shown; the message says why nothing was applied.
    Shown(String),
    /// The plan can be applied.
    Ready,
}

impl<'a> Comparison<'a> {
    /// Compares a plan of the files in `pack` with the live edits.
    ///
    /// # Errors
    /// Fails if the live edits cannot be read.
    pub async fn new(
        db: &Db,
        seal: &Seal,
        pack: &'a Pack,
        plan: Plan,
        wish: Wish,
    ) -> Result<Self, StoreError> {
        let live = LiveChanges::read(db, seal, &plan).await?;
        let confirmed = Some(wish.confirm.unwrap_or(0));
        let plan = Plan { live: live.decided(wish.take), confirmed, ..plan };
        Ok(Self { pack, plan, live, wish })
    }

    /// The plan, with the decisions about live edits.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the plan, with the decisions about live edits.
    pub fn into_plan(self) -> Plan {
        self.plan
    }

    /// Describes the changes in a preview of the plan, and decides whether it can be applied.
    ///
    /// # Errors
    /// Fails if the database cannot be read.
    pub async fn review(
        &self,
        db: &Db,
        seal: &Seal,
        mut preview: Preview,
    ) -> Result<Review, StoreError> {
        let Self { pack, plan, live, wish } = self;
        if let Some(why) = broken(pack, &preview) {
            return Ok(rejected(Vec::new(), &why));
        }
        for step in &mut preview.steps {
            show_in_effect(db, step).await?;
        }
        let zone = difference::zone(Some(&plan.event));
        let mut lines = live.lines(&zone);
        let in_the_way = preview.changed_live.iter().map(|it| live::refusal(it, &zone));
        let mut in_the_way: Vec<String> = in_the_way.collect();
        if preview.needs_factor {
            in_the_way.push(FACTOR.to_owned());
        }
        if !wish.dry_run && !in_the_way.is_empty() {
            return Ok(rejected(lines, &in_the_way.join("\n")));
        }
        lines.extend(in_the_way.iter().map(|line| format!("would be rejected: {line}")));
        lines.extend(difference::lines(&preview));
        lines.extend(unseen(&sources::all(db, seal).await?, plan));
        if plan.settings.is_some() {
            lines.extend(waiting(db, &pack.settings).await?);
        }
        lines.extend(pack.broken.iter().map(difference::broken_line));
        Ok(Review { lines, verdict: self.verdict(&preview) })
    }

    fn verdict(&self, preview: &Preview) -> Verdict {
        let Wish { confirm, dry_run, .. } = self.wish;
        let destructions = preview.destructions.len();
        let writes_sources = preview.has_other_sources && !dry_run;
        if preview.steps.is_empty() && !writes_sources {
            return Verdict::Unchanged;
        }
        let unconfirmed = || apply_error_message(ApplyError::Unconfirmed { destructions });
        match (destructions == 0 || confirm == Some(destructions), dry_run) {
            (false, false) => Verdict::Rejected(unconfirmed()),
            (false, true) => Verdict::Shown(unconfirmed()),
            (true, true) => Verdict::Shown("nothing was applied".to_owned()),
            (true, false) => Verdict::Ready,
        }
    }
}

fn rejected(lines: Vec<String>, why: &str) -> Review {
    Review { lines, verdict: Verdict::Rejected(format!("nothing was applied: {why}")) }
}

/// Adds the settings of the site to both sides of a change of the files' settings, so that it shows
/// the values in effect.
async fn show_in_effect(db: &Db, step: &mut PlanStep) -> Result<(), StoreError> {
    let PlanStep::ChangeSettings { old, new } = step else { return Ok(()) };
    for side in [old, new] {
        if let Ok(files) = serde_json::from_str::<Live>(side) {
            *side = difference::json(&live_over_site(db, &files).await?).to_string();
        }
    }
    Ok(())
}

/// Returns the settings that need a server restart, if a server has been started.
async fn waiting(db: &Db, files: &Settings) -> Result<Vec<String>, StoreError> {
    let Some(now) = at_start_in(db).await? else { return Ok(Vec::new()) };
    let next = over_site(db, &files.at_start()).await?;
    Ok(difference::restart_lines(&now, &next, settings::has_files_at_start(db).await?))
}

/// Returns changed keys that are not visible to players, such as `author`.
fn unseen(kept: &[StoredSource], plan: &Plan) -> Vec<String> {
    let line = |kept: &StoredSource| {
        let id = &kept.challenge;
        let file = plan.sources.get(id).filter(|_| !plan.live.kept.contains(id))?;
        let live = Some(kept.live.text.expose());
        let file = Some(file.text.expose());
        let State::FilesChanged(mut keys) = three_way(live, file, live) else { return None };
        keys.retain(|key| !is_read(key));
        (!keys.is_empty()).then(|| format!("{id}: {} (not visible to players)", keys.join(", ")))
    };
    kept.iter().filter_map(line).collect()
}

/// Returns the reason for `apply` to reject the files, if any.
pub fn refusal(pack: &Pack, preview: &Preview) -> Option<String> {
    without_event(pack).or_else(|| broken(pack, preview))
}

/// Returns an error message for a folder without a usable event.
pub fn without_event(pack: &Pack) -> Option<String> {
    let of_event = ["event.toml", "rules.md", "challenges"];
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let mut errors = pack.problems.iter().filter(is_error);
    let wrong = errors.find(|problem| of_event.iter().any(|name| problem.file == Path::new(name)));
    let file = place(&wrong?.file);
    Some(format!("fix `{file}`; `flagship check` lists its errors"))
}

/// Returns an error message for broken files that may belong to challenges about to be removed.
/// Other broken files are skipped.
fn broken(pack: &Pack, preview: &Preview) -> Option<String> {
    let removed = preview.steps.iter().filter_map(|step| match step {
        PlanStep::Challenge { id, change: ChallengeChange::Remove, .. } => Some(id),
        _ => None,
    });
    let missing: Vec<&ChallengeId> = removed.collect();
    for Broken { source, id } in &pack.broken {
        if let Some(id) = id.as_ref().filter(|id| missing.contains(id)) {
            let file = place(source);
            return Some(format!(
                "the file {file} of the live challenge {id} has errors; fix them first"
            ));
        }
    }
    let unreadable: Vec<String> =
        pack.broken.iter().filter(|it| it.id.is_none()).map(|it| place(&it.source)).collect();
    if missing.is_empty() || unreadable.is_empty() {
        return None;
    }
    let missing: Vec<&str> = missing.iter().map(|id| id.as_str()).collect();
    Some(format!(
        "{} cannot be read, and these challenges are in no other file: {}. Fix the file, or move \
        it out of the folder to remove them. If you renamed a challenge, keep its old `id:`",
        unreadable.join(", "),
        missing.join(", ")
    ))
}
