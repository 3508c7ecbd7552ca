//! Pages of the event.

use flagship_pack::{Live, PAGES_BYTES_MAX, PagePlace, Problem, SitePage};

use crate::prelude::*;
use crate::settings::sections::files_in;

/// Renders a page from Markdown, with warnings about the text.
///
/// # Errors
/// Fails with the errors in the text or the slug.
pub async fn page_of(
    desk: &Desk,
    slug: &str,
    place: PagePlace,
    text: &str,
) -> Result<(SitePage, Vec<Problem>), Rejection> {
    if text.len() > PAGES_BYTES_MAX || text.contains('\0') {
        return Err(ArgumentError::Text.into());
    }
    let defaults = desk.defaults().await?;
    flagship_pack::page_of(slug, place, text, &defaults).map_err(Rejection::Settings)
}

/// True if the files contain a page with this slug.
pub fn is_of_files(files: &Live, slug: &str) -> bool {
    files.site.pages.iter().any(|page| page.slug == slug)
}

/// Settings of the files. Rejects a page that the files contain.
pub(super) async fn files_without(desk: &Desk, slug: &str) -> Result<Live, Rejection> {
    let files = files_in(&desk.db).await?.unwrap_or_default();
    match is_of_files(&files, slug) {
        true => {
            let message = "this page comes from the event folder; change it there";
            Err(Rejection::setting(message.to_owned()))
        }
        false => Ok(files),
    }
}
