//! Negative controls: what a test does to see itself fail. `cargo xtask torture controls` runs each
//! test that has one with the switch on and demands that it fails, in the words it announced.
//! For tests alone: the fault is always in the test, and no product crate may depend on this one.

use std::fs::OpenOptions;
use std::io::Write;
use std::panic;
use std::path::PathBuf;
use std::sync::Once;

/// Names the folder in which a test leaves what it announced and how it failed. Unset, as in every
/// other run, no control is on.
pub const VARIABLE: &str = "FLAGSHIP_CONTROLS";

/// Whether the test has to break what it looks at. `test` is its own name, `words` a piece of what
/// its assertion then says; a test may ask again, with the same words.
///
/// # Panics
/// When the switch is on and its folder cannot be written.
#[must_use]
pub fn control(test: &'static str, words: &'static str) -> bool {
    static LISTENS: Once = Once::new();
    let Some(folder) = std::env::var_os(VARIABLE) else { return false };
    LISTENS.call_once(|| {
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
