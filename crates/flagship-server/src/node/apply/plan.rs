//! Conversion of event files to a plan.

use flagship_actions::challenge::flags::{flags_of, with_needed_flags};
use flagship_pack::{Pack, PackChallenge};
use flagship_store::Key;
use flagship_store::challenges::Draft;
use flagship_store::ops::Plan;
use flagship_store::sources;

/// Converts the files to the store's types; replaces exact flags by keyed digests. Returns `None`
/// without a usable event.
pub fn plan(pack: &Pack, key: &Key) -> Option<Plan> {
    let event = pack.event.clone()?;
    let challenges = pack.challenges.iter().map(|it| draft(it, key)).collect();
    let source = |it: &PackChallenge| sources::Source {
        path: it.source.path.clone(),
        text: it.source.text.clone(),
        files: serde_json::to_string(&it.known_files()).expect("plain data"),
    };
    let sources = pack.challenges.iter().map(|it| (it.challenge.id.clone(), source(it)));
    let defaults = serde_json::to_string(&pack.defaults).expect("plain data");
    Some(Plan {
        sources: sources.collect(),
        defaults: Some(defaults),
        divisions: pack.divisions.clone(),
        ..Plan::new(event, challenges)
    })
}

fn draft(it: &PackChallenge, key: &Key) -> Draft {
    let flags = flags_of(&it.challenge.id, &it.flags, key);
    let challenge = with_needed_flags(it.challenge.clone(), &flags, key);
    Draft { challenge, flags, hidden: it.hidden, release_at_ms: it.release_at_ms }
}
