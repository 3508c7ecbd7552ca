//! Arguments of actions, derived from their schemas.

use std::collections::HashMap;

use serde_json::Value;

use crate::action::Kind;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A string.
    Text,
    /// A time with an offset.
    Time,
    /// An integer.
    Integer,
    /// A boolean.
    Boolean,
    /// One of several words.
    Words(Vec<String>),
    /// A list.
    List(Box<Self>),
    /// An object or any other value.
    Object,
}

/// An argument of an action.
#[derive(Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name in a request.
    pub name: String,
    /// Type of the argument.
    pub of: Type,
    /// True if the argument is optional.
    pub is_optional: bool,
}

/// Arguments of an action, required ones first.
pub fn arguments(action: &Kind) -> Vec<Argument> {
    let json = |schema| serde_json::to_value(schema).unwrap_or_default();
    let mut referenced = Vec::new();
    (action.referenced)(&mut referenced);
    let referenced: HashMap<String, Value> =
        referenced.into_iter().map(|(name, schema)| (name, json(schema))).collect();
    let schema = json((action.schema)());
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let properties = schema["properties"].as_object().into_iter().flatten();
    let arguments = properties.map(|(name, schema)| Argument {
        name: name.clone(),
        of: type_of(schema, &referenced),
        is_optional: !required.iter().any(|it| it.as_str() == Some(name.as_str())),
    });
    let (optional, needed): (Vec<_>, Vec<_>) = arguments.partition(|it| it.is_optional);
    needed.into_iter().chain(optional).collect()
}

/// Type that a schema describes, nullable or not.
fn type_of(schema: &Value, referenced: &HashMap<String, Value>) -> Type {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return referenced.get(name).map_or(Type::Object, |schema| type_of(schema, referenced));
    }
    let parts = ["oneOf", "allOf", "anyOf"].into_iter();
    let parts = parts.filter_map(|name| schema[name].as_array()).flatten();
    if let Some(part) = parts.into_iter().find(|part| part["type"] != "null") {
        return type_of(part, referenced);
    }
    if let Some(words) = schema["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str).map(str::to_owned);
        return Type::Words(words.collect());
    }
    let of = match &schema["type"] {
        Value::Array(types) => types.iter().find(|it| *it != "null"),
        of => Some(of),
    };
    match of.and_then(Value::as_str) {
        Some("string") if schema["format"] == "date-time" => Type::Time,
        Some("string") => Type::Text,
        Some("integer") => Type::Integer,
        Some("boolean") => Type::Boolean,
        Some("array") => Type::List(Box::new(type_of(&schema["items"], referenced))),
        _ => Type::Object,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::list::find;

    #[test]
    fn needed_arguments_come_first() {
        let action = find("team.rename").expect("it is there");
        let text =
            |name: &str| Argument { name: name.to_owned(), of: Type::Text, is_optional: false };
        let offensive =
            Argument { name: "offensive".to_owned(), of: Type::Boolean, is_optional: true };
        assert_eq!(arguments(action), [text("name"), text("team"), offensive]);
    }

    #[test]
    fn arguments_that_are_not_recorded_are_described() {
        for (action, name) in
            [("team.note", "text"), ("team.message", "text"), ("team.address", "email")]
        {
            let arguments = arguments(find(action).expect("it is there"));
            let argument = arguments.iter().find(|it| it.name == name).expect("it is described");
            assert!(!argument.is_optional, "{action}");
        }
    }

    #[test]
    fn each_form_of_a_schema_has_its_type() {
        let time = json!({"type": "string", "format": "date-time"});
        let referenced = HashMap::from([("Time".to_owned(), time)]);
        let reference = json!({"$ref": "#/components/schemas/Time"});
        let of = |schema: Value| type_of(&schema, &referenced);
        assert_eq!(of(reference.clone()), Type::Time);
        assert_eq!(of(json!({"oneOf": [{"type": "null"}, reference]})), Type::Time);
        assert_eq!(of(json!({"type": ["string", "null"]})), Type::Text);
        assert_eq!(of(json!({"type": "integer", "format": "int64"})), Type::Integer);
        let words = json!({"type": "string", "enum": ["a", "b"]});
        assert_eq!(of(words), Type::Words(vec!["a".to_owned(), "b".to_owned()]));
        let list = json!({"type": "array", "items": {"type": "string"}});
        assert_eq!(of(list), Type::List(Box::new(Type::Text)));
        assert_eq!(of(json!({})), Type::Object);
        assert_eq!(of(json!({"type": "object", "additionalProperties": {}})), Type::Object);
    }
}
