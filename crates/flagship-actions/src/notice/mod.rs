//! Actions about notices. The published text is sanitized HTML, rendered from the stored Markdown.

pub mod correct;
pub mod post;
pub mod withdraw;

use flagship_game::Contest;
use flagship_game::facts::Fact;
use flagship_store::desk::notices::{self, ScheduledNotice};

use crate::prelude::*;

/// Audit log object of actions about a notice.
fn object(notice: i64) -> String {
    format!("notice {notice}")
}

/// The fact that published a notice, with its current content.
fn published(contest: &Contest, id: i64) -> ActionResult<facts::Notice> {
    let notice = contest.notice(id).ok_or(ActionError::NoNotice)?;
    Ok(facts::Notice {
        notice: id,
        title: notice.title.clone(),
        html: notice.html.clone(),
        challenge: notice.challenge.clone(),
        urgent: notice.urgent,
        urgent_until_ms: notice.urgent_until_ms,
    })
}

/// Undo data of an action about a notice.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NoticeUndo {
    /// The notice was published.
    Facts(FactsUndo),
    /// The notice was scheduled.
    DueNotice {
        /// Notice ID.
        notice: i64,
        /// Scheduled notice before the action; `None` if there was none.
        before: Option<ScheduledNotice>,
    },
}

impl NoticeUndo {
    /// Undo data with a single fact.
    fn fact(fact: impl Into<Fact>) -> Self {
        Self::Facts(FactsUndo::one(fact))
    }
}

impl UndoData for NoticeUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        match self {
            Self::Facts(undo) => undo.undo(context).await,
            Self::DueNotice { notice, before } => put_due(context, notice, before).await,
        }
    }
}

/// Restores a scheduled notice. If it has been published since, it is withdrawn or gets the
/// scheduled text.
async fn put_due(
    context: &mut Context<'_>,
    id: i64,
    before: Option<ScheduledNotice>,
) -> ActionResult<()> {
    let Some(present) = context.contest().notice(id).cloned() else {
        notices::put_in(context.tx(), id, before.as_ref()).await?;
        return context.releases_changed().await;
    };
    let fact: Fact = match before {
        None => facts::NoticeWithdrawn { notice: id }.into(),
        Some(ScheduledNotice { title, html, urgent, urgent_until_ms, .. }) => {
            let challenge = present.challenge.clone();
            facts::Notice { notice: id, title, html, challenge, urgent, urgent_until_ms }.into()
        }
    };
    context.try_append(fact, ActionError::Unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Undo data is stored permanently beside records.
    #[test]
    fn undo_data_says_whether_the_notice_waited() {
        let waits = r#"{"type":"due_notice","notice":7,"before":null}"#;
        let facts = r#"{"type":"facts","facts":[{"type":"notice_withdrawn","notice":7}]}"#;
        for text in [waits, facts] {
            let undo: NoticeUndo = serde_json::from_str(text).expect("it is readable");
            assert_eq!(matches!(undo, NoticeUndo::DueNotice { .. }), text == waits);
            assert_eq!(serde_json::to_string(&undo).expect("plain data"), text);
        }
    }
}
