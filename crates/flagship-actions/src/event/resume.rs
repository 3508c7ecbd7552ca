//! `event.resume`

use flagship_game::Event;
use flagship_game::entry::Phase;
use flagship_store::ops::undo_data::EventTimes;

use super::{OBJECT, pause, present, times};
use crate::prelude::*;
use crate::release_states::{self, ReleaseState};

/// Accepts flags again.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resume {
    /// True to shift the end, the freeze and upcoming releases by the length of the pause.
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
        // The shifted end would reopen the event.
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
        let left = context.contest().event().map(|event| EventTimes::of(event)).unwrap_or_default();
        Ok(Some(ResumeUndo::Resumed { before: EventTimes::of(&before), left, states }))
    }
}

/// The event with its freeze and end shifted, if they are later than `after_ms`.
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
    /// Nothing was shifted.
    Facts(FactsUndo),
    /// The upcoming times were shifted by the length of the pause.
    Resumed {
        /// Times before the action.
        before: EventTimes,
        /// Times after the action.
        left: EventTimes,
        /// The shifted releases.
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

    /// Undo data is stored permanently beside records.
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
