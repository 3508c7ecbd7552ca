//! Challenges written for other platforms. Every key that affects who can see or solve a challenge
//! works or is reported.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_pack::Severity;
use folder::{EVENT, Folder, expect, only, shown};

const AT: &str = "challenges/one/challenge.yml:";

const BASE: &str = "name: One\ncategory: misc\ndescription: Words.\nvalue: 100\ntype: standard\n";

/// Asserts the problems of a challenge with these lines, starting at line 6, and whether it is
/// loaded.
fn reports(lines: &str, expected: &[(usize, &str, &str)], is_loaded: bool) {
    let pack = Folder::with(format!("{BASE}{lines}\n")).read();
    let starts: Vec<_> =
        expected.iter().map(|(line, kind, _)| format!("{AT}{line}: {kind}: ")).collect();
    let pieces = expected.iter().map(|(.., piece)| *piece);
    let expected: Vec<_> = starts.iter().map(String::as_str).zip(pieces).collect();
    expect(&shown(&pack), &expected, lines);
    assert_eq!(pack.challenges.len(), usize::from(is_loaded), "{lines}");
}

#[test]
fn scheduled_at_is_the_time_of_release() {
    let text = format!("{BASE}flags: [f]\nscheduled_at: \"2023-11-25T15:00:00+00:00\"\n");
    let pack = Folder::with(&text).read();
    assert_eq!(pack.problems, []);
    assert_eq!(only(&pack).release_at_ms, Some(1_700_924_400_000));
    let twice = "flags: [f]\nrelease: 2023-11-25T15:00:00Z\nscheduled_at: 2023-11-25T16:00:00Z";
    reports(twice, &[(8, "error", "are different times")], false);
    reports(
        "flags: [f]\nscheduled_at: 2023-11-25T16:00:00",
        &[(7, "error", "no UTC offset")],
        false,
    );
    reports("flags: [f]\nscheduled_at: null", &[], true);
}

#[test]
fn an_unknown_key_that_looks_like_a_time_is_an_error() {
    for (line, known) in [
        ("release_at: 2023-11-25T15:00:00Z", "use `release` for the time"),
        ("releases: '2023-11-25 15:00'", "use `release` for the time"),
        ("visible_from: 25.11.2023", "use `release` for the time"),
        ("start-time: 15:00", "use `release` for the time"),
        ("opens: 1700924400", "use `release` for the time"),
        ("at: 2023-11-25T15:00:00Z", "use `release` for the time"),
        ("closes_at: 2023-11-25T15:00:00Z", "use `closes` for the time"),
        ("deadline: 2023-11-25", "use `closes` for the time"),
    ] {
        reports(&format!("flags: [f]\n{line}"), &[(7, "error", known)], false);
    }
    for line in ["created: 2023-11-25T15:00:00Z", "open: true", "start: run.sh", "end: null"] {
        let pack = Folder::with(format!("{BASE}flags: [f]\n{line}\n")).read();
        assert_eq!(pack.errors(), 0, "{line}: {:?}", shown(&pack));
    }
    reports("flags: [f]\ndate: 2023-11-25", &[(7, "warning", "looks like a time")], true);
}

#[test]
fn no_challenge_that_asks_for_several_flags_is_solved_by_one() {
    let two = "flags: [left_half, right_half]";
    for (logic, piece) in [
        ("team", "a single flag would solve this challenge"),
        ("each", "`logic` must be `any` or `all`"),
    ] {
        reports(&format!("{two}\nlogic: {logic}"), &[(7, "error", piece)], false);
    }
    reports(&format!("{two}\nlogic: any"), &[], true);
    for (flags, logic, needed) in [
        (two, "all", 2),
        (two, "ALL", 2),
        (two, "any", 0),
        ("flags: [f]", "all", 1),
        ("flags: [f, {type: decoy, content: g}, {type: regex, content: h}]", "all", 2),
    ] {
        let pack = Folder::with(format!("{BASE}{flags}\nlogic: {logic}\n")).read();
        assert_eq!(pack.errors(), 0, "{logic}: {:?}", shown(&pack));
        assert_eq!(pack.challenges[0].challenge.rules.needed_flags.len(), needed, "{flags}");
    }
    reports("flags: [f]\nlogic: team", &[(7, "error", "every team member")], false);
}

