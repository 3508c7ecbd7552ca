//! Events and accounts for tests in which their content does not matter.

use flagship_game::{Challenge, ChallengeId, Event, Reveal, Scoring, TeamName};
use flagship_store::Key;
use flagship_store::accounts::NewAccount;
use flagship_store::challenges::{Draft, Flag};

/// The initial time of a manual clock: 14 November 2023.
pub const NOW_MS: i64 = 1_700_000_000_000;
/// An hour, in milliseconds.
pub const HOUR_MS: i64 = 3_600_000;

/// An event of one second, without a freeze.
pub fn short_event(start_ms: i64) -> Event {
    Event {
        name: "Test".to_owned(),
        start_ms: Some(start_ms),
        end_ms: Some(start_ms + 1000),
        freeze_ms: None,
        reveal: Reveal::Auto,
        timezone: "UTC".to_owned(),
        flag_format: "flag{...}".to_owned(),
        rules: String::new(),
        hint_debt: false,
        practice: false,
        divisions: Vec::new(),
    }
}

/// The account of `team number i`, without a password.
pub fn numbered_team(i: usize) -> NewAccount {
    NewAccount {
        name: TeamName::parse(&format!("team number {i}")).expect("a name"),
        email: format!("{i}@example.org"),
        country: "UN".to_owned(),
        password_hash: None,
        student: false,
        divisions: Vec::new(),
        language: None,
    }
}

/// The secret of `TestApp`.
pub fn key() -> Key {
    Key::new(b"the secret of the tests")
}

/// A running event: it began an hour ago, freezes in an hour and ends in two hours.
pub fn event() -> Event {
    Event {
        name: "The Test CTF".to_owned(),
        start_ms: Some(NOW_MS - HOUR_MS),
        end_ms: Some(NOW_MS + 2 * HOUR_MS),
        freeze_ms: Some(NOW_MS + HOUR_MS),
        reveal: Reveal::Auto,
        timezone: "Europe/Rome".to_owned(),
        flag_format: "flag{...}".to_owned(),
        rules: "<p>From {start} to {end}.</p>".to_owned(),
        hint_debt: false,
        practice: false,
        divisions: Vec::new(),
    }
}

/// A challenge of 100 points whose flag is `flag{id}`.
pub fn draft(id: &str) -> Draft {
    Draft {
        challenge: Challenge {
            id: challenge_id(id),
            name: format!("The {id}"),
            scoring: Scoring::Static { max: 100 },
            categories: vec!["misc".to_owned()],
            description: format!("<p>Find the {id}.</p>"),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: Default::default(),
        },
        flags: vec![exact(id, &format!("flag{{{id}}}"))],
        hidden: false,
        release_at_ms: None,
    }
}

/// A challenge like [`draft`], locked until other challenges are solved.
pub fn draft_after(id: &str, requirements: &[&str]) -> Draft {
    let mut draft = draft(id);
    draft.challenge.requirements = requirements.iter().map(|id| challenge_id(id)).collect();
    draft
}

/// A flag that is compared exactly.
pub fn exact(id: &str, text: &str) -> Flag {
    Flag::Exact { digest: key().flag_digest(id, text), case_insensitive: false }
}

/// A case-insensitive flag.
pub fn any_case(id: &str, text: &str) -> Flag {
    let digest = key().flag_digest(id, &text.to_lowercase());
    Flag::Exact { digest, case_insensitive: true }
}

/// A valid challenge id.
pub fn challenge_id(id: &str) -> ChallengeId {
    ChallengeId::parse(id).expect("tests name challenges well")
}
