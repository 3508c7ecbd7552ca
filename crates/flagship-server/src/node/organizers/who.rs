//! The authenticated organizer and their permissions.

use std::collections::BTreeSet;

use flagship_actions::mail::language::Language;
use flagship_actions::{Factor, Rule, recorded, sentences};
use flagship_game::{ChallengeId, Contest};
use flagship_store::actions::Record;
use flagship_store::desk::questions::TeamQuestion;
use flagship_store::ops::Caller;
use flagship_store::organizers::passes::{Kind, Pass};
use flagship_store::organizers::{Authorization, Organizer, Role};
use serde_json::Value;

use super::permissions::{self, ListActions, ListFlags, ListQuestions, Permission};
use crate::net::permits::Permit;
use crate::node::lists::ReadScope;

/// Time for which two-factor authentication counts as recent, in milliseconds.
pub const FRESH_MS: i64 = 15 * 60_000;

/// The authenticated organizer.
pub struct SignedInOrganizer {
    /// The organizer.
    pub organizer: Organizer,
    /// Credential used: a session or an API token.
    pub pass: Pass,
    /// Language of audit log sentences.
    pub language: Language,
    /// Time of the authentication, in epoch milliseconds.
    pub(super) now_ms: i64,
    pub(super) _permit: Option<(Permit<String>, Permit<i64>)>,
}

/// Reason for denying a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// Two-factor authentication is missing or not recent enough.
    Factor,
    /// None of the organizer's roles allows it.
    Role,
}