/// All keys of the ctfcli specification. Those without a problem work or do not matter to players.
#[test]
fn each_key_of_ctfcli_works_or_is_named() {
    let not_shown = Some((Severity::Note, "`show_authors = true` in [event]"));
    for (line, expected) in [
        ("author: someone", not_shown),
        ("attribution: \"Author: [someone](https://example.org)\"", not_shown),
        ("tags: [easy, first contact]", None),
        ("difficulty: easy", None),
        ("extra: {}", None),
        ("solution: writeup/README.md", None),
        ("image: .", Some((Severity::Note, "Flagship does not start services"))),
        ("image: .\nconnection_info: nc a.example 7", None),
        ("protocol: tcp\nhost: null\nhealthcheck: x.py", None),
        ("connection_info: nc a.example 7", None),
        ("attempts: 5", None),
        ("attempts: 0", None),
        ("logic: any", None),
        ("logic: all", None),
        ("topics: [a]\nmodule: b\nnext: null\nversion: '0.1'", None),
        ("hints: [{content: x, cost: 0}]", None),
        ("hints: [{content: x, cost: 5, key: a}]", None),
        ("hints: [{content: x, cost: 5}]", Some((Severity::Note, "has no `key`"))),
        ("hints: [{content: x, key: a}, {content: y, title: z, requirements: [a]}]", None),
        ("requirements: []", None),
        ("requirements: {prerequisites: [], anonymize: false}", None),
        (
            "requirements: {prerequisites: [], anonymize: true}",
            Some((Severity::Warning, "players can see the names of locked challenges")),
        ),
        ("state: hidden", None),
        ("position: 1", None),
        ("hidden: true", Some((Severity::Warning, "use `state: hidden` to hide"))),
    ] {
        let pack = Folder::with(format!("{BASE}flags: [f]\n{line}\n")).read();
        assert_eq!(pack.challenges.len(), 1, "{line}");
        let found = pack.problems.iter().map(|it| (it.severity, it.message.as_str()));
        let found: Vec<_> = found.collect();
        let is_expected = match (&found[..], expected) {
            ([], None) => true,
            ([(severity, message)], Some((expected, piece))) => {
                *severity == expected && message.contains(piece)
            }
            _ => false,
        };
        assert!(is_expected, "{line}: {found:?}");
    }
    let folder = Folder::new();
    for (place, key) in ["author: a", "attribution: b", "author: c"].iter().enumerate() {
        let text = BASE.replace("One", &place.to_string());
        let path = format!("challenges/{place}/challenge.yml");
        folder.write(&path, format!("{text}flags: [f]\n{key}\n"));
    }
    let lines = folder.read().lines(Severity::Note);
    expect(
        &lines,
        &[("challenges/0/challenge.yml:7: note: 3 challenges: ", "are not shown to players")],
        "one",
    );
}

