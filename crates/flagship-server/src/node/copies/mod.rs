//! Teams' copies of attachments, with the team's flag in place of the placeholder.
//!
//! A copy is never stored. All copies of a file share one template on disk, and the bytes that
//! differ are filled in while a range is read. Templates and digests are kept while they are used;
//! both can be computed again at any time, with the same result.

mod computed;
mod digests;
mod reader;
mod template;

use std::sync::Arc;
use std::time::Duration;

use flagship_game::{Attachment, ChallengeId, Contest, TeamId, view};
use flagship_store::Key;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use self::computed::compute;
use self::digests::{DIGESTS_MAX, Digests};
use self::template::{CopyError, Templates};
use super::board::cards::{CopyDigest, OwnCopies};
use super::board::feed::Feed;
use super::flags::Flags;
use super::report::report;
use super::storage::Storage;
pub use reader::{CopyReader, TeamCopy};

/// Maximum number of digests that are computed at once.
const HASHED_MAX: usize = 2;

/// Interval at which new teams and files are looked for, to compute their digests in advance.
const PREPARE_INTERVAL: Duration = Duration::from_secs(5);

/// Creates copies and their digests.
pub struct Copies {
    key: Key,
    flags: Arc<Flags>,
    templates: Templates,
    digests: Digests,
    hashing: Arc<Semaphore>,
}

impl Copies {
    pub fn new(key: &Key, flags: Arc<Flags>, storage: Storage) -> Self {
        Self {
            key: key.clone(),
            flags,
            templates: Templates::new(storage),
            digests: Digests::default(),
            hashing: Arc::new(Semaphore::new(HASHED_MAX)),
        }
    }

    /// Returns a team's copies of the files that it may download. A copy that cannot be made is
    /// left out.
    pub async fn own(&self, contest: &Contest, team: TeamId) -> OwnCopies {
        let mut own = OwnCopies::default();
        for (id, attachment) in per_team(contest, team) {
            let digest = match self.known_digest(team, id, attachment) {
                Some(known) => Some(known),
                None => self.open(team, id, attachment).await.map(|copy| copy.digest),
            };
            own.0.extend(digest.map(|digest| (id.clone(), attachment.digest.clone(), digest)));
        }
        own
    }

    /// Returns the same copies if all their digests are in memory.
    pub fn known_own(&self, contest: &Contest, team: TeamId) -> Option<OwnCopies> {
        let mut own = OwnCopies::default();
        for (id, attachment) in per_team(contest, team) {
            let known = self.known_digest(team, id, attachment)?;
            own.0.push((id.clone(), attachment.digest.clone(), known));
        }
        Some(own)
    }

    /// Returns the digest of a team's copy if it is in memory.
    fn known_digest(
        &self,
        team: TeamId,
        id: &ChallengeId,
        attachment: &Attachment,
    ) -> Option<CopyDigest> {
        let flag = self.flag(team, id)?;
        self.digests.known(&(attachment.digest.clone(), flag))
    }

    /// Returns a team's copy of a file; `None` if it cannot be made. The log has the cause.
    pub async fn open(
        &self,
        team: TeamId,
        id: &ChallengeId,
        attachment: &Attachment,
    ) -> Option<TeamCopy> {
        self.copy(team, id, attachment).await.ok()
    }

    async fn copy(
        &self,
        team: TeamId,
        id: &ChallengeId,
        attachment: &Attachment,
    ) -> Result<TeamCopy, CopyError> {
        let flag = match self.flag(team, id) {
            Some(flag) => flag,
            // The challenge can be newer than the flags.
            None => {
                let followed = self.flags.follow().await;
                followed.inspect_err(|error| report(error, "failed to read the flags")).ok();
                self.flag(team, id).ok_or(CopyError::NoFlag)?
            }
        };
        let template = self.templates.get(&attachment.digest, flag.len()).await?;
        let filling = Arc::new(template.fill(&flag));
        let digest = self.digests.digest(&(attachment.digest.clone(), flag));
        let hashing = {
            let (template, filling) = (template.clone(), filling.clone());
            async move {
                let hashed = spawn_blocking(move || template.digest(&filling));
                let hashed = hashed.await.expect("hashing does not panic");
                hashed
                    .inspect_err(|error| report(error, "failed to read a team's copy of a file"))
                    .map_err(CopyError::from)
            }
        };
        let digest = compute(digest, self.hashing.clone(), hashing).await?;
        Ok(TeamCopy { template, filling, digest })
    }

    /// Returns the team's flag in copies: the first per-team flag of the challenge.
    fn flag(&self, team: TeamId, id: &ChallengeId) -> Option<String> {
        let flags = self.flags.load();
        let flag = flags.team_flag(id)?;
        Some(flag.with(&self.key.team_code(id.as_str(), team.0)))
    }

    /// True if teams cannot download their copies of a file.
    pub fn fail(&self) -> bool {
        self.templates.fail()
    }

    /// Computes the digests of all teams' copies in advance, also of challenges that are hidden or
    /// scheduled, so that no team waits for them at the start or at a release. Runs forever.
    pub async fn prepare(&self, feed: &Feed) {
        let mut prepared = None;
        loop {
            let contest = feed.latest();
            let flags = self.flags.load_full();
            let state = (contest.team_count(), flags.revision);
            if prepared != Some(state) {
                let is_complete = self.prepare_files(&contest, &flags.copied).await;
                prepared = is_complete.then_some(state);
            }
            drop(contest);
            tokio::time::sleep(PREPARE_INTERVAL).await;
        }
    }

    /// Computes the digests of all teams' copies of these files. Returns false if there can be no
    /// copies of one of them.
    async fn prepare_files(&self, contest: &Contest, files: &[(ChallengeId, Attachment)]) -> bool {
        let teams_max = DIGESTS_MAX / files.len().max(1);
        let mut is_complete = true;
        for (id, attachment) in files {
            // Finds out that there can be no copies even if there are no teams yet.
            let Some(flag) = self.flag(TeamId(0), id) else { continue };
            if self.templates.get(&attachment.digest, flag.len()).await.is_err() {
                is_complete = false;
                continue;
            }
            for team in contest.teams().filter(|team| !team.banned).take(teams_max) {
                let is_known = self.known_digest(team.id, id, attachment).is_some();
                if !is_known && self.open(team.id, id, attachment).await.is_none() {
                    is_complete = false;
                    break;
                }
            }
        }
        is_complete
    }
}

/// The files with copies that a team may download.
fn per_team(contest: &Contest, team: TeamId) -> impl Iterator<Item = (&ChallengeId, &Attachment)> {
    let challenges = contest.released().filter(|it| it.copied().next().is_some());
    let open = challenges.filter_map(move |it| view::open_challenge(contest, team, &it.id));
    open.flat_map(|challenge| challenge.copied().map(|attachment| (&challenge.id, attachment)))
}

#[cfg(test)]
mod tests;
