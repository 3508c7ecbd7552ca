//! `challenge.yml`: the ctfcli format with its special cases, and the problems reported.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_game::{Hint, Scoring};
use flagship_pack::{Flag, PackChallenge};
use folder::{Folder, expect, only, shown};

const AT: &str = "challenges/one/challenge.yml:";

/// A challenge without problems, followed by the lines `more`, which start at line 6.
fn base(more: &str) -> String {
    format!("name: One\ncategory: web\ntype: standard\nvalue: 100\nflags: ['flag{{x}}']\n{more}\n")
}

fn loaded(text: impl AsRef<[u8]>) -> PackChallenge {
    only(&Folder::with(text).read()).clone()
}

/// Asserts the problems of a file, as line, severity and part of the message, and whether the
/// challenge is loaded.
fn reports(text: &str, expected: &[(usize, &str, &str)], is_loaded: bool) {
    let pack = Folder::with(text).read();
    let starts: Vec<_> =
        expected.iter().map(|(line, kind, _)| format!("{AT}{line}: {kind}: ")).collect();
    let pieces = expected.iter().map(|(_, _, piece)| *piece);
    let expected: Vec<_> = starts.iter().map(String::as_str).zip(pieces).collect();
    expect(&folder::shown(&pack), &expected, text);
    assert_eq!(pack.challenges.len(), usize::from(is_loaded), "{text}");
}

/// The flags as text: regex flags between slashes, with an `i` if case is ignored.
fn flags(text: &str) -> Vec<String> {
    let write = |flag: &Flag| match flag {
        Flag::Exact { text, case_insensitive: false } => text.expose().to_owned(),
        Flag::Exact { text, case_insensitive: true } => format!("{}:i", text.expose()),
        Flag::Regex { pattern, case_insensitive } => {
            format!("/{}/{}", pattern.expose(), if *case_insensitive { "i" } else { "" })
        }
        Flag::Team(flag) => format!("{flag}:team"),
        Flag::Decoy(text) => format!("{}:decoy", text.expose()),
    };
    loaded(text).flags.iter().map(write).collect()
}

#[test]
fn a_whole_descriptor_is_read() {
    let challenge = loaded(
        "name: ' Warm   up '\nid: warm.up-1\nauthor: someone\ncategory:  Web \n\
         categories: [web, ' Reverse  Engineering ', Web]\n\
         description: |\n  **Hi**\nvalue: 150\ntype: standard\nconnection_info: nc a.example 7\n\
         flags: ['flag{a}']\ntags: [easy]\nstate: hidden\nposition: 3\n\
         release: 2023-11-25T15:00:00+01:00\nversion: \"0.1\"\nimage: null\n",
    );
    let inner = &challenge.challenge;
    assert_eq!((inner.id.as_str(), inner.name.as_str()), ("warm.up-1", "Warm up"));
    assert_eq!(inner.categories, ["Web", "web", "Reverse Engineering"]);
    assert_eq!(inner.scoring, Scoring::Static { max: 150 });
    let html = "<p><strong>Hi</strong></p><p><code>nc a.example 7</code></p>";
    assert_eq!(inner.description, html);
    assert_eq!(inner.connection.as_deref(), Some("nc a.example 7"));
    assert_eq!(inner.position, Some(3));
    assert!(challenge.hidden);
    assert_eq!(challenge.release_at_ms, Some(1_700_920_800_000));
    assert_eq!(challenge.source.path, "challenges/one/challenge.yml");
}

#[test]
fn bytes_that_editors_leave_change_nothing() {
    let plain = base("description: |\n  one\n  two");
    let expected = loaded(&plain).challenge;
    for odd in [
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        format!("---\n{plain}...\n"),
        format!("---\n{plain}---\n"),
        format!("%YAML 1.1\n---\n{plain}"),
        plain.replace("value: 100", "value:\t100"),
        plain.replace("value: 100", "value: '100'"),
        plain.replace("web", "\"web\" # the first\t"),
        format!("{plain}files: null\nhints:\ntags: []\nconnection_info: ~\n"),
    ] {
        let pack = Folder::with(&odd).read();
        assert_eq!(only(&pack).challenge, expected, "{odd}");
        assert_eq!(pack.problems, [], "{odd}");
    }
}

