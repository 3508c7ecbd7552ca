//! The order of the modules of each crate, which `modules` checks.

/// The layers of each crate's top-level modules, lowest first. A module imports from its own layer
/// and lower ones. The crate's root may import and re-export anything.
pub const LAYERS: [(&str, &[&[&str]]); 6] = [
    (
        "crates/flagship-game/src",
        &[
            &[
                "chain",
                "challenge",
                "division",
                "entry",
                "event",
                "flag_text",
                "name",
                "points",
                "ranking",
                "team_flag",
            ],
            &["contest"],
            &["board", "moves", "phase_change", "view"],
            &["ceremony", "purchase"],
            &["wire"],
            &["facts", "published"],
        ],
    ),
    (
        "crates/flagship-store/src",
        &[
            &["clock", "error", "fault", "key"],
            &["engine"],
            &[
                "accounts",
                "addresses",
                "attachments",
                "captchas",
                "challenges",
                "health",
                "mail",
                "meta",
                "sessions",
            ],
            &["wrong_flags", "nodes", "journal", "seal", "dump", "fold", "snapshot", "settings"],
            &["actions", "desk", "lists", "organizers", "privacy", "signups", "sources"],
            &["ops"],
            &["lane"],
        ],
    ),
    (
        "crates/flagship-pack/src",
        &[
            &[
                "html",
                "network",
                "offset_time",
                "problem",
                "quoted",
                "settings",
                "table",
                "team_copy",
                "toml_error",
                "walk",
                "yaml",
            ],
            &["fields", "files", "flags", "foreign", "search", "writer"],
            &["challenge_yml", "event_times", "event_toml", "hints", "rules", "scoring", "site"],
            &["links"],
            &["source"],
            &["fuzz", "texts"],
        ],
    ),
    (
        "crates/flagship-actions/src",
        &[
            &["countries", "lists", "mail", "release_states"],
            &["messages", "rejection"],
            &["desk", "text"],
            &["action", "several"],
            &["facts_undo"],
            &["prelude"],
            &[
                "challenge",
                "code",
                "event",
                "evidence",
                "hint",
                "notice",
                "question",
                "settings",
                "site",
                "solve",
                "team",
            ],
            &["list"],
            &["recorded", "run", "sentences"],
            &["arguments"],
            &["openapi"],
        ],
    ),
    ("crates/flagship-server/src", &[&["net"], &["node"], &["api"]]),
    (
        "crates/flagship/src",
        &[
            &["check", "cli", "failure", "init", "messages", "names", "output", "public_url"],
            &["attachments", "demo", "health", "installation", "manual"],
            &["actions", "apply", "backup", "import", "lists", "operation", "organizers"],
            &["codes", "export", "passes", "privacy", "reload", "restore", "serve"],
            &["doctor", "journal", "rehearse"],
        ],
    ),
];

/// A layer inside a module: its name, and its files and folders.
type Layer = (&'static str, &'static [&'static str]);

/// Layers inside a module, lowest first.
pub const SUBLAYERS: [(&str, &str, &[Layer]); 1] = [(
    "crates/flagship-server/src",
    "node",
    &[
        (
            "ground",
            &[
                "background",
                "certificate",
                "config",
                "error",
                "limits",
                "links",
                "report",
                "settings",
                "sockets",
                "storage",
            ],
        ),
        (
            "holdings",
            &[
                "activity",
                "apply",
                "backup",
                "board",
                "brand",
                "captcha",
                "downloads",
                "journal_head",
                "metrics",
                "passwords",
                "sessions",
                "sightings",
                "uploads",
            ],
        ),
        (
            "work",
            &[
                "common",
                "copies",
                "flags",
                "lane",
                "mail",
                "nodes",
                "readiness",
                "services",
                "tasks",
            ],
        ),
        ("parts", &["accounts", "judging", "serving"]),
        ("organizers", &["imports", "join_cards", "lists", "organizers"]),
        ("state", &["follow", "housekeeping", "state"]),
    ],
)];

/// Maximum number of layers inside a module. More would be arbitrary.
pub const SUBLAYERS_MAX: usize = 6;

/// Prefixes of crates that a module of a crate must not use.
pub const FOREIGN: [(&str, &str, &[&str]); 2] = [
    ("crates/flagship-server/src", "net", &["flagship_"]),
    ("crates/flagship-server/src", "node", &["axum", "utoipa_axum"]),
];

/// Modules that import nothing from the rest of their crate.
pub const INDEPENDENT: [(&str, &str); 1] = [("crates/flagship-server/src", "net")];
