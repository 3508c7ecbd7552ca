//! Actions about the event.

use flagship_game::entry::Phase;
use flagship_game::{Contest, Event, Reveal, Status, facts};
use serde_json::{Map, Value, json};

use super::super::plan::{destructions, ends_wait};
use super::super::restore::{Moments, Restore};
use super::acting::{Acting, ActionError, Actions};
use crate::settings::{self, RULES};
use crate::sources;

/// An end that is nearer than this takes something from players, in milliseconds.
const SOON_MS: i64 = 15 * 60_000;

/// Something to do with the event.
#[derive(Clone)]
pub enum EventAction {
    /// Changes what it says; begins it if there is none.
    Says {
        /// What changes.
        labels: Box<Labels>,
        /// What challenges are read with then, as JSON; `None` if that stays.
        defaults: Option<String>,
        /// Whether what shows what the freeze hides is meant.
        is_confirmed: bool,
    },
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
        /// Whether that is meant after the end too, which it takes back.
        is_confirmed: bool,
    },
    /// Shows what the freeze hides.
    Reveal {
        /// Whether that is meant before the end too.
        is_confirmed: bool,
    },
}

/// What the event says beside its times. What is missing stays.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// Its name.
    pub name: Option<String>,
    /// IANA name of its time zone.
    pub timezone: Option<String>,
    /// What a flag looks like.
    pub flag_format: Option<String>,
    /// When the reveal comes.
    pub reveal: Option<Reveal>,
    /// Its rules.
    pub rules: Option<Rules>,
}

/// The rules of the event.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Sanitised HTML, as in [`Event`].
    pub html: String,
    /// What it was made from, as it is kept.
    pub kept: String,
}

impl Labels {
    /// The event with these; `None` if it would have no name.
    pub fn applied_to(&self, event: Option<&Event>) -> Option<Event> {
        let Self { name, timezone, flag_format, reveal, rules } = self;
        let mut said = match event {
            Some(event) => event.clone(),
            None => Event {
                name: name.clone()?,
                start_ms: None,
                end_ms: None,
                freeze_ms: None,
                reveal: Reveal::Auto,
                timezone: "UTC".to_owned(),
                flag_format: String::new(),
                rules: String::new(),
            },
        };
        let put = |place: &mut String, text: &Option<String>| {
            if let Some(text) = text {
                place.clone_from(text);
            }
        };
        put(&mut said.name, name);
        put(&mut said.timezone, timezone);
        put(&mut said.flag_format, flag_format);
        put(&mut said.rules, &rules.as_ref().map(|rules| rules.html.clone()));
        said.reveal = reveal.unwrap_or(said.reveal);
        Some(said)
    }

    fn arguments(&self) -> Value {
        let reveal = self.reveal.map(|reveal| json!(reveal));
        let text = |text: &Option<String>| text.as_ref().map(|text| json!(text));
        let given = [
            ("name", text(&self.name)),
            ("timezone", text(&self.timezone)),
            ("flag_format", text(&self.flag_format)),
            ("reveal", reveal),
        ];
        given.into_iter().filter_map(|(key, it)| Some((key.to_owned(), it?))).collect()
    }

    /// The present values of those that change, as `arguments` names them; null without any.
    fn details(&self, before: &Event) -> Value {
        let Event { name, timezone, flag_format, reveal, .. } = before;
        let text = |new: &Option<String>, old: &String| {
            new.as_ref().filter(|new| *new != old).map(|_| json!(old))
        };
        let changed = [
            ("name", text(&self.name, name)),
            ("timezone", text(&self.timezone, timezone)),
            ("flag_format", text(&self.flag_format, flag_format)),
            ("reveal", self.reveal.filter(|new| new != reveal).map(|_| json!(reveal))),
        ];
        let changed = changed.into_iter().filter_map(|(key, it)| Some((key.to_owned(), it?)));
        match changed.collect::<Map<String, Value>>() {
            changed if changed.is_empty() => Value::Null,
            changed => json!({"before": changed}),
        }
    }
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

impl EventAction {
    /// Its name for programs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Says { labels, .. } if labels.rules.is_some() => "event.rules",
            Self::Says { .. } => "event.name",
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
            Self::Says { labels, .. } => labels.arguments(),
            Self::Resume { moves, .. } => json!({"moves": moves}),
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

impl Actions<'_> {
    /// Does something with the event.
    pub(super) async fn event(
        &mut self,
        action: &EventAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let objects = vec!["event".to_owned()];
        self.check_head(&objects).await?;
        let restore = match action {
            EventAction::Says { labels, defaults, is_confirmed } => {
                self.says(labels, defaults.clone(), *is_confirmed).await?
            }
            EventAction::Times { times, is_confirmed } => Some(self.times(times, *is_confirmed)?),
            EventAction::Pause => {
                self.pause(true)?;
                Some(Restore::fact(facts::Paused { on: false }))
            }
            EventAction::Resume { moves, is_confirmed } => {
                Some(self.resume(*moves, *is_confirmed).await?)
            }
            EventAction::Reveal { is_confirmed } => {
                self.reveal(*is_confirmed)?;
                None
            }
        };
        Ok((objects, restore))
    }

