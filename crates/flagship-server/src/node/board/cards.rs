//! Challenge lists as JSON. Most members are the same for all teams and are serialized once per
//! public change.

use std::borrow::Cow;
use std::sync::OnceLock;

use bytes::Bytes;
use flagship_game::challenge::{PASS_PLACEHOLDER, PICTURE_SCHEME};
use flagship_game::contest::Progress;
use flagship_game::view::{self, Card, CardHint};
use flagship_game::wire::{Seconds, Value};
use flagship_game::{
    Attachment, Board, Challenge, ChallengeId, Contest, Hint, StatusKind, Tally, TeamId,
};
use serde::Serialize;

use super::passes::Passes;
use crate::net::body::Pieces;
use crate::node::links::Links;

/// Space reserved for a card's team-specific members, in bytes. Enough for one attachment.
const OWN_BYTES: usize = 512;
/// Lists with at most this many common bytes are sent as one buffer, which is faster. Longer lists
/// share the common bytes, so that slow clients do not each hold a copy in memory.
const COPIED_BYTES_MAX: usize = 64 * 1024;

/// Start of an image in the JSON of a description, up to the digest. In text, `<` is escaped.
const PICTURE: &str = r#"<img src=\"picture:"#;

/// Place of a pass in the members that can have one. No text has a control character, so this is
/// in no other member.
const PASS: &str = "\0pass";
/// The same in JSON.
const PASS_JSON: &str = r"\u0000pass";

/// Common members of all lists for one public board, serialized on first use.
#[derive(Default)]
pub struct Cards(OnceLock<Vec<SerializedCard>>);

/// Card members that are the same for all teams, as a JSON object without its closing brace.
struct SerializedCard {
    open: Vec<Part>,
    locked: Vec<Part>,
}

/// Part of the serialized members, and the text that follows it.
struct Part {
    bytes: Bytes,
    own: Option<OwnText>,
}

/// A text within the serialized members that differs between teams. It needs no escape in JSON.
#[derive(Clone)]
enum OwnText {
    /// Link to an image.
    Picture(Attachment),
    /// The team's pass.
    Pass,
}

/// A team, and the sources of the texts and files that it has for itself.
pub struct CardReader<'a> {
    pub team: TeamId,
    pub links: &'a Links,
    pub passes: &'a Passes,
    /// The team's copies of attachments with its flag.
    pub copies: &'a OwnCopies,
}

/// A team's copies of attachments, by challenge and by the digest of the original.
#[derive(Default)]
pub struct OwnCopies(pub Vec<(ChallengeId, String, CopyDigest)>);

/// Size and digest of a team's copy of an attachment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyDigest {
    pub bytes: u64,
    /// SHA-256 in hex.
    pub sha256: String,
}

impl OwnCopies {
    fn find(&self, id: &ChallengeId, digest: &str) -> Option<&CopyDigest> {
        let mut all = self.0.iter();
        all.find(|(of, original, _)| of == id && original == digest).map(|(_, _, copy)| copy)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Common<'a> {
    id: &'a str,
    challenge_name: &'a str,
    #[serde(flatten)]
    value: Value<'a>,
    categories: &'a [String],
    description: &'a str,
    status: StatusKind,
    status_note: &'a str,
    /// `None` if teams take the hints, so that they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<Vec<WireHint<'a>>>,
    connection: Option<&'a str>,
    flag_format: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribution: Option<&'a str>,
}

/// A hint. `at` is in epoch milliseconds.
#[derive(Serialize)]
struct WireHint<'a> {
    id: &'a str,
    title: Option<&'a str>,
    cost: i64,
    html: Option<&'a str>,
    at: Option<i64>,
    taken: bool,
    requirements: &'a [String],
}

impl<'a> WireHint<'a> {
    /// A hint that is free for everyone.
    fn free(hint: &'a Hint) -> Self {
        Self {
            id: &hint.id,
            title: hint.title.as_deref(),
            cost: 0,
            html: hint.html.as_deref(),
            at: hint.at_ms,
            taken: false,
            requirements: &[],
        }
    }

    /// A hint as a team sees it.
    fn of(hint: &CardHint<'a>) -> Self {
        Self {
            id: hint.id(),
            title: hint.title(),
            cost: hint.cost,
            html: hint.html,
            at: hint.at_ms(),
            taken: hint.is_taken,
            requirements: hint.requirements(),
        }
    }
}

