//! The rules of the code base that a program can check, as tests: sizes of files, lines and
//! functions, leftovers, machine details, directions of dependencies. They check tracked files and
//! new ones that git does not ignore.

use std::path::Path;
use std::process::Command;

use crate::controls;
use crate::process::{output, root};

const LINES_MAX: usize = 700;
const TEST_LINES_MAX: usize = 1000;
const COLUMNS_MAX: usize = 100;
const FUNCTION_LINES_MAX: usize = 80;
/// Size limit of pictures in the README, so that they load quickly on a slow connection.
const PICTURE_BYTES_MAX: u64 = 1_000_000;
/// Size limit of all pictures together, since every clone downloads them.
const SCREENS_BYTES_MAX: u64 = 12_000_000;
/// Table files are marked in their first lines and can have any length and width.
const TABLE_MARK: &str = "tidy: table";

/// Folders with the program's sources.
const PROGRAM: [&str; 6] = [
    "flagship-actions",
    "flagship-game",
    "flagship-load",
    "flagship-pack",
    "flagship-store",
    "flagship-server",
];

/// Workspace crates that each crate may depend on. The testkit serves tests only.
const DIRECTIONS: [(&str, &[&str]); 12] = [
    (
        "benches",
        &[
            "flagship-game",
            "flagship-load",
            "flagship-store",
            "flagship-server",
            "flagship-testkit",
        ],
    ),
    ("flagship-control", &[]),
    ("flagship-game", &[]),
    ("flagship-load", &[]),
    ("flagship-pack", &["flagship-game"]),
    ("flagship-store", &["flagship-game"]),
    ("flagship-actions", &["flagship-game", "flagship-pack", "flagship-store"]),
    ("flagship-server", &["flagship-actions", "flagship-game", "flagship-pack", "flagship-store"]),
    ("flagship", &PROGRAM),
    (
        "flagship-testkit",
        &[
            "flagship-actions",
            "flagship-control",
            "flagship-game",
            "flagship-pack",
            "flagship-store",
            "flagship-server",
        ],
    ),
    ("xtask", &[]),
    ("fuzz", &["flagship-game", "flagship-pack", "flagship-store", "flagship-server"]),
];

/// Names that the pure rules must never use: IO, clocks, randomness, logs.
const IMPURE: [&str; 9] =
    ["anyhow", "axum", "getrandom", "jiff", "rand", "reqwest", "sqlx", "tokio", "tracing"];

pub struct File {
    pub path: String,
    pub text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        let found = Path::new(&self.path).extension().and_then(|found| found.to_str());
        found.is_some_and(|found| extensions.contains(&found))
    }

    pub fn is_source(&self) -> bool {
        self.has_extension(&["rs", "ts", "tsx"]) && !self.is_generated()
    }

    fn is_generated(&self) -> bool {
        let head: String = self.text.lines().take(5).collect::<Vec<_>>().join("\n");
        ["@generated", "auto-generated", TABLE_MARK].iter().any(|mark| head.contains(mark))
    }

    fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let folders = self.path.split('/').any(|part| part == "tests" || part == "e2e");
        folders || name.contains(".test.") || name.contains(".spec.") || name == "tests.rs"
    }
}

/// Every text file that is tracked or would be.
pub fn files() -> Vec<File> {
    let mut git = Command::new("git");
    git.current_dir(root());
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
    let names = output(&mut git).expect("git lists the files");
    let names = names.split('\0').filter(|name| !name.is_empty());
    names
        .filter_map(|name| {
            let text = std::fs::read_to_string(root().join(name)).ok()?;
            Some(File { path: name.to_owned(), text })
        })
        .collect()
}

/// Fails with one line for each finding.
pub fn assert_clean(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n{}", findings.join("\n"));
}

/// `path:line` and the complaint, for every line that has one.
fn findings_by_line(file: &File, complaint: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let lines = file.text.lines().zip(1..);
    lines
        .filter_map(|(line, number)| Some((number, complaint(line)?)))
        .map(|(number, complaint)| format!("{}:{number}: {complaint}", file.path))
        .collect()
}

