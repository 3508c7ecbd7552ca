//! Actions about notices, and about questions of teams.

use flagship_game::ChallengeId;
use flagship_game::facts::{self, Fact};
use serde_json::{Value, json};

use super::super::restore::Restore;
use super::acting::{Acting, ActionError, Actions};
use crate::desk::notices;
pub(super) use crate::desk::notices::Due;
use crate::desk::questions::{self, state};

/// Something to do with a notice. Its text is sanitised HTML, made from the Markdown beside it.
#[derive(Clone)]
pub enum NoticeAction {
    /// Publishes one, or lets it wait.
    Post {
        /// Its title.
        title: String,
        /// Its text, as it was written.
        text: String,
        /// Its text as HTML.
        html: String,
        /// The challenge that it is about.
        challenge: Option<ChallengeId>,
        /// Whether players see it at once.
        urgent: bool,
        /// Time from which it does not interrupt players any more, in epoch milliseconds.
        urgent_until_ms: Option<i64>,
        /// When, in epoch milliseconds; at once without one.
        at_ms: Option<i64>,
    },
    /// Corrects one, which players see.
    Correct {
        /// Which.
        notice: i64,
        /// The new title.
        title: String,
        /// The new text, as it was written.
        text: String,
        /// The new text as HTML.
        html: String,
    },
    /// Withdraws one.
    Withdraw {
        /// Which.
        notice: i64,
    },
}

/// Something to do with a question.
#[derive(Clone)]
pub enum QuestionAction {
    /// Answers it.
    Answer {
        /// Which.
        question: i64,
        /// The answer.
        text: String,
        /// The notice that tells it to all, as title and HTML.
        to_all: Option<(String, String)>,
    },
    /// Closes it without an answer.
    Close {
        /// Which.
        question: i64,
    },
}

impl NoticeAction {
    /// Its name for programs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Post { .. } => "notice.post",
            Self::Correct { .. } => "notice.correct",
            Self::Withdraw { .. } => "notice.withdraw",
        }
    }

    /// What is recorded of it. Notices are public.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Self::Post { title, text, challenge, urgent, urgent_until_ms, at_ms, .. } => json!({
                "title": title, "text": text, "challenge": challenge, "urgent": urgent,
                "until": urgent_until_ms, "at": at_ms,
            }),
            Self::Correct { notice, title, text, .. } => {
                json!({"notice": notice, "title": title, "text": text})
            }
            Self::Withdraw { notice } => json!({"notice": notice}),
        }
    }
}

impl QuestionAction {
    /// Its name for programs.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Answer { .. } => "question.answer",
            Self::Close { .. } => "question.close",
        }
    }

    /// What is recorded of it: the question and its answer are private.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Self::Answer { question, to_all, .. } => {
                json!({"question": question, "toAll": to_all.is_some()})
            }
            Self::Close { question } => json!({"question": question}),
        }
    }
}