/// True if the hints of a challenge differ between teams.
fn are_taken(challenge: &Challenge) -> bool {
    challenge.hints.iter().any(Hint::must_be_taken)
}

/// Members that differ between teams.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Own<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<Vec<WireHint<'a>>>,
    attachments: Vec<WireAttachment<'a>>,
    locked: bool,
    requirements: &'a [ChallengeId],
    nsolves: u32,
    #[serde(rename = "fbTs")]
    first: Seconds,
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_left: Option<u32>,
    practiced_at: Option<i64>,
}

#[derive(Serialize)]
struct WireAttachment<'a> {
    name: &'a str,
    link: String,
    bytes: u64,
    sha256: &'a str,
}

impl Cards {
    /// Returns a team's list as JSON. `board` must be the board that these cards were created for.
    pub fn list(&self, board: &Board, contest: &Contest, reader: &CardReader<'_>) -> Pieces {
        let printed = self.0.get_or_init(|| serialize_all(board));
        let parts = printed.iter().flat_map(|card| &card.open);
        let common_bytes: usize = parts.map(|part| part.bytes.len()).sum();
        let is_copied = common_bytes <= COPIED_BYTES_MAX;
        let copied_bytes = if is_copied { common_bytes } else { 0 };
        let mut json = Vec::with_capacity(copied_bytes + printed.len() * OWN_BYTES);
        let mut shared = Vec::new();
        json.extend_from_slice(b"{\"challenges\":[");
        let cards = view::cards(board, contest, reader.team);
        for (index, (card, printed)) in cards.iter().zip(printed).enumerate() {
            if index > 0 {
                json.push(b',');
            }
            let common = if card.is_locked { &printed.locked } else { &printed.open };
            let mut texts = OwnTexts::default();
            for Part { bytes, own } in common {
                if is_copied {
                    json.extend_from_slice(bytes);
                } else {
                    shared.push((json.len(), bytes.clone()));
                }
                if let Some(own) = own {
                    let text = texts.of(own, reader, &card.challenge.id);
                    json.extend_from_slice(text.as_bytes());
                }
            }
            let bracket = json.len();
            write(&mut json, &own(card, reader));
            json[bracket] = b',';
        }
        json.extend_from_slice(b"]}");
        Pieces::spliced(json, shared)
    }
}

/// Texts of one card that differ between teams.
#[derive(Default)]
struct OwnTexts {
    /// The pass, which is signed once.
    pass: Option<String>,
}