#[test]
fn no_source_file_is_too_long() {
    let findings: Vec<String> = files()
        .iter()
        .filter(|file| file.is_source())
        .filter_map(|file| {
            let max = if file.is_test() { TEST_LINES_MAX } else { LINES_MAX };
            let lines = file.text.lines().count();
            (lines > max).then(|| format!("{}: {lines} lines, at most {max}", file.path))
        })
        .collect();
    assert_clean("long files are split", &findings);
}

#[test]
fn no_source_line_is_too_wide() {
    let too_wide = |line: &str| {
        let columns = line.chars().count();
        // URLs cannot be wrapped.
        let excused = line.contains("https://") || line.contains("http://");
        (columns > COLUMNS_MAX && !excused).then(|| format!("{columns} columns"))
    };
    let sources = files().into_iter().filter(File::is_source);
    let findings: Vec<String> =
        sources.flat_map(|file| findings_by_line(&file, too_wide)).collect();
    assert_clean("a line has at most 100 columns", &findings);
}

#[test]
fn no_function_is_too_long() {
    let sources = files().into_iter().filter(|file| file.is_source() && !file.is_test());
    let findings: Vec<String> = sources.flat_map(|file| long_functions(&file)).collect();
    assert_clean("long functions are split", &findings);
}

/// The formatters put a function's closing brace under its first letter.
fn long_functions(file: &File) -> Vec<String> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut findings = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        if !starts_function(line.trim_start()) {
            continue;
        }
        let closes = |line: &&str| {
            let closing = line.len() - line.trim_start().len() == indent;
            closing && (line.trim_start().starts_with('}') || line.ends_with([';', '}']))
        };
        let length = 1 + lines[start..].iter().position(closes).unwrap_or(0);
        if length > FUNCTION_LINES_MAX {
            findings.push(format!("{}:{}: {length} lines", file.path, start + 1));
        }
    }
    findings
}

fn starts_function(line: &str) -> bool {
    let mut words = line.split_whitespace().map(|word| word.split('(').next().unwrap_or(word));
    let before = ["pub", "async", "const", "unsafe", "export", "default"];
    words
        .find(|word| !before.contains(word))
        .is_some_and(|word| ["fn", "function", "function*"].contains(&word))
}

#[test]
fn no_note_to_self_is_left_without_an_owner() {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let unowned = |line: &str| {
        let found = marks.iter().find(|mark| {
            let words = line.split(|c: char| !c.is_alphanumeric());
            let named = line.contains(&format!("{mark}("));
            words.into_iter().any(|word| word == **mark) && !named
        });
        found.map(|mark| format!("{mark} without a (name)"))
    };
    let sources = files().into_iter().filter(File::is_source);
    let findings: Vec<String> = sources.flat_map(|file| findings_by_line(&file, unowned)).collect();
    assert_clean("track open tasks as issues, not in comments", &findings);
}

#[test]
fn no_comment_has_a_test_that_nothing_runs() {
    let fenced = |line: &str| {
        let text = ["///", "//!"].iter().find_map(|start| line.trim_start().strip_prefix(start))?;
        text.trim_start().starts_with("```").then(|| "code in a doc comment".to_owned())
    };
    let sources = files().into_iter().filter(|file| file.has_extension(&["rs"]));
    let findings: Vec<String> = sources.flat_map(|file| findings_by_line(&file, fenced)).collect();
    assert_clean("`cargo xtask test` runs no doc tests: write a test", &findings);
}

