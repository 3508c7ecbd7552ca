//! Licences of everything that the program contains: crates, npm packages of the site, pictures and
//! fonts. A component without the text of its licence is an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::archive::Entry;
use crate::process::{at_root, output, root};
use crate::sbom::{bundled_packages, linked_crates, text};
use crate::setup;

/// Texts for components that are published without one, by the component's name.
const TEXTS: &str = "xtask/licences";
/// Beginnings of the names of files with a licence, in lower case.
const NAMES: [&str; 6] = ["licence", "license", "unlicense", "copying", "copyright", "notice"];

const HEADER: &str = "\
Flagship is licensed under AGPL-3.0-only; see LICENSE. It contains the components below. Rust's
standard library is described in LICENSES-RUST.html. LLVM's libunwind is linked under Apache-2.0
WITH LLVM-exception, and SQLite is in the public domain.
";

/// A part of the program that others wrote.
struct Component {
    name: String,
    version: String,
    /// SPDX expression, or the path in the repository for an asset.
    licence: String,
    texts: Vec<String>,
}

/// The files of the archive with licences.
pub fn entries() -> Result<Vec<Entry>> {
    Ok(vec![
        Entry::file("LICENSES-RUST.html", of_rust()?),
        Entry::file("LICENSES-THIRD-PARTY.txt", all()?),
    ])
}

/// The licences of all components, in one text. Equal texts appear once.
fn all() -> Result<String> {
    setup::npm_packages("web")?;
    let mut components = crates()?;
    components.extend(packages()?);
    components.extend(assets()?);
    components.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    joined(&components)
}

/// The licences of Rust's standard library and of its dependencies, as the toolchain has them.
fn of_rust() -> Result<Vec<u8>> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()))?;
    let page = Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html");
    std::fs::read(&page).with_context(|| format!("read {}, which rustup installs", page.display()))
}

fn joined(components: &[Component]) -> Result<String> {
    let missing: Vec<&str> =
        components.iter().filter(|it| it.texts.is_empty()).map(|it| it.name.as_str()).collect();
    ensure!(missing.is_empty(), "no licence text: {}; add it to {TEXTS}", missing.join(", "));
    let mut whole = format!("{HEADER}\n");
    let mut users: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Component { name, version, licence, texts } in components {
        whole += &format!("{name} {version}: {licence}\n");
        for text in texts {
            users.entry(text.trim()).or_default().push(name);
        }
    }
    for (text, mut names) in users {
        names.dedup();
        whole += &format!("\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join(", "));
    }
    Ok(whole)
}

/// The crates that are linked, except our own.
fn crates() -> Result<Vec<Component>> {
    let linked = linked_crates()?.into_iter().map(|it| it.package);
    let others = linked.filter(|package| !package["source"].is_null());
    let component = |package: Value| {
        let manifest = PathBuf::from(text(&package, "manifest_path"));
        let folder = manifest.parent().context("a manifest is in a folder")?;
        component(&text(&package, "name"), &package, folder)
    };
    others.map(component).collect()
}

fn packages() -> Result<Vec<Component>> {
    let bundled = bundled_packages()?.into_iter();
    bundled
        .map(|it| component(&it.name, &it.package, &root().join("web").join(it.folder)))
        .collect()
}

fn component(name: &str, about: &Value, folder: &Path) -> Result<Component> {
    let mut texts = Vec::new();
    read_texts(folder, &mut texts).with_context(|| format!("read the licences of {name}"))?;
    let own = root().join(TEXTS).join(name);
    if own.exists() {
        ensure!(texts.is_empty(), "{name} has a licence text now: remove {}", own.display());
        texts.push(std::fs::read_to_string(own)?);
    }
    let (version, licence) = (text(about, "version"), text(about, "license").replace('/', " OR "));
    Ok(Component { name: name.to_owned(), version, licence, texts })
}

/// Adds the texts of a folder and of the folders in it, which can contain others' code.
fn read_texts(folder: &Path, texts: &mut Vec<String>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read_texts(&path, texts)?;
        } else if is_licence(&path) || folder.ends_with("LICENSES") {
            texts.push(String::from_utf8_lossy(&std::fs::read(&path)?).into_owned());
        }
    }
    Ok(())
}

fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_code = [".rs", ".js", ".mjs", ".cjs", ".ts", ".map", ".json", ".toml"]
        .iter()
        .any(|end| name.ends_with(end));
    !is_code && NAMES.iter().any(|start| name.starts_with(start))
}

/// Pictures and fonts of the site, whose licences are beside them.
fn assets() -> Result<Vec<Component>> {
    let listed = output(at_root("git").args(["ls-files", "-z", "--", ":(glob)web/**/LICENSE-*"]))?;
    let paths = listed.split('\0').filter(|path| !path.is_empty());
    let asset = |path: &str| {
        let Some((_, name)) = path.rsplit_once("LICENSE-") else { bail!("{path} names nothing") };
        let text = std::fs::read_to_string(root().join(path)).context(path.to_owned())?;
        Ok(Component {
            name: name.to_owned(),
            version: "(of the site)".to_owned(),
            licence: path.to_owned(),
            texts: vec![text],
        })
    };
    paths.map(asset).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_component_has_a_licence_text() {
        let entries = entries().unwrap();
        let [of_rust, all] = entries.as_slice() else { panic!("two files") };
        let all = std::str::from_utf8(&all.content).unwrap();
        let known = ["ring 0.", "react 19.", "inter (of the site)", "flag-icons (of the site)"];
        for name in known.into_iter().chain(["governor 0.", "wouter 3.", "alloc-stdlib 0."]) {
            assert!(all.lines().any(|line| line.starts_with(name)), "{name}");
        }
        for words in ["BoringSSL", "Copyright (c) Meta Platforms", "SIL OPEN FONT LICENSE"] {
            assert!(all.contains(words), "{words}");
        }
        let lines: Vec<&str> = all.lines().collect();
        let users = lines.windows(2).filter(|pair| pair[0] == "=".repeat(80));
        let users: BTreeSet<&str> = users.flat_map(|pair| pair[1].split(", ")).collect();
        let own = std::fs::read_dir(root().join(TEXTS)).unwrap();
        for file in own {
            let name = file.unwrap().file_name().into_string().unwrap();
            assert!(users.contains(name.as_str()), "{name} is a component");
        }
        assert!(users.len() > 300, "{}", users.len());
        assert!(of_rust.content.len() > 100_000);
    }

    #[test]
    fn a_component_without_a_text_is_an_error() {
        let component = |name: &str, texts: &[&str]| Component {
            name: name.to_owned(),
            version: "1".to_owned(),
            licence: "MIT".to_owned(),
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        };
        let known = joined(&[component("a", &["text\n"]), component("b", &["text"])]).unwrap();
        assert!(known.contains("a 1: MIT\nb 1: MIT\n") && known.contains("\na, b\n\ntext\n"));
        let error = joined(&[component("a", &["text"]), component("c", &[])]).err().unwrap();
        assert!(error.to_string().contains("no licence text: c;"), "{error}");
        for (file, is_one) in [("LICENSE-MIT", true), ("UNLICENSE", true), ("license.rs", false)] {
            assert_eq!(is_licence(Path::new(file)), is_one, "{file}");
        }
    }
}
