//! Files that load, but probably not as intended: each gets a warning with its line.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_pack::{Pack, Severity};
use folder::{EVENT, Folder, expect, shown};

const AT: &str = "challenges/one/challenge.yml:";

/// 2023-11-25T19:00:00+01:00, the end of [`EVENT`].
const END_MS: i64 = 1_700_935_200_000;

const PLAIN: &str = "name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: ['flag{bread}']\n";

fn event_reports(lines: &str, expected: &[(&str, &str)]) {
    let folder = Folder::with(PLAIN);
    folder.write("event.toml", format!("[event]\nname = \"x\"\n{lines}\n"));
    let pack = folder.read();
    expect(&shown(&pack), expected, lines);
    assert!(pack.event.is_some(), "{lines}");
}

/// Asserts the problems of a challenge whose lines after line 4 are `lines`; it is loaded.
fn challenge_reports(lines: &str, expected: &[(usize, &str)]) -> Pack {
    let folder = Folder::with(format!("name: One\ncategory: c\ntype: standard\nvalue: 1\n{lines}"));
    folder.write("event.toml", format!("{EVENT}flag_format = \"flag{{...}}\"\n"));
    let starts: Vec<_> =
        expected.iter().map(|(line, _)| format!("{AT}{line}: warning: ")).collect();
    let pieces = expected.iter().map(|(_, piece)| *piece);
    let expected: Vec<_> = starts.iter().map(String::as_str).zip(pieces).collect();
    let pack = folder.read();
    expect(&shown(&pack), &expected, lines);
    assert_eq!(pack.challenges.len(), 1, "{lines}");
    assert!(!shown(&pack).concat().contains("bread"), "a problem shows no flag");
    pack
}

#[test]
fn only_check_reports_that_the_event_is_over() {
    let folder = Folder::with(PLAIN);
    assert_eq!(folder.problems(), Vec::<String>::new());
    let check = |now_ms| flagship_pack::check(folder.root(), now_ms).unwrap();
    assert_eq!(check(END_MS - 1).problems, []);
    let over = check(END_MS);
    expect(&shown(&over), &[("event.toml:5: warning: ", "the event is over")], "over");
    assert_eq!(over.summary(), "1 challenge, 0 errors, 1 warning, 0 notes");
}

#[test]
fn an_event_of_more_than_a_week_is_probably_a_wrong_date() {
    let start = "start = 2027-03-06T14:00:00+01:00\n";
    event_reports(
        &format!("{start}end = 2027-03-31T19:00:00+01:00"),
        &[("event.toml:4: warning: ", "25 days long")],
    );
    event_reports(&format!("{start}end = 2027-03-13T14:00:00+01:00"), &[]);
}

#[test]
fn an_offset_that_the_time_zone_does_not_have_is_reported() {
    let times = |start: &str, zone: &str| {
        format!("start = {start}\nend = 2027-03-06T19:00:00+01:00\n{zone}")
    };
    let rome = "timezone = \"Europe/Rome\"";
    event_reports(
        &times("2027-03-06T14:00:00+02:00", rome),
        &[(
            "event.toml:3: warning: ",
            "`start` has the offset +02:00, but Europe/Rome is at +01:00",
        )],
    );
    event_reports(&times("2027-03-06T14:00:00+01:00", rome), &[]);
    event_reports(&times("2027-03-06T13:00:00Z", rome), &[]);
    event_reports(&times("2027-03-06T14:00:00+02:00", ""), &[]);
    let folder = Folder::with(format!("{PLAIN}release: 2023-11-25T15:00:00+02:00\n"));
    folder.write("event.toml", format!("{EVENT}{rome}\n"));
    let start = format!("{AT}6: warning: ");
    expect(&folder.problems(), &[(&start, "`release` has the offset +02:00")], "a release");
}

