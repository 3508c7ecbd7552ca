//! `flagship status`: an overview of the event.

use anyhow::Result;
use flagship_game::entry::Phase;
use flagship_game::event::Status;
use flagship_game::{Contest, Viewer, view};
use flagship_server::backup::{free_bytes, mib};
use flagship_server::lists::table::Table;
use flagship_store::lane::Writer;
use flagship_store::{Db, accounts, challenges, dump, mail, nodes, wrong_flags};
use serde_json::{Value, json};

use super::table::{duration, print, print_json};
use super::{open, time};
use crate::cli::Listing;
use crate::output::counted;

/// Prints one line per subject, or one JSON object, or one CSV row per figure.
pub async fn status(args: &Listing) -> Result<()> {
    let (db, writer) = open(&args.installation).await?;
    let seen = Seen::read(&db, writer, args).await?;
    db.close().await;
    match (args.json, args.csv) {
        (true, _) => print_json(&seen.as_json()),
        (_, true) => print(figures(&seen.as_json()), args),
        _ => {
            seen.say();
            Ok(())
        }
    }
}

/// Data of `flagship status`.
struct Seen<'a> {
    args: &'a Listing,
    writer: Writer,
    now_ms: i64,
    playing: usize,
    hidden: usize,
    banned: usize,
    unconfirmed: usize,
    /// Confirmed teams on the waiting list.
    waiting: usize,
    /// Challenges visible to players once the event has started.
    shown: usize,
    challenges: usize,
    solves: usize,
    last_solve_ms: Option<i64>,
    wrong_flags: i64,
    /// Numbers of queued, sent and failed emails.
    mails: (i64, i64, i64),
    nodes: i64,
    last_backup_ms: Option<i64>,
    schema: i64,
    engine: &'static str,
    free_mib: Value,
}

impl<'a> Seen<'a> {
    async fn read(db: &Db, writer: Writer, args: &'a Listing) -> Result<Self> {
        let contest = writer.contest();
        let board = view::board(contest, Viewer::Organizer);
        let (_, drafts) = challenges::all(db).await?;
        Ok(Self {
            args,
            now_ms: writer.clock().now_ms(),
            playing: contest.teams().filter(|team| team.counts()).count(),
            hidden: contest.teams().filter(|team| team.hidden && !team.banned).count(),
            banned: contest.teams().filter(|team| team.banned).count(),
            unconfirmed: accounts::unconfirmed(db).await?.len(),
            waiting: accounts::waiting(db).await?.len(),
            shown: drafts.iter().filter(|it| contest.is_shown(&it.challenge.id)).count(),
            challenges: drafts.len(),
            solves: board.rows().map(|row| row.marks().len()).sum(),
            last_solve_ms: board.rows().map(|row| row.last_solve_ms()).max().filter(|ms| *ms > 0),
            wrong_flags: wrong_flags::count(db).await?,
            mails: mail::counts(db).await?,
            nodes: nodes::running(db).await?,
            last_backup_ms: dump::last(db).await?,
            schema: db.schema().await?,
            engine: db.engine(),
            free_mib: free_bytes(&args.installation.data).map_or(Value::Null, |it| mib(it).into()),
            writer,
        })
    }

    fn at(&self, ms: Option<i64>) -> Value {
        ms.map_or(Value::Null, |ms| time(self.args, &self.writer, ms))
    }

