//! The directions between the modules of each crate, as tests. They read `use` lines and paths that
//! begin with `crate`, `super`, `self` or a child module, and follow re-exports to the module that
//! defines a name. Unit tests inside a file may import anything.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{File, assert_clean, files};

/// Most `.rs` files directly in one folder.
const FILES_MAX: usize = 25;

/// The layers of each crate's top-level modules, lowest first. A module imports from its own layer
/// and lower ones. The crate's root may import and re-export anything.
const LAYERS: [(&str, &[&[&str]]); 5] = [
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
                "organizers",
                "sessions",
            ],
            &["wrong_flags", "nodes", "journal", "seal", "dump", "fold", "kept", "settings"],
            &["acts", "desk", "lists", "privacy", "sources"],
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
            &["acts", "apply", "backup", "import", "lists", "operation", "organizers"],
            &["export", "privacy", "reload", "restore", "serve"],
            &["doctor", "journal", "rehearse"],
        ],
    ),
];

/// Crates that a module of a crate must not name.
const FOREIGN: [(&str, &str, &[&str]); 2] = [
    ("crates/flagship-server/src", "net", &["flagship_game", "flagship_store"]),
    ("crates/flagship-server/src", "node", &["axum", "utoipa_axum"]),
];

/// The folders of sources whose modules form one tree.
const TREES: [&str; 4] = ["/tests/", "/examples/", "/targets/", "/src/"];

/// A tree of modules: its folder, and the code of each module by its path.
struct Tree {
    root: String,
    code: BTreeMap<String, String>,
}

/// What each module imports from its own crate.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// An imported name and where it comes from.
struct Import {
    name: String,
    path: String,
}

fn trees(files: &[File]) -> Vec<Tree> {
    let mut trees = BTreeMap::<String, BTreeMap<String, String>>::new();
    let sources = files.iter().filter(|file| file.path.ends_with(".rs"));
    for file in sources {
        let Some(root) = root_of(&file.path, files) else { continue };
        let inside = file.path[root.len() + 1..].trim_end_matches(".rs");
        let mut parts: Vec<&str> = inside.split('/').collect();
        let is_root = parts.len() == 1 && ["lib", "main"].contains(&parts[0]);
        if is_root || parts.last() == Some(&"mod") {
            parts.pop();
        }
        *trees.entry(root).or_default().entry(parts.join("::")).or_default() += &code(&file.text);
    }
    trees.into_iter().map(|(root, code)| Tree { root, code }).collect()
}

/// The folder of the tree that a file belongs to: the outermost one with a `main.rs`, or else the
/// sources of a crate.
fn root_of(path: &str, files: &[File]) -> Option<String> {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    let has_main = |folder: &&str| {
        let main = format!("{folder}/main.rs");
        files.iter().any(|file| file.path == main)
    };
    let tree = TREES.iter().find_map(|part| Some(&path[..path.find(part)? + part.len() - 1]));
    folders.into_iter().find(has_main).or(tree).map(str::to_owned)
}

/// A file without comments, the contents of strings, unit tests, and macros, whose paths belong to
/// the modules that use them.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let text: Vec<char> = text.chars().collect();
    let (mut code, mut at) = (String::new(), 0);
    let starts =
        |at: usize, with: &str| text[at..].iter().take(with.len()).copied().eq(with.chars());
    while at < text.len() {
        let is_word = at > 0 && (text[at - 1].is_alphanumeric() || text[at - 1] == '_');
        let hashes = text[at + 1..].iter().take_while(|c| **c == '#').count();
        let is_raw = text[at] == 'r' && !is_word && text.get(at + 1 + hashes) == Some(&'"');
        at += if starts(at, "//") {
            text[at..].iter().take_while(|c| **c != '\n').count()
        } else if is_raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = at + 2 + hashes;
            let inside = (start..text.len()).take_while(|at| !starts(*at, &end)).count();
            2 + hashes + inside + end.len()
        } else if starts(at, "'\\") {
            4
        } else if text[at] == '\'' && text.get(at + 2) == Some(&'\'') {
            3
        } else if text[at] == '"' {
            let mut end = at + 1;
            while end < text.len() && text[end] != '"' {
                end += if text[end] == '\\' { 2 } else { 1 };
            }
            end + 1 - at
        } else {
            code.push(text[at]);
            1
        };
    }
    while let Some(start) = code.find("macro_rules!") {
        let end = code[start..].find("\n}").map_or(code.len(), |length| start + length + 2);
        code.replace_range(start..end, "");
    }
    code
}

