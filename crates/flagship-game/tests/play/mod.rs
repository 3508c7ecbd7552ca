//! Arbitrary events: what a handful of teams and nervous organizers do, drawn by proptest and
//! played against a `Contest`, so that only entries that can follow get into the journal.

use flagship_game::contest::Contest;
use flagship_game::entry::{Entry, Fact, Phase, TeamId};
use flagship_game::view::Viewer;
use flagship_game::{Challenge, ChallengeId, Event, Reveal, Scoring};
use proptest::collection::vec;
use proptest::prelude::*;

/// When the event is announced, in epoch milliseconds.
pub const T0: i64 = 1_700_920_000_000;
/// Teams that there can be; ids from 0.
pub const TEAMS: i64 = 7;
const CHALLENGES: u8 = 6;
/// Odd on purpose; the fold takes any. Two differ in case only, two in the order of UTF-16.
const NAMES: [&str; TEAMS as usize] = ["Ants", "ants", "～", "😀", "<b>", "\u{200b}", "__proto__"];

/// One thing that somebody does; what the numbers mean depends on `kind`.
#[derive(Clone, Copy, Debug)]
pub struct Act {
    kind: u8,
    who: u8,
    what: u8,
    more: u16,
    wait_ms: i64,
}

/// How an event is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// Anything happens, phases and changes of the times included.
    Wild,
    /// Nearly all of it in the freeze, whose time nobody touches.
    Frozen,
}

/// A list of acts.
pub fn acts() -> impl Strategy<Value = Vec<Act>> {
    let wait_ms = prop_oneof![2 => Just(0_i64), 6 => 1_i64..400, 1 => 400_i64..3000];
    let act = (0_u8..100, 0..TEAMS as u8, 0..CHALLENGES, any::<u16>(), wait_ms);
    let act = act.prop_map(|(kind, who, what, more, wait_ms)| {
        let more = if kind.is_multiple_of(2) { more % 64 } else { more };
        Act { kind, who, what, more, wait_ms }
    });
    vec(act, 0..45)
}

/// Plays the acts; `see` is told every entry that was tried, and the contest before it.
pub fn play(acts: &[Act], mood: Mood, mut see: impl FnMut(&Contest, &Entry)) -> Vec<Entry> {
    let mut contest = Contest::default();
    let mut journal = Vec::new();
    let mut now = T0;
    let mut write = |contest: &mut Contest, at_ms, fact| {
        let entry = Entry { seq: contest.seq() + 1, at_ms, fact };
        see(contest, &entry);
        if contest.fold(&entry).is_ok() {
            journal.push(entry);
        }
    };
    for fact in prologue(mood) {
        write(&mut contest, now, fact);
    }
    for act in acts {
        now += act.wait_ms;
        let lane_sleeps = mood == Mood::Wild && act.more % 16 == 7;
        for phase in contest.due(now) {
            if !lane_sleeps {
                write(&mut contest, now, Fact::Phase { phase });
            }
        }
        write(&mut contest, now, fact(act, mood, now));
    }
    journal
}

/// Everybody who can look.
pub fn viewers() -> impl Iterator<Item = Viewer> {
    [Viewer::Public, Viewer::Organizer]
        .into_iter()
        .chain((0..TEAMS).map(|id| Viewer::Team(TeamId(id))))
}

fn prologue(mood: Mood) -> Vec<Fact> {
    let freeze_ms = if mood == Mood::Frozen { 700 } else { 3000 };
    let mut facts = vec![event(Some(T0 + 300), Some(T0 + freeze_ms), 6000, Reveal::Manual)];
    facts.extend((0..3).map(team));
    facts.extend((0..4).map(|what| challenge(what, u16::from(what))));
    facts
}

fn fact(act: &Act, mood: Mood, now: i64) -> Fact {
    let Act { kind, who, what, more, .. } = *act;
    let team_id = TeamId(i64::from(who));
    let id = challenge_id(what);
    match kind {
        50..58 => Fact::SolveWithdrawn { team: team_id, challenge: id },
        58..64 => {
            Fact::TeamState { team: team_id, banned: more.is_multiple_of(3), hidden: more % 5 < 2 }
        }
        64..70 => {
            let (points, reason) = (i64::from(more % 7) * 50 - 150, "because".to_owned());
            Fact::Award { team: team_id, points, reason }
        }
        70..77 => challenge(what, more),
        77..81 => Fact::Withdrawn { challenge: id },
        81..89 => team(who),
        89..93 if mood == Mood::Wild => changed_event(more, now),
        93..96 if mood == Mood::Wild => {
            let phases = [Phase::Start, Phase::Freeze, Phase::End, Phase::Reveal];
            Fact::Phase { phase: phases[usize::from(more % 4)] }
        }
        _ => Fact::Solve { team: team_id, challenge: id },
    }
}

fn changed_event(more: u16, now: i64) -> Fact {
    let start_ms = [Some(T0 + 300), Some(T0), Some(now + 200), None][usize::from(more % 4)];
    let freeze_ms = [Some(T0 + 3000), Some(now - 700), Some(now + 900), None];
    let reveal = if more.is_multiple_of(3) { Reveal::Auto } else { Reveal::Manual };
    event(start_ms, freeze_ms[usize::from(more / 4 % 4)], 3000 + i64::from(more % 5) * 1000, reveal)
}

fn event(start_ms: Option<i64>, freeze_ms: Option<i64>, end: i64, reveal: Reveal) -> Fact {
    Fact::Event {
        event: Event {
            name: "An event".to_owned(),
            start_ms,
            end_ms: Some(T0 + end),
            freeze_ms,
            reveal,
            timezone: "Europe/Rome".to_owned(),
            flag_format: String::new(),
            rules: String::new(),
        },
    }
}

fn team(who: u8) -> Fact {
    let name = NAMES[usize::from(who)].to_owned();
    Fact::Team { team: TeamId(i64::from(who)), name, country: "IT".to_owned() }
}

fn challenge_id(what: u8) -> ChallengeId {
    ChallengeId::parse(&format!("c{what}")).expect("letters and digits")
}

fn challenge(what: u8, more: u16) -> Fact {
    let scoring = match more % 5 {
        0 => Scoring::Dynamic { max: 500, min: 50, decay: 15 },
        1 => Scoring::Static { max: 100 },
        2 => Scoring::Speedrun { values: vec![100, 60, 30] },
        3 => Scoring::Dynamic { max: 1000, min: 900, decay: 3 },
        _ => Scoring::Speedrun { values: vec![] },
    };
    let requirements = match more / 8 % 8 {
        0 | 1 => vec![challenge_id((what + 1) % CHALLENGES)],
        2 => vec![challenge_id(0), challenge_id(1)],
        3 if more.is_multiple_of(3) => vec![ChallengeId::from_name("nowhere")],
        _ => vec![],
    };
    Fact::Challenge {
        challenge: Challenge {
            id: challenge_id(what),
            name: format!("Challenge {what}"),
            scoring,
            categories: vec![["web", "crypto"][usize::from(what % 2)].to_owned()],
            description: String::new(),
            attachments: vec![],
            requirements,
            position: (more % 7 == 6).then_some(i64::from(more % 3)),
        },
    }
}