#[test]
fn a_flag_in_a_text_for_players_is_reported() {
    let flag = "flags: ['flag{bread}']\n";
    challenge_reports(
        &format!("{flag}description: eat flag{{bread}} now\n"),
        &[(6, "description")],
    );
    challenge_reports(&format!("{flag}description: eat flag{{butter}} now\n"), &[]);
    let any_case = "flags: [{content: 'flag{BREAD}', data: case_insensitive}]\n";
    challenge_reports(&format!("{any_case}description: flag{{Bread}}\n"), &[(6, "description")]);
    // Short flags are ordinary words.
    challenge_reports("flags: ['f']\ndescription: find f\n", &[(5, "does not match")]);
}

#[test]
fn a_flag_in_an_attachment_is_found_wherever_it_stands() {
    let text = format!("{PLAIN}files: [dist/one.bin]\n");
    for (before, after, is_found) in
        [(0, 0, true), (65_530, 100, true), (200_000, 65_536, true), (65_536, 0, false)]
    {
        let folder = Folder::with(&text);
        let flag: &[u8] = if is_found { b"flag{bread}" } else { b"flag{brea}" };
        let bytes = [&vec![0xff; before], flag, &vec![b'\n'; after]].concat();
        folder.write("challenges/one/dist/one.bin", bytes);
        let start = format!("{AT}6: warning: ");
        let expected = [(start.as_str(), "`dist/one.bin` contains a flag of this challenge")];
        expect(&folder.problems(), &expected[..usize::from(is_found)], &before.to_string());
    }
}

#[test]
fn unusual_flags_are_reported() {
    for (lines, expected) in [
        (
            "flags: ['falg{bread}']\n",
            &[(5, "instead of the event's `flag_format`, `flag{...}`")][..],
        ),
        ("flags: ['flag{bread']\n", &[(5, "does not match")]),
        ("flags:\n- flag{bread}\n- bread\n", &[(7, "does not match")]),
        ("flags: [{content: 'FLAG{bread}', data: case_insensitive}]\n", &[]),
        ("flags: [{content: 'bread.*', type: regex}]\n", &[]),
        ("flags: [' flag{bread}']\n", &[(5, "spaces and invisible characters")]),
        ("flags: ['flag{bread}\n\n']\n", &[(5, "spaces and invisible")]),
        ("flags: ['flag{bread}', \"\\uFEFFflag{salt}\\u200b\"]\n", &[(5, "invisible characters")]),
        ("flags: [{content: 'flag.bread ', type: regex}]\n", &[(5, "never match")]),
    ] {
        challenge_reports(lines, expected);
    }
    let folder = Folder::with("name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: [bread]\n");
    for format in ["", "a word", "no form at all"] {
        folder.write("event.toml", format!("{EVENT}flag_format = \"{format}\"\n"));
        assert_eq!(folder.problems(), Vec::<String>::new(), "{format}");
    }
    folder.write("event.toml", format!("{EVENT}flag_format = 'ctf\\{{[a-z]+\\}}'\n"));
    let start = format!("{AT}5: warning: ");
    expect(&folder.problems(), &[(&start, "does not match")], "a pattern");
}

#[test]
fn an_empty_attachment_is_reported() {
    let folder = Folder::with(format!("{PLAIN}files: [a.txt]\n"));
    folder.write("challenges/one/a.txt", "");
    let start = format!("{AT}6: warning: ");
    expect(&folder.problems(), &[(&start, "the attachment `a.txt` is empty")], "empty");
    assert_eq!(folder.read().challenges[0].files.len(), 1);
}

