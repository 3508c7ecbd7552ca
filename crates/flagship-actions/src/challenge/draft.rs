//! Creating or editing a challenge: the checks, the rows, the facts and the undo.

use flagship_store::challenges::{self, Draft, LiveOverride};
use flagship_store::ops::undo_data::{Before, DraftUndo, RequiringSource};
use flagship_store::ops::{challenge_step, is_visible, text_object};
use flagship_store::sources::{self, Source};

use super::object;
use crate::prelude::*;

/// Keys that can change points or release a challenge. Authors cannot change them.
pub const SCORING_KEYS: [&str; 10] = [
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

/// A challenge that an action creates or edits.
pub struct DraftEdit {
    /// The new challenge with its flags and its visibility.
    pub draft: Draft,
    /// The new source.
    pub source: Source,
    /// Version of the edited source; `None` for a new challenge.
    pub was: Option<String>,
    /// The changed keys, for the audit log.
    pub keys: Vec<String>,
    /// Sources of challenges that require this one by its old name, rewritten to use its ID.
    pub naming: Vec<RequirementRewrite>,
}

/// Source of a challenge that requires the edited one, rewritten to use its ID.
pub struct RequirementRewrite {
    /// The challenge.
    pub challenge: ChallengeId,
    /// The new source.
    pub source: Source,
    /// Version of the source before the rewrite.
    pub was: String,
}

impl DraftEdit {
    /// Creates or edits the challenge, and adds the keys to the record.
    pub async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<DraftUndo>> {
        let id = self.draft.challenge.id.clone();
        let naming = self.naming.iter().map(|it| &it.challenge);
        let new = self.was.is_none().then(|| object(&id));
        context.touch(std::iter::once(&id).chain(naming).map(text_object).chain(new)).await?;
        let drafts = signed_drafts(context).await?;
        let draft = drafts.into_iter().find(|draft| draft.challenge.id == id);
        let held = challenges::live_override_in(context.tx(), &id).await?;
        let source = sources::row_in(context.tx(), &id).await?;
        // Releasing a new challenge is a separate action.
        let is_new = draft.is_none();
        let holds =
            if is_new { Some(LiveOverride { shown: false, release_at_ms: None }) } else { held };
        let after = match holds {
            Some(held) => held.over(self.draft.clone()),
            None => self.draft.clone(),
        };
        self.check(context, draft.as_ref(), &after).await?;
        // Checked before the first write, even if the challenge is not released yet.
        let fact = facts::Challenge { challenge: after.challenge.clone() }.into();
        context.check_fact(&fact, ActionError::NoChallenge)?;
        for RequirementRewrite { challenge, was, .. } in &self.naming {
            check_version(context, challenge, was).await?;
        }
        if is_new {
            challenges::set_live_override_in(context.tx(), &id, holds).await?;
        }
        let naming = self.rename_in_others(context).await?;
        write_source(context, &id, &self.source).await?;
        put_draft(context, draft.as_ref(), &after).await?;
        context.add_details(self.details());
        let left = self.source.version();
        let before = Box::new(Before { draft, held, source, left });
        Ok(Some(DraftUndo { challenge: id, before, naming }))
    }

    /// Rejects edits of a source that has changed since, new challenges whose ID exists, and author
    /// edits that change points.
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
        // Some keys have no effect now but would have one after a later edit.
        let is_of_points = |key: &String| SCORING_KEYS.contains(&key.as_str());
        if is_author && self.keys.iter().any(is_of_points) {
            return Err(ActionError::MovesPoints.into());
        }
        check_points(context, old, after)
    }

    /// Writes the rewritten sources of other challenges and returns the previous ones. Their
    /// published form does not change.
    async fn rename_in_others(
        &self,
        context: &mut Context<'_>,
    ) -> ActionResult<Vec<RequiringSource>> {
        let mut before = Vec::new();
        for RequirementRewrite { challenge, source, .. } in &self.naming {
            let row = sources::row_in(context.tx(), challenge).await?;
            let row = row.ok_or(ActionError::NoChallenge)?;
            write_source(context, challenge, source).await?;
            let (challenge, left) = (challenge.clone(), source.version());
            before.push(RequiringSource { challenge, source: row, left });
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

/// Writes the source of a challenge that the actor edits.
async fn write_source(
    context: &mut Context<'_>,
    id: &ChallengeId,
    source: &Source,
) -> ActionResult<()> {
    let (seal, name, now_ms) = (context.seal(), context.actor().name.clone(), context.now_ms());
    Ok(sources::change(context.tx(), &seal, id, source, (&name, now_ms)).await?)
}

/// Reads the drafts and verifies that no other program changed them, since the next write is
/// signed.
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

/// Rejects an author's change that affects points.
fn check_points(context: &Context<'_>, old: &Draft, new: &Draft) -> ActionResult<()> {
    let moves_points = |draft: &Draft| {
        let it = &draft.challenge;
        let shown = (draft.hidden, draft.release_at_ms);
        // Removing a hint returns the points that teams paid for it.
        let costs = it.hints.iter().filter(|hint| hint.cost > 0);
        let costs: Vec<_> = costs.map(|hint| (hint.id.clone(), hint.cost)).collect();
        (it.scoring.clone(), it.requirements.clone(), it.position, it.closes_ms, shown, costs)
    };
    let is_author = context.actor().only_challenges.is_some();
    match is_author && moves_points(old) != moves_points(new) {
        true => Err(ActionError::MovesPoints.into()),
        false => Ok(()),
    }
}

/// Rejects an author's undo that affects points.
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

/// The draft before an edit, with the challenge's current visibility. The stored draft does not
/// show that a live override has ended since then.
async fn as_shown_now(
    context: &mut Context<'_>,
    id: &ChallengeId,
    present: Option<&Draft>,
    before: Before,
) -> ActionResult<Before> {
    let now = challenges::live_override_in(context.tx(), id).await?;
    let Some(shown) = now.or_else(|| before.held.and(present).map(LiveOverride::of)) else {
        return Ok(before);
    };
    let draft = before.draft.map(|draft| shown.over(draft));
    Ok(Before { draft, ..before })
}

/// Replaces a draft and records its published form.
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

/// Signs the written rows. Nodes reload the flags only if the draft is touched; otherwise a series
/// of description edits would delay the flags of all challenges.
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
        // The other challenges keep the ID, which works as well as the name, because an author must
        // not learn about their later changes.
        naming.retain(|named| context.knows_object(&text_object(&named.challenge)));
        check_version(context, &id, &before.left).await?;
        for RequiringSource { challenge, left, .. } in &naming {
            check_version(context, challenge, left).await?;
        }
        // The name may be in use by another challenge.
        if let Some(name) = before.draft.as_ref().map(|draft| &draft.challenge.name)
            && drafts.iter().any(|it| it.challenge.id != id && it.challenge.name == *name)
        {
            return Err(ActionError::Touched.into());
        }
        for RequiringSource { challenge, source, .. } in &naming {
            sources::put_row(context.tx(), challenge, Some(source)).await?;
        }
        put_before(context, &id, present, before).await
    }
}

/// Restores a challenge to its state before an edit, or removes it if the action created it.
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
    challenges::set_live_override_in(tx, id, held).await?;
    challenges::remove(tx, std::slice::from_ref(id)).await?;
    if context.contest().is_released(id) {
        let fact = facts::Withdrawn { challenge: id.clone() };
        context.try_append(fact, ActionError::NoChallenge)?;
    }
    sign(context, true).await
}
