//! `cargo xtask lines COMMIT...`: production lines of server, store, actions, executable and site
//! at each commit. Blank lines, tests, generated files and messages are not counted.

use anyhow::Result;

use crate::process::{at_root, output};

/// Counted parts: name and folder.
const PARTS: [(&str, &str); 5] = [
    ("server", "crates/flagship-server/src/"),
    ("store", "crates/flagship-store/src/"),
    ("actions", "crates/flagship-actions/src/"),
    ("executable", "crates/flagship/src/"),
    ("site", "web/src/"),
];
const EXTENSIONS: [&str; 4] = [".rs", ".ts", ".tsx", ".css"];
/// Path fragments of files that are not counted.
const LEFT_OUT: [&str; 8] = [
    ".test.",
    "/tests.rs",
    "/tests/",
    "/messages/",
    "/fake-",
    "/stand-in",
    "/schema.d.ts",
    "/test/",
];
/// The first lines of a generated file.
const GENERATED: &str = "@generated";

/// Prints the number of lines of each part at each commit, and the change of the total from the
/// first commit to the last.
pub fn count(commits: &[&str]) -> Result<()> {
    let mut sums = Vec::new();
    println!("{:<14}{}", "commit", PARTS.map(|(name, _)| format!("{name:>12}")).concat());
    for commit in commits {
        let counts = at(commit)?;
        println!("{commit:<14}{}", counts.map(|count| format!("{count:>12}")).concat());
        sums.push(counts.iter().sum::<usize>());
    }
    if let (Some(first), Some(last)) = (sums.first(), sums.last()) {
        let more = i64::try_from(*last)? - i64::try_from(*first)?;
        println!("together: {first} at first, {last} at last: {more:+}");
    }
    Ok(())
}

/// The lines of each part at a commit.
fn at(commit: &str) -> Result<[usize; PARTS.len()]> {
    let files = output(at_root("git").args(["ls-tree", "-r", "--name-only", commit]))?;
    let mut counts = [0; PARTS.len()];
    for path in files.lines().filter(|path| is_counted(path)) {
        let Some(part) = PARTS.iter().position(|(_, folder)| path.starts_with(folder)) else {
            continue;
        };
        counts[part] += lines(&output(at_root("git").args(["show", &format!("{commit}:{path}")]))?);
    }
    Ok(counts)
}

fn is_counted(path: &str) -> bool {
    let is_code = EXTENSIONS.iter().any(|extension| path.ends_with(extension));
    is_code && !LEFT_OUT.iter().any(|part| path.contains(part))
}

/// The lines of a file without blank ones and without its inline test module, which comes last.
fn lines(text: &str) -> usize {
    if text.lines().take(3).any(|line| line.contains(GENERATED)) {
        return 0;
    }
    let all: Vec<&str> = text.lines().collect();
    let is_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ");
    let end = all.windows(2).position(|pair| is_tests(pair) && pair[1].ends_with('{'));
    all[..end.unwrap_or(all.len())].iter().filter(|line| !line.trim().is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_blank_lines_are_not_counted() {
        assert_eq!(lines("one\n\ntwo\n#[cfg(test)]\nmod tests {\n    three\n}\n"), 2);
        assert_eq!(lines("one\n#[cfg(test)]\nmod tests;\n\ntwo\n"), 4);
        assert_eq!(lines("// @generated\none\n"), 0);
        assert!(is_counted("crates/flagship/src/main.rs") && is_counted("web/src/site.tsx"));
        assert!(!is_counted("web/src/site.test.tsx") && !is_counted("web/src/messages/en.ts"));
        assert!(!is_counted("crates/flagship-actions/src/messages/en.json"));
    }
}
