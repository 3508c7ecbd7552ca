//! A team's list of challenges as JSON. The members that all teams' lists have in common, which is
//! most of the list, are serialised once for each public change.

use std::sync::OnceLock;

use flagship_game::view::{self, Card};
use flagship_game::wire::{Seconds, Value};
use flagship_game::{Board, Challenge, ChallengeId, Contest, TeamId};
use serde::Serialize;

use crate::node::links::Links;

/// Space for a card's members that differ between teams, in bytes: enough for one attachment.
const OWN_BYTES: usize = 512;

/// The common members of all lists over one public board, serialised when first needed.
#[derive(Default)]
pub struct Cards(OnceLock<Vec<Printed>>);

/// The members of a card that are the same for all teams, as a JSON object without its closing
/// brace.
struct Printed {
    open: Vec<u8>,
    locked: Vec<u8>,
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
}

/// The members that differ between teams.
#[derive(Serialize)]
struct Own<'a> {
    attachments: Vec<WireAttachment<'a>>,
    locked: bool,
    requirements: &'a [ChallengeId],
    nsolves: u32,
    #[serde(rename = "fbTs")]
    first: Seconds,
}

#[derive(Serialize)]
struct WireAttachment<'a> {
    name: &'a str,
    link: String,
}

impl Cards {
    /// The list of a team, as JSON. `board` must be the board that these cards belong to.
    pub fn list(&self, board: &Board, contest: &Contest, links: &Links, team: TeamId) -> Vec<u8> {
        let printed = self.0.get_or_init(|| print(board));
        let bytes: usize = printed.iter().map(|card| card.open.len() + OWN_BYTES).sum();
        let mut json = Vec::with_capacity(bytes);
        json.extend_from_slice(b"{\"challenges\":[");
        let cards = view::cards(board, contest, team);
        for (index, (card, printed)) in cards.iter().zip(printed).enumerate() {
            if index > 0 {
                json.push(b',');
            }
            let common = if card.is_locked { &printed.locked } else { &printed.open };
            json.extend_from_slice(common);
            let bracket = json.len();
            write(&mut json, &own(card, links, team));
            json[bracket] = b',';
        }
        json.extend_from_slice(b"]}");
        json
    }
}

fn print(board: &Board) -> Vec<Printed> {
    let challenges = board.tallies().iter().map(|tally| tally.challenge());
    let cards = challenges.map(|challenge| Printed {
        open: common(challenge, &challenge.description),
        locked: common(challenge, ""),
    });
    cards.collect()
}

fn common(challenge: &Challenge, description: &str) -> Vec<u8> {
    let common = Common {
        id: challenge.id.as_str(),
        challenge_name: &challenge.name,
        value: Value::from(&challenge.scoring),
        categories: &challenge.categories,
        description,
    };
    let mut json = Vec::new();
    write(&mut json, &common);
    json.pop();
    json
}

fn own<'a>(card: &Card<'a>, links: &Links, team: TeamId) -> Own<'a> {
    let challenge = card.challenge;
    let attachments = challenge.attachments.iter().filter(|_| !card.is_locked).map(|attachment| {
        let link = links.link(team, &challenge.id, attachment);
        WireAttachment { name: &attachment.name, link }
    });
    Own {
        attachments: attachments.collect(),
        locked: card.is_locked,
        requirements: &challenge.requirements,
        nsolves: card.nsolves,
        first: Seconds(card.first_ms),
    }
}

fn write(json: &mut Vec<u8>, object: &impl Serialize) {
    serde_json::to_writer(json, object).expect("cards are plain data");
}
