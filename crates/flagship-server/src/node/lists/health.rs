//! How the node is, and what is wrong with it, each with the cure that docs/operate.md has.

use flagship_store::lists::overview::Counts;
use flagship_store::{StoreError, dump};
use serde_json::{Value, json};

use super::table::utc;
use crate::node::metrics::figures::{Figures, Mails};
use crate::node::metrics::pace::{LastMinute, Verdict};
use crate::node::metrics::process::{Memory, Used, memory};
use crate::node::readiness::Unready;
use crate::node::state::App;

/// A transaction of the lane that takes longer is slow, in milliseconds.
const SLOW_MS: u64 = 500;
/// Percent of the files that may be open from which on few are left.
const FILES_PERCENT: usize = 80;
/// Logins in progress from which on they wait.
const PASSWORDS_MAX: usize = 75;
/// Percent of the machine's memory below which little is left.
const MEMORY_PERCENT: u64 = 10;
/// Free bytes of the disk below which little is left.
const DISK_BYTES_MIN: u64 = 1024 * 1024 * 1024;
/// How long a mail may wait, in milliseconds.
const MAIL_WAITS_MS: i64 = 5 * 60_000;
/// Percent of an hour's mails from which on the limit is near.
const MAILS_PERCENT: i64 = 90;
/// How old the last backup of a running event may be, in milliseconds.
const BACKUP_MAX_MS: i64 = 60 * 60_000;

/// How the node is. What tells of solves that the reader may not see is missing.
#[derive(Default)]
pub struct Health {
    /// Whether it can take flags; `None` if that is being found out.
    pub ready: Option<Result<(), Unready>>,
    /// What happened in the last minute.
    pub minute: Option<LastMinute>,
    /// Operations that wait for the lane.
    pub queue: Option<usize>,
    /// The number of the journal's last entry.
    pub entries: Option<i64>,
    /// What the process uses.
    pub used: Option<Used>,
    /// The memory of the machine.
    pub memory: Option<Memory>,
    /// Free bytes on the disk of the data folder.
    pub disk_free_bytes: Option<u64>,
    /// Open sockets of the live channel.
    pub sockets: usize,
    /// Open connections.
    pub connections: usize,
    /// Logins and signups in progress.
    pub passwords: usize,
    /// The mails in the outbox.
    pub mails: Option<Mails>,
    /// Most mails of an hour; 0 is no limit.
    pub mails_per_hour_max: i64,
    /// Since when the oldest mail waits, in epoch milliseconds.
    pub mail_since_ms: Option<i64>,
    /// Nodes that run.
    pub nodes: i64,
    /// When the last backup was made, in epoch milliseconds.
    pub last_backup_ms: Option<i64>,
    /// How far the wall clock has jumped ahead of the event's, in milliseconds.
    pub clock_ahead_ms: Option<i64>,
    /// True if another program was found to have changed the journal or the flags.
    pub is_altered: bool,
}

impl Health {
    /// Reads it. Without `truth`, what tells of solves in the freeze is left out.
    ///
    /// # Errors
    /// The database does not answer.
    pub async fn read(app: &App, counts: &Counts, truth: bool) -> Result<Self, StoreError> {
        let figures = Figures::read(app).await;
        let data = app.config().data.clone();
        let disk = tokio::task::spawn_blocking(move || {
            let about = rustix::fs::statvfs(&data).ok()?;
            Some(about.f_bavail.saturating_mul(about.f_frsize))
        });
        let disk = disk.await.unwrap_or_default();
        Ok(Self {
            ready: app.readiness.known(),
            minute: truth.then(|| app.pace.last_minute()),
            queue: truth.then_some(figures.queue),
            entries: truth.then_some(figures.entries),
            used: figures.used.filter(|_| truth),
            memory: memory().filter(|_| truth),
            disk_free_bytes: disk.filter(|_| truth),
            sockets: figures.sockets,
            connections: figures.connections,
            passwords: figures.passwords,
            mails: figures.mails,
            mails_per_hour_max: i64::from(app.settings.load().limits.mails_per_hour),
            mail_since_ms: counts.mail_since_ms,
            nodes: counts.nodes,
            last_backup_ms: dump::last(&app.db).await?,
            clock_ahead_ms: app.clock.jump_ms(),
            is_altered: !figures.intact,
        })
    }

