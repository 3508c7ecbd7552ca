//! An organizer who is signed in, and what their roles let them see and do.

use std::collections::BTreeSet;

use flagship_actions::mail::language::Language;
use flagship_actions::{Factor, Rule, recorded, sentences};
use flagship_game::{ChallengeId, Contest};
use flagship_store::actions::Record;
use flagship_store::desk::questions::Asked;
use flagship_store::ops::By;
use flagship_store::organizers::passes::{Kind, Pass};
use flagship_store::organizers::{Organizer, Role, Standing};
use serde_json::Value;

use super::permissions::{self, ListActions, ListFlags, ListQuestions, Permission};
use crate::net::permits::Permit;
use crate::node::lists::Sight;

/// How long a proof of the second factor is enough for what asks for it again, in milliseconds.
pub const FRESH_MS: i64 = 15 * 60_000;

/// Somebody who is signed in.
pub struct Who {
    /// The organizer.
    pub organizer: Organizer,
    /// What let them in: a session or a token.
    pub pass: Pass,
    /// The language of sentences.
    pub language: Language,
    /// When this was read, in epoch milliseconds.
    pub(super) now_ms: i64,
    pub(super) _permit: Option<(Permit<String>, Permit<i64>)>,
}

/// Why something is not for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barred {
    /// The second factor is missing, or too old.
    Factor,
    /// No role of theirs has it.
    Role,
}

impl Who {
    /// The same, who reads sentences in a language.
    #[must_use]
    pub fn reading(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The same, of whom another request may be open: a socket is not one of the few.
    #[must_use]
    pub fn without_permit(self) -> Self {
        Self { _permit: None, ..self }
    }

    /// Whether a rule lets them do it. What no role of theirs has does not exist for them, so the
    /// role is looked at before the age of the second factor.
    pub fn may(&self, rule: &Rule) -> Result<(), Barred> {
        let is_session = self.pass.kind == Kind::Session;
        if is_session && self.pass.factor_at_ms.is_none() {
            return Err(Barred::Factor);
        }
        if !rule.roles.iter().any(|role| self.organizer.is(*role)) {
            return Err(Barred::Role);
        }
        match rule.factor {
            Factor::Again if !self.is_fresh() => Err(Barred::Factor),
            _ => Ok(()),
        }
    }

    /// Why they may do what a rule is about.
    pub fn standing(&self, rule: &'static Rule) -> Standing<'_> {
        let proven_after_ms = (rule.factor == Factor::Again).then_some(self.now_ms - FRESH_MS);
        Standing { pass: &self.pass.digest, roles: rule.roles, proven_after_ms }
    }

    /// Returns true for an organizer or an owner, who run the contest. They see what the freeze
    /// hides, and an address that they change counts at once.
    pub fn runs_the_contest(&self) -> bool {
        self.organizer.is(Role::Organizer) || self.organizer.is(Role::Owner)
    }

    /// Whether they may see and change all of a challenge: an author, if it is named with the role.
    pub fn may_edit(&self, challenge: &ChallengeId) -> bool {
        let rights = &self.organizer.rights;
        let is_own = self.organizer.is(Role::Author) && rights.challenges.contains(challenge);
        is_own || self.runs_the_contest()
    }

    /// The challenges that they may edit; any without them.
    pub fn only_challenges(&self) -> Option<BTreeSet<ChallengeId>> {
        (!self.runs_the_contest()).then(|| self.organizer.rights.challenges.clone())
    }

    /// Whether they see the challenges that players see; an author sees own ones alone.
    pub fn sees_challenges(&self) -> bool {
        let is_other = [Role::Observer, Role::Support].iter().any(|it| self.organizer.is(*it));
        is_other || self.runs_the_contest()
    }

    /// The challenges of which they see questions and flags; all without them.
    pub fn only_about(&self) -> Option<BTreeSet<ChallengeId>> {
        (!self.sees_addresses()).then(|| self.organizer.rights.challenges.clone())
    }

    /// Returns true if they see a question of a team; an author, those about own challenges.
    pub fn sees_question(&self, asked: &Asked) -> bool {
        let id = asked.row.challenge_id.as_deref();
        let id = id.and_then(|id| ChallengeId::parse(id).ok());
        let of = self.only_about();
        of.is_none_or(|of| id.is_some_and(|id| of.contains(&id)))
    }

    /// The actions whose records they see: those that they may do, and for who runs the contest
    /// those of the command line. What they may not do leaves no trace for them.
    pub fn actions(&self) -> Vec<&'static str> {
        recorded().filter(|name| self.sees_actions(name)).collect()
    }

    fn sees_actions(&self, name: &str) -> bool {
        match permissions::rule(name) {
            // Commands do this too: everyone who runs the contest sees that it was done.
            _ if name == "privacy.erase" => self.runs_the_contest(),
            Some(rule) => rule.roles.iter().any(|role| self.organizer.is(*role)),
            None => self.runs_the_contest(),
        }
    }

    /// Whether they see a record. Who does not run the contest sees only the own ones of what
    /// organizers do with their accounts, those of edits of challenges that they may edit, and
    /// those of the status of challenges that players see too.
    pub fn sees_record(&self, record: &Record, contest: &Contest) -> bool {
        // What an action is about comes first among its objects.
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

    /// A record in a sentence, as they may read it.
    pub fn sentence(&self, record: &Record) -> String {
        sentences::sentence(record, self.language, self.runs_the_contest())
    }

    /// The arguments of a record, as they may read them.
    pub fn arguments(&self, record: &Record) -> Value {
        match self.runs_the_contest() {
            true => record.field("arguments"),
            false => sentences::arguments(record),
        }
    }

    /// Whether they see addresses and who is hidden, banned or not confirmed.
    pub fn sees_addresses(&self) -> bool {
        self.runs_the_contest() || self.organizer.is(Role::Support)
    }

    /// How much they see of all lists. Each part has the rule of the list that it is from.
    pub fn sight(&self) -> Sight {
        let may = |rule: Rule| self.may(&rule).is_ok();
        let sees_flags = may(ListFlags::RULE);
        let runs_the_contest = self.runs_the_contest();
        Sight {
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

    /// As whom they do what a rule is about, in the lane.
    pub fn by(&self, rule: &'static Rule) -> By {
        By::Organizer {
            pass: self.pass.digest.clone(),
            roles: rule.roles,
            proven_after_ms: self.standing(rule).proven_after_ms,
            sees: self.actions(),
        }
    }

    /// Until when the second factor need not be given again, in epoch milliseconds. Tokens never
    /// give it.
    pub fn fresh_until_ms(&self) -> Option<i64> {
        self.pass.factor_at_ms.map(|at_ms| at_ms + FRESH_MS)
    }

    /// Whether they have just given the second factor.
    pub fn is_fresh(&self) -> bool {
        self.fresh_until_ms().is_some_and(|until_ms| self.now_ms < until_ms)
    }
}