    fn as_json(&self) -> Value {
        let contest = self.writer.contest();
        let (waiting, sent, failed) = self.mails;
        let event = contest.event();
        json!({
            "event": event.map_or("", |event| event.name.as_str()),
            "status": contest.status(self.now_ms),
            "now": self.at(Some(self.now_ms)),
            "start": self.at(event.and_then(|event| event.start_ms)),
            "freeze": self.at(event.and_then(|event| event.freeze_ms)),
            "end": self.at(event.and_then(|event| event.end_ms)),
            "revealed": contest.reached(Phase::Reveal),
            "teams": {"playing": self.playing, "hidden": self.hidden,
                "banned": self.banned, "notConfirmed": self.unconfirmed,
                "waiting": self.waiting},
            "challenges": {"shown": self.shown, "all": self.challenges},
            "solves": self.solves,
            "lastSolve": self.at(self.last_solve_ms),
            "wrongFlags": self.wrong_flags,
            "mail": {"waiting": waiting, "sent": sent, "failed": failed},
            "servers": self.nodes,
            "database": {"engine": self.engine, "schema": self.schema},
            "journalEntries": contest.seq(),
            "freeMib": self.free_mib,
            "lastBackup": self.at(self.last_backup_ms),
        })
    }

    fn say(&self) {
        let Self { playing, hidden, banned, unconfirmed, shown, challenges, .. } = self;
        let contest = self.writer.contest();
        let event = contest.event();
        let name = event.map_or("", |event| event.name.as_str());
        let zone = event.map_or("UTC", |event| event.timezone.as_str());
        let waits = match self.waiting {
            0 => String::new(),
            count => format!(", {count} on the waiting list"),
        };
        let (waiting, sent, failed) = self.mails;
        outln!("event       {name}: {}", phase(contest, self.now_ms));
        outln!("now         {} {zone}", self.at(Some(self.now_ms)).as_str().unwrap_or_default());
        outln!("start       {}", self.in_words(event.and_then(|event| event.start_ms)));
        outln!("freeze      {}", self.in_words(event.and_then(|event| event.freeze_ms)));
        outln!("end         {}", self.in_words(event.and_then(|event| event.end_ms)));
        outln!(
            "teams       {playing} active, {hidden} hidden, {banned} banned, {unconfirmed} \
            unconfirmed{waits}"
        );
        let from = if contest.reached(Phase::Start) { "" } else { " at start," };
        outln!("challenges  {shown} visible{from} of {challenges}");
        outln!("solves      {}, last: {}", self.solves, self.in_words(self.last_solve_ms));
        outln!("incorrect   {} submissions", self.wrong_flags);
        outln!("email       {waiting} queued, {sent} sent, {failed} failed");
        match self.nodes {
            0 => outln!("nodes       none running"),
            count => outln!("nodes       {count} running (or crashed and not restarted)"),
        }
        let entries = counted(contest.seq(), "journal entry", "journal entries");
        outln!("database    {}, schema version {}, {entries}", self.engine, self.schema);
        outln!("disk        {} MiB free", self.free_mib);
        outln!("backup      {}", self.in_words(self.last_backup_ms));
    }

    /// Formats a time and its distance from now.
    fn in_words(&self, ms: Option<i64>) -> String {
        let time = self.at(ms);
        let (Some(time), Some(ms)) = (time.as_str(), ms) else { return "none".to_owned() };
        let away = duration(ms - self.now_ms);
        let is_to_come = ms > self.now_ms;
        if is_to_come { format!("{time} (in {away})") } else { format!("{time} ({away} ago)") }
    }
}

/// Lists the figures of an object; each is named by its path.
fn figures(status: &Value) -> Table {
    let figures = status.as_object().into_iter().flatten();
    let rows = figures.flat_map(|(name, value)| match value.as_object() {
        None => vec![vec![json!(name), value.clone()]],
        Some(parts) => {
            let parts = parts.iter();
            parts.map(|(part, it)| vec![json!(format!("{name}.{part}")), it.clone()]).collect()
        }
    });
    Table::new(&["figure", "value"], rows)
}

fn phase(contest: &Contest, now_ms: i64) -> &'static str {
    match contest.status(now_ms) {
        Status::Unknown => "no times set",
        Status::NotStarted => "not started",
        Status::Running => "running",
        Status::Frozen => "running, scoreboard frozen",
        Status::Ended if contest.reached(Phase::Freeze) && !contest.reached(Phase::Reveal) => {
            "ended, scoreboard frozen until `flagship reveal`"
        }
        Status::Ended => "ended",
    }
}