#[test]
fn integers_are_accepted_as_text() {
    let text = "name: 1337\ncategory: 7\ntype: standard\nvalue: 5\ndescription: 42\n\
                flags: [0x41, 1.10, 007, true]\n";
    let inner = loaded(text).challenge;
    assert_eq!((inner.name.as_str(), inner.id.as_str()), ("1337", "1337"));
    assert_eq!(inner.categories, ["7"]);
    assert_eq!(inner.description, "<p>42</p>");
    assert_eq!(flags(text), ["0x41", "1.10", "007", "true"]);
}

#[test]
fn anchors_aliases_and_merge_keys_are_followed() {
    let text = "name: A\ncategory: &c pwn\ntags: [*c]\ntype: dynamic\n\
                x-base: &base {initial: 300, minimum: 30}\nextra:\n  <<: *base\n  minimum: 60\n\
                flags: &f [a]\n";
    assert_eq!(loaded(text).challenge.scoring, Scoring::Dynamic { max: 300, min: 60, decay: 15 });
}

#[test]
fn each_type_has_its_scoring() {
    let dynamic = |max, min, decay| Scoring::Dynamic { max, min, decay };
    for (lines, expected) in [
        ("type: standard\nvalue: 10", Scoring::Static { max: 10 }),
        ("type: static\nvalue: 0", Scoring::Static { max: 0 }),
        ("type: Standard\nvalue: null", Scoring::Static { max: 500 }),
        ("value: 20", Scoring::Static { max: 20 }),
        ("type: dynamic", dynamic(500, 50, 15)),
        (
            "type: dynamic\nvalue: 0\nextra: {initial: 400, decay: 9, minimum: 40}",
            dynamic(400, 40, 15),
        ),
        ("type: dynamic\nvalue: 300", dynamic(300, 50, 15)),
        ("type: dynamic\nvalue: 20", dynamic(20, 20, 15)),
        ("type: dynamic\nscoring: {decay: 10}", dynamic(500, 50, 10)),
        (
            "type: speedrun\nextra: {values: [300, 200, '100', 0]}",
            Scoring::Speedrun { values: vec![300, 200, 100, 0] },
        ),
    ] {
        let text = format!("name: A\ncategory: c\nflags: [f]\n{lines}\n");
        assert_eq!(loaded(&text).challenge.scoring, expected, "{lines}");
    }
}

#[test]
fn scoring_that_cannot_be_used_leaves_the_challenge_out() {
    for (lines, line, piece) in [
        ("type: container", 4, "unknown type `container`"),
        ("type: container\nvalue: many", 5, "`value` must be a whole number"),
        ("type: dynamc\nvalue: 1", 4, "unknown type `dynamc`; did you mean `dynamic`?"),
        ("type: statics\nextra: {initial: 5}", 4, "did you mean `static`?"),
        ("type: standard\nvalue: many", 5, "`value` must be a whole number, not `many`"),
        ("type: standard\nvalue: {{ points }}", 5, "a whole number, not a mapping"),
        ("type: standard\nvalue: -5", 5, "between 0 and"),
        ("type: standard\nvalue: 99999999999999999999", 5, "a whole number"),
        ("type: dynamic\nextra: {initial: 10, minimum: 20}", 5, "at most `initial`"),
        ("type: dynamic\nextra: 500", 5, "must be a mapping"),
        ("type: dynamic\nextra:\n  initial: x", 6, "`initial` must be a whole number"),
        ("type: dynamic\nscoring: {decay: 0}", 5, "`decay` must be between 1"),
        (
            "type: dynamic\nscoring:\n  deacy: 3",
            6,
            "unknown key `deacy` in `scoring`; did you mean `decay`?",
        ),
        ("type: speedrun\nvalue: 3", 1, "a speedrun requires points"),
        ("type: speedrun\nextra:\n  values: []", 6, "a speedrun requires points"),
        ("type: speedrun\nextra:\n  values: [3, x]", 6, "whole numbers from 0"),
    ] {
        let text = format!("name: A\ncategory: c\nflags: [f]\n{lines}\n");
        reports(&text, &[(line, "error", piece)], false);
    }
}

