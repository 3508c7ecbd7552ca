//! Request bodies of actions.

use flagship_actions::Common;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// An action in a request.
pub struct ActionBody {
    pub(super) action: String,
    pub(super) fields: Map<String, Value>,
    pub(super) common: Common,
}

impl<'de> Deserialize<'de> for ActionBody {
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