#[test]
fn misspelled_files_and_folders_are_found() {
    for name in [
        "challange.yml",
        "chalenge.yml",
        "challenges.yml",
        "chall.yml",
        "Challange.YAML",
        "challenge.yml.txt",
    ] {
        let folder = Folder::new();
        folder.write(&format!("challenges/one/{name}"), PLAIN);
        let start = format!("challenges/one/{name}:1: error: ");
        expect(&folder.problems(), &[(&start, "rename this file to `challenge.yml`")], name);
        folder.write(&format!("challenges/one/{name}"), "services: [a]\n");
        let (kind, piece) = match name {
            "challenge.yml.txt" => ("warning", "ignored"),
            _ => ("warning", "did you mean `challenge.yml`?"),
        };
        let start = format!("challenges/one/{name}:1: {kind}: ");
        expect(&folder.problems(), &[(&start, piece)], name);
    }
    let folder = Folder::with(PLAIN);
    folder.write("challenges/one/challange.yml", PLAIN);
    let start = "challenges/one/challange.yml:1: warning: ";
    expect(&folder.problems(), &[(start, "only the `challenge.yml` in this folder")], "beside one");
    for name in ["docker-compose.yml", "values.yaml", "chart.yml", "challenge.md"] {
        let folder = Folder::with(PLAIN);
        folder.write(&format!("challenges/two/{name}"), "services: [a]\n");
        assert_eq!(folder.problems(), Vec::<String>::new(), "{name}");
    }
    let folder = Folder::with(PLAIN);
    std::fs::rename(folder.path("challenges"), folder.path("challanges")).unwrap();
    std::fs::rename(folder.path("rules.md"), folder.path("Rules.md")).unwrap();
    let expected = [
        ("challenges:1: warning: ", "did you mean `challanges`?"),
        ("rules.md:1: warning: ", "did you mean `Rules.md`?"),
    ];
    expect(&folder.problems(), &expected, "folders");
    let check = |folder: &Folder| shown(&flagship_pack::check(folder.root(), 0).unwrap());
    expect(&check(&folder), &expected, "one cause is one warning");
    expect(&check(&Folder::new()), &[("challenges:1: warning: ", "no challenges found")], "none");
}

#[test]
fn challenges_outside_their_folder_are_reported() {
    let folder = Folder::with(PLAIN);
    for path in ["", "web/", "old/a/", "old/b/", "one/two/three/", ".git/", "challenges/x/y/z/"] {
        let text = PLAIN.replace("One", &format!("In {path}"));
        folder.write(&format!("{path}challenge.yml"), text);
    }
    std::os::unix::fs::symlink(folder.path("web"), folder.path("link")).unwrap();
    let expected = [
        ("challenge.yml:1: warning: ", "this challenge is ignored: move its folder"),
        ("old/a/challenge.yml:1: warning: ", "this and 1 more challenges are ignored"),
        ("web/challenge.yml:1: warning: ", "this challenge is ignored"),
    ];
    expect(&folder.problems(), &expected, "outside");
    assert_eq!(folder.read().challenges.len(), 2);
}

#[test]
fn unknown_placeholders_of_the_rules_are_reported() {
    let folder = Folder::with(PLAIN);
    folder.write(
        "rules.md",
        "From {start} to {end}.\n\nFreeze: {freze}, {prize}\n\
         `flag{like_this}`, pier{...}, {{ x }} and ${HOME} are none; `{max}` is.\n",
    );
    let expected = [
        ("rules.md:3: warning: ", "unknown placeholder `{freze}`; did you mean `{freeze}`?"),
        ("rules.md:3: warning: ", "unknown placeholder `{prize}`; available: {start} {end}"),
    ];
    expect(&folder.problems(), &expected, "rules");
}

#[test]
fn equal_notes_are_merged_into_one_line() {
    let folder = Folder::new();
    for i in 0..12 {
        let text = format!("name: C{i}\ncategory: c\nvalue: 1\nflags: [f]\nx{}: 1\n", i / 11);
        folder.write(&format!("challenges/{i:02}/challenge.yml"), text);
    }
    folder.write("challenges/11/challenge.yml", "name: C11\ncategory: c\nvalue: 1\n");
    let pack = folder.read();
    let lines = pack.lines(Severity::Note);
    let expected = [
        ("challenges/00/challenge.yml:1: note: ", "12 challenges: no `type`"),
        ("challenges/00/challenge.yml:5: note: ", "11 challenges: the key `x0` is ignored"),
        ("challenges/11/challenge.yml:1: warning: ", "no flag"),
    ];
    expect(&lines, &expected, "gathered");
    assert_eq!(pack.summary(), "12 challenges, 0 errors, 1 warning, 23 notes");
    expect(&pack.lines(Severity::Warning), &expected[2..], "warnings");
    assert_eq!(pack.lines(Severity::Error), Vec::<String>::new());
}
