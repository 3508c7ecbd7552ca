//! Puts the id of a challenge in place of its name where another one requires it: an id stays when
//! the name changes.

use serde_json::{Map, Value};

use super::edit::edit;
use super::error::EditError;
use super::keys::fields;

/// The text of a challenge that requires another one by its `name`, with the `id` in place of it;
/// `None` if it does not.
///
/// # Errors
/// It does, and the text cannot be edited.
pub fn requiring(text: &str, name: &str, id: &str) -> Option<Result<String, EditError>> {
    let mut required = fields(text)?.remove("requirements")?;
    let changes = |required| Map::from_iter([("requirements".to_owned(), required)]);
    let is_any = require_by_id(&mut required, &|text| is_called(text, name).then_some(id));
    is_any.then(|| edit(text, &changes(required)))
}

/// Puts ids in place of names in a value of `requirements`. `id_of` finds the id of a challenge
/// that is meant by a text. Returns whether there was one.
pub fn require_by_id<'a>(required: &mut Value, id_of: &dyn Fn(&str) -> Option<&'a str>) -> bool {
    let list = match required {
        Value::Object(map) => map.get_mut("prerequisites"),
        list => Some(list),
    };
    let mut is_any = false;
    for item in list.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(id) = item.as_str().and_then(id_of) {
            *item = Value::from(id);
            is_any = true;
        }
    }
    is_any
}

/// Whether a text is the name of a challenge. Runs of blanks count as one.
pub fn is_called(text: &str, name: &str) -> bool {
    text.split_whitespace().eq(name.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_takes_the_place_of_the_name() {
        for (text, expected) in [
            ("name: B # b\nrequirements:\n- Big  Wave\n- C\n", "requirements:\n  - wave\n  - C\n"),
            (
                "name: B # b\nrequirements:\n  anonymize: true\n  prerequisites: ['Big Wave']\n",
                "requirements:\n  prerequisites:\n    - wave\n  anonymize: true\n",
            ),
        ] {
            let given = requiring(text, "Big Wave", "wave").expect("it names it");
            let given = given.expect("it is edited");
            assert!(given.starts_with(&format!("name: B # b\n{expected}")), "{given}");
            assert!(!given.contains("Big"), "{given}");
        }
    }

    #[test]
    fn others_stay() {
        for text in
            ["name: B\n", "requirements: [big-wave, Big]\n", "requirements: 5\n", "- a\n", "[\n"]
        {
            assert_eq!(requiring(text, "Big Wave", "wave"), None, "{text}");
        }
    }
}
