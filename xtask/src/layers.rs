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
            &["wire"],
            &["facts", "published"],
        ],
    ),
    (
        "crates/flagship-store/src",
        &[
            &["clock", "error", "key", "trouble"],
            &["engine"],
            &[
                "accounts",
                "addresses",
                "captchas",
                "challenges",
                "health",
                "mail",
                "meta",
                "sessions",
            ],
            &["wrong_flags", "nodes", "journal", "seal", "dump", "fold", "kept", "settings"],
            &["actions", "desk", "lists", "organizers", "privacy", "sources"],
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
                "problem",
                "quoted",
                "settings",
                "table",
                "toml_error",
                "walk",
                "when",
                "yaml",
            ],
            &["fields", "files", "flags", "foreign", "search", "writer"],
            &["challenge_yml", "event_times", "event_toml", "hints", "rules", "scoring", "site"],
            &["links"],
            &["source"],
            &["fuzz"],
        ],
    ),
    (
        "crates/flagship-actions/src",
        &[
            &["countries", "lists", "mail", "release_states"],
            &["messages", "rejection"],
            &["desk", "text"],
            &["action"],
            &["facts_undo"],
            &["prelude"],
            &[
                "challenge",
                "event",
                "evidence",
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
            &[
                "check",
                "cli",
                "difference",
                "failure",
                "init",
                "names",
                "outcome",
                "public_url",
                "say",
            ],
            &["attachments", "demo", "installation"],
            &["actions", "apply", "backup", "import", "lists", "operation", "organizers"],
            &["export", "privacy", "reload", "restore", "serve"],
            &["doctor", "journal", "rehearse"],
        ],
    ),
];

/// A layer of a room: its name, and the files and folders in it.
type Layer = (&'static str, &'static [&'static str]);

/// The layers inside of a room, in the same way.
pub const ROOMS: [(&str, &str, &[Layer]); 1] = [(
    "crates/flagship-server/src",
    "node",
    &[
        (
            "ground",
            &["background", "config", "error", "limits", "links", "report", "settings", "sockets"],
        ),
        (
            "holdings",
            &[
                "activity",
                "backup",
                "board",
                "brand",
                "captcha",
                "downloads",
                "heads",
                "metrics",
                "passwords",
                "sessions",
                "sightings",
                "uploads",
            ],
        ),
        ("work", &["common", "flags", "lane", "mail", "nodes", "readiness", "services", "tasks"]),
        ("parts", &["accounts", "judging", "serving"]),
        ("organizers", &["imports", "lists", "organizers"]),
        ("state", &["follow", "housekeeping", "state"]),
    ],
)];

/// Most layers of a room: more of them order nothing.
pub const ROOM_LAYERS_MAX: usize = 6;

/// Beginnings of the names of crates that a module of a crate must not name.
pub const FOREIGN: [(&str, &str, &[&str]); 2] = [
    ("crates/flagship-server/src", "net", &["flagship_"]),
    ("crates/flagship-server/src", "node", &["axum", "utoipa_axum"]),
];

/// Rooms that import nothing of their own crate from outside.
pub const CLOSED: [(&str, &str); 1] = [("crates/flagship-server/src", "net")];
