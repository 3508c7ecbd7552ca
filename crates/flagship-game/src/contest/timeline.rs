//! The event and its phases: those reached according to the journal, and those due by the clock.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::entry::Phase;
use crate::event::{Event, Reveal, Status};

/// The event, and the times at which the journal recorded its phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Option<Event>, Phases)", into = "(Option<Event>, Phases)")]
pub(crate) struct Timeline {
    event: Option<Arc<Event>>,
    phases: Phases,
}

/// Time at which each phase was reached, in epoch milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Phases {
    start: Option<i64>,
    freeze: Option<i64>,
    end: Option<i64>,
    reveal: Option<i64>,
}

impl From<(Option<Event>, Phases)> for Timeline {
    fn from((event, phases): (Option<Event>, Phases)) -> Self {
        Self { event: event.map(Arc::new), phases }
    }
}

impl From<Timeline> for (Option<Event>, Phases) {
    fn from(Timeline { event, phases }: Timeline) -> Self {
        (event.map(Arc::unwrap_or_clone), phases)
    }
}

impl Timeline {
    pub(crate) fn event(&self) -> Option<&Arc<Event>> {
        self.event.as_ref()
    }

    /// Replaces the event. A phase is undone if its new time is missing or later than `at_ms`, the
    /// time of the entry; the reveal is undone if this applies to the freeze. Only organizers can
    /// undo phases; a clock that jumps back cannot.
    pub(crate) fn set_event(&mut self, event: &Event, at_ms: i64) {
        let keep = |reached_ms: Option<i64>, new_time_ms: Option<i64>| {
            reached_ms.filter(|_| new_time_ms.is_some_and(|time_ms| time_ms <= at_ms))
        };
        self.phases.start = keep(self.phases.start, event.start_ms);
        self.phases.freeze = keep(self.phases.freeze, event.freeze_ms);
        self.phases.end = keep(self.phases.end, event.end_ms);
        self.phases.reveal = keep(self.phases.reveal, event.freeze_ms);
        self.event = Some(Arc::new(event.clone()));
    }

    pub(crate) fn reach(&mut self, phase: Phase, at_ms: i64) -> Result<(), &'static str> {
        if self.reached(phase) {
            return Err("the phase is already reached");
        }
        match phase {
            Phase::Start => self.phases.start = Some(at_ms),
            Phase::Freeze => self.phases.freeze = Some(at_ms),
            Phase::End => self.phases.end = Some(at_ms),
            Phase::Reveal => self.phases.reveal = Some(at_ms),
        }
        Ok(())
    }

    pub(crate) fn reached(&self, phase: Phase) -> bool {
        let reached_ms = match phase {
            Phase::Start => self.phases.start,
            Phase::Freeze => self.phases.freeze,
            Phase::End => self.phases.end,
            Phase::Reveal => self.phases.reveal,
        };
        reached_ms.is_some()
    }

    pub(crate) fn status(&self, now_ms: i64) -> Status {
        let Some(event) = &self.event else { return Status::Unknown };
        // `Unknown` is the lowest status, so it leaves the status of the clock unchanged.
        let by_journal = match self.phases {
            Phases { end: Some(_), .. } => Status::Ended,
            Phases { freeze: Some(_), .. } => Status::Frozen,
            Phases { start: Some(_), .. } => Status::Running,
            _ => Status::Unknown,
        };
        match event.status(now_ms).max(by_journal) {
            Status::Frozen if self.reached(Phase::Reveal) => Status::Running,
            status => status,
        }
    }

    pub(crate) fn due(&self, now_ms: i64) -> Vec<Phase> {
        let Some(event) = &self.event else { return Vec::new() };
        let passed = |time: Option<i64>| time.is_some_and(|time| now_ms >= time);
        let reveals_itself = event.reveal == Reveal::Auto && event.freeze_ms.is_some();
        // The end counts if it is in the journal or due now.
        let has_ended = self.reached(Phase::End) || passed(event.end_ms);
        let has_frozen = self.reached(Phase::Freeze) || passed(event.freeze_ms);
        [
            (Phase::Start, passed(event.start_ms)),
            (Phase::Freeze, passed(event.freeze_ms)),
            (Phase::End, passed(event.end_ms)),
            (Phase::Reveal, reveals_itself && has_ended && has_frozen),
        ]
        .into_iter()
        .filter(|(phase, is_due)| *is_due && !self.reached(*phase))
        .map(|(phase, _)| phase)
        .collect()
    }

    pub(crate) fn next_due_ms(&self, now_ms: i64) -> Option<i64> {
        let event = self.event.as_ref()?;
        let times = [event.start_ms, event.freeze_ms, event.end_ms];
        times.into_iter().flatten().filter(|time| *time > now_ms).min()
    }

    /// True if the freeze ends with a manual reveal.
    pub(crate) fn waits_for_reveal(&self) -> bool {
        let waits = |event: &Event| event.reveal == Reveal::Manual && event.freeze_ms.is_some();
        self.event.as_ref().is_some_and(|event| waits(event))
    }

    pub(crate) fn hidden_from_ms(&self) -> Option<i64> {
        let freeze_ms = self.event.as_ref().and_then(|event| event.freeze_ms);
        freeze_ms.filter(|_| !self.reached(Phase::Reveal))
    }
}
