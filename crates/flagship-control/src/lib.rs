//! Negative controls: a test proves that it can fail. `cargo xtask torture controls` runs each test
//! that has a control with the switch on, and requires it to fail with the announced message. The
//! fault is always in the test. Also finds the optional data of real events. No product crate may
//! depend on this one.

mod data;

use std::fs::OpenOptions;
use std::io::Write;
use std::panic;
use std::path::PathBuf;
use std::sync::Once;

pub use data::{NOT_CHECKED, not_checked, shared_data};

/// The environment variable with the folder to which a test writes the announced message and its
/// actual failure. Controls are off while it is unset.
pub const VARIABLE: &str = "FLAGSHIP_CONTROLS";

/// True if the test must break what it checks. `test` is the name of the test. `words` is a part of
/// the message with which its assertion then fails. A test can call this several times with the
/// same words.
///
/// # Panics
/// If the switch is on and its folder cannot be written.
#[must_use]
pub fn control(test: &'static str, words: &'static str) -> bool {
    static HOOK: Once = Once::new();
    let Some(folder) = std::env::var_os(VARIABLE) else { return false };
    HOOK.call_once(|| {
        let file = PathBuf::from(folder).join(format!("{test}.{}", std::process::id()));
        let note = move |line: &str| {
            let opened = OpenOptions::new().create(true).append(true).open(&file);
            let written = opened.and_then(|mut file| writeln!(file, "{line}"));
            written.expect("the folder of the controls can be written");
        };
        note(words);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            note(panic.payload_as_str().unwrap_or_default());
            before(panic);
        }));
    });
    true
}