    /// Changes what the event says. What begins it cannot be taken back.
    async fn says(
        &mut self,
        labels: &Labels,
        defaults: Option<String>,
        is_confirmed: bool,
    ) -> Acting<Option<Restore>> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let before = contest.event().map(|event| (**event).clone());
        let event = labels.applied_to(before.as_ref()).ok_or(ActionError::NoEvent)?;
        if reveals(contest, &event, now_ms) {
            return Err(ActionError::RevealWaits.into());
        }
        if let Some(before) = &before
            && !is_confirmed
            && needs_proof(contest, before, &event, now_ms)
        {
            return Err(ActionError::Destructive.into());
        }
        let kept = settings::kept_in(&mut self.step.tx, RULES).await?;
        let rules = labels.rules.as_ref().map_or(kept.as_ref(), |rules| Some(&rules.kept));
        if before.as_ref() == Some(&event) && kept.as_ref() == rules {
            return Err(ActionError::Unchanged.into());
        }
        self.details = before.as_ref().map(|before| labels.details(before)).unwrap_or_default();
        let was = sources::defaults_in(&mut self.step.tx).await?;
        if before.as_ref() != Some(&event) {
            self.try_append(facts::Event { event: event.clone() }, ActionError::NoEvent)?;
        }
        let rules = rules.cloned();
        let left = Box::new(event);
        self.put_texts(rules, defaults.or_else(|| was.clone())).await?;
        let said = |before| Restore::Said { before, left, rules: kept, defaults: was };
        Ok(before.map(Box::new).map(said))
    }

    /// Keeps the text of the rules, and what challenges are read with.
    pub(super) async fn put_texts(
        &mut self,
        rules: Option<String>,
        defaults: Option<String>,
    ) -> Acting<()> {
        let tx = &mut self.step.tx;
        if settings::kept_in(tx, RULES).await? != rules {
            settings::keep_in(tx, RULES, rules.as_deref()).await?;
        }
        if let Some(defaults) = defaults {
            sources::set_defaults(tx, &defaults).await?;
        }
        Ok(())
    }