impl OwnTexts {
    fn of(&mut self, own: &OwnText, reader: &CardReader<'_>, id: &ChallengeId) -> Cow<'_, str> {
        match own {
            OwnText::Picture(picture) => reader.links.link(reader.team, id, picture).into(),
            OwnText::Pass => {
                let sign = || reader.passes.pass(reader.team, id);
                self.pass.get_or_insert_with(sign).as_str().into()
            }
        }
    }
}

fn serialize_all(board: &Board) -> Vec<SerializedCard> {
    let cards = board.tallies().iter();
    let cards = cards
        .map(|tally| SerializedCard { open: common(tally, true), locked: common(tally, false) });
    cards.collect()
}

/// Serializes the common members of a challenge. Text members are left empty unless it is open.
fn common(tally: &Tally, is_open: bool) -> Vec<Part> {
    let (challenge, status) = (tally.challenge(), tally.status());
    let hints = || challenge.hints.iter().filter(|_| is_open).map(WireHint::free).collect();
    let description = challenge.description.replace(PASS_PLACEHOLDER, PASS);
    let connection = challenge.connection.as_ref().map(|it| it.replace(PASS_PLACEHOLDER, PASS));
    let common = Common {
        id: challenge.id.as_str(),
        challenge_name: &challenge.name,
        value: Value::from(&challenge.scoring),
        categories: &challenge.categories,
        description: if is_open { &description } else { "" },
        status: status.kind,
        status_note: if is_open { &status.note } else { "" },
        hints: (!are_taken(challenge)).then(hints),
        connection: connection.as_deref().filter(|_| is_open),
        flag_format: challenge.flag_format.as_deref().filter(|_| is_open),
        closes: challenge.closes_ms,
        difficulty: challenge.labels.difficulty.as_deref(),
        tags: &challenge.labels.tags,
        author: challenge.labels.author.as_deref().filter(|_| is_open),
        attribution: challenge.labels.attribution.as_deref().filter(|_| is_open),
    };
    let mut json = Vec::new();
    write(&mut json, &common);
    json.pop();
    parts(json.into(), &challenge.attachments)
}

/// Splits a card at its image addresses and the places of passes, and removes them.
fn parts(mut json: Bytes, attachments: &[Attachment]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut from = 0;
    while let Some(OwnPlace { start, end, own }) = next_own(&json, from, attachments) {
        let rest = json.split_off(end);
        json.truncate(start);
        parts.push(Part { bytes: json, own: Some(own) });
        (json, from) = (rest, 0);
    }
    parts.push(Part { bytes: json, own: None });
    parts
}

/// Place of a text that differs between teams, in bytes.
struct OwnPlace {
    start: usize,
    end: usize,
    own: OwnText,
}

/// Finds the next text that differs between teams.
fn next_own(json: &[u8], from: usize, attachments: &[Attachment]) -> Option<OwnPlace> {
    let pass = find(&json[from..], PASS_JSON).map(|at| {
        let start = from + at;
        OwnPlace { start, end: start + PASS_JSON.len(), own: OwnText::Pass }
    });
    let picture = next_picture(json, from, attachments);
    pass.into_iter().chain(picture).min_by_key(|place| place.start)
}

/// Finds the address of the next image that is an attachment.
fn next_picture(json: &[u8], mut from: usize, attachments: &[Attachment]) -> Option<OwnPlace> {
    let pictures: Vec<&Attachment> = attachments.iter().filter(|it| it.picture.is_some()).collect();
    pictures.first()?;
    loop {
        let digest_at = from + find(&json[from..], PICTURE)? + PICTURE.len();
        let found = pictures.iter().find(|it| json[digest_at..].starts_with(it.digest.as_bytes()));
        if let Some(picture) = found {
            let start = digest_at - PICTURE_SCHEME.len();
            let end = digest_at + picture.digest.len();
            return Some(OwnPlace { start, end, own: OwnText::Picture((*picture).clone()) });
        }
        from = digest_at;
    }
}

/// Returns the index of the first occurrence of `sought`.
fn find(bytes: &[u8], sought: &str) -> Option<usize> {
    bytes.windows(sought.len()).position(|it| it == sought.as_bytes())
}

/// Members that differ between teams. A file whose copy could not be made is left out.
fn own<'a>(card: &Card<'a>, reader: &CardReader<'a>) -> Own<'a> {
    let challenge = card.challenge;
    let attachments = challenge.listed().filter(|_| !card.is_locked).filter_map(|attachment| {
        let link = reader.links.link(reader.team, &challenge.id, attachment);
        let (bytes, sha256) = match attachment.per_team {
            false => (attachment.bytes, attachment.digest.as_str()),
            true => {
                let copy = reader.copies.find(&challenge.id, &attachment.digest)?;
                (copy.bytes, copy.sha256.as_str())
            }
        };
        Some(WireAttachment { name: &attachment.name, link, bytes, sha256 })
    });
    Own {
        hints: are_taken(challenge).then(|| card.hints.iter().map(WireHint::of).collect()),
        attachments: attachments.collect(),
        locked: card.is_locked,
        requirements: &challenge.requirements,
        nsolves: card.nsolves,
        first: Seconds(card.first_ms),
        progress: card.progress,
        attempts_left: card.attempts_left,
        practiced_at: card.practiced_ms,
    }
}

fn write(json: &mut Vec<u8>, object: &impl Serialize) {
    serde_json::to_writer(json, object).expect("cards are plain data");
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    use flagship_game::entry::Phase;
    use flagship_game::facts::{self, Fact};
    use flagship_game::{Entry, Event, Labels, Reveal, Scoring, Viewer};
    use flagship_store::Key;
    use hyper::body::Body as _;

    use super::*;

    /// A fold after the start, with two teams and two challenges that have the given description.
    fn contest(description: &str) -> Contest {
        let event = Event {
            name: String::new(),
            start_ms: Some(0),
            end_ms: None,
            freeze_ms: None,
            reveal: Reveal::Manual,
            timezone: "UTC".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
            hint_debt: false,
            practice: false,
            divisions: Vec::new(),
        };
        let tags = vec![PASS_PLACEHOLDER.to_owned()];
        let labels = Box::new(Labels { tags, ..Labels::default() });
        let challenge = |name: &str| Challenge {
            id: ChallengeId::from_name(name),
            name: name.to_owned(),
            scoring: Scoring::Static { max: 1 },
            categories: Vec::new(),
            description: description.to_owned(),
            attachments: Vec::new(),
            requirements: Vec::new(),
            position: None,
            hints: Vec::new(),
            connection: None,
            closes_ms: None,
            flag_format: None,
            rules: Default::default(),
            labels: labels.clone(),
        };
        let team = |id| {
            Fact::from(facts::Team {
                team: TeamId(id),
                name: format!("Team {id}"),
                country: "UN".to_owned(),
                hidden: false,
                divisions: Vec::new(),
            })
        };
        let challenges =
            ["a", "b"].map(|name| Fact::from(facts::Challenge { challenge: challenge(name) }));
        let start =
            [Fact::from(facts::Event { event }), Fact::from(facts::Phase { phase: Phase::Start })];
        let mut contest = Contest::default();
        for fact in start.into_iter().chain(challenges).chain([team(1), team(2)]) {
            let entry = Entry { seq: contest.seq() + 1, at_ms: 1, fact };
            contest.fold(&entry).expect("the entry has the next number");
        }
        contest
    }

    fn frames(mut body: Pieces) -> Vec<Bytes> {
        let mut frames = Vec::new();
        let mut context = Context::from_waker(Waker::noop());
        while let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut body).poll_frame(&mut context) {
            assert!(!body.is_end_stream() || body.bytes() == 0);
            frames.push(frame.into_data().expect("it has data only"));
        }
        frames
    }

