//! Parsing a challenge from its source gives the same result as reading its folder.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_game::{ChallengeId, Secret};
use flagship_pack::source::{self, OtherChallenge, ParseContext, ParsedChallenge};
use flagship_pack::{Defaults, KnownFile, Pack, PackChallenge, Problem, Source};
use flagship_testkit::{copy_folder, shared_data};
use folder::{Folder, only};

fn others(pack: &Pack, without: &PackChallenge) -> Vec<OtherChallenge> {
    let other = |it: &PackChallenge| OtherChallenge {
        id: it.challenge.id.clone(),
        name: it.challenge.name.clone(),
        path: it.source.path.clone(),
        hidden: it.hidden,
        requirements: it.challenge.requirements.clone(),
    };
    let rest = pack.challenges.iter().filter(|it| it.challenge.id != without.challenge.id);
    rest.map(other).collect()
}

fn again(pack: &Pack, it: &PackChallenge) -> Result<ParsedChallenge, Vec<Problem>> {
    let (files, others) = (it.known_files(), others(pack, it));
    let end_ms = pack.event.as_ref().and_then(|event| event.end_ms);
    let around = ParseContext { defaults: &pack.defaults, end_ms, files: &files, others: &others };
    source::read(&it.source, around)
}

fn assert_same(pack: &Pack) {
    for it in &pack.challenges {
        let read = again(pack, it).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(read.challenge, it.challenge, "another challenge");
        assert_eq!(read.flags, it.flags);
        assert_eq!((read.hidden, read.release_at_ms), (it.hidden, it.release_at_ms));
    }
}

#[test]
fn a_source_gives_the_challenge_of_its_folder() {
    let folder = Folder::new();
    folder.write(
        "event.toml",
        folder::EVENT
            .replace("[event]", "[event]\nflag_format = \"flag{...}\"\ntimezone = \"Europe/Rome\"")
            + "[scoring]\nmax = 400\nmin = 40\ndecay = 9\n",
    );
    folder.write(
        "challenges/a/challenge.yml",
        "name: A\ncategory: web\ntype: dynamic\n\
         flags: ['flag{a}', {type: regex, content: 'flag{.}'}]\n\
         files: [dist/x.zip, y.txt]\nrequirements: [B]\nstate: hidden\n\
         release: 2023-11-25T15:00:00+01:00\nconnection_info: nc a.example 1\n",
    );
    folder.write("challenges/a/dist/x.zip", "x").write("challenges/a/y.txt", "yy");
    folder.write(
        "challenges/b/challenge.yml",
        "name: B\ncategory: web\ntype: speedrun\nextra: {values: [3, 2]}\nflags: ['flag{b}']\n",
    );
    let pack = folder.read();
    assert_eq!((pack.challenges.len(), pack.errors()), (2, 0), "{:?}", folder::shown(&pack));
    let defaults = Defaults {
        max: 400,
        min: 40,
        decay: 9,
        flag_format: "flag{...}".into(),
        timezone: Some("Europe/Rome".into()),
        shows_authors: false,
    };
    assert_eq!(pack.defaults, defaults);
    assert_same(&pack);
}

#[test]
fn every_real_challenge_is_the_same_from_its_source() {
    let Some(from) = shared_data("challenges/tcp1p-2023") else { return };
    let folder = Folder::new();
    copy_folder(&from, &folder.path("challenges")).unwrap();
    let pack = folder.read();
    assert!(pack.challenges.len() >= 60);
    assert_same(&pack);
}

fn problems(text: &str, files: &[KnownFile], others: &[OtherChallenge]) -> Vec<String> {
    let source = Source { path: "challenges/k/challenge.yml".into(), text: Secret::new(text) };
    let defaults = Defaults { flag_format: "flag{...}".into(), ..Defaults::default() };
    let around = ParseContext { defaults: &defaults, end_ms: Some(0), files, others };
    let (is_read, problems) = match source::read(&source, around) {
        Ok(reading) => (true, reading.problems),
        Err(problems) => (false, problems),
    };
    let has_error = problems.iter().any(|it| it.severity == flagship_pack::Severity::Error);
    assert_eq!(is_read, !has_error, "{problems:?}");
    problems.iter().map(ToString::to_string).collect()
}