/// The imports of a module's code, and the code without them.
fn imports(code: &str) -> (Vec<Import>, String) {
    let (mut found, mut rest, mut after) = (Vec::new(), String::new(), code);
    while let Some(at) = after.find("use ") {
        let is_start = after[..at].chars().next_back().is_none_or(char::is_whitespace);
        let end = after[at..].find(';').map_or(after.len(), |length| at + length);
        rest += &after[..at];
        if is_start {
            let words: Vec<&str> = after[at + 4..end].split_whitespace().collect();
            expand(&words.join(" ").replace(" as ", "@").replace(' ', ""), &mut found);
            after = &after[end..];
        } else {
            after = &after[at + 4..];
        }
    }
    (found, rest + after)
}

/// Adds the imports of a tree such as `a::{b, c::{self, D@E}}`.
fn expand(tree: &str, found: &mut Vec<Import>) {
    let Some((head, inside)) = tree.split_once('{') else {
        let (path, name) = tree.split_once('@').unwrap_or((tree, ""));
        let path = path.trim_end_matches("::self");
        let last = path.rsplit("::").next().unwrap_or_default();
        let name = if name.is_empty() { last } else { name };
        found.push(Import { name: name.to_owned(), path: path.to_owned() });
        return;
    };
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let (mut depth, mut start) = (0, 0);
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &inside[start..at];
                start = at + 1;
                if !part.is_empty() {
                    expand(&format!("{head}{part}"), found);
                }
            }
            _ => {}
        }
    }
}

/// Paths with at least two parts in code without imports.
fn paths(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "_:$".contains(c);
    let words = code.split(move |c: char| !is_part(c));
    words.filter(|word| word.contains("::") && !word.starts_with([':', '$']))
}

impl Tree {
    fn parse(&self) -> BTreeMap<&str, (Vec<Import>, String)> {
        self.code.iter().map(|(module, code)| (module.as_str(), imports(code))).collect()
    }

    fn graph(&self) -> Graph {
        let parsed = self.parse();
        let mut graph = Graph::new();
        for (module, (imports, rest)) in &parsed {
            let used = imports.iter().map(|import| import.path.as_str()).chain(paths(rest));
            let used = used.filter_map(|path| self.resolve(&parsed, module, path, 0));
            let others = used.filter(|other| other != module).collect();
            graph.insert((*module).to_owned(), others);
        }
        graph
    }

    /// The module that defines what a path in `module` names; `None` for other crates.
    fn resolve(
        &self,
        parsed: &BTreeMap<&str, (Vec<Import>, String)>,
        module: &str,
        path: &str,
        depth: usize,
    ) -> Option<String> {
        let parts = self.absolute(module, path)?;
        let known = (0..=parts.len()).rev().find(|length| {
            let module = parts[..*length].join("::");
            self.code.contains_key(&module)
        })?;
        let found = parts[..known].join("::");
        if let Some(name) = parts.get(known)
            && depth < 8
            && let Some((imports, _)) = parsed.get(found.as_str())
            && let Some(import) = imports.iter().find(|import| import.name == *name)
            && let Some(origin) = self.resolve(parsed, &found, &import.path, depth + 1)
        {
            return Some(origin);
        }
        Some(found)
    }

    /// The parts of a path from the crate's root; `None` for other crates.
    fn absolute(&self, module: &str, path: &str) -> Option<Vec<String>> {
        let mut base: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
        let mut parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
        let child = [&base[..], &parts[..1.min(parts.len())]].concat().join("::");
        match *parts.first()? {
            "crate" => {
                base.clear();
                parts.remove(0);
            }
            "self" => drop(parts.remove(0)),
            "super" => {
                while parts.first() == Some(&"super") {
                    base.pop();
                    parts.remove(0);
                }
            }
            _ if self.code.contains_key(&child) => {}
            _ => return None,
        }
        Some(base.into_iter().chain(parts).map(str::to_owned).collect())
    }

