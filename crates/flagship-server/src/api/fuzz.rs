//! Properties that hold for any input. Tests check them on the corpus, and the fuzz targets in
//! `fuzz/` check them on generated input.

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

/// The shape of accepted input: an object whose unknown members are skipped, including numbers that
/// do not fit any type.
type Object = BTreeMap<String, IgnoredAny>;

#[derive(Deserialize)]
struct Action {
    action: String,
}

/// Every live message is either accepted or rejected with a message.
pub fn live_message(bytes: &[u8]) {
    // The socket rejects text that is not UTF-8.
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match live::Request::parse(bytes) {
        Ok(_) => {
            let accepted: Action = serde_json::from_str(text).expect("accepted input is JSON");
            assert_eq!(accepted.action, "getscoreboard");
        }
        Err(error) => assert!(error.message().ends_with('.')),
    }
}

/// Every request body is either accepted or rejected with one of two statuses.
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
            let again = TeamName::parse(name.as_str()).expect("a parsed name is valid");
            assert_eq!(again.as_str(), name.as_str());
        }
        if let Some(email) = Email::parse(text) {
            assert!(Email::parse(email.as_str()) == Some(email), "a parsed address is valid");
        }
    }
}

fn one<T: DeserializeOwned>(body: &[u8]) {
    match parse::<T>(true, body) {
        Ok(_) => {
            let text = std::str::from_utf8(body).expect("accepted input is text");
            serde_json::from_str::<Object>(text).expect("accepted input is an object");
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
        assert!(files.len() >= 20, "{target}: only {} inputs", files.len());
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
