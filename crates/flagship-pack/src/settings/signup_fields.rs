//! `[[registration.fields]]`: questions of the signup form, and their answers.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::problem::{Report, quote};
use crate::table::Table;

/// Maximum number of fields.
const FIELDS_MAX: usize = 20;
/// Maximum number of choices of a field.
const CHOICES_MAX: usize = 100;
/// Maximum length of a text answer and of a choice, in characters.
const ANSWER_CHARS_MAX: usize = 200;
/// Maximum length of an ID, in bytes.
const ID_BYTES_MAX: usize = 40;
const KEYS: &[&str] = &["id", "label", "type", "choices", "required"];

/// Kind of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignupFieldType {
    /// One line of text.
    #[default]
    Text,
    /// One of the choices.
    Choice,
    /// A checkbox next to a statement.
    Consent,
}

impl SignupFieldType {
    const NAMED: [(&str, Self); 3] =
        [("text", Self::Text), ("choice", Self::Choice), ("consent", Self::Consent)];
}

/// A question of the signup form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignupField {
    /// ID of the answer.
    pub id: String,
    /// Question, or the statement that a team consents to.
    pub label: String,
    /// Kind of the answer.
    #[serde(rename = "type")]
    pub kind: SignupFieldType,
    /// Answers to choose from.
    #[serde(default)]
    pub choices: Vec<String>,
    /// True if a team must answer to sign up.
    #[serde(default)]
    pub required: bool,
}

/// An answer in the signup form. No `Debug`, because it is private.
#[derive(Clone, PartialEq, Eq)]
pub struct SignupAnswer {
    /// ID of the field.
    pub field: String,
    /// The text or choice; `true` or `false` for a consent.
    pub value: Value,
    /// Label of the field at the signup, such as the statement that the team consented to.
    pub label: String,
}

/// The fields of a table `[registration]`.
pub(crate) fn signup_fields(table: &Table<'_, '_>, report: &mut Report) -> Vec<SignupField> {
    let mut ids = HashSet::new();
    let mut fields = Vec::new();
    for table in table.tables("fields", "registration.fields", FIELDS_MAX, report) {
        table.refuse_unknown(KEYS, &[], report);
        let Some(field) = signup_field(&table, report) else { continue };
        if ids.insert(field.id.clone()) {
            fields.push(field);
        } else {
            let message = format!("two fields have the `id` {}", quote(&field.id));
            report.error(table.line("id"), message);
        }
    }
    fields
}

fn signup_field(table: &Table<'_, '_>, report: &mut Report) -> Option<SignupField> {
    let errors_before = report.errors();
    let says = "must have 1 to 40 lowercase letters, digits, dashes or underscores";
    let id = table.text_where("id", says, is_id, report);
    let label = table.text("label", report);
    let kind = table.choice("type", &SignupFieldType::NAMED, report);
    let says = "must be texts of at most 200 characters";
    let choices = table.list("choices", says, choice, report).unwrap_or_default();
    let required = table.boolean("required", report).unwrap_or(false);
    let is_choice = kind == Some(SignupFieldType::Choice);
    if is_choice && !(1..=CHOICES_MAX).contains(&choices.len()) {
        let message = format!("a choice requires 1 to {CHOICES_MAX} `choices`");
        report.error(table.line("type"), message);
    }
    if !is_choice && !choices.is_empty() {
        report.error(table.line("choices"), "only a field of type \"choice\" has `choices`");
    }
    let field = id.zip(label).zip(kind);
    let Some(((id, label), kind)) = field else {
        if report.errors() == errors_before {
            report.error(table.line("id"), "a field requires an `id`, a `label` and a `type`");
        }
        return None;
    };
    Some(SignupField { id, label, kind, choices, required })
}

fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (1..=ID_BYTES_MAX).contains(&text.len())
        && text.bytes().all(|byte| is_part(byte) || matches!(byte, b'-' | b'_'))
}

fn choice(text: &str) -> Option<String> {
    let is_valid = (1..=ANSWER_CHARS_MAX).contains(&text.chars().count());
    (is_valid && !text.contains(char::is_control)).then(|| text.to_owned())
}

