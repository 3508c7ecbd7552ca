//! Actions about challenges: whether they are shown, and how they are.

use flagship_game::ChallengeId;
use flagship_game::challenge::StatusKind;
use flagship_game::facts::{self, Fact};
use serde_json::{Value, json};

use super::super::restore::{Restore, State};
use super::acting::{Acting, ActionError, Actions};
use crate::challenges::{self, Draft, Held};

/// Something to do with challenges.
#[derive(Clone)]
pub enum ChallengeAction {
    /// Shows challenges, all at once.
    Release {
        /// Which.
        challenges: Vec<ChallengeId>,
        /// When, in epoch milliseconds; at once without one.
        at_ms: Option<i64>,
    },
    /// Hides one. Its solves are kept.
    Hide {
        /// Which.
        challenge: ChallengeId,
    },
    /// Tells players how one is.
    Status {
        /// Which.
        challenge: ChallengeId,
        /// How it is.
        status: StatusKind,
        /// A line for players.
        note: String,
    },
    /// Counts the flags that were refused and are right now.
    Rejudge {
        /// Of which.
        challenge: ChallengeId,
        /// What a team is told whose flag counts, by the time at which it was sent, in epoch
        /// milliseconds, and the event's time zone.
        tell: fn(i64, &str) -> String,
    },
}

impl ChallengeAction {
    /// Its name for programs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Release { .. } => "challenge.release",
            Self::Hide { .. } => "challenge.hide",
            Self::Status { .. } => "challenge.status",
            Self::Rejudge { .. } => "challenge.rejudge",
        }
    }

    /// What is recorded of it.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Self::Release { challenges, at_ms } => json!({"challenges": challenges, "at": at_ms}),
            Self::Status { challenge, status, note } => {
                json!({"challenge": challenge, "status": status, "note": note})
            }
            Self::Hide { challenge } | Self::Rejudge { challenge, .. } => {
                json!({"challenge": challenge})
            }
        }
    }
}

