//! OpenAPI schema of action requests.

use std::borrow::Cow;

use utoipa::openapi::schema::{AdditionalProperties, Discriminator, SchemaType};
use utoipa::openapi::{
    KnownFormat, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

use crate::action::Kind;
use crate::list::ACTIONS;

/// Body of `POST /actions`: any action with its arguments.
pub struct ActionRequest;

impl PartialSchema for ActionRequest {
    fn schema() -> RefOr<Schema> {
        let place = |name: &str| format!("#/components/schemas/{}", component(name));
        let names = ACTIONS.iter().map(|action| action.rule.name);
        let mapping = names.clone().map(|name| (name, place(name)));
        let all = OneOfBuilder::new()
            .description(Some("An action with its arguments. Other members are rejected."))
            .discriminator(Some(Discriminator::with_mapping("action", mapping)));
        let all = names.fold(all, |all, name| all.item(Ref::from_schema_name(component(name))));
        all.into()
    }
}

impl ToSchema for ActionRequest {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("ActionRequest")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        for action in ACTIONS {
            schemas.push((component(action.rule.name), request(action)));
            (action.referenced)(schemas);
        }
    }
}

/// Name of an action's component: `TeamEndSessionsAction`.
fn component(action: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    action.split(['.', '_']).map(word).collect::<String>() + "Action"
}

/// Schema of an action: its own arguments and the common ones.
fn request(action: &Kind) -> RefOr<Schema> {
    let RefOr::T(Schema::Object(mut schema)) = (action.schema)() else { return (action.schema)() };
    let of = |of: Type, description: &str| {
        ObjectBuilder::new().schema_type(of).description(Some(description))
    };
    let reason = match action.needs_reason {
        true => "Reason for the audit log: at most 500 characters. A preview needs none.",
        false => "Reason for the audit log: at most 500 characters, or none.",
    };
    let head = "The `head` of a preview: the action is rejected if there is a later one about the \
                same objects.";
    let int64 = SchemaFormat::KnownFormat(KnownFormat::Int64);
    let number_or_null = SchemaType::Array(vec![Type::Integer, Type::Null]);
    let name = of(Type::String, "Name of the action.").enum_values(Some([action.rule.name]));
    let preview = "True for a preview, which changes nothing.";
    for (name, property) in [
        ("action", name),
        ("reason", of(Type::String, reason)),
        ("preview", of(Type::Boolean, preview)),
        ("head", of(Type::Integer, head).schema_type(number_or_null).format(Some(int64))),
    ] {
        schema.properties.insert(name.to_owned(), property.into());
    }
    schema.required.insert(0, "action".to_owned());
    schema.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
    RefOr::T(Schema::Object(schema))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;

    fn json_of(schema: RefOr<Schema>) -> Value {
        serde_json::to_value(schema).expect("it is plain data")
    }

    #[test]
    fn the_action_tells_the_variants_apart() {
        let all = json_of(ActionRequest::schema());
        assert_eq!(all["discriminator"]["propertyName"], "action");
        let mapping = all["discriminator"]["mapping"].as_object().expect("an object");
        let items = all["oneOf"].as_array().expect("a list");
        assert_eq!((mapping.len(), items.len()), (ACTIONS.len(), ACTIONS.len()));
        let place = "#/components/schemas/TeamEndSessionsAction";
        assert_eq!(mapping["team.end_sessions"], place);
        assert!(items.contains(&json!({"$ref": place})));
        let mut schemas = Vec::new();
        ActionRequest::schemas(&mut schemas);
        let names: BTreeSet<String> = schemas.into_iter().map(|(name, _)| name).collect();
        for action in ACTIONS {
            assert!(names.contains(&component(action.rule.name)), "{}", action.rule.name);
        }
    }

    #[test]
    fn a_variant_has_the_arguments_and_what_every_action_has() {
        for action in ACTIONS {
            let request = json_of(request(action));
            let name = action.rule.name;
            let properties = request["properties"].as_object().expect("an object");
            assert_eq!(properties["action"]["enum"], json!([name]), "{name}");
            let required = request["required"].as_array().expect("a list");
            assert!(required.contains(&json!("action")), "{name}");
            for common in ["reason", "preview", "head"] {
                assert!(properties.contains_key(common), "{name}: {common}");
                assert!(!required.contains(&json!(common)), "{name}: {common}");
            }
            assert_eq!(request["additionalProperties"], json!(false), "{name}");
        }
        let action = crate::list::find("team.rename").expect("it is there");
        let rename = json_of(request(action));
        assert_eq!(rename["required"], json!(["action", "team", "name"]));
        assert_eq!(rename["properties"]["offensive"]["type"], "boolean");
        assert_eq!(rename["properties"]["head"]["type"], json!(["integer", "null"]));
    }
}
