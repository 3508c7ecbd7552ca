//! Arguments of actions about one object or several.

use std::collections::BTreeSet;
use std::slice;

use flagship_store::ops::{ActionError, ActionFailure, ActionResult};
use serde_json::Value;

use crate::messages::Phrase;
use crate::rejection::{ArgumentError, Rejection};

/// Maximum number of objects per action.
const OBJECTS_MAX: usize = 250;

/// Joins the arguments for one object and for several, without duplicates.
pub fn joined(
    one: &mut Option<String>,
    several: &mut Vec<String>,
) -> Result<Vec<String>, ArgumentError> {
    let all = one.take().into_iter().chain(std::mem::take(several));
    let all: BTreeSet<String> = all.collect();
    match all.len() {
        1..=OBJECTS_MAX => Ok(all.into_iter().collect()),
        _ => Err(ArgumentError::Shape),
    }
}

/// Joins the arguments as [`joined`] does. A single object stays in the argument for one.
pub fn settle(one: &mut Option<String>, several: &mut Vec<String>) -> Result<(), ArgumentError> {
    *several = joined(one, several)?;
    if several.len() == 1 {
        *one = several.pop();
    }
    Ok(())
}

/// Objects of an action whose arguments are settled.
pub fn names<'a>(one: Option<&'a String>, several: &'a [String]) -> &'a [String] {
    one.map_or(several, slice::from_ref)
}

/// Names the object that rejected an action, if the action has several.
pub fn of_object<T>(done: ActionResult<T>, object: &str, all: &[String]) -> ActionResult<T> {
    match done {
        Err(ActionFailure::Rejected(error)) if all.len() > 1 => {
            Err(ActionError::Of { object: object.to_owned(), error: Box::new(error) }.into())
        }
        done => done,
    }
}

/// Names the object that rejected the preparation of an action, if the action has several.
pub fn prepared_of<T>(
    done: Result<T, Rejection>,
    object: &str,
    all: &[String],
) -> Result<T, Rejection> {
    match done {
        Err(rejection) if all.len() > 1 => {
            Err(Rejection::Of { object: object.to_owned(), rejection: Box::new(rejection) })
        }
        done => done,
    }
}

/// Phrase of an action about one team, or about several, which are counted.
pub fn team_phrase(one: &'static str, several: &'static str, arguments: &Value) -> Phrase {
    match arguments["teams"].as_array() {
        Some(teams) => Phrase::new(several, arguments).with("teams", teams.len()),
        None => Phrase::new(one, arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_stays_alone_and_several_are_sorted_without_duplicates() {
        let settled = |one: Option<&str>, several: &[&str]| {
            let mut one = one.map(str::to_owned);
            let mut several = several.iter().map(|it| (*it).to_owned()).collect();
            settle(&mut one, &mut several).map(|()| (one, several))
        };
        let all = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(settled(Some("b"), &[]), Ok((Some("b".to_owned()), Vec::new())));
        assert_eq!(settled(None, &["b", "b"]), Ok((Some("b".to_owned()), Vec::new())));
        assert_eq!(settled(Some("b"), &["c", "a"]), Ok((None, all(&["a", "b", "c"]))));
        assert_eq!(settled(None, &[]), Err(ArgumentError::Shape));
        let many: Vec<String> = (0..=OBJECTS_MAX).map(|number| number.to_string()).collect();
        assert_eq!(joined(&mut None, &mut many.clone()), Err(ArgumentError::Shape));
        assert_eq!(
            joined(&mut None, &mut many[1..].to_vec()).map(|all| all.len()),
            Ok(OBJECTS_MAX)
        );
    }
}
