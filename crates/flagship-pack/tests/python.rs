//! Files are parsed like PyYAML, which ctfcli uses, and flags are matched like Python's `re`, which
//! CTFd uses. The expected results are in tables; if Python is installed, it checks the tables.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod folder;

use std::io::Write;
use std::process::{Command, Stdio};

use flagship_pack::Flag;
use flagship_testkit::python_with_yaml;
use folder::{Folder, only};

/// The output of a Python script for each text; `None` without Python.
fn ask(script: &str, texts: &[String]) -> Option<Vec<String>> {
    let mut python = Command::new(python_with_yaml()?);
    python.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    child.stdin.take().unwrap().write_all(texts.join("\0").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    Some(lines.lines().map(str::to_owned).collect())
}

/// YAML for the flags of a challenge, and the text of its only flag.
const TEXTS: [(&str, &str); 16] = [
    ("flags:\n- \"one\ntwo\"", "one two"),
    ("flags: [\"one\ntwo\"]", "one two"),
    ("flags:\n- \"one\n\n\ntwo\n  three\"", "one\n\ntwo three"),
    ("flags:\n- 'it''s \"one\"\ntwo'", "it's \"one\" two"),
    ("flags:\n- 'one\n\ntwo ''\n\"three'", "one\ntwo ' \"three"),
    ("flags:\n- \"one \\\ntwo\"", "one two"),
    ("flags:\n- \"one \\\"\n'two\"", "one \" 'two"),
    ("flags:\n- \"one\n\ttwo\"", "one two"),
    ("flags:\n  - type: static\n    content: \"one\ntwo\n# three\"", "one two # three"),
    ("flags:\n- \"one\r\ntwo\"", "one two"),
    ("flags:\n- \"one\"# two", "one"),
    ("x: \"a\nb\"\ny: 'c\nd'\nflags:\n- \"one\n- two: 3\"", "one - two: 3"),
    ("flags:\n- \"one\ntwo\n\"", "one two"),
    ("base: &b {flags: [one]}\nmore: &m {<<: *b, x: 1}\n<<: [{y: 2}, *m]", "one"),
    ("flags:\n- >-\n  one\n  two\n\n  three", "one two\nthree"),
    ("flags: [one\n two,\n]", "one two"),
];

#[test]
fn a_text_is_read_as_pyyaml_reads_it() {
    let texts: Vec<String> = TEXTS
        .iter()
        .map(|(lines, _)| format!("name: A\ncategory: c\ntype: standard\nvalue: 1\n{lines}\n"))
        .collect();
    for (text, (_, expected)) in texts.iter().zip(TEXTS) {
        let pack = Folder::with(text).read();
        let Flag::Exact { text: flag, .. } = &only(&pack).flags[0] else { panic!("{text}") };
        assert_eq!(flag.expose(), expected, "{text}");
    }
    let script = "import sys, yaml\n\
                  for text in sys.stdin.buffer.read().decode().split('\\0'):\n    \
                  flag = yaml.safe_load(text)['flags'][0]\n    \
                  print(repr((flag['content'] if type(flag) is dict else flag).strip()))";
    let Some(answers) = ask(script, &texts) else { return };
    let expected = TEXTS.iter().map(|(_, text)| text.to_string()).collect::<Vec<_>>();
    let script = "import sys\n\
                  for text in sys.stdin.buffer.read().decode().split('\\0'): print(repr(text))";
    assert_eq!(answers, ask(script, &expected).unwrap());
}

#[test]
fn a_number_is_read_as_pyyaml_reads_it() {
    for (value, expected) in
        [("100", 100), ("1_000", 1000), ("0x64", 100), ("100.0", 100), ("+5", 5), ("'7'", 7)]
    {
        let text = format!("name: A\ncategory: c\ntype: standard\nvalue: {value}\nflags: [f]\n");
        let pack = Folder::with(text).read();
        let scoring = only(&pack).challenge.scoring.clone();
        assert_eq!(scoring, flagship_game::Scoring::Static { max: expected }, "{value}");
    }
}

/// Patterns with a text, and whether the pattern matches the entire text.
const PATTERNS: [(&str, &str, bool); 17] = [
    ("flag{.*}", "flag{x}", true),
    ("flag{.*}", "flag", false),
    ("flag{[a-z]+}", "flag{abc}", true),
    ("flag{x{2}}", "flag{xx}", true),
    ("flag{x{2,}}", "flag{xxx}", true),
    ("flag{x{,2}}", "flag{xxx}", false),
    ("flag{x{,2}}", "flag{x}", true),
    ("flag{x{,}}", "flag{xxxxx}", true),
    ("flag{}", "flag{}", true),
    ("flag{1,a}", "flag{1,a}", true),
    ("a{1 }", "a{1 }", true),
    ("flag\\{x\\}", "flag{x}", true),
    ("[{}]+", "{}", true),
    ("[]{]+x{", "]{x{", true),
    ("[^]{]x{", "ax{", true),
    ("flag\\\\{x}", "flag\\{x}", true),
    ("flag\\{x\\}\\Z", "flag{x}", true),
];

#[test]
fn a_pattern_is_matched_as_python_matches_it() {
    for (pattern, text, expected) in PATTERNS {
        let compiled = flagship_pack::compile(pattern, false).expect(pattern);
        assert_eq!(compiled.is_match(text), expected, "{pattern} {text}");
    }
    let script = "import sys, re\n\
                  for case in sys.stdin.buffer.read().decode().split('\\0'):\n    \
                  pattern, text = case.split('\\n')\n    \
                  found = re.match(pattern, text)\n    \
                  print(found is not None and found.group() == text)";
    let cases: Vec<String> = PATTERNS.iter().map(|(a, b, _)| format!("{a}\n{b}")).collect();
    let Some(answers) = ask(script, &cases) else { return };
    for (answer, (pattern, text, expected)) in answers.iter().zip(PATTERNS) {
        assert_eq!(answer == "True", expected, "{pattern} {text}");
    }
    assert!(flagship_pack::compile("\\p{L}+\\x{41}", false).unwrap().is_match("éA"));
}

/// Strings that some YAML parser would misread without quotes.
const WORDS: [&str; 44] = [
    "yes",
    "NO",
    "on",
    "y",
    "null",
    "~",
    "",
    " ",
    "true",
    "1",
    "-1",
    "+1",
    "1_000",
    "0x1f",
    "0o17",
    "017",
    "1e3",
    "1.5",
    ".5",
    ".inf",
    ".nan",
    "12:30:45",
    "2026-11-25",
    "2026-11-25T14:00:00+01:00",
    "=",
    "<<",
    "-",
    "- a",
    "? a",
    "a: b",
    "a:",
    "a #b",
    "#a",
    "'a'",
    "\"a\"",
    "[a",
    "{a}",
    "%a",
    "@a",
    "`a",
    "!a",
    "&a",
    "*a",
    "a\tb",
];

const BLOCKS: [&str; 20] = [
    "a\nb",
    "a\nb\n",
    "a\n\n",
    "a\n\n\n",
    "\n",
    "\na",
    " a\nb",
    "a\n  b\n",
    "  a\n b\n\n",
    "a\n \nb",
    "a  \nb",
    "a\n\tb",
    "\ta\nb",
    "a\r\nb",
    "# a\n# b",
    "a: |\n  b\n",
    "- a\n- b",
    "---\na\n...\n",
    "é🚩\n\u{2028}\u{85}",
    "a\0\n",
];

#[test]
fn what_is_written_is_read_alike_by_pyyaml() {
    let script = "import json, sys, yaml\nfor text in sys.stdin.read().split('\\0'):\n    \
                  print(json.dumps(yaml.safe_load(text)['k']))";
    let texts = WORDS.iter().chain(&BLOCKS);
    let nested = |text: &str| serde_json::json!([text, {"a": text, text: [[text, 1], {}]}]);
    let values: Vec<_> = texts.flat_map(|text| [serde_json::json!(text), nested(text)]).collect();
    let write = |value: &serde_json::Value| {
        let fields = serde_json::Map::from_iter([("k".to_owned(), value.clone())]);
        flagship_pack::source::create(&fields).unwrap_or_else(|error| panic!("{error}: {value}"))
    };
    let files: Vec<String> = values.iter().map(write).collect();
    let Some(read) = ask(script, &files) else { return };
    for ((value, file), read) in values.iter().zip(&files).zip(&read) {
        let read: serde_json::Value = serde_json::from_str(read).unwrap();
        assert_eq!(&read, value, "in another way: {file}");
    }
    assert_eq!(read.len(), values.len());
}
