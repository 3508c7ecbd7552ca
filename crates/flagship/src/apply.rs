//! `flagship apply`: an event's files are compared with the event and applied.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use flagship_game::ChallengeId;
use flagship_pack::{Broken, Pack, PackChallenge, Problem, Severity, place};
use flagship_store::challenges::{self, Draft, Flag};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Outcome, Plan, Unconfirmed};
use flagship_store::{Key, settings};

use crate::{attachments, cli, difference, outcome};

/// `flagship apply`
pub async fn apply(args: &cli::Apply) -> Result<()> {
    let pack = flagship_pack::read(&args.event)?;
    for problem in &pack.problems {
        say_error!("{problem}");
    }
    refuse_without_event(&pack)?;
    let (db, key) = match args.dry_run {
        true => args.installation.open().await?,
        false => {
            args.installation.keep_apart(&args.event)?;
            args.installation.create().await?
        }
    };
    refuse_broken(&pack, &challenges::all(&db).await?.1)?;
    let plan = plan(&pack, &key).context("the event's files have no event")?;
    let settings = serde_json::to_string(&pack.settings.live()).context("write the settings")?;
    let confirmed = Some(args.confirm.unwrap_or(0));
    let plan = Plan { settings: Some(settings), confirmed, ..plan };
    let mut writer = Writer::open(db.clone(), &key, db.clock().await?).await?;
    let preview = writer.rehearse(&plan).await?;
    let waiting = difference::of_waiting(settings::at_start(&db).await?.as_deref(), &pack.settings);
    let left_out = pack.broken.iter().map(difference::of_broken);
    for line in difference::lines(&preview).into_iter().chain(waiting).chain(left_out) {
        say!("{line}");
    }
    let destructions = preview.destructions.len();
    let is_confirmed = destructions == 0 || args.confirm == Some(destructions);
    if preview.steps.is_empty() {
        say!("nothing to change");
    } else if !is_confirmed {
        let why = outcome::of_unconfirmed(Unconfirmed { destructions });
        ensure!(args.dry_run, why);
        say!("{why}");
    } else if args.dry_run {
        say!("nothing was applied");
    } else {
        attachments::keep(&attachments::of_pack(&pack), &args.installation.data)?;
        say!("{}", write(&mut writer, plan).await?);
    }
    db.close().await;
    Ok(())
}

/// Refuses a folder without a usable event.
fn refuse_without_event(pack: &Pack) -> Result<()> {
    let of_event = ["event.toml", "rules.md", "challenges"];
    let is_error = |problem: &&Problem| problem.severity == Severity::Error;
    let mut errors = pack.problems.iter().filter(is_error);
    let wrong = errors.find(|problem| of_event.iter().any(|name| problem.file == Path::new(name)));
    if let Some(problem) = wrong {
        bail!(
            "nothing was applied: correct `{}`, whose errors `flagship check` lists too",
            place(&problem.file)
        );
    }
    Ok(())
}

/// Refuses files with errors if they may be those of challenges that the event has already. Other
/// such files are left out.
fn refuse_broken(pack: &Pack, current: &[Draft]) -> Result<()> {
    let loads = |id: &ChallengeId| pack.challenges.iter().any(|it| it.challenge.id == *id);
    let missing: Vec<&ChallengeId> =
        current.iter().map(|draft| &draft.challenge.id).filter(|id| !loads(id)).collect();
    for Broken { source, id } in &pack.broken {
        if let Some(id) = id.as_ref().filter(|id| missing.contains(id)) {
            bail!(
                "nothing was applied: {id} is part of the event, and its file {} has errors; \
                 correct them first",
                place(source)
            );
        }
    }
    let unreadable: Vec<String> =
        pack.broken.iter().filter(|it| it.id.is_none()).map(|it| place(&it.source)).collect();
    if !missing.is_empty() && !unreadable.is_empty() {
        let missing: Vec<&str> = missing.iter().map(|id| id.as_str()).collect();
        bail!(
            "nothing was applied: no file that can be read has these challenges of the event: {}; \
             correct {}, or move it out of the folder if the challenges are to be removed",
            missing.join(", "),
            unreadable.join(", ")
        );
    }
    Ok(())
}

/// Applies a plan; returns a summary.
pub async fn write(writer: &mut Writer, plan: Plan) -> Result<String> {
    let request = Op::Apply(Box::new(plan)).by(Actor::CommandLine);
    let mut step = writer.step(&[request]).await?;
    match step.outcomes.pop().context("the lane answered nothing")? {
        Outcome::Apply(done) => outcome::of_apply(done).map_err(anyhow::Error::msg),
        other => outcome::unexpected(&other),
    }
}

/// Converts the files to the store's types; replaces exact flags by keyed digests.
pub fn plan(pack: &Pack, key: &Key) -> Option<Plan> {
    let event = pack.event.clone()?;
    Some(Plan::new(event, pack.challenges.iter().map(|it| draft(it, key)).collect()))
}

fn draft(it: &PackChallenge, key: &Key) -> Draft {
    let id = it.challenge.id.as_str();
    let flags = it.flags.iter().map(|flag| match flag {
        flagship_pack::Flag::Exact { text, case_insensitive } => {
            let text = text.expose().trim();
            let digest = match case_insensitive {
                true => key.flag_digest(id, &text.to_lowercase()),
                false => key.flag_digest(id, text),
            };
            Flag::Exact { digest, case_insensitive: *case_insensitive }
        }
        flagship_pack::Flag::Regex { pattern, case_insensitive } => Flag::Regex {
            pattern: pattern.expose().to_owned(),
            case_insensitive: *case_insensitive,
        },
    });
    let flags = flags.collect();
    let challenge = it.challenge.clone();
    Draft { challenge, flags, hidden: it.hidden, release_at_ms: it.release_at_ms }
}
