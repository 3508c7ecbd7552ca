//! The live channel's memory: the last frames in order, each serialised once for all sockets.
//!
//! Sockets pull by their own cursor, so a slow one delays nobody; one that falls out of the ring
//! is sent a snapshot.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use flagship_game::TeamId;
use flagship_game::contest::{Change, Contest};
use flagship_game::wire::{Message, Seconds};
use parking_lot::RwLock;
use tokio::sync::watch;

/// Frames kept for sockets that lag or come back.
const FRAMES_MAX: usize = 8192;

/// Who is sent a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everyone.
    All,
    /// One team alone: its own solve that nobody else may see.
    Team(TeamId),
}

impl Audience {
    /// Whether a viewer is sent the frame.
    pub fn includes(self, viewer: Option<TeamId>) -> bool {
        match self {
            Self::All => true,
            Self::Team(team) => viewer == Some(team),
        }
    }
}

/// What a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A team joined.
    NewTeam,
    /// A solve.
    Solve,
    /// Something that only a snapshot can say.
    Changed,
    /// The same for one team alone; it has no text and is answered by a snapshot.
    OwnChanged,
}

/// One message, ready to be sent.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Who is sent it.
    pub audience: Audience,
    /// What it says.
    pub kind: Kind,
    /// Its number in the public stream.
    pub seq: Option<u64>,
    /// Its JSON.
    pub text: Utf8Bytes,
}

/// The ring of frames, and the word that it has grown.
pub struct Hub {
    ring: RwLock<Ring>,
    count: watch::Sender<u64>,
}

#[derive(Default)]
struct Ring {
    frames: VecDeque<Frame>,
    /// Frames ever pushed.
    count: u64,
    /// Number of the last change in the public stream.
    seq: u64,
}

impl Hub {
    /// An empty hub over a public stream that has come to `seq`.
    pub fn new(seq: u64) -> Self {
        let ring = RwLock::new(Ring { seq, ..Ring::default() });
        Self { ring, count: watch::Sender::new(0) }
    }

    /// How many frames there ever were, and when there are more.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.count.subscribe()
    }

    /// Appends the frames for some changes, without waking anyone; gives the new count.
    pub fn push(&self, contest: &Contest, changes: &[Change]) -> u64 {
        let mut ring = self.ring.write();
        for change in changes {
            if let Some(frame) = frame(contest, change) {
                if ring.frames.len() == FRAMES_MAX {
                    ring.frames.pop_front();
                }
                ring.seq = frame.seq.unwrap_or(ring.seq);
                ring.frames.push_back(frame);
                ring.count += 1;
            }
        }
        ring.count
    }

    /// Wakes the sockets.
    pub fn wake(&self) {
        let count = self.ring.read().count;
        self.count.send_if_modified(|known| std::mem::replace(known, count) != count);
    }

    /// The frames after `cursor` and the new cursor; `None` when some are forgotten.
    pub fn after(&self, cursor: u64) -> Option<(Vec<Frame>, u64)> {
        let ring = self.ring.read();
        let missing = usize::try_from(ring.count.checked_sub(cursor)?).ok()?;
        let skip = ring.frames.len().checked_sub(missing)?;
        Some((ring.frames.range(skip..).cloned().collect(), ring.count))
    }

    /// What a client that knows the public stream up to `seq` has missed, and the new cursor;
    /// `None` when that is forgotten or deltas cannot say it.
    pub fn missed(&self, seq: u64) -> Option<(Vec<Frame>, u64)> {
        let ring = self.ring.read();
        let count = usize::try_from(ring.seq.checked_sub(seq)?).ok()?;
        let public = ring.frames.iter().rev().filter(|frame| frame.seq.is_some());
        let mut missed: Vec<Frame> = public.take(count).cloned().collect();
        missed.reverse();
        let only_deltas = missed.iter().all(|frame| frame.kind != Kind::Changed);
        (missed.len() == count && only_deltas).then_some((missed, ring.count))
    }
}

fn frame(contest: &Contest, change: &Change) -> Option<Frame> {
    let json = |message| {
        let text = serde_json::to_string(&message).expect("messages are plain data");
        Utf8Bytes::from(text)
    };
    Some(match change {
        Change::Solve { seq, team, challenge, at_ms } => {
            let (id, team) = (team, contest.team(*team)?);
            let audience = if seq.is_some() { Audience::All } else { Audience::Team(*id) };
            let (challenge_id, team_name) = (challenge.as_str(), &*team.name);
            let ts = Seconds(*at_ms);
            let text = json(Message::Solve { challenge_id, team_name, ts, seq: *seq });
            Frame { audience, kind: Kind::Solve, seq: *seq, text }
        }
        Change::NewTeam { seq, team } => {
            let team = contest.team(*team)?;
            let (team_name, country) = (&*team.name, &*team.country);
            let text = json(Message::NewTeam { team_name, country, seq: *seq });
            Frame { audience: Audience::All, kind: Kind::NewTeam, seq: Some(*seq), text }
        }
        Change::Snapshot { seq } => {
            let text = json(Message::Changed { seq: *seq });
            Frame { audience: Audience::All, kind: Kind::Changed, seq: Some(*seq), text }
        }
        Change::OwnSnapshot { team } => {
            let (audience, text) = (Audience::Team(*team), Utf8Bytes::from_static(""));
            Frame { audience, kind: Kind::OwnChanged, seq: None, text }
        }
    })
}
