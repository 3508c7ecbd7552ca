//! `flagship init`: makes the folder of an event, with comments and one sample challenge.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use jiff::civil::time;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

/// The files, by their paths in the folder.
const FILES: [(&str, &str); 4] = [
    ("event.toml", include_str!("init/event.toml")),
    ("rules.md", include_str!("init/rules.md")),
    ("challenges/crypto/rot13/challenge.yml", include_str!("init/challenge.yml")),
    ("challenges/crypto/rot13/dist/message.txt", include_str!("init/message.txt")),
];

/// Days from now to the event.
const DAYS: i64 = 28;

/// Makes the files of an event that begins in four weeks.
pub fn init(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let making = || format!("make the folder `{shown}`");
    fs::create_dir_all(folder).with_context(making)?;
    let is_empty = fs::read_dir(folder).with_context(making)?.next().is_none();
    ensure!(is_empty, "`{shown}` is not empty, so nothing was written; name a new folder");
    let zone = zone();
    let name = zone.iana_name().unwrap_or("UTC").to_owned();
    let day = Zoned::now().with_time_zone(zone.clone()).date().saturating_add(DAYS.days());
    let at = |hour: i8| {
        let moment = day.to_datetime(time(hour, 0, 0, 0)).to_zoned(zone.clone());
        moment.map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
    };
    let (start, freeze, end) = (at(14)?, at(18)?, at(19)?);
    for (path, text) in FILES {
        let text = text
            .replace("@START@", &start)
            .replace("@FREEZE@", &freeze)
            .replace("@END@", &end)
            .replace("@ZONE@", &name);
        let file = folder.join(path);
        let writing = || format!("write `{}`", file.display());
        let parent = file.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(writing)?;
        fs::write(&file, text).with_context(writing)?;
    }
    say!("made `{shown}` with an event in four weeks and one challenge; next:");
    say!("  edit {shown}/event.toml");
    say!("  flagship check --event {shown}");
    say!("  flagship serve --event {shown} --data DATA");
    Ok(())
}

/// The time zone of this machine, if it has a name that pages can show.
fn zone() -> TimeZone {
    let zone = TimeZone::system();
    let name = zone.iana_name().filter(|name| name.contains('/'));
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}