#[test]
fn types_of_other_platforms_are_mapped_by_their_keys() {
    let dynamic = Scoring::Dynamic { max: 400, min: 40, decay: 15 };
    for (lines, expected, piece) in [
        (
            "type: container\nvalue: 70",
            Scoring::Static { max: 70 },
            "`standard` because of its `value`",
        ),
        (
            "type: KubeCTF\nvalue: 1\nextra: {initial: 400, minimum: 40}",
            dynamic,
            "`dynamic` because",
        ),
        (
            "type: docker\nvalue: 70\nextra: {image: x}",
            Scoring::Static { max: 70 },
            "`standard` because of its `value`",
        ),
        (
            "type: docker\nextra: {image: x}",
            Scoring::Dynamic { max: 500, min: 50, decay: 15 },
            "using `dynamic`",
        ),
    ] {
        let text = format!("name: A\ncategory: c\nflags: [f]\n{lines}\n");
        reports(&text, &[(4, "warning", "belongs to another platform: using")], true);
        let pack = Folder::with(&text).read();
        assert!(pack.problems[0].message.contains(piece), "{:?}", pack.problems);
        assert_eq!(only(&pack).challenge.scoring, expected, "{lines}");
    }
}

#[test]
fn the_key_flag_instead_of_flags_is_reported() {
    let piece = "use `flags: [...]` instead of `flag`";
    for lines in ["flag: f", "description: d\nflag: f", "flags:\nflag: f"] {
        let text = format!("name: A\ncategory: c\ntype: standard\nvalue: 1\n{lines}\n");
        reports(&text, &[(lines.lines().count() + 4, "error", piece)], false);
    }
    let both = "flag: f\n";
    reports(&base(both), &[(6, "warning", "did you mean `flags`?")], true);
}

#[test]
fn a_misspelled_key_of_flags_is_an_error_if_there_are_no_others() {
    for (lines, kind, piece) in [
        ("flagz: [f]", "error", "use `flags: [...]` instead of `flagz`"),
        ("Flags: [f]", "error", "use `flags: [...]` instead of `Flags`"),
        ("flgs: [f]\nflags: []", "error", "use `flags: [...]` instead of `flgs`"),
        ("flagz: [f]\nflags: [f]", "warning", "did you mean `flags`?"),
    ] {
        let text = format!("name: A\ncategory: c\ntype: standard\nvalue: 1\n{lines}\n");
        reports(&text, &[(5, kind, piece)], kind != "error");
    }
}

#[test]
fn unused_keys_of_the_scoring_are_reported() {
    for (lines, expected) in [
        (
            "extra:\n  inital: 400\n  minimun: 100",
            &[
                (6, "warning", "unknown key `inital` in `extra`; did you mean `initial`?"),
                (7, "warning", "unknown key `minimun` in `extra`; did you mean `minimum`?"),
            ][..],
        ),
        ("extra: {initial: 400, colour: 7}", &[(5, "note", "`colour` in `extra` is ignored")]),
        ("extra: {initial: 400}\nvalue: 300", &[(6, "note", "`value` is ignored")]),
        ("extra: {initial: 400}\nvalue: 400", &[]),
        ("value: 0", &[(5, "note", "`value` is ignored")]),
        ("value: 300", &[]),
        ("initial: 400", &[(5, "note", "it belongs in `extra: {initial: ...}`")]),
        ("minimum: 40", &[(5, "note", "it belongs in `extra: {minimum: ...}`")]),
        ("decay: 5", &[(5, "note", "it belongs in `scoring: {decay: ...}`")]),
    ] {
        let text = format!("name: A\ncategory: c\nflags: [f]\ntype: dynamic\n{lines}\n");
        reports(&text, expected, true);
    }
    let head = "name: A\ncategory: c\nflags: [f]\ntype:";
    let text = format!("{head} speedrun\nextra: {{values: [1], vales: [2]}}\n");
    reports(&text, &[(5, "warning", "did you mean `values`?")], true);
    let text = format!("{head} container\nextra: {{initail: 5, image: x}}\n");
    let piece = "did you mean `initial`?";
    reports(&text, &[(4, "warning", "another platform"), (5, "warning", piece)], true);
}

