//! Values and problems of a challenge source by key, for an editing form.

use serde_json::{Map, Number, Value as Json};

use crate::flags::NO_FLAG;
use crate::problem::Problem;
use crate::yaml::{self, Document, NODES_MAX, Node, Value};

/// Returns the top-level keys of a `challenge.yml` with their values, including those of merged
/// mappings. Strings and numbers keep their spelling, so that passing a value back to
/// [`edit`](super::edit()) changes nothing. `None` if the text is not a mapping, or if its aliases
/// expand to too many nodes.
pub fn fields(text: &str) -> Option<Map<String, Json>> {
    let document = yaml::parse(text).ok()?;
    let mut left = NODES_MAX;
    match json(&document.root, &mut left)? {
        Json::Object(fields) => Some(fields),
        _ => None,
    }
}

/// True if the text sets the `id` of its challenge; otherwise the ID is derived from the name.
pub fn has_id(text: &str) -> bool {
    fields(text).is_some_and(|fields| fields.get("id").is_some_and(|id| !id.is_null() && id != ""))
}

/// Converts a node to JSON; `None` if it expands to more than `left` nodes. The parser limits the
/// depth.
fn json(node: &Node, left: &mut usize) -> Option<Json> {
    *left = left.checked_sub(1)?;
    Some(match &node.value {
        Value::Scalar { .. } if node.is_null() => Json::Null,
        Value::Scalar { text, plain } => scalar(text, *plain),
        Value::List(items) => {
            Json::Array(items.iter().map(|item| json(item, left)).collect::<Option<_>>()?)
        }
        Value::Map(_) => {
            let mut fields = Map::new();
            add(node, &mut fields, left)?;
            Json::Object(fields)
        }
    })
}

/// Adds the entries of a mapping, then those of the mappings it merges; the first entry of a key
/// wins.
fn add(node: &Node, fields: &mut Map<String, Json>, left: &mut usize) -> Option<()> {
    // The last of several duplicate keys is the one that is read.
    for entry in node.entries().iter().rev().filter(|entry| entry.key != "<<") {
        if !fields.contains_key(&entry.key) {
            fields.insert(entry.key.clone(), json(&entry.value, left)?);
        }
    }
    for merged in node.merged() {
        *left = left.checked_sub(1)?;
        add(merged, fields, left)?;
    }
    Some(())
}

/// Returns a boolean or whole number if it is spelled as in JSON, otherwise the text.
fn scalar(text: &str, plain: bool) -> Json {
    let number = || text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    match (plain, text) {
        (true, "true") => Json::Bool(true),
        (true, "false") => Json::Bool(false),
        (true, _) => number().map_or_else(|| text.into(), |it| Json::Number(Number::from(it))),
        (false, _) => text.into(),
    }
}

/// Keys that a problem can concern even if they are missing.
const MISSED: [&str; 4] = ["name", "flags", "extra", "id"];

/// The top-level keys of a text, used to assign problems to keys.
pub struct Keys(Option<Document>);

impl Keys {
    /// Parses the keys of a text; empty if it is not valid.
    pub fn of(text: &str) -> Self {
        Self(yaml::parse(text).ok())
    }

    /// Returns the key whose lines contain the problem, or the missing key that caused it.
    pub fn about(&self, problem: &Problem) -> Option<&str> {
        let root = &self.0.as_ref()?.root;
        if problem.line == root.line
            && let Some(missed) = MISSED.into_iter().find(|key| is_missed(root, key, problem))
        {
            return Some(missed);
        }
        let above = root.entries().iter().filter(|entry| entry.line <= problem.line);
        above.max_by_key(|entry| entry.line).map(|entry| &*entry.key)
    }
}

/// True if a problem reports that a key is missing.
fn is_missed(root: &Node, key: &str, problem: &Problem) -> bool {
    let is_named = || match key {
        "flags" => problem.message == NO_FLAG,
        _ => problem.message.contains(&format!("`{key}")),
    };
    root.get(key).is_none() && is_named()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::problem::Severity;
    use crate::source::edit;

    const TEXT: &str = "name: One\nvalue: 0100\nposition: 3\nflags:\n  - 'flag{one}'\n  \
                        - {type: regex, content: \"a b\"}\nextra: {decay: 5, on: true}\n\
                        state: ~\nname: Two\n";

    #[test]
    fn values_are_those_that_an_edit_takes_for_the_same() {
        let fields = fields(TEXT).expect("a map");
        let expected = json!({"name": "Two", "value": "0100", "position": 3, "state": null,
            "flags": ["flag{one}", {"type": "regex", "content": "a b"}],
            "extra": {"decay": 5, "on": true}});
        assert_eq!(Json::Object(fields.clone()), expected);
        let mut unique = fields;
        unique.remove("name");
        assert_eq!(edit(TEXT, &unique).as_deref(), Ok(TEXT));
    }

    #[test]
    fn merged_maps_add_what_is_not_written() {
        let text = "base: &base {value: 1, type: dynamic}\n<<: *base\nvalue: 2\n";
        let fields = fields(text).expect("a map");
        assert_eq!((&fields["value"], &fields["type"]), (&json!(2), &json!("dynamic")));
    }

    #[test]
    fn what_is_no_map_or_too_large_has_no_values() {
        assert_eq!(fields("- a\n- b\n"), None);
        assert_eq!(fields("name: [\n"), None);
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let alias = format!("*a{}", level - 1);
            bomb += &format!("a{level}: &a{level} [{}]\n", [alias.as_str(); 10].join(", "));
        }
        assert_eq!(fields(&bomb), None);
    }

    #[test]
    fn a_problem_is_about_the_key_of_its_line_or_the_missing_one() {
        let keys = Keys::of("name: One\ntype: speedrun\nhints:\n  - a\n  - b\n");
        let about = |line, message: &str| {
            let file = PathBuf::new();
            let message = message.to_owned();
            keys.about(&Problem { severity: Severity::Error, file, line, message })
        };
        assert_eq!(about(5, "this hint cannot be displayed"), Some("hints"));
        assert_eq!(about(2, "unknown type"), Some("type"));
        assert_eq!(about(1, NO_FLAG), Some("flags"));
        assert_eq!(about(1, "a speedrun requires `extra: {values: [1]}`"), Some("extra"));
        assert_eq!(about(1, "`name` contains control characters"), Some("name"));
        assert_eq!(
            Keys::of("- a\n").about(&Problem {
                severity: Severity::Error,
                file: PathBuf::new(),
                line: 1,
                message: String::new(),
            }),
            None
        );
    }
}
