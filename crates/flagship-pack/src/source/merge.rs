//! Merges live edits into the text of a file, key by key. The rest of the file stays unchanged.

use serde_json::{Map, Value};

use super::edit::edit;
use super::error::EditError;
use super::keys::fields;
use super::three_way::{Conflict, State, three_way};

/// Keys that control the visibility of a challenge. Live edits of these always win over the file.
const OF_SHOWING: [&str; 3] = ["state", "release", "scheduled_at"];

/// Result of merging live edits into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The file already contains all live edits.
    Unchanged,
    /// The new text of the file.
    Text(String),
    /// Keys that were changed both in the file and live, and whose values in the file are kept. The
    /// text contains all other live edits, if the file can be edited.
    Conflict(Vec<String>, Option<String>),
}

/// Merges live edits into the text of a file. `base` is the text that was last applied. Where both
/// the file and the live text differ from it, the live values win if one of the `former` texts has
/// all the values of the file: they were live once and have been changed since.
pub fn merge(base: Option<&str>, file: &str, live: &str, former: &[&str]) -> Merge {
    let (keys, both) = match three_way(base, Some(file), Some(live)) {
        State::Same | State::FilesChanged(_) | State::BothSame(_) | State::Merged(_) => {
            return Merge::Unchanged;
        }
        State::LiveChanged(keys) => (keys, Vec::new()),
        State::Conflict(Conflict { live, both, .. }) => (live, both),
    };
    if base == Some(file) {
        return Merge::Text(live.to_owned());
    }
    let written = fields(file).unwrap_or_default();
    let former: Vec<_> = former.iter().filter_map(|text| fields(text)).collect();
    let mut lost = both;
    lost.retain(|key| !OF_SHOWING.contains(&key.as_str()));
    let has = |text: &Map<String, Value>, key: &String| {
        written.get(key).is_some_and(|value| text.get(key) == Some(value))
    };
    if former.iter().any(|text| lost.iter().all(|key| has(text, key))) {
        lost.clear();
    }
    let others: Vec<String> = keys.iter().filter(|key| !lost.contains(key)).cloned().collect();
    match taken(base, file, live, &others) {
        Some(text) if lost.is_empty() => Merge::Text(text),
        Some(text) => Merge::Conflict(lost, Some(text)),
        None => Merge::Conflict(keys, None),
    }
}

/// Returns the text of a file with all live edits, overwriting its own changes; `None` if the file
/// cannot be edited.
pub fn overwritten(base: Option<&str>, file: &str, live: &str) -> Option<String> {
    let keys = match three_way(base, Some(file), Some(live)) {
        State::LiveChanged(keys) | State::Conflict(Conflict { live: keys, .. }) => keys,
        _ => return Some(file.to_owned()),
    };
    taken(base, file, live, &keys)
}

/// Returns the text of a file with the live values of these keys; `None` if it cannot be edited.
fn taken(base: Option<&str>, file: &str, live: &str, keys: &[String]) -> Option<String> {
    let text = set(file, live, keys).ok()?;
    let left = match three_way(base, Some(&text), Some(live)) {
        State::Same | State::FilesChanged(_) | State::BothSame(_) | State::Merged(_) => Vec::new(),
        State::LiveChanged(keys) => keys,
        State::Conflict(Conflict { both, .. }) => both,
    };
    (!left.iter().any(|key| keys.contains(key))).then_some(text)
}

fn set(file: &str, live: &str, keys: &[String]) -> Result<String, EditError> {
    let mut values = fields(live).unwrap_or_default();
    let value = |key: &String| (key.clone(), values.remove(key).unwrap_or(Value::Null));
    edit(file, &keys.iter().map(value).collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "name: A # ours\nvalue: 1\nauthor: bob\nflags: [a]\n";

    #[test]
    fn a_file_that_is_as_it_was_applied_becomes_what_is_live() {
        let live = "name: A # theirs\nvalue: 2\n";
        assert_eq!(merge(Some(BASE), BASE, live, &[]), Merge::Text(live.to_owned()));
    }

    #[test]
    fn what_the_file_alone_changes_stays_with_its_comments() {
        let file = BASE.replace("bob", "us # two");
        let live = BASE.replace("value: 1", "value: 2").replace("[a]", "[b]");
        let merged = "name: A # ours\nvalue: 2\nauthor: us # two\nflags:\n- b\n";
        let Merge::Text(text) = merge(Some(BASE), &file, &live, &[]) else { panic!("no text") };
        assert_eq!(fields(&text), fields(merged));
        assert!(text.starts_with("name: A # ours\nvalue: 2\nauthor: us # two\n"), "{text}");
        assert_eq!(merge(Some(BASE), &text, &live, &[]), Merge::Unchanged);
    }

    #[test]
    fn a_value_that_both_change_is_lost_only_if_it_was_never_live() {
        let file = BASE.replace("value: 1", "value: 2");
        let live = BASE.replace("value: 1", "value: 3");
        let live = live.replace("[a]", "[b]");
        let Merge::Conflict(keys, Some(text)) = merge(Some(BASE), &file, &live, &[BASE]) else {
            panic!("no conflict")
        };
        assert_eq!(keys, ["value"]);
        assert!(
            text.contains("value: 2") && text.contains("- b"),
            "the other edits are merged: \
                                                                    {text}"
        );
        let Merge::Text(text) = merge(Some(BASE), &file, &live, &[BASE, &file]) else {
            panic!("no text")
        };
        assert_eq!(fields(&text), fields(&live));
        let text = overwritten(Some(BASE), &file, &live).expect("it is edited");
        assert_eq!(fields(&text), fields(&live));
    }

    #[test]
    fn whether_it_is_shown_gives_way_always() {
        let file = format!("{BASE}state: hidden\n");
        let live = format!("{BASE}state: visible\n");
        assert_eq!(merge(Some(BASE), &file, &live, &[]), Merge::Text(live));
    }

    #[test]
    fn a_file_that_cannot_be_edited_stays() {
        let live = BASE.replace("value: 1", "value: 3");
        for file in ["name: [\n", "{name: A, value: 1, author: us, flags: [a]}"] {
            let given = merge(Some(BASE), file, &live, &[]);
            assert_eq!(given, Merge::Conflict(vec!["value".to_owned()], None), "{file}");
            assert_eq!(overwritten(Some(BASE), file, &live), None, "{file}");
        }
    }
}
