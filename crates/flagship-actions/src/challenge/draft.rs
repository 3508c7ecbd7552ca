//! A challenge that an action makes or changes: the checks, the rows, the facts, and the undo.

use flagship_store::challenges::{self, Draft, Held};
use flagship_store::ops::undo_data::{Before, DraftUndo, Named};
use flagship_store::ops::{challenge_step, is_visible, text_object};
use flagship_store::sources::{self, Source};

use super::object;
use crate::prelude::*;

/// The keys that can move points or show a challenge: authors change none of them.
pub const OF_POINTS: [&str; 10] = [
    "type",
    "value",
    "extra",
    "scoring",
    "position",
    "requirements",
    "closes",
    "state",
    "release",
    "scheduled_at",
];

/// A challenge that an action makes or changes.
pub struct DraftEdit {
    /// The new challenge with its flags, whether and when it is shown.
    pub draft: Draft,
    /// The new source.
    pub source: Source,
    /// The version of the source that was edited; `None` for a new challenge.
    pub was: Option<String>,
    /// The given keys, for the record.
    pub keys: Vec<String>,
    /// The sources of other challenges that required it by the name that it loses: with its id in
    /// place of the name.
    pub naming: Vec<Naming>,
}

/// The source of a challenge that requires an edited one, with an id in place of its name.
pub struct Naming {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The new source.
    pub source: Source,
    /// The version of the source that was edited.
    pub was: String,
}

impl DraftEdit {
    /// Makes the challenge, or changes it. Adds the keys to the record.
    pub async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        let id = self.draft.challenge.id.clone();
        let naming = self.naming.iter().map(|it| &it.challenge);
        let new = self.was.is_none().then(|| object(&id));
        context.touch(std::iter::once(&id).chain(naming).map(text_object).chain(new)).await?;
        let drafts = signed_drafts(context).await?;
        let draft = drafts.into_iter().find(|draft| draft.challenge.id == id);
        let held = challenges::held_of(context.tx(), &id).await?;
        let source = sources::row_in(context.tx(), &id).await?;
        // A new challenge is shown by a separate action.
        let is_new = draft.is_none();
        let holds = if is_new { Some(Held { shown: false, release_at_ms: None }) } else { held };
        let after = match holds {
            Some(held) => held.over(self.draft.clone()),
            None => self.draft.clone(),
        };
        self.check(context, draft.as_ref(), &after).await?;
        // Before the first write, also of one that is not shown yet.
        let fact = facts::Challenge { challenge: after.challenge.clone() }.into();
        context.check_fact(&fact, ActionError::NoChallenge)?;
        for Naming { challenge, was, .. } in &self.naming {
            check_version(context, challenge, was).await?;
        }
        if is_new {
            challenges::put_held(context.tx(), &id, holds).await?;
        }
        let naming = self.rename_in_others(context).await?;
        write_source(context, &id, &self.source).await?;
        put_draft(context, draft.as_ref(), &after).await?;
        context.add_details(self.details());
        let left = self.source.version();
        let before = Box::new(Before { draft, held, source, left });
        Ok(Some(DraftUndo { challenge: id, before, naming }))
    }

    /// Rejects an edit of what was changed since, a new challenge that exists already, and an
    /// author's edit that moves points.
    async fn check(
        &self,
        context: &mut Context<'_>,
        before: Option<&Draft>,
        after: &Draft,
    ) -> ActionResult<()> {
        let id = &after.challenge.id;
        context.check_scope(Some(id), ActionError::NoChallenge)?;
        let is_author = context.actor().only_challenges.is_some();
        let Some(was) = &self.was else {
            let is_known =
                before.is_some() || context.contest().challenge(id).is_some() || is_author;
            return if is_known { Err(ActionError::ChallengeTaken.into()) } else { Ok(()) };
        };
        let old = before.ok_or(ActionError::NoChallenge)?;
        check_version(context, id, was).await?;
        // Some have no effect now, and would have one after another's edit.
        let is_of_points = |key: &String| OF_POINTS.contains(&key.as_str());
        if is_author && self.keys.iter().any(is_of_points) {
            return Err(ActionError::MovesPoints.into());
        }
        check_points(context, old, after)
    }

    /// Writes the sources of other challenges; returns those before. Their published form stays.
    async fn rename_in_others(&self, context: &mut Context<'_>) -> ActionResult<Vec<Named>> {
        let mut before = Vec::new();
        for Naming { challenge, source, .. } in &self.naming {
            let row = sources::row_in(context.tx(), challenge).await?;
            let row = row.ok_or(ActionError::NoChallenge)?;
            write_source(context, challenge, source).await?;
            let (challenge, left) = (challenge.clone(), source.version());
            before.push(Named { challenge, source: row, left });
        }
        Ok(before)
    }

    fn details(&self) -> serde_json::Value {
        let mut details = json!({"keys": self.keys});
        if !self.naming.is_empty() {
            details["naming"] = self.naming.iter().map(|it| json!(it.challenge)).collect();
        }
        details
    }
}

/// Writes the source of a challenge that the actor changes.
async fn write_source(
    context: &mut Context<'_>,
    id: &ChallengeId,
    source: &Source,
) -> ActionResult<()> {
    let (seal, name, now_ms) = (context.seal(), context.actor().name.clone(), context.now_ms());
    Ok(sources::change(context.tx(), &seal, id, source, (&name, now_ms)).await?)
}

