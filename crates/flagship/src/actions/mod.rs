//! `flagship action` and `flagship actions`: organizer actions from the command line.

mod lane;
mod record;

use std::fs::File;
use std::io::{Read, stdin};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use flagship_actions::mail::language::Language;
use flagship_actions::{Common, Factor, OWNERS, Outcome, Request, Rule, sentences};
use flagship_game::moves::moves;
use flagship_game::{Contest, PhaseChange, Viewer, view};
use flagship_server::apply::difference;
use flagship_store::ops::{ActionError, PerformedAction};
use flagship_store::{Db, actions as records};
use serde_json::{Map, Value};

pub use self::lane::Lane;
use self::lane::LaneError;
use self::record::sentence;
use crate::cli::{self, PublicUrl};
use crate::lists::table::local;
use crate::messages::action_error_message;
use crate::organizers;

/// Actions that send emails with links.
const WITH_MAILS: [&str; 4] = ["team.address", "team.admit", "team.resend", "team.reset"];
/// The action that creates the event.
const BEGINS: &str = "event.name";
/// Rule for an undo from the command line, which may undo every action.
const UNDO: Rule = Rule { name: "actions undo", roles: OWNERS, factor: Factor::Once };
/// Maximum size of fields and texts, in bytes.
const BYTES_MAX: u64 = 1024 * 1024;

/// `flagship action`
pub async fn action(args: cli::Action) -> Result<()> {
    let arguments = fields(args.given, args.fields.as_deref())?;
    let is_preview = args.preview.preview;
    let common = common(&args.reason.reason, is_preview)?;
    let mut lane = match args.action == BEGINS {
        true => Lane::open_any(&args.installation).await?,
        false => Lane::open(&args.installation).await?,
    };
    lane.public_url = public_url(lane.db(), &args.action, &args.site).await?;
    lane.is_confirmed = args.force || is_preview;
    lane.asks_for_reasons = true;
    finish(lane, Request { name: args.action, arguments, common, key: None }).await
}

/// `flagship actions ...`
pub async fn actions(args: cli::Actions) -> Result<()> {
    match args.command {
        None => record::list(&args.listing, args.before).await,
        Some(cli::ActionsCommand::Verify(installation)) => record::verify(&installation).await,
        Some(cli::ActionsCommand::Undo {
            id,
            reason,
            preview: is_preview,
            force,
            installation,
        }) => {
            let is_preview = is_preview.preview;
            let common = common(&reason.reason, is_preview)?;
            let mut lane = Lane::open(&installation).await?;
            lane.is_confirmed = force;
            let done = flagship_actions::undo(&lane, &UNDO, id, common, None).await;
            let acted = undone(&lane, id, done).await?;
            lane.close().await;
            outln!("{}", sentence(&acted.record));
            if is_preview {
                print_preview(&acted);
            }
            Ok(())
        }
    }
}

/// Returns the common fields of an action.
fn common(reason: &str, is_preview: bool) -> Result<Common> {
    let common = Common { reason: reason.to_owned(), is_preview, head: None };
    ensure!(common.has_valid_reason(), "a reason has at most 500 characters; shorten it");
    Ok(common)
}

/// Returns the request of a short command.
pub fn short<const N: usize>(
    name: &str,
    arguments: [(&str, Value); N],
    reason: &str,
) -> Result<Request> {
    let arguments = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Ok(Request { name: name.to_owned(), arguments, common: common(reason, false)?, key: None })
}

/// Runs an action and prints the result and the undo command, or prints the preview.
pub async fn finish(lane: Lane, request: Request) -> Result<()> {
    let name = request.name.clone();
    let is_preview = request.common.is_preview;
    let done = flagship_actions::run(&lane, request).await;
    let Outcome { acted, extras } = done.map_err(|error| error.explained(&name))?;
    lane.close().await;
    let record = &acted.record;
    outln!("{}", sentence(record));
    for problem in extras.problems {
        errln!("{problem}");
    }
    if is_preview {
        print_preview(&acted);
        return Ok(());
    }
    if let Some(code) = extras.code {
        outln!("reset code (valid for one hour): {code}");
    }
    if record.object.starts_with("notice ") {
        outln!("{}", record.object);
    }
    match acted.is_undoable {
        true => outln!("action {0}; undo with `flagship actions undo {0}`", record.id),
        false => {
            let why = sentences::why_no_undo(record, Language::default());
            outln!("action {}; cannot be undone: {why}", record.id);
        }
    }
    Ok(())
}

