//! `flagship team list`, `team story`, `challenge list` and `flags list`: tables for organizers.

pub mod status;
pub mod table;

use std::sync::Arc;

use anyhow::{Context, Result};
use flagship_game::{ChallengeId, Viewer, view};
use flagship_server::lists::challenges::{self, ListedChallenge, State};
use flagship_server::lists::evidence::{self, Evidence};
use flagship_server::lists::table::{Table, utc};
use flagship_server::lists::teams::{self, Standing};
use flagship_server::lists::{Lists, ReadScope, flags, story};
use flagship_store::lane::Writer;
use flagship_store::lists::evidence as store;
use flagship_store::{Db, addresses};
use serde_json::{Value, json};

use self::table::{local, print};
use crate::cli::{Flags, Installation, Listing};
use crate::names;

/// Columns of the team list. The table shows those up to `email`; JSON and CSV have all.
const TEAM_COLUMNS: &str = "rank team country points award solves last_solve state mail email \
                            number student public_rank signed_up mail_at mail_tries next_try \
                            server_said new_email members fields";
/// Columns of the challenge list. The table shows those up to `problems`; JSON and CSV have all.
const CHALLENGE_COLUMNS: &str = "id challenge category state points solves first_solve flags tries \
                                 wrong_last_hour median_minutes stuck problems tried_by status \
                                 status_note closes_at changed_by changed_at";

/// Opens the event. Records phases that are due, in case no server is running to do so.
pub async fn open(installation: &Installation) -> Result<(Db, Writer)> {
    let (db, mut writer) = installation.writer().await?;
    if writer.is_due() {
        writer.step(&[]).await?;
    }
    Ok((db, writer))
}

/// Formats a time: in the event time zone for tables, in UTC for JSON and CSV.
pub fn time(args: &Listing, writer: &Writer, ms: i64) -> Value {
    let zone = writer.contest().event().map_or("UTC", |event| event.timezone.as_str());
    if args.is_for_programs() { utc(ms) } else { local(ms, zone) }
}

/// `flagship team list`: ranked teams, then hidden and banned ones, then the waiting
/// list, then unconfirmed ones.
pub async fn teams(args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let query = teams::Query::default();
    let contest = writer.contest();
    let sight = ReadScope::all();
    let accounts = teams::Accounts::read(&db, &sight, &query).await?;
    let public = view::board(contest, Viewer::Public);
    let truth = view::board(contest, Viewer::Organizer);
    let boards = teams::Boards { contest, public: &public, truth: Some(&truth) };
    let mut page = teams::page(&boards, &accounts, &sight, &query, usize::MAX);
    teams::add_contacts(&db, writer.seal(), &sight, &mut page.teams).await?;
    db.close().await;
    let state = |team: &teams::Team| match team.standing {
        Some(Standing::Waiting) => json!("waiting list"),
        Some(Standing::Unconfirmed) => json!("not confirmed"),
        standing => json!(standing.unwrap_or(Standing::Plays)),
    };
    let table = teams::table(&page.teams, &sight, true, |ms| time(args, &writer, ms));
    let table = table.with("state", page.teams.iter().map(state));
    print_first(10, table, TEAM_COLUMNS, args)
}

/// `flagship challenge list`: the challenges in the site's order, then those hidden from players.
pub async fn challenges(args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let (contest, now_ms) = (writer.contest(), writer.clock().now_ms());
    let end_ms = contest.event().and_then(|event| event.end_ms);
    let lists = Lists::default();
    let described = lists.drafts.read(&db, writer.seal(), end_ms).await?;
    let tries = lists.tries.read(&db, now_ms, None).await?;
    db.close().await;
    let truth = view::board(contest, Viewer::Organizer);
    let boards = teams::Boards { contest, public: &truth, truth: Some(&truth) };
    let sight = ReadScope::all();
    let listed = challenges::list(&boards, &described, &tries, &sight, now_ms);
    let problems = |it: &ListedChallenge| match it.problems.as_ref() {
        Some(all) if args.is_for_programs() => {
            json!(all.iter().map(ToString::to_string).collect::<Vec<_>>())
        }
        all => json!(all.map(Vec::len)),
    };
    let table = challenges::table(&listed, &sight, |ms| time(args, &writer, ms));
    let table = table.with("state", listed.iter().map(|it| json!(state(args, &writer, it))));
    let table = table.with("problems", listed.iter().map(problems));
    print_first(13, table, CHALLENGE_COLUMNS, args)
}

