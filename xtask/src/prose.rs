//! The comments of source files, and a test that each begins with a noun or a verb.

/// Returns the comments of a Rust or TypeScript file that have lines to themselves, each as one
/// line that starts with its mark. Consecutive lines with the same mark are one comment.
pub fn comments(file: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut previous = "";
    for line in file.lines().map(str::trim) {
        let is_in_block = previous == "/**";
        let begun = ["///", "//!", "/**", "//"].into_iter().find(|mark| line.starts_with(mark));
        let mark = if is_in_block { previous } else { begun.unwrap_or("") };
        if mark != previous && !mark.is_empty() {
            found.push(mark.to_owned());
        }
        let words = line.trim_start_matches(['/', '!', '*']).trim_end_matches("*/").trim();
        if let Some(last) = found.last_mut().filter(|_| !mark.is_empty() && !words.is_empty()) {
            last.push_str(&format!(" {words}"));
        }
        let is_closed = mark == "/**" && line.contains("*/");
        previous = if is_closed { "" } else { mark };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::comments;
    use crate::tidy::{assert_clean, files};

    /// First words that a doc comment must not have.
    const DOC_STARTS: [&str; 13] = [
        "How", "It", "Its", "Those", "What", "When", "Where", "Whether", "Who", "Whoever", "Whom",
        "Whose", "Why",
    ];
    /// First words that no comment may have. The others can begin a whole sentence.
    const STARTS: [&str; 6] = ["What", "Whether", "Who", "Whoever", "Whom", "Whose"];

    /// True for a clause without a noun, such as "What is counted." Questions are allowed.
    fn is_headless(comment: &str) -> bool {
        let (mark, text) = comment.split_once(' ').unwrap_or_default();
        let starts = if mark == "//" { &STARTS[..] } else { &DOC_STARTS[..] };
        let first = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let sentence = text.split_inclusive(['.', '?']).next().unwrap_or_default();
        starts.contains(&first) && !sentence.ends_with('?')
    }

    #[test]
    fn comments_begin_with_a_noun_or_a_verb() {
        let mut headless = Vec::new();
        let mut count = 0;
        for file in files().iter().filter(|file| file.is_source()) {
            let comments = comments(&file.text);
            count += comments.len();
            let clauses = comments.iter().filter(|comment| is_headless(comment));
            headless.extend(clauses.map(|comment| format!("{}: {comment}", file.path)));
        }
        assert_clean("comments begin with a noun or a verb (CONTRIBUTING.md, Prose)", &headless);
        assert!(count > 5_000, "{count} comments were found");
    }

    #[test]
    fn headless_comments_are_found() {
        let rust = "//! Whose it is.\n\n/// What is counted.\n/// Whether more.\nfn a() {}\n\
            // When it rains, wait.\n/// Maximum.\n/// It is large.\nlet b = 1; // What\n\
            // What if it rains?\nlet c = 1;\n// Who knows.\n";
        let script = "/** It continues. */\n/**\n * Why not.\n * How.\n */\n/** Time of the\n \
            * What */\n";
        let found =
            |text| comments(text).into_iter().filter(|it| is_headless(it)).collect::<Vec<_>>();
        assert_eq!(
            found(rust),
            ["//! Whose it is.", "/// What is counted. Whether more.", "// Who knows."]
        );
        assert_eq!(found(script), ["/** It continues.", "/** Why not. How."]);
    }
}
