//! What challenges said before actions changed it.

use flagship_game::ChallengeId;

use super::undo_data::{DraftUndo, Moments, TimesUndo};
use crate::actions;
use crate::sources::{self, Kept};
use crate::{Result, Seal, Tx};

/// Actions that edit the text of a challenge.
const EDIT: [&str; 3] = ["challenge.close", "challenge.create", "challenge.edit"];
/// Actions that may move the times of the event.
const MOVE_TIMES: [&str; 2] = ["event.resume", "event.times"];

/// The sources that a challenge had before actions changed them, the newest first, down to the one
/// of the files.
pub(super) async fn former_in(tx: &mut Tx, seal: &Seal, id: &ChallengeId) -> Result<Vec<Kept>> {
    let mut former = Vec::new();
    for text in actions::restores_about_in(tx, seal, &text_object(id), &EDIT).await? {
        let Ok(undo) = serde_json::from_str::<DraftUndo>(&text) else { continue };
        let before = match undo.challenge == *id {
            true => undo.before.source,
            false => undo.naming.into_iter().find(|it| it.challenge == *id).map(|it| it.source),
        };
        former.extend(before.map(|row| sources::open(seal, row)).transpose()?);
        if former.last().is_some_and(|former| former.changed.is_none()) {
            break;
        }
    }
    Ok(former)
}

/// The times that the event had before actions moved them, the newest first.
pub(super) async fn former_times_in(tx: &mut Tx, seal: &Seal) -> Result<Vec<Moments>> {
    let mut former = Vec::new();
    for text in actions::restores_about_in(tx, seal, "event", &MOVE_TIMES).await? {
        if let Ok(TimesUndo { before, .. }) = serde_json::from_str(&text) {
            former.push(before);
        }
    }
    Ok(former)
}

/// How actions name what a challenge says.
pub fn text_object(id: &ChallengeId) -> String {
    format!("text {id}")
}
