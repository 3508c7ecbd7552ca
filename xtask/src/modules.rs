//! The directions between the modules of each crate, as tests. They read imports and paths that
//! begin with `crate`, `super`, `self` or a child module, and follow re-exports to the module that
//! defines a name. Unit tests inside a file may import anything.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use syn::visit::{self, Visit};
use syn::{ItemMod, ItemUse, Macro, Meta, MetaList, Path, UseTree};

use crate::layers::{FOREIGN, INDEPENDENT, LAYERS, SUBLAYERS, SUBLAYERS_MAX};
use crate::tidy::{File, assert_clean, files};

/// Maximum `.rs` files directly in one folder.
const FILES_MAX: usize = 25;

/// The folders of sources whose modules form one tree.
const TREES: [&str; 4] = ["/tests/", "/examples/", "/targets/", "/src/"];

/// A tree of modules: its folder, and the names that the code of each module uses, by module path.
struct Tree {
    root: String,
    code: BTreeMap<String, Names>,
}

/// Names used by code, without unit tests and macros: the paths in a macro belong to the modules
/// that use it.
#[derive(Default)]
struct Names {
    imports: Vec<Import>,
    paths: Vec<String>,
    words: BTreeSet<String>,
}

/// Imports of each module from its own crate.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// An imported name and where it comes from.
struct Import {
    name: String,
    path: String,
}