    fn cycles(&self) -> Vec<String> {
        let graph = self.graph();
        let reach: BTreeMap<&String, BTreeSet<&String>> =
            graph.keys().map(|module| (module, reachable(&graph, module))).collect();
        let is_in_one = |module: &&String| reach[*module].contains(*module);
        let named =
            |module: &String| if module.is_empty() { "(root)".into() } else { module.clone() };
        let mut cycles = BTreeSet::new();
        for module in graph.keys().filter(is_in_one) {
            let others = reach[module].iter().filter(|other| reach[**other].contains(module));
            let names: Vec<String> = others.map(|other| named(other)).collect();
            cycles.insert(format!("{}: {}", self.root, names.join(" ↔ ")));
        }
        cycles.into_iter().collect()
    }

    fn against_the_layers(&self) -> Vec<String> {
        let Some((_, layers)) = LAYERS.iter().find(|(root, _)| *root == self.root) else {
            return Vec::new();
        };
        let top = |module: &str| module.split("::").next().unwrap_or_default().to_owned();
        let layer_of = |module: &str| {
            let top = top(module);
            layers.iter().position(|layer| layer.contains(&top.as_str()))
        };
        let mut findings = Vec::new();
        for (module, imports) in self.graph().iter().filter(|(module, _)| !module.is_empty()) {
            let Some(layer) = layer_of(module) else {
                findings.push(format!("{}: {module} has no place in LAYERS", self.root));
                continue;
            };
            for import in imports.iter().filter(|import| layer_of(import) > Some(layer)) {
                findings.push(format!("{}: {module} must not import from {import}", self.root));
            }
        }
        findings
    }

    fn foreign(&self) -> Vec<String> {
        let rules = FOREIGN.iter().filter(|(root, _, _)| *root == self.root);
        let mut findings = Vec::new();
        for (_, room, crates) in rules {
            let inside = |module: &str| module == *room || module.starts_with(&format!("{room}::"));
            for (module, code) in self.code.iter().filter(|(module, _)| inside(module)) {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                let named = |name: &&&str| code.split(|c| !is_word(c)).any(|word| word == **name);
                for name in crates.iter().filter(named) {
                    findings.push(format!("{}: {module} must not name {name}", self.root));
                }
            }
        }
        findings
    }
}

fn reachable<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

fn crowded(files: &[File]) -> Vec<String> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        *counts.entry(folder).or_default() += 1;
    }
    let crowded = counts.into_iter().filter(|(_, count)| *count > FILES_MAX);
    crowded.map(|(folder, count)| format!("{folder}: {count} files, at most {FILES_MAX}")).collect()
}

/// The dependencies in a manifest that no source of its crate names.
fn unused(manifest: &File, files: &[File]) -> Vec<String> {
    let folder = manifest.path.trim_end_matches("Cargo.toml");
    let inside = |file: &&File| file.path.starts_with(folder) && file.path.ends_with(".rs");
    let sources: String = files.iter().filter(inside).map(|file| file.text.as_str()).collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = sources.split(|c| !is_word(c)).collect();
    let mut findings = Vec::new();
    for section in manifest.text.split("\n[") {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        if !head.trim_end_matches(']').ends_with("dependencies") || head.starts_with("workspace") {
            continue;
        }
        let lines = body.lines().filter(|line| !line.starts_with('#'));
        for name in lines.filter_map(|line| line.split(['.', ' ', '=']).next()) {
            if !name.is_empty() && !words.contains(name.replace('-', "_").as_str()) {
                findings.push(format!("{}: {name} is not used", manifest.path));
            }
        }
    }
    findings
}

#[test]
fn modules_import_in_one_direction() {
    let trees = trees(&files());
    let findings: Vec<String> = trees.iter().flat_map(Tree::against_the_layers).collect();
    assert_clean("modules import from their own layer and lower ones", &findings);
    let findings: Vec<String> = trees.iter().flat_map(Tree::foreign).collect();
    assert_clean("each room names only the crates that it may know", &findings);
    for (root, layers) in &LAYERS {
        let tree = trees.iter().find(|tree| tree.root == *root);
        assert!(tree.is_some_and(|tree| tree.code.len() > layers.len()), "{root} was not read");
    }
}

#[test]
fn no_modules_import_each_other() {
    let findings: Vec<String> = trees(&files()).iter().flat_map(Tree::cycles).collect();
    assert_clean("modules form no cycle", &findings);
}

