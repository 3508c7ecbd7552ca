//! Health of the node: figures and warnings, each warning with the fix from docs/operate.md.

use flagship_store::lists::overview::Counts;
use flagship_store::{StoreError, dump};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::table::utc;
use crate::node::backup::{FREE_BYTES_MIN, free_bytes};
use crate::node::certificate::CertificateStatus;
use crate::node::metrics::counters::{LastMinute, Verdict};
use crate::node::metrics::process::memory;
use crate::node::serving::Serving;

/// Maximum duration of a normal lane transaction, in milliseconds.
const SLOW_MS: u64 = 500;
/// Percentage of the open file limit above which a warning is shown.
const FILES_PERCENT: usize = 80;
/// Number of pending logins above which they are slow.
const PASSWORDS_MAX: usize = 75;
/// Percentage of free memory below which a warning is shown.
const MEMORY_PERCENT: u64 = 10;
/// Maximum time an email may be queued, in milliseconds.
const MAIL_WAITS_MS: i64 = 5 * 60_000;
/// Percentage of the hourly email limit above which a warning is shown.
const MAILS_PERCENT: i64 = 90;
/// Maximum age of the last backup while the event runs, in milliseconds.
const BACKUP_MAX_MS: i64 = 60 * 60_000;

/// Health of this node. While the freeze hides solves, fields that could reveal them are null for
/// callers who may not see them.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NodeHealth)]
pub struct Health {
    /// True if the node can accept flags; null while unknown.
    pub ready: Option<bool>,
    /// Submissions per second in the last minute.
    pub flags_per_second: Option<FlagsPerSecond>,
    /// The lane, which writes correct submissions.
    pub lane: Option<LaneHealth>,
    /// Resource use of the process.
    pub process: Option<ProcessHealth>,
    /// Free memory of the machine, in bytes.
    pub memory_available_bytes: Option<u64>,
    /// Total memory of the machine, in bytes.
    #[serde(skip)]
    pub memory_bytes: Option<u64>,
    /// Free space on the disk of the data folder, in bytes.
    pub disk_free_bytes: Option<u64>,
    /// Number of open live channel sockets.
    pub sockets: usize,
    /// Number of open connections.
    pub connections: usize,
    /// Number of connections rejected in the last minute.
    #[serde(skip)]
    pub connections_refused: Option<u64>,
    /// Number of pending logins and signups: being looked up, waiting for a hashing thread or being
    /// hashed.
    pub logins_in_progress: usize,
    /// Email queue; null if the database does not respond in time.
    pub mail: Option<MailHealth>,
    /// Same as in `mail`, which may be null.
    #[serde(skip)]
    pub mail_waiting_since: Option<i64>,
    /// Same as in `mail`, which may be null.
    #[serde(skip)]
    pub mail_per_hour_max: i64,
    /// Number of running nodes, including those that were killed and not restarted.
    pub nodes: i64,
    /// Time of the last backup.
    pub last_backup_at: Option<i64>,
    /// Milliseconds by which the system clock has jumped ahead of the event's clock; null if it has
    /// not.
    pub clock_ahead_ms: Option<i64>,
    /// False if another program modified the journal or the flags.
    pub is_intact: bool,
    /// State of the TLS certificate; `None` without built-in TLS.
    #[serde(skip)]
    pub certificate: Option<CertificateStatus>,
    /// True if copies of a file for the teams could not be made.
    #[serde(skip)]
    pub copies_fail: bool,
}

/// Submissions per second.
#[derive(Serialize, ToSchema)]
pub struct FlagsPerSecond {
    /// Correct submissions that are a team's first for the challenge.
    pub right: f64,
    /// Incorrect submissions.
    pub wrong: f64,
    /// Correct submissions for challenges that the team had already solved.
    pub repeated: f64,
    /// Submissions rejected by a rate limit.
    pub throttled: f64,
}

/// State of the lane.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LaneHealth {
    /// Number of queued operations.
    pub waiting: usize,
    /// Number of failed transactions in the last minute.
    pub failures: u64,
    /// Duration of the slowest transaction in the last minute, in milliseconds.
    pub slowest_ms: u64,
    /// Sequence number of the last journal entry.
    pub entries: i64,
}

