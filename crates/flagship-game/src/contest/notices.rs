//! The notices of the organizers, in the order in which they were first posted.

use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Serialize};

use crate::challenge::ChallengeId;

/// A notice as the journal knows it. `view::notices` gives what players see of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Its number.
    pub id: i64,
    /// When it was first posted, in epoch milliseconds.
    pub at_ms: i64,
    /// Plain text.
    pub title: String,
    /// Sanitised HTML.
    pub html: String,
    /// The challenge that it is about, seen by players or not.
    pub challenge: Option<ChallengeId>,
    /// Whether it interrupts players.
    pub urgent: bool,
    /// Time from which it does not interrupt players any more, in epoch milliseconds.
    #[serde(default)]
    pub urgent_until_ms: Option<i64>,
    /// When its words were last changed, in epoch milliseconds.
    pub corrected_at_ms: Option<i64>,
    /// When it was taken back, in epoch milliseconds; none unless it is.
    pub withdrawn_at_ms: Option<i64>,
}

impl Notice {
    /// Whether it was taken back.
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

    /// Adds a notice, or gives the one with its number these words and puts it back.
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