fn trees(files: &[File]) -> Vec<Tree> {
    let mut trees = BTreeMap::<String, BTreeMap<String, Names>>::new();
    let sources = files.iter().filter(|file| file.path.ends_with(".rs"));
    for file in sources {
        let Some(root) = root_of(&file.path, files) else { continue };
        let inside = file.path[root.len() + 1..].trim_end_matches(".rs");
        let mut parts: Vec<&str> = inside.split('/').collect();
        let is_root = parts.len() == 1 && ["lib", "main"].contains(&parts[0]);
        if is_root || parts.last() == Some(&"mod") {
            parts.pop();
        }
        let code = syn::parse_file(&file.text);
        let code = code.unwrap_or_else(|error| panic!("{} is Rust: {error}", file.path));
        trees.entry(root).or_default().entry(parts.join("::")).or_default().visit_file(&code);
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

impl Visit<'_> for Names {
    fn visit_item_mod(&mut self, module: &ItemMod) {
        let is_test = |meta: &Meta| match meta {
            Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
            _ => false,
        };
        if !module.attrs.iter().any(|attribute| is_test(&attribute.meta)) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, import: &ItemUse) {
        visit::visit_item_use(self, import);
        expand("", &import.tree, &mut self.imports);
    }

    fn visit_path(&mut self, path: &Path) {
        visit::visit_path(self, path);
        let parts: Vec<String> = path.segments.iter().map(|it| it.ident.to_string()).collect();
        if parts.len() > 1 && path.leading_colon.is_none() {
            self.paths.push(parts.join("::"));
        }
    }

    fn visit_macro(&mut self, call: &Macro) {
        if !call.path.is_ident("macro_rules") {
            self.visit_path(&call.path);
            self.visit_tokens(&call.tokens);
        }
    }

    fn visit_meta_list(&mut self, list: &MetaList) {
        self.visit_path(&list.path);
        self.visit_tokens(&list.tokens);
    }

    fn visit_ident(&mut self, word: &Ident) {
        self.words.insert(word.to_string());
    }
}

impl Names {
    /// Reads the input of a macro, which only the macro itself could parse.
    fn visit_tokens(&mut self, tokens: &TokenStream) {
        let text = tokens.to_string().replace(" :: ", "::");
        let is_part = |c: char| c.is_alphanumeric() || "_:".contains(c);
        for path in text.split(|c| !is_part(c)).filter(|path| !path.starts_with(':')) {
            self.words.extend(path.split("::").map(str::to_owned));
            if path.contains("::") {
                self.paths.push(path.to_owned());
            }
        }
    }
}

/// Adds the imports of a tree such as `a::{b, c::{self, D as E}}` behind `before`.
fn expand(before: &str, tree: &UseTree, found: &mut Vec<Import>) {
    let at = |name: &dyn ToString| match (before, name.to_string()) {
        ("", name) => name,
        (before, name) if name == "self" => before.to_owned(),
        (before, name) => format!("{before}::{name}"),
    };
    let path = match tree {
        UseTree::Path(tree) => return expand(&at(&tree.ident), &tree.tree, found),
        UseTree::Group(group) => {
            return group.items.iter().for_each(|tree| expand(before, tree, found));
        }
        UseTree::Name(tree) => at(&tree.ident),
        UseTree::Rename(tree) => at(&tree.ident),
        UseTree::Glob(_) => at(&"*"),
    };
    let name = match tree {
        UseTree::Rename(tree) => tree.rename.to_string(),
        _ => path.rsplit("::").next().unwrap_or_default().to_owned(),
    };
    found.push(Import { name, path });
}

impl Tree {
    fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (module, names) in &self.code {
            let used = names.imports.iter().map(|import| &import.path).chain(&names.paths);
            let used = used.filter_map(|path| self.resolve(module, path, 0));
            graph.insert(module.clone(), used.filter(|other| other != module).collect());
        }
        graph
    }

    /// The module that defines what a path in `module` names; `None` for other crates.
    fn resolve(&self, module: &str, path: &str, depth: usize) -> Option<String> {
        let parts = self.absolute(module, path)?;
        let known = (0..=parts.len()).rev().find(|length| {
            let module = parts[..*length].join("::");
            self.code.contains_key(&module)
        })?;
        let found = parts[..known].join("::");
        if let Some(name) = parts.get(known)
            && depth < 8
            && let Some(names) = self.code.get(&found)
            && let Some(import) = names.imports.iter().find(|import| import.name == *name)
            && let Some(origin) = self.resolve(&found, &import.path, depth + 1)
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
        cycles(&self.root, &self.graph())
    }

    /// Imports between the files and folders of a module.
    fn folder_graph(&self, parent: &str) -> Graph {
        let mut folders = Graph::new();
        for (module, imports) in self.graph() {
            let Some(folder) = child_of(parent, &module) else { continue };
            let others = imports.iter().filter_map(|import| child_of(parent, import));
            let others = others.filter(|other| *other != folder).map(str::to_owned);
            folders.entry(folder.to_owned()).or_default().extend(others);
        }
        folders
    }

    /// Violations of the layers inside modules.
    fn sublayer_violations(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for (root, parent, layers) in SUBLAYERS.iter().filter(|(root, _, _)| *root == self.root) {
            let folders = self.folder_graph(parent);
            let layer_of = |folder: &str| layers.iter().position(|(_, of)| of.contains(&folder));
            let name = |layer: usize| layers[layer].0;
            for (folder, imports) in &folders {
                let Some(layer) = layer_of(folder) else {
                    findings.push(format!("{root}: {parent}::{folder} has no place in SUBLAYERS"));
                    continue;
                };
                for import in imports {
                    let Some(other) = layer_of(import).filter(|other| *other > layer) else {
                        continue;
                    };
                    let (layer, other) = (name(layer), name(other));
                    findings.push(format!(
                        "{root}: {parent}::{folder} ({layer}) must not import from {import} \
                         ({other})"
                    ));
                }
            }
            findings.extend(cycles(&format!("{root}/{parent}"), &folders));
        }
        findings
    }

    /// Imports of independent modules from the rest of the crate.
    fn imports_of_independent_modules(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for (root, parent) in INDEPENDENT.iter().filter(|(root, _)| *root == self.root) {
            let is_inside = |module: &str| module == *parent || child_of(parent, module).is_some();
            for (module, imports) in self.graph().iter().filter(|(module, _)| is_inside(module)) {
                for import in imports.iter().filter(|import| !is_inside(import)) {
                    let import = named(import);
                    findings.push(format!("{root}: {module} must not import from {import}"));
                }
            }
        }
        findings
    }

    fn layer_violations(&self) -> Vec<String> {
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
        for (_, parent, crates) in rules {
            let is_inside = |module: &str| module == *parent || child_of(parent, module).is_some();
            for (module, names) in self.code.iter().filter(|(module, _)| is_inside(module)) {
                let is_foreign = |word: &&String| crates.iter().any(|it| word.starts_with(it));
                for name in names.words.iter().filter(is_foreign) {
                    findings.push(format!("{}: {module} must not name {name}", self.root));
                }
            }
        }
        findings
    }
}

