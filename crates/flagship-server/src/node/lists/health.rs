//! How the node is, and what is wrong with it, each with the cure that docs/operate.md has.

use flagship_store::lists::overview::Counts;
use flagship_store::{StoreError, dump};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::table::utc;
use crate::node::backup::{FREE_BYTES_MIN, free_bytes};
use crate::node::metrics::pace::{LastMinute, Verdict};
use crate::node::metrics::process::memory;
use crate::node::serving::Serving;

/// A transaction of the lane that takes longer is slow, in milliseconds.
const SLOW_MS: u64 = 500;
/// Percent of the files that may be open from which on few are left.
const FILES_PERCENT: usize = 80;
/// Logins in progress from which on they wait.
const PASSWORDS_MAX: usize = 75;
/// Percent of the machine's memory below which little is left.
const MEMORY_PERCENT: u64 = 10;
/// How long a mail may wait, in milliseconds.
const MAIL_WAITS_MS: i64 = 5 * 60_000;
/// Percent of an hour's mails from which on the limit is near.
const MAILS_PERCENT: i64 = 90;
/// How old the last backup of a running event may be, in milliseconds.
const BACKUP_MAX_MS: i64 = 60 * 60_000;

/// How this node is. While the freeze hides solves, what could tell of them is null for who may
/// not see them.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NodeHealth)]
pub struct Health {
    /// Whether it can take flags; null while that is being found out.
    pub ready: Option<bool>,
    /// Flags a second in the last minute.
    pub flags_per_second: Option<FlagsPerSecond>,
    /// The lane, in which right flags are written.
    pub lane: Option<LaneHealth>,
    /// What the process uses.
    pub process: Option<ProcessHealth>,
    /// Memory of the machine that is left, in bytes.
    pub memory_available_bytes: Option<u64>,
    /// All memory of the machine, in bytes.
    #[serde(skip)]
    pub memory_bytes: Option<u64>,
    /// Space on the disk of the data folder that is left, in bytes.
    pub disk_free_bytes: Option<u64>,
    /// Open sockets of the live channel.
    pub sockets: usize,
    /// Open connections.
    pub connections: usize,
    /// Connections that were refused in the last minute.
    #[serde(skip)]
    pub connections_refused: Option<u64>,
    /// Logins and signups that are looked up, wait for a hashing thread or are hashed.
    pub logins_in_progress: usize,
    /// The outbox; null if the database does not answer in time.
    pub mail: Option<MailHealth>,
    /// As in `mail`, which may be null.
    #[serde(skip)]
    pub mail_waiting_since: Option<i64>,
    /// As in `mail`, which may be null.
    #[serde(skip)]
    pub mail_per_hour_max: i64,
    /// Nodes that run, or were killed and not started again.
    pub nodes: i64,
    /// When the last backup was made.
    pub last_backup_at: Option<i64>,
    /// How far the wall clock has jumped ahead of the event's, in milliseconds; null if it has
    /// not.
    pub clock_ahead_ms: Option<i64>,
    /// False once another program was found to have changed the journal or the flags.
    pub is_intact: bool,
}

/// Flags a second.
#[derive(Serialize, ToSchema)]
pub struct FlagsPerSecond {
    /// First right ones.
    pub right: f64,
    /// Wrong ones.
    pub wrong: f64,
    /// Right ones of a team that had solved the challenge.
    pub repeated: f64,
    /// Those that a spent budget refused.
    pub throttled: f64,
}

/// How the lane is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaneHealth {
    /// Operations that wait.
    pub waiting: usize,
    /// Transactions that failed in the last minute.
    pub failures: u64,
    /// The longest transaction of the last minute, in milliseconds.
    pub slowest_ms: u64,
    /// The number of the journal's last entry.
    pub entries: i64,
}

/// What the process uses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessHealth {
    /// Its memory, in bytes.
    pub memory_bytes: usize,
    /// Open files and connections.
    pub files: usize,
    /// How many may be open.
    pub files_max: usize,
}

/// The outbox.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailHealth {
    /// Mails that wait.
    pub waiting: i64,
    /// Since when the oldest does, in epoch milliseconds.
    pub waiting_since: Option<i64>,
    /// Mails that were sent.
    pub sent: i64,
    /// Mails that were given up.
    pub failed: i64,
    /// Mails of the last hour.
    pub in_hour: i64,
    /// Most mails of an hour; 0 is no limit.
    pub per_hour_max: i64,
}

