//! An organizer connected to the live channel, and the messages for them, as JSON.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use flagship_actions::List;
use flagship_game::Contest;
use serde::Serialize;

use crate::node::lists::ReadScope;
use crate::node::organizers::SignedInOrganizer;
use crate::node::organizers::live::LiveTick;
use crate::node::organizers::live::list::is_for;
use crate::node::organizers::live::presence::{Look, Object, Place, Presence};
use crate::node::organizers::permissions::{ListActions, ListQuestions, Permission};

/// A message.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Frame {
    /// Lists that may have changed. The first message on a socket contains all lists that the
    /// organizer may read.
    Changed { lists: BTreeSet<List> },
    /// The other connected organizers.
    Presence { looks: Vec<PresenceEntry> },
}

#[derive(Serialize)]
struct PresenceEntry {
    name: String,
    object: Option<String>,
}

impl Frame {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("frames are plain data")
    }
}

/// An organizer connected to the live channel.
pub(super) struct Watcher {
    pub(super) who: SignedInOrganizer,
    /// Scope of data that the organizer watches.
    pub(super) sight: ReadScope,
    /// Entry of the organizer in the presence list.
    pub(super) place: Place,
    /// False before the first tick and after missed ticks.
    pub(super) is_current: bool,
    /// Last frame sent about the other organizers.
    pub(super) presence: String,
}

impl Watcher {
    /// Returns the messages for a tick: at most one list of changes, and the other organizers if
    /// that changed.
    pub(super) fn messages(&mut self, beat: &LiveTick, all: &Arc<Presence>) -> Vec<Bytes> {
        let lists = match self.is_current {
            true => beat.changed(&self.who, &self.sight),
            false => List::ALL.into_iter().filter(|list| is_for(*list, &self.who)).collect(),
        };
        self.is_current = true;
        let is_told = !lists.is_empty() || beat.is_steady(&self.sight);
        let hint = is_told.then(|| Frame::Changed { lists }.json());
        let presence = self.presence_frame(beat, all);
        hint.into_iter().chain(presence).map(Bytes::from).collect()
    }

    /// Returns a frame about the other connected organizers if it changed.
    fn presence_frame(&mut self, beat: &LiveTick, all: &Arc<Presence>) -> Option<String> {
        let others = all.others(self.who.organizer.id);
        let seen = |look: Look| {
            let object = look.object.filter(|object| can_see(&self.who, &beat.contest, object));
            // Viewers without access to other organizers' actions see only organizers who view an
            // object that they can see themselves.
            let is_seen = object.is_some() || self.who.may(&ListActions::RULE).is_ok();
            is_seen
                .then(|| PresenceEntry { name: look.name, object: object.map(|it| it.to_string()) })
        };
        let looks = others.into_iter().filter_map(seen).collect();
        let frame = Frame::Presence { looks }.json();
        let is_same = frame == self.presence;
        self.presence.clone_from(&frame);
        (!is_same).then_some(frame)
    }
}

/// True if an organizer can see an object that another one is viewing.
fn can_see(who: &SignedInOrganizer, contest: &Contest, object: &Object) -> bool {
    match object {
        // An observer sees nothing of others' actions.
        _ if who.may(&ListQuestions::RULE).is_err() => false,
        Object::Challenge(id) => who.may_edit(id) || (who.sees_challenges() && contest.is_seen(id)),
        Object::Team(_) | Object::Question(_) | Object::Notice(_) => who.sees_addresses(),
    }
}
