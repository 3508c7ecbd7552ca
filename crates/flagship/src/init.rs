//! `flagship init`: creates an event folder with explanatory comments and one sample challenge.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use jiff::civil::time;
use jiff::tz::TimeZone;
use jiff::{ToSpan, Zoned};

/// Contents of the files, by path in the folder.
const FILES: [(&str, &str); 4] = [
    ("event.toml", include_str!("init/event.toml")),
    ("rules.md", include_str!("init/rules.md")),
    ("challenges/crypto/rot13/challenge.yml", include_str!("init/challenge.yml")),
    ("challenges/crypto/rot13/dist/message.txt", include_str!("init/message.txt")),
];

/// Number of days from now to the start of the event.
const DAYS: i64 = 28;

/// Creates the files of an event that starts in four weeks.
pub fn init(folder: &Path) -> Result<()> {
    let shown = folder.display();
    let making = || format!("create the folder `{shown}`");
    fs::create_dir_all(folder).with_context(making)?;
    let is_empty = fs::read_dir(folder).with_context(making)?.next().is_none();
    ensure!(is_empty, "`{shown}` is not empty; nothing was written. Use a new folder");
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
    outln!("Created `{shown}` with one challenge and an event starting in four weeks. Next:");
    outln!("  edit {shown}/event.toml");
    outln!("  flagship check --event {shown}");
    outln!("  flagship serve --event {shown} --data DATA");
    Ok(())
}

/// The machine's time zone, if it has a name that pages can show.
fn zone() -> TimeZone {
    let zone = TimeZone::system();
    let name = zone.iana_name().filter(|name| name.contains('/'));
    name.and_then(|name| TimeZone::get(name).ok()).unwrap_or(TimeZone::UTC)
}
