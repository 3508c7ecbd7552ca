//! Solved captchas without proof of work, made with the event's secret.

use std::collections::BTreeMap;

use altcha::{CreateChallengeOptions, Payload, SolveChallengeOptions};
use data_encoding::BASE64;
use flagship_store::Key;

/// The solution of a captcha that the server accepts as its own. Solving it takes two attempts.
///
/// # Panics
/// If the library fails.
pub fn solved_captcha(key: &Key, expires_at_ms: i64) -> String {
    let challenge = altcha::create_challenge(CreateChallengeOptions {
        algorithm: "PBKDF2/SHA-256".to_owned(),
        cost: 1,
        counter: Some(1),
        data: Some(BTreeMap::from([("expires".to_owned(), expires_at_ms.into())])),
        hmac_signature_secret: Some(key.mac("captcha", &["challenge"])),
        hmac_key_signature_secret: Some(key.mac("captcha", &["solution"])),
        ..CreateChallengeOptions::default()
    });
    let challenge = challenge.expect("a challenge is made");
    let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge));
    let solution = solution.expect("it is well formed").expect("there is a solution");
    let payload = Payload { challenge, solution };
    BASE64.encode(&serde_json::to_vec(&payload).expect("it is plain data"))
}
