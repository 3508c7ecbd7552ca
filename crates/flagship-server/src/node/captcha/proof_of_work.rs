//! ALTCHA: the server chooses a random number, and the browser finds it by deriving a key from each
//! candidate. No third party is involved, and a solution is valid once.
//!
//! The challenge's signed data contains the expiry, in a member that the widget does not read. The
//! widget would compare the expiry with the visitor's clock, and a clock that is ahead would
//! discard every solution.

use std::collections::BTreeMap;
use std::sync::Arc;

use altcha::{Challenge, CreateChallengeOptions, Payload, VerifySolutionOptions};
use data_encoding::BASE64;
use flagship_store::Key;
use flagship_store::captchas::Solution;

use super::spent::{Reserved, Spent};
use crate::net::address::ClientNetwork;
use crate::net::permits::NetworkPermits;
use crate::node::background::Background;
use crate::node::error::NodeError;

/// Validity of a challenge, in milliseconds.
const EXPIRY_MS: i64 = 15 * 60_000;
/// Rounds for deriving one key. Creating a challenge derives one key, in about a third of a
/// millisecond.
const ROUNDS: u32 = 1_000;
/// Range of the number of keys to try. The average is half a million rounds, which take a fifth of
/// a second on one laptop core and about a second on a phone. The range starts at 1, so that a
/// search cannot skip the first keys.
const TRIES: std::ops::RangeInclusive<u32> = 1..=1_000;
/// Name of the member of the signed data that contains the expiry, in epoch milliseconds.
const EXPIRES: &str = "expires";

/// Maximum challenges that are queued or being created: about two seconds of work.
const MAKING_MAX: usize = 4_096;
/// Maximum challenges of one network that are queued or being created.
const MAKING_PER_NETWORK_MAX: usize = 256;

/// Creates challenges and checks solutions.
pub struct ProofOfWork {
    secrets: Arc<Secrets>,
    spent: Arc<Spent>,
    thread: Background<()>,
    making: NetworkPermits,
}

/// Keys that sign challenges.
struct Secrets {
    challenge: String,
    solution: String,
}

impl ProofOfWork {
    /// Creates a captcha that signs with the event's secret, so that all nodes accept each other's
    /// challenges.
    pub fn new(key: &Key, spent: Arc<Spent>) -> Self {
        Self {
            secrets: Arc::new(Secrets::new(key)),
            spent,
            thread: Background::new("captcha", 1),
            making: NetworkPermits::with_share(MAKING_MAX, MAKING_PER_NETWORK_MAX),
        }
    }

    /// Creates a challenge in the background.
    pub async fn challenge(
        &self,
        client: &ClientNetwork,
        now_ms: i64,
    ) -> Result<Challenge, NodeError> {
        let permit = self.making.acquire(client)?;
        let secrets = self.secrets.clone();
        self.thread.run(permit, move |()| secrets.challenge(now_ms)).await?
    }

    /// Reserves a valid and unused solution.
    pub fn reserve(&self, token: &str, now_ms: i64) -> Result<Reserved<'_>, NodeError> {
        let solution = self.secrets.solved(token).ok_or(NodeError::Captcha)?;
        if solution.expires_at_ms <= now_ms {
            return Err(NodeError::Captcha);
        }
        self.spent.reserve(solution, now_ms)
    }
}

impl Secrets {
    fn new(key: &Key) -> Self {
        Self {
            challenge: key.mac("captcha", &["challenge"]),
            solution: key.mac("captcha", &["solution"]),
        }
    }

    fn challenge(&self, now_ms: i64) -> Result<Challenge, NodeError> {
        let options = CreateChallengeOptions {
            algorithm: "PBKDF2/SHA-256".to_owned(),
            cost: ROUNDS,
            counter: Some(rand::random_range(TRIES)),
            data: Some(BTreeMap::from([(EXPIRES.to_owned(), (now_ms + EXPIRY_MS).into())])),
            hmac_signature_secret: Some(self.challenge.clone()),
            hmac_key_signature_secret: Some(self.solution.clone()),
            ..CreateChallengeOptions::default()
        };
        altcha::create_challenge(options).map_err(|error| {
            tracing::error!(%error, "could not make a captcha challenge");
            NodeError::Internal
        })
    }

