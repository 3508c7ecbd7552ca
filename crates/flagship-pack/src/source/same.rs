//! Compares values: two YAML nodes, or a YAML node and a JSON value. Comments, quotes, and the
//! order of keys are ignored.

use std::collections::HashMap;

use serde_json::Value as Json;

use crate::yaml::{Node, Value};

/// Maximum number of nodes per comparison. Aliases count each time, because a few lines could
/// otherwise take exponential time.
const COMPARED_MAX: usize = 1_000_000;

/// Remaining number of nodes to compare.
pub(super) struct Budget(usize);

impl Budget {
    pub(super) fn new() -> Self {
        Self(COMPARED_MAX)
    }

    /// Returns false if the budget is exhausted. Values that are too large to compare count as
    /// different.
    fn spend(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// True if both nodes have the same value.
pub(super) fn nodes(a: &Node, b: &Node, budget: &mut Budget) -> bool {
    if !budget.spend() {
        return false;
    }
    match (&a.value, &b.value) {
        (Value::Scalar { text: one, .. }, Value::Scalar { text: other, .. }) => {
            a.is_null() == b.is_null() && (a.is_null() || one == other)
        }
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| nodes(a, b, budget))
        }
        (Value::Map(_), Value::Map(_)) => {
            let (a, b) = (entries(a), entries(b));
            a.len() == b.len()
                && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| nodes(a, b, budget)))
        }
        _ => false,
    }
}

/// True if `node` has the value `json`. Strings match with or without quotes.
pub(super) fn json(node: &Node, json: &Json, budget: &mut Budget) -> bool {
    if !budget.spend() {
        return false;
    }
    match (&node.value, json) {
        (Value::Scalar { text, .. }, Json::String(wanted)) => text == wanted && !node.is_null(),
        (Value::Scalar { .. }, Json::Null) => node.is_null(),
        (Value::Scalar { text, plain: true }, Json::Number(wanted)) => *text == wanted.to_string(),
        (Value::Scalar { text, plain: true }, Json::Bool(wanted)) => *text == wanted.to_string(),
        (Value::List(items), Json::Array(wanted)) => {
            items.len() == wanted.len()
                && items.iter().zip(wanted).all(|(node, wanted)| self::json(node, wanted, budget))
        }
        (Value::Map(_), Json::Object(wanted)) => {
            let entries = entries(node);
            let is_same = |(key, node): (&&str, &&Node), budget: &mut Budget| {
                wanted.get(*key).is_some_and(|wanted| self::json(node, wanted, budget))
            };
            entries.len() == wanted.len() && entries.iter().all(|entry| is_same(entry, budget))
        }
        _ => false,
    }
}

/// Entries of a mapping as written; the last of duplicate keys wins.
pub(super) fn entries(node: &Node) -> HashMap<&str, &Node> {
    node.entries().iter().map(|entry| (&*entry.key, &*entry.value)).collect()
}