/// Resource use of the process.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessHealth {
    /// Memory, in bytes.
    pub memory_bytes: usize,
    /// Number of open files and connections.
    pub files: usize,
    /// Limit of open files.
    pub files_max: usize,
}

/// Email queue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailHealth {
    /// Number of queued emails.
    pub waiting: i64,
    /// Time at which the oldest queued email was queued, in epoch milliseconds.
    pub waiting_since: Option<i64>,
    /// Number of sent emails.
    pub sent: i64,
    /// Number of failed emails.
    pub failed: i64,
    /// Number of emails in the last hour.
    pub in_hour: i64,
    /// Maximum number of emails per hour; 0 means no limit.
    pub per_hour_max: i64,
}

impl Health {
    /// Reads the health. Without `truth`, figures that could reveal solves during the freeze are
    /// omitted.
    pub async fn read(node: &Serving, counts: &Counts, truth: bool) -> Result<Self, StoreError> {
        let figures = node.figures().await;
        let data = node.config.data.clone();
        let disk = tokio::task::spawn_blocking(move || free_bytes(&data).ok());
        let disk = disk.await.unwrap_or_default();
        let minute = truth.then(|| node.counters.last_minute());
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
            certificate: figures.certificate,
            copies_fail: node.copies.fail(),
        })
    }

    /// All figures by name.
    pub(super) fn figures(&self) -> Vec<(&'static str, Value)> {
        let time = |ms: Option<i64>| ms.map_or(Value::Null, utc);
        let flags = self.flags_per_second.as_ref();
        let lane = self.lane.as_ref();
        let process = self.process.as_ref();
        let mail = self.mail.as_ref();
        let certificate = self.certificate.and_then(|it| it.times);
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
            ("certificate_expires", time(certificate.map(|it| it.expires_at_ms))),
        ]
    }
}

impl FlagsPerSecond {
    /// Averages over a minute, with two decimals.
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

/// A warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Warning {
    /// Machine-readable code.
    pub code: &'static str,
    /// Message.
    pub message: &'static str,
    /// Fix.
    pub cure: &'static str,
}

/// Warnings with their conditions, which can use these argument names.
macro_rules! warnings {
    ($health:ident, $runs:ident, $now_ms:ident;
     $($code:literal, $message:literal, $cure:literal, if $is_so:expr;)*) => {
        const ALL: &[Warning] = &[$(Warning { code: $code, message: $message, cure: $cure }),*];

        /// Current warnings. `runs` is true while the event runs.
        pub fn warnings($health: &Health, $runs: bool, $now_ms: i64) -> Vec<Warning> {
            let all = ALL.iter().zip([$($is_so),*]);
            all.filter_map(|(warning, is_so)| is_so.then_some(*warning)).collect()
        }
    };
}

