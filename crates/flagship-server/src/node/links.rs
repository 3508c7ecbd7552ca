//! Links to attachments. A link names its team by a handle that is derived with the event's secret,
//! so that the internal id is not on the wire.

use std::collections::HashMap;

use flagship_game::{Attachment, ChallengeId, Contest, TeamId};
use flagship_store::Key;
use parking_lot::RwLock;

/// Hex digits of a handle.
const HANDLE_DIGITS: usize = 32;

/// Makes and reads links.
pub struct Links {
    links_key: Key,
    teams_key: Key,
    known: RwLock<Known>,
}

/// The handles that were computed.
#[derive(Default)]
struct Known {
    handles: HashMap<TeamId, Box<str>>,
    teams: HashMap<Box<str>, TeamId>,
}

impl Links {
    /// Links under the event's secret.
    pub fn new(key: &Key) -> Self {
        let [links_key, teams_key] =
            ["attachment", "attachment's team"].map(|purpose| key.subkey(purpose, &[]));
        Self { links_key, teams_key, known: RwLock::default() }
    }

    /// A team's link to an attachment.
    pub fn link(&self, team: TeamId, id: &ChallengeId, attachment: &Attachment) -> String {
        let handle = self.handle(team);
        let mac = self.mac(&handle, id.as_str(), &attachment.digest);
        let name = plain_name(&attachment.name);
        format!("/api/files/{handle}{mac}/{id}/{}/{name}", attachment.digest)
    }

    /// The team that a link is for, if the link is valid.
    pub fn team(
        &self,
        contest: &Contest,
        capability: &str,
        challenge: &str,
        digest: &str,
    ) -> Option<TeamId> {
        let (handle, mac) = capability.split_at_checked(HANDLE_DIGITS)?;
        if !self.links_key.is_mac(mac, handle, &[challenge, digest]) {
            return None;
        }
        if let Some(team) = self.known.read().teams.get(handle) {
            return Some(*team);
        }
        // An older process or another node made the link: compute all handles once.
        contest.teams().for_each(|team| drop(self.handle(team.id)));
        self.known.read().teams.get(handle).copied()
    }

    fn mac(&self, handle: &str, challenge: &str, digest: &str) -> String {
        self.links_key.mac(handle, &[challenge, digest])
    }

    fn handle(&self, team: TeamId) -> Box<str> {
        if let Some(handle) = self.known.read().handles.get(&team) {
            return handle.clone();
        }
        let mut handle = self.teams_key.mac(&team.0.to_string(), &[]);
        handle.truncate(HANDLE_DIGITS);
        let (handle, mut known) = (handle.into_boxed_str(), self.known.write());
        known.teams.insert(handle.clone(), team);
        known.handles.insert(team, handle.clone());
        handle
    }
}

/// A file name without characters that need escaping in links or headers, and without path steps.
pub fn plain_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.chars().all(|c| c == '.') { "file".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_need_no_escape_and_are_not_dot_segments() {
        let table = [("a b.zip", "a_b.zip"), ("..", "file"), ("", "file"), ("../x", ".._x")];
        for (name, expected) in table.into_iter().chain([("caffè\r\n", "caff___")]) {
            assert_eq!(plain_name(name), expected);
        }
    }
}