    fn solved(&self, token: &str) -> Option<Solution> {
        let bytes = BASE64.decode(token.as_bytes()).ok()?;
        let payload: Payload = serde_json::from_slice(&bytes).ok()?;
        // Without a signed key, the library would derive the solution at any cost that the token
        // claims.
        payload.challenge.parameters.key_signature.as_ref()?;
        let verified = altcha::verify_solution(VerifySolutionOptions {
            hmac_key_signature_secret: Some(self.solution.clone()),
            ..VerifySolutionOptions::new(&payload.challenge, &payload.solution, &self.challenge)
        });
        if !verified.is_ok_and(|result| result.verified) {
            return None;
        }
        let parameters = payload.challenge.parameters;
        let expires_at_ms = parameters.data?.get(EXPIRES)?.as_i64()?;
        // The signature covers the nonce's spelling, but not its own, so the nonce identifies the
        // challenge.
        Some(Solution { nonce: parameters.nonce, expires_at_ms })
    }
}

#[cfg(test)]
mod tests {
    use altcha::SolveChallengeOptions;

    use super::*;
    use crate::net::address::TrustedNetwork;

    fn token(challenge: Challenge) -> String {
        let solution = altcha::solve_challenge(SolveChallengeOptions::new(&challenge));
        let solution = solution.expect("it is well formed").expect("there is a solution");
        let payload = Payload { challenge, solution };
        BASE64.encode(&serde_json::to_vec(&payload).expect("it is plain data"))
    }

    fn challenge(captcha: &Secrets) -> Challenge {
        captcha.challenge(0).expect("it is made")
    }

    #[test]
    fn a_spared_network_leaves_captchas_to_the_others() {
        let making = NetworkPermits::with_share(MAKING_MAX, MAKING_PER_NETWORK_MAX);
        let campus = TrustedNetwork([192, 0, 2, 0].into(), 24);
        let client = |last, is_trusted: bool| ClientNetwork {
            network: [192, 0, 2, last].into(),
            trusted: is_trusted.then_some(campus),
        };
        let take_all = |client: ClientNetwork| -> Vec<_> {
            std::iter::from_fn(|| making.acquire(&client).ok()).collect()
        };
        let campus = take_all(client(1, true));
        assert_eq!(campus.len(), MAKING_MAX / 2, "a campus has a half");
        assert!(making.acquire(&client(4, true)).is_err(), "with all its addresses");
        assert_eq!(take_all(client(2, false)).len(), MAKING_PER_NETWORK_MAX);
        assert!(making.acquire(&client(3, false)).is_ok(), "others have permits too");
    }

    #[test]
    fn only_own_unmodified_challenges_are_accepted() {
        let captcha = Secrets::new(&Key::new(b"secret"));
        let made = challenge(&captcha);
        let solved = captcha.solved(&token(made.clone())).expect("a good solution");
        assert_eq!(solved.expires_at_ms, EXPIRY_MS);
        assert_eq!(solved.nonce, made.parameters.nonce);

        let foreign = Secrets::new(&Key::new(b"another"));
        assert!(foreign.solved(&token(made.clone())).is_none());
        for easier in [
            |it: &mut Challenge| it.parameters.cost = 1,
            |it: &mut Challenge| it.parameters.key_signature = None,
            |it: &mut Challenge| it.parameters.key_prefix = "00".to_owned(),
            |it: &mut Challenge| it.parameters.data = None,
            |it: &mut Challenge| it.signature = None,
        ] {
            let mut challenge = made.clone();
            easier(&mut challenge);
            let solution =
                altcha::Solution { counter: 0, derived_key: "00".repeat(32), time: None };
            let payload = Payload { challenge, solution };
            let token = BASE64.encode(&serde_json::to_vec(&payload).expect("plain data"));
            assert!(captcha.solved(&token).is_none());
        }
        for nonsense in ["", "off", "e30=", "bnVsbA==", "W10="] {
            assert!(captcha.solved(nonsense).is_none(), "{nonsense}");
        }
    }
}
