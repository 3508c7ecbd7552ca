//! Actions that make a challenge or change what it says.

use flagship_game::{ChallengeId, facts};

use super::super::former::text_object;
use super::super::plan::{challenge_step, is_visible};
use super::super::restore::{Before, Named, Restore};
use super::acting::{Acting, ActionError, Actions};
use crate::challenges::{self, Draft, Held};
use crate::sources::{self, Source};

/// A challenge that is made or changed, as it is to be.
#[derive(Clone)]
pub struct Edit {
    /// The name of the action: `challenge.edit`.
    pub name: &'static str,
    /// The challenge with its flags, whether and when it is shown.
    pub draft: Draft,
    /// Its source.
    pub source: Source,
    /// The version of the source that was edited; `None` for a new challenge.
    pub was: Option<String>,
    /// The keys that were given, for the record.
    pub keys: Vec<String>,
    /// The sources of others that required it by the name that it had. They name its id now.
    pub naming: Vec<Naming>,
}

/// A challenge that another one is required by, under an id in place of a name.
#[derive(Clone)]
pub struct Naming {
    /// Which challenge.
    pub challenge: ChallengeId,
    /// Its source.
    pub source: Source,
    /// The version of the source that was edited.
    pub was: String,
}

/// The keys of what moves points, and of whether a challenge is shown: authors change none of them.
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

