//! Actions about a notice. Its text is sanitized HTML, made from the Markdown beside it.

pub mod correct;
pub mod post;
pub mod withdraw;

use flagship_game::Contest;
use flagship_game::facts::{self, Fact};
use flagship_store::desk::notices::{self, Due};
use flagship_store::ops::{ActionError, ActionResult, Context};
use serde::{Deserialize, Serialize};

use crate::action::UndoData;
use crate::facts_undo::FactsUndo;

/// The object of actions about a notice. Rejects an action if the notice was touched since.
async fn objects(context: &mut Context<'_>, notice: i64) -> ActionResult<Vec<String>> {
    let objects = vec![format!("notice {notice}")];
    context.check_head(&objects).await?;
    Ok(objects)
}

/// The fact that published a notice as it is.
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
    /// The notice waited for its time.
    DueNotice(DueNoticeUndo),
}

impl NoticeUndo {
    /// One fact undoes the action.
    fn fact(fact: impl Into<Fact>) -> Self {
        Self::Facts(FactsUndo::one(fact))
    }

    /// The notice waits again as it did before.
    fn due(notice: i64, before: Option<Due>) -> Self {
        Self::DueNotice(DueNoticeUndo { notice, before })
    }
}

/// Undo data of an action about a notice that waited for its time.
#[derive(Serialize, Deserialize)]
pub struct DueNoticeUndo {
    /// The notice.
    pub notice: i64,
    /// The notice before; `None` if there was none.
    pub before: Option<Due>,
}

impl UndoData for NoticeUndo {
    async fn undo(self, context: &mut Context<'_>, is_confirmed: bool) -> ActionResult<()> {
        match self {
            Self::Facts(undo) => undo.undo(context, is_confirmed).await,
            Self::DueNotice(DueNoticeUndo { notice, before }) => {
                put_due(context, notice, before).await
            }
        }
    }
}

/// Makes a notice wait as it did. One that was published since is withdrawn, or gets the text that
/// waited.
async fn put_due(context: &mut Context<'_>, id: i64, before: Option<Due>) -> ActionResult<()> {
    let Some(present) = context.contest().notice(id).cloned() else {
        notices::put_in(context.tx(), id, before.as_ref()).await?;
        return context.releases_changed().await;
    };
    let fact: Fact = match before {
        None => facts::NoticeWithdrawn { notice: id }.into(),
        Some(Due { title, html, urgent, urgent_until_ms, .. }) => {
            let challenge = present.challenge.clone();
            facts::Notice { notice: id, title, html, challenge, urgent, urgent_until_ms }.into()
        }
    };
    context.try_append(fact, ActionError::Unchanged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored beside records for good.
    #[test]
    fn undo_data_says_whether_the_notice_waited() {
        let waits = r#"{"type":"due_notice","notice":7,"before":null}"#;
        let facts = r#"{"type":"facts","facts":[{"type":"notice_withdrawn","notice":7}]}"#;
        for text in [waits, facts] {
            let undo: NoticeUndo = serde_json::from_str(text).expect("it is readable");
            assert_eq!(matches!(undo, NoticeUndo::DueNotice(_)), text == waits);
            assert_eq!(serde_json::to_string(&undo).expect("plain data"), text);
        }
    }
}