/// Prints all given columns as JSON or CSV, or the first `count` of them as a table.
fn print_first(count: usize, table: Table, columns: &'static str, args: &Listing) -> Result<()> {
    let count = if args.is_for_programs() { usize::MAX } else { count };
    let shown: Vec<&str> = columns.split(' ').take(count).collect();
    print(table.only(&shown), args)
}

/// Returns a description of the current visibility of a challenge.
fn state(args: &Listing, writer: &Writer, it: &ListedChallenge) -> String {
    let said = match it.state {
        State::Shown => "shown",
        State::FromStart => "visible at start",
        State::Waits => "waiting for a requirement",
        State::Hidden => "hidden",
        State::Timed => {
            let time = it.releases_at.map(|ms| time(args, writer, ms));
            let time = time.as_ref().and_then(Value::as_str);
            return time.map_or_else(|| "later".to_owned(), |time| format!("from {time}"));
        }
    };
    said.to_owned()
}

/// `flagship flags ...`: lists the oldest first.
pub async fn flags(command: Flags) -> Result<()> {
    let (args, last, filters) = match command {
        Flags::List { listing, last, filters } => (listing, last, filters),
        Flags::Teams { id, listing } => return flags_of_teams(&id, &listing).await,
    };
    let (db, writer) = open(&args.installation).await?;
    let contest = writer.contest();
    let team = match &filters.team {
        Some(typed) => contest.team_named(&names::team(typed, contest, &db).await?),
        None => None,
    };
    if let Some(id) = &filters.challenge {
        names::ensure_challenge_exists(id, contest, &db).await?;
    }
    let query = flags::Query {
        team: team.map(|team| team.id),
        challenge: filters.challenge,
        verdict: filters.verdict,
        near: Some(filters.near).filter(|near| !near.is_empty()),
        network: filters.network,
        ..flags::Query::default()
    };
    let sight = ReadScope::all();
    let count_max = if last == 0 { usize::MAX } else { last };
    let read = flags::Read::new(&db, None, &sight, query, count_max).await?;
    let mut sent = read.page(contest, &sight).with_networks(&db, &sight).await?.flags;
    db.close().await;
    sent.reverse();
    print(flags::table(&sent, &sight, |ms| time(&args, &writer, ms)), &args)
}

/// `flagship team story`: lists the oldest first.
pub async fn story(args: &Listing, typed: &str, last: usize) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let contest = Arc::new(writer.contest().clone());
    let name = match contest.team_formerly(typed) {
        Some(team) if contest.team_named(typed).is_none() => team.name.to_string(),
        _ => names::account(typed, &contest, &db).await?,
    };
    let account = addresses::named(&db, &name).await?.context("the team has no account")?;
    let count_max = if last == 0 { usize::MAX } else { last };
    let query = story::Query { id: account.id, before: None, count_max };
    let mut lines = story::page(&db, || contest.clone(), &ReadScope::all(), query).await?.lines;
    db.close().await;
    lines.reverse();
    print(story::table(&lines, |ms| time(args, &writer, ms)), args)
}

/// `flagship evidence`: prints one row per signal; the pair with the newest signal comes first.
pub async fn evidence(args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let contest = Arc::new(writer.contest().clone());
    let now_ms = writer.clock().now_ms();
    let found = Evidence::default().find(&db, writer.seal().key(), contest.clone(), now_ms).await?;
    let said = store::states(&db).await?;
    db.close().await;
    let (shown, more) = evidence::show(&found, &contest, &said);
    print(evidence::table(&shown, |ms| time(args, &writer, ms)), args)?;
    if more > 0 && !args.is_for_programs() {
        outln!("{more} more pairs not shown; review these first");
    }
    Ok(())
}

/// `flagship flags teams`: lists the flags of all confirmed teams by team name.
async fn flags_of_teams(id: &ChallengeId, args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let (contest, key) = (writer.contest(), writer.seal().key());
    names::ensure_challenge_exists(id, contest, &db).await?;
    let (_, drafts) = writer.seal().drafts(&db).await?;
    db.close().await;
    let draft = drafts.into_iter().find(|draft| {
        draft.challenge.id == *id && draft.flags.iter().any(|flag| flag.of_teams().is_some())
    });
    let draft =
        draft.with_context(|| format!("{id} has no per-team flag; add one with `type: team`"))?;
    print(flags::of_teams(&draft, contest.teams(), key), args)
}
