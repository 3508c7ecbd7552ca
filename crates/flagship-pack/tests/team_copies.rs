//! Files of which each team has a copy, and placeholders in texts.
#![allow(clippy::unwrap_used)]

mod folder;

use folder::{Folder, expect, only};

const AT: &str = "challenges/one/challenge.yml:";
const TEXT: &str = "The flag is {{team_flag}}.";

/// A challenge with a per-team flag, followed by the lines `more`, which start at line 6.
fn team(more: &str) -> String {
    let flags = "[{type: team, content: 'flag{[TEAM]}'}]";
    format!("name: One\ncategory: web\ntype: standard\nvalue: 100\nflags: {flags}\n{more}\n")
}

/// A challenge with the same flag for all teams.
fn shared(more: &str) -> String {
    format!("name: One\ncategory: web\ntype: standard\nvalue: 100\nflags: ['flag{{x}}']\n{more}\n")
}

/// Asserts the problems in line 6 of a challenge with the file `a`, as severity and part of the
/// message.
fn reports(challenge: &str, file: &[u8], expected: &[(&str, &str)]) {
    let folder = Folder::with(challenge);
    folder.write("challenges/one/a", file);
    let starts: Vec<String> = expected.iter().map(|(kind, _)| format!("{AT}6: {kind}: ")).collect();
    let pieces = expected.iter().map(|(_, piece)| *piece);
    let expected: Vec<_> = starts.iter().map(String::as_str).zip(pieces).collect();
    expect(&folder.problems(), &expected, challenge);
}

#[test]
fn a_file_with_copies_is_marked() {
    let folder = Folder::with(team("files: [{path: a, per_team: true}, {path: b}, c]"));
    for name in ["a", "b", "c"] {
        let text = if name == "a" { TEXT } else { "no placeholder" };
        folder.write(&format!("challenges/one/{name}"), text);
    }
    let pack = folder.read();
    assert!(folder.problems().is_empty(), "{:?}", folder.problems());
    let attachments = &only(&pack).challenge.attachments;
    let marks: Vec<_> = attachments.iter().map(|it| (it.name.as_str(), it.per_team)).collect();
    assert_eq!(marks, [("a", true), ("b", false), ("c", false)]);
}

#[test]
fn a_file_without_copies_or_without_a_placeholder_is_a_warning() {
    let own = "files: [{path: a, per_team: true}]";
    reports(&team(own), TEXT.as_bytes(), &[]);
    reports(&team(own), b"nothing", &[("warning", "contains no `{{team_flag}}`")]);
    let words = "contains `{{team_flag}}`, which is not filled in";
    reports(&team("files: [a]"), TEXT.as_bytes(), &[("warning", words)]);
    reports(&shared("files: [{path: a, per_team: false}]"), TEXT.as_bytes(), &[("warning", words)]);
}

#[test]
fn a_file_that_cannot_have_copies_is_an_error() {
    let own = "files: [{path: a, per_team: true}]";
    let binary = [b"\0", TEXT.as_bytes()].concat();
    reports(&team(own), &binary, &[("error", "is not UTF-8 text without NUL")]);
    let broken = b"PK\x03\x04 this is not an archive";
    reports(&team(own), broken, &[("error", "the archive cannot be read")]);
    reports(
        &shared(own),
        TEXT.as_bytes(),
        &[
            ("error", "`per_team` requires a flag with `type: team`"),
            ("warning", "which is not filled in"),
        ],
    );
    let unclear = "files: [{path: a, per_team: maybe}]";
    reports(&team(unclear), b"x", &[("error", "`per_team` must be `true` or `false`")]);
    let misspelled = "files: [{path: a, perteam: true}]";
    reports(&team(misspelled), b"x", &[("error", "did you mean `per_team`?")]);
}

#[test]
fn a_pass_is_filled_in_and_other_templates_are_not() {
    let link = "https://x.example/?pass={{team_pass}}";
    let folder = Folder::with(team(&format!(
        "description: 'See [x]({link}).'\nconnection_info: 'nc x 1 {{{{team_pass}}}}'"
    )));
    assert!(folder.problems().is_empty(), "{:?}", folder.problems());
    let pack = folder.read();
    let challenge = &only(&pack).challenge;
    assert!(challenge.description.contains(&format!("href=\"{link}\"")), "{challenge:?}");
    assert_eq!(challenge.connection.as_deref(), Some("nc x 1 {{team_pass}}"));
    let words = "`{{team_flag}}`, which is filled in only in files";
    reports(&team("description: 'It is {{team_flag}}.'"), b"", &[("warning", words)]);
    reports(&team("hints: ['{{team_pass}}']"), b"", &[("warning", "an unfilled template")]);
}