/// The drafts, unless another program changed them: what is written next is signed.
async fn signed_drafts(context: &mut Context<'_>) -> ActionResult<Vec<Draft>> {
    let signature = context.seal().watch_flags(context.tx()).await?;
    signature.ok_or(ActionError::Altered)?;
    Ok(challenges::all_in(context.tx()).await?)
}

/// Rejects an action that was prepared for another version of a source.
async fn check_version(
    context: &mut Context<'_>,
    id: &ChallengeId,
    version: &str,
) -> ActionResult<()> {
    let seal = context.seal();
    match sources::of_in(context.tx(), &seal, id).await? {
        Some(kept) if kept.version() == version => Ok(()),
        _ => Err(ActionError::Touched.into()),
    }
}

/// Rejects an author's change that moves points.
fn check_points(context: &Context<'_>, old: &Draft, new: &Draft) -> ActionResult<()> {
    let moves_points = |draft: &Draft| {
        let it = &draft.challenge;
        let shown = (draft.hidden, draft.release_at_ms);
        (it.scoring.clone(), it.requirements.clone(), it.position, it.closes_ms, shown)
    };
    let is_author = context.actor().only_challenges.is_some();
    match is_author && moves_points(old) != moves_points(new) {
        true => Err(ActionError::MovesPoints.into()),
        false => Ok(()),
    }
}

/// Rejects an author's undo that moves points.
fn check_before(
    context: &Context<'_>,
    present: Option<&Draft>,
    before: Option<&Draft>,
) -> ActionResult<()> {
    match (present, before) {
        (Some(present), Some(before)) => check_points(context, present, before),
        _ if context.actor().only_challenges.is_some() => Err(ActionError::MovesPoints.into()),
        _ => Ok(()),
    }
}

/// The draft before an edit, shown as the challenge is now: whether and when that is, the draft
/// does not say if it was held at that time and is not held any more.
async fn as_shown_now(
    context: &mut Context<'_>,
    id: &ChallengeId,
    present: Option<&Draft>,
    before: Before,
) -> ActionResult<Before> {
    let now = challenges::held_of(context.tx(), id).await?;
    let Some(shown) = now.or_else(|| before.held.and(present).map(Held::of)) else {
        return Ok(before);
    };
    let draft = before.draft.map(|draft| shown.over(draft));
    Ok(Before { draft, ..before })
}

/// Writes a draft in place of another, and records its published form.
async fn put_draft(
    context: &mut Context<'_>,
    before: Option<&Draft>,
    after: &Draft,
) -> ActionResult<()> {
    let now_ms = context.now_ms();
    let step = challenge_step(context.contest(), before, after, now_ms);
    let fact = step.and_then(|(_, fact)| fact);
    let tx = context.tx();
    challenges::write(tx, after, is_visible(after, now_ms), now_ms).await?;
    if before.is_none_or(|before| before.flags != after.flags) {
        challenges::write_flags(tx, after).await?;
    }
    if let Some(fact) = fact {
        context.try_append(fact, ActionError::NoChallenge)?;
    }
    sign(context, challenges::is_touched(before, after)).await
}

/// Signs the written rows. Nodes read the flags again only if the draft is touched: otherwise a
/// series of edited texts would delay the flags of all challenges.
async fn sign(context: &mut Context<'_>, is_touched: bool) -> ActionResult<()> {
    context.seal().sign_flags(context.tx()).await?;
    if is_touched { context.releases_changed().await } else { Ok(()) }
}

impl UndoData for DraftUndo {
    fn challenge(&self) -> Option<ChallengeId> {
        Some(self.challenge.clone())
    }

    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let Self { challenge: id, before, mut naming } = self;
        let drafts = signed_drafts(context).await?;
        let present = drafts.iter().find(|draft| draft.challenge.id == id);
        let before = as_shown_now(context, &id, present, *before).await?;
        check_before(context, present, before.draft.as_ref())?;
        // Those of others keep the id, which is as good as the name: an author is not to learn that
        // one of them was changed since.
        naming.retain(|named| context.knows_object(&text_object(&named.challenge)));
        check_version(context, &id, &before.left).await?;
        for Named { challenge, left, .. } in &naming {
            check_version(context, challenge, left).await?;
        }
        // Another one may have the name by now.
        if let Some(name) = before.draft.as_ref().map(|draft| &draft.challenge.name)
            && drafts.iter().any(|it| it.challenge.id != id && it.challenge.name == *name)
        {
            return Err(ActionError::Touched.into());
        }
        for Named { challenge, source, .. } in &naming {
            sources::put_row(context.tx(), challenge, Some(source)).await?;
        }
        put_before(context, &id, present, before).await
    }
}

/// Makes a challenge what it was before an edit; removes one that the action made.
async fn put_before(
    context: &mut Context<'_>,
    id: &ChallengeId,
    present: Option<&Draft>,
    before: Before,
) -> ActionResult<()> {
    let Before { draft, held, source, .. } = before;
    let tx = context.tx();
    sources::put_row(tx, id, source.as_ref()).await?;
    if let Some(draft) = draft {
        return put_draft(context, present, &draft).await;
    }
    challenges::put_held(tx, id, held).await?;
    challenges::remove(tx, std::slice::from_ref(id)).await?;
    if context.contest().is_released(id) {
        let fact = facts::Withdrawn { challenge: id.clone() };
        context.try_append(fact, ActionError::NoChallenge)?;
    }
    sign(context, true).await
}
