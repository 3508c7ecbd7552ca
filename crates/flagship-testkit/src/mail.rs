//! Parses emails for tests.

use std::path::{Path, PathBuf};

/// An email that was written to a file or received by a test server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The bare address.
    pub to: String,
    /// The subject as in the header, not decoded.
    pub subject: String,
    /// All headers, as written.
    pub head: String,
    /// The text, decoded.
    pub body: String,
}

impl Mail {
    /// All emails in a folder, sorted by file name; none if the folder does not exist.
    ///
    /// # Panics
    /// If one of them cannot be read.
    pub fn read(folder: &Path) -> Vec<Self> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let paths = entries.map(|entry| entry.expect("the folder is readable").path());
        let is_mail = |path: &PathBuf| path.extension() == Some("eml".as_ref());
        let mut paths: Vec<PathBuf> = paths.filter(is_mail).collect();
        paths.sort();
        let read = |path| std::fs::read_to_string(path).expect("a mail is text");
        paths.into_iter().map(|path| Self::parse(&read(path))).collect()
    }

    /// Parses a message.
    ///
    /// # Panics
    /// If the text is not a message.
    pub fn parse(text: &str) -> Self {
        let text = text.replace("\r\n", "\n");
        let (head, body) = text.split_once("\n\n").expect("head and body");
        let unfolded = head.replace("\n ", " ");
        let header = |name: &str| {
            let line = unfolded.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|rest| rest.strip_prefix(": ")).unwrap_or_default().trim().to_owned()
        };
        let quoted = header("Content-Transfer-Encoding") == "quoted-printable";
        let body = if quoted { unquote(body) } else { body.to_owned() };
        let to = header("To").trim_matches(['<', '>']).to_owned();
        Self { to, subject: header("Subject"), head: head.to_owned(), body }
    }

    /// The text on one line.
    pub fn words(&self) -> String {
        self.body.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The tokens of the links of a kind, `confirm` or `reset`.
    pub fn tokens(&self, kind: &str) -> Vec<String> {
        let mark = format!("/{kind}#");
        let tokens = self.body.lines().filter_map(|line| line.split_once(&mark));
        tokens.map(|(_, token)| token.to_owned()).collect()
    }

    /// The token of the only link of a kind.
    ///
    /// # Panics
    /// If there is not exactly one.
    pub fn token(&self, kind: &str) -> String {
        let mut tokens = self.tokens(kind);
        assert_eq!(tokens.len(), 1, "one {kind} link in {self:?}");
        tokens.remove(0)
    }
}

fn unquote(text: &str) -> String {
    let joined = text.replace("=\n", "");
    let mut bytes = Vec::new();
    let mut rest = joined.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| first == b'=') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).expect("the text is UTF-8")
}