    /// The figures, each with its name.
    pub(super) fn figures(&self) -> Vec<(&'static str, Value)> {
        let time = |ms: Option<i64>| ms.map_or(Value::Null, utc);
        let minute = self.minute.as_ref();
        let flags = |of: usize| json!(minute.map(|it| per_s(it.flags_per_s[of])));
        let used = self.used.as_ref();
        vec![
            ("ready", json!(self.ready.map(|it| it.is_ok()))),
            ("right_flags_per_s", flags(Verdict::Right as usize)),
            ("wrong_flags_per_s", flags(Verdict::Wrong as usize)),
            ("repeated_flags_per_s", flags(Verdict::Repeated as usize)),
            ("throttled_flags_per_s", flags(Verdict::Throttled as usize)),
            ("lane_queue", json!(self.queue)),
            ("lane_failures", json!(minute.map(|it| it.lane_failures))),
            ("lane_slowest_ms", json!(minute.map(|it| it.slowest_ms))),
            ("journal_entries", json!(self.entries)),
            ("memory_bytes", json!(used.map(|it| it.memory_bytes))),
            ("memory_available_bytes", json!(self.memory.map(|it| it.available_bytes))),
            ("files", json!(used.map(|it| it.files))),
            ("files_max", json!(used.map(|it| it.files_max))),
            ("disk_free_bytes", json!(self.disk_free_bytes)),
            ("sockets", json!(self.sockets)),
            ("connections", json!(self.connections)),
            ("connections_refused", json!(minute.map(|it| it.rejected))),
            ("logins_in_progress", json!(self.passwords)),
            ("mails_waiting", json!(self.mails.map(|it| it.waiting))),
            ("mails_sent", json!(self.mails.map(|it| it.sent))),
            ("mails_failed", json!(self.mails.map(|it| it.failed))),
            ("mails_in_hour", json!(self.mails.map(|it| it.in_hour))),
            ("mails_per_hour_max", json!(self.mails_per_hour_max)),
            ("oldest_mail_waits_since", time(self.mail_since_ms)),
            ("servers", json!(self.nodes)),
            ("last_backup", time(self.last_backup_ms)),
            ("clock_ahead_ms", json!(self.clock_ahead_ms)),
            ("journal_intact", json!(!self.is_altered)),
        ]
    }
}

/// A rate with two decimals.
pub fn per_s(rate: f64) -> f64 {
    (rate * 100.0).round() / 100.0
}

/// Something that is wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its name for programs.
    pub code: &'static str,
    /// What is wrong.
    pub message: &'static str,
    /// What to do, as docs/operate.md says.
    pub cure: &'static str,
}

macro_rules! warnings {
    ($($name:ident = $code:literal, $message:literal, $cure:literal;)*) => {
        $(const $name: Warning = Warning { code: $code, message: $message, cure: $cure };)*

        /// All of them.
        #[cfg(test)]
        const ALL: &[Warning] = &[$($name),*];
    };
}

