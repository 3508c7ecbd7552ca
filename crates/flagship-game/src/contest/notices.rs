//! Notices of the organizers, in the order of their first posts.

use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Serialize};

use crate::challenge::ChallengeId;

/// A notice in the journal. `view::notices` returns the part that players see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The notice number.
    pub id: i64,
    /// Time of the first post, in epoch milliseconds.
    pub at_ms: i64,
    /// Plain text.
    pub title: String,
    /// Sanitized HTML.
    pub html: String,
    /// The related challenge, visible to players or not.
    pub challenge: Option<ChallengeId>,
    /// True if the notice interrupts players.
    pub urgent: bool,
    /// Time after which the notice no longer interrupts players, in epoch milliseconds.
    #[serde(default)]
    pub urgent_until_ms: Option<i64>,
    /// Time of the last edit, in epoch milliseconds.
    pub corrected_at_ms: Option<i64>,
    /// Time of withdrawal, in epoch milliseconds; `None` if the notice is not withdrawn.
    pub withdrawn_at_ms: Option<i64>,
}

impl Notice {
    /// True if the notice was withdrawn.
    pub fn is_withdrawn(&self) -> bool {
        self.withdrawn_at_ms.is_some()
    }
}

/// All notices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Notice>", into = "Vec<Notice>")]
pub(crate) struct Notices(Vector<Arc<Notice>>);

impl From<Vec<Notice>> for Notices {
    fn from(all: Vec<Notice>) -> Self {
        Self(all.into_iter().map(Arc::new).collect())
    }
}

impl From<Notices> for Vec<Notice> {
    fn from(notices: Notices) -> Self {
        notices.iter().map(|notice| Notice::clone(notice)).collect()
    }
}

impl Notices {
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Notice>> {
        self.0.iter()
    }

    pub(crate) fn by_id(&self, id: i64) -> Option<&Arc<Notice>> {
        self.iter().rev().find(|notice| notice.id == id)
    }

    fn by_id_mut(&mut self, id: i64) -> Option<&mut Notice> {
        let place = self.0.iter().position(|notice| notice.id == id)?;
        self.0.get_mut(place).map(Arc::make_mut)
    }

    /// Adds a notice, or replaces the text of the one with the same number and restores it if it
    /// was withdrawn.
    pub(crate) fn post(&mut self, new: Notice) {
        let Some(old) = self.by_id_mut(new.id) else {
            self.0.push_back(Arc::new(new));
            return;
        };
        let words =
            |it: &Notice| (it.title.clone(), it.html.clone(), it.challenge.clone(), it.urgent);
        let is_corrected = words(old) != words(&new);
        let corrected_at_ms = if is_corrected { Some(new.at_ms) } else { old.corrected_at_ms };
        *old = Notice { at_ms: old.at_ms, corrected_at_ms, ..new };
    }

    pub(crate) fn withdraw(&mut self, id: i64, at_ms: i64) -> Result<(), &'static str> {
        let notice = self.by_id_mut(id).filter(|notice| !notice.is_withdrawn());
        notice.ok_or("no such notice")?.withdrawn_at_ms = Some(at_ms);
        Ok(())
    }
}
