//! `flagship status`: how the event stands, for an organizer who has a minute.

use anyhow::Result;
use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_game::{Contest, Viewer, view};
use flagship_server::lists::table::Table;
use flagship_store::lane::Writer;
use flagship_store::{Db, accounts, challenges, dump, mail, nodes, wrong_flags};
use serde_json::{Value, json};

use super::table::{duration, print, print_json};
use super::{open, time};
use crate::cli::Listing;
use crate::say::counted;

/// Prints a line for each subject, or one JSON object, or a CSV row for each figure.
pub async fn status(args: &Listing) -> Result<()> {
    let (db, writer) = open(args).await?;
    let seen = Seen::read(&db, &writer, args).await?;
    db.close().await;
    match (args.json, args.csv) {
        (true, _) => print_json(&seen.as_json(args, &writer)),
        (_, true) => print(figures(&seen.as_json(args, &writer)), args),
        _ => {
            seen.say(args, &writer);
            Ok(())
        }
    }
}

/// What the status is made of, beside the fold.
struct Seen {
    now_ms: i64,
    counts: Counts,
    /// Waiting, sent and given up.
    mails: (i64, i64, i64),
    nodes: i64,
    last_backup_ms: Option<i64>,
    schema: i64,
    engine: &'static str,
    free_mib: Value,
}

impl Seen {
    async fn read(db: &Db, writer: &Writer, args: &Listing) -> Result<Self> {
        Ok(Self {
            now_ms: writer.clock().now_ms(),
            counts: Counts::read(db, writer.contest()).await?,
            mails: mail::counts(db).await?,
            nodes: nodes::running(db).await?,
            last_backup_ms: dump::last(db).await?,
            schema: db.schema().await?,
            engine: db.engine(),
            free_mib: free_mib(args),
        })
    }

    fn as_json(&self, args: &Listing, writer: &Writer) -> Value {
        let (contest, counts) = (writer.contest(), &self.counts);
        let at = |ms: Option<i64>| ms.map_or(Value::Null, |ms| time(args, writer, ms));
        let (waiting, sent, failed) = self.mails;
        let event = contest.event();
        json!({
            "event": event.map_or("", |event| event.name.as_str()),
            "status": contest.status(self.now_ms),
            "now": at(Some(self.now_ms)),
            "start": at(event.and_then(|event| event.start_ms)),
            "freeze": at(event.and_then(|event| event.freeze_ms)),
            "end": at(event.and_then(|event| event.end_ms)),
            "revealed": contest.reached(Phase::Reveal),
            "teams": {"playing": counts.playing, "hidden": counts.hidden,
                "banned": counts.banned, "notConfirmed": counts.unconfirmed},
            "challenges": {"shown": counts.shown, "all": counts.challenges},
            "solves": counts.solves,
            "lastSolve": at(counts.last_solve_ms),
            "wrongFlags": counts.wrong_flags,
            "mail": {"waiting": waiting, "sent": sent, "failed": failed},
            "servers": self.nodes,
            "database": {"engine": self.engine, "schema": self.schema},
            "journalEntries": contest.seq(),
            "freeMib": self.free_mib,
            "lastBackup": at(self.last_backup_ms),
        })
    }

    fn say(&self, args: &Listing, writer: &Writer) {
        let (contest, now_ms) = (writer.contest(), self.now_ms);
        let at = |ms: Option<i64>| ms.map_or(Value::Null, |ms| time(args, writer, ms));
        let in_words = |ms: Option<i64>| in_words(&at(ms), ms, now_ms);
        let event = contest.event();
        let name = event.map_or("", |event| event.name.as_str());
        let zone = event.map_or("UTC", |event| event.timezone.as_str());
        let Counts { playing, hidden, banned, unconfirmed, .. } = self.counts;
        let Counts { shown, challenges, solves, wrong_flags, last_solve_ms, .. } = self.counts;
        let ((waiting, sent, failed), schema) = (self.mails, self.schema);
        say!("event       {name}: {}", phase(contest, now_ms));
        say!("now         {} {zone}", at(Some(now_ms)).as_str().unwrap_or_default());
        say!("start       {}", in_words(event.and_then(|event| event.start_ms)));
        say!("freeze      {}", in_words(event.and_then(|event| event.freeze_ms)));
        say!("end         {}", in_words(event.and_then(|event| event.end_ms)));
        say!(
            "teams       {playing} play, {hidden} hidden, {banned} banned, {unconfirmed} not \
             confirmed"
        );
        let from = if contest.reached(Phase::Start) { "" } else { " from the start," };
        say!("challenges  {shown} shown{from} of {challenges}");
        say!("solves      {solves}, the last: {}", in_words(last_solve_ms));
        say!("wrong flags {wrong_flags}");
        say!("mail        {waiting} waiting, {sent} sent, {failed} failed");
        say!("servers     {}", servers(self.nodes));
        let entries = counted(contest.seq(), "journal entry", "journal entries");
        say!("database    {}, schema version {schema}, {entries}", self.engine);
        say!("disk        {} MiB free", self.free_mib);
        say!("backup      {}", in_words(self.last_backup_ms));
    }
}

/// The figures of an object, each with the path of its name.
fn figures(status: &Value) -> Table {
    let mut rows = Vec::new();
    for (name, value) in status.as_object().into_iter().flatten() {
        match value.as_object() {
            None => rows.push(vec![json!(name), value.clone()]),
            Some(parts) => rows.extend(
                parts
                    .iter()
                    .map(|(part, value)| vec![json!(format!("{name}.{part}")), value.clone()]),
            ),
        }
    }
    Table::new(&["figure", "value"], rows)
}

/// What is counted for the status.
#[derive(Clone, Copy)]
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
