//! `notice.post`

use flagship_store::desk::notices::{self, ScheduledNotice};
use flagship_store::desk::questions;

use super::{NoticeUndo, object};
use crate::prelude::*;
use crate::text::{challenge, html, long, title};

/// Posts a notice, now or at a given time.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// Title: one line of at most 200 characters.
    pub title: String,
    /// Text, in Markdown: at most 8,000 characters.
    pub text: String,
    /// ID of the challenge that the notice is about.
    #[schema(nullable = false)]
    pub challenge: Option<String>,
    /// True if the notice interrupts players.
    #[serde(default)]
    pub urgent: bool,
    /// Time until which an urgent notice interrupts players, with an offset.
    #[schema(nullable = false)]
    pub until: Option<Time>,
    /// Time of publication, with an offset. Defaults to now.
    #[schema(nullable = false)]
    pub at: Option<Time>,
    /// Text as sanitized HTML.
    #[serde(skip)]
    pub html: String,
}

impl Action for Post {
    const RULE: Rule = Rule { name: "notice.post", roles: RUNNERS, factor: Factor::Once };
    const RENDERS: bool = true;
    const LISTS: &'static [List] = OF_NOTICES;
    type Undo = NoticeUndo;

    /// Only an urgent notice can have an end, which must be later than its publication.
    async fn prepare(&mut self, desk: &Desk) -> Result<Extras, Rejection> {
        let posted_ms = self.at.map_or(desk.now_ms, |at| at.ms).max(desk.now_ms);
        if self.until.is_some_and(|until| !self.urgent || until.ms <= posted_ms) {
            return Err(ArgumentError::Until.into());
        }
        self.title = title(&self.title)?;
        self.html = html(&self.text)?;
        self.text = long(&self.text)?;
        Ok(Extras::default())
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<NoticeUndo>> {
        let challenge = self.challenge.as_deref().map(challenge).transpose()?;
        let id = questions::new_id();
        context.touch([object(id)]).await?;
        let now_ms = context.now_ms();
        let (title, html, urgent) = (self.title.clone(), self.html.clone(), self.urgent);
        let urgent_until_ms = self.until.map(|until| until.ms);
        let undo = match self.at.map(|at| at.ms).filter(|at_ms| *at_ms > now_ms) {
            Some(at_ms) => {
                let challenge_id = challenge.map(|id| id.as_str().to_owned());
                let due = ScheduledNotice {
                    id,
                    at_ms,
                    title,
                    html,
                    challenge_id,
                    urgent,
                    urgent_until_ms,
                };
                notices::put_in(context.tx(), id, Some(&due)).await?;
                context.releases_changed().await?;
                NoticeUndo::DueNotice { notice: id, before: None }
            }
            None => {
                let notice = id;
                let fact =
                    facts::Notice { notice, title, html, challenge, urgent, urgent_until_ms };
                context.try_append(fact, ActionError::NoChallenge)?;
                NoticeUndo::fact(facts::NoticeWithdrawn { notice })
            }
        };
        Ok(Some(undo))
    }

    fn key(arguments: &Value) -> &'static str {
        match arguments["at"].is_null() {
            true => Self::RULE.name,
            false => "notice.post.later",
        }
    }
}
