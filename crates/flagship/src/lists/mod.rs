//! `flagship team list`, `challenge list` and `flags list`: tables for organizers.

pub mod status;
pub mod table;

use std::sync::Arc;

use anyhow::{Context, Result, bail};
use flagship_game::{ChallengeId, Viewer, view};
use flagship_server::lists::challenges::{self, Listed, State};
use flagship_server::lists::evidence::{self, Evidence};
use flagship_server::lists::flags;
use flagship_server::lists::table::{Table, utc};
use flagship_server::lists::teams::{self, Standing};
use flagship_server::lists::{Lists, Sight};
use flagship_store::Db;
use flagship_store::challenges::Flag;
use flagship_store::lane::Writer;
use flagship_store::lists::evidence as store;
use serde_json::{Value, json};

use self::table::{local, print};
use crate::cli::{Flags, Listing};
use crate::names;

/// Opens the event, with phases that are due if no server is running to record them.
pub async fn open(args: &Listing) -> Result<(Db, Writer)> {
    let (db, mut writer) = args.installation.writer().await?;
    if writer.is_due() {
        writer.step(&[]).await?;
    }
    Ok((db, writer))
}

/// A time for people or for programs.
pub fn time(args: &Listing, writer: &Writer, ms: i64) -> Value {
    let zone = writer.contest().event().map_or("UTC", |event| event.timezone.as_str());
    if args.is_for_programs() { utc(ms) } else { local(ms, zone) }
}

/// `flagship team list`: by rank, then those that do not count, then those that have not confirmed.
pub async fn teams(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (query, contest) = (teams::Query::default(), writer.contest());
    let accounts = teams::Accounts::read(&db, Sight::ALL, &query).await?;
    let public = view::board(contest, Viewer::Public);
    let truth = view::board(contest, Viewer::Organizer);
    let boards = teams::Boards { contest, public: &public, truth: Some(&truth) };
    let (page, ids) = teams::page(&boards, &accounts, Sight::ALL, &query, usize::MAX)
        .context("there is nothing to begin behind")?;
    let page = page.with_contacts(&db, &ids).await?;
    db.close().await;
    let rows = page.teams.iter().map(|team| team_row(args, &writer, team));
    let columns = [
        "rank",
        "team",
        "country",
        "points",
        "award",
        "solves",
        "last_solve",
        "state",
        "mail",
        "email",
        "number",
        "student",
        "public_rank",
        "signed_up",
        "mail_at",
        "mail_tries",
        "next_try",
        "server_said",
        "new_email",
    ];
    let table = Table::new(&columns, rows);
    match args.is_for_programs() {
        true => print(table, args),
        false => print(table.without(&columns[10..]), args),
    }
}

fn team_row(args: &Listing, writer: &Writer, team: &teams::Team) -> Vec<Value> {
    let at = |ms: Option<i64>| ms.map_or(Value::Null, |ms| time(args, writer, ms));
    let (truth, contact) = (team.truth, team.contact.as_ref());
    let mail = contact.and_then(|contact| contact.mail.as_ref());
    let state = match team.standing {
        Some(Standing::Unconfirmed) => "not confirmed",
        standing => standing.map_or("plays", Standing::as_str),
    };
    vec![
        json!(truth.map(|it| it.rank)),
        json!(team.name),
        json!(team.country),
        json!(truth.map(|it| it.points)),
        json!(truth.map(|it| it.award)),
        json!(truth.map(|it| it.solves)),
        at(truth.map(|it| it.last_solve_ms)),
        json!(state),
        json!(mail.map(|it| it.state.as_str())),
        json!(contact.map(|it| it.email.as_str())),
        json!(team.number),
        json!(contact.map(|it| it.student)),
        json!(team.public.map(|it| it.rank)),
        at(contact.map(|it| it.created_at_ms)),
        at(mail.map(|it| it.sent_at_ms.unwrap_or(it.queued_at_ms))),
        json!(mail.map(|it| it.tries)),
        at(mail.and_then(|it| it.next_at_ms)),
        json!(mail.and_then(|it| it.said.as_deref())),
        json!(contact.and_then(|it| it.new_email.as_deref())),
    ]
}

/// `flagship challenge list`: in the order of the site, then those that players do not see.
pub async fn challenges(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (contest, now_ms) = (writer.contest(), writer.clock().now_ms());
    let end_ms = contest.event().and_then(|event| event.end_ms);
    let lists = Lists::default();
    let described = lists.drafts.read(&db, writer.seal(), end_ms).await?;
    let tries = lists.tries.read(&db, now_ms, None).await?;
    db.close().await;
    let truth = view::board(contest, Viewer::Organizer);
    let boards = teams::Boards { contest, public: &truth, truth: Some(&truth) };
    let sight = challenges::Sight::all();
    let listed = challenges::list(&boards, &described, &tries, &sight, now_ms);
    let rows = listed.iter().map(|it| challenge_row(args, &writer, it));
    let columns = [
        "id",
        "challenge",
        "category",
        "state",
        "points",
        "solves",
        "first_solve",
        "flags",
        "tries",
        "wrong_last_hour",
        "median_minutes",
        "stuck",
        "problems",
        "tried_by",
        "status",
        "status_note",
        "closes_at",
        "changed_by",
        "changed_at",
    ];
    let table = Table::new(&columns, rows);
    match args.is_for_programs() {
        true => print(table, args),
        false => print(table.without(&columns[13..]), args),
    }
}

