//! Properties that hold for any input. A test checks them on the stored corpus; the fuzz targets in
//! `fuzz/` check them on generated input.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use flagship_game::{Challenge, ChallengeId};
use rustix::fs::{MemfdFlags, memfd_create};
use serde_json::{Map, Value};

use crate::event_toml::{self, ChallengeDefaults};
use crate::files::Files;
use crate::problem::Report;
use crate::team_copy::Template;
use crate::{challenge_yml, flags, source, yaml};

/// Checks that any `challenge.yml` is read, or rejected with a valid line number.
pub fn challenge_yml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut report = Report::new(Path::new("challenge.yml"));
    let descriptor =
        challenge_yml::read(text, Files::Known(&[]), &ChallengeDefaults::default(), &mut report);
    let errors = report.errors();
    check(text, report);
    if let Some(descriptor) = descriptor {
        assert_eq!(descriptor.usable, errors == 0, "usable means without an error");
        if !descriptor.usable {
            return;
        }
        assert!(ChallengeId::parse(descriptor.challenge.id.as_str()).is_ok());
        assert!(
            !descriptor.challenge.name.is_empty() && descriptor.flags.len() <= flags::FLAGS_MAX
        );
        let Challenge { description, hints, .. } = &descriptor.challenge;
        let hints = hints.iter().filter_map(|hint| hint.html.as_deref());
        let html: String = hints.chain([description.as_str()]).collect();
        let html = html.to_lowercase();
        for piece in ["<script", "<iframe", "<svg", "<math", "<style", "<img", "<object"] {
            assert!(!html.contains(piece), "{piece} got through");
        }
    }
}

/// Checks that any `challenge.yml` is edited or rejected. The edited text is a single document with
/// the new values, and repeating the edit does not change it.
pub fn edit(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let words: String = text.chars().take(40).collect();
    let list = Value::from(vec![Value::from(words.clone()), Value::from(5)]);
    for key in ["name", "flags", "k"] {
        for value in [Value::Null, Value::from(7), Value::from(words.clone()), list.clone()] {
            let fields = Map::from_iter([(key.to_owned(), value.clone())]);
            let Ok(edited) = source::edit(text, &fields) else { continue };
            let document = yaml::parse(&edited).expect("it was read before it was given");
            assert!(document.second.is_none());
            let entry = document.root.get(key).filter(|entry| !entry.value.is_null());
            assert_eq!(entry.is_none(), value.is_null(), "{key}");
            assert_eq!(source::edit(&edited, &fields).as_ref(), Ok(&edited), "it changes again");
        }
    }
}

/// Checks that any `event.toml` is read, or rejected with a valid line number.
pub fn event_toml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut report = Report::new(Path::new("event.toml"));
    let file = event_toml::read(text, Path::new("nowhere"), &mut report);
    let is_good = report.errors() == 0;
    check(text, report);
    if let Some(event) = file.event.filter(|_| is_good) {
        assert!(!event.name.is_empty() && event.start_ms < event.end_ms);
        assert!(event.freeze_ms.is_none_or(|it| Some(it) > event.start_ms));
    }
    assert!((1..=128).contains(&file.settings.registration.password_min));
    assert!(file.common.scoring.min <= file.common.scoring.max && file.common.scoring.decay >= 1);
}

/// Checks that any file has copies that are filled in alike in one piece and in many, or is
/// rejected.
pub fn team_copy(bytes: &[u8]) {
    const FLAG: &str = "flag{0123456789abcdef}";
    const PIECE_BYTES: usize = 7;
    let memory = memfd_create("team-copy", MemfdFlags::CLOEXEC).expect("the system supports it");
    let mut file = File::from(memory);
    file.write_all(bytes).expect("memory can be written");
    let mut whole = Vec::new();
    let Ok(template) = Template::write(&mut file, &mut whole, FLAG.len()) else { return };
    assert_eq!(template.bytes(), whole.len() as u64);
    assert!(template.fill("short").is_none());
    let filling = template.fill(FLAG).expect("it has the length");
    let mut pieces = whole.clone();
    template.apply(&filling, 0, &mut whole);
    for (index, piece) in pieces.chunks_mut(PIECE_BYTES).enumerate() {
        template.apply(&filling, (index * PIECE_BYTES) as u64, piece);
    }
    assert!(whole == pieces, "the pieces differ");
    let is_in = whole.windows(FLAG.len()).any(|it| it == FLAG.as_bytes());
    assert!(is_in || !template.has_flag(), "the flag is missing");
}

fn check(text: &str, report: Report) {
    // Carriage returns end lines in YAML.
    let lines = 2 + text.matches(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count();
    for problem in report.finish() {
        assert!((1..=lines).contains(&problem.line), "{problem}");
        assert!(!problem.to_string().contains('\n'), "{problem}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn replay(target: &str, hold: fn(&[u8])) {
        let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
        let files: Vec<_> = std::fs::read_dir(corpus.join(target)).expect("a corpus").collect();
        assert!(files.len() >= 20, "{target}: {} are kept", files.len());
        for file in files {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            hold(&std::fs::read(path).expect("readable"));
        }
    }

    #[test]
    fn fuzz_inputs_of_challenges_are_read() {
        replay("challenge_yml", challenge_yml);
    }

    #[test]
    fn fuzz_inputs_of_edits_are_edited_or_refused() {
        replay("edit", edit);
        replay("challenge_yml", edit);
    }

    #[test]
    fn fuzz_inputs_of_files_have_copies_or_are_refused() {
        replay("team_copy", team_copy);
    }

    #[test]
    fn fuzz_inputs_of_events_are_read() {
        replay("event_toml", event_toml);
    }
}
