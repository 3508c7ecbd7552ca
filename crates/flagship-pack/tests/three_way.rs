//! Changes in the folder and live edits are distinguished by their values.
#![allow(clippy::unwrap_used)]

use flagship_pack::source::{Conflict, State, three_way};

fn keys(keys: &[&str]) -> Vec<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

const BASE: &str = "name: A\nvalue: 1\nflags: ['flag{secret}'] # c\n";

#[test]
fn each_side_is_told_with_the_keys_that_differ() {
    let commented = "# new\nflags:\n- flag{secret}\nvalue: '1'\nname: \"A\"\nstate:\n";
    let value = "name: A\nvalue: 2\nflags: ['flag{secret}']\n";
    let flags = "name: A\nvalue: 1\nflags: [other]\n";
    let more = "name: A\nvalue: 3\nflags: ['flag{secret}']\nauthor: me\n";
    let three = "name: A\nvalue: 3\nflags: ['flag{secret}']\n";
    let torn = "name: [\n";
    let conflict = |files: &[&str], live: &[&str], both: &[&str]| {
        State::Conflict(Conflict { files: keys(files), live: keys(live), both: keys(both) })
    };
    let all = ["flags", "name", "value"];
    let whole = ["(the whole file)"];
    for (base, files, live, expected) in [
        (Some(BASE), Some(BASE), Some(commented), State::Same),
        (Some(BASE), Some(commented), Some(BASE), State::Same),
        (None, None, None, State::Same),
        (Some(BASE), Some(value), Some(BASE), State::FilesChanged(keys(&["value"]))),
        (Some(BASE), Some(commented), Some(flags), State::LiveChanged(keys(&["flags"]))),
        (Some(BASE), Some(flags), Some(flags), State::BothSame(keys(&["flags"]))),
        (Some(BASE), Some(value), Some(flags), conflict(&["value"], &["flags"], &[])),
        (
            Some(BASE),
            Some(value),
            Some(more),
            conflict(&["value"], &["author", "value"], &["value"]),
        ),
        (
            Some(BASE),
            Some(more),
            Some(value),
            conflict(&["author", "value"], &["value"], &["value"]),
        ),
        (Some(BASE), Some(more), Some(three), State::Merged(keys(&["author"]))),
        (Some(BASE), Some(flags), Some(three), conflict(&["flags"], &["value"], &[])),
        (None, Some(BASE), None, State::FilesChanged(keys(&all))),
        (None, None, Some(BASE), State::LiveChanged(keys(&all))),
        (None, Some(BASE), Some(commented), State::BothSame(keys(&all))),
        (Some(BASE), None, Some(BASE), State::FilesChanged(keys(&all))),
        (Some(BASE), None, None, State::BothSame(keys(&all))),
        (Some(BASE), None, Some(value), conflict(&all, &["value"], &["value"])),
        (Some(BASE), Some(torn), Some(BASE), State::FilesChanged(keys(&whole))),
        (Some(BASE), Some(torn), Some(flags), conflict(&whole, &["flags"], &["flags"])),
        (Some(torn), Some(torn), Some(torn), State::Same),
        (Some("\u{feff}a: 1\r\n"), Some("a: 1\n"), Some("a: 1"), State::Same),
    ] {
        let given = three_way(base, files, live);
        assert_eq!(given, expected, "{base:?} {files:?} {live:?}");
        assert!(!format!("{given:?}").contains("secret"));
    }
}

#[test]
fn what_is_too_large_to_compare_counts_as_different() {
    let laughs = (1..60).fold("a0: &a0 [x]\n".to_owned(), |text, i| {
        let below = i - 1;
        text + &format!("a{i}: &a{i} [*a{below}, *a{below}, *a{below}]\n")
    });
    assert_eq!(three_way(Some(&laughs), Some(&laughs), Some(&laughs)), State::Same);
    let commented = format!("{laughs}# c\n");
    let given = three_way(Some(&laughs), Some(&laughs), Some(&commented));
    assert!(matches!(given, State::LiveChanged(_)), "{given:?}");
}
