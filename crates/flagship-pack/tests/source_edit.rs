//! In-place edits of a `challenge.yml`: everything else stays byte for byte.
#![allow(clippy::unwrap_used)]

use flagship_pack::source::{EditError, create, edit};
use flagship_testkit::shared_data;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn fields(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn edited(text: &str, value: Value) -> String {
    edit(text, &fields(value)).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn what_is_not_named_stays_as_it_is() {
    let text = "# Head\nname: 'A'   # the name\n\n# about points\nvalue: 100 # easy\n\
                x-own: {a: 1}\nflags:\n- one # old\n- two\n\n# below\nstate: visible\n";
    let given = edited(text, json!({"value": 200, "flags": ["three"], "author": "new"}));
    let expected = "# Head\nname: 'A'   # the name\n\n# about points\nvalue: 200 # easy\n\
                    x-own: {a: 1}\nflags:\n  - three\n\n# below\nstate: visible\nauthor: new\n";
    assert_eq!(given, expected);
}

#[test]
fn a_value_that_is_there_already_keeps_its_lines() {
    let text = "name: \"A\"\nvalue: 0x10\nflags: [ a,b ] # c\nextra:\n    initial: 5\n";
    let same = json!({"name": "A", "flags": ["a", "b"], "extra": {"initial": 5}, "no": null});
    assert_eq!(edited(text, same), text);
}

#[test]
fn each_way_of_writing_a_value_is_replaced_whole() {
    for (before, after) in [
        ("a: 1\nk: x\nb: 2\n", "a: 1\nk: new\nb: 2\n"),
        ("a: 1\nk:\nb: 2\n", "a: 1\nk: new\nb: 2\n"),
        ("k:   # c\nb: 2\n", "k: new # c\nb: 2\n"),
        ("k:\n  x\n  y # c\nb: 2\n", "k: new\nb: 2\n"),
        ("k: 'x\n\n  y'  # c\nb: 2\n", "k: new\nb: 2\n"),
        ("k: |  # c\n  x\n\n\n# d\nb: 2\n", "k: new # c\n\n\n# d\nb: 2\n"),
        ("k: |+\n  x\n\n\nb: 2\n", "k: new\nb: 2\n"),
        ("k: >-\n  x\n  y\nb: 2\n", "k: new\nb: 2\n"),
        ("k: |\nb: 2\n", "k: new\nb: 2\n"),
        ("k: |  # c\n\n# d\nb: 2\n", "k: new # c\n\n# d\nb: 2\n"),
        ("b: 2\nk: >-", "b: 2\nk: new\n"),
        ("k:\n- x\n-\n# c\nb: 2\n", "k: new\n# c\nb: 2\n"),
        ("k: # c\n  - x:\n  # d\nb: 2\n", "k: new # c\n  # d\nb: 2\n"),
        ("k: {x: 1,\n  y: 2}\nb: 2\n", "k: new\nb: 2\n"),
        ("k: &anchor\nb: 2\n", "k: new\nb: 2\n"),
        ("k: !!str x # c\nb: 2\n", "k: new # c\nb: 2\n"),
        ("b: &a 2\nk: *a # c\n", "b: &a 2\nk: new # c\n"),
        ("  k: x\n  b: 2\n", "  k: new\n  b: 2\n"),
        ("\"k\" : x\nb: 2\n", "\"k\": new\nb: 2\n"),
        ("%YAML 1.1\n---\nk: x\n...\n", "%YAML 1.1\n---\nk: new\n...\n"),
        ("b: 2\r\nk: x # c\r\n", "b: 2\r\nk: new # c\r\n"),
        ("\u{feff}k: x\nb: 2", "\u{feff}k: new\nb: 2\n"),
        ("k: x", "k: new\n"),
        ("k: 1\nb: 2\nk: 3\n", "k: 1\nb: 2\nk: new\n"),
        ("- &x", ""),
        ("<<: &m {k: 1}\nb: 2\n", "<<: &m {k: 1}\nb: 2\nk: new\n"),
    ] {
        if after.is_empty() {
            assert!(edit(before, &fields(json!({"k": "new"}))).is_err(), "{before}");
            continue;
        }
        assert_eq!(edited(before, json!({"k": "new"})), after, "{before}");
    }
}

#[test]
fn a_key_is_removed_with_its_lines_alone() {
    for (before, after) in [
        ("a: 1\nk: x\nb: 2\n", "a: 1\nb: 2\n"),
        ("a: 1\n\n# about k\nk:\n  - x\n\nb: 2\n", "a: 1\n\n# about k\n\nb: 2\n"),
        ("a: 1\n\nk:\n  - x\n\nb: 2\n", "a: 1\n\nb: 2\n"),
        ("k: 1\n\nb: 2\n", "b: 2\n"),
        ("a: |+\n  x\n\nk: 1\n\n\nb: 2\n", "a: |+\n  x\n\nb: 2\n"),
        ("k: 1\na: 2\nk: 3\n", "a: 2\n"),
        ("k: 1", ""),
        ("b: 1\r\nk: 1\r\n", "b: 1\r\n"),
        ("<<: &m {k: 1}\nk: 2\n", "<<: &m {k: 1}\nk: null\n"),
        ("<<: &m {k: 1}\n", "<<: &m {k: 1}\nk: null\n"),
        ("b: 1\n", "b: 1\n"),
    ] {
        assert_eq!(edited(before, json!({"k": null})), after, "{before}");
    }
}

#[test]
fn new_keys_come_last_and_inside_the_document() {
    for (before, after) in [
        ("", "k: new\n"),
        ("# only a comment", "# only a comment\nk: new\n"),
        ("---\n", "---\nk: new\n"),
        ("a: 1\n# end\n", "a: 1\n# end\nk: new\n"),
        ("a: 1\n---\n", "a: 1\nk: new\n---\n"),
        ("a: 1\n...\n# c\n", "a: 1\nk: new\n...\n# c\n"),
        ("a: |\n  x", "a: |\n  x\nk: new\n"),
        ("a: |+\n  x\n\n", "a: |+\n  x\n\nk: new\n"),
        ("a:\n- x\n", "a:\n- x\nk: new\n"),
    ] {
        assert_eq!(edited(before, json!({"k": "new"})), after, "{before}");
    }
}

#[test]
fn values_are_written_as_a_person_would() {
    let text = create(&fields(json!({
        "flags": ["flag{x}", {"type": "static", "content": "a: b", "data": "case_insensitive"}],
        "extra": {"values": [100, 50]}, "zeta": [[1, "a"], [], {}], "name": "Otter's & co",
        "description": "One\n\n  two #\n", "value": 100, "hints": ["a\nb", "c\n\n"], "no": null,
        "author": "yes", "id": "007", "state": "", "release": "2026-11-25T14:00:00+01:00",
    })))
    .unwrap();
    let expected = [
        "name: Otter's & co",
        "id: '007'",
        "author: 'yes'",
        "value: 100",
        "extra:\n  values: [100, 50]",
        "description: |\n  One\n\n    two #",
        "hints:\n  - |-\n    a\n    b\n  - |+\n    c\n",
        "flags:\n  - flag{x}\n  - type: static\n    content: 'a: b'\n    data: case_insensitive",
        "state: ''",
        "release: '2026-11-25T14:00:00+01:00'",
        "zeta:\n  - - 1\n    - a\n  - []\n  - {}\n",
    ];
    let expected = expected.join("\n");
    assert_eq!(text, expected);
}

#[test]
fn what_cannot_be_edited_is_refused_with_the_reason() {
    let deep = (0..20).fold(json!(1), |value, _| json!([value]));
    for (text, change, expected) in [
        ("{\"k\": 1}\n", json!({"k": 2}), "JSON-style braces"),
        ("- a\n", json!({"k": 2}), "must be a YAML mapping"),
        ("a word\n", json!({"k": 2}), "must be a YAML mapping"),
        ("k: 1\n---\nb: 2\n", json!({"k": 2}), "line 3: the file contains several YAML documents"),
        ("k: [\n", json!({"k": 2}), "line 1: invalid YAML"),
        ("k:\n\t- a\n", json!({"k": 2}), "indent with spaces"),
        ("? k\n: 1\n", json!({"k": 2}), "line 1: the key `k` cannot be edited"),
        ("&x k: 1\n", json!({"k": 2}), "line 1: the key `k` cannot be edited"),
        ("k: &x 1\nb: *x\n", json!({"k": 2}), "would also change another key"),
        ("k: &x 1\nb: *x\n", json!({"k": null}), "would also change another key"),
        ("a: &x 1\nk: &x 2\nb: *x\n", json!({"k": null}), "would also change `b`"),
        ("k: 1\n", json!({"<<": 2}), "`<<` is not a key"),
        ("k: 1\n", json!({"": 2}), "is not a key"),
        ("k: 1\n", json!({"k": deep}), "too large"),
        ("k: 1\n", json!({"k": "x".repeat(1 << 20)}), "too large"),
    ] {
        let error = edit(text, &fields(change)).expect_err(text).to_string();
        assert!(error.contains(expected), "{text} gave {error}");
    }
    let laughs = (1..60).fold("k: 1\na0: &a0 [x]\n".to_owned(), |text, i| {
        let below = i - 1;
        text + &format!("a{i}: &a{i} [*a{below}, *a{below}, *a{below}]\n")
    });
    let error = edit(&laughs, &fields(json!({"k": 2}))).expect_err("too much to compare");
    assert!(matches!(error, EditError::Other(_)), "{error}");
}

/// A value in one of the styles that authors use, after the key.
fn written() -> impl Strategy<Value = String> {
    let fixed = [
        " 1",
        " word",
        " 'a b'",
        " \"a\\tb\"",
        "",
        " ~",
        " [a, b]",
        " {a: 1, b: [2]}",
        "\n  - a\n  - b: 1\n    c: 2",
        "\n- a\n-",
        "\n  a: 1\n  b:\n    - 2",
        " |\n  a\n\n    b",
        " |-\n  # no comment\n  b\n\n",
        " >\n  a\n  b\n",
        " |+\n  a\n\n\n",
        " 'a\n  b'",
        "\n  a\n  b",
        " [a,\n  # inside\n  b]",
        " !!str 5",
        " é🚩",
    ];
    proptest::sample::select(fixed.map(str::to_owned).to_vec())
}

fn value() -> impl Strategy<Value = Value> {
    const ODD: &str = "[a-c \n\r:#'\"|>\\-]{0,12}";
    let text = prop_oneof!["[ -~]{0,12}", ODD, "\\PC{0,6}", any::<String>()];
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[a-z #:]{1,5}", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Pieces from which random combinations resemble a descriptor.
const PIECES: [&str; 40] = [
    "name: ", "k: ", "flags:", "k:", "\"k\": ", "'k' : ", "? k\n: ", "<<: ", "&a ", "*a", "!!str ",
    "- ", "\n", "\n", "\n", "\n\n", "\r\n", "\r", "\t", " ", "  ", "    ", "|", "|+", "|2-", ">",
    "[", "]", "{", "}", ", ", "# c", " # d\n", "---\n", "...\n", "\"", "'", "x", "1", "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn entries_that_are_not_edited_keep_every_byte(
        entries in vec((written(), "(\n|# c: '\n|\n# d\n\n)?"), 1..8),
        changed in vec((0usize..10, proptest::option::of(value())), 0..5),
        windows in any::<bool>(),
    ) {
        let chunks: Vec<String> = entries.iter().enumerate()
            .map(|(i, (written, between))| format!("{between}key{i}:{written}\n"))
            .map(|chunk| if windows { chunk.replace('\n', "\r\n") } else { chunk })
            .collect();
        let mut changes = Map::new();
        for (i, value) in changed {
            changes.insert(format!("key{i}"), value.unwrap_or(Value::Null));
        }
        let edited = edit(&chunks.concat(), &changes)
            .map_err(|error| TestCaseError::fail(format!("{error}: {:?}", chunks.concat())))?;
        let mut rest = &*edited;
        for (i, chunk) in chunks.iter().enumerate() {
            if !changes.contains_key(&format!("key{i}")) {
                let at = rest.find(chunk.trim_matches(['\r', '\n']));
                prop_assert!(at.is_some(), "{chunk:?} is not in {edited:?}");
                rest = &rest[at.unwrap()..];
            }
        }
        prop_assert_eq!(edit(&edited, &changes).unwrap(), edited);
    }

    #[test]
    fn any_text_is_edited_or_refused(
        pieces in vec(proptest::sample::select(&PIECES[..]), 0..40),
        change in proptest::option::of(value()),
    ) {
        let text = pieces.concat();
        for key in ["k", "name", "flags"] {
            let changes = fields(json!({key: change.clone().unwrap_or(Value::Null)}));
            if let Ok(edited) = edit(&text, &changes) {
                prop_assert_eq!(edit(&edited, &changes), Ok(edited.clone()), "{:?}", text);
            }
        }
    }

    #[test]
    fn every_value_can_be_written_anywhere(a in value(), b in value(), c in value()) {
        let wanted = fields(json!({"one": a, "two": b, "three": c}));
        let text = create(&wanted).unwrap();
        let again = edit(&text, &fields(json!({"two": c, "one": b}))).unwrap();
        prop_assert_eq!(edit(&again, &wanted).unwrap_err_or_text(), text);
    }
}

/// Makes assertions show the rejection.
trait Shown {
    fn unwrap_err_or_text(self) -> String;
}

impl Shown for Result<String, EditError> {
    fn unwrap_err_or_text(self) -> String {
        self.unwrap_or_else(|error| error.to_string())
    }
}

#[test]
fn every_key_of_every_real_challenge_can_be_edited() {
    let Some(folder) = shared_data("challenges") else { return };
    let mut texts = Vec::new();
    collect(&folder, &mut texts);
    let mut edits = 0;
    for text in &texts {
        for key in ["name", "flags", "description", "extra", "new"] {
            for value in
                [json!("A: b"), json!("a\nb\n\n"), json!(5), json!(["x", {"y": 1}]), json!(null)]
            {
                match edit(text, &fields(json!({key: value}))) {
                    Ok(_) => edits += 1,
                    Err(EditError::Unreadable { .. } | EditError::Documents { .. }) => {}
                    Err(error) => panic!("{error}\n{text}"),
                }
            }
        }
    }
    assert!(texts.len() >= 200 && edits > 20 * texts.len(), "{} texts, {edits}", texts.len());
}

fn collect(folder: &std::path::Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            collect(&path, texts);
        } else if name == "challenge.yml" || name == "challenge.yaml" {
            texts.extend(std::fs::read_to_string(&path));
        }
    }
}
