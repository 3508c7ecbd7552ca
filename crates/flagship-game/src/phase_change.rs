//! Immediate effects of a change of the contest on the phases of the event.

use crate::contest::Contest;
use crate::entry::Phase;
use crate::event::Status;

/// Effects of a change on the phases of the event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseChange {
    /// True if the event has not started and starts at once, which shows its challenges to
    /// everyone.
    pub starts_at_once: bool,
    /// True if the event has not ended and ends at once.
    pub ends_at_once: bool,
    /// True if solves hidden by the freeze become visible at once.
    pub shows_hidden: bool,
    /// New end of an event that resumes after its end, in epoch milliseconds.
    pub runs_again_until_ms: Option<i64>,
}

impl PhaseChange {
    /// Compares the contest before and after a change, at the time of the change. Phases that
    /// become due need not be in the journal yet.
    pub fn between(before: &Contest, after: &Contest, now_ms: i64) -> Self {
        let has_started = |contest: &Contest| contest.status(now_ms) >= Status::Running;
        let has_ended = |contest: &Contest| contest.status(now_ms) == Status::Ended;
        let end_ms = after.event().and_then(|event| event.end_ms);
        let hidden_ms = before.hidden_from_ms().filter(|_| before.hides_new_solves(now_ms));
        let is_revealed = after.due(now_ms).contains(&Phase::Reveal);
        let still_hidden_ms = after.hidden_from_ms().filter(|_| !is_revealed);
        Self {
            starts_at_once: before.status(now_ms) == Status::NotStarted && has_started(after),
            ends_at_once: !has_ended(before) && has_ended(after),
            shows_hidden: hidden_ms
                .is_some_and(|from_ms| still_hidden_ms.is_none_or(|later_ms| later_ms > from_ms)),
            runs_again_until_ms: end_ms.filter(|_| has_ended(before) && !has_ended(after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Reveal};
    use crate::facts::{self, Entry, Fact};

    fn event(freeze_ms: i64, end_ms: i64, reveal: Reveal) -> Event {
        Event {
            name: "An event".to_owned(),
            start_ms: Some(100),
            end_ms: Some(end_ms),
            freeze_ms: Some(freeze_ms),
            reveal,
            timezone: "UTC".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        }
    }

    fn fold(contest: &mut Contest, at_ms: i64, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            let seq = contest.seq() + 1;
            contest.fold(&Entry { seq, at_ms, fact }).expect("it follows");
        }
    }

    /// A contest at `now_ms`, with an event from 100 to 300 and a freeze at 200.
    fn contest(reveal: Reveal, now_ms: i64) -> Contest {
        let mut contest = Contest::default();
        fold(&mut contest, 1, [Fact::from(facts::Event { event: event(200, 300, reveal) })]);
        let due = contest.due(now_ms);
        fold(&mut contest, now_ms, due.into_iter().map(|phase| Fact::from(facts::Phase { phase })));
        contest
    }

    #[test]
    fn other_times_and_modes_end_show_and_run_again() {
        use Reveal::{Auto, Manual};
        let (ends, shows) = ((true, false, None), (false, true, None));
        for (mode, now_ms, (freeze_ms, end_ms, new_mode), expected) in [
            (Auto, 150, (200, 300, Auto), (false, false, None)),
            (Auto, 150, (200, 400, Manual), (false, false, None)),
            (Auto, 150, (160, 170, Auto), (false, false, None)),
            (Auto, 210, (150, 210, Manual), ends),
            (Auto, 150, (150, 150, Manual), ends),
            // The freeze hides solves.
            (Auto, 250, (280, 300, Auto), shows),
            (Auto, 250, (220, 300, Auto), shows),
            (Auto, 250, (150, 300, Auto), (false, false, None)),
            (Manual, 250, (200, 300, Auto), (false, false, None)),
            (Auto, 250, (200, 250, Auto), (true, true, None)),
            // The event has ended.
            (Auto, 350, (200, 400, Auto), (false, false, Some(400))),
            (Manual, 350, (200, 400, Manual), (false, false, Some(400))),
            (Manual, 350, (380, 400, Manual), (false, true, Some(400))),
            (Manual, 350, (200, 300, Auto), shows),
            (Manual, 350, (200, 320, Manual), (false, false, None)),
        ] {
            let before = contest(mode, now_ms);
            let mut after = before.clone();
            let new = event(freeze_ms, end_ms, new_mode);
            fold(&mut after, now_ms, [Fact::from(facts::Event { event: new })]);
            let PhaseChange { starts_at_once, ends_at_once, shows_hidden, runs_again_until_ms } =
                PhaseChange::between(&before, &after, now_ms);
            assert!(!starts_at_once, "it has started");
            let found = (ends_at_once, shows_hidden, runs_again_until_ms);
            assert_eq!(found, expected, "{mode:?} at {now_ms}: {freeze_ms} {end_ms} {new_mode:?}");
        }
    }

    #[test]
    fn an_earlier_start_starts_at_once_only_if_it_is_past() {
        for (now_ms, start_ms, expected) in [(50, 50, true), (50, 51, false), (150, 120, false)] {
            let before = contest(Reveal::Auto, now_ms);
            let mut after = before.clone();
            let new = Event { start_ms: Some(start_ms), ..event(200, 300, Reveal::Auto) };
            fold(&mut after, now_ms, [Fact::from(facts::Event { event: new })]);
            let change = PhaseChange::between(&before, &after, now_ms);
            let expected = PhaseChange { starts_at_once: expected, ..PhaseChange::default() };
            assert_eq!(change, expected, "{start_ms} at {now_ms}");
        }
    }

    #[test]
    fn a_reveal_shows_and_the_end_of_a_pause_may_end() {
        let before = contest(Reveal::Manual, 250);
        let mut after = before.clone();
        fold(&mut after, 250, [Fact::from(facts::Phase { phase: Phase::Reveal })]);
        let expected = PhaseChange { shows_hidden: true, ..PhaseChange::default() };
        assert_eq!(PhaseChange::between(&before, &after, 250), expected);
        let mut paused = contest(Reveal::Auto, 250);
        fold(&mut paused, 250, [Fact::from(facts::Paused { on: true })]);
        let mut resumed = paused.clone();
        fold(&mut resumed, 350, [Fact::from(facts::Paused { on: false })]);
        let expected = PhaseChange { ends_at_once: true, shows_hidden: true, ..expected };
        assert_eq!(PhaseChange::between(&paused, &resumed, 350), expected);
    }
}