#[test]
fn labels_are_on_the_card_where_the_event_wants_them() {
    let labels = |lines: &str, event: &str| {
        let folder = Folder::with(format!("{BASE}flags: [f]\n{lines}\n"));
        folder.write("event.toml", format!("{EVENT}{event}"));
        let pack = folder.read();
        assert_eq!(pack.errors(), 0, "{lines}: {:?}", shown(&pack));
        only(&pack).challenge.labels.clone()
    };
    let lines = "author: Ada\nattribution: \"By [Ada](https://a.example)\"\n\
                 tags: [Easy, web, WEB, first  contact]";
    let shown = labels(lines, "show_authors = true\n");
    assert_eq!(shown.difficulty.as_deref(), Some("easy"), "from the tags");
    assert_eq!(shown.tags, ["web", "first contact"]);
    assert_eq!(shown.author.as_deref(), Some("Ada"));
    let html = shown.attribution.unwrap();
    assert!(html.contains("<a href=\"https://a.example\"") && html.contains(">Ada</a>"), "{html}");
    let hidden = labels(lines, "");
    assert_eq!((hidden.author, hidden.attribution), (None, None));
    assert_eq!(hidden.tags, ["web", "first contact"]);
    for (lines, difficulty, tags) in [
        ("difficulty: HARD\ntags: [easy]", Some("hard"), vec!["easy"]),
        ("difficulty: Brutal", Some("Brutal"), vec![]),
        ("tags: [easy, hard]", None, vec!["easy", "hard"]),
        ("tags: []", None, vec![]),
    ] {
        let labels = labels(lines, "");
        assert_eq!(
            (labels.difficulty.as_deref(), labels.tags),
            (difficulty, tags.into_iter().map(str::to_owned).collect()),
            "{lines}"
        );
    }
}

#[test]
fn templates_that_are_not_filled_in_are_named() {
    let text = "name: Placeholders\ncategory: pwn\n\
                description: \"Connect with {{ nc }}, see {{ media/map.png }}.\"\nvalue: 100\n\
                type: standard\nconnection_info: nc ${HOST} ${PORT}\nflags:\n  - ${FLAG}\n";
    let pack = Folder::with(text).read();
    let expected = [
        ("3: warning: ", "`{{ media/map.png }}`"),
        ("3: warning: ", "`{{ nc }}`"),
        ("6: warning: ", "`${HOST}`"),
        ("6: warning: ", "`${PORT}`"),
        ("8: error: ", "this flag is an unfilled template"),
    ];
    let starts = expected.map(|(start, _)| format!("{AT}{start}"));
    let expected: Vec<_> =
        starts.iter().map(String::as_str).zip(expected.map(|(_, piece)| piece)).collect();
    expect(&shown(&pack), &expected, text);
    reports("flags: ['{{ flag }}']", &[(6, "error", "this flag is an unfilled template")], false);
    reports("flags: ['flag{${SECRET}}']", &[(6, "warning", "part of this flag")], true);
    reports("flags: [f]\nhints: ['{{ hint }}']", &[(7, "warning", "the hint `1` contains")], true);
    for code in ["{{7*7}}", "${x + 1}", "$HOME", "{ a }", "{{}}"] {
        let text = BASE.replace("Words.", &format!("'{code}'"));
        let pack = Folder::with(format!("{text}flags: ['flag{{{{x}}}}']\n")).read();
        assert_eq!(pack.problems, [], "{code}");
    }
}

#[test]
fn a_spoiler_stays_closed_and_links_without_a_target_are_named() {
    let text = "name: Spoiler\ncategory: misc\ndescription: |\n  <details open><summary>Spoiler\n  \
                </summary>\n\n  The key is under the **mat**.\n\n  </details>\n\n  \
                [x](dist/file.txt)\nvalue: 100\ntype: standard\nflags: [f]\n\
                hints: ['[y](z.txt)']\n";
    let pack = Folder::with(text).read();
    let html = &only(&pack).challenge.description;
    assert!(html.starts_with("<details><summary>Spoiler\n</summary>\n<p>The key"), "{html}");
    let at = |line: usize| format!("{AT}{line}: warning: ");
    let expected = [
        (&*at(3), "the description has a broken link to `dist/file.txt`"),
        (&*at(15), "the hint `1` has a broken link to `z.txt`"),
    ];
    expect(&shown(&pack), &expected, text);
    let folder = Folder::new();
    folder.write("rules.md", "# Rules\n\nSee [the board](/scoreboard).\n");
    expect(
        &folder.problems(),
        &[("rules.md:3: warning: ", "broken link to `/scoreboard`")],
        "rules",
    );
}