warnings! {
    health, runs, now_ms;
    "not_ready", "This node is not accepting flags.",
        "See `/readyz` for the cause. Free disk space if the journal is not writable; start the \
         database if it is not responding. No restart needed",
        if health.ready == Some(false);
    "lane_fails", "Submissions failed with 503 in the last minute.",
        "Check `journalctl -u flagship -n 50 -o cat`, the disk and the database",
        if health.lane.as_ref().is_some_and(|it| it.failures > 0);
    "lane_slow", "A correct submission took more than half a second.",
        "The disk is slow or the database is busy: stop other work on this machine, such as \
         copying backups",
        if health.lane.as_ref().is_some_and(|it| it.slowest_ms > SLOW_MS);
    "connections_refused", "Connections were rejected in the last minute.",
        "If one network is flooding the site, block it at the proxy. Otherwise raise \
         `LimitNOFILE` and check that the proxy is in `trusted_proxies`",
        if health.connections_refused.is_some_and(|count| count > 0);
    "files_low", "Over 80% of the open file limit is in use.",
        "Raise `LimitNOFILE`, then run `systemctl restart flagship` at a quiet moment",
        if health.process.as_ref().is_some_and(|it| {
            it.files * 100 > it.files_max.saturating_mul(FILES_PERCENT)
        });
    "logins_wait", "More than 75 logins and signups are pending.",
        "A login rush passes by itself. If it persists, the database is slow, or one network \
         should be blocked at the proxy",
        if health.logins_in_progress > PASSWORDS_MAX;
    "memory_low", "Less than 10% of memory is free.",
        "Stop other programs on this machine; see the sizing table in docs/operate.md",
        if health.memory_available_bytes.zip(health.memory_bytes).is_some_and(|(left, all)| {
            left * 100 < all.saturating_mul(MEMORY_PERCENT)
        });
    "disk_low", "Less than 1 GiB of disk space is free.",
        "Free disk space, starting with old files in `/var/lib/flagship-backups`; with a full \
         disk, correct flags are rejected",
        if health.disk_free_bytes.is_some_and(|free| free < FREE_BYTES_MIN);
    "mail_waits", "An email has been queued for more than 5 minutes.",
        "`flagship doctor --event DIR` tests the mail server login. Emails are retried for eight \
         hours",
        if health.mail_waiting_since.is_some_and(|ms| now_ms - ms > MAIL_WAITS_MS);
    "mail_refused", "Emails could not be delivered.",
        "`GET /api/organize/teams?mail=refused` lists the teams and the mail server's response: \
         correct the address with `team.address` or resend with `team.resend`",
        if health.mail.as_ref().is_some_and(|it| it.failed > 0);
    "mail_limit", "90% of the hourly email limit is used.",
        "If the signups are legitimate, raise `mails_per_hour` in `event.toml`, then run \
         `systemctl reload flagship`",
        if health.mail.as_ref().is_some_and(MailHealth::is_near_limit);
    "backup_old", "The event is running and the last backup is over an hour old.",
        "Run `flagship backup FILE`. With systemd, `systemctl enable --now \
         flagship-backup.timer` creates a backup every 15 minutes",
        if runs && health.last_backup_at.is_some_and(|ms| now_ms - ms > BACKUP_MAX_MS);
    "backup_missing", "The event is running and there is no backup yet.",
        "Run `flagship backup FILE`. With systemd, `systemctl enable --now \
         flagship-backup.timer` creates a backup every 15 minutes",
        if runs && health.last_backup_at.is_none();
    "clock_jumped", "The system clock jumped. The event's clock is unaffected.",
        "Set the clock (`timedatectl`), then run `systemctl restart flagship`",
        if health.clock_ahead_ms.is_some();
    "journal_altered", "The journal or the flags were modified by another program.",
        "`flagship journal verify` shows the first entry not written by Flagship. Check who has \
         access to the database",
        if !health.is_intact;
    "certificate_fails", "The TLS certificate could not be renewed.",
        "The site works until the certificate expires. `journalctl -u flagship -n 50 -o cat` has \
         the reason. Port 80 must be reachable from the internet, and the domain must point to \
         this server",
        if health.certificate.is_some_and(|it| it.is_failing);
    "copies_fail", "Teams cannot download their copies of a file.",
        "`journalctl -u flagship -n 50 -o cat` has the reason. Free disk space if the disk is \
         full; otherwise correct the file in the console, or with `flagship apply --event DIR`. \
         The server tries again every 30 seconds",
        if health.copies_fail;
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

    /// A healthy node of a running event.
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
        let failing = CertificateStatus { is_failing: true, ..CertificateStatus::default() };
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
            ("backup_old", Health { last_backup_at: Some(NOW_MS - BACKUP_MAX_MS - 1), ..well() }),
            ("backup_missing", Health { last_backup_at: None, ..well() }),
            ("clock_jumped", Health { clock_ahead_ms: Some(-3_000), ..well() }),
            ("journal_altered", Health { is_intact: false, ..well() }),
            ("certificate_fails", Health { certificate: Some(failing), ..well() }),
            ("copies_fail", Health { copies_fail: true, ..well() }),
        ];
        for (code, health) in &cases {
            assert_eq!(codes(health), [*code]);
        }
        assert_eq!(cases.len(), ALL.len(), "each warning has a case");
        for last_backup_at in [Some(NOW_MS - BACKUP_MAX_MS - 1), None] {
            let health = Health { last_backup_at, ..well() };
            let words = "a backup matters while the event runs";
            assert_eq!(warnings(&health, false, NOW_MS), [], "{words}");
        }
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
