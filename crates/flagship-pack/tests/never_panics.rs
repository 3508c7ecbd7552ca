//! Reading never panics, whatever bytes a file holds, and what it loads is well-formed.
#![allow(clippy::unwrap_used)]

mod folder;

use flagship_game::ChallengeId;
use folder::Folder;
use proptest::collection::vec;
use proptest::prelude::*;

/// Pieces from which random combinations resemble a descriptor.
const PIECES: [&str; 58] = [
    "name: ",
    "name: A",
    "id: ",
    "category: ",
    "type: ",
    "dynamic",
    "speedrun",
    "standard",
    "value: ",
    "extra:",
    "  values: ",
    "  initial: ",
    "scoring: {decay: ",
    "flags:",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    ": ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "  ",
    "&a ",
    "*a",
    "<<: ",
    "!!str ",
    "|",
    ">",
    "---\n",
    "...\n",
    "\"",
    "'",
    "#",
    "{{",
    "}}",
    "null",
    "~",
    "500",
    "-1",
    "9999999999999999999",
    "0x41",
    "files: ",
    "../x",
    "/etc/passwd",
    "requirements: ",
    "prerequisites: ",
    "state: hidden",
    "release: ",
    "2023-11-25T14:00:00Z",
    "description: ",
    "<b>",
    "\u{feff}",
    "🚩",
    "type: regex",
];

const EVENT_PIECES: [&str; 40] = [
    "[event]",
    "[site]",
    "[limits]",
    "[mail]",
    "[captcha]",
    "[scoring]",
    "[registration]",
    "name",
    "start",
    "end",
    "freeze",
    "timezone",
    "reveal",
    "accent",
    "trusted_networks",
    "max",
    "min",
    "decay",
    "provider",
    "port",
    " = ",
    "\"",
    "\"\"\"",
    "'",
    "2023-11-25T14:00:00+01:00",
    "2023-11-25",
    "500",
    "-1",
    "0xff",
    "1e9",
    "true",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\n",
    "\r\n",
    "#",
    "\"auto\"",
];

fn check(folder: &Folder) {
    let pack = folder.read();
    for problem in &pack.problems {
        assert!(problem.line >= 1);
        assert!(!problem.to_string().contains('\n'), "{problem}");
    }
    for challenge in &pack.challenges {
        let id = challenge.challenge.id.as_str();
        assert!(ChallengeId::parse(id).is_ok());
        assert!(!challenge.challenge.name.is_empty());
        assert_eq!(challenge.files.len(), challenge.challenge.attachments.len());
    }
    if let Some(event) = pack.event {
        assert!(event.start_ms.zip(event.end_ms).is_none_or(|(start, end)| start < end));
    }
}

fn mixed(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    vec(prop::sample::select(pieces), 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(128)
    })]

    #[test]
    fn any_bytes_as_a_descriptor(bytes in vec(any::<u8>(), 0..300)) {
        check(&Folder::with(bytes));
    }

    #[test]
    fn any_text_as_a_descriptor(text in "\\PC{0,200}") {
        check(&Folder::with(text));
    }

    #[test]
    fn pieces_of_descriptors(text in mixed(&PIECES)) {
        check(&Folder::with(&text));
        let lines = format!("name: A\ncategory: c\ntype: standard\nvalue: 1\nflags: [f]\n{text}");
        check(&Folder::with(lines));
    }

    #[test]
    fn any_bytes_as_event_and_rules(bytes in vec(any::<u8>(), 0..300)) {
        let folder = Folder::new();
        folder.write("event.toml", &bytes).write("rules.md", &bytes);
        check(&folder);
    }

    #[test]
    fn pieces_of_events(text in mixed(&EVENT_PIECES)) {
        let folder = Folder::new();
        folder.write("event.toml", &text);
        check(&folder);
        folder.write("event.toml", format!("{}{text}", folder::EVENT));
        check(&folder);
    }
}
