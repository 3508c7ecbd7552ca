//! Syntax highlighting: a single lexer, with a table of keywords, comments and quotes per language.
//! Each byte is visited once with bounded lookahead, so the time is linear. Code is not parsed;
//! unknown tokens stay plain.

mod languages;

pub(super) use languages::{Kind, Language, language};
use languages::{Quote, Syntax, Words};

/// Maximum length of a character literal such as `'\u{10ffff}'`, in bytes.
const CHARACTER_BYTES_MAX: usize = 12;

/// Maximum length of a placeholder name such as `flag_format`, in bytes.
const PLACEHOLDER_BYTES_MAX: usize = 16;

/// Splits `code` into pieces, in order. Adjacent pieces differ in kind.
pub(super) fn pieces<'a>(language: &Language, code: &'a str) -> Vec<(Kind, &'a str)> {
    let mut lexer = Lexer { code, at: 0, marks: Vec::new() };
    match &language.syntax {
        Syntax::Words(words) => lexer.words(words),
        Syntax::Markup => lexer.markup(),
    }
    let ends = lexer.marks.iter().skip(1).map(|(start, _)| *start).chain([code.len()]);
    lexer.marks.iter().zip(ends).map(|((start, kind), end)| (*kind, &code[*start..end])).collect()
}

struct Lexer<'a> {
    code: &'a str,
    at: usize,
    /// Start and kind of each piece.
    marks: Vec<(usize, Kind)>,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.code.as_bytes()[self.at..]
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.rest().get(ahead).copied().unwrap_or_default()
    }

    fn begins(&self, with: &str) -> bool {
        self.rest().starts_with(with.as_bytes())
    }

    /// Number of bytes from the current position for which `is` holds.
    fn count(&self, is: impl Fn(u8) -> bool) -> usize {
        self.rest().iter().take_while(|byte| is(**byte)).count()
    }

    /// Consumes `bytes` bytes as `kind`.
    fn take(&mut self, bytes: usize, kind: Kind) {
        if self.marks.last().is_none_or(|(_, before)| *before != kind) {
            self.marks.push((self.at, kind));
        }
        self.at = (self.at + bytes).min(self.code.len());
    }

    /// Number of bytes up to and including `end`, or all remaining bytes.
    fn until(&self, from: usize, end: &str) -> usize {
        let rest = self.rest();
        let found = rest[from.min(rest.len())..]
            .windows(end.len())
            .position(|window| window == end.as_bytes());
        found.map_or(rest.len(), |place| from + place + end.len())
    }

    fn line(&self) -> usize {
        self.count(|byte| byte != b'\n')
    }

    fn words(&mut self, words: &Words) {
        while self.at < self.code.len() {
            let (bytes, kind) = self.next(words);
            self.take(bytes, kind);
        }
    }

    fn next(&self, words: &Words) -> (usize, Kind) {
        if let Some(bytes) = self.comment(words) {
            return (bytes, Kind::Comment);
        }
        if let Some(bytes) = self.quoted(words) {
            return (bytes, if self.is_key(words, bytes) { Kind::Name } else { Kind::String });
        }
        if let Some((_, kind)) = words.sigils.iter().find(|(sigil, _)| *sigil == self.byte(0)) {
            let braced = usize::from(self.byte(1) == b'{');
            let from = Self { at: self.at + 1 + braced, marks: Vec::new(), ..*self };
            let bytes = from.count(|byte| is_word(byte, words));
            let closed = braced * usize::from(from.byte(bytes) == b'}');
            return if bytes == 0 {
                (1, Kind::Plain)
            } else {
                (1 + braced + bytes + closed, *kind)
            };
        }
        match self.byte(0) {
            // Keep placeholders, which the server replaces, in one piece.
            b'{' => (self.placeholder(), Kind::Plain),
            b'0'..=b'9' => (self.number(), Kind::Number),
            byte if is_word(byte, words) && byte != b'-' => self.word(words),
            _ => (1, Kind::Plain),
        }
    }

    fn comment(&self, words: &Words) -> Option<usize> {
        let before = self.at.checked_sub(1).map(|place| self.code.as_bytes()[place]);
        let stands_apart = before.is_none_or(|byte| byte.is_ascii_whitespace());
        let of_line = words.line_comments.iter().any(|mark| self.begins(mark));
        if of_line && (stands_apart || !words.comments_stand_apart) {
            return Some(self.line());
        }
        let (begin, end) = words.block_comment?;
        self.begins(begin).then(|| self.until(begin.len(), end))
    }

    /// Length of a quoted string, including a prefix such as Python's `rb`.
    fn quoted(&self, words: &Words) -> Option<usize> {
        let of = |prefix: usize| {
            let from = Self { at: self.at + prefix, marks: Vec::new(), ..*self };
            let quote = words.quotes.iter().find(|quote| from.begins(quote.open))?;
            Some(prefix + from.quote(quote)?)
        };
        if let Some(bytes) = of(0) {
            return Some(bytes);
        }
        let prefix = words.prefixes.split(' ').find(|prefix| {
            let is_there = self.rest().get(..prefix.len());
            let is_there = is_there.is_some_and(|it| it.eq_ignore_ascii_case(prefix.as_bytes()));
            !prefix.is_empty() && is_there && matches!(self.byte(prefix.len()), b'"' | b'\'')
        })?;
        of(prefix.len())
    }

    /// Length of the quoted string that starts here, up to its end or the end of the line.
    fn quote(&self, quote: &Quote) -> Option<usize> {
        if quote.is_character {
            return self.character();
        }
        let bytes = self.rest();
        let mut at = quote.open.len();
        while at < bytes.len() {
            match bytes[at] {
                b'\\' if quote.has_escapes => at += 2,
                b'\n' if !quote.has_lines => return Some(at),
                _ if bytes[at..].starts_with(quote.close.as_bytes()) => {
                    return Some(at + quote.close.len());
                }
                _ => at += 1,
            }
        }
        Some(bytes.len())
    }

    /// Length of a character literal; `None` for a quote that starts a lifetime.
    fn character(&self) -> Option<usize> {
        let first = self.code[self.at + 1..].chars().next()?;
        if first != '\\' {
            let end = 1 + first.len_utf8();
            return (self.byte(end) == b'\'').then_some(end + 1);
        }
        let escaped = self.rest().iter().take(CHARACTER_BYTES_MAX).skip(3);
        Some(4 + escaped.take_while(|byte| **byte != b'\'').count())
            .filter(|end| self.byte(end - 1) == b'\'')
    }

    fn placeholder(&self) -> usize {
        let name = self.rest()[1..].iter().take(PLACEHOLDER_BYTES_MAX);
        let bytes = name.take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
        if self.byte(1 + bytes) == b'}' { bytes + 2 } else { 1 }
    }

    fn number(&self) -> usize {
        let digits = |from: usize| {
            let rest = &self.rest()[from..];
            rest.iter().take_while(|it| it.is_ascii_alphanumeric() || **it == b'_').count()
        };
        let mut bytes = digits(0);
        while self.byte(bytes) == b'.' && self.byte(bytes + 1).is_ascii_digit() {
            bytes += 1 + digits(bytes + 1);
        }
        bytes
    }

    fn word(&self, words: &Words) -> (usize, Kind) {
        let bytes = self.count(|byte| is_word(byte, words));
        let word = &self.code[self.at..self.at + bytes];
        let is_in = |list: &str| {
            let same = |it: &str| it.eq_ignore_ascii_case(word);
            list.split(' ').any(|it| if words.ignores_case { same(it) } else { it == word })
        };
        let is_called = match self.byte(bytes) {
            b'(' => true,
            b'!' => self.byte(bytes + 1) == b'(',
            _ => false,
        };
        let kind = if self.is_key(words, bytes) || is_in(words.names) {
            Kind::Name
        } else if is_in(words.keywords) {
            Kind::Keyword
        } else if words.has_calls && is_called {
            Kind::Function
        } else {
            Kind::Plain
        };
        (bytes, kind)
    }

    /// True if the token of `bytes` bytes is the key of a value.
    fn is_key(&self, words: &Words, bytes: usize) -> bool {
        let Some(mark) = words.key_mark else { return false };
        let rest = &self.rest()[bytes.min(self.rest().len())..];
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let next = rest.get(blanks + 1).copied().unwrap_or(b'\n');
        let is_quoted = matches!(self.byte(0), b'"' | b'\'');
        let stands_apart = mark == b'=' || is_quoted || next.is_ascii_whitespace();
        rest.get(blanks) == Some(&mark) && stands_apart
    }

    fn markup(&mut self) {
        while self.at < self.code.len() {
            if self.begins("<!--") {
                self.take(self.until("<!--".len(), "-->"), Kind::Comment);
                continue;
            }
            let slash = usize::from(matches!(self.byte(1), b'/' | b'!' | b'?'));
            if self.byte(0) == b'<' && self.byte(1 + slash).is_ascii_alphabetic() {
                self.take(1 + slash, Kind::Plain);
                self.tag();
            } else {
                self.take(
                    1 + self.rest()[1..].iter().take_while(|it| **it != b'<').count(),
                    Kind::Plain,
                );
            }
        }
    }

    /// Consumes a tag after its `<`.
    fn tag(&mut self) {
        let is_name =
            |byte: u8| !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"-_:.".contains(&byte);
        self.take(self.count(is_name), Kind::Keyword);
        while self.at < self.code.len() {
            match self.byte(0) {
                b'>' | b'<' => return,
                quote @ (b'"' | b'\'') => {
                    let end = self.rest()[1..].iter().position(|byte| *byte == quote);
                    self.take(end.map_or(self.rest().len(), |place| place + 2), Kind::String);
                }
                byte if is_name(byte) => self.take(self.count(is_name), Kind::Name),
                _ => self.take(1, Kind::Plain),
            }
        }
    }
}