impl Health {
    /// Reads it. Without `truth`, what tells of solves in the freeze is left out.
    pub async fn read(node: &Serving, counts: &Counts, truth: bool) -> Result<Self, StoreError> {
        let figures = node.figures().await;
        let data = node.config.data.clone();
        let disk = tokio::task::spawn_blocking(move || free_bytes(&data).ok());
        let disk = disk.await.unwrap_or_default();
        let minute = truth.then(|| node.pace.last_minute());
        let memory = memory().filter(|_| truth);
        let mail_per_hour_max = i64::from(node.settings.load().limits.mails_per_hour);
        Ok(Self {
            ready: node.readiness.known().map(|ready| ready.is_ok()),
            flags_per_second: minute.as_ref().map(FlagsPerSecond::of),
            lane: minute.as_ref().map(|minute| LaneHealth {
                waiting: figures.queue,
                failures: minute.lane_failures,
                slowest_ms: minute.slowest_ms,
                entries: figures.entries,
            }),
            process: figures.used.filter(|_| truth).map(|used| ProcessHealth {
                memory_bytes: used.memory_bytes,
                files: used.files,
                files_max: used.files_max,
            }),
            memory_available_bytes: memory.map(|it| it.available_bytes),
            memory_bytes: memory.map(|it| it.total_bytes),
            disk_free_bytes: disk.filter(|_| truth),
            sockets: figures.sockets,
            connections: figures.connections,
            connections_refused: minute.map(|it| it.rejected),
            logins_in_progress: figures.passwords,
            mail: figures.mails.map(|mails| MailHealth {
                waiting: mails.waiting,
                waiting_since: counts.mail_since_ms,
                sent: mails.sent,
                failed: mails.failed,
                in_hour: mails.in_hour,
                per_hour_max: mail_per_hour_max,
            }),
            mail_waiting_since: counts.mail_since_ms,
            mail_per_hour_max,
            nodes: counts.nodes,
            last_backup_at: dump::last(&node.db).await?,
            clock_ahead_ms: node.clock.jump_ms(),
            is_intact: figures.intact,
        })
    }

    /// The figures, each with its name.
    pub(super) fn figures(&self) -> Vec<(&'static str, Value)> {
        let time = |ms: Option<i64>| ms.map_or(Value::Null, utc);
        let flags = self.flags_per_second.as_ref();
        let lane = self.lane.as_ref();
        let process = self.process.as_ref();
        let mail = self.mail.as_ref();
        vec![
            ("ready", json!(self.ready)),
            ("right_flags_per_s", json!(flags.map(|it| it.right))),
            ("wrong_flags_per_s", json!(flags.map(|it| it.wrong))),
            ("repeated_flags_per_s", json!(flags.map(|it| it.repeated))),
            ("throttled_flags_per_s", json!(flags.map(|it| it.throttled))),
            ("lane_queue", json!(lane.map(|it| it.waiting))),
            ("lane_failures", json!(lane.map(|it| it.failures))),
            ("lane_slowest_ms", json!(lane.map(|it| it.slowest_ms))),
            ("journal_entries", json!(lane.map(|it| it.entries))),
            ("memory_bytes", json!(process.map(|it| it.memory_bytes))),
            ("memory_available_bytes", json!(self.memory_available_bytes)),
            ("files", json!(process.map(|it| it.files))),
            ("files_max", json!(process.map(|it| it.files_max))),
            ("disk_free_bytes", json!(self.disk_free_bytes)),
            ("sockets", json!(self.sockets)),
            ("connections", json!(self.connections)),
            ("connections_refused", json!(self.connections_refused)),
            ("logins_in_progress", json!(self.logins_in_progress)),
            ("mails_waiting", json!(mail.map(|it| it.waiting))),
            ("mails_sent", json!(mail.map(|it| it.sent))),
            ("mails_failed", json!(mail.map(|it| it.failed))),
            ("mails_in_hour", json!(mail.map(|it| it.in_hour))),
            ("mails_per_hour_max", json!(self.mail_per_hour_max)),
            ("oldest_mail_waits_since", time(self.mail_waiting_since)),
            ("servers", json!(self.nodes)),
            ("last_backup", time(self.last_backup_at)),
            ("clock_ahead_ms", json!(self.clock_ahead_ms)),
            ("journal_intact", json!(self.is_intact)),
        ]
    }
}

