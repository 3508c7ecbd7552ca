//! Events and accounts for tests in which their content does not matter.

use flagship_game::{Event, Reveal, TeamName};
use flagship_store::accounts::NewAccount;

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
        language: None,
    }
}