#[test]
fn hints_are_read_with_cost_title_and_requirements() {
    let text = base(
        "hints:\n  - look **up**\n  - {content: pay, cost: 50, key: paid, title: '  A  tool '}\n  \
         - cost: 0\n    content: <script>x</script>later\n    at: 2023-11-25T16:00:00+01:00\n  \
         - {content: last, id: z.1, requirements: [paid, 1]}\n  \
         - {content: CTFd, key: z.2, requirements: {prerequisites: paid}}\n  - {content: ''}",
    );
    let pack = Folder::with(&text).read();
    let warnings = shown(&pack);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains(":14: warning: the hint `6` is empty"), "{warnings:?}");
    let hint = |id: &str, html: &str, at_ms| Hint {
        id: id.into(),
        html: Some(html.into()),
        at_ms,
        ..Hint::default()
    };
    let title = Some("A tool".to_owned());
    let expected = [
        hint("1", "<p>look <strong>up</strong></p>", None),
        Hint { cost: 50, title, ..hint("paid", "<p>pay</p>", None) },
        hint("3", "later", Some(1_700_924_400_000)),
        Hint { requirements: vec!["paid".into(), "1".into()], ..hint("z.1", "<p>last</p>", None) },
        Hint { requirements: vec!["paid".into()], ..hint("z.2", "<p>CTFd</p>", None) },
    ];
    assert_eq!(only(&pack).challenge.hints, expected);
    assert_eq!(loaded(base("hints: one")).challenge.hints, [hint("1", "<p>one</p>", None)]);
    for nothing in ["hints:", "hints: []", "hints: [~]"] {
        assert!(loaded(base(nothing)).challenge.hints.is_empty(), "{nothing}");
    }
}

#[test]
fn wrong_hints_are_reported() {
    let long = format!("hints: [{}]", "x, ".repeat(33));
    for (more, expected) in [
        ("hints: [[a]]", (6, "error", "a hint must be a string or a mapping")),
        ("hints: [a, {content: b, id: '1'}]", (6, "error", "duplicate hint key `1`")),
        ("hints: [{content: b, id: a b}]", (6, "error", "invalid hint key `a b`")),
        (
            "hints: [{content: b, id: c, key: d}]",
            (6, "error", "another name of `key`, so remove one"),
        ),
        ("hints: [{content: b, cost: -1}]", (6, "error", "must cost 0 to 1000000 points, not -1")),
        ("hints: [{content: b, cost: 1000001}]", (6, "error", "must cost 0 to 1000000 points")),
        ("hints: [{content: b, title: 'flag{x}'}]", (6, "warning", "contains a flag")),
        (
            "hints: [{content: b, key: tool}, {content: c, requirements: [tol]}]",
            (6, "error", "did you mean `tool`?"),
        ),
        ("hints: [{content: b, requirements: [1]}]", (6, "error", "form a circle")),
        (
            "hints: [{content: b, requirements: {anything: [1]}}]",
            (6, "error", "unknown key `anything` in a hint's `requirements`"),
        ),
        ("hints: [{content: b, requirement: [1]}]", (6, "warning", "did you mean `requirements`?")),
        ("hints: [{content: b, at: soon}]", (6, "error", "`at` is not a valid time")),
        ("hints: [{content: b, cost: much}]", (6, "error", "`cost` must be a whole number")),
        ("hints: [{contents: b, content: c}]", (6, "warning", "did you mean `content`?")),
        (
            "hints: [{content: c, release: soon}]",
            (6, "error", "would be shown immediately; set its"),
        ),
        ("hints: [{content: c, releaseAt: x}]", (6, "error", "unknown hint key `releaseAt`")),
        ("hints: [{content: c, show_at: x}]", (6, "error", "unknown hint key `show_at`")),
        ("hints: [{content: c, x: 2026-11-25T14:00:00Z}]", (6, "error", "unknown hint key `x`")),
        ("hints: [{content: c, x: '2026-11-25 14:00'}]", (6, "error", "unknown hint key `x`")),
        ("extra: {release: 2026-11-25}", (6, "error", "unknown key `release` in `extra`")),
        ("hints: [{content: c, colour: b}]", (6, "note", "the hint key `colour` is ignored")),
        ("hints: ['say flag{x}']", (6, "warning", "the hint `1` contains a flag")),
        (&long, (6, "error", "at most 32 hints")),
    ] {
        let (line, severity, piece) = expected;
        let problems = Folder::with(base(more)).problems();
        let start = format!("challenges/one/challenge.yml:{line}: {severity}: ");
        let is_told = |it: &String| it.starts_with(&start) && it.contains(piece);
        assert!(problems.iter().any(is_told), "{more} gave {problems:?}");
    }
}