impl Actions<'_> {
    /// Does something with challenges.
    pub(super) async fn challenge(
        &mut self,
        action: &ChallengeAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        match action {
            ChallengeAction::Release { challenges, at_ms } => {
                self.show(challenges, true, *at_ms).await
            }
            ChallengeAction::Hide { challenge } => {
                self.show(std::slice::from_ref(challenge), false, None).await
            }
            ChallengeAction::Status { challenge, status, note } => {
                self.status(challenge, *status, note).await
            }
            ChallengeAction::Rejudge { challenge, tell } => self.rejudge(challenge, *tell).await,
        }
    }

    async fn show(
        &mut self,
        ids: &[ChallengeId],
        shown: bool,
        at_ms: Option<i64>,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let objects: Vec<String> = ids.iter().map(object).collect();
        self.check_head(&objects).await?;
        let now_ms = self.step.now_ms();
        let at_ms = at_ms.filter(|at_ms| *at_ms > now_ms);
        self.step.seal.watch_flags(&mut self.step.tx).await?;
        let drafts = challenges::all_in(&mut self.step.tx).await?;
        let mut states = Vec::new();
        let mut wanted = Vec::new();
        for id in ids {
            self.check_scope(Some(id), ActionError::NoChallenge)?;
            let draft = drafts.iter().find(|draft| draft.challenge.id == *id);
            let draft = draft.ok_or(ActionError::NoChallenge)?;
            let held = Held { shown, release_at_ms: at_ms };
            states.push(self.state_of(draft, held).await?);
            wanted.push((id, held, draft));
        }
        let is_changed = |(id, held, _): &(&ChallengeId, Held, &Draft)| {
            let is_released = self.step.contest().is_released(id);
            let before = states.iter().find(|it| it.challenge == **id).and_then(|it| it.held);
            before != Some(*held) || is_released != (held.shown && at_ms.is_none())
        };
        if !wanted.iter().any(is_changed) {
            return Err(ActionError::Unchanged.into());
        }
        let shown_before: Vec<&ChallengeId> = self.shown_of(&drafts);
        for (id, held, draft) in wanted {
            challenges::hold_in(&mut self.step.tx, id, held).await?;
            self.publish(&draft.challenge, held.shown && at_ms.is_none())?;
        }
        self.releases_changed().await?;
        let is_gone = |id: &&ChallengeId| !ids.contains(id) && !self.step.contest().is_shown(id);
        let with: Vec<&ChallengeId> = shown_before.into_iter().filter(is_gone).collect();
        if !with.is_empty() {
            self.details = json!({"with": with});
        }
        Ok((objects, Some(Restore::States { states })))
    }

    /// The challenges that players may know of, of those that the organizer may touch.
    fn shown_of<'a>(&self, drafts: &'a [Draft]) -> Vec<&'a ChallengeId> {
        let ids = drafts.iter().map(|draft| &draft.challenge.id);
        let may_touch =
            |id: &&ChallengeId| self.check_scope(Some(*id), ActionError::NoChallenge).is_ok();
        ids.filter(|id| self.step.contest().is_shown(id)).filter(may_touch).collect()
    }

    async fn state_of(&mut self, draft: &Draft, left: Held) -> Acting<State> {
        let challenge = draft.challenge.id.clone();
        let held = challenges::held_of(&mut self.step.tx, &challenge).await?;
        let released = self.step.contest().is_released(&challenge);
        let (hidden, release_at_ms) = (draft.hidden, draft.release_at_ms);
        Ok(State { challenge, hidden, released, release_at_ms, held, left })
    }

    /// Records that a challenge is shown, or not any more, unless it is so.
    fn publish(&mut self, challenge: &flagship_game::Challenge, shown: bool) -> Acting<()> {
        let id = &challenge.id;
        if self.step.contest().is_released(id) == shown {
            return Ok(());
        }
        let fact: Fact = match shown {
            true => facts::Challenge { challenge: challenge.at(self.step.now_ms()) }.into(),
            false => facts::Withdrawn { challenge: id.clone() }.into(),
        };
        self.try_append(fact, ActionError::NoChallenge)
    }

    /// Refuses states of challenges that are not as an action left them.
    pub(super) async fn check_states(&mut self, states: &[State]) -> Acting<()> {
        for state in states {
            let held = challenges::held_of(&mut self.step.tx, &state.challenge).await?;
            if held != Some(state.left) {
                return Err(ActionError::Touched.into());
            }
        }
        Ok(())
    }

    /// Moves the releases after a time that are to come, whatever the files say; returns how they
    /// were.
    pub(super) async fn move_releases(&mut self, after_ms: i64, by_ms: i64) -> Acting<Vec<State>> {
        let drafts = challenges::all_in(&mut self.step.tx).await?;
        let mut states = Vec::new();
        for draft in &drafts {
            let id = &draft.challenge.id;
            let at_ms = draft.release_at_ms.filter(|at_ms| *at_ms > after_ms);
            let Some(at_ms) = at_ms.filter(|_| !self.step.contest().is_released(id)) else {
                continue;
            };
            let held = Held { shown: true, release_at_ms: Some(at_ms + by_ms) };
            states.push(self.state_of(draft, held).await?);
            challenges::hold_in(&mut self.step.tx, id, held).await?;
        }
        self.releases_changed().await?;
        Ok(states)
    }

    /// Shows challenges as they were shown.
    pub(super) async fn put_states(&mut self, states: Vec<State>) -> Acting<()> {
        let drafts = challenges::all_in(&mut self.step.tx).await?;
        for state in states {
            let draft = drafts.iter().find(|draft| draft.challenge.id == state.challenge);
            let Some(draft) = draft else { continue };
            let State { challenge, hidden, released, release_at_ms, held, .. } = state;
            // A time that has come meanwhile has come.
            let now_ms = self.step.now_ms();
            let is_due = !hidden && release_at_ms.is_some_and(|at_ms| at_ms <= now_ms);
            let released = released || is_due;
            let tx = &mut self.step.tx;
            challenges::put_held(tx, &challenge, held).await?;
            challenges::set_times(tx, &challenge, hidden, released, release_at_ms).await?;
            self.publish(&draft.challenge, released)?;
        }
        self.releases_changed().await
    }

    async fn status(
        &mut self,
        challenge: &ChallengeId,
        status: StatusKind,
        note: &str,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        self.check_scope(Some(challenge), ActionError::NoChallenge)?;
        self.check_known(challenge)?;
        let before = self.step.contest().challenge_status(challenge);
        let before = before.ok_or(ActionError::NoChallenge)?.clone();
        let objects = vec![format!("status {challenge}")];
        self.check_head(&objects).await?;
        if (before.kind, before.note.as_str()) == (status, note) {
            return Err(ActionError::Unchanged.into());
        }
        let (challenge, note) = (challenge.clone(), note.to_owned());
        let back = facts::Status {
            challenge: challenge.clone(),
            status: before.kind,
            note: before.note.clone(),
        };
        self.try_append(facts::Status { challenge, status, note }, ActionError::NoChallenge)?;
        Ok((objects, Some(Restore::fact(back))))
    }
}

/// A challenge, as actions name it.
fn object(id: &ChallengeId) -> String {
    format!("challenge {id}")
}
