//! Requests of actions, as they are sent.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What every action has.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Common {
    /// A reason, for the record of organizers; at most 500 characters.
    #[serde(default)]
    pub(super) reason: String,
    /// True to see what would change, and to change nothing.
    #[serde(default)]
    pub(super) preview: bool,
    /// The head that a preview returned: the action is rejected if somebody touched the same object
    /// since.
    #[serde(default)]
    pub(super) head: Option<i64>,
}

impl From<Common> for flagship_actions::Common {
    fn from(Common { reason, preview, head }: Common) -> Self {
        Self { reason, is_preview: preview, head }
    }
}

/// An action as it was sent.
pub struct Given {
    pub(super) action: String,
    pub(super) fields: Map<String, Value>,
    pub(super) common: Common,
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut fields = Map::<String, Value>::deserialize(from)?;
        let Some(Value::String(action)) = fields.remove("action") else {
            return Err(D::Error::missing_field("action"));
        };
        let common = ["reason", "preview", "head"];
        let common = common.into_iter().filter_map(|name| fields.remove_entry(name)).collect();
        let common = serde_json::from_value(Value::Object(common)).map_err(D::Error::custom)?;
        Ok(Self { action, fields, common })
    }
}
