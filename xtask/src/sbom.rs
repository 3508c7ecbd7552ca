//! `cargo xtask sbom`: a bill of materials of the crates linked into the program and the packages
//! bundled into its site, as CycloneDX JSON. Build and test dependencies are omitted.
//!
//! Written here because `npm sbom --omit=dev` omits React and eight other bundled packages (npm
//! 11.19). cargo-cyclonedx lists the crates as well, but in a separate bill for each of ten
//! members, and takes minutes to install.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use data_encoding::{BASE64, HEXLOWER};
use serde_json::{Value, json};

use crate::process::{cargo, output, root};

/// Output of `cargo xtask sbom`.
pub const FILE: &str = "target/flagship.cdx.json";
/// CycloneDX version of the output.
const SPEC_VERSION: &str = "1.6";
/// The crate of the program.
const PROGRAM: &str = "flagship";
/// The platform. Dependencies for other systems are omitted.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Writes the bill to a file below the root.
pub fn write(file: &str) -> Result<()> {
    let path = root().join(file);
    let bill = bill()?;
    let count = bill["components"].as_array().map_or(0, Vec::len);
    std::fs::write(&path, format!("{bill:#}\n"))
        .with_context(|| format!("write {}", path.display()))?;
    println!("{count} components in {}", path.display());
    Ok(())
}

/// The bill of materials.
pub fn bill() -> Result<Value> {
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    let program = crates(&mut components, &mut dependencies)?;
    let packages = packages(&mut components)?;
    let own = dependencies.iter_mut().find(|it| it["ref"] == program["bom-ref"]);
    let own = own.and_then(|own| own["dependsOn"].as_array_mut()).context("the program depends")?;
    own.extend(packages.into_iter().map(Value::from));
    Ok(json!({
        "$schema": format!("http://cyclonedx.org/schema/bom-{SPEC_VERSION}.schema.json"),
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "version": 1,
        "metadata": {"component": program},
        "components": components,
        "dependencies": dependencies,
    }))
}

/// A crate that is linked into the program.
pub struct LinkedCrate {
    /// The entry of `cargo metadata`.
    pub package: Value,
    /// URLs of the crates that it links.
    depends_on: Vec<String>,
}

/// The program and all crates that are linked into it.
pub fn linked_crates() -> Result<Vec<LinkedCrate>> {
    let words = ["metadata", "--format-version=1", "--locked", "--filter-platform", PLATFORM];
    let metadata: Value = serde_json::from_str(&output(&mut cargo(&words))?)?;
    let by_id = |list: &Value| -> BTreeMap<String, Value> {
        let items = list.as_array().into_iter().flatten();
        items.map(|item| (text(item, "id"), item.clone())).collect()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let program = packages.values().find(|it| it["name"] == PROGRAM).context("the program")?;
    let mut waiting = vec![text(program, "id")];
    let mut seen = BTreeSet::new();
    let mut crates = Vec::new();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        let package = packages.get(&id).with_context(|| format!("{id} is a package"))?.clone();
        let linked = linked(nodes.get(&id).unwrap_or(&Value::Null));
        let depends_on = linked.iter().map(|id| crate_url(&packages[id])).collect();
        crates.push(LinkedCrate { package, depends_on });
        waiting.extend(linked);
    }
    Ok(crates)
}

/// Adds the crates that are linked into the program; returns the program's own component.
fn crates(components: &mut Vec<Value>, dependencies: &mut Vec<Value>) -> Result<Value> {
    let sums = checksums()?;
    let mut of_program = Value::Null;
    for LinkedCrate { package, depends_on } in linked_crates()? {
        dependencies.push(json!({"ref": crate_url(&package), "dependsOn": depends_on}));
        let component = crate_component(&package, &sums);
        match package["name"] == PROGRAM {
            true => of_program = component,
            false => components.push(component),
        }
    }
    Ok(of_program)
}

/// The ids of a crate's normal dependencies: not those of its build script or tests.
fn linked(node: &Value) -> Vec<String> {
    let is_linked = |dep: &&Value| {
        let kinds = dep["dep_kinds"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind["kind"].is_null())
    };
    let deps = node["deps"].as_array().into_iter().flatten();
    let ids: BTreeSet<String> = deps.filter(is_linked).map(|dep| text(dep, "pkg")).collect();
    ids.into_iter().collect()
}

fn crate_url(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(package, "name"), text(package, "version"))
}

fn crate_component(package: &Value, sums: &BTreeMap<String, String>) -> Value {
    let (name, url) = (text(package, "name"), crate_url(package));
    let kind = if name == PROGRAM { "application" } else { "library" };
    let licence = text(package, "license").replace('/', " OR ");
    let mut component = component(kind, &name, &text(package, "version"), &url, &licence);
    if let Some(sum) = sums.get(&url) {
        component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
    }
    component
}

