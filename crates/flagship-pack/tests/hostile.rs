//! Malicious event folders: each is rejected with a file and a line, quickly and with little
//! memory.
#![allow(clippy::unwrap_used)]

mod folder;

use std::fs::{self, File};
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::{Duration, Instant};

use flagship_pack::{DESCRIPTOR_BYTES_MAX, ENTRIES_MAX, compile};
use folder::{EVENT, Folder, shown};

const GOOD: &str = "name: One\ncategory: c\ntype: standard\nvalue: 1\nflags: [f]\n";
/// Time limit for any folder, with a margin of seconds for a busy machine.
const TIME_MAX: Duration = Duration::from_secs(60);

/// Reads a folder and returns its problems; asserts that it took less than the limit.
#[track_caller]
fn soon(folder: &Folder, what: &str) -> Vec<String> {
    let start = Instant::now();
    let problems = folder.problems();
    println!("{what}: {:?}", start.elapsed());
    assert!(start.elapsed() < TIME_MAX, "{what}: {:?}", start.elapsed());
    problems
}

/// Asserts that a problem begins with `start` and contains `piece`.
#[track_caller]
fn reports(problems: &[String], start: &str, piece: &str) {
    let found = problems.iter().any(|it| it.starts_with(start) && it.contains(piece));
    let some: Vec<_> = problems.iter().take(5).collect();
    assert!(found, "{start} {piece} is not in {some:#?}");
}

#[test]
fn sockets_and_devices_are_refused_where_a_file_is_meant() {
    let listing = "files: [a]\n";
    let folder = Folder::with(format!("{GOOD}{listing}"));
    let path = folder.path("challenges/one/a");
    let listener = UnixListener::bind(&path).unwrap();
    reports(&soon(&folder, "a socket"), "challenges/one/challenge.yml:6: error: ", "not a regular");
    drop(listener);
    fs::remove_file(&path).unwrap();
    // Only root can create a device; for other users this part is skipped.
    let zero = Command::new("mknod").arg(&path).args(["c", "1", "5"]).status();
    if zero.is_ok_and(|status| status.success()) {
        let problems = soon(&folder, "an endless device");
        reports(&problems, "challenges/one/challenge.yml:6: error: ", "not a regular");
    } else {
        println!("skipped: a device, which this user may not make");
    }
    for name in ["event.toml", "challenges/one/challenge.yml"] {
        let folder = Folder::with(GOOD);
        fs::remove_file(folder.path(name)).unwrap();
        let made = Command::new("mkfifo").arg(folder.path(name)).status().unwrap();
        assert!(made.success());
        let problems = soon(&folder, name);
        reports(&problems, &format!("{name}:1: error: "), "not a regular file");
    }
}

#[test]
fn huge_files_are_refused_unread() {
    for name in ["event.toml", "rules.md", "challenges/one/challenge.yml"] {
        let folder = Folder::with(GOOD);
        let file = File::create(folder.path(name)).unwrap();
        file.set_len(10 << 30).unwrap();
        reports(&soon(&folder, name), &format!("{name}:1: error: "), "larger than 1 MiB");
    }
    // Attachments that are each small enough, but too large in total.
    let files: String = (0..60).map(|i| format!("- f{i}\n")).collect();
    let folder = Folder::with(format!("{GOOD}files:\n{files}"));
    for i in 0..60 {
        let file = File::create(folder.path(&format!("challenges/one/f{i}"))).unwrap();
        file.set_len(1 << 30).unwrap();
    }
    let problems = soon(&folder, "60 GiB");
    reports(&problems, "challenges/one/challenge.yml:7: error: ", "in total");
}

#[test]
fn a_folder_of_too_many_files_is_read_up_to_the_limit() {
    let folder = Folder::with(GOOD);
    let many = folder.path("challenges/many");
    fs::create_dir(&many).unwrap();
    // Hard links to one file: each is an entry, and faster to create than a file.
    let first = many.join("0");
    File::create(&first).unwrap();
    for i in 1..=ENTRIES_MAX {
        // The file system limits the links to one file; then continue with another file.
        if fs::hard_link(&first, many.join(i.to_string())).is_err() {
            File::create(many.join(i.to_string())).unwrap();
        }
    }
    let problems = soon(&folder, "100,001 files");
    reports(&problems, "challenges/many:1: error: ", "more than 100000 files");
}