impl FlagsPerSecond {
    /// Those of a minute, with two decimals.
    fn of(minute: &LastMinute) -> Self {
        let rate = |of: Verdict| (minute.flags_per_s[of as usize] * 100.0).round() / 100.0;
        Self {
            right: rate(Verdict::Right),
            wrong: rate(Verdict::Wrong),
            repeated: rate(Verdict::Repeated),
            throttled: rate(Verdict::Throttled),
        }
    }
}

impl MailHealth {
    fn is_near_limit(&self) -> bool {
        self.per_hour_max > 0 && self.in_hour * 100 >= self.per_hour_max * MAILS_PERCENT
    }
}

/// Something that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Warning {
    /// Its name for programs.
    pub code: &'static str,
    /// What is wrong.
    pub message: &'static str,
    /// What to do.
    pub cure: &'static str,
}

/// The warnings, each with its condition, which may use these names of the arguments.
macro_rules! warnings {
    ($health:ident, $runs:ident, $now_ms:ident;
     $($code:literal, $message:literal, $cure:literal, if $is_so:expr;)*) => {
        const ALL: &[Warning] = &[$(Warning { code: $code, message: $message, cure: $cure }),*];

        /// What is wrong now. `runs` says whether the event runs.
        pub fn warnings($health: &Health, $runs: bool, $now_ms: i64) -> Vec<Warning> {
            let all = ALL.iter().zip([$($is_so),*]);
            all.filter_map(|(warning, is_so)| is_so.then_some(*warning)).collect()
        }
    };
}