#[test]
fn unused_keys_of_ctfcli_get_a_note() {
    for (more, line, piece) in [
        ("extra:\n  decay: 9", 0, ""),
        ("favourite_colour: blue", 6, "the key `favourite_colour` is ignored"),
    ] {
        let expected = [(line, "note", piece)];
        reports(&base(more), if line == 0 { &[] } else { &expected }, true);
    }
    let text = "name: A\ncategory: c\nflags: [f]\ntype: dynamic\nextra:\n  decay: 9\n  function: x";
    let piece = "points fall differently than on CTFd: 500, 459, 424 ... after 1, 2, 3 solves";
    reports(text, &[(6, "note", piece)], true);
    reports(
        "name: A\nflags: [f]\n",
        &[(1, "note", "no `category`"), (1, "note", "no `type`"), (1, "note", "no `value`")],
        true,
    );
}

#[test]
fn common_mistakes_are_reported() {
    for (more, expected) in [
        ("catgory: x", (6, "warning", "did you mean `category`?")),
        ("value: 200", (6, "warning", "duplicate key `value`, first on line 4")),
        ("state: secret", (6, "error", "`visible` or `hidden`")),
        ("id: a b", (6, "error", "invalid ID `a b`")),
        ("id: ..", (6, "error", "invalid ID `..`")),
        ("id: [a]", (6, "error", "`id` must be a string")),
        ("position: first", (6, "error", "a whole number")),
        ("release: 2023-11-25T15:00:00", (6, "error", "has no UTC offset")),
        ("release: 2023-11-26T15:00:00Z", (1, "warning", "released after the event ends")),
        ("categories: [[a]]", (6, "error", "a list of strings")),
        ("description: {{ text }}", (6, "error", "quotes may be missing")),
        ("description: '![a](https://x.example/a.png)'", (6, "warning", "images from other sites")),
        ("attempts: many", (6, "error", "a whole number")),
        ("attempts: -1", (6, "error", "`attempts` must be at most 100")),
        ("attempts: 101", (6, "error", "`attempts` must be at most 100")),
        ("difficulty: [easy]", (6, "error", "`difficulty` must be a string")),
        ("tags: \"a\\u200bb\"", (6, "error", "a tag contains U+200B")),
        ("requirements: {prerequisite: [x]}", (6, "error", "did you mean `prerequisites`?")),
        ("files: {per_team: true}", (6, "error", "a file requires a `path`")),
        ("files: [[a]]", (6, "error", "a list of paths")),
    ] {
        reports(&base(more), &[expected], expected.1 != "error");
    }
}

