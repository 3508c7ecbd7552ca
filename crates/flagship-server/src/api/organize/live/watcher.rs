//! Somebody who watches: what the organizers' live channel tells them, as JSON, and what they were
//! told already.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use bytes::Bytes;
use flagship_game::wire::watched;
use serde::Serialize;
use serde_json::Value;

use crate::api::error::ApiError;
use crate::api::organize::acts::{self, Entry};
use crate::api::organize::desk::{self, Listed, Question};
use crate::api::organize::overview::{self, Overview};
use crate::api::organize::submissions::{self, SentFlags};
use crate::net::socket::framed;
use crate::node::lists::flags::{self, PAGE_MAX, Query, Sent, Sight};
use crate::node::organizers::Who;
use crate::node::organizers::acts::{Act, ListActs, ListNotices, ListQuestions};
use crate::node::organizers::live::presence::{Look, Object, Place};
use crate::node::organizers::live::{Beat, Told as Shared};
use crate::node::state::App;

/// Beats between two looks at how the event and the node are.
const HEALTH_EVERY: u64 = 5;

/// A message. What the roles of the organizer do not see is null.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Frame<'a> {
    /// Everything, which replaces what the client has.
    State {
        name: &'a str,
        roles: Vec<&'static str>,
        view: watched::Sight,
        flags: Option<SentFlags>,
        acts: Option<Vec<Entry>>,
        questions: Option<&'a [Question]>,
        notices: Option<&'a [Listed]>,
    },
    /// A flag was judged.
    Flag(Sent),
    /// Somebody did something.
    Act(Entry),
    /// A question is new, or other than before.
    Question(&'a Question),
    /// A notice is new, or other than before.
    Notice(&'a Listed),
    /// How the event and the node are.
    Health(&'a Overview),
    /// The other organizers who watch.
    Presence { looks: Vec<Seen> },
}

#[derive(Serialize)]
struct Seen {
    name: String,
    object: Option<String>,
}

impl Frame<'_> {
    fn json(&self) -> String {
        serde_json::to_string(self).expect("frames are plain data")
    }
}

/// What a socket was told.
pub(super) struct Told {
    /// From which time on flags are hidden from who watches, in epoch milliseconds.
    hidden_ms: Option<i64>,
    /// The flags that came with everything; what the beat after brings may be among them.
    flags: HashSet<flags::Place>,
    last_act: i64,
    questions: HashMap<i64, Question>,
    notices: HashMap<i64, Listed>,
    /// Whether it has a board that changes can be told of.
    pub(super) has_board: bool,
    health: Option<Arc<Shared>>,
    presence: String,
}

impl Told {
    /// Whether what a beat brings comes right behind this. If it moves from when on flags are
    /// hidden, older ones come to light.
    pub(super) fn fits(&self, beat: &Beat) -> bool {
        !beat.is_gap && self.hidden_ms == beat.contest.hidden_from_ms()
    }
}

/// Somebody who watches, and what they were told.
pub(super) struct Watcher {
    pub(super) app: App,
    pub(super) who: Who,
    /// Which flags they see; `None` for none.
    pub(super) flags: Option<Sight>,
    pub(super) view: watched::Sight,
    pub(super) place: Place,
    /// `None` before the first beat, and after beats that were missed.
    pub(super) told: Option<Told>,
}

impl Watcher {
    fn questions(&self, beat: &Beat) -> Option<Vec<Question>> {
        let may = self.who.may(&ListQuestions::RULE).is_ok();
        may.then(|| desk::of_theirs(&self.who, &beat.questions))
    }

    fn notices(&self, beat: &Beat) -> Option<Vec<Listed>> {
        let may = self.who.may(&ListNotices::RULE).is_ok();
        may.then(|| desk::all_notices(&self.who, &beat.waiting, &beat.contest))
    }

    /// Everything that is not sent by itself, read after a beat, so that the next one brings what
    /// is missing.
    pub(super) async fn everything(&self, beat: &Beat) -> Result<(Told, String), ApiError> {
        let (app, who) = (&self.app, &self.who);
        let _view = app.organizers.views.take(who.organizer.id).await;
        let (mut seen, mut flags) = (HashSet::new(), None);
        if let Some(sight) = &self.flags {
            let page = submissions::page(app, sight.clone(), Query::default(), PAGE_MAX).await?;
            let page = submissions::with_texts(app, who.organizer.id, page).await?;
            seen.extend(page.flags.iter().map(|it| it.place));
            flags = Some(SentFlags::new(app, page));
        }
        let acts = match who.may(&ListActs::RULE) {
            Ok(()) => Some(acts::before_one(app, who, i64::MAX).await?),
            Err(_) => None,
        };
        let last_act = acts.iter().flatten().map(Entry::id).max().unwrap_or_default();
        let (questions, notices) = (self.questions(beat), self.notices(beat));
        let state = Frame::State {
            name: &who.organizer.name,
            roles: who.organizer.rights.roles.iter().map(|role| role.as_str()).collect(),
            view: self.view,
            flags,
            acts,
            questions: questions.as_deref(),
            notices: notices.as_deref(),
        };
        let state = state.json();
        let told = Told {
            hidden_ms: beat.contest.hidden_from_ms(),
            flags: seen,
            last_act,
            questions: questions.into_iter().flatten().map(|it| (it.id, it)).collect(),
            notices: notices.into_iter().flatten().map(|it| (it.id, it)).collect(),
            has_board: false,
            health: None,
            presence: String::new(),
        };
        Ok((told, state))
    }

    /// What a beat brings of flags, as frames.
    pub(super) async fn new_flags(&self, beat: &Beat, told: &Told) -> Bytes {
        let Some(sight) = &self.flags else { return Bytes::new() };
        let texts = self.app.texts.clone();
        let frame = move |it: Sent| Frame::Flag(it.with_text(&texts)).json();
        let flags = beat.flags(sight, frame).await;
        let Some(flags) = flags.get() else { return Bytes::new() };
        let is_new = |(place, _): &&(flags::Place, Bytes)| !told.flags.contains(place);
        match flags.texts.iter().all(|it| is_new(&it)) {
            true => flags.framed.clone(),
            false => framed(flags.texts.iter().filter(is_new).map(|(_, text)| text)),
        }
    }

    /// What a beat brings of acts, questions and notices.
    pub(super) fn news(&self, beat: &Beat, told: &mut Told) -> Vec<Bytes> {
        let mut news = Vec::new();
        if self.who.may(&ListActs::RULE).is_ok() {
            for (record, undoable) in &beat.acts {
                if record.id > told.last_act && self.who.sees_record(record, &beat.contest) {
                    news.push(Frame::Act(Entry::new(&self.who, record, None, *undoable)).json());
                }
                told.last_act = told.last_act.max(record.id);
            }
        }
        for question in self.questions(beat).into_iter().flatten() {
            if told.questions.get(&question.id) != Some(&question) {
                news.push(Frame::Question(&question).json());
                told.questions.insert(question.id, question);
            }
        }
        if let Some(notices) = self.notices(beat) {
            news.extend(changed(&mut told.notices, notices));
        }
        news.into_iter().map(Bytes::from).collect()
    }

    /// How the event and the node are, at most every few seconds, and only if that changed.
    pub(super) async fn health(&self, beat: &Beat, told: &mut Told) -> Option<String> {
        if told.health.is_some() && !beat.number.is_multiple_of(HEALTH_EVERY) {
            return None;
        }
        let kind = overview::kind(&self.who, self.view == watched::Sight::Truth);
        let mut shared = self.app.organizers.live.health.lock().await;
        let kept = shared.get(&kind).filter(|(number, _)| *number == beat.number);
        let health = match kept {
            Some((_, health)) => health.clone(),
            None => {
                // If the database does not answer, the next beat tries again.
                let read = overview::watched(&self.app, &self.who, kind).await.ok()?;
                let health = Arc::new(shared_frame(&read));
                shared.insert(kind, (beat.number, health.clone()));
                health
            }
        };
        let is_same = told.health.as_ref().is_some_and(|before| before.steady == health.steady);
        told.health = Some(health.clone());
        (!is_same).then(|| health.frame.clone())
    }

    /// The others who watch, if that changed.
    pub(super) fn presence(&self, beat: &Beat, told: &mut Told) -> Option<String> {
        let others = self.app.organizers.live.presence.others(self.who.organizer.id);
        let seen = |look: Look| {
            let object = look.object.filter(|object| sees(&self.who, beat, object));
            // Those who see no acts of others see only who looks at what they see too.
            let is_seen = object.is_some() || self.who.may(&ListActs::RULE).is_ok();
            is_seen.then(|| Seen { name: look.name, object: object.map(|it| it.to_string()) })
        };
        let looks = others.into_iter().filter_map(seen).collect();
        let frame = Frame::Presence { looks }.json();
        let is_same = frame == told.presence;
        told.presence.clone_from(&frame);
        (!is_same).then_some(frame)
    }
}

/// The frame of an overview. Its time alone is no news.
fn shared_frame(overview: &Overview) -> Shared {
    let mut steady = serde_json::to_value(overview).expect("it is plain data");
    if let Value::Object(members) = &mut steady {
        members.remove("now");
    }
    Shared { frame: Frame::Health(overview).json(), steady: steady.to_string() }
}

/// The frames of notices that are new or other than before. One that waited and is gone was
/// withdrawn.
fn changed(known: &mut HashMap<i64, Listed>, now: Vec<Listed>) -> Vec<String> {
    let ids: HashSet<i64> = now.iter().map(|it| it.id).collect();
    let gone = known.extract_if(|id, _| !ids.contains(id));
    let withdrawn = |(_, mut notice): (i64, Listed)| {
        notice.withdrawn = true;
        Frame::Notice(&notice).json()
    };
    let mut frames: Vec<String> = gone.map(withdrawn).collect();
    for notice in now {
        if known.get(&notice.id) != Some(&notice) {
            frames.push(Frame::Notice(&notice).json());
            known.insert(notice.id, notice);
        }
    }
    frames
}

/// Whether somebody sees what another one looks at.
fn sees(who: &Who, beat: &Beat, object: &Object) -> bool {
    match object {
        // An observer sees nothing of what others do.
        _ if who.may(&ListQuestions::RULE).is_err() => false,
        Object::Challenge(id) => {
            who.may_edit(id) || (who.sees_challenges() && beat.contest.is_seen(id))
        }
        Object::Team(_) | Object::Question(_) | Object::Notice(_) => who.sees_addresses(),
    }
}