#[test]
fn what_check_refuses_is_refused() {
    const GOOD: &str = "name: K\ncategory: c\ntype: standard\nvalue: 1\nflags: ['flag{k}']\n";
    let other = |id: &str, requirements: &[&str]| OtherChallenge {
        id: ChallengeId::parse(id).unwrap(),
        name: id.to_uppercase(),
        path: format!("challenges/{id}/challenge.yml"),
        hidden: id == "hidden",
        requirements: requirements.iter().map(|it| ChallengeId::parse(it).unwrap()).collect(),
    };
    let others = [other("a", &["k"]), other("hidden", &[])];
    let file = |name: &str, bytes| KnownFile {
        name: name.into(),
        digest: "0".repeat(64),
        bytes,
        picture: None,
    };
    let files = [file("x/y.txt", 1), file("x/z.txt", 1), file("w/z.txt", 1), file("big", 2 << 30)];
    for (more, expected) in [
        ("", None),
        (
            "name: A",
            Some(":6: error: the name `A` is already used by challenges/a/challenge.yml:1"),
        ),
        ("id: a", Some("error: the ID `a` is already used by challenges/a/challenge.yml:1")),
        ("requirements: [k]", Some(":6: error: circular requirements")),
        ("requirements: [A]", Some(":6: error: circular requirements")),
        ("requirements: [none]", Some(":6: error: unknown challenge `none` in requirements")),
        (
            "requirements: [hidden]",
            Some("warning: this challenge requires `HIDDEN`, which is hidden"),
        ),
        ("release: 2026-01-01T00:00Z", Some("warning: this challenge is released after the event")),
        ("files: [x/y.txt]", None),
        ("files: [y.txt]", None),
        ("files: [z.txt]", Some(":6: warning: the attachment `z.txt` does not exist")),
        ("files: [x/z.txt, w/z.txt]", Some("error: duplicate attachment name `z.txt`")),
        ("files: [../y.txt]", Some(":6: error: the attachment `../y.txt` is outside")),
        ("files: [challenge.yml]", Some("error: the attachment `challenge.yml` is named like")),
        ("files: [big]", Some("error: the attachment `big` is larger than 1 GiB")),
        ("value: x", Some(":6: error: `value` must be a whole number")),
        ("flags: [x]", Some("warning:")),
    ] {
        let given = problems(&format!("{GOOD}{more}\n"), &files, &others);
        let twice = |problem: &&String| !problem.contains("duplicate key");
        let given: Vec<_> = given.iter().filter(twice).collect();
        match expected {
            None => assert!(given.is_empty(), "{more} gave {given:?}"),
            Some(piece) => assert!(
                given.iter().any(|problem| problem.contains(piece)),
                "{more} gave {given:?}"
            ),
        }
    }
    for text in ["", "[", "- a", "type: standard\n"] {
        assert!(!problems(text, &[], &[]).is_empty(), "{text}");
    }
}

#[test]
fn texts_that_are_too_long_together_are_refused_before_they_are_rendered() {
    const GOOD: &str = "name: K\ncategory: c\ntype: standard\nvalue: 1\nflags: ['flag{k}']\n";
    const HALF: usize = 60 * 1024;
    let text = |bytes: usize| "a ".repeat(bytes / 2);
    let given = |description, hint, more: &str| {
        let (description, hint) = (text(description), text(hint));
        let hints = format!("hints: [{hint}, {{content: {hint}}}]");
        problems(&format!("{GOOD}description: {description}\n{hints}\n{more}\n"), &[], &[])
    };
    assert!(given(HALF, HALF / 2, "").is_empty());
    for (description, hint, more) in [
        (HALF, HALF, String::new()),
        (10, 63 * 1024, format!("connection_info: {}", text(4 * 1024))),
    ] {
        let given = given(description, hint, &more);
        let [problem] = &given[..] else { panic!("{given:?}") };
        assert!(problem.ends_with("exceed 128 KiB in total"), "{problem}");
        assert!(problem.contains(": error: "), "{problem}");
    }
}

#[test]
fn a_source_does_not_show_its_flags() {
    let folder =
        Folder::with("name: A\ncategory: c\ntype: standard\nvalue: 1\nflags: [secret-x]\n");
    let pack = folder.read();
    let it = only(&pack);
    assert!(it.source.text.expose().contains("secret-x"));
    let shown = format!("{it:?} {:?}", again(&pack, it).unwrap());
    assert!(!shown.contains("secret-x"), "{shown}");
}
