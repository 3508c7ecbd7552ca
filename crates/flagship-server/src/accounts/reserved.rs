//! The names that are kept for the organizers: those of every event, those of the settings, and the
//! event's own.

use std::sync::Arc;

use flagship_game::{ReservedNames, TeamName};
use parking_lot::RwLock;

/// The reserved names, whose keys are computed once for each name that the event has.
pub struct Reserved {
    /// Those of the settings.
    more: Vec<String>,
    latest: RwLock<Option<Named>>,
}

/// The reserved names while the event has this name.
struct Named {
    event: Option<String>,
    names: Arc<ReservedNames>,
}

impl Reserved {
    /// Reserves the names of every event and `more`.
    pub fn new(more: &[String]) -> Self {
        Self { more: more.to_vec(), latest: RwLock::default() }
    }

    /// Whether a name is reserved, or looks like one that is, in an event of this name.
    pub fn contains(&self, name: &TeamName, event: Option<&str>) -> bool {
        self.names(event).contains(name)
    }

    fn names(&self, event: Option<&str>) -> Arc<ReservedNames> {
        if let Some(named) = &*self.latest.read()
            && named.event.as_deref() == event
        {
            return named.names.clone();
        }
        let more = self.more.iter().map(String::as_str);
        let names = Arc::new(ReservedNames::new(more.chain(event)));
        let event = event.map(str::to_owned);
        *self.latest.write() = Some(Named { event, names: names.clone() });
        names
    }
}

#[cfg(test)]
mod tests {
    use flagship_control::control;

    use super::*;

    #[test]
    fn reserved_names_are_read_once_for_each_name_of_the_event() {
        let reserved = Reserved::new(&["The Sponsor".to_owned()]);
        let name = |text| TeamName::parse(text).expect("a name");
        let words = "the keys are computed once";
        let first = reserved.names(None);
        for _ in 0..1_000 {
            assert!(!reserved.contains(&name("Autumn CTF"), None));
        }
        if control("reserved_names_are_read_once_for_each_name_of_the_event", words) {
            reserved.names(Some("Autumn CTF"));
        }
        assert!(Arc::ptr_eq(&first, &reserved.names(None)), "{words}");
        // An event is applied, and is given another name.
        assert!(reserved.contains(&name("autumn ctf"), Some("Autumn CTF")));
        assert!(reserved.contains(&name("The Spons\u{43e}r"), Some("Autumn CTF")));
        assert!(reserved.contains(&name("r00t"), Some("Autumn CTF")));
        let named = reserved.names(Some("Autumn CTF"));
        assert!(Arc::ptr_eq(&named, &reserved.names(Some("Autumn CTF"))));
        assert!(!reserved.contains(&name("Autumn CTF"), Some("Winter CTF")));
        assert!(reserved.contains(&name("Winter CTF"), Some("Winter CTF")));
    }
}
