//! The rules and pages of the event's own as players would see them, before anything is done.

use axum::extract::State;
use flagship_actions::event::rules;
use flagship_actions::site::pages::page_of;
use flagship_actions::{Desk, Rejection};
use flagship_game::Contest;
use flagship_pack::PagePlace;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::actions::{self, NotDone};
use super::by::By;
use crate::api::extract::LargeJson;
use crate::api::html::fill;
use crate::api::schema;
use crate::node::organizers::permissions::WriteRules;
use crate::node::state::App;

/// A text that is not kept yet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TextDraft)]
pub struct Draft {
    /// In Markdown.
    text: String,
    /// The name of the page of the event's own whose text it is; the rules without it.
    #[schema(nullable = false)]
    page: Option<String>,
}

/// What players would see.
#[derive(Serialize, ToSchema)]
#[schema(as = TextPreview)]
pub struct Preview {
    /// The title of a page; null for the rules.
    title: Option<String>,
    /// Sanitised HTML with times and points filled in; null if there are errors.
    html: Option<String>,
    /// What is wrong, or may not be meant.
    problems: Vec<schema::Found>,
}

/// Shows the rules or a page as players would see them; nothing is changed or recorded.
#[utoipa::path(post, path = "/texts/preview", operation_id = "organizer_preview_text",
    request_body = Draft, responses((status = 200, body = Preview)))]
pub async fn preview(
    State(app): State<App>,
    by: By<WriteRules>,
    draft: LargeJson<Draft>,
) -> Result<axum::Json<Preview>, NotDone> {
    let (renderer, organizer) = (&app.organizers.renderer, by.who.organizer.id);
    let draft = draft.parsed(renderer, organizer).await?;
    let (desk, contest) = (actions::desk(&app, &by.who), app.contest());
    let shown = renderer.run(organizer, async move { shown(&desk, draft, &contest).await });
    Ok(axum::Json(shown.await??))
}

/// A text as players would see it.
async fn shown(
    desk: &Desk,
    Draft { text, page }: Draft,
    contest: &Contest,
) -> Result<Preview, NotDone> {
    let (title, html, problems) = match page {
        None => {
            let problems = flagship_pack::warnings_of_rules(&text);
            (None, rules::html(desk, &text).await?, problems)
        }
        Some(slug) => match page_of(desk, &slug, PagePlace::default(), &text).await {
            Ok((page, problems)) => (Some(page.title), page.html, problems),
            Err(Rejection::Settings(problems)) => {
                let problems = actions::shown(problems);
                return Ok(Preview { title: None, html: None, problems });
            }
            Err(error) => return Err(error.into()),
        },
    };
    let html = contest.event().map_or_else(|| html.clone(), |event| fill(&html, event));
    Ok(Preview { title, html: Some(html), problems: actions::shown(problems) })
}