#[test]
fn a_name_is_needed_and_bounded() {
    let rest = "category: c\ntype: standard\nvalue: 1\nflags: [f]\n";
    for (name, line, piece) in [
        ("", 1, "requires a `name`"),
        ("name:", 1, "requires a `name`"),
        ("name: '  '", 1, "requires a `name`"),
        ("name: [a]", 1, "`name` must be a string"),
        ("name: '{{ name }}'", 1, "this is an unfilled template"),
        ("name: \"a\\x07b\"", 1, "control characters"),
        (&format!("name: {}", "x".repeat(129)), 1, "longer than 128"),
    ] {
        reports(
            &format!("{name}\n{rest}"),
            &[(line.max(1) + usize::from(name.is_empty()), "error", piece)],
            false,
        );
    }
}

#[test]
fn a_name_has_no_characters_that_nobody_sees() {
    let rest = "category: c\ntype: standard\nvalue: 1\nflags: [f]\n";
    let words = "the look-alike of another name is loaded";
    for (name, code) in [
        ("Pay\u{200b}load", "U+200B"),
        ("Pay\u{202e}daol", "U+202E"),
        ("Pay\u{ad}load", "U+00AD"),
        ("Payload\u{e0041}", "U+E0041"),
        ("Pay\u{200d}load", "U+200D"),
    ] {
        // Put another key first, so that the line number identifies the name.
        let text = format!("{rest}name: \"{name}\"\n");
        assert!(Folder::with(&text).read().challenges.is_empty(), "{words}: {name:?}");
        let piece = format!("`name` contains {code}, which");
        reports(&text, &[(5, "error", piece.as_str())], false);
    }
    for name in ["\u{1f468}\u{200d}\u{1f52c} Lab", "Caffè è pronto", "日本語", "3\u{202f}PM"] {
        let pack = Folder::with(format!("name: \"{name}\"\n{rest}")).read();
        assert_eq!(pack.challenges.len(), 1, "{name:?}: {:?}", pack.problems);
    }
}

#[test]
fn a_category_has_no_characters_that_nobody_sees() {
    let rest = "name: One\ntype: standard\nvalue: 1\nflags: [f]\n";
    let words = "the look-alike of another category is loaded";
    for (category, code) in [
        ("web\u{200b}", "U+200B"),
        ("\u{202e}bew", "U+202E"),
        ("we\u{ad}b", "U+00AD"),
        ("web\u{2066}", "U+2066"),
        ("web\u{3164}", "U+3164"),
    ] {
        let piece = format!("a category contains {code}, which");
        for key in [format!("category: \"{category}\""), format!("categories: [\"{category}\"]")] {
            let text = format!("{rest}{key}\n");
            assert!(Folder::with(&text).read().challenges.is_empty(), "{words}: {category:?}");
            reports(&text, &[(5, "error", piece.as_str())], false);
        }
    }
    for category in ["\u{1f468}\u{200d}\u{1f52c} Lab", "Forense e più", "暗号", "a  b"] {
        let pack = Folder::with(format!("{rest}category: \"{category}\"\n")).read();
        assert_eq!(pack.challenges.len(), 1, "{category:?}: {:?}", pack.problems);
    }
}

#[test]
fn flags_are_texts_or_described() {
    let eight: Vec<_> = (1..=8).map(|n| format!("flag{{{n}}}")).collect();
    for (lines, expected) in [
        ("flags: lone".to_owned(), vec!["lone"]),
        (format!("flags:\n- {}", eight.join("\n- ")), eight.iter().map(String::as_str).collect()),
        ("flags:\n- 'flag{🚩 né}'\n- ' padded '".to_owned(), vec!["flag{🚩 né}", "padded"]),
        ("flags:\n- {type: static, content: a}".to_owned(), vec!["a"]),
        ("flags: [\"\\u200bcafe\\u0301\\u200b\"]".to_owned(), vec!["café"]),
        ("flags:\n- {type: static, content: a, data: case_insensitive}".to_owned(), vec!["a:i"]),
        ("flags:\n- {content: 7, data: ''}".to_owned(), vec!["7"]),
        (
            "flags:\n- {type: regex, content: 'flag\\{[0-9]+\\}'}".to_owned(),
            vec!["/flag\\{[0-9]+\\}/"],
        ),
        ("flags:\n- {type: regex, content: a+, data: case_insensitive}".to_owned(), vec!["/a+/i"]),
        (
            "flags:\n- {type: team, content: 'x{[TEAM]} '}\n- {type: decoy, content: Y}".to_owned(),
            vec!["x{[TEAM]}:team", "Y:decoy"],
        ),
    ] {
        let text = format!("name: A\ncategory: c\ntype: standard\nvalue: 1\n{lines}\n");
        assert_eq!(flags(&text), expected, "{lines}");
    }
}

