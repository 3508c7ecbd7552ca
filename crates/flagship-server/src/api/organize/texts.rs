//! Previews of the rules and custom pages.

use axum::extract::State;
use flagship_actions::event::rules;
use flagship_actions::site::pages::page_of;
use flagship_actions::{Desk, Rejection};
use flagship_game::Contest;
use flagship_pack::PagePlace;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::actions::{self, ActionFailure};
use super::auth::Authorized;
use crate::api::extract::LargeJson;
use crate::api::html::fill;
use crate::api::schema;
use crate::node::organizers::permissions::WriteRules;
use crate::node::state::App;

/// A draft of the rules or of a page.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TextDraft)]
pub struct Draft {
    /// Markdown source.
    text: String,
    /// Slug of the custom page that the text is for; the rules if omitted.
    #[schema(nullable = false)]
    page: Option<String>,
}

/// Preview of the rules or of a page.
#[derive(Serialize, ToSchema)]
#[schema(as = TextPreview)]
pub struct Preview {
    /// Title of the page; null for the rules.
    title: Option<String>,
    /// Sanitized HTML with times and points filled in; null if there are errors.
    html: Option<String>,
    /// Errors and warnings.
    problems: Vec<schema::Found>,
}

/// Previews the rules or a custom page without changing or recording anything.
#[utoipa::path(post, path = "/texts/preview", operation_id = "organizer_preview_text",
    request_body = Draft, responses((status = 200, body = Preview)))]
pub async fn preview(
    State(app): State<App>,
    caller: Authorized<WriteRules>,
    draft: LargeJson<Draft>,
) -> Result<axum::Json<Preview>, ActionFailure> {
    let (renderer, organizer) = (&app.organizers.renderer, caller.who.organizer.id);
    let draft = draft.parsed(renderer, organizer).await?;
    let (desk, contest) = (actions::desk(&app, &caller.who), app.contest());
    let shown =
        renderer.run(organizer, async move { render_preview(&desk, draft, &contest).await });
    Ok(axum::Json(shown.await??))
}

/// Renders a text as players would see it.
async fn render_preview(
    desk: &Desk,
    Draft { text, page }: Draft,
    contest: &Contest,
) -> Result<Preview, ActionFailure> {
    let (title, html, problems) = match page {
        None => {
            let problems = flagship_pack::rules_warnings(&text);
            (None, rules::html(desk, &text).await?, problems)
        }
        Some(slug) => match page_of(desk, &slug, PagePlace::default(), &text).await {
            Ok((page, problems)) => (Some(page.title), page.html, problems),
            Err(Rejection::Settings(problems)) => {
                let problems = actions::found_problems(problems);
                return Ok(Preview { title: None, html: None, problems });
            }
            Err(error) => return Err(error.into()),
        },
    };
    let html = contest.event().map_or_else(|| html.clone(), |event| fill(&html, event));
    Ok(Preview { title, html: Some(html), problems: actions::found_problems(problems) })
}