impl SignedInOrganizer {
    /// Sets the language of sentences.
    #[must_use]
    pub fn reading(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// Releases the request permit. An open socket does not count against the request limit.
    #[must_use]
    pub fn without_permit(self) -> Self {
        Self { _permit: None, ..self }
    }

    /// Checks a rule. Requests that none of the organizer's roles allows must look nonexistent, so
    /// the role is checked before the age of the two-factor authentication.
    pub fn may(&self, rule: &Rule) -> Result<(), Denied> {
        let is_session = self.pass.kind == Kind::Session;
        if is_session && self.pass.factor_at_ms.is_none() {
            return Err(Denied::Factor);
        }
        if !rule.roles.iter().any(|role| self.organizer.is(*role)) {
            return Err(Denied::Role);
        }
        match rule.factor {
            Factor::Again if !self.is_fresh() => Err(Denied::Factor),
            _ => Ok(()),
        }
    }

    /// Authorization under a rule.
    pub fn standing(&self, rule: &'static Rule) -> Authorization<'_> {
        let proven_after_ms = (rule.factor == Factor::Again).then_some(self.now_ms - FRESH_MS);
        Authorization { pass: &self.pass.digest, roles: rule.roles, proven_after_ms }
    }

    /// True for organizers and owners, who run the contest. They see frozen results, and email
    /// addresses that they change take effect immediately.
    pub fn runs_the_contest(&self) -> bool {
        self.organizer.is(Role::Organizer) || self.organizer.is(Role::Owner)
    }

    /// True if they may read and edit all of a challenge. For an author, the challenge must be
    /// assigned to the role.
    pub fn may_edit(&self, challenge: &ChallengeId) -> bool {
        let rights = &self.organizer.rights;
        let is_own = self.organizer.is(Role::Author) && rights.challenges.contains(challenge);
        is_own || self.runs_the_contest()
    }

    /// Challenges that they may edit; `None` for all.
    pub fn only_challenges(&self) -> Option<BTreeSet<ChallengeId>> {
        (!self.runs_the_contest()).then(|| self.organizer.rights.challenges.clone())
    }

    /// True if they see all challenges that players see. An author sees only their own.
    pub fn sees_challenges(&self) -> bool {
        let is_other = [Role::Observer, Role::Support].iter().any(|it| self.organizer.is(*it));
        is_other || self.runs_the_contest()
    }

    /// Challenges whose questions and submissions they see; `None` for all.
    pub fn only_about(&self) -> Option<BTreeSet<ChallengeId>> {
        (!self.sees_addresses()).then(|| self.organizer.rights.challenges.clone())
    }

    /// True if they may see a question. Authors see those about their own challenges.
    pub fn sees_question(&self, asked: &TeamQuestion) -> bool {
        let id = asked.row.challenge_id.as_deref();
        let id = id.and_then(|id| ChallengeId::parse(id).ok());
        let of = self.only_about();
        of.is_none_or(|of| id.is_some_and(|id| of.contains(&id)))
    }

    /// Actions whose records they see: those that they may perform and, for organizers and owners,
    /// those of the command line. They cannot detect other actions.
    pub fn actions(&self) -> Vec<&'static str> {
        recorded().filter(|name| self.sees_actions(name)).collect()
    }

    fn sees_actions(&self, name: &str) -> bool {
        match permissions::rule(name) {
            // Commands erase data too, and everyone who runs the contest can see their records.
            _ if name == "privacy.erase" => self.runs_the_contest(),
            Some(rule) => rule.roles.iter().any(|role| self.organizer.is(*role)),
            None => self.runs_the_contest(),
        }
    }

    /// True if they may see a record. Support and authors see account records only if they are
    /// their own, edits only of challenges that they may edit, and status changes only of
    /// challenges that players see.
    pub fn sees_record(&self, record: &Record, contest: &Contest) -> bool {
        // The first object is the one that the action is about.
        let object = record.object.split(',').next().unwrap_or_default();
        let is_theirs = match object.split_once(' ') {
            _ if self.runs_the_contest() => true,
            Some(("organizer", id)) => id == self.organizer.id.to_string(),
            Some(("text", id)) => ChallengeId::parse(id).is_ok_and(|id| self.may_edit(&id)),
            Some(("status", id)) => {
                ChallengeId::parse(id).is_ok_and(|id| self.may_edit(&id) || contest.is_seen(&id))
            }
            _ => true,
        };
        is_theirs && self.sees_actions(&record.action)
    }

    /// Sentence of a record, limited to what they may read.
    pub fn sentence(&self, record: &Record) -> String {
        sentences::sentence(record, self.language, self.runs_the_contest())
    }

    /// Arguments of a record, limited to what they may read.
    pub fn arguments(&self, record: &Record) -> Value {
        match self.runs_the_contest() {
            true => record.field("arguments"),
            false => sentences::arguments(record),
        }
    }

    /// True if they see email addresses and hidden, banned and unconfirmed teams.
    pub fn sees_addresses(&self) -> bool {
        self.runs_the_contest() || self.organizer.is(Role::Support)
    }

    /// Read scope across all lists. Each part follows the rule of its own list.
    pub fn sight(&self) -> ReadScope {
        let may = |rule: Rule| self.may(&rule).is_ok();
        let sees_flags = may(ListFlags::RULE);
        let runs_the_contest = self.runs_the_contest();
        ReadScope {
            addresses: self.sees_addresses(),
            truth: runs_the_contest,
            networks: runs_the_contest,
            texts: runs_the_contest,
            counts: true,
            wrong: sees_flags,
            questions: may(ListQuestions::RULE),
            only: self.only_about().filter(|_| sees_flags),
            seen: self.sees_challenges(),
            own: self.only_challenges(),
            actions: if may(ListActions::RULE) { self.actions() } else { Vec::new() },
            language: self.language,
        }
    }

    /// Caller under a rule, for the lane.
    pub fn by(&self, rule: &'static Rule) -> Caller {
        Caller::Organizer {
            pass: self.pass.digest.clone(),
            roles: rule.roles,
            proven_after_ms: self.standing(rule).proven_after_ms,
            sees: self.actions(),
        }
    }

    /// Time until which two-factor authentication counts as recent, in epoch milliseconds. `None`
    /// for API tokens.
    pub fn fresh_until_ms(&self) -> Option<i64> {
        self.pass.factor_at_ms.map(|at_ms| at_ms + FRESH_MS)
    }

    /// True if two-factor authentication was passed recently.
    pub fn is_fresh(&self) -> bool {
        self.fresh_until_ms().is_some_and(|until_ms| self.now_ms < until_ms)
    }
}