impl Actions<'_> {
    /// Makes a challenge, or changes one.
    pub(super) async fn edit(&mut self, edit: &Edit) -> Acting<(Vec<String>, Option<Restore>)> {
        let id = edit.draft.challenge.id.clone();
        let naming = edit.naming.iter().map(|it| &it.challenge);
        let mut objects: Vec<String> =
            std::iter::once(&id).chain(naming).map(text_object).collect();
        if edit.was.is_none() {
            objects.push(format!("challenge {id}"));
        }
        self.check_head(&objects).await?;
        let drafts = self.signed_drafts().await?;
        let draft = drafts.into_iter().find(|draft| draft.challenge.id == id);
        let tx = &mut self.step.tx;
        let held = challenges::held_of(tx, &id).await?;
        let source = sources::row_in(tx, &id).await?;
        // What is made live is shown by an action of its own.
        let is_new = draft.is_none();
        let holds = if is_new { Some(Held { shown: false, release_at_ms: None }) } else { held };
        let after = match holds {
            Some(held) => held.over(edit.draft.clone()),
            None => edit.draft.clone(),
        };
        self.check_edit(edit, draft.as_ref(), &after).await?;
        // Before the first write, also of one that is not shown yet.
        let fact = facts::Challenge { challenge: after.challenge.clone() }.into();
        self.check_fact(&fact, ActionError::NoChallenge)?;
        for Naming { challenge, was, .. } in &edit.naming {
            self.check_version(challenge, was).await?;
        }
        if is_new {
            challenges::put_held(&mut self.step.tx, &id, holds).await?;
        }
        let now_ms = self.step.now_ms();
        let (seal, name) = (self.step.seal.clone(), self.who.name.clone());
        let by = (name.as_str(), now_ms);
        let naming = self.rename_in_others(&edit.naming, by).await?;
        sources::change(&mut self.step.tx, &seal, &id, &edit.source, by).await?;
        self.put_draft(draft.as_ref(), &after).await?;
        let left = edit.source.version();
        let before = Before { draft, held, source, left };
        Ok((objects, Some(Restore::Draft { challenge: id, before: Box::new(before), naming })))
    }

    /// Writes the sources of others; returns how they were. What players see of them stays.
    async fn rename_in_others(&mut self, naming: &[Naming], by: (&str, i64)) -> Acting<Vec<Named>> {
        let tx = &mut self.step.tx;
        let mut before = Vec::new();
        for Naming { challenge, source, .. } in naming {
            let row = sources::row_in(tx, challenge).await?.ok_or(ActionError::NoChallenge)?;
            sources::change(tx, &self.step.seal, challenge, source, by).await?;
            let (challenge, left) = (challenge.clone(), source.version());
            before.push(Named { challenge, source: row, left });
        }
        Ok(before)
    }

    /// The drafts, unless another program changed them: what is written next is signed.
    async fn signed_drafts(&mut self) -> Acting<Vec<Draft>> {
        let signature = self.step.seal.watch_flags(&mut self.step.tx).await?;
        signature.ok_or(ActionError::Altered)?;
        Ok(challenges::all_in(&mut self.step.tx).await?)
    }

    /// Refuses an edit of what was changed meanwhile, of what is there already, and by an author of
    /// what moves points.
    async fn check_edit(
        &mut self,
        edit: &Edit,
        before: Option<&Draft>,
        after: &Draft,
    ) -> Acting<()> {
        let id = &after.challenge.id;
        self.check_scope(Some(id), ActionError::NoChallenge)?;
        let Some(was) = &edit.was else {
            let is_known = before.is_some()
                || self.step.contest().challenge(id).is_some()
                || self.who.only_challenges.is_some();
            return if is_known { Err(ActionError::ChallengeTaken.into()) } else { Ok(()) };
        };
        let old = before.ok_or(ActionError::NoChallenge)?;
        self.check_version(id, was).await?;
        // Some have no effect now, and would have one after another's edit.
        let is_of_points = |key: &String| OF_POINTS.contains(&key.as_str());
        if self.who.only_challenges.is_some() && edit.keys.iter().any(is_of_points) {
            return Err(ActionError::MovesPoints.into());
        }
        self.check_points(old, after)
    }

    /// Refuses what was written for another version of the source.
    async fn check_version(&mut self, id: &ChallengeId, version: &str) -> Acting<()> {
        let kept = sources::of_in(&mut self.step.tx, &self.step.seal, id).await?;
        match kept {
            Some(kept) if kept.version() == version => Ok(()),
            _ => Err(ActionError::Touched.into()),
        }
    }

    /// Refuses an author what moves points.
    fn check_points(&self, old: &Draft, new: &Draft) -> Acting<()> {
        let moves_points = |draft: &Draft| {
            let it = &draft.challenge;
            let shown = (draft.hidden, draft.release_at_ms);
            (it.scoring.clone(), it.requirements.clone(), it.position, it.closes_ms, shown)
        };
        if self.who.only_challenges.is_some() && moves_points(old) != moves_points(new) {
            return Err(ActionError::MovesPoints.into());
        }
        Ok(())
    }

    /// Refuses an author to put back what moves points.
    pub(super) async fn check_before(&mut self, id: &ChallengeId, before: &Before) -> Acting<()> {
        let drafts = self.signed_drafts().await?;
        let present = drafts.into_iter().find(|draft| draft.challenge.id == *id);
        match (&present, &before.draft) {
            (Some(present), Some(before)) => self.check_points(present, before),
            _ => Err(ActionError::MovesPoints.into()),
        }
    }

    /// Writes a draft in place of another, and says in the journal what players see of it.
    async fn put_draft(&mut self, before: Option<&Draft>, after: &Draft) -> Acting<()> {
        let now_ms = self.step.now_ms();
        let step = challenge_step(self.step.contest(), before, after, now_ms);
        let fact = step.and_then(|(_, fact)| fact);
        let tx = &mut self.step.tx;
        challenges::write(tx, after, is_visible(after, now_ms), now_ms).await?;
        if before.is_none_or(|before| before.flags != after.flags) {
            challenges::write_flags(tx, after).await?;
        }
        if let Some(fact) = fact {
            self.try_append(fact, ActionError::NoChallenge)?;
        }
        self.sign(challenges::is_touched(before, after)).await
    }

    /// Signs what was written. Flags are judged again only if it is touched: otherwise texts that
    /// are written one after the other would hold up the flags of all challenges.
    async fn sign(&mut self, is_touched: bool) -> Acting<()> {
        self.step.seal.clone().sign_flags(&mut self.step.tx).await?;
        if is_touched { self.releases_changed().await } else { Ok(()) }
    }

    /// Makes a challenge what it was.
    pub(super) async fn put_before(
        &mut self,
        id: &ChallengeId,
        before: Before,
        naming: Vec<Named>,
    ) -> Acting<()> {
        let drafts = self.signed_drafts().await?;
        self.check_version(id, &before.left).await?;
        for Named { challenge, left, .. } in &naming {
            self.check_version(challenge, left).await?;
        }
        // Another one may have the name by now.
        if let Some(name) = before.draft.as_ref().map(|draft| &draft.challenge.name)
            && drafts.iter().any(|it| it.challenge.id != *id && it.challenge.name == *name)
        {
            return Err(ActionError::Touched.into());
        }
        for Named { challenge, source, .. } in &naming {
            sources::put_row(&mut self.step.tx, challenge, Some(source)).await?;
        }
        let present = drafts.into_iter().find(|draft| draft.challenge.id == *id);
        let Before { draft, held, source, .. } = before;
        let tx = &mut self.step.tx;
        sources::put_row(tx, id, source.as_ref()).await?;
        if let Some(draft) = draft {
            // Whether and when it is shown is as it is now.
            let after = match challenges::held_of(tx, id).await? {
                Some(held) => held.over(draft),
                None => draft,
            };
            return self.put_draft(present.as_ref(), &after).await;
        }
        challenges::put_held(tx, id, held).await?;
        challenges::remove(tx, std::slice::from_ref(id)).await?;
        if self.step.contest().is_released(id) {
            self.try_append(facts::Withdrawn { challenge: id.clone() }, ActionError::NoChallenge)?;
        }
        self.sign(true).await
    }
}