warnings! {
    NOT_READY = "not_ready", "This node takes no flags now.",
        "`/readyz` says why. If the journal cannot be written to, free space on the disk; if the \
         database does not answer, start it. No restart is needed";
    LANE_FAILS = "lane_fails", "Flags were answered with 503 in the last minute.",
        "Look at `journalctl -u flagship -n 50 -o cat`, at the disk and at the database";
    LANE_SLOW = "lane_slow", "A right flag waited for more than half a second.",
        "The disk is slow, or the database is busy: end other work on the machine, such as \
         copies of backups";
    CONNECTIONS_REFUSED = "connections_refused", "Connections were refused in the last minute.",
        "If one network floods the site, refuse it at the proxy. Otherwise raise `LimitNOFILE`, \
         and check that the proxy is in `trusted_proxies`";
    FILES_LOW = "files_low", "More than 80 % of the files that may be open are.",
        "Raise `LimitNOFILE`, then `systemctl restart flagship` when few play";
    LOGINS_WAIT = "logins_wait", "More than 75 logins and signups are in progress.",
        "A rush of logins passes. If it stays, the database is slow, or one network has to be \
         refused at the proxy";
    MEMORY_LOW = "memory_low", "Less than a tenth of the machine's memory is left.",
        "End other programs on the machine; the table of sizes has what an event needs";
    DISK_LOW = "disk_low", "Less than 1 GiB of the disk is free.",
        "Free space, old files in `/var/lib/flagship-backups` first; a full disk refuses right \
         flags";
    MAIL_WAITS = "mail_waits", "A mail has waited for more than 5 minutes.",
        "`flagship doctor --event DIR` logs in to the mail server and says what it refuses. Mail \
         is retried for eight hours";
    MAIL_REFUSED = "mail_refused", "Mails were given up.",
        "`GET /api/organize/teams?mail=refused` has the teams with the server's words: correct \
         the address by `team.address`, or send again by `team.resend`";
    MAIL_LIMIT = "mail_limit", "Nine tenths of the hour's mails are sent.",
        "If the signups are honest, raise `mails_per_hour` in `event.toml`, then `systemctl \
         reload flagship`";
    BACKUP_OLD = "backup_old", "The event runs, and there was no backup in the last hour.",
        "`systemctl start flagship-backup`, then `systemctl enable --now flagship-backup.timer`";
    CLOCK_JUMPED = "clock_jumped", "The wall clock has jumped; the event keeps its time.",
        "Set the clock (`timedatectl`), then `systemctl restart flagship`";
    JOURNAL_ALTERED = "journal_altered", "Another program changed the journal or the flags.",
        "`flagship journal verify` names the first entry that Flagship did not write. Find out \
         who can reach the database";
}