#[test]
fn deep_folders_are_searched_to_a_limited_depth() {
    let folder = Folder::with(GOOD);
    let mut path = folder.path("challenges/deep");
    // Up to the longest path that the system allows.
    while path.as_os_str().len() < 3500 {
        path.push("d");
    }
    fs::create_dir_all(&path).unwrap();
    let problems = soon(&folder, "1,700 folders in one another");
    assert_eq!(problems.len(), 1, "one problem: {problems:?}");
    assert!(problems[0].contains("deeper than 16"), "{problems:?}");
}

#[test]
fn yaml_bombs_are_refused_with_their_line() {
    let laughs = (1..40).fold("a0: &a0 [lol]\n".to_owned(), |text, i| {
        let below = i - 1;
        let nine = vec![format!("*a{below}"); 9].join(", ");
        text + &format!("a{i}: &a{i} [{nine}]\n")
    });
    let aliases = format!("a: &a x\nb: [{}]\n", "*a, ".repeat(200_000));
    let merges = (1..5000).fold("m0: &m0 {k: 1}\n".to_owned(), |text, i| {
        text + &format!("m{i}: &m{i} {{<<: *m{}}}\n", i - 1)
    });
    let long = "x".repeat(900_000);
    for (what, text, is_refused) in [
        ("laughs", format!("{GOOD}{laughs}description: *a39\n"), true),
        ("flags of laughs", format!("{laughs}{}", GOOD.replace("[f]", "*a39")), true),
        ("aliases", format!("{GOOD}{aliases}"), true),
        ("merges", format!("{GOOD}{merges}"), true),
        ("lists", format!("{GOOD}z: {}", "[".repeat(500_000)), true),
        ("maps", format!("{GOOD}z: {}", "{a: ".repeat(200_000)), true),
        ("keys", format!("{GOOD}{}", "? ".repeat(400_000)), true),
        ("many keys", (0..60_000).map(|i| format!("k{i}: 1\n")).collect(), true),
        ("a long line", format!("{GOOD}description: {long}\n"), true),
        ("a long name", GOOD.replace("One", &long), true),
        ("tags", format!("{GOOD}z: {}x", "!!a ".repeat(200_000)), true),
        ("anchors", format!("{GOOD}z: [{}]", "&a x, ".repeat(150_000)), true),
        ("comments", format!("{GOOD}{}", "# x\n".repeat(200_000)), false),
        ("blank lines", format!("{GOOD}{}", "\n".repeat(900_000)), false),
    ] {
        let folder = Folder::with(&text);
        let problems = soon(&folder, what);
        let refused = problems.iter().any(|it| it.contains(": error: "));
        assert_eq!(refused, is_refused, "{what}: {:?}", problems.first());
        if refused {
            reports(&problems, "challenges/one/challenge.yml:", ": error: ");
        }
    }
}

#[test]
fn toml_and_markdown_bombs_are_handled_quickly() {
    for (what, text) in [
        ("lists", format!("{EVENT}z = {}", "[".repeat(400_000))),
        ("tables", format!("{EVENT}z = {}", "{a = ".repeat(150_000))),
        ("dots", format!("{EVENT}{}a = 1\n", "a.".repeat(400_000))),
        ("headers", format!("{EVENT}{}", "[[a]]\n".repeat(150_000))),
        ("keys", (0..60_000).map(|i| format!("k{i} = 1\n")).collect()),
        ("a long text", format!("{EVENT}flag_format = \"{}\"\n", "x".repeat(900_000))),
        ("an open text", format!("{EVENT}flag_format = \"\"\"{}", "x\n".repeat(400_000))),
    ] {
        let folder = Folder::new();
        folder.write("event.toml", &text);
        assert!(DESCRIPTOR_BYTES_MAX as usize > text.len(), "{what}");
        reports(&soon(&folder, what), "event.toml:", ": error: ");
    }
    for piece in [
        "[",
        "![",
        "> ",
        "- ",
        "*a ",
        "<b>",
        "<a href=x>",
        "<table><tr><td>",
        "`",
        "|a",
        "**a",
        "a](b) ",
        "<!--",
        "&amp;",
        "1. ",
        "[a]: b\n",
        "~~a",
        "<p><b>",
        "http://a.b ",
    ] {
        let folder = Folder::new();
        folder.write("rules.md", piece.repeat(16_000 / piece.len()));
        soon(&folder, piece);
    }
}