#[test]
fn pictures_of_other_sites_leave_no_stray_line() {
    let text = "name: Welcome\ncategory: misc\ndescription: |\n  \
                ![logo](https://www.example.org/logo.jpg)\n\n  Welcome!\nvalue: 100\n\
                type: standard\nflags: [f]\n";
    let pack = Folder::with(text).read();
    let start = format!("{AT}3: warning: ");
    expect(&shown(&pack), &[(&start, "images from other sites")], text);
    assert_eq!(only(&pack).challenge.description, "<p>Welcome!</p>");
}

#[test]
fn several_challenges_in_one_folder_get_advice_that_can_be_followed() {
    let folder = Folder::new();
    let names = ["challenge-1.yml", "challenge-2.yml", "challenge_name.yml"];
    for name in names {
        folder.write(&format!("challenges/web/{name}"), BASE.replace("One", name));
    }
    let starts = names.map(|name| format!("challenges/web/{name}:1: error: "));
    let piece =
        "this folder contains several challenges: move each, with its files, to its own folder";
    let expected: Vec<_> = starts.iter().map(|start| (start.as_str(), piece)).collect();
    expect(&folder.problems(), &expected, "three");
    // Other files can have such names.
    folder.write("challenges/web/challenge-deployment.yml", "apiVersion: v1\nkind: Service\n");
    folder.write("challenges/web/challenge-values.yml", "a: [\n");
    expect(&folder.problems(), &expected, "others");
    let folder = Folder::with(format!("{BASE}flags: [f]\n"));
    folder.write("challenges/one/challenge-2.yml", BASE.replace("One", "Two"));
    let start = "challenges/one/challenge-2.yml:1: error: ";
    expect(&folder.problems(), &[(start, "to its own folder")], "beside one");
    folder.write("challenges/two/challenge-2.yml", BASE.replace("One", "Two"));
    let alone = "challenges/two/challenge-2.yml:1: error: ";
    let expected = [(start, "to its own folder"), (alone, "rename this file to `challenge.yml`")];
    expect(&folder.problems(), &expected, "alone");
}

#[test]
fn categories_that_differ_in_case_are_one_warning_with_their_names() {
    let folder = Folder::new();
    for (place, category) in ["Web", "web", "WEB", "misc"].iter().enumerate() {
        let text = BASE.replace("One", &place.to_string()).replace("misc", category);
        folder.write(&format!("challenges/{place}/challenge.yml"), format!("{text}flags: [f]\n"));
    }
    let problems = folder.problems();
    assert_eq!(problems.len(), 1, "{problems:#?}");
    for piece in ["3 categories", "`WEB` in challenges/2/", "`Web` in challenges/0/", "`web` in"] {
        assert!(problems[0].contains(piece), "{problems:#?}");
    }
}

#[test]
fn a_warning_of_many_challenges_is_one_line_with_their_number() {
    let folder = Folder::new();
    folder.write("event.toml", format!("{}flag_format = \"GCC{{...}}\"\n", folder::EVENT));
    for place in 0..34 {
        let text = BASE.replace("One", &place.to_string());
        let text = format!("{text}flags: ['Trojan{{a}}', 'Trojan{{b}}']\n");
        folder.write(&format!("challenges/{place:02}/challenge.yml"), text);
    }
    let lines = folder.read().lines(Severity::Warning);
    let start = "challenges/00/challenge.yml:6: warning: 34 challenges (also challenges/01, \
                 challenges/02, challenges/03, 30 more): flags match `Trojan{...}` instead";
    expect(&lines, &[(start, "of the event's `flag_format`, `GCC{...}`")], "grouped");
}

#[test]
fn a_text_that_begins_with_an_exclamation_mark_is_told_to_need_quotes() {
    let pack = Folder::with(format!("{BASE}author: !ntrus'!on\nflags: [f]\n")).read();
    let start = format!("{AT}6: error: ");
    expect(&shown(&pack), &[(&start, "quote a value that starts with `!`")], "a tag");
}
