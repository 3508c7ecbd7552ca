//! A small event in a temporary folder.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

/// An event folder, and the time of its creation.
pub struct EventFolder(TempDir, Timestamp);

/// The event's times, in milliseconds from the creation of the folder.
#[derive(Clone, Copy)]
pub struct Times {
    pub start: i64,
    pub freeze: Option<i64>,
    pub end: i64,
}

impl Times {
    /// Began a minute ago, ends in an hour, never freezes.
    pub const RUNNING: Self = Self { start: -60_000, freeze: None, end: 3_600_000 };
}

impl EventFolder {
    /// A running event without a captcha and with the challenges `one` (100 points), `two` (50
    /// points, requires `one`), `three` (dynamic) and `spare` (hidden). The flag of `one` is
    /// `flag{one}`, and so on.
    pub fn new() -> Self {
        let event = Self(TempDir::new().expect("a temporary folder"), Timestamp::now());
        event.set_times(Times::RUNNING, "auto");
        event.write("rules.md", "# Rules\n\nBe kind.\n");
        event.challenge("one", "type: standard\nvalue: 100");
        event.challenge("two", "type: standard\nvalue: 50\nrequirements: [one]");
        event.challenge("three", "type: dynamic\nextra: {initial: 500, minimum: 50}");
        event.challenge("spare", "type: standard\nvalue: 10\nstate: hidden");
        event
    }

    /// The current time, relative as in [`Times`].
    pub fn now(&self) -> i64 {
        Timestamp::now().as_millisecond() - self.1.as_millisecond()
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path, as a command line argument.
    pub fn dir(&self) -> &str {
        self.path().to_str().expect("temporary folders have plain names")
    }

    pub fn file(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.file(path);
        std::fs::create_dir_all(file.parent().expect("inside the folder")).unwrap();
        std::fs::write(file, text).unwrap();
    }

    /// Writes a challenge with its usual flag and the additional `lines`.
    pub fn challenge(&self, id: &str, lines: &str) {
        let text = format!(
            "name: Challenge {id}\nid: {id}\ncategory: misc\ndescription: What is it?\n\
             flags: [\"flag{{{id}}}\"]\n{lines}\n"
        );
        self.write(&format!("challenges/{id}/challenge.yml"), &text);
    }

    /// Writes `event.toml` with these times.
    pub fn set_times(&self, times: Times, reveal: &str) {
        self.write("event.toml", &toml(self.1, times, reveal));
    }
}

/// An `event.toml` whose times are relative to `zero`.
pub fn toml(zero: Timestamp, times: Times, reveal: &str) -> String {
    let at = |ms: i64| (zero + SignedDuration::from_millis(ms)).to_string();
    let freeze = times.freeze.map(|ms| format!("freeze = {}\n", at(ms))).unwrap_or_default();
    format!(
        "[event]\nname = \"Small CTF\"\nstart = {}\n{freeze}end = {}\n\
         flag_format = \"flag{{...}}\"\nreveal = \"{reveal}\"\n\
         [captcha]\nprovider = \"off\"\n[mail]\ntransport = \"file\"\n\
         [limits]\nsignups_per_network_per_hour = 0\n",
        at(times.start),
        at(times.end),
    )
}