    /// Puts back what the event said, unless it is not what an action left. Its times stay.
    pub(super) fn put_said(
        &mut self,
        before: &Event,
        left: &Event,
        is_confirmed: bool,
    ) -> Acting<()> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let present = (**contest.event().ok_or(ActionError::NoEvent)?).clone();
        let with_times = |event: &Event| {
            let Event { start_ms, freeze_ms, end_ms, .. } = present;
            Event { start_ms, freeze_ms, end_ms, ..event.clone() }
        };
        if present != with_times(left) {
            return Err(ActionError::Touched.into());
        }
        let event = with_times(before);
        if event == present {
            return Ok(());
        }
        if reveals(contest, &event, now_ms) {
            return Err(ActionError::RevealWaits.into());
        }
        if !is_confirmed && needs_proof(contest, &present, &event, now_ms) {
            return Err(ActionError::Destructive.into());
        }
        self.try_append(facts::Event { event }, ActionError::NoEvent)
    }

    fn times(&mut self, times: &Times, is_confirmed: bool) -> Acting<Restore> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let before = (**contest.event().ok_or(ActionError::NoEvent)?).clone();
        let event = times.applied_to(&before);
        if event == before {
            return Err(ActionError::Unchanged.into());
        }
        if !are_in_order(&event) {
            return Err(ActionError::Times.into());
        }
        if !is_confirmed && needs_proof(contest, &before, &event, now_ms) {
            return Err(ActionError::Destructive.into());
        }
        self.details = json!({"before": Moments::of(&before), "timezone": before.timezone});
        let before = Moments::of(&before);
        let left = Moments::of(&event);
        self.step.append(now_ms, facts::Event { event })?;
        Ok(Restore::Times { before, left })
    }

    /// Moves the times back, unless they are not those that an action left.
    pub(super) fn put_times(
        &mut self,
        before: Moments,
        left: Moments,
        is_confirmed: bool,
    ) -> Acting<()> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let present = (**contest.event().ok_or(ActionError::Times)?).clone();
        if Moments::of(&present) != left {
            return Err(ActionError::Touched.into());
        }
        let Moments { start_ms, freeze_ms, end_ms } = before;
        let event = Event { start_ms, freeze_ms, end_ms, ..present.clone() };
        if event == present {
            return Ok(());
        }
        if !is_confirmed && needs_proof(contest, &present, &event, now_ms) {
            return Err(ActionError::Destructive.into());
        }
        self.try_append(facts::Event { event }, ActionError::Times)
    }

    /// Pauses the event, or takes flags again.
    pub(super) fn pause(&mut self, on: bool) -> Acting<()> {
        self.try_append(facts::Paused { on }, ActionError::Unchanged)
    }

    async fn resume(&mut self, moves: bool, is_confirmed: bool) -> Acting<Restore> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        let paused_ms = contest.paused_at_ms().ok_or(ActionError::Unchanged)?;
        if moves && contest.reached(Phase::End) && !is_confirmed {
            return Err(ActionError::Destructive.into());
        }
        let before = contest.event().map(|event| (**event).clone());
        self.pause(false)?;
        let Some(before) = before.filter(|_| moves) else {
            return Ok(Restore::fact(facts::Paused { on: true }));
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
            self.step.append(now_ms, facts::Event { event })?;
        }
        let states = self.move_releases(paused_ms, by_ms).await?;
        let left = self.step.contest().event().map(|event| Moments::of(event)).unwrap_or_default();
        Ok(Restore::Resumed { before: Moments::of(&before), left, states })
    }

    fn reveal(&mut self, is_confirmed: bool) -> Acting<()> {
        let (contest, now_ms) = (self.step.contest(), self.step.now_ms());
        if contest.reached(Phase::Reveal) {
            return Err(ActionError::Unchanged.into());
        }
        if !contest.reached(Phase::Freeze) {
            return Err(ActionError::NotFrozen.into());
        }
        if !contest.reached(Phase::End) && !is_confirmed {
            return Err(ActionError::Destructive.into());
        }
        Ok(self.step.append(now_ms, facts::Phase { phase: Phase::Reveal })?)
    }
}

impl Moments {
    fn of(event: &Event) -> Self {
        let Event { start_ms, freeze_ms, end_ms, .. } = event;
        Self { start_ms: *start_ms, freeze_ms: *freeze_ms, end_ms: *end_ms }
    }
}

/// True if the event has ended and waits for its reveal, and another mode would reveal at once.
fn reveals(contest: &Contest, new: &Event, now_ms: i64) -> bool {
    contest.reached(Phase::End) && ends_wait(contest, new, now_ms)
}

/// True if other times or another reveal take something from players, or soon do, show what the
/// freeze hides or let it be shown unasked, hide what everybody has seen, let an event run again
/// whose result was shown, or show its challenges earlier and soon.
fn needs_proof(contest: &Contest, old: &Event, new: &Event, now_ms: i64) -> bool {
    let ends_soon =
        new.end_ms < old.end_ms && new.end_ms.is_some_and(|end_ms| end_ms < now_ms + SOON_MS);
    let is_frozen = |event: &Event| event.freeze_ms.is_some_and(|freeze_ms| freeze_ms <= now_ms);
    let hides = is_frozen(new) && !is_frozen(old);
    let reopens = contest.reached(Phase::End)
        && contest.is_revealed(now_ms)
        && new.end_ms.is_none_or(|end_ms| end_ms > now_ms);
    let starts_soon = contest.status(now_ms) == Status::NotStarted
        && new.start_ms.is_some_and(|start_ms| start_ms < now_ms + SOON_MS)
        && new.start_ms < old.start_ms;
    let reveals_itself = (old.reveal, new.reveal) == (Reveal::Manual, Reveal::Auto)
        && is_frozen(old)
        && !contest.reached(Phase::Reveal);
    let is_shown = starts_soon || reveals_itself;
    is_shown || ends_soon || hides || reopens || !destructions(contest, new, now_ms).is_empty()
}

/// Whether start, freeze and end follow each other; those that are missing do not matter.
fn are_in_order(event: &Event) -> bool {
    let Event { start_ms, freeze_ms, end_ms, .. } = event;
    let times: Vec<i64> = [start_ms, freeze_ms, end_ms].into_iter().flatten().copied().collect();
    let is_empty = start_ms.is_some() && start_ms == end_ms;
    times.is_sorted() && !is_empty
}
