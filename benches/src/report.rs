//! Writes the figures into a page, which has a section between two marks for each benchmark.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A heading with the date, the commit, the machine's load and the number of measurements.
pub fn heading(name: &str, rounds: usize) -> Result<String> {
    let day = jiff::Timestamp::now().strftime("%Y-%m-%d");
    let load = std::fs::read_to_string("/proc/loadavg").context("read the load average")?;
    let load = load.split(' ').next().unwrap_or_default();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let commit = commit();
    Ok(format!(
        "{name}: {day}, {commit}, load average {load} before, {processors} processors, \
         median of {rounds}"
    ))
}

fn commit() -> String {
    let git = |words: &[&str]| {
        let out = Command::new("git").args(words).output().ok()?;
        let text = String::from_utf8(out.stdout).ok().filter(|_| out.status.success())?;
        Some(text.trim().to_owned())
    };
    match git(&["rev-parse", "--short", "HEAD"]) {
        None => "no commit".to_owned(),
        Some(id) => {
            // Figures written by earlier benchmarks do not count as changes.
            let words = ["status", "--porcelain", "--", ":!docs/performance.md"];
            let is_clean = git(&words).is_some_and(|changes| changes.is_empty());
            format!("commit {id}{}", if is_clean { "" } else { " and changes" })
        }
    }
}

/// Replaces the section `name` of a page by `text`.
pub fn write(page: &Path, name: &str, text: &str) -> Result<()> {
    let before =
        std::fs::read_to_string(page).with_context(|| format!("read {}", page.display()))?;
    let after = replaced(&before, name, text)?;
    std::fs::write(page, after).with_context(|| format!("write {}", page.display()))
}

fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    let begin = format!("<!-- bench {name} -->\n");
    let end = format!("<!-- end {name} -->");
    let (head, rest) = page.split_once(&begin).with_context(|| format!("the page has {begin}"))?;
    let (_, tail) = rest.split_once(&end).with_context(|| format!("the page has {end}"))?;
    ensure!(!text.contains("```"), "the figures of {name} are not plain text");
    Ok(format!("{head}{begin}\n```\n{}\n```\n\n{end}{tail}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_written_anew_and_nothing_else() {
        let page = "a\n<!-- bench x -->\nold\n<!-- end x -->\nb\n";
        let once = replaced(page, "x", "new\n").unwrap();
        assert_eq!(once, "a\n<!-- bench x -->\n\n```\nnew\n```\n\n<!-- end x -->\nb\n");
        assert_eq!(replaced(&once, "x", "new").unwrap(), once);
        assert!(replaced(page, "y", "new").is_err());
    }
}