#[test]
fn no_file_knows_the_machine_it_was_written_on() {
    let words = [
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("/ho", "me/"),
        concat!("registry.npm", "js.org"),
        concat!("static.crates", ".io"),
        concat!("index.crates", ".io"),
        concat!("pypi", ".org"),
        concat!("pythonhosted", ".org"),
        concat!("deb.debian", ".org"),
    ];
    let known = |line: &str| {
        let found = words.iter().find(|word| {
            // A longer path or a URL can contain the word.
            let starts = line.match_indices(*word).map(|(at, _)| &line[..at]);
            starts.into_iter().any(|before| !before.ends_with(|c: char| c.is_alphanumeric()))
        });
        found.map(|word| format!("names {word}"))
    };
    let findings: Vec<String> =
        files().iter().flat_map(|file| findings_by_line(file, known)).collect();
    assert_clean("no machine paths, no registry hosts", &findings);
}

#[test]
fn lock_files_carry_no_download_addresses() {
    let resolved = |line: &str| {
        line.trim_start().starts_with("\"resolved\":").then(|| "a download address".to_owned())
    };
    let locks = files().into_iter().filter(|file| file.path.ends_with("package-lock.json"));
    let findings: Vec<String> = locks.flat_map(|file| findings_by_line(&file, resolved)).collect();
    assert_clean("set omit-lockfile-registry-resolved=true in .npmrc", &findings);
}

#[test]
fn the_published_program_is_built_for_speed() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("it is there");
    assert_eq!(built_for_size(&manifest), Vec::<&str>::new());
    let dist = "[profile.dist]\ninherits = \"release\"\nopt-level = 3\n";
    assert_eq!(built_for_size(dist), Vec::<&str>::new());
    let table = format!("{dist}[profile.dist.package]\nserver = {{ opt-level = \"s\" }}\n");
    assert_eq!(built_for_size(&table).len(), 1, "the check can fail");
    assert_eq!(built_for_size(&dist.replace('3', "2")).len(), 1, "the check can fail");
}

/// The lines of the published profile that build something for size. The profiles it inherits from
/// set no level.
fn built_for_size(manifest: &str) -> Vec<&str> {
    let mut is_published = false;
    let lines = manifest.lines().filter(|line| {
        if line.starts_with('[') {
            is_published =
                line.starts_with("[profile.dist") || line.starts_with("[profile.release");
        }
        is_published && line.contains("opt-level") && line.trim() != "opt-level = 3"
    });
    lines.collect()
}

#[test]
fn the_rust_version_is_in_one_place() {
    let files = files();
    let root = files.iter().find(|file| file.path == "Cargo.toml").expect("the workspace");
    let version = root.text.split("rust-version = \"").nth(1).and_then(|it| it.split('"').next());
    let version = version.expect("the workspace names the oldest Rust");
    // A channel that cannot be fetched would keep a fresh clone from building.
    let words = [format!("rust:{version}"), format!("Rust {version}"), "channel = \"".to_owned()];
    let named = |line: &str| {
        let word = words.iter().find(|word| line.contains(*word));
        word.map(|word| format!("names {word}"))
    };
    let is_named = |file: &&File| !file.path.starts_with("xtask/") && file.path != "CHANGELOG.md";
    let findings: Vec<String> =
        files.iter().filter(is_named).flat_map(|file| findings_by_line(file, named)).collect();
    assert_clean("Cargo.toml has the Rust version", &findings);
    let docker = File { path: "Dockerfile".into(), text: format!("FROM rust:{version}-slim") };
    assert_eq!(findings_by_line(&docker, named).len(), 1, "the check can fail");
}

#[test]
fn crates_depend_in_one_direction() {
    let mut findings = Vec::new();
    for file in files().iter().filter(|file| file.path.ends_with("/Cargo.toml")) {
        let name = file.path.trim_end_matches("/Cargo.toml").rsplit('/').next().expect("a folder");
        let known = DIRECTIONS.iter().find(|(known, _)| *known == name);
        let Some((_, allowed)) = known else {
            findings.push(format!("{}: {name} has no entry in DIRECTIONS", file.path));
            continue;
        };
        for dependency in dependencies(&file.text) {
            let ours = DIRECTIONS.iter().any(|(known, _)| *known == dependency);
            if ours && !allowed.contains(&dependency) {
                findings.push(format!("{name} must not depend on {dependency}"));
            }
            if name == "flagship-game" && IMPURE.contains(&dependency) {
                findings.push(format!("{name} is pure: it must not depend on {dependency}"));
            }
        }
    }
    assert_clean("flagship → server → actions → store, pack → game", &findings);
}

