//! `flagship apply`: compares the event files with the event and applies them.

mod live;
pub mod pull;
mod pulled;

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_actions::challenge::flags::flags_of;
use flagship_game::ChallengeId;
use flagship_pack::source::{State, three_way};
use flagship_pack::{
    Broken, Live, Pack, PackChallenge, Problem, Settings, Severity, is_read, place,
};
use flagship_server::{at_start_in, live_over_site, over_site};
use flagship_store::challenges::Draft;
use flagship_store::lane::Writer;
use flagship_store::ops::{ApplyError, ChallengeChange, Op, Outcome, Plan, PlanStep, Preview};
use flagship_store::sources::{self, StoredSource};
use flagship_store::{Db, Key, PgPoolSizes, StoreError, settings};
use rustix::process::setpriority_process;
use tokio::runtime::Handle;

use live::LiveChanges;

use crate::{attachments, cli, difference, messages};

/// Nice value of threads that prepare changes: 19 is the lowest priority.
const NICENESS: i32 = 19;

/// A plan to write, with the writer from which the preview was computed.
type Prepared = (Plan, Writer);

/// `flagship apply`
pub async fn apply(args: &cli::Apply) -> Result<()> {
    let runtime = Handle::current();
    let prepared = at_low_priority(|| runtime.block_on(prepare(args)))??;
    let Some((plan, mut writer)) = prepared else { return Ok(()) };
    let place = &args.installation;
    if place.database.is_none() {
        // SQLite's threads have the priority of the thread that opened the database.
        writer.db().close().await;
        writer = writer.over_connections(place.connect().await?);
    }
    outln!("{}", write(&mut writer, plan).await?);
    writer.db().close().await;
    Ok(())
}

/// Prints the changes. Returns `None` if there is nothing to write.
async fn prepare(args: &cli::Apply) -> Result<Option<Prepared>> {
    let pack = flagship_pack::read(&args.event)?;
    for problem in &pack.problems {
        errln!("{problem}");
    }
    refuse(without_event(&pack))?;
    let (db, key) = match args.dry_run {
        true => args.installation.open().await?,
        false => {
            args.installation.ensure_separate_folders(&args.event)?;
            args.installation.create(PgPoolSizes::COMMAND).await?
        }
    };
    let plan = plan(&pack, &key).context("the event files define no event")?;
    let settings = serde_json::to_string(&pack.settings.live()).context("write the settings")?;
    let confirmed = Some(args.confirm.unwrap_or(0));
    let plan = Plan { settings: Some(settings), confirmed, ..plan };
    let (clock, data) = (db.clock().await?, &args.installation.data);
    let mut writer = Writer::open_with_snapshot(db.clone(), &key, clock, data).await?;
    if let Some(newer) = writer.newer() {
        return Err(StoreError::from(newer).into());
    }
    let changes = LiveChanges::read(&db, writer.seal(), &plan).await?;
    let plan = Plan { live: changes.decided(args.take), ..plan };
    let mut preview = writer.preview(&plan).await?;
    refuse(broken(&pack, &preview))?;
    for step in &mut preview.steps {
        show_in_effect(&db, step).await?;
    }
    let zone = difference::zone(Some(&plan.event));
    for line in changes.lines(&zone) {
        outln!("{line}");
    }
    let in_the_way: Vec<String> =
        preview.changed_live.iter().map(|it| live::refusal(it, &zone)).collect();
    if !args.dry_run && !in_the_way.is_empty() {
        refuse(Some(in_the_way.join("\n")))?;
    }
    for line in in_the_way {
        outln!("would be rejected: {line}");
    }
    let waiting = waiting(&db, &pack.settings).await?;
    let left_out = pack.broken.iter().map(difference::broken_line);
    let unseen = unseen(&sources::all(&db, writer.seal()).await?, &plan);
    let lines = difference::lines(&preview).into_iter().chain(unseen);
    for line in lines.chain(waiting).chain(left_out) {
        outln!("{line}");
    }
    let destructions = preview.destructions.len();
    let is_confirmed = destructions == 0 || args.confirm == Some(destructions);
    if is_confirmed && !args.dry_run {
        attachments::keep(&attachments::in_pack(&pack), &args.installation.data)?;
    }
    let writes_sources = preview.has_other_sources && !args.dry_run;
    if preview.steps.is_empty() && !writes_sources {
        outln!("nothing to change");
    } else if !is_confirmed {
        let why = messages::apply_error_message(ApplyError::Unconfirmed { destructions });
        ensure!(args.dry_run, why);
        outln!("{why}");
    } else if args.dry_run {
        outln!("nothing was applied");
    } else {
        return Ok(Some((plan, writer)));
    }
    db.close().await;
    Ok(None)
}

/// Adds the settings of the site to both sides of a change of the files' settings, so that it shows
/// the values in effect.
async fn show_in_effect(db: &Db, step: &mut PlanStep) -> Result<()> {
    let PlanStep::ChangeSettings { old, new } = step else { return Ok(()) };
    for side in [old, new] {
        if let Ok(files) = serde_json::from_str::<Live>(side) {
            *side = difference::json(&live_over_site(db, &files).await?).to_string();
        }
    }
    Ok(())
}

/// Returns the settings that need a server restart, if a server has been started.
async fn waiting(db: &Db, files: &Settings) -> Result<Vec<String>> {
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

/// Runs work at the lowest priority, to leave the CPU to a server on the same machine.
fn at_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    std::thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Without the lower priority, the work is still correct.
            setpriority_process(None, NICENESS).ok();
            work()
        });
        working.join().map_err(|_| anyhow!("the background task stopped unexpectedly"))
    })
}

/// Reads an event's files at a low priority.
pub fn read(dir: &Path) -> Result<Pack> {
    Ok(at_low_priority(|| flagship_pack::read(dir))??)
}

/// Returns the reason for `apply` to reject the files, if any.
pub fn refusal(pack: &Pack, preview: &Preview) -> Option<String> {
    without_event(pack).or_else(|| broken(pack, preview))
}

fn refuse(why: Option<String>) -> Result<()> {
    match why {
        Some(why) => bail!("nothing was applied: {why}"),
        None => Ok(()),
    }
}

/// Returns an error message for a folder without a usable event.
fn without_event(pack: &Pack) -> Option<String> {
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

/// Applies a plan; returns a summary.
pub async fn write(writer: &mut Writer, plan: Plan) -> Result<String> {
    match messages::perform(writer, Op::Apply(Box::new(plan))).await? {
        Outcome::Apply(done) => messages::apply_message(done),
        other => messages::unexpected(&other),
    }
}

/// Converts the files to the store's types; replaces exact flags by keyed digests.
pub fn plan(pack: &Pack, key: &Key) -> Option<Plan> {
    let event = pack.event.clone()?;
    let challenges = pack.challenges.iter().map(|it| draft(it, key)).collect();
    let source = |it: &PackChallenge| sources::Source {
        path: it.source.path.clone(),
        text: it.source.text.clone(),
        files: serde_json::to_string(&it.known_files()).expect("plain data"),
    };
    let sources = pack.challenges.iter().map(|it| (it.challenge.id.clone(), source(it)));
    let defaults = serde_json::to_string(&pack.defaults).expect("plain data");
    Some(Plan {
        sources: sources.collect(),
        defaults: Some(defaults),
        ..Plan::new(event, challenges)
    })
}

fn draft(it: &PackChallenge, key: &Key) -> Draft {
    let flags = flags_of(&it.challenge.id, &it.flags, key);
    let challenge = it.challenge.clone();
    Draft { challenge, flags, hidden: it.hidden, release_at_ms: it.release_at_ms }
}
