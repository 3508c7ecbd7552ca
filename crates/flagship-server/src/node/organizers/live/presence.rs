//! Presence: the objects that organizers are viewing. Knows only the sockets of this node and
//! stores nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flagship_game::ChallengeId;
use parking_lot::Mutex;

/// Maximum length of a viewed team's name, in characters. Real names are shorter.
const NAME_CHARS_MAX: usize = 64;

/// A viewed object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A team, by name or number.
    Team(String),
    /// A challenge.
    Challenge(ChallengeId),
    /// A question.
    Question(i64),
    /// A notice.
    Notice(i64),
}

impl Object {
    /// Parses `team Otters`, `challenge oars`, `question 7` or `notice 7`.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, name) = text.split_once(' ')?;
        let number = || name.parse().ok();
        let is_name = !name.is_empty()
            && name.chars().count() <= NAME_CHARS_MAX
            && !name.chars().any(char::is_control);
        match kind {
            "team" => is_name.then(|| Self::Team(name.to_owned())),
            "challenge" => ChallengeId::parse(name).ok().map(Self::Challenge),
            "question" => number().map(Self::Question),
            "notice" => number().map(Self::Notice),
            _ => None,
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Team(name) => write!(f, "team {name}"),
            Self::Challenge(id) => write!(f, "challenge {id}"),
            Self::Question(id) => write!(f, "question {id}"),
            Self::Notice(id) => write!(f, "notice {id}"),
        }
    }
}

/// An organizer with an open socket.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Look {
    /// Name of the organizer.
    pub name: String,
    /// Viewed object.
    pub object: Option<Object>,
    organizer: i64,
}

/// Organizers with an open socket.
#[derive(Default)]
pub struct Presence {
    looks: Mutex<BTreeMap<u64, Look>>,
    count: AtomicU64,
}

/// Presence of one socket, removed on drop.
pub struct Place {
    presence: Arc<Presence>,
    number: u64,
}

impl Presence {
    /// Adds a socket.
    pub fn enter(self: &Arc<Self>, organizer: i64, name: &str) -> Place {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let look = Look { name: name.to_owned(), object: None, organizer };
        self.looks.lock().insert(number, look);
        Place { presence: self.clone(), number }
    }

    /// Other organizers by name. Several sockets of one organizer with the same object are listed
    /// once.
    pub fn others(&self, organizer: i64) -> BTreeSet<Look> {
        let looks = self.looks.lock();
        looks.values().filter(|look| look.organizer != organizer).cloned().collect()
    }
}

impl Place {
    /// Changes or clears the viewed object.
    pub fn look(&self, object: Option<Object>) {
        if let Some(look) = self.presence.looks.lock().get_mut(&self.number) {
            look.object = object;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.presence.looks.lock().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_as_it_is_written() {
        for text in ["team 7", "team The  Otters", "challenge oars", "question 9", "notice 1"] {
            assert_eq!(Object::parse(text).map(|it| it.to_string()).as_deref(), Some(text));
        }
        let long = format!("team {}", "x".repeat(NAME_CHARS_MAX + 1));
        for text in [
            "",
            "team",
            "team ",
            "oars",
            "challenge a b",
            "question x",
            "x 1",
            "team \n",
            long.as_str(),
        ] {
            assert_eq!(Object::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn others_see_who_looks_at_what_until_the_socket_ends() {
        let presence = Arc::new(Presence::default());
        let places = [(1, "Ada"), (1, "Ada"), (2, "Bo")].map(|(id, it)| presence.enter(id, it));
        let seen = |organizer| -> Vec<String> {
            let others = presence.others(organizer).into_iter();
            let text = |look: Look| match look.object {
                Some(object) => format!("{}: {object}", look.name),
                None => look.name,
            };
            others.map(text).collect()
        };
        assert_eq!((seen(1), seen(2)), (vec!["Bo".to_owned()], vec!["Ada".to_owned()]));
        places[1].look(Object::parse("team Otters"));
        places[0].look(Object::parse("team Otters"));
        assert_eq!(seen(2), ["Ada: team Otters"]);
        drop(places);
        assert_eq!((seen(1), seen(2)), (vec![], vec![]));
    }
}