fn is_word(byte: u8, words: &Words) -> bool {
    !byte.is_ascii()
        || byte.is_ascii_alphanumeric()
        || byte == b'_'
        || (words.has_dashes && byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces that are not plain, each with the first letter of its class.
    fn marked(name: &str, code: &str) -> String {
        let pieces = pieces(language(name).unwrap(), code);
        assert_eq!(pieces.iter().map(|(_, text)| *text).collect::<String>(), code, "{name}");
        let shown = pieces.iter().filter_map(|(kind, text)| {
            let class = kind.class()?.strip_prefix("hl-")?;
            Some(format!("{} {text}", &class[..1]))
        });
        shown.collect::<Vec<_>>().join("|")
    }

    #[test]
    fn each_language_has_its_keywords_comments_texts_and_numbers() {
        for (name, code, expected) in [
            (
                "Python",
                "def f(x): # a\n  return rb'\\'' + 0x1f",
                "k def|f f|c # a|k return|s rb'\\''|n 0x1f",
            ),
            ("py", "@route('/')\nx = \"\"\"a\n'b\"\"\"", "n @route|s '/'|s \"\"\"a\n'b\"\"\""),
            (
                "c",
                "#include <a.h>\nchar c = '\\n'; /* x\n*/ puts(\"a\\\"\");",
                "k #include|k char|s '\\n'|c /* x\n*/|f puts|s \"a\\\"\"",
            ),
            ("C++", "auto s = std::move(x); // e", "k auto|f move|c // e"),
            ("js", "const a = `x\n${1}` ?? 1.5", "k const|s `x\n${1}`|n 1.5"),
            ("tsx", "interface A { x: string }", "k interface|k string"),
            (
                "java",
                "@Override public int a() { return 1; }",
                "n @Override|k public|k int|f a|k return|n 1",
            ),
            ("go", "func main() { x := `a\\` }", "k func|f main|s `a\\`"),
            (
                "rust",
                "fn f<'a>(x: &'a str) { p!('\\u{1f600}', r#\"a\"b\"#) }",
                "k fn|k str|f p|s '\\u{1f600}'|s r#\"a\"b\"#",
            ),
            (
                "sh",
                "if [ $# -gt 1 ]; then echo \"$a\" ${b} # c",
                "k if|n 1|k then|s \"$a\"|n ${b}|c # c",
            ),
            ("sql", "select * FROM a where b='x' -- c", "k select|k FROM|k where|s 'x'|c -- c"),
            ("php", "<?php echo $_GET['a']; # x", "k echo|n $_GET|s 'a'|c # x"),
            (
                "html",
                "<!-- a --><a href=\"x\" b='<'>1 < 2</a>",
                "c <!-- a -->|k a|n href|s \"x\"|n b|s '<'|k a",
            ),
            ("json", "{\"a\": [\"b\", -1.5, true]}", "n \"a\"|s \"b\"|n 1.5|k true"),
            ("yaml", "a-b: http://c # d\n- \"e\": 'f'", "n a-b|c # d|n \"e\"|s 'f'"),
            ("toml", "a = \"b\" # c", "n a|s \"b\"|c # c"),
            ("asm", "main: MOV eax, 0x10 ; a\n ret", "n main|k MOV|n eax|n 0x10|c ; a|k ret"),
        ] {
            assert_eq!(marked(name, code), expected, "{name}: {code}");
        }
        assert!(language("brainfuck").is_none() && language("").is_none());
    }

    #[test]
    fn placeholders_stay_whole_and_any_text_is_covered() {
        let whole = [(Kind::Plain, "{end} {flag_format}")];
        for name in ["c", "sql", "sh", "python"] {
            assert_eq!(pieces(language(name).unwrap(), whole[0].1), whole, "{name}");
        }
        let starts = [
            "\"", "'", "/*", "<!--", "<a ", "<a \"", "r#\"", "'\\", "0.", "${", "é\\é", "\\", "# ",
            "@", "{", "1+", "a", "a:",
        ];
        for name in ["c", "html", "json", "python", "rust", "sh", "yaml"] {
            for start in starts {
                for end in ["", "\n", "é", "\\", "1", "\""] {
                    marked(name, &format!("{start}{end}"));
                }
                // A lexer with backtracking would take minutes.
                marked(name, &start.repeat(16 * 1024 / start.len()));
            }
        }
    }
}
