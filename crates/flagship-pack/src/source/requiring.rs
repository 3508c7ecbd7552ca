//! Puts the id of a challenge in place of its name where another one requires it: an id stays when
//! the name changes.

use serde_json::{Map, Value};

use super::edit::edit;
use super::keys::fields;

/// The text of a challenge that requires another one by its `name`, with the `id` in place of it.
/// `None` if it does not, or if the text cannot be edited.
pub fn requiring(text: &str, name: &str, id: &str) -> Option<String> {
    let mut required = fields(text)?.remove("requirements")?;
    let list = match &mut required {
        Value::Object(map) => map.get_mut("prerequisites")?,
        list => list,
    };
    let is_it = |item: &Value| {
        item.as_str().is_some_and(|text| text.split_whitespace().eq(name.split_whitespace()))
    };
    let mut is_any = false;
    for item in list.as_array_mut()?.iter_mut().filter(|item| is_it(item)) {
        *item = Value::from(id);
        is_any = true;
    }
    let changes = Map::from_iter([("requirements".to_owned(), required)]);
    is_any.then(|| edit(text, &changes).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_takes_the_place_of_the_name() {
        for (text, expected) in [
            ("name: B # b\nrequirements:\n- Big  Wave\n- C\n", "requirements:\n- wave\n- C\n"),
            (
                "name: B # b\nrequirements:\n  anonymize: true\n  prerequisites: ['Big Wave']\n",
                "requirements:\n  anonymize: true\n  prerequisites:\n",
            ),
        ] {
            let given = requiring(text, "Big Wave", "wave").expect("it names it");
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
