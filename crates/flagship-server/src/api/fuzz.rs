//! Properties that hold for any input. A test checks them for the corpus, and the fuzz targets in
//! `fuzz/` for other inputs.

use std::collections::BTreeMap;

use flagship_actions::mail::address::Email;
use flagship_game::TeamName;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use super::accounts::links::{ConfirmRequest, EmailRequest, ResetRequest};
use super::accounts::login::LoginRequest;
use super::accounts::signup::SignupRequest;
use super::extract::parse;
use super::live;
use super::play::Submission;

/// The shape of accepted input: an object, of which unknown members are skipped, even numbers that
/// fit no type.
type Object = BTreeMap<String, IgnoredAny>;

#[derive(Deserialize)]
struct Action {
    action: String,
}

/// Any live message is accepted, or rejected with a sentence.
pub fn live_message(bytes: &[u8]) {
    // The socket rejects text that is not UTF-8.
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match live::Request::parse(bytes) {
        Ok(_) => {
            let taken: Action = serde_json::from_str(text).expect("what was taken is JSON");
            assert_eq!(taken.action, "getscoreboard");
        }
        Err(error) => assert!(error.message().ends_with('.')),
    }
}

/// Any body of any call is accepted, or rejected with one of two statuses.
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
    match parse::<T>(true, body) {
        Ok(_) => {
            let text = std::str::from_utf8(body).expect("what was taken is text");
            serde_json::from_str::<Object>(text).expect("what was taken is an object");
        }
        Err(error) => assert!([400, 422].contains(&error.status().as_u16())),
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
    fn fuzz_inputs_of_messages_are_answered() {
        replay("live_message", live_message);
    }

    #[test]
    fn fuzz_inputs_of_bodies_are_answered() {
        replay("json_body", json_body);
    }
}