/// Checks the answers of a signup. Blank answers to fields that are not required are left out.
///
/// # Errors
/// Returns the label of the first field whose answer is missing or invalid; empty for an unknown
/// field.
pub fn signup_answers(
    fields: &[SignupField],
    given: &Map<String, Value>,
) -> Result<Vec<SignupAnswer>, String> {
    if given.keys().any(|id| fields.iter().all(|field| field.id != *id)) {
        return Err(String::new());
    }
    let mut answers = Vec::new();
    for field in fields {
        let SignupField { id, label, required, .. } = field;
        let value = answer(field, given.get(id)).ok_or_else(|| label.clone())?;
        match value {
            Some(value) => {
                answers.push(SignupAnswer { field: id.clone(), value, label: label.clone() });
            }
            None if *required => return Err(label.clone()),
            None => {}
        }
    }
    Ok(answers)
}

/// Returns the stored form of an answer: `Some(None)` if it is empty, and `None` if it is invalid.
fn answer(field: &SignupField, given: Option<&Value>) -> Option<Option<Value>> {
    let text = match (field.kind, given) {
        (_, None | Some(Value::Null)) => return Some(None),
        (SignupFieldType::Consent, Some(Value::Bool(given))) => {
            let is_missing = field.required && !given;
            return Some((!is_missing).then_some(Value::Bool(*given)));
        }
        (SignupFieldType::Consent, Some(_)) => return None,
        (_, Some(given)) => given.as_str()?.trim(),
    };
    if text.is_empty() {
        return Some(None);
    }
    let is_valid = match field.kind {
        SignupFieldType::Choice => field.choices.iter().any(|choice| choice == text),
        _ => text.chars().count() <= ANSWER_CHARS_MAX && !text.contains(char::is_control),
    };
    is_valid.then(|| Some(Value::from(text)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(id: &str, kind: SignupFieldType, required: bool) -> SignupField {
        let choices = match kind {
            SignupFieldType::Choice => vec!["Turin".to_owned(), "Milan".to_owned()],
            _ => Vec::new(),
        };
        SignupField { id: id.to_owned(), label: format!("The {id}"), kind, choices, required }
    }

    fn answered(fields: &[SignupField], given: &Value) -> Result<Vec<(String, Value)>, String> {
        let given = given.as_object().expect("an object");
        let answers = signup_answers(fields, given)?;
        Ok(answers.into_iter().map(|it| (it.field, it.value)).collect())
    }

    #[test]
    fn answers_are_checked_by_type() {
        let fields = [
            field("school", SignupFieldType::Text, true),
            field("city", SignupFieldType::Choice, false),
            field("privacy", SignupFieldType::Consent, true),
        ];
        let all = json!({"school": " Nautical ", "city": "Turin", "privacy": true});
        let expected =
            [("school", json!("Nautical")), ("city", json!("Turin")), ("privacy", json!(true))];
        let expected = expected.map(|(id, value)| (id.to_owned(), value));
        assert_eq!(answered(&fields, &all), Ok(expected.into()));
        let long = "x".repeat(201);
        for (given, refused) in [
            (json!({"privacy": true}), "The school"),
            (json!({"school": " \t", "privacy": true}), "The school"),
            (json!({"school": long, "privacy": true}), "The school"),
            (json!({"school": "a\nb", "privacy": true}), "The school"),
            (json!({"school": 7, "privacy": true}), "The school"),
            (json!({"school": "a", "city": "Rome", "privacy": true}), "The city"),
            (json!({"school": "a", "privacy": false}), "The privacy"),
            (json!({"school": "a", "privacy": "true"}), "The privacy"),
            (json!({"school": "a"}), "The privacy"),
            (json!({"school": "a", "privacy": true, "other": "b"}), ""),
        ] {
            assert_eq!(answered(&fields, &given), Err(refused.to_owned()), "{given}");
        }
    }

    #[test]
    fn blank_answers_that_are_not_required_are_left_out() {
        let fields = [
            field("school", SignupFieldType::Text, false),
            field("city", SignupFieldType::Choice, false),
            field("news", SignupFieldType::Consent, false),
        ];
        assert_eq!(answered(&fields, &json!({"school": "", "city": ""})), Ok(Vec::new()));
        // A consent that is not given is stored as `false`.
        let refused = vec![("news".to_owned(), json!(false))];
        assert_eq!(answered(&fields, &json!({"news": false})), Ok(refused));
    }
}
