//! Former sources of challenges and former times of the event, from undo data.

use flagship_game::ChallengeId;

use super::undo_data::{DraftUndo, EventTimes, TimesUndo};
use crate::actions::{self, Record};
use crate::sources::{self, StoredSource};
use crate::{Result, Seal, Tx};

/// Actions that edit a challenge's source.
const EDIT: [&str; 3] = ["challenge.close", "challenge.create", "challenge.edit"];
/// Action that changes the event's times only if its argument `moves` is true.
const RESUME: &str = "event.resume";
/// Actions that can change the event's times.
const MOVE_TIMES: [&str; 2] = [RESUME, "event.times"];

/// Returns former sources of a challenge, newest first, back to the one from the files.
pub(super) async fn former_in(
    tx: &mut Tx,
    seal: &Seal,
    id: &ChallengeId,
) -> Result<Vec<StoredSource>> {
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

/// Returns former times of the event, newest first.
pub(super) async fn former_times_in(tx: &mut Tx, seal: &Seal) -> Result<Vec<EventTimes>> {
    let mut former = Vec::new();
    for text in actions::restores_about_in(tx, seal, "event", &MOVE_TIMES).await? {
        if let Ok(TimesUndo { before, .. }) = serde_json::from_str(&text) {
            former.push(before);
        }
    }
    Ok(former)
}

/// Returns the actor and the time of the last change of the event's times, in epoch milliseconds.
pub(super) async fn last_times_change_in(tx: &mut Tx) -> Result<(String, i64)> {
    let moves = |record: &Record| {
        record.action != RESUME || record.field("arguments")["moves"].as_bool() == Some(true)
    };
    let mut records = actions::about_in(tx, "event", &MOVE_TIMES).await?.into_iter();
    let last = records.find(moves).map(|record| (record.actor, record.at_ms));
    Ok(last.unwrap_or_default())
}

/// Object name of a challenge's source.
pub fn text_object(id: &ChallengeId) -> String {
    format!("text {id}")
}
