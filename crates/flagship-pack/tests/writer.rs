//! Files are written only inside the event folder, atomically, and never through links.
#![allow(clippy::unwrap_used)]

mod folder;

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use flagship_game::{ChallengeId, Secret};
use flagship_pack::writer::{
    Content, FileChange, Outcome, new_path, plan, sibling_rejection, write,
};
use folder::Folder;

fn text(path: &str, content: &str) -> FileChange {
    FileChange { path: path.into(), content: Content::Text(Secret::new(content)) }
}

const ONE: &str = "challenges/one/challenge.yml";

#[test]
fn files_are_created_changed_or_left() {
    let folder = Folder::with("name: A\n");
    folder.write("challenges/two/challenge.yml", "name: B\n");
    folder.write("challenges/gone/challenge.yml", "name: C\n");
    fs::set_permissions(folder.path(ONE), Permissions::from_mode(0o640)).unwrap();
    folder.write("kept", vec![7; 200_000]);
    let changes = || {
        let attached = Content::File(File::open(folder.path("kept")).unwrap());
        [
            text(ONE, "name: New\n"),
            text("challenges/two/challenge.yml", "name: B\n"),
            text("challenges/web/three/challenge.yml", "name: D\n"),
            FileChange { path: "challenges/web/three/dist/a.zip".into(), content: attached },
            FileChange { path: "challenges/gone/challenge.yml".into(), content: Content::Removed },
        ]
    };
    let outcomes = [
        Outcome::Changed,
        Outcome::Unchanged,
        Outcome::Created,
        Outcome::Created,
        Outcome::LeftToRemove,
    ];
    let listed = plan(folder.root(), &changes()).unwrap();
    assert_eq!(listed.files.iter().map(|(_, outcome)| *outcome).collect::<Vec<_>>(), outcomes);
    assert!(!folder.path("challenges/web").exists(), "a plan writes nothing");
    assert_eq!(write(folder.root(), &changes()).unwrap(), listed);
    let read = |path: &str| fs::read(folder.path(path)).unwrap();
    assert_eq!(read(ONE), b"name: New\n");
    assert_eq!(read("challenges/web/three/challenge.yml"), b"name: D\n");
    assert_eq!(read("challenges/web/three/dist/a.zip"), vec![7; 200_000]);
    assert_eq!(read("challenges/gone/challenge.yml"), b"name: C\n");
    let mode = fs::metadata(folder.path(ONE)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    let again = write(folder.root(), &changes()).unwrap();
    let unchanged = |outcome: &Outcome| matches!(outcome, Outcome::Unchanged);
    assert_eq!(again.files.iter().filter(|(_, outcome)| unchanged(outcome)).count(), 4);
    for place in ["challenges/one", "challenges/web/three", "challenges/web/three/dist"] {
        let left = fs::read_dir(folder.path(place)).unwrap();
        let left =
            left.filter(|it| it.as_ref().unwrap().file_name().to_string_lossy().contains("tmp"));
        assert_eq!(left.count(), 0, "{place}");
    }
}

#[test]
fn paths_that_lead_elsewhere_are_refused() {
    let folder = Folder::with("name: A\n");
    let long = format!("challenges/{}", "a".repeat(256));
    let deep = format!("challenges/{}x", "a/".repeat(20));
    for path in [
        "",
        "/etc/passwd",
        "../x",
        "challenges/../x",
        "challenges//x",
        "challenges/./x",
        "challenges/a\\b",
        "challenges/a\0b",
        "challenges/a\nb",
        "challenges",
        "x/y",
        "event.toml/",
        "challenges/con",
        "challenges/NUL.txt",
        "challenges/com1.yml",
        "challenges/a.",
        "challenges/a ",
        "challenges/c:x",
        "challenges/.git/hooks/post-commit",
        "challenges/a/.GITmodules",
        "challenges/a/HEAD",
        "challenges/a/.hg/hgrc",
        "challenges/a/GIT~1/config",
        "challenges/a/git~2",
        "challenges/a/longna~1.txt",
        "challenges/a/.gi\u{200d}t/config",
        "challenges/a/.envrc",
        "challenges/a/.EnvRC",
        "challenges/a/.vscode/tasks.json",
        "challenges/a/.v\u{17f}code/tasks.json",
        "challenges/a/.idea/workspace.xml",
        "challenges/a/.devcontainer/devcontainer.json",
        "challenges/a/.cargo/config.toml",
        "challenges/a/.gdbinit",
        "challenges/a/Autorun.inf",
        "event.TOML",
        &long,
        &deep,
    ] {
        let given = write(folder.root(), &[text(path, "x")]);
        assert!(given.is_err(), "{path:?} was written: {given:?}");
    }
    assert_eq!(fs::read_to_string(folder.path(ONE)).unwrap(), "name: A\n");
}

#[test]
fn names_that_programs_run_unasked_are_refused() {
    let folder = Folder::with("name: A\n");
    let words = "is run by programs, and was written";
    for name in [
        ".mcp.json",
        ".anything/settings.json",
        ".mise.toml",
        ".npmrc",
        ".jj/config.toml",
        ".flagship-1-0.tmp",
        ".a-tool-of-next-year",
        "\u{200b}.mcp.json",
        "mise.toml",
        "Mise.Local.toml",
        "mise/config.toml",
        "x.Code-Workspace",
        "AGENTS.md",
        "desktop.ini",
    ] {
        for place in ["challenges/one", "pages", "brand"] {
            let given = write(folder.root(), &[text(&format!("{place}/{name}"), "x")]);
            assert!(given.is_err(), "{name:?} {words}");
        }
        assert!(sibling_rejection(ONE, name).is_some(), "{name:?} {words}");
    }
    for name in ["env", "a.envrc", "headers", "agents.txt", "mise-1/a.toml", "promise.toml"] {
        assert_eq!(sibling_rejection(ONE, name), None, "{name:?}");
    }
}

#[test]
fn nothing_is_written_through_a_link_or_over_what_is_no_file() {
    let folder = Folder::with("name: A\n");
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("challenge.yml"), "outside").unwrap();
    symlink(outside.path(), folder.path("challenges/link")).unwrap();
    fs::create_dir(folder.path("challenges/l")).unwrap();
    symlink(outside.path().join("challenge.yml"), folder.path("challenges/l/challenge.yml"))
        .unwrap();
    symlink("nowhere", folder.path("challenges/l/dangling")).unwrap();
    fs::create_dir(folder.path("challenges/l/folder")).unwrap();
    for (path, piece) in [
        ("challenges/link/challenge.yml", "`link` is a symbolic link"),
        ("challenges/link/new/challenge.yml", "`link` is a symbolic link"),
        ("challenges/l/challenge.yml", "`challenge.yml` is a symbolic link"),
        ("challenges/l/dangling", "`dangling` is a symbolic link"),
        ("challenges/l/folder", "`folder` is a folder"),
        ("challenges/one/challenge.yml/x", "`challenge.yml` is a file"),
    ] {
        // A valid first change shows that nothing is written.
        let changes = [text("challenges/new/challenge.yml", "x"), text(path, "x")];
        let error = write(folder.root(), &changes).expect_err(path).to_string();
        assert!(error.contains(piece), "{path} gave {error}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("challenge.yml")).unwrap(), "outside");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    assert!(!folder.path("challenges/new").exists());
    assert!(plan(&folder.path("none"), &[]).is_err());
}

#[test]
fn a_new_challenge_has_a_folder_of_its_own() {
    let id = |text: &str| ChallengeId::parse(text).unwrap();
    let taken =
        ["challenges/web/A/challenge.yml".to_owned(), "challenges/web/a-2/challenge.yml".into()];
    for (category, name, expected) in [
        ("Web", "cookie", "challenges/web/cookie/challenge.yml"),
        ("Reverse Engineering", "x_1.b", "challenges/reverse-engineering/x_1.b/challenge.yml"),
        ("Web", "a", "challenges/web/a-3/challenge.yml"),
        ("con", "nul", "challenges/con-1/nul-1/challenge.yml"),
        ("../..", ".hidden", "challenges/c-5caf7cc1/hidden/challenge.yml"),
        ("a", "..", "challenges/a/c-5ec1f7e7/challenge.yml"),
        ("a", "b.", "challenges/a/b/challenge.yml"),
    ] {
        let path = new_path(category, &id(name), &taken);
        if !expected.contains("c-5") {
            assert_eq!(path, expected);
        }
        let folder = Folder::new();
        write(folder.root(), &[text(&path, "name: A\n")]).unwrap();
        assert_eq!(folder.read().challenges.len(), 1, "{path} is read again");
    }
}