    #[test]
    fn placeholders_of_passes_become_passes_of_the_team() {
        let description = format!("<a href=\"https://x.example/?p={PASS_PLACEHOLDER}\">x</a>");
        let contest = contest(&description);
        let board = view::board(&contest, Viewer::Public);
        let key = Key::new(b"key");
        let links = Links::new(&key);
        let passes = Passes::new(&key);
        let copies = OwnCopies::default();
        let cards = Cards::default();
        for team in [TeamId(1), TeamId(2)] {
            let reader = CardReader { team, links: &links, passes: &passes, copies: &copies };
            let json = frames(cards.list(&board, &contest, &reader)).concat();
            let list: serde_json::Value = serde_json::from_slice(&json).expect("it is JSON");
            for (index, id) in ["a", "b"].into_iter().enumerate() {
                let pass = passes.pass(team, &ChallengeId::from_name(id));
                let expected = description.replace(PASS_PLACEHOLDER, &pass);
                let card = &list["challenges"][index];
                assert_eq!(card["description"], expected);
                assert_eq!(card["tags"][0], PASS_PLACEHOLDER, "tags have no pass");
            }
        }
    }

    #[test]
    fn large_lists_of_teams_share_their_common_bytes() {
        let description = "x".repeat(COPIED_BYTES_MAX / 2);
        let contest = contest(&description);
        let board = view::board(&contest, Viewer::Public);
        let key = Key::new(b"key");
        let links = Links::new(&key);
        let passes = Passes::new(&key);
        let copies = OwnCopies::default();
        let reader = |team| CardReader { team, links: &links, passes: &passes, copies: &copies };
        let cards = Cards::default();
        let lists = [1, 2].map(|team| cards.list(&board, &contest, &reader(TeamId(team))));
        let said = lists[0].bytes();
        let [one, other] = lists.map(frames);
        let is_shared = |piece: &&Bytes| other.iter().any(|it| it.as_ptr() == piece.as_ptr());
        let shared: usize = one.iter().filter(is_shared).map(Bytes::len).sum();
        let whole = one.concat();
        assert_eq!(said, whole.len() as u64, "the length is known before");
        let own = whole.len() - shared;
        assert!(own < 2 * OWN_BYTES, "{own} bytes that no other list shares");
        let whole: serde_json::Value = serde_json::from_slice(&whole).expect("it is JSON");
        for (index, id) in ["a", "b"].into_iter().enumerate() {
            let card = &whole["challenges"][index];
            assert_eq!((&card["id"], &card["description"]), (&id.into(), &(*description).into()));
            assert_eq!(card["locked"], false);
        }
    }
}