/// The checksums of Cargo.lock, by package URL.
fn checksums() -> Result<BTreeMap<String, String>> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).context("read Cargo.lock")?;
    let field = |package: &str, name: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")));
        line.map(|rest| rest.trim_end_matches('"').to_owned())
    };
    let packages = lock.split("[[package]]").skip(1).filter_map(|package| {
        let (name, version) = (field(package, "name")?, field(package, "version")?);
        Some((format!("pkg:cargo/{name}@{version}"), field(package, "checksum")?))
    });
    Ok(packages.collect())
}

/// An npm package that is bundled into the site.
pub struct BundledPackage {
    /// Folder below `web/`.
    pub folder: String,
    pub name: String,
    /// The entry of the lock file.
    pub package: Value,
}

/// All npm packages that are bundled into the site, each version once.
pub fn bundled_packages() -> Result<Vec<BundledPackage>> {
    let path = root().join("web/package-lock.json");
    let lock =
        std::fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
    let lock: Value = serde_json::from_str(&lock)?;
    let packages = lock["packages"].as_object().context("the lock file lists packages")?;
    let mut seen = BTreeSet::new();
    let mut bundled = Vec::new();
    for (folder, package) in packages {
        // The first entry is the site itself. Packages of types are not bundled.
        let Some((_, name)) = folder.rsplit_once("node_modules/") else { continue };
        if package["dev"] == true || package["peer"] == true || name.starts_with("@types/") {
            continue;
        }
        if seen.insert((name, text(package, "version"))) {
            let (folder, name) = (folder.clone(), name.to_owned());
            bundled.push(BundledPackage { folder, name, package: package.clone() });
        }
    }
    Ok(bundled)
}

/// Adds the packages that are bundled into the site; returns their references.
fn packages(components: &mut Vec<Value>) -> Result<Vec<String>> {
    let mut urls = Vec::new();
    for BundledPackage { name, package, .. } in bundled_packages()? {
        let version = text(&package, "version");
        let url = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        let mut component = component("library", &name, &version, &url, &text(&package, "license"));
        if let Some(sum) = text(&package, "integrity").strip_prefix("sha512-") {
            let sum =
                BASE64.decode(sum.as_bytes()).with_context(|| format!("{name} has a checksum"))?;
            component["hashes"] = json!([{"alg": "SHA-512", "content": HEXLOWER.encode(&sum)}]);
        }
        components.push(component);
        urls.push(url);
    }
    urls.sort();
    Ok(urls)
}

fn component(kind: &str, name: &str, version: &str, url: &str, licence: &str) -> Value {
    json!({
        "type": kind, "bom-ref": url, "name": name, "version": version, "purl": url,
        "licenses": [{"expression": licence}],
    })
}

/// The string in a member of an object; empty if it is missing.
pub fn text(value: &Value, member: &str) -> String {
    value[member].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bill_names_what_is_linked_and_bundled_and_nothing_else() {
        let bill = bill().unwrap();
        assert_eq!(
            (&bill["bomFormat"], &bill["specVersion"]),
            (&json!("CycloneDX"), &json!("1.6"))
        );
        assert_eq!(bill["metadata"]["component"]["name"], PROGRAM);
        let components = bill["components"].as_array().unwrap();
        let names: BTreeSet<&str> =
            components.iter().map(|it| it["name"].as_str().unwrap()).collect();
        for linked in ["axum", "flagship-game", "libsqlite3-sys", "ring", "rustls", "sqlx"] {
            assert!(names.contains(linked), "{linked} is linked");
        }
        for bundled in ["dompurify", "react", "react-dom", "uplot"] {
            assert!(names.contains(bundled), "{bundled} is bundled");
        }
        for other in ["proptest", "wiremock", "flagship-testkit", "xtask", "vite", "typescript"] {
            assert!(!names.contains(other), "{other} is neither");
        }
        assert!(names.len() > 200, "{}", names.len());
    }

    #[test]
    fn the_bill_has_the_shape_of_cyclonedx() {
        let bill = bill().unwrap();
        let components = bill["components"].as_array().unwrap();
        let all = components.iter().chain([&bill["metadata"]["component"]]);
        let mut refs = BTreeSet::new();
        for component in all {
            for member in ["type", "bom-ref", "name", "version", "purl"] {
                let is_there = component[member].as_str().is_some_and(|it| !it.is_empty());
                assert!(is_there, "has no {member}: {component}");
            }
            let licence = component["licenses"][0]["expression"].as_str().unwrap();
            assert!(!licence.is_empty() && !licence.contains('/'), "{component}");
            assert!(refs.insert(component["bom-ref"].clone().to_string()), "{component} is twice");
            let ours = component["name"].as_str().unwrap().starts_with(PROGRAM);
            let hash = &component["hashes"][0];
            let length = if hash["alg"] == "SHA-256" { 64 } else { 128 };
            let content = hash["content"].as_str().unwrap_or_default();
            let is_hex = content.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(ours || content.len() == length && is_hex, "{component}");
        }
        for entry in bill["dependencies"].as_array().unwrap() {
            let named = entry["dependsOn"].as_array().unwrap().iter().chain([&entry["ref"]]);
            for name in named {
                assert!(refs.contains(&name.to_string()), "{name} is a component");
            }
        }
    }
}
