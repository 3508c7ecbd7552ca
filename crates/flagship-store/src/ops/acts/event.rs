//! Acts about the event.

use flagship_game::Event;
use flagship_game::entry::{Fact, Phase};
use serde_json::{Value, json};

use super::super::plan::destructions;
use super::restore::Restore;
use super::{ActError, Acting, Acts};

/// Something to do with the event.
#[derive(Clone)]
pub enum EventAct {
    /// Moves its times.
    Times {
        /// The new ones.
        times: Times,
        /// Whether what takes something from players, or shows what the freeze hides, is meant.
        is_confirmed: bool,
    },
    /// Takes no flags until it is resumed.
    Pause,
    /// Takes flags again.
    Resume {
        /// Whether end, freeze and releases that are to come move by the time that passed.
        moves: bool,
    },
    /// Shows what the freeze hides.
    Reveal {
        /// Whether that is meant before the end too.
        is_confirmed: bool,
    },
}

/// Times of the event, in epoch milliseconds. A missing one stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// From here on flags count.
    pub start_ms: Option<i64>,
    /// From here on the solves of others are hidden.
    pub freeze_ms: Option<i64>,
    /// From here on no flag counts.
    pub end_ms: Option<i64>,
}

impl EventAct {
    /// Its name for programs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Times { .. } => "event.times",
            Self::Pause => "event.pause",
            Self::Resume { .. } => "event.resume",
            Self::Reveal { .. } => "event.reveal",
        }
    }

    /// What is recorded of it.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Self::Times { times: Times { start_ms, freeze_ms, end_ms }, .. } => {
                let times = [("start", start_ms), ("freeze", freeze_ms), ("end", end_ms)];
                let given = |(name, time): (&str, &Option<i64>)| Some((name.to_owned(), (*time)?));
                times.into_iter().filter_map(given).map(|(name, ms)| (name, json!(ms))).collect()
            }
            Self::Resume { moves } => json!({"moves": moves}),
            Self::Pause | Self::Reveal { .. } => json!({}),
        }
    }
}

impl Times {
    /// The event with these times.
    fn applied_to(&self, event: &Event) -> Event {
        Event {
            start_ms: self.start_ms.or(event.start_ms),
            freeze_ms: self.freeze_ms.or(event.freeze_ms),
            end_ms: self.end_ms.or(event.end_ms),
            ..event.clone()
        }
    }
}

impl Acts<'_> {
    /// Does something with the event.
    pub(super) async fn event(&mut self, act: &EventAct) -> Acting<(Vec<String>, Option<Restore>)> {
        let objects = vec!["event".to_owned()];
        self.check_head(&objects).await?;
        let restore = match act {
            EventAct::Times { times, is_confirmed } => Some(self.times(times, *is_confirmed)?),
            EventAct::Pause => {
                self.pause(true)?;
                Some(Restore::fact(Fact::Paused { on: false }))
            }
            EventAct::Resume { moves } => Some(self.resume(*moves).await?),
            EventAct::Reveal { is_confirmed } => {
                self.reveal(*is_confirmed)?;
                None
            }
        };
        Ok((objects, restore))
    }

    fn times(&mut self, times: &Times, is_confirmed: bool) -> Acting<Restore> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let before = (**contest.event().ok_or(ActError::Times)?).clone();
        let event = times.applied_to(&before);
        if event == before {
            return Err(ActError::Unchanged.into());
        }
        if !are_in_order(&event) {
            return Err(ActError::Times.into());
        }
        if !is_confirmed && !destructions(contest, &event, now_ms).is_empty() {
            return Err(ActError::Destructive.into());
        }
        self.step.append(now_ms, Fact::Event { event })?;
        Ok(Restore::fact(Fact::Event { event: before }))
    }

    /// Pauses the event, or takes flags again.
    pub(super) fn pause(&mut self, on: bool) -> Acting<()> {
        self.try_append(Fact::Paused { on }, ActError::Unchanged)
    }

    async fn resume(&mut self, moves: bool) -> Acting<Restore> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let paused_ms = contest.paused_at_ms().ok_or(ActError::Unchanged)?;
        let before = contest.event().map(|event| (**event).clone());
        self.pause(false)?;
        let Some(before) = before.filter(|_| moves) else {
            return Ok(Restore::fact(Fact::Paused { on: true }));
        };
        let by_ms = now_ms - paused_ms;
        let later = |time: Option<i64>| match time {
            Some(time) if time > paused_ms => Some(time + by_ms),
            time => time,
        };
        let event = Event {
            freeze_ms: later(before.freeze_ms),
            end_ms: later(before.end_ms),
            ..before.clone()
        };
        if event != before {
            // Later than the entry that ends the pause.
            let now_ms = self.step.now_ms();
            self.step.append(now_ms, Fact::Event { event })?;
        }
        self.move_releases(paused_ms, by_ms).await?;
        Ok(Restore::Resumed { event: Box::new(before), paused_ms, by_ms })
    }

    fn reveal(&mut self, is_confirmed: bool) -> Acting<()> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        if contest.reached(Phase::Reveal) {
            return Err(ActError::Unchanged.into());
        }
        if !contest.reached(Phase::Freeze) {
            return Err(ActError::NotFrozen.into());
        }
        if !contest.reached(Phase::End) && !is_confirmed {
            return Err(ActError::Destructive.into());
        }
        Ok(self.step.append(now_ms, Fact::Phase { phase: Phase::Reveal })?)
    }
}

/// Whether start, freeze and end follow each other; those that are missing do not matter.
fn are_in_order(event: &Event) -> bool {
    let Event { start_ms, freeze_ms, end_ms, .. } = event;
    let times: Vec<i64> = [start_ms, freeze_ms, end_ms].into_iter().flatten().copied().collect();
    let is_empty = start_ms.is_some() && start_ms == end_ms;
    times.is_sorted() && !is_empty
}