/// The modules of a graph that reach themselves, each cycle in a line.
fn cycles(root: &str, graph: &Graph) -> Vec<String> {
    let reach: BTreeMap<&String, BTreeSet<&String>> =
        graph.keys().map(|module| (module, reachable(graph, module))).collect();
    let is_in_one = |module: &&String| reach[*module].contains(*module);
    let mut cycles = BTreeSet::new();
    for module in graph.keys().filter(is_in_one) {
        let others = reach[module].iter().filter(|other| reach[**other].contains(module));
        let names: Vec<&str> = others.map(|other| named(other)).collect();
        cycles.insert(format!("{root}: {}", names.join(" ↔ ")));
    }
    cycles.into_iter().collect()
}

fn named(module: &str) -> &str {
    if module.is_empty() { "(root)" } else { module }
}

/// The direct child of a parent module that a module is, or is in.
fn child_of<'a>(parent: &str, module: &'a str) -> Option<&'a str> {
    module.strip_prefix(parent)?.strip_prefix("::")?.split("::").next()
}

fn reachable<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
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

/// Dependencies in a manifest that no source of its crate uses.
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
    let findings: Vec<String> = trees.iter().flat_map(Tree::layer_violations).collect();
    assert_clean("modules import from their own layer and lower ones", &findings);
    for (root, layers) in &LAYERS {
        let tree = trees.iter().find(|tree| tree.root == *root);
        assert!(tree.is_some_and(|tree| tree.code.len() > layers.len()), "{root} was not read");
    }
}

#[test]
fn folders_of_a_module_import_in_one_direction() {
    let trees = trees(&files());
    let findings: Vec<String> = trees.iter().flat_map(Tree::sublayer_violations).collect();
    assert_clean("folders of a module import from their own layer and lower ones", &findings);
    let findings: Vec<String> =
        trees.iter().flat_map(Tree::imports_of_independent_modules).collect();
    assert_clean("independent modules import nothing from their crate", &findings);
    let findings: Vec<String> = trees.iter().flat_map(Tree::foreign).collect();
    assert_clean("each module names only the crates that it may use", &findings);
    for (root, parent, layers) in &SUBLAYERS {
        let tree = trees.iter().find(|tree| tree.root == *root).expect("the crate was read");
        let folders = tree.folder_graph(parent);
        for folder in layers.iter().flat_map(|(_, folders)| *folders) {
            assert!(folders.contains_key(*folder), "{root}: {parent}::{folder} is gone");
        }
        assert!(layers.len() <= SUBLAYERS_MAX, "{root}: {parent} has too many layers");
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
    let against = tree.layer_violations();
    assert_eq!(
        against,
        [
            format!("{server}: net::socket must not import from api::play"),
            format!("{server}: other has no place in LAYERS"),
        ]
    );
    assert_eq!(tree.foreign(), [format!("{server}: node::lane must not name axum")]);
    assert_eq!(
        tree.imports_of_independent_modules(),
        [format!("{server}: net::socket must not import from api::play")]
    );

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

#[test]
fn the_checks_of_sublayers_can_fail() {
    let server = "crates/flagship-server/src";
    let files = planted(&[
        ("crates/flagship-server/src/node/limits/mod.rs", "use super::lane::Lane;"),
        ("crates/flagship-server/src/node/lane.rs", "use crate::node::nodes::task::Task;"),
        ("crates/flagship-server/src/node/nodes/mod.rs", "use super::lane::Lane;"),
        ("crates/flagship-server/src/node/nodes/task.rs", "use crate::net::shared_work;"),
        ("crates/flagship-server/src/node/other.rs", ""),
        ("crates/flagship-server/src/net/lists.rs", "use flagship_pack::Network;"),
        ("crates/flagship-server/src/net/shared_work.rs", "fn f() -> crate::Work { g() }"),
        ("crates/flagship-server/src/lib.rs", "pub struct Work;"),
    ]);
    let trees = trees(&files);
    let [tree] = trees.as_slice() else { panic!("one tree of modules") };
    assert!(tree.cycles().is_empty(), "its files form none");
    assert_eq!(
        tree.sublayer_violations(),
        [
            format!("{server}: node::limits (ground) must not import from lane (work)"),
            format!("{server}: node::other has no place in SUBLAYERS"),
            format!("{server}/node: lane ↔ nodes"),
        ]
    );
    assert_eq!(
        tree.imports_of_independent_modules(),
        [format!("{server}: net::shared_work must not import from (root)")]
    );
    assert_eq!(tree.foreign(), [format!("{server}: net::lists must not name flagship_pack")]);
}
