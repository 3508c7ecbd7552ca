//! Files of the archive: the program with its manual pages and completions, units and other files
//! for the operator, the guides, and the example event.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::archive::Entry;
use crate::process::{at_root, output, root, run};

/// Tracked files, as patterns of git.
const TRACKED: [&str; 6] = [
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    ":(glob)docs/*.md",
    ":(glob)deploy/**",
    ":(glob)examples/beginner/**",
];
/// Scripts with another path in the archive, where they are executable.
const MOVED: [(&str, &str); 1] = [("deploy/install.sh", "install.sh")];
/// The completion scripts, with the names that the shells expect.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "flagship"), ("zsh", "_flagship"), ("fish", "flagship.fish")];

/// The files of the archive with this program. `work` is a folder for temporary files.
pub fn entries(program: &Path, work: &Path) -> Result<Vec<Entry>> {
    let content = std::fs::read(program).with_context(|| format!("read {}", program.display()))?;
    let mut entries = tracked()?;
    entries.push(Entry { path: "bin/flagship".to_owned(), is_executable: true, content });
    entries.extend(manual(program, work)?);
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        entries.push(Entry::file(&format!("share/completions/{shell}/{file}"), script));
    }
    Ok(entries)
}

fn tracked() -> Result<Vec<Entry>> {
    let mut git = at_root("git");
    let listed = output(git.args(["ls-files", "-z", "--"]).args(TRACKED))?;
    let paths = listed.split('\0').filter(|path| !path.is_empty());
    let entries: Vec<Entry> = paths.map(tracked_file).collect::<Result<_>>()?;
    ensure!(!entries.is_empty(), "git lists no files");
    Ok(entries)
}

fn tracked_file(path: &str) -> Result<Entry> {
    let content = std::fs::read(root().join(path)).with_context(|| format!("read {path}"))?;
    let moved = MOVED.iter().find(|(from, _)| *from == path);
    let to = moved.map_or(path, |(_, to)| to);
    Ok(Entry { path: to.to_owned(), is_executable: moved.is_some(), content })
}

/// The program writes its manual pages.
fn manual(program: &Path, work: &Path) -> Result<Vec<Entry>> {
    let folder = work.join("man");
    std::fs::remove_dir_all(&folder).ok();
    std::fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    run(Command::new(program).arg("manual").arg(&folder))?;
    let mut pages = Vec::new();
    for page in std::fs::read_dir(&folder)? {
        let path: PathBuf = page?.path();
        let name = path.file_name().context("a page has a name")?.to_string_lossy().into_owned();
        pages.push(Entry::file(&format!("share/man/man1/{name}"), std::fs::read(&path)?));
    }
    ensure!(!pages.is_empty(), "the program wrote no manual pages");
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// Answers like the program.
    const FAKE: &str = "#!/bin/sh\ncase $1 in\nmanual) echo page > \"$2/flagship-serve.1\" ;;\n\
                        completions) echo \"script for $2\" ;;\nesac\n";

    #[test]
    fn the_archive_has_what_an_operator_needs() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        std::fs::write(&program, FAKE).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let entries = entries(&program, folder.path()).unwrap();
        let files: BTreeMap<&str, &Entry> =
            entries.iter().map(|it| (it.path.as_str(), it)).collect();
        assert_eq!(files.len(), entries.len(), "each path once");
        for path in [
            "CHANGELOG.md",
            "LICENSE",
            "README.md",
            "deploy/Caddyfile",
            "deploy/flagship-backup.timer",
            "deploy/flagship.service",
            "docs/operate.md",
            "examples/beginner/event.toml",
            "install.sh",
            "share/completions/fish/flagship.fish",
            "share/completions/zsh/_flagship",
            "share/man/man1/flagship-serve.1",
        ] {
            assert!(files.contains_key(path), "{path}");
        }
        let executable: Vec<&str> =
            entries.iter().filter(|it| it.is_executable).map(|it| it.path.as_str()).collect();
        assert_eq!(BTreeSet::from_iter(executable), BTreeSet::from(["bin/flagship", "install.sh"]));
        let script = &files["share/completions/bash/flagship"].content;
        assert_eq!(script, b"script for bash\n");
        assert!(!files.keys().any(|path| path.contains("screenshots")), "the pictures are large");
    }
}
