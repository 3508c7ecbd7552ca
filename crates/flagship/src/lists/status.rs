//! `flagship status`: how the event stands, for an organizer who has a minute.

use anyhow::Result;
use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_game::{Contest, Viewer, view};
use flagship_store::{Db, accounts, challenges, mail, nodes, wrong_flags};
use serde_json::{Value, json};

use super::table::{duration, print_json};
use super::{open, time};
use crate::cli::Listing;
use crate::say::counted;

/// Prints a line for each subject, or one JSON object.
pub async fn status(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let now_ms = writer.clock().now_ms();
    let contest = writer.contest();
    let counts = Counts::read(&db, contest).await?;
    let (waiting, sent, failed) = mail::counts(&db).await?;
    let nodes = nodes::running(&db).await?;
    let (schema, engine) = (db.schema().await?, db.engine());
    let free_mib = free_mib(args);
    db.close().await;
    let event = contest.event();
    let name = event.map_or("", |event| event.name.as_str());
    let at = |ms: Option<i64>| ms.map_or(Value::Null, |ms| time(args, &writer, ms));
    let (start, freeze, end) = match event {
        Some(event) => (event.start_ms, event.freeze_ms, event.end_ms),
        None => (None, None, None),
    };
    if args.json {
        return print_json(&json!({
            "event": name,
            "status": contest.status(now_ms),
            "now": at(Some(now_ms)),
            "start": at(start),
            "freeze": at(freeze),
            "end": at(end),
            "revealed": contest.reached(Phase::Reveal),
            "teams": {"playing": counts.playing, "hidden": counts.hidden,
                "banned": counts.banned, "notConfirmed": counts.unconfirmed},
            "challenges": {"shown": counts.shown, "all": counts.challenges},
            "solves": counts.solves,
            "lastSolve": at(counts.last_solve_ms),
            "wrongFlags": counts.wrong_flags,
            "mail": {"waiting": waiting, "sent": sent, "failed": failed},
            "servers": nodes,
            "database": {"engine": engine, "schema": schema},
            "journalEntries": contest.seq(),
            "freeMib": free_mib,
        }));
    }
    let in_words = |ms: Option<i64>| in_words(&at(ms), ms, now_ms);
    let zone = event.map_or("UTC", |event| event.timezone.as_str());
    let Counts { playing, hidden, banned, unconfirmed, .. } = counts;
    let Counts { shown, challenges, solves, wrong_flags, .. } = counts;
    say!("event       {name}: {}", phase(contest, now_ms));
    say!("now         {} {zone}", at(Some(now_ms)).as_str().unwrap_or_default());
    say!("start       {}", in_words(start));
    say!("freeze      {}", in_words(freeze));
    say!("end         {}", in_words(end));
    say!(
        "teams       {playing} play, {hidden} hidden, {banned} banned, {unconfirmed} not confirmed"
    );
    let from = if contest.reached(Phase::Start) { "" } else { " from the start," };
    say!("challenges  {shown} shown{from} of {challenges}");
    say!("solves      {solves}, the last: {}", in_words(counts.last_solve_ms));
    say!("wrong flags {wrong_flags}");
    say!("mail        {waiting} waiting, {sent} sent, {failed} failed");
    say!("servers     {}", servers(nodes));
    let entries = counted(contest.seq(), "journal entry", "journal entries");
    say!("database    {engine}, schema version {schema}, {entries}");
    say!("disk        {free_mib} MiB free");
    Ok(())
}

/// What is counted for the status.
struct Counts {
    playing: usize,
    hidden: usize,
    banned: usize,
    unconfirmed: usize,
    /// Those that players see once the event has started.
    shown: usize,
    challenges: usize,
    solves: usize,
    last_solve_ms: Option<i64>,
    wrong_flags: i64,
}

impl Counts {
    async fn read(db: &Db, contest: &Contest) -> Result<Self> {
        let board = view::board(contest, Viewer::Organizer);
        let (_, drafts) = challenges::all(db).await?;
        Ok(Self {
            playing: contest.teams().filter(|team| team.counts()).count(),
            hidden: contest.teams().filter(|team| team.hidden && !team.banned).count(),
            banned: contest.teams().filter(|team| team.banned).count(),
            unconfirmed: accounts::unconfirmed(db).await?.len(),
            shown: drafts.iter().filter(|it| contest.is_shown(&it.challenge.id)).count(),
            challenges: drafts.len(),
            solves: board.rows().map(|row| row.marks().len()).sum(),
            last_solve_ms: board.rows().map(|row| row.last_solve_ms()).max().filter(|ms| *ms > 0),
            wrong_flags: wrong_flags::count(db).await?,
        })
    }
}

fn phase(contest: &Contest, now_ms: i64) -> &'static str {
    match contest.status(now_ms) {
        Status::Unknown => "it has no times",
        Status::NotStarted => "it has not started",
        Status::Running => "it is running",
        Status::Frozen => "it is running, and the scoreboard is frozen",
        Status::Ended if contest.reached(Phase::Freeze) && !contest.reached(Phase::Reveal) => {
            "it is over, and the scoreboard is frozen until `flagship reveal`"
        }
        Status::Ended => "it is over",
    }
}

/// A time, and how far away it is.
fn in_words(time: &Value, ms: Option<i64>, now_ms: i64) -> String {
    let (Some(time), Some(ms)) = (time.as_str(), ms) else { return "none".to_owned() };
    let away = duration(ms - now_ms);
    if ms > now_ms { format!("{time} (in {away})") } else { format!("{time} ({away} ago)") }
}

fn servers(count: i64) -> String {
    match count {
        0 => "none is running".to_owned(),
        count => format!("{count} running, or killed and not started again"),
    }
}

/// The free space of the data folder's disk in MiB.
fn free_mib(args: &Listing) -> Value {
    let about = rustix::fs::statvfs(&args.installation.data);
    about.map_or(Value::Null, |about| json!(about.f_bavail * about.f_frsize / 1024 / 1024))
}