#[test]
fn patterns_of_flags_are_bounded_and_linear() {
    for pattern in [
        "(x{1000}){1000}",
        "((x{100}){100}){100}",
        r"\p{L}{5000}",
        r"(?i)[\p{L}\p{N}]{9999}",
        &"(".repeat(10_000),
        &format!("{}x{}", "(".repeat(100), ")".repeat(100)),
        r"(a)\1",
        "(?=a)b",
        "a{99999999999}",
    ] {
        let start = Instant::now();
        let compiled = compile(pattern, true);
        assert!(compiled.is_err(), "{} is not refused", &pattern[..pattern.len().min(30)]);
        assert!(start.elapsed() < TIME_MAX, "{pattern}: {:?}", start.elapsed());
        let folder =
            Folder::with(GOOD.replace("[f]", &format!("[{{type: regex, content: '{pattern}'}}]")));
        reports(
            &soon(&folder, "a pattern"),
            "challenges/one/challenge.yml:5: error: ",
            "regex flag",
        );
    }
    // Patterns with exponential time in backtracking engines are fast here, on the longest flag and
    // on a longer text.
    for pattern in ["(a+)+b", "(a|aa)+b", "(.*a){20}b", "(a*)*b", r"(\w+\s?)+b"] {
        let regex = compile(pattern, false).unwrap();
        let start = Instant::now();
        for chars in [256, 10_000] {
            assert!(!regex.is_match(&"a".repeat(chars)), "{pattern}");
        }
        assert!(start.elapsed() < Duration::from_secs(5), "{pattern}: {:?}", start.elapsed());
    }
}

#[test]
fn the_patterns_of_a_challenge_are_bounded_together() {
    let listing = |patterns: &[&str]| {
        let flag = |it: &&str| format!("- {{type: regex, content: '{it}'}}\n");
        let flags: String = patterns.iter().map(flag).collect();
        Folder::with(GOOD.replace("flags: [f]\n", &format!("flags:\n{flags}")))
    };
    let problems = soon(&listing(&["(?-u:[a-z]?){5000}q0z"; 64]), "64 large patterns");
    reports(
        &problems,
        "challenges/one/challenge.yml:6: error: ",
        "it is too large when compiled: repeat less",
    );
    let some = "(?-u:[a-z]?){300}q0z";
    assert_eq!(soon(&listing(&[some; 2]), "2 patterns"), [""; 0]);
    let problems = soon(&listing(&[some; 4]), "4 patterns");
    reports(&problems, "challenges/one/challenge.yml:", "too large in total: repeat less");
    // Groups are not recorded, so they do not count. A single pattern has the same limit as all
    // together.
    let groups = format!("(?:{}a{}?){{600}}q0z", "(".repeat(10), ")".repeat(10));
    let pattern = compile(&groups, false).unwrap();
    let start = Instant::now();
    assert!(!pattern.is_match(&"a".repeat(256)));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Patterns of typical length.
    for usual in [r"flag\{\w+\}", r"(?i)\s*the[\s_-]*quick[\s_-]*fox\s*", r"flag\{[0-9a-f]{64}\}"] {
        assert_eq!(soon(&listing(&[usual; 2]), usual), [""; 0]);
    }
    for open in ["{", r"\x{", "[", "("] {
        let many = open.repeat(900_000 / open.len());
        let problems = soon(&listing(&[&many]), open);
        reports(&problems, "challenges/one/challenge.yml:6: error: ", "at most 4 KiB in total");
        assert!(compile(&many, false).is_err(), "{open}");
    }
    let problems = soon(&listing(&["a".repeat(100).as_str(); 64]), "64 long patterns");
    reports(&problems, "challenges/one/challenge.yml:46: error: ", "at most 4 KiB in total");
}

#[test]
fn many_unknown_requirements_are_reported_quickly() {
    let folder = Folder::new();
    let wrong: String = (0..32).map(|i| format!("- {}{i}\n", "y".repeat(78))).collect();
    let wrong = format!("requirements:\n{wrong}");
    for i in 0..1500 {
        let name = format!("{i}{}", "x".repeat(100));
        let text = format!("{}{wrong}", GOOD.replace("One", &name));
        folder.write(&format!("challenges/c{i}/challenge.yml"), text);
    }
    let problems = soon(&folder, "48,000 wrong requirements");
    reports(&problems, "challenges/c1499/challenge.yml:38: error: ", "unknown challenge");
}

#[test]
fn a_file_with_many_problems_lists_some_and_counts_the_rest() {
    let folder = Folder::new();
    let broken: String = (0..500).map(|i| format!("key{i}: 1\n")).collect();
    for i in 0..30 {
        folder.write(&format!("challenges/c{i}/challenge.yml"), format!("name: C{i}\n{broken}"));
    }
    let pack = folder.read();
    let problems = shown(&pack);
    assert!(problems.len() <= 30 * 201, "{}", problems.len());
    reports(&problems, "challenges/c1/challenge.yml:", "more problems in this file not shown");
}
