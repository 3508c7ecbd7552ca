//! Somebody who watches: what the organizers' live channel tells them, as JSON.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use flagship_actions::List;
use flagship_game::Contest;
use serde::Serialize;

use crate::node::lists::Sight;
use crate::node::organizers::Who;
use crate::node::organizers::live::Beat;
use crate::node::organizers::live::list::is_for;
use crate::node::organizers::live::presence::{Look, Object, Place, Presence};
use crate::node::organizers::permissions::{ListActions, ListQuestions, Permission};

/// A message.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Frame {
    /// Lists in which something may be new. The first one of a socket has all that its organizer
    /// may read.
    Changed { lists: BTreeSet<List> },
    /// The other organizers who watch.
    Presence { looks: Vec<Seen> },
}

#[derive(Serialize)]
struct Seen {
    name: String,
    object: Option<String>,
}

impl Frame {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("frames are plain data")
    }
}

/// Somebody who watches.
pub(super) struct Watcher {
    pub(super) who: Who,
    /// The part of the event that they watch.
    pub(super) sight: Sight,
    /// Their place among all who watch.
    pub(super) place: Place,
    /// False before the first beat, and after beats that were missed.
    pub(super) is_current: bool,
    /// The last frame about the others.
    pub(super) presence: String,
}

impl Watcher {
    /// Messages about a beat: at most one hint, and the others who watch if that changed.
    pub(super) fn news(&mut self, beat: &Beat, all: &Arc<Presence>) -> Vec<Bytes> {
        let lists = match self.is_current {
            true => beat.changed(&self.who, &self.sight),
            false => List::ALL.into_iter().filter(|list| is_for(*list, &self.who)).collect(),
        };
        self.is_current = true;
        let is_told = !lists.is_empty() || beat.is_steady(&self.sight);
        let hint = is_told.then(|| Frame::Changed { lists }.json());
        let presence = self.looks(beat, all);
        hint.into_iter().chain(presence).map(Bytes::from).collect()
    }

    /// The others who watch, if that changed.
    fn looks(&mut self, beat: &Beat, all: &Arc<Presence>) -> Option<String> {
        let others = all.others(self.who.organizer.id);
        let seen = |look: Look| {
            let object = look.object.filter(|object| sees(&self.who, &beat.contest, object));
            // Those who see no actions of others see only who looks at what they see too.
            let is_seen = object.is_some() || self.who.may(&ListActions::RULE).is_ok();
            is_seen.then(|| Seen { name: look.name, object: object.map(|it| it.to_string()) })
        };
        let looks = others.into_iter().filter_map(seen).collect();
        let frame = Frame::Presence { looks }.json();
        let is_same = frame == self.presence;
        self.presence.clone_from(&frame);
        (!is_same).then_some(frame)
    }
}

/// Whether somebody sees what another one looks at.
fn sees(who: &Who, contest: &Contest, object: &Object) -> bool {
    match object {
        // An observer sees nothing of what others do.
        _ if who.may(&ListQuestions::RULE).is_err() => false,
        Object::Challenge(id) => who.may_edit(id) || (who.sees_challenges() && contest.is_seen(id)),
        Object::Team(_) | Object::Question(_) | Object::Notice(_) => who.sees_addresses(),
    }
}
