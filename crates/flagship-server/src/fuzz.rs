//! What must hold of any bytes at all: asked of the kept corpus by a test, and of everything else
//! by the fuzz targets in `fuzz/`.

use std::collections::BTreeMap;

use flagship_game::TeamName;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::accounts::{ConfirmRequest, EmailRequest, LoginRequest, ResetRequest, SignupRequest};
use crate::extract::parse;
use crate::play::Submission;
use crate::{ApiError, Email, live};

/// What is taken is an object. What nobody asked for is skipped, a number beyond any type, too.
type Object = BTreeMap<String, IgnoredAny>;

#[derive(Deserialize)]
struct Action {
    action: String,
}

/// Any live message is a known one, or answered with a sentence.
pub fn live_message(bytes: &[u8]) {
    // The socket lets no other text through.
    if let Ok(text) = std::str::from_utf8(bytes) {
        answered(text, live::Request::parse(bytes).map(drop));
    }
}

fn answered(text: &str, answer: Result<(), ApiError>) {
    match answer {
        Ok(()) => {
            let taken: Action = serde_json::from_str(text).expect("what was taken is JSON");
            assert_eq!(taken.action, "getscoreboard");
        }
        Err(error) => assert!(error.message().ends_with('.')),
    }
}

/// Any body of any call is taken, or refused as one of two things.
pub fn json_body(bytes: &[u8]) {
    one::<SignupRequest>(bytes);
    one::<LoginRequest>(bytes);
    one::<Submission>(bytes);
    one::<ConfirmRequest>(bytes);
    one::<ResetRequest>(bytes);
    one::<EmailRequest>(bytes);
    let Ok(Value::Object(members)) = serde_json::from_slice(bytes) else { return };
    for text in members.values().filter_map(Value::as_str) {
        if let Ok(name) = TeamName::parse(text) {
            let again = TeamName::parse(name.as_str()).expect("a name is its own name");
            assert_eq!(again.as_str(), name.as_str());
        }
        if let Some(email) = Email::parse(text) {
            assert!(Email::parse(email.as_str()) == Some(email), "an address is its own");
        }
    }
}

fn one<T: DeserializeOwned>(body: &[u8]) {
    taken(body, parse::<T>(true, body).map(drop));
}

fn taken(body: &[u8], answer: Result<(), ApiError>) {
    match answer {
        Ok(()) => {
            let text = std::str::from_utf8(body).expect("what was taken is text");
            serde_json::from_str::<Object>(text).expect("what was taken is an object");
        }
        Err(error) => assert!([400, 422].contains(&error.status().as_u16())),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use flagship_control::control;

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
    fn the_kept_messages_are_answered() {
        if control("the_kept_messages_are_answered", "what was taken is JSON") {
            answered("{", Ok(()));
        }
        replay("live_message", live_message);
    }

    #[test]
    fn the_kept_bodies_are_answered() {
        if control("the_kept_bodies_are_answered", "what was taken is an object") {
            taken(b"[]", Ok(()));
        }
        replay("json_body", json_body);
    }
}