/// Prints the effect of a previewed action and its rank changes.
fn print_preview(acted: &PerformedAction) {
    for line in warnings(acted).into_iter().chain(moved(&acted.before, &acted.after)) {
        outln!("{line}");
    }
    outln!("preview only; nothing was changed");
}

/// Returns warnings about immediate effects of an action on the event phases.
fn warnings(acted: &PerformedAction) -> Vec<String> {
    let PhaseChange { starts_at_once, ends_at_once, shows_hidden, runs_again_until_ms } =
        acted.phases();
    let zone = acted.after.event().map_or("UTC", |event| event.timezone.as_str());
    let again = runs_again_until_ms.map(|ms| local(ms, zone));
    let again = again.as_ref().and_then(Value::as_str);
    let starts = "the event starts immediately; challenges become visible to everyone".to_owned();
    let starts = starts_at_once.then_some(starts);
    let ends = ends_at_once.then(|| "the event ends immediately".to_owned());
    let shows =
        "frozen results are revealed to everyone immediately; this cannot be undone".to_owned();
    let again = again.map(|time| format!("the event runs again until {time}"));
    again.into_iter().chain(starts).chain(ends).chain(shows_hidden.then_some(shows)).collect()
}

/// Returns the action that undid another, or an error with the reason.
async fn undone(
    lane: &Lane,
    id: i64,
    done: std::result::Result<PerformedAction, LaneError>,
) -> Result<PerformedAction> {
    let error = match done {
        Ok(acted) => return Ok(acted),
        Err(LaneError::Refused(error)) => error,
        Err(error) => return Err(error.explained(UNDO.name)),
    };
    let undone = records::undone(lane.db(), &[id]).await?;
    if let Some((_, by)) = undone.first() {
        bail!("action {id} was already undone by action {by}");
    }
    if let ActionError::Later { actions } = &error {
        for id in actions {
            let later = records::by_id(lane.db(), *id).await?;
            if later.is_some_and(|later| later.action == records::APPLY) {
                bail!(
                    "event files have been applied since (action {id}): make the change again, or \
                     in the files"
                );
            }
        }
    }
    if let (ActionError::NoUndo, Some(record)) = (&error, records::by_id(lane.db(), id).await?) {
        let why = sentences::why_no_undo(&record, Language::default());
        bail!("action {id} cannot be undone: {why}");
    }
    bail!("{}", action_error_message(&error))
}

/// Returns the rank changes in the organizer view, and in the public view if different.
fn moved(before: &Contest, after: &Contest) -> Vec<String> {
    let of = |viewer| {
        let moves = moves(&view::board(before, viewer), &view::board(after, viewer));
        match difference::rank_change_lines(&moves) {
            lines if lines.is_empty() => vec!["no rank changes".to_owned()],
            lines => lines,
        }
    };
    let (truth, public) = (of(Viewer::Organizer), of(Viewer::Public));
    if truth == public {
        return truth;
    }
    let titled = |title: &str, lines: Vec<String>| [vec![title.to_owned()], lines].concat();
    let truth = titled("organizer view (unfrozen):", truth);
    [truth, titled("public view:", public)].concat()
}

/// Merges fields from arguments and a file. Duplicate fields are an error.
fn fields(given: Map<String, Value>, file: Option<&Path>) -> Result<Map<String, Value>> {
    let Some(file) = file else { return Ok(given) };
    let text = read_text(file)?;
    let shown = file.display();
    let mut fields: Map<String, Value> = serde_json::from_str(&text)
        .with_context(|| format!("read the fields in `{shown}` as a JSON object"))?;
    for (name, value) in given {
        ensure!(
            fields.insert(name.clone(), value).is_none(),
            "{name:?} is given both as an argument and in `{shown}`"
        );
    }
    Ok(fields)
}

/// Reads a file, or standard input for `-`.
pub fn read_text(file: &Path) -> Result<String> {
    let mut text = String::new();
    let shown = file.display();
    let read = match file == Path::new("-") {
        true => stdin().take(BYTES_MAX + 1).read_to_string(&mut text),
        false => {
            File::open(file).and_then(|opened| opened.take(BYTES_MAX + 1).read_to_string(&mut text))
        }
    };
    let bytes = read.with_context(|| format!("read `{shown}`"))?;
    ensure!(bytes as u64 <= BYTES_MAX, "`{shown}` is larger than 1 MiB; shorten it");
    Ok(text)
}

/// Returns the public URL, which is required only for actions that send emails.
async fn public_url(db: &Db, action: &str, site: &PublicUrl) -> Result<String> {
    match organizers::public_url(db, site).await {
        Err(_) if !WITH_MAILS.contains(&action) => Ok(String::new()),
        found => found,
    }
}