#[test]
fn a_flag_that_cannot_work_is_an_error_that_does_not_show_it() {
    let long = format!("[{}]", "canary".repeat(50));
    let many = format!("[{}]", "canary, ".repeat(65));
    let team = format!("[{{content: '{}[TEAM]', type: team}}]", "x".repeat(225));
    let code = "0A".repeat(16);
    let of_team = format!(
        "[{{content: '[TEAM]canary', type: team}}, {{content: {code}canary, type: decoy}}]"
    );
    for (flags, line, kind, piece) in [
        ("", 1, "warning", "no flag"),
        ("[]", 5, "warning", "no flag"),
        ("['']", 5, "error", "must not be empty"),
        (&long, 5, "error", "longer than 256"),
        (&many, 5, "error", "at most 64 flags"),
        ("[[canary]]", 5, "error", "must be a string or a mapping"),
        ("[{flag: canary}]", 5, "error", "missing `content`"),
        ("[{content: canary, type: fuzzy}]", 5, "error", "`static`, `regex`, `team` or `decoy`"),
        ("[{content: 'canary{x}', type: team}]", 5, "error", "contain `[TEAM]` exactly once"),
        (
            "[{content: 'canary[TEAM][TEAM]', type: team}]",
            5,
            "error",
            "contain `[TEAM]` exactly once",
        ),
        (
            "[{content: '[TEAM]canary', type: team, data: case_insensitive}]",
            5,
            "warning",
            "per-team flags are case-sensitive",
        ),
        ("[{content: '', type: team}]", 5, "error", "must not be empty"),
        (&team, 5, "error", "longer than 256"),
        ("[{content: canary, type: decoy}]", 5, "warning", "no flag"),
        ("[canary, {content: Canary, type: decoy}]", 5, "error", "also a correct flag"),
        (
            "[{content: CANARY, type: decoy}, {content: canary, data: case_insensitive}]",
            5,
            "error",
            "also a correct flag",
        ),
        (
            "[{content: canary7, type: decoy}, {content: 'CANARY[0-9]', type: regex}]",
            5,
            "error",
            "also a correct flag",
        ),
        (&of_team, 5, "error", "also a correct flag"),
        ("[{content: canary, data: loose}]", 5, "warning", "`data` must be `case_insensitive`"),
        ("[{content: '(?=canary)x', type: regex}]", 5, "error", "look-around and backreferences"),
        ("[{content: '(canary)\\1', type: regex}]", 5, "error", "look-around and backreferences"),
        (
            "[{content: 'flag\\{(?P<s>.)a(?P=s)\\}', type: regex}]",
            5,
            "error",
            "backreferences, such as `\\1` or `(?P=name)`",
        ),
        ("[{content: \"canary[\\nerror: canary\", type: regex}]", 5, "error", "invalid regex"),
        ("[{content: 'canary(', type: regex}]", 5, "error", "invalid regex (unclosed group)"),
        ("[{content: '(canary{999}){999}', type: regex}]", 5, "error", "too large"),
        ("[{content: '(canary)*', type: regex}]", 5, "error", "matches an empty string"),
        ("[{content: 'canary)|(b', type: regex}]", 5, "error", "invalid regex"),
    ] {
        let line_of_flags =
            if flags.is_empty() { String::new() } else { format!("flags: {flags}") };
        let text = format!("name: A\ncategory: c\ntype: standard\nvalue: 1\n{line_of_flags}\n");
        let folder = Folder::with(&text);
        let pack = folder.read();
        let shown = folder::shown(&pack);
        let start = format!("{AT}{line}: {kind}: ");
        let about = shown.iter().find(|problem| problem.starts_with(&start));
        assert!(about.is_some_and(|problem| problem.contains(piece)), "{flags}: {shown:?}");
        assert_eq!(pack.challenges.is_empty(), kind == "error", "{flags}");
        assert!(!shown.concat().contains("canary"), "{shown:?}");
    }
    let pack = Folder::with(base("")).read();
    assert!(!format!("{pack:?}").contains("flag{x}"));
}