#[test]
fn no_folder_of_sources_is_crowded() {
    assert_clean("files are grouped into folders", &crowded(&files()));
}

#[test]
fn every_dependency_is_used() {
    let files = files();
    // A fuzz target includes a source of another crate by its path, with that source's
    // dependencies.
    let is_checked =
        |file: &&File| file.path.ends_with("Cargo.toml") && file.path != "fuzz/Cargo.toml";
    let manifests = files.iter().filter(is_checked);
    let findings: Vec<String> = manifests.flat_map(|manifest| unused(manifest, &files)).collect();
    assert_clean("unused dependencies go", &findings);
    let root = files.iter().find(|file| file.path == "Cargo.toml").expect("the workspace");
    let is_member = |file: &&File| file.path.ends_with("/Cargo.toml");
    let named: Vec<&str> = files.iter().filter(is_member).flat_map(|it| it.text.lines()).collect();
    let shared = root.text.split("\n[").find(|part| part.starts_with("workspace.dependencies]"));
    let shared = shared.expect("shared dependencies").lines().skip(1);
    let names = shared.filter_map(|line| line.split([' ', '.', '=', '#']).next());
    let unused =
        names.filter(|name| !name.is_empty() && !named.iter().any(|it| it.starts_with(name)));
    let findings: Vec<String> =
        unused.map(|name| format!("Cargo.toml: no crate uses {name}")).collect();
    assert_clean("unused dependencies go", &findings);
}

fn planted(files: &[(&str, &str)]) -> Vec<File> {
    let file = |(path, text): &(&str, &str)| File { path: (*path).into(), text: (*text).into() };
    files.iter().map(file).collect()
}

#[test]
fn the_checks_of_modules_can_fail() {
    let server = "crates/flagship-server/src";
    let files = planted(&[
        ("crates/flagship-server/src/lib.rs", "mod api; mod net; pub use api::play::Played;"),
        ("crates/flagship-server/src/api/mod.rs", "pub mod play;\npub use play::Played;"),
        (
            "crates/flagship-server/src/api/play.rs",
            "use crate::{net::socket::{self, Socket as S}, node};\n// use crate::nothing;",
        ),
        (
            "crates/flagship-server/src/net/socket.rs",
            "fn f() -> crate::Played { \"use crate::x;\" }",
        ),
        (
            "crates/flagship-server/src/node/mod.rs",
            "pub struct A;\n#[cfg(test)]\nmod t { use crate::api; }",
        ),
        ("crates/flagship-server/src/node/lane.rs", "use axum::Router;\nuse super::A;"),
        ("crates/flagship-server/src/other.rs", ""),
    ]);
    let trees = trees(&files);
    let [tree] = trees.as_slice() else { panic!("one tree of modules") };
    assert_eq!(tree.root, server);
    let graph = tree.graph();
    let imports = |module: &str| graph[module].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(imports("api::play"), ["net::socket", "node"]);
    assert_eq!(imports("net::socket"), ["api::play"], "re-exports are followed");
    assert_eq!(imports("node"), [""; 0], "unit tests may import anything");
    assert_eq!(tree.cycles(), [format!("{server}: api::play ↔ net::socket")]);
    let against = tree.against_the_layers();
    assert_eq!(
        against,
        [
            format!("{server}: net::socket must not import from api::play"),
            format!("{server}: other has no place in LAYERS"),
        ]
    );
    assert_eq!(tree.foreign(), [format!("{server}: node::lane must not name axum")]);

    let paths: Vec<String> = (0..=FILES_MAX).map(|number| format!("a/b{number}.rs")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
    assert_eq!(crowded(&planted(&files)), ["a: 26 files, at most 25"]);
    assert!(crowded(&planted(&files[1..])).is_empty());

    let manifest = "[package]\nname = \"x\"\n\n[dependencies]\na-b.workspace = true\n\
                    # why\nc = \"1\"\n\n\
                    [dev-dependencies]\nd = \"1\"\n";
    let files = planted(&[("x/Cargo.toml", manifest), ("x/src/lib.rs", "use a_b::C; // d")]);
    assert_eq!(unused(&files[0], &files), ["x/Cargo.toml: c is not used"]);
}
