//! Metrics for Prometheus, served on their own listener. Without that listener only `pace` counts.
//! Gauges are read when they are requested (`gauges`).

pub mod figures;
pub mod gauges;
pub mod pace;
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

use self::pace::{ByLabel, Labels, Pace, SECONDS};

/// The label for requests without a route template: pages and files of the site, and unknown paths.
const SITE: &str = "site";
const METHODS: [&str; 4] = ["GET", "HEAD", "POST", "other"];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

type Seconds = Family<Labels<3>, Histogram, fn() -> Histogram>;

/// The responses of one route: a histogram by method and class of status, each made when it is
/// first needed.
type Route = [[OnceLock<Histogram>; CLASSES.len()]; METHODS.len()];

/// Metrics that are recorded as events happen.
pub struct Metrics {
    registry: Registry,
    answers: Seconds,
    routes: HashMap<String, Route>,
    now: Gauges,
}

/// Metrics that are read when they are requested.
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
}

impl Metrics {
    /// Nothing recorded yet. `database` is the kind of database, `templates` are the path templates
    /// of all routes.
    pub fn new(database: &str, templates: Vec<String>, pace: &Pace) -> Self {
        let mut registry = Registry::default();
        let answers = Seconds::new_with_constructor(|| Histogram::new(SECONDS));
        let about = "Time from a request's head to its answer's, by route, method and status";
        let name = "flagship_http_request_duration";
        registry.register_with_unit(name, about, Unit::Seconds, answers.clone());
        let about = "Flags that were judged, and those that a spent budget refused";
        registry.register("flagship_submissions", about, pace.outcomes.clone());
        let about = "Operations in one transaction of the lane";
        registry.register("flagship_lane_batch_operations", about, pace.batch.clone());
        let about = "Time of one transaction of the lane, from its lock to its place on the disk";
        registry.register_with_unit(
            "flagship_lane_commit",
            about,
            Unit::Seconds,
            pace.commit.clone(),
        );
        let about = "Transactions of the lane that failed";
        registry.register("flagship_lane_failures", about, pace.failures.clone());
        let about = "Connections, and requests of proxies, refused or closed for want of a place";
        registry.register("flagship_connections_refused", about, pace.rejected.clone());
        let build = [("version", env!("CARGO_PKG_VERSION")), ("database", database)];
        let build = Info::new(build.map(|(name, value)| (name, value.to_owned())));
        registry.register("flagship_build", "The program", build);
        let now = Gauges::default();
        now.register(&mut registry);
        let routes = templates.into_iter().chain([SITE.to_owned()]);
        let routes = routes.map(|route| (route, Route::default())).collect();
        Self { registry, answers, routes, now }
    }

    /// Records a response. `route` is its path template; the site has none.
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
            ("flagship_ready", "Whether the node can take flags, as /readyz says", &self.ready),
            ("flagship_lane_queue", "Operations that wait for the lane", &self.queue),
            ("flagship_sockets", "Open sockets of the live channel", &self.sockets),
            ("flagship_connections", "Open connections", &self.connections),
            (
                "flagship_password_queue",
                "Logins and signups that are looked up, wait for a hashing thread or are hashed",
                &self.passwords,
            ),
            ("flagship_journal_entries", "Number of the last entry in the fold", &self.entries),
            (
                "flagship_journal_intact",
                "0 once the journal or the flags were found to be changed by another program",
                &self.intact,
            ),
            ("process_resident_memory_bytes", "Memory in use", &self.memory),
            ("process_open_fds", "Open files and connections", &self.files),
            ("process_max_fds", "Files and connections that may be open", &self.files_max),
        ] {
            registry.register(name, about, gauge.clone());
        }
        let about = "1 for the journal's head as it is, FROM:SEQ:HASH:MAC";
        registry.register("flagship_journal_head", about, self.head.clone());
        registry.register("flagship_mails", "Mails in the outbox", self.mails.clone());
        let about = "Mails of the last hour, of which `mails_per_hour` is the most";
        registry.register("flagship_mails_in_hour", about, self.mails_in_hour.clone());
        let about = "Processor time, of the system and of the program";
        registry.register_with_unit("process_cpu", about, Unit::Seconds, self.cpu.clone());
    }
}

fn index_of(method: &Method) -> usize {
    let index = METHODS.iter().position(|it| *it == method.as_str());
    index.unwrap_or(METHODS.len() - 1)
}

/// A method's name from a fixed list, since clients may send any method.
pub fn method_name(method: &Method) -> &'static str {
    METHODS[index_of(method)]
}