#[test]
fn patterns_match_whole_flags_only() {
    let matches = |pattern: &str, insensitive, text: &str| {
        flagship_pack::compile(pattern, insensitive).unwrap().is_match(text)
    };
    assert!(matches("flag\\{.\\}", false, "flag{x}"));
    assert!(!matches("flag\\{.\\}", false, "flag{x} "));
    assert!(!matches("a|b", false, "ab"));
    assert!(matches("FLAG", true, "flag"));
    assert!(!matches("FLAG", false, "flag"));
    assert!(!matches("a$", false, "a\n"));
}

#[test]
fn other_formats_and_syntax_errors_are_reported() {
    for (text, line, piece) in [
        ("\n# none\n", 1, "must be a YAML mapping"),
        ("- a\n- b\n", 1, "must be a YAML mapping"),
        ("just text\n", 1, "must be a YAML mapping"),
        ("name: a\n---\nname: b\n", 3, "several YAML documents"),
        ("\nname: a\nflag: x\ndescription: y\nprovide: []\n", 2, "a rcds challenge file"),
        ("name: a\nflag: x\ndescription: y\n", 1, "uses a `flags` list instead of `flag`"),
        ("name: a\ntype: dynamic\n  value: 3\n", 3, "quote a value that contains `: `"),
        ("name: a\nextra:\n\tinitial: 2\n", 3, "indent with spaces, not tabs"),
        ("name: a\ndescription: \"x\nflags: [f]\n", 2, "missing closing quote"),
        ("name: a\nflags: [*f]\n", 2, "quote a value that starts with `*`"),
        ("name: @a\n", 1, "quote a value that starts with `@`"),
        ("name: a\nflags: [\"\\d\"]\n", 2, "write a backslash as"),
        ("title: a\nchallenge_id: x\nflags: y\n", 1, "a potluck challenge file"),
        ("apiVersion: kctf.dev/v1\nkind: Challenge\n", 1, "a kCTF challenge file"),
        ("name: a\nextra: [1\nvalue: 2\n", 3, "unclosed `[`, `{` or quote, here or above"),
        ("name: a\nextra:\n\tinitial: 2\n", 3, "invalid YAML"),
        ("{% for c in all %}\nname: a\n", 1, "invalid YAML"),
        ("name: &a [*a]\n", 1, "an alias"),
        ("name: a\nflags: [flag{x}]\n", 2, "contains braces or commas inside `[...]`"),
    ] {
        reports(text, &[(line, "error", piece)], false);
    }
    let pack = Folder::with(b"name: a\nvalue: \xff\n").read();
    expect(
        &folder::shown(&pack),
        &[(&format!("{AT}2: error: "), "save the file as UTF-8")],
        "latin",
    );
    let pack = Folder::with(vec![b' '; 1024 * 1024 + 1]).read();
    expect(&folder::shown(&pack), &[(&format!("{AT}1: error: "), "larger than 1 MiB")], "huge");
}

#[test]
fn an_unbroken_challenge_beside_a_broken_one_is_loaded() {
    let folder = Folder::with(base(""));
    folder.write("challenges/two/challenge.yml", "name: [\n");
    let pack = folder.read();
    assert_eq!(only(&pack).challenge.name, "One");
    assert_eq!(pack.errors(), 1);
}
