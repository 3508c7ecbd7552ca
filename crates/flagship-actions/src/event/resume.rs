//! `event.resume`

use flagship_game::Event;
use flagship_game::entry::Phase;
use flagship_store::ops::undo_data::Moments;

use super::{OBJECT, pause, present, times};
use crate::prelude::*;
use crate::release_states::{self, ReleaseState};

/// Takes flags again.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// True if the end, the freeze and the releases that are to come move by the length of the
    /// pause.
    #[serde(default)]
    pub moves: bool,
}

impl Action for Resume {
    const RULE: Rule = Rule { name: "event.resume", roles: RUNNERS, factor: Factor::Once };
    const MOVES_TEAMS: bool = true;
    const CAN_BE_ANNOUNCED: bool = true;
    const LISTS: &'static [List] = OF_EVENT;
    type Undo = ResumeUndo;

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<ResumeUndo>> {
        context.touch([OBJECT]).await?;
        let (contest, now_ms) = (context.contest(), context.now_ms());
        let paused_ms = contest.paused_at_ms().ok_or(ActionError::Unchanged)?;
        // It lets the event run again.
        if self.moves && contest.reached(Phase::End) && !context.is_confirmed() {
            return Err(ActionError::Destructive.into());
        }
        let before = present(contest);
        pause::set(context, false)?;
        let Some(before) = before.filter(|_| self.moves) else {
            let undo = FactsUndo::one(facts::Paused { on: true });
            return Ok(Some(ResumeUndo::Facts(undo)));
        };
        let by_ms = now_ms - paused_ms;
        let event = moved(&before, paused_ms, by_ms);
        if event != before {
            context.append(facts::Event { event })?;
        }
        let states = release_states::move_after(context, paused_ms, by_ms).await?;
        let left = context.contest().event().map(|event| Moments::of(event)).unwrap_or_default();
        Ok(Some(ResumeUndo::Resumed { before: Moments::of(&before), left, states }))
    }
}

/// The event with its freeze and its end later, where they come after a time.
fn moved(event: &Event, after_ms: i64, by_ms: i64) -> Event {
    let later = |time: Option<i64>| match time {
        Some(time) if time > after_ms => Some(time + by_ms),
        time => time,
    };
    Event { freeze_ms: later(event.freeze_ms), end_ms: later(event.end_ms), ..event.clone() }
}

/// Undo data of a resumed event.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ResumeUndo {
    /// Nothing moved.
    Facts(FactsUndo),
    /// What was to come moved by the length of the pause.
    Resumed {
        /// The times before.
        before: Moments,
        /// The times that the action left.
        left: Moments,
        /// The releases that moved.
        states: Vec<ReleaseState>,
    },
}

impl UndoData for ResumeUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        match self {
            Self::Facts(undo) => undo.undo(context).await,
            Self::Resumed { before, left, states } => {
                release_states::check(context, &states).await?;
                times::put(context, before, left)?;
                pause::set(context, true)?;
                release_states::put(context, states).await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored beside records for good.
    #[test]
    fn undo_data_says_whether_something_moved() {
        let times = r#"{"start_ms":null,"freeze_ms":null,"end_ms":7}"#;
        let resumed =
            format!(r#"{{"type":"resumed","before":{times},"left":{times},"states":[]}}"#);
        let facts = r#"{"type":"facts","facts":[{"type":"paused","on":true}]}"#;
        for text in [resumed.as_str(), facts] {
            let undo: ResumeUndo = serde_json::from_str(text).expect("it is readable");
            assert_eq!(matches!(undo, ResumeUndo::Resumed { .. }), text == resumed);
            assert_eq!(serde_json::to_string(&undo).expect("plain data"), text);
        }
    }
}
