//! Metrics for Prometheus, served on a separate listener. Without that listener, only `counters`
//! records anything. Gauges are read on request (`gauges`).

pub mod counters;
pub mod figures;
pub mod gauges;
pub mod process;

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use http::{Method, StatusCode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use self::counters::{ByLabel, Counters, Labels, SECONDS};

/// Label for requests without a route template: pages and files of the site, and unknown paths.
const SITE: &str = "site";
const METHODS: [&str; 4] = ["GET", "HEAD", "POST", "other"];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

type Seconds = Family<Labels<3>, Histogram, fn() -> Histogram>;

/// Responses of one route: a histogram for each method and status class, created on first use.
type Route = [[OnceLock<Histogram>; CLASSES.len()]; METHODS.len()];

/// Metrics that are recorded as events happen.
pub struct Metrics {
    registry: Registry,
    answers: Seconds,
    routes: HashMap<String, Route>,
    now: Gauges,
}

/// Metrics that are read on request.
#[derive(Default)]
struct Gauges {
    ready: Gauge,
    queue: Gauge,
    sockets: Gauge,
    connections: Gauge,
    passwords: Gauge,
    entries: Gauge,
    intact: Gauge,
    head: ByLabel<1, Gauge>,
    mails: ByLabel<1, Gauge>,
    mails_in_hour: Gauge,
    memory: Gauge,
    cpu: Counter<f64, AtomicU64>,
    files: Gauge,
    files_max: Gauge,
    certificate_expiry: Gauge,
    certificate_fails: Gauge,
}

impl Metrics {
    /// Creates empty metrics. `database` is the name of the engine, and `templates` are the path
    /// templates of all routes.
    pub fn new(database: &str, templates: Vec<String>, counters: &Counters) -> Self {
        let mut registry = Registry::default();
        let answers = Seconds::new_with_constructor(|| Histogram::new(SECONDS));
        let about = "HTTP request duration by route, method and status";
        let name = "flagship_http_request_duration";
        registry.register_with_unit(name, about, Unit::Seconds, answers.clone());
        let about = "Flag submissions by result";
        registry.register("flagship_submissions", about, counters.outcomes.clone());
        let about = "Operations per journal write transaction";
        registry.register("flagship_lane_batch_operations", about, counters.batch.clone());
        let about = "Duration of journal write transactions, from lock to durable commit";
        registry.register_with_unit(
            "flagship_lane_commit",
            about,
            Unit::Seconds,
            counters.commit.clone(),
        );
        let about = "Failed journal write transactions";
        registry.register("flagship_lane_failures", about, counters.failures.clone());
        let about = "Connections and proxied requests rejected because a limit was reached";
        registry.register("flagship_connections_refused", about, counters.rejected.clone());
        let build = [("version", env!("CARGO_PKG_VERSION")), ("database", database)];
        let build = Info::new(build.map(|(name, value)| (name, value.to_owned())));
        registry.register("flagship_build", "Build information", build);
        let now = Gauges::default();
        now.register(&mut registry);
        let routes = templates.into_iter().chain([SITE.to_owned()]);
        let routes = routes.map(|route| (route, Route::default())).collect();
        Self { registry, answers, routes, now }
    }

    /// Records a response. `route` is the path template; the site has none.
    pub fn responded(
        &self,
        route: Option<&str>,
        method: &Method,
        status: StatusCode,
        took: Duration,
    ) {
        let route = route.filter(|route| self.routes.contains_key(*route)).unwrap_or(SITE);
        let method = index_of(method);
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES.len()) - 1;
        let histogram = self.routes[route][method][class].get_or_init(|| {
            let labels =
                [("route", route), ("method", METHODS[method]), ("status", CLASSES[class])];
            self.answers.get_or_create_owned(&labels.map(|(name, it)| (name, it.to_owned())))
        });
        histogram.observe(took.as_secs_f64());
    }
}

impl Gauges {
    fn register(&self, registry: &mut Registry) {
        for (name, about, gauge) in [
            ("flagship_ready", "Whether the node accepts flags (see /readyz)", &self.ready),
            ("flagship_lane_queue", "Operations queued for the journal writer", &self.queue),
            ("flagship_sockets", "Open live channel WebSockets", &self.sockets),
            ("flagship_connections", "Open connections", &self.connections),
            (
                "flagship_password_queue",
                "Logins and signups pending (lookup, queue or password hashing)",
                &self.passwords,
            ),
            (
                "flagship_journal_entries",
                "Sequence number of the last applied journal entry",
                &self.entries,
            ),
            (
                "flagship_journal_intact",
                "1, or 0 after tampering with the journal or the flags was detected",
                &self.intact,
            ),
            (
                "flagship_certificate_expiry_seconds",
                "Expiry of the TLS certificate in epoch seconds, 0 without one",
                &self.certificate_expiry,
            ),
            (
                "flagship_certificate_fails",
                "1 while no new TLS certificate can be obtained",
                &self.certificate_fails,
            ),
            ("process_resident_memory_bytes", "Resident memory in bytes", &self.memory),
            ("process_open_fds", "Open file descriptors", &self.files),
            ("process_max_fds", "Maximum number of open file descriptors", &self.files_max),
        ] {
            registry.register(name, about, gauge.clone());
        }
        let about = "Current journal head as a label, FROM:SEQ:HASH:MAC; always 1";
        registry.register("flagship_journal_head", about, self.head.clone());
        registry.register("flagship_mails", "Emails in the outbox by state", self.mails.clone());
        let about = "Emails sent in the last hour; the limit is `mails_per_hour`";
        registry.register("flagship_mails_in_hour", about, self.mails_in_hour.clone());
        let about = "CPU time in seconds, user and system";
        registry.register_with_unit("process_cpu", about, Unit::Seconds, self.cpu.clone());
    }
}

fn index_of(method: &Method) -> usize {
    let index = METHODS.iter().position(|it| *it == method.as_str());
    index.unwrap_or(METHODS.len() - 1)
}

/// Returns a method's name from a fixed list, because clients can send any method.
pub fn method_name(method: &Method) -> &'static str {
    METHODS[index_of(method)]
}