/// Names under `[dependencies]`, without those for tests.
fn dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]"));
    let lines = section.unwrap_or_default().lines().skip(1);
    let name = |line| str::split(line, ['.', ' ', '=']).next().filter(|name| !name.is_empty());
    lines.filter(|line| !line.starts_with('#')).filter_map(name).collect()
}

#[test]
fn one_file_of_the_store_knows_both_engines() {
    let findings: Vec<String> = files()
        .iter()
        .filter(|file| file.path.starts_with("crates/flagship-store/src/"))
        .filter(|file| file.path != "crates/flagship-store/src/engine.rs")
        .filter(|file| {
            let code: String = file.text.lines().filter(|line| !is_comment(line)).collect();
            let code = code.to_lowercase();
            code.contains("sqlite") && code.contains("postgres")
        })
        .map(|file| file.path.clone())
        .collect();
    assert_clean("only engine.rs branches on the database", &findings);
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

#[test]
fn the_parts_of_the_site_keep_apart() {
    let findings: Vec<String> = files()
        .iter()
        .filter(|file| file.has_extension(&["ts", "tsx"]) && !file.is_test())
        .filter_map(|file| Some((file, file.path.strip_prefix("web/src/")?)))
        .flat_map(|(file, inside)| {
            findings_by_line(file, |line| {
                let target = imported(inside, line)?;
                forbidden_import(inside, &target).then(|| format!("imports {target}"))
            })
        })
        .collect();
    assert_clean(
        "features stay apart, domain alone, ui knows texts, addresses, vectors",
        &findings,
    );
}

/// Target of an import line of `file` inside `web/src`; `None` for packages.
fn imported(file: &str, line: &str) -> Option<String> {
    let (_, after) = line.split_once("from ").or_else(|| line.split_once("import "))?;
    let name = after.split(['"', '\'']).nth(1)?;
    if let Some(absolute) = name.strip_prefix("@/") {
        return Some(absolute.to_owned());
    }
    if !name.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn forbidden_import(file: &str, target: &str) -> bool {
    // Generated types, which are not code.
    if target == "api/schema" {
        return false;
    }
    let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (parts(file), parts(target));
    // A folder of ui is imported by the file that has its name.
    let is_inside = to[0] == "ui" && to.len() > 2 && from[..2.min(from.len())] != to[..2];
    if is_inside && to[2].split('.').next() != Some(to[1].as_str()) {
        return true;
    }
    match from[0].as_str() {
        "domain" | "messages" => to[0] != from[0],
        "ui" => !["ui", "messages", "addresses", "vectors"].contains(&to[0].as_str()),
        "features" => to[0] == "features" && to.get(1) != from.get(1),
        _ => false,
    }
}

#[test]
fn the_checks_themselves_can_fail() {
    let long = format!("fn short() {{}}\nfn long() {{\n{}}}\n", "    step();\n".repeat(80));
    let file = File { path: "a.rs".into(), text: long };
    assert_eq!(long_functions(&file), ["a.rs:2: 82 lines"]);
    assert!(starts_function("pub(crate) async fn name() {") && !starts_function("let fn_ = 1;"));

    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\nflagship-game.workspace = true\n\
                    # why\nrand = \"1\"\n\n[dev-dependencies]\ntokio.workspace = true\n";
    assert_eq!(dependencies(manifest), ["flagship-game", "rand"]);

    let target = imported("features/play/card.tsx", "import { a } from \"../rules/b\";");
    assert_eq!(target.as_deref(), Some("features/rules/b"));
    assert!(forbidden_import("features/play/card.tsx", "features/rules/b"));
    assert!(forbidden_import("domain/points.ts", "api/calls"));
    assert!(!forbidden_import("domain/points.ts", "api/schema"), "types are not code");
    assert!(!forbidden_import("features/play/card.tsx", "ui/button/button"));
    assert!(!forbidden_import("ui/button/button.tsx", "ui/button/shape"));
    assert!(!forbidden_import("ui/table/rows.ts", "ui/button/button.module.css"));
    assert!(forbidden_import("features/play/card.tsx", "ui/button/shape"));
    assert!(forbidden_import("ui/table/table.tsx", "ui/button/shape"));
    assert_eq!(imported("domain/a.ts", "import fc from \"fast-check\";"), None);

    let shown = "<source srcset=\"a.png\"><img src=\"b.png\" alt=\"\">";
    assert_eq!(pictures(shown).collect::<Vec<_>>(), ["b.png", "a.png"]);

    let code = "// Semaphore::new(1)\nlet a = Semaphore::new(2);\n\
                #[cfg(test)]\nmod tests {\nTurns::new(3)";
    assert_eq!(bounds(code).collect::<Vec<_>>(), ["let a = Semaphore::new(2);"]);

    let page = "see `a_test_of_ours`, `web.spec.ts`, not `two_words`, `A_B_C_D`";
    assert_eq!(named_tests(page).collect::<Vec<_>>(), ["a_test_of_ours", "web.spec.ts"]);
}

#[test]
fn the_pictures_of_the_readme_exist_and_are_small() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let findings: Vec<String> = pictures(&readme)
        .filter_map(|path| match std::fs::metadata(root().join(path)) {
            Ok(file) if file.len() < PICTURE_BYTES_MAX => None,
            Ok(file) => Some(format!("{path}: {} bytes", file.len())),
            Err(error) => Some(format!("{path}: {error}")),
        })
        .collect();
    assert_clean("`cargo xtask screenshots` makes the pictures", &findings);
    // Two pictures in the dark and light themes, and the animated one.
    assert!(pictures(&readme).count() >= 5);
    assert!(pictures(&readme).any(|path| path.ends_with("solve.webp")));
}

#[test]
fn the_pictures_of_the_console_in_its_manual_exist() {
    let folder = root().join("docs");
    let manual = std::fs::read_to_string(folder.join("organize.md")).expect("the manual");
    let is_missing = |path: &&str| !folder.join(path).is_file();
    let findings: Vec<String> = pictures(&manual).filter(is_missing).map(str::to_owned).collect();
    assert_clean("`cargo xtask screenshots` makes the pictures", &findings);
    // Each in the dark and the light theme.
    assert!(pictures(&manual).count() >= 10);
}

#[test]
fn the_pictures_of_the_screens_are_listed_and_small_together() {
    let folder = root().join("docs/screenshots");
    let list = std::fs::read_to_string(folder.join("README.md")).expect("the list");
    let mut files: Vec<(String, u64)> = std::fs::read_dir(&folder)
        .expect("the pictures")
        .map(|entry| entry.expect("a picture"))
        .map(|entry| {
            let bytes = entry.metadata().expect("its size").len();
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .filter(|(name, _)| name != "README.md")
        .collect();
    files.sort();
    assert!(files.iter().map(|(_, bytes)| bytes).sum::<u64>() < SCREENS_BYTES_MAX);
    let shown = list.split("![](").skip(1);
    let mut listed: Vec<&str> = shown.filter_map(|at| at.split(')').next()).collect();
    listed.push("solve.webp");
    listed.sort_unstable();
    let made: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(listed, made, "docs/screenshots/README.md lists all pictures");
}

/// The files that a page of Markdown shows by elements.
fn pictures(page: &str) -> impl Iterator<Item = &str> {
    let after = [" src=\"", " srcset=\""].map(|name| page.split(name).skip(1));
    after.into_iter().flatten().filter_map(|rest| rest.split('"').next())
}

#[test]
fn every_test_that_the_security_page_names_exists() {
    let files = files();
    let page = files.iter().find(|file| file.path == "docs/security.md").expect("the page");
    let findings: Vec<String> = named_tests(&page.text)
        .filter(|name| {
            let function = format!("fn {name}(");
            let spec = format!("e2e/tests/{name}");
            let is_there = |file: &File| file.text.contains(&function) || file.path == spec;
            !files.iter().any(is_there)
        })
        .map(|name| format!("docs/security.md names {name}"))
        .collect();
    assert_clean("the security page names tests that exist", &findings);
    assert!(named_tests(&page.text).count() > 50);
}

/// Names in code font that look like a test: three underscores or more, or a file of the browser
/// tests.
fn named_tests(page: &str) -> impl Iterator<Item = &str> {
    let spans = page.split('`').skip(1).step_by(2);
    spans.filter(|span| {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        span.ends_with(".spec.ts") || (span.chars().all(fits) && span.matches('_').count() >= 3)
    })
}

/// Expressions that create a pool, permits or a budget.
const BOUNDS: [&str; 12] = [
    "Semaphore::new(",
    "Permits::new(",
    "with_same_limits(",
    "Turns::new(",
    "Shares::new(",
    "Windows::new(",
    "Limit::new(",
    "Refusals::new(",
    "RateLimiter::direct(",
    "Background::new(",
    "mpsc::channel(",
    ".max_connections(",
];

#[test]
fn the_security_page_names_every_file_with_a_pool_permits_or_a_budget() {
    let files = files();
    let page = files.iter().find(|file| file.path == "docs/security.md").expect("the page");
    let (_, section) = page.text.split_once("\n## Pools, permits and budgets\n").expect("it");
    let section = section.split("\n## ").next().unwrap_or_default();
    let named: Vec<&str> =
        section.split('`').filter(|span| span.ends_with(".rs") && span.contains("/src/")).collect();
    let is_served =
        |file: &&File| file.path.starts_with("crates/flagship-") && file.path.contains("/src/");
    let beside = ["crates/flagship-load/", "crates/flagship-testkit/"];
    let product = files.iter().filter(is_served);
    let product = product.filter(|file| !beside.iter().any(|it| file.path.starts_with(it)));
    let bounding = product.filter(|file| bounds(&file.text).next().is_some());
    let bounding: Vec<&str> =
        bounding.map(|file| file.path.trim_start_matches("crates/flagship-")).collect();
    let missing = bounding.iter().filter(|path| !named.contains(path));
    let missing = missing.map(|path| format!("{path} has no row"));
    let is_there = |path: &str| files.iter().any(|it| it.path == format!("crates/flagship-{path}"));
    let gone = named.iter().filter(|path| !is_there(path));
    let gone = gone.map(|path| format!("{path} is gone"));
    let findings: Vec<String> = missing.chain(gone).collect();
    assert_clean("docs/security.md has what bounds a node", &findings);
    assert!(bounding.len() > 20, "{bounding:?}");
}

/// Lines of a source that create a pool, permits or a budget, without unit tests.
fn bounds(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code = code.lines().filter(|line| !is_comment(line));
    code.filter(|line| BOUNDS.iter().any(|made| line.contains(made)))
}

#[test]
fn every_negative_control_is_in_the_test_that_it_names() {
    let files = files();
    let holds = |file: &&File| controls::FOLDERS.iter().any(|it| file.path.starts_with(it));
    let is_switch = |file: &&File| controls::SWITCHES.contains(&file.path.as_str());
    let tests = files.iter().filter(|file| holds(file) && !is_switch(file));
    let controls: Vec<(&str, &File)> =
        tests.flat_map(|file| controls::named(&file.text).map(move |name| (name, file))).collect();
    // A control with an outdated test name would have no effect.
    let is_there = |name: &str, file: &File| file.text.contains(&format!("fn {name}("));
    let astray = controls.iter().filter(|(name, file)| !is_there(name, file));
    let astray = astray.map(|(name, file)| format!("{}: no test is called {name}", file.path));
    assert_clean("a control is in its test", &astray.collect::<Vec<_>>());
    assert!(controls.len() > 50, "{} controls", controls.len());
}
