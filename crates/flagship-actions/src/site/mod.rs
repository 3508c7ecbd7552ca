//! Branding and pages of the site, and the saved replies.

pub mod answers_set;
pub mod brand_set;
pub mod page_remove;
pub mod page_set;
pub mod pages;

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};
    use utoipa::PartialSchema;

    use super::*;
    use crate::settings::SettingsUndo;
    use crate::settings::set::Set;

    fn recorded<A: Serialize + DeserializeOwned>(request: Value) -> Value {
        let action: A = serde_json::from_value(request).expect("a request");
        serde_json::to_value(action).expect("plain data")
    }

    #[test]
    fn records_have_no_texts_and_requests_no_members_of_records() {
        let page = json!({"page": "us", "text": "# Us", "place": "navigation", "position": 1});
        let page = recorded::<page_set::PageSet>(page);
        assert_eq!(page, json!({"page": "us", "title": ""}));
        let answers = json!({"answers": [{"title": "Yes", "text": "Yes."}]});
        assert_eq!(recorded::<answers_set::AnswersSet>(answers), json!({"answers": 1}));
        let brand = recorded::<brand_set::BrandSet>(json!({"values": {"accent": null}}));
        let expected = json!({"section": "", "keys": [], "values": {"accent": null}});
        assert_eq!(brand, expected);
        let set = json!({"section": "mail", "keys": [], "values": {}});
        assert!(serde_json::from_value::<Set>(set).is_err());
    }

    #[test]
    fn schemas_have_the_members_of_requests() {
        let schema = |schema: utoipa::openapi::RefOr<utoipa::openapi::Schema>| {
            let schema = serde_json::to_value(schema).expect("plain data");
            let members = schema["properties"].as_object().expect("an object");
            let members = members.keys().cloned().collect::<Vec<_>>().join(" ");
            (members, schema["required"].clone())
        };
        let page = schema(page_set::PageSet::schema());
        assert_eq!(page, ("page place position text".to_owned(), json!(["page", "text"])));
        let set = schema(Set::schema());
        assert_eq!(set, ("section values".to_owned(), json!(["section", "values"])));
    }

    #[test]
    fn undo_data_of_former_versions_is_read() {
        let json = r#"{"type": "settings", "section": "mail", "before": null, "left": "{}",
            "secrets": [["smtp_password", null]]}"#;
        let undo: SettingsUndo = serde_json::from_str(json).expect("undo data");
        assert_eq!((undo.section.as_str(), undo.left.as_deref()), ("mail", Some("{}")));
    }
}