/// What is wrong now. `runs` says whether the event runs.
pub fn warnings(health: &Health, runs: bool, now_ms: i64) -> Vec<Warning> {
    let minute = |is_so: fn(&LastMinute) -> bool| health.minute.as_ref().is_some_and(is_so);
    let few_files = |it: &Used| it.files * 100 > it.files_max.saturating_mul(FILES_PERCENT);
    let is_small =
        |it: Memory| it.available_bytes * 100 < it.total_bytes.saturating_mul(MEMORY_PERCENT);
    let is_old = |ms: i64, max_ms: i64| now_ms - ms > max_ms;
    let hour_max = health.mails_per_hour_max;
    let is_near = |it: Mails| hour_max > 0 && it.in_hour * 100 >= hour_max * MAILS_PERCENT;
    let backup_is_old = health.last_backup_ms.is_none_or(|ms| is_old(ms, BACKUP_MAX_MS));
    let all = [
        (NOT_READY, matches!(health.ready, Some(Err(_)))),
        (LANE_FAILS, minute(|it| it.lane_failures > 0)),
        (LANE_SLOW, minute(|it| it.slowest_ms > SLOW_MS)),
        (CONNECTIONS_REFUSED, minute(|it| it.rejected > 0)),
        (FILES_LOW, health.used.as_ref().is_some_and(few_files)),
        (LOGINS_WAIT, health.passwords > PASSWORDS_MAX),
        (MEMORY_LOW, health.memory.is_some_and(is_small)),
        (DISK_LOW, health.disk_free_bytes.is_some_and(|free| free < DISK_BYTES_MIN)),
        (MAIL_WAITS, health.mail_since_ms.is_some_and(|ms| is_old(ms, MAIL_WAITS_MS))),
        (MAIL_REFUSED, health.mails.is_some_and(|it| it.failed > 0)),
        (MAIL_LIMIT, health.mails.is_some_and(is_near)),
        (BACKUP_OLD, runs && backup_is_old),
        (CLOCK_JUMPED, health.clock_ahead_ms.is_some()),
        (JOURNAL_ALTERED, health.is_altered),
    ];
    all.into_iter().filter(|(_, is_so)| *is_so).map(|(warning, _)| warning).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_800_000_000_000;

    /// A node of a running event with which nothing is wrong.
    fn well() -> Health {
        let minute =
            LastMinute { flags_per_s: [1.0; 4], lane_failures: 0, slowest_ms: 500, rejected: 0 };
        Health {
            ready: Some(Ok(())),
            minute: Some(minute),
            used: Some(Used { memory_bytes: 1, cpu_s: 1.0, files: 80, files_max: 100 }),
            memory: Some(Memory { available_bytes: 10, total_bytes: 100 }),
            disk_free_bytes: Some(DISK_BYTES_MIN),
            passwords: PASSWORDS_MAX,
            mails: Some(Mails { waiting: 9, sent: 9, failed: 0, in_hour: 89 }),
            mails_per_hour_max: 100,
            mail_since_ms: Some(NOW_MS - MAIL_WAITS_MS),
            nodes: 1,
            last_backup_ms: Some(NOW_MS - BACKUP_MAX_MS),
            ..Health::default()
        }
    }

    #[test]
    fn each_limit_has_its_warning() {
        let codes = |health: &Health| -> Vec<&str> {
            warnings(health, true, NOW_MS).iter().map(|it| it.code).collect()
        };
        assert_eq!(codes(&well()), Vec::<&str>::new());
        let minute = well().minute.expect("it has one");
        let mails = well().mails.expect("it has some");
        let used = |files| Some(Used { memory_bytes: 1, cpu_s: 1.0, files, files_max: 100 });
        let memory = Some(Memory { available_bytes: 9, total_bytes: 100 });
        let cases: Vec<(&str, Health)> = vec![
            ("not_ready", Health { ready: Some(Err(Unready::NoWrites)), ..well() }),
            (
                "lane_fails",
                Health { minute: Some(LastMinute { lane_failures: 1, ..minute }), ..well() },
            ),
            (
                "lane_slow",
                Health { minute: Some(LastMinute { slowest_ms: 501, ..minute }), ..well() },
            ),
            (
                "connections_refused",
                Health { minute: Some(LastMinute { rejected: 1, ..minute }), ..well() },
            ),
            ("files_low", Health { used: used(81), ..well() }),
            ("logins_wait", Health { passwords: PASSWORDS_MAX + 1, ..well() }),
            ("memory_low", Health { memory, ..well() }),
            ("disk_low", Health { disk_free_bytes: Some(DISK_BYTES_MIN - 1), ..well() }),
            ("mail_waits", Health { mail_since_ms: Some(NOW_MS - MAIL_WAITS_MS - 1), ..well() }),
            ("mail_refused", Health { mails: Some(Mails { failed: 1, ..mails }), ..well() }),
            ("mail_limit", Health { mails: Some(Mails { in_hour: 90, ..mails }), ..well() }),
            ("backup_old", Health { last_backup_ms: None, ..well() }),
            ("clock_jumped", Health { clock_ahead_ms: Some(-3_000), ..well() }),
            ("journal_altered", Health { is_altered: true, ..well() }),
        ];
        for (code, health) in &cases {
            assert_eq!(codes(health), [*code]);
        }
        assert_eq!(cases.len(), ALL.len(), "each warning has a case");
        let old = Health { last_backup_ms: Some(NOW_MS - BACKUP_MAX_MS - 1), ..well() };
        assert_eq!(codes(&old), ["backup_old"]);
        assert_eq!(warnings(&old, false, NOW_MS), [], "a backup matters while the event runs");
    }

    #[test]
    fn the_cures_are_those_of_the_manual() {
        let manual = include_str!("../../../../../docs/operate.md");
        for Warning { code, message, cure } in ALL {
            let line = format!("| `{code}` | {message} | {cure} |\n");
            assert!(manual.contains(&line), "docs/operate.md has not: {line}");
        }
    }
}