warnings! {
    health, runs, now_ms;
    "not_ready", "This node takes no flags now.",
        "`/readyz` says why. If the journal cannot be written to, free space on the disk; if the \
         database does not answer, start it. No restart is needed",
        if health.ready == Some(false);
    "lane_fails", "Flags were answered with 503 in the last minute.",
        "Look at `journalctl -u flagship -n 50 -o cat`, at the disk and at the database",
        if health.lane.as_ref().is_some_and(|it| it.failures > 0);
    "lane_slow", "A right flag waited for more than half a second.",
        "The disk is slow, or the database is busy: end other work on the machine, such as \
         copies of backups",
        if health.lane.as_ref().is_some_and(|it| it.slowest_ms > SLOW_MS);
    "connections_refused", "Connections were refused in the last minute.",
        "If one network floods the site, refuse it at the proxy. Otherwise raise `LimitNOFILE`, \
         and check that the proxy is in `trusted_proxies`",
        if health.connections_refused.is_some_and(|count| count > 0);
    "files_low", "More than 80 % of the files that may be open are.",
        "Raise `LimitNOFILE`, then `systemctl restart flagship` when few play",
        if health.process.as_ref().is_some_and(|it| {
            it.files * 100 > it.files_max.saturating_mul(FILES_PERCENT)
        });
    "logins_wait", "More than 75 logins and signups are in progress.",
        "A rush of logins passes. If it stays, the database is slow, or one network has to be \
         refused at the proxy",
        if health.logins_in_progress > PASSWORDS_MAX;
    "memory_low", "Less than a tenth of the machine's memory is left.",
        "End other programs on the machine; the table of sizes has what an event needs",
        if health.memory_available_bytes.zip(health.memory_bytes).is_some_and(|(left, all)| {
            left * 100 < all.saturating_mul(MEMORY_PERCENT)
        });
    "disk_low", "Less than 1 GiB of the disk is free.",
        "Free space, old files in `/var/lib/flagship-backups` first; a full disk refuses right \
         flags",
        if health.disk_free_bytes.is_some_and(|free| free < FREE_BYTES_MIN);
    "mail_waits", "A mail has waited for more than 5 minutes.",
        "`flagship doctor --event DIR` logs in to the mail server and says what it refuses. Mail \
         is retried for eight hours",
        if health.mail_waiting_since.is_some_and(|ms| now_ms - ms > MAIL_WAITS_MS);
    "mail_refused", "Mails were given up.",
        "`GET /api/organize/teams?mail=refused` has the teams with the server's words: correct \
         the address by `team.address`, or send again by `team.resend`",
        if health.mail.as_ref().is_some_and(|it| it.failed > 0);
    "mail_limit", "Nine tenths of the hour's mails are sent.",
        "If the signups are honest, raise `mails_per_hour` in `event.toml`, then `systemctl \
         reload flagship`",
        if health.mail.as_ref().is_some_and(MailHealth::is_near_limit);
    "backup_old", "The event runs, and there was no backup in the last hour.",
        "`systemctl start flagship-backup`, then `systemctl enable --now flagship-backup.timer`",
        if runs && health.last_backup_at.is_none_or(|ms| now_ms - ms > BACKUP_MAX_MS);
    "clock_jumped", "The wall clock has jumped; the event keeps its time.",
        "Set the clock (`timedatectl`), then `systemctl restart flagship`",
        if health.clock_ahead_ms.is_some();
    "journal_altered", "Another program changed the journal or the flags.",
        "`flagship journal verify` names the first entry that Flagship did not write. Find out \
         who can reach the database",
        if !health.is_intact;
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW_MS: i64 = 1_800_000_000_000;

    const WELL_LANE: LaneHealth =
        LaneHealth { waiting: 0, failures: 0, slowest_ms: 500, entries: 1 };
    const WELL_MAIL: MailHealth = MailHealth {
        waiting: 9,
        waiting_since: None,
        sent: 9,
        failed: 0,
        in_hour: 89,
        per_hour_max: 100,
    };

    fn files(files: usize) -> Option<ProcessHealth> {
        Some(ProcessHealth { memory_bytes: 1, files, files_max: 100 })
    }

    /// A node of a running event with which nothing is wrong.
    fn well() -> Health {
        Health {
            ready: Some(true),
            lane: Some(WELL_LANE),
            process: files(80),
            memory_available_bytes: Some(10),
            memory_bytes: Some(100),
            disk_free_bytes: Some(FREE_BYTES_MIN),
            connections_refused: Some(0),
            logins_in_progress: PASSWORDS_MAX,
            mail: Some(WELL_MAIL),
            mail_waiting_since: Some(NOW_MS - MAIL_WAITS_MS),
            nodes: 1,
            last_backup_at: Some(NOW_MS - BACKUP_MAX_MS),
            is_intact: true,
            ..Health::default()
        }
    }

    #[test]
    fn each_limit_has_its_warning() {
        let codes = |health: &Health| -> Vec<&str> {
            warnings(health, true, NOW_MS).iter().map(|it| it.code).collect()
        };
        assert_eq!(codes(&well()), Vec::<&str>::new());
        let lane = |lane: LaneHealth| Health { lane: Some(lane), ..well() };
        let mail = |mail: MailHealth| Health { mail: Some(mail), ..well() };
        let late_ms = Some(NOW_MS - MAIL_WAITS_MS - 1);
        let cases: Vec<(&str, Health)> = vec![
            ("not_ready", Health { ready: Some(false), ..well() }),
            ("lane_fails", lane(LaneHealth { failures: 1, ..WELL_LANE })),
            ("lane_slow", lane(LaneHealth { slowest_ms: 501, ..WELL_LANE })),
            ("connections_refused", Health { connections_refused: Some(1), ..well() }),
            ("files_low", Health { process: files(81), ..well() }),
            ("logins_wait", Health { logins_in_progress: PASSWORDS_MAX + 1, ..well() }),
            ("memory_low", Health { memory_available_bytes: Some(9), ..well() }),
            ("disk_low", Health { disk_free_bytes: Some(FREE_BYTES_MIN - 1), ..well() }),
            ("mail_waits", Health { mail_waiting_since: late_ms, ..well() }),
            ("mail_refused", mail(MailHealth { failed: 1, ..WELL_MAIL })),
            ("mail_limit", mail(MailHealth { in_hour: 90, ..WELL_MAIL })),
            ("backup_old", Health { last_backup_at: None, ..well() }),
            ("clock_jumped", Health { clock_ahead_ms: Some(-3_000), ..well() }),
            ("journal_altered", Health { is_intact: false, ..well() }),
        ];
        for (code, health) in &cases {
            assert_eq!(codes(health), [*code]);
        }
        assert_eq!(cases.len(), ALL.len(), "each warning has a case");
        let old = Health { last_backup_at: Some(NOW_MS - BACKUP_MAX_MS - 1), ..well() };
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
