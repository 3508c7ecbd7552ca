//! `flagship export`: results as JSON or CSV, in the organizers' or the public view.

use std::io::stdout;

use anyhow::{Context, Result, ensure};
use flagship_game::published::PublishedJournal;
use flagship_game::wire::Ctftime;
use flagship_game::{DivisionRules, Phase, Viewer, view};
use flagship_server::lists::journal;
use flagship_server::lists::results::{self, Teams};
use flagship_store::desk::divisions;

use crate::cli::{Export, ExportKind, Format};
use crate::lists;
use crate::lists::table::print_json;
use crate::output::counted;

/// Writes an export to standard output.
pub async fn export(args: &Export) -> Result<()> {
    let is_journal = matches!(args.what, ExportKind::Journal);
    ensure!(!(is_journal && args.division.is_some()), "--division does not apply to this export");
    let of_all_teams = matches!(args.what, ExportKind::Ctftime | ExportKind::Journal);
    ensure!(!(of_all_teams && args.students), "--students does not apply to this export");
    ensure!(
        !(of_all_teams && args.format == Some(Format::Csv)),
        "this export is JSON only: remove --format csv, or export `standings` or `solves`"
    );
    let has_top = matches!(args.what, ExportKind::Winners | ExportKind::Standings);
    ensure!(has_top || args.top.is_none(), "--top only applies to `winners` and `standings`");
    let (db, writer) = lists::open(&args.installation).await?;
    let contest = writer.contest();
    let hides_solves = contest.reached(Phase::Freeze) && contest.hidden_from_ms().is_some();
    if args.view == Viewer::Organizer && hides_solves {
        errln!(
            "the scoreboard is frozen, and this export contains hidden solves: publish it only \
             after the reveal, or export the public view with --view public"
        );
    }
    let board = view::board(contest, args.view);
    let mut teams = Teams::read(&db, writer.seal(), contest, args.students).await?;
    if let Some(division) = &args.division {
        let rules = divisions::rules(&db, writer.seal()).await?;
        let found = rules.iter().map(DivisionRules::id).find(|id| id.as_str() == division);
        let ids: Vec<&str> = rules.iter().map(|it| it.id().as_str()).collect();
        let id =
            found.with_context(|| format!("no such division; there are: {}", ids.join(", ")))?;
        teams = teams.only(divisions::members(&db, contest, &rules, id).await?);
    }
    let table = match args.what {
        ExportKind::Ctftime => {
            let members = teams.division_names();
            return print_json(&Ctftime { board: &board, members: members.as_ref() });
        }
        ExportKind::Journal => {
            let seal = writer.seal();
            let published = journal::published(&db, writer.generation(), seal).await?;
            let published = published.context(
                "the journal can be exported after the event has ended and been revealed; see \
                `flagship status`",
            )?;
            print_json(&published)?;
            print_omissions(&published);
            return Ok(());
        }
        ExportKind::Standings => results::standings(&board, &teams, args.top),
        ExportKind::Solves => results::solves(&board, &teams),
        ExportKind::Winners => {
            results::winners(&board, &teams, args.top, args.view == Viewer::Organizer)
        }
    };
    db.close().await;
    match args.format.unwrap_or(Format::Json) {
        Format::Json => print_json(&table.into_json()),
        Format::Csv => Ok(table.write_csv(stdout())?),
    }
}

/// Prints the number of withheld and redacted entries.
fn print_omissions(journal: &PublishedJournal) {
    let without_text = || journal.entries.iter().filter(|entry| entry.body.is_none());
    let withheld = without_text().filter(|entry| entry.fact.is_none()).count();
    let say = |count: usize, what: &str| {
        if count > 0 {
            errln!("{} {what}", counted(count, "entry is", "entries are"));
        }
    };
    say(withheld, "withheld: challenges never released, or withdrawn notices");
    let redacted = without_text().count() - withheld;
    say(redacted, "redacted: award reasons and former team names removed");
}