fn challenge_row(args: &Listing, writer: &Writer, it: &Listed) -> Vec<Value> {
    let at = |ms: Option<i64>| ms.map_or(Value::Null, |ms| time(args, writer, ms));
    let (counts, own) = (it.counts.as_ref(), it.own.as_ref());
    let problems = own.map(|own| match args.is_for_programs() {
        true => json!(own.problems.iter().map(ToString::to_string).collect::<Vec<_>>()),
        false => json!(own.problems.len()),
    });
    let changed = own.and_then(|own| own.changed.as_ref());
    vec![
        json!(it.id),
        json!(it.name),
        json!(it.categories.join(", ")),
        json!(state(args, writer, it)),
        json!(it.value),
        json!(it.solves),
        at(it.first_at_ms),
        json!(own.map(|own| own.flags)),
        json!(counts.map(|it| it.tries)),
        json!(counts.map(|it| it.wrong_of_hour)),
        json!(counts.and_then(|it| it.median_ms).map(challenges::minutes)),
        json!(counts.map(|it| it.stuck)),
        json!(problems),
        json!(counts.map(|it| it.tried_by)),
        json!(it.status.0),
        json!(it.status.1),
        at(it.closes_at_ms),
        json!(changed.map(|(by, _)| by)),
        at(changed.map(|(_, at_ms)| *at_ms)),
    ]
}

/// Whether players see a challenge now, in words.
fn state(args: &Listing, writer: &Writer, it: &Listed) -> String {
    let said = match it.state {
        State::Shown => "shown",
        State::FromStart => "shown from the start",
        State::Waits => "waits for its requirements",
        State::Hidden => "hidden",
        State::Timed => {
            let time = it.release_at_ms.map(|ms| time(args, writer, ms));
            let time = time.as_ref().and_then(Value::as_str);
            return time.map_or_else(|| "later".to_owned(), |time| format!("from {time}"));
        }
    };
    said.to_owned()
}

/// `flagship flags ...`: oldest first.
pub async fn flags(command: Flags) -> Result<()> {
    let (args, last, of) = match command {
        Flags::List { listing, last, of } => (listing, last, of),
        Flags::Teams { id, listing } => return flags_of_teams(&id, &listing).await,
    };
    let (db, writer) = open(&args).await?;
    let contest = writer.contest();
    let team = match &of.team {
        Some(typed) => contest.team_named(&names::team(typed, contest, &db).await?),
        None => None,
    };
    if let Some(id) = &of.challenge {
        names::known(id, contest, &db).await?;
    }
    let query = flags::Query {
        team: team.map(|team| team.id),
        challenge: of.challenge,
        verdict: of.verdict,
        near: Some(of.near).filter(|near| !near.is_empty()),
        ..flags::Query::default()
    };
    let sight = flags::Sight { truth: true, wrong: true, only: None };
    let count_max = if last == 0 { usize::MAX } else { last };
    let read = flags::Read::new(&db, None, &sight, query, count_max).await?;
    let mut sent = read.page(contest, &sight).flags;
    db.close().await;
    sent.reverse();
    print(flags::table(&sent, |ms| time(&args, &writer, ms)), &args)
}

/// `flagship evidence`: a row for each fact, the pair with the newest one first.
pub async fn evidence(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (contest, now_ms) = (Arc::new(writer.contest().clone()), writer.clock().now_ms());
    let found = Evidence::default().find(&db, writer.seal().key(), contest.clone(), now_ms).await?;
    let said = store::states(&db).await?;
    db.close().await;
    let (shown, more) = evidence::show(&found, &contest, &said);
    print(evidence::table(&shown, |ms| time(args, &writer, ms)), args)?;
    if more > 0 && !args.is_for_programs() {
        say!("{more} more pairs are not shown: look at these first");
    }
    Ok(())
}

/// `flagship flags teams`: by name, of all teams that can play.
async fn flags_of_teams(id: &ChallengeId, args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let (contest, key) = (writer.contest(), writer.seal().key());
    names::known(id, contest, &db).await?;
    let (_, drafts) = writer.seal().drafts(&db).await?;
    db.close().await;
    let draft = drafts.into_iter().find(|draft| draft.challenge.id == *id);
    let flags: Vec<_> =
        draft.iter().flat_map(|draft| draft.flags.iter().filter_map(Flag::of_teams)).collect();
    if flags.is_empty() {
        bail!("no flag of {id} differs by team: write one with `type: team`");
    }
    let mut teams: Vec<_> = contest.teams().collect();
    teams.sort_by(|a, b| a.name.cmp(&b.name));
    let rows = teams.iter().flat_map(|team| {
        let code = key.team_code(id.as_str(), team.id.0);
        flags.iter().map(move |flag| vec![json!(&*team.name), json!(flag.with(&code))])
    });
    print(Table::new(&["team", "flag"], rows.collect::<Vec<_>>()), args)
}
