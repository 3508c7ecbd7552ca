//! `cargo xtask sample SEED [COUNT]`: random comments, paragraphs of the documentation and
//! messages of the site, for a reader who marks those that need a second reading.

use anyhow::{Context, Result, bail};

use crate::process::{at_root, output, root};
use crate::prose::comments;

/// Samples without a count on the command line.
const COUNT: usize = 100;
/// Shorter texts say too little to be judged.
const WORDS_MIN: usize = 4;
const MESSAGES: &str = "web/src/messages/";
/// Markdown that is not prose: pictures, code and headings.
const NOT_PROSE: [&str; 4] = ["![", "```", "#", "<"];

/// Prints the samples, each with its file. The same seed prints the same samples of a commit.
pub fn print(words: &[&str]) -> Result<()> {
    let [seed, rest @ ..] = words else { bail!("usage: cargo xtask sample SEED [COUNT]") };
    let mut state: u64 = seed.parse().context("the seed is a number")?;
    let count = rest.first().map_or(Ok(COUNT), |count| count.parse())?;
    let mut texts = texts()?;
    for _ in 0..count.min(texts.len()) {
        let place = usize::try_from(random(&mut state) % u64::try_from(texts.len())?)?;
        let (path, text) = texts.swap_remove(place);
        println!("{path}: {text}");
    }
    Ok(())
}

/// The next number of the SplitMix64 generator.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Every text of the repository that is long enough, with its path.
fn texts() -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for path in output(at_root("git").args(["ls-files", "*.rs", "*.ts", "*.tsx", "*.md"]))?.lines()
    {
        if path.ends_with("schema.d.ts") || path.ends_with("it.ts") {
            continue;
        }
        let Ok(file) = std::fs::read_to_string(root().join(path)) else { continue };
        let texts = if path.ends_with(".md") {
            paragraphs(&file)
        } else if path.starts_with(MESSAGES) && !path.contains(".test.") {
            messages(&file)
        } else {
            comments(&file)
        };
        let long = texts.into_iter().filter(|text| text.split(' ').count() >= WORDS_MIN);
        found.extend(long.map(|text| (path.to_owned(), text)));
    }
    Ok(found)
}

fn paragraphs(file: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut is_code = false;
    for line in file.lines().map(str::trim) {
        is_code ^= line.starts_with("```");
        let is_prose =
            !is_code && !line.is_empty() && !NOT_PROSE.iter().any(|it| line.contains(it));
        if line.starts_with(['-', '|']) {
            found.push(String::new());
        }
        add(&mut found, is_prose.then_some(line));
    }
    found
}

/// The strings of a file of messages.
fn messages(file: &str) -> Vec<String> {
    let quoted = |line: &str| {
        let start = line.find(['"', '`'])?;
        let end = line.rfind(['"', '`']).filter(|end| *end > start)?;
        Some(line[start + 1..end].to_owned())
    };
    file.lines().filter(|line| !line.contains("import ")).filter_map(quoted).collect()
}

/// Continues the last text with a line, or begins another one.
fn add(found: &mut Vec<String>, words: Option<&str>) {
    match (words, found.last_mut()) {
        (Some(words), Some(last)) => {
            let space = if last.is_empty() { "" } else { " " };
            last.push_str(&format!("{space}{words}"));
        }
        _ => found.push(String::new()),
    }
}
