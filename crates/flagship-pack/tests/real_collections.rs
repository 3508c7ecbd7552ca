//! The challenges of three real events: each descriptor is loaded or listed with an error.
//! They are not part of the repository; without them the tests print a line and pass.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod folder;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use flagship_game::Scoring;
use flagship_pack::{Pack, Problem, Severity};
use flagship_testkit::{copy_folder, python_with_yaml, shared_data};
use folder::Folder;

/// Finds every challenge descriptor in `folder`, in any format.
fn descriptors(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            descriptors(&path, found);
        } else if path.file_stem().is_some_and(|stem| stem == "challenge")
            && path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml")
        {
            found.push(path);
        }
    }
}

/// Reads a collection as the challenges of an event and asserts that every descriptor is either
/// loaded or has an error with its line.
fn read(name: &str, expected_descriptors: usize) -> Option<(Folder, Pack)> {
    let from = shared_data(&format!("challenges/{name}"))?;
    let folder = Folder::new();
    copy_folder(&from, &folder.path("challenges")).unwrap();
    let pack = folder.read();
    let mut files = Vec::new();
    descriptors(&folder.path("challenges"), &mut files);
    let root = folder.root();
    let all: BTreeSet<_> = files.iter().map(|path| path.strip_prefix(root).unwrap()).collect();
    assert_eq!(all.len(), expected_descriptors);
    let loaded: BTreeSet<_> = pack.challenges.iter().map(|c| Path::new(&c.source.path)).collect();
    let errors = pack.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let listed: BTreeSet<_> = errors.clone().map(|problem| problem.file.as_path()).collect();
    assert!(loaded.is_disjoint(&listed));
    assert_eq!(&loaded | &listed, all);
    assert!(errors.clone().all(|problem| problem.line >= 1));
    Some((folder, pack))
}

fn errors_with(pack: &Pack, piece: &str) -> Vec<String> {
    let errors = pack.problems.iter().filter(|problem| problem.severity == Severity::Error);
    errors.map(ToString::to_string).filter(|problem| problem.contains(piece)).collect()
}

/// The descriptors of a collection that PyYAML rejects, and the lines.
fn refused_by_pyyaml(folder: &Folder) -> Option<Vec<(PathBuf, usize)>> {
    let script = "import os, sys, yaml\n\
                  for path in sys.argv[1:]:\n    \
                  try: yaml.safe_load(open(path, encoding='utf-8-sig').read())\n    \
                  except yaml.MarkedYAMLError as error: \
                  print(error.problem_mark.line + 1, path)";
    let mut files = Vec::new();
    descriptors(&folder.path("challenges"), &mut files);
    let mut python = Command::new(python_with_yaml()?);
    let output = python.args(["-c", script]).args(&files).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let refused = |line: &str| {
        let (number, path) = line.split_once(' ').unwrap();
        let path = Path::new(path).strip_prefix(folder.root()).unwrap();
        (path.to_owned(), number.parse().unwrap())
    };
    Some(String::from_utf8(output.stdout).unwrap().lines().map(refused).collect())
}

#[test]
fn files_that_pyyaml_loads_are_loaded_and_the_rest_is_reported() {
    for (name, expected) in [("tcp1p-2023", 62), ("potluckctf-2023", 29), ("lactf-2023-2026", 205)]
    {
        let Some((folder, pack)) = read(name, expected) else { return };
        let Some(refused) = refused_by_pyyaml(&folder) else { return };
        let torn = pack.problems.iter().filter(|it| it.message.contains("invalid YAML"));
        let torn: Vec<_> = torn.map(|problem| (problem.file.clone(), problem.line)).collect();
        assert_eq!(torn, refused, "{name}");
    }
}

#[test]
fn all_but_two_challenges_of_tcp1p_2023_are_loaded() {
    let Some((_folder, pack)) = read("tcp1p-2023", 62) else { return };
    assert_eq!((pack.challenges.len(), pack.errors()), (60, 2));
    let taken =
        |problem: &&Problem| problem.message.starts_with("the type `container` belongs to another");
    assert_eq!(pack.problems.iter().filter(taken).count(), 7);
    let torn = errors_with(&pack, "invalid YAML");
    assert_eq!(torn.len(), 1);
    assert!(
        torn[0].starts_with("challenges/Forensic/Hacked/challenge.yml:11: error: "),
        "{torn:?}"
    );
    assert!(torn[0].contains("inconsistent indentation"));
    let twins = errors_with(&pack, "the name `VIP` is already used by");
    assert_eq!(twins.len(), 1);
    let place = "challenges/Blockchain/VIP/Deployer/challenge.yml:5: error: ";
    assert!(twins[0].starts_with(place), "{twins:?}");
    let worth = |scoring: Scoring| {
        pack.challenges.iter().filter(|c| c.challenge.scoring == scoring).count()
    };
    assert_eq!(worth(Scoring::Dynamic { max: 500, min: 100, decay: 15 }), 58);
    assert_eq!(worth(Scoring::Dynamic { max: 100, min: 10, decay: 15 }), 1);
    let fixed = |scoring: &Scoring| matches!(scoring, Scoring::Static { .. });
    assert_eq!(pack.challenges.iter().filter(|c| fixed(&c.challenge.scoring)).count(), 1);
    assert!(
        pack.challenges.iter().all(|c| c.flags.len() == 1 && !c.challenge.description.is_empty())
    );
    let attached: usize = pack.challenges.iter().map(|c| c.files.len()).sum();
    let missing = pack.problems.iter().filter(|p| p.message.contains("does not exist")).count();
    assert_eq!((attached, missing), (8, 51));
}

#[test]
fn potluck_2023_is_reported_as_another_format() {
    let Some((_folder, pack)) = read("potluckctf-2023", 29) else { return };
    assert_eq!((pack.challenges.len(), pack.errors()), (0, 29));
    assert_eq!(
        errors_with(&pack, "not ctfcli format: this looks like a potluck challenge file").len(),
        29
    );
}

#[test]
fn lactf_is_reported_as_another_format() {
    let Some((_folder, pack)) = read("lactf-2023-2026", 205) else { return };
    assert_eq!((pack.challenges.len(), pack.errors()), (0, 205));
    assert_eq!(
        errors_with(&pack, "not ctfcli format: this looks like a rcds challenge file").len(),
        205
    );
}

#[test]
fn a_good_challenge_among_them_is_loaded() {
    let Some(from) = shared_data("challenges/lactf-2023-2026") else { return };
    let folder = Folder::with("name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: [f]\n");
    copy_folder(&from, &folder.path("challenges/lactf")).unwrap();
    let pack = folder.read();
    assert_eq!((pack.challenges.len(), pack.errors()), (1, 205));
}
