//! The names that are kept for the organizers: those of every event, those of the settings, and the
//! event's own.

use std::sync::Arc;

use flagship_game::{ReservedNames, TeamName};
use parking_lot::RwLock;

/// The reserved names, whose keys are computed once for each name that the event has, and for each
/// change of the settings.
#[derive(Default)]
pub struct Reserved {
    latest: RwLock<Option<Named>>,
}

/// The reserved names while the event has this name, and the settings these.
struct Named {
    more: Vec<String>,
    event: Option<String>,
    names: Arc<ReservedNames>,
}

impl Reserved {
    /// Whether a name is reserved, or looks like one that is, in an event of this name. `more` are
    /// the names in the settings.
    pub fn contains(&self, name: &TeamName, more: &[String], event: Option<&str>) -> bool {
        self.names(more, event).contains(name)
    }

    /// The reserved names of an event of this name. `more` are the names in the settings.
    pub fn names(&self, more: &[String], event: Option<&str>) -> Arc<ReservedNames> {
        if let Some(named) = &*self.latest.read()
            && named.event.as_deref() == event
            && named.more == more
        {
            return named.names.clone();
        }
        let names = Arc::new(ReservedNames::new(more.iter().map(String::as_str).chain(event)));
        let (more, event) = (more.to_vec(), event.map(str::to_owned));
        *self.latest.write() = Some(Named { more, event, names: names.clone() });
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_keys_are_computed_once_per_event_name() {
        let reserved = Reserved::default();
        let more = ["The Sponsor".to_owned()];
        let name = |text| TeamName::parse(text).expect("a name");
        let words = "the keys are computed once";
        let first = reserved.names(&more, None);
        for _ in 0..1_000 {
            assert!(!reserved.contains(&name("Autumn CTF"), &more, None));
        }
        assert!(Arc::ptr_eq(&first, &reserved.names(&more, None)), "{words}");
        // An event is applied, and is given another name.
        assert!(reserved.contains(&name("autumn ctf"), &more, Some("Autumn CTF")));
        assert!(reserved.contains(&name("The Spons\u{43e}r"), &more, Some("Autumn CTF")));
        assert!(reserved.contains(&name("r00t"), &more, Some("Autumn CTF")));
        let named = reserved.names(&more, Some("Autumn CTF"));
        assert!(Arc::ptr_eq(&named, &reserved.names(&more, Some("Autumn CTF"))));
        assert!(!reserved.contains(&name("Autumn CTF"), &more, Some("Winter CTF")));
        assert!(reserved.contains(&name("Winter CTF"), &more, Some("Winter CTF")));
    }
}