impl Actions<'_> {
    /// Does something with a notice.
    pub(super) async fn notice(
        &mut self,
        action: &NoticeAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let id = match action {
            NoticeAction::Post { .. } => questions::new_id(),
            NoticeAction::Correct { notice, .. } | NoticeAction::Withdraw { notice } => *notice,
        };
        let objects = vec![format!("notice {id}")];
        self.check_head(&objects).await?;
        let restore = match action {
            NoticeAction::Post {
                title, html, challenge, urgent, urgent_until_ms, at_ms, ..
            } => {
                let (title, html, urgent) = (title.clone(), html.clone(), *urgent);
                let urgent_until_ms = *urgent_until_ms;
                match at_ms.filter(|at_ms| *at_ms > self.step.now_ms()) {
                    Some(at_ms) => {
                        let challenge_id = challenge.as_ref().map(|id| id.as_str().to_owned());
                        let due =
                            Due { id, at_ms, title, html, challenge_id, urgent, urgent_until_ms };
                        notices::put_in(&mut self.step.tx, id, Some(&due)).await?;
                        self.releases_changed().await?;
                        Restore::DueNotice { notice: id, before: None }
                    }
                    None => {
                        let challenge = challenge.clone();
                        let notice = id;
                        let fact = facts::Notice {
                            notice,
                            title,
                            html,
                            challenge,
                            urgent,
                            urgent_until_ms,
                        };
                        self.try_append(fact, ActionError::NoChallenge)?;
                        Restore::fact(facts::NoticeWithdrawn { notice: id })
                    }
                }
            }
            NoticeAction::Correct { title, html, .. } => self.correct(id, title, html).await?,
            NoticeAction::Withdraw { .. } => self.withdraw_notice(id).await?,
        };
        Ok((objects, Some(restore)))
    }

    /// Lets a notice wait as it did. One that was published meanwhile is withdrawn, or gets the
    /// words that waited.
    pub(super) async fn put_due(&mut self, id: i64, before: Option<Due>) -> Acting<()> {
        let Some(present) = self.step.contest().notice(id).cloned() else {
            notices::put_in(&mut self.step.tx, id, before.as_ref()).await?;
            return self.releases_changed().await;
        };
        let fact: Fact = match before {
            None => facts::NoticeWithdrawn { notice: id }.into(),
            Some(Due { title, html, urgent, urgent_until_ms, .. }) => {
                let challenge = present.challenge.clone();
                facts::Notice { notice: id, title, html, challenge, urgent, urgent_until_ms }.into()
            }
        };
        self.try_append(fact, ActionError::Unchanged)
    }

    async fn correct(&mut self, id: i64, title: &str, html: &str) -> Acting<Restore> {
        if let Some(before) = notices::by_id_in(&mut self.step.tx, id).await? {
            let (title, html) = (title.to_owned(), html.to_owned());
            let due = Due { title, html, ..before.clone() };
            notices::put_in(&mut self.step.tx, id, Some(&due)).await?;
            return Ok(Restore::DueNotice { notice: id, before: Some(before) });
        }
        let before = self.published(id)?;
        let (title, html) = (title.to_owned(), html.to_owned());
        let after = facts::Notice { title, html, ..before.clone() };
        if after == before {
            return Err(ActionError::Unchanged.into());
        }
        let was_withdrawn = self.step.contest().notice(id).is_some_and(|it| it.is_withdrawn());
        self.try_append(after, ActionError::NoNotice)?;
        // A correction of a notice that was withdrawn puts it back.
        Ok(Restore::fact(match was_withdrawn {
            true => facts::NoticeWithdrawn { notice: id }.into(),
            false => Fact::from(before),
        }))
    }

    async fn withdraw_notice(&mut self, id: i64) -> Acting<Restore> {
        if let Some(before) = notices::by_id_in(&mut self.step.tx, id).await? {
            notices::put_in(&mut self.step.tx, id, None).await?;
            return Ok(Restore::DueNotice { notice: id, before: Some(before) });
        }
        let before = self.published(id)?;
        self.try_append(facts::NoticeWithdrawn { notice: id }, ActionError::Unchanged)?;
        Ok(Restore::fact(before))
    }

    /// The fact that published a notice as it is.
    fn published(&self, id: i64) -> Acting<facts::Notice> {
        let notice = self.step.contest().notice(id).ok_or(ActionError::NoNotice)?;
        Ok(facts::Notice {
            notice: id,
            title: notice.title.clone(),
            html: notice.html.clone(),
            challenge: notice.challenge.clone(),
            urgent: notice.urgent,
            urgent_until_ms: notice.urgent_until_ms,
        })
    }

    /// Does something with a question.
    pub(super) async fn question(
        &mut self,
        action: &QuestionAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let (QuestionAction::Answer { question, .. } | QuestionAction::Close { question }) = action;
        let before = questions::by_id_in(&mut self.step.tx, *question).await?;
        let before = before.filter(|it| !it.text.is_empty()).ok_or(ActionError::NoQuestion)?;
        let challenge = before.challenge_id.as_ref();
        let challenge = challenge.and_then(|id| ChallengeId::parse(id).ok());
        self.check_scope(challenge.as_ref(), ActionError::NoQuestion)?;
        let objects = vec![format!("question {question}")];
        self.check_head(&objects).await?;
        let now_ms = self.step.now_ms();
        let after = match action {
            QuestionAction::Answer { text, .. } => questions::Row {
                state: state::ANSWERED.to_owned(),
                answer: Some(text.clone()),
                answered_at_ms: Some(now_ms),
                ..before.clone()
            },
            QuestionAction::Close { .. } if before.state != state::OPEN => {
                return Err(ActionError::Unchanged.into());
            }
            QuestionAction::Close { .. } => questions::Row {
                state: state::CLOSED.to_owned(),
                answered_at_ms: Some(now_ms),
                ..before.clone()
            },
        };
        if let QuestionAction::Answer { to_all: Some((title, html)), .. } = action {
            // Only those who run the contest speak to all.
            if !self.who.runs_the_contest {
                return Err(ActionError::Role.into());
            }
            let (title, html) = (title.clone(), html.clone());
            let notice = questions::new_id();
            let urgent = false;
            let urgent_until_ms = None;
            let fact = facts::Notice { notice, title, html, challenge, urgent, urgent_until_ms };
            self.try_append(fact, ActionError::NoChallenge)?;
        }
        questions::put_in(&mut self.step.tx, &after).await?;
        // A team that has read an answer has read it: only what was closed is opened again.
        let is_closed = matches!(action, QuestionAction::Close { .. });
        let restore = Restore::Question { before, left: after };
        Ok((objects, is_closed.then_some(restore)))
    }
}
