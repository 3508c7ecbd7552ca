//! Links to attachments. A link identifies its team by a handle derived with the event's secret, so
//! that the internal id is not sent to clients.

use std::collections::HashMap;

use flagship_game::{Attachment, ChallengeId, Contest, TeamId};
use flagship_store::Key;
use parking_lot::RwLock;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

const HANDLE_DIGITS: usize = 32;

/// Creates and parses links.
pub struct Links {
    links_key: Key,
    teams_key: Key,
    known: RwLock<Known>,
}

/// Handles computed so far.
#[derive(Default)]
struct Known {
    handles: HashMap<TeamId, Box<str>>,
    teams: HashMap<Box<str>, TeamId>,
}

impl Links {
    /// Creates links under the event's secret.
    pub fn new(key: &Key) -> Self {
        let [links_key, teams_key] =
            ["attachment", "attachment's team"].map(|purpose| key.subkey(purpose, &[]));
        Self { links_key, teams_key, known: RwLock::default() }
    }

    pub fn link(&self, team: TeamId, id: &ChallengeId, attachment: &Attachment) -> String {
        let handle = self.handle(team);
        let mac = self.links_key.mac(&handle, &[id.as_str(), &attachment.digest]);
        let name = plain_name(&attachment.name);
        format!("/api/files/{handle}{mac}/{id}/{}/{name}", attachment.digest)
    }

    /// Returns the team of a link, if the link is valid.
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
        // An earlier process or another node created the link. Computes all handles once.
        contest.teams().for_each(|team| drop(self.handle(team.id)));
        self.known.read().teams.get(handle).copied()
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

/// Characters that `filename*` contains without encoding (RFC 8187, `attr-char`).
const ATTR_CHARS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// Returns a `Content-Disposition` that makes clients save a file under its name (RFC 6266).
/// Clients that do not support `filename*` get the name with `_` in place of non-ASCII characters.
///
/// Path separators, control characters and characters that reorder others become `_`.
pub fn disposition(kind: &str, name: &str) -> String {
    let reorders = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unsafe = |c: char| matches!(c, '/' | '\\') || c.is_control() || reorders(c);
    let name = name.replace(is_unsafe, "_");
    let name = if name.chars().all(|c| c == '.') { "file" } else { &name };
    // Some browsers decode sequences such as `%41` here.
    let is_quotable = |c: char| (c.is_ascii_graphic() || c == ' ') && !"\"%".contains(c);
    let plain = name.replace(|c| !is_quotable(c), "_");
    let whole = utf8_percent_encode(name, ATTR_CHARS);
    match plain == name {
        true => format!("{kind}; filename=\"{plain}\""),
        false => format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{whole}"),
    }
}

/// Returns a file name without path segments or characters that links must escape.
pub fn plain_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.chars().all(|c| c == '.') { "file".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_saved_under_its_name() {
        let plain = |name: &str| format!("attachment; filename=\"{name}\"");
        for name in ["a.txt", "two words.txt", "+plus+.txt", "evidence_ZHlpbmc=.txt", "a;b,c.txt"] {
            assert_eq!(disposition("attachment", name), plain(name));
        }
        for (name, ascii, whole) in [
            ("José.txt", "Jos_.txt", "Jos%C3%A9.txt"),
            ("ファイル.txt", "____.txt", "%E3%83%95%E3%82%A1%E3%82%A4%E3%83%AB.txt"),
            ("😆", "_", "%F0%9F%98%86"),
            ("100%41.txt", "100_41.txt", "100%2541.txt"),
            ("x\"; filename=\"y.exe", "x_; filename=_y.exe", "x%22%3B%20filename%3D%22y.exe"),
        ] {
            let expected = format!("{}; filename*=UTF-8''{whole}", plain(ascii));
            assert_eq!(disposition("attachment", name), expected);
        }
        // Folders, header injection and misleading file extensions are neutralized.
        for (name, expected) in [
            ("../../etc/passwd", ".._.._etc_passwd"),
            ("a\\b", "a_b"),
            ("a\r\nSet-Cookie: b", "a__Set-Cookie: b"),
            ("txt.\u{202e}exe", "txt._exe"),
            ("..", "file"),
            ("", "file"),
        ] {
            assert_eq!(disposition("attachment", name), plain(expected));
        }
    }

    #[test]
    fn plain_names_need_no_escape_and_are_not_dot_segments() {
        let table = [("a b.zip", "a_b.zip"), ("..", "file"), ("", "file"), ("../x", ".._x")];
        for (name, expected) in table.into_iter().chain([("caffè\r\n", "caff___")]) {
            assert_eq!(plain_name(name), expected);
        }
    }
}
