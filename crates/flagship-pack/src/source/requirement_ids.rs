//! Replaces the name of a required challenge with its ID, which does not change with the name.

use serde_json::{Map, Value};

use super::edit::edit;
use super::error::EditError;
use super::keys::fields;

/// Replaces `name` with `id` in the requirements of a challenge; `None` if it does not require
/// `name`.
///
/// # Errors
/// The text cannot be edited.
pub fn replace_requirement(text: &str, name: &str, id: &str) -> Option<Result<String, EditError>> {
    let mut required = fields(text)?.remove("requirements")?;
    let changes = |required| Map::from_iter([("requirements".to_owned(), required)]);
    let is_any = names_to_ids(&mut required, &|text| is_same_name(text, name).then_some(id));
    is_any.then(|| edit(text, &changes(required)))
}

/// Replaces names with IDs in a value of `requirements`. `id_of` maps a text to the ID of the
/// challenge it refers to. Returns true if any name was replaced.
pub fn names_to_ids<'a>(required: &mut Value, id_of: &dyn Fn(&str) -> Option<&'a str>) -> bool {
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

/// True if a text is the name of a challenge. Runs of whitespace count as one space.
pub fn is_same_name(text: &str, name: &str) -> bool {
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
            let given = replace_requirement(text, "Big Wave", "wave").expect("it names it");
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
            assert_eq!(replace_requirement(text, "Big Wave", "wave"), None, "{text}");
        }
    }
}
