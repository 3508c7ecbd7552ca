//! The event's branding: `[site]` settings, branding files, custom pages and the web app manifest.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagship_game::Contest;
use flagship_pack::{HeadingFont, Site, SiteFile, SiteFileKind};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::error::ApiError;
use super::extract::Part;
use super::html::fill;
use super::scoreboard::known_tags;
use crate::node::board::Board;
use crate::node::serving::Serving;

/// Path prefix of branding files.
const FILES: &str = "/brand/";
/// Site name when there is no event.
const NAME_DEFAULT: &str = "Flagship CTF";
/// Default preview image for shared links, and its size.
const PREVIEW: (&str, (usize, usize)) = ("/preview.png", (1200, 630));
/// Background of the dark theme (`web/src/ui/tokens.css`).
const GROUND: &str = "#080c12";

/// Marks an image response that could run scripts when opened directly.
#[derive(Clone, Copy)]
pub struct Sandboxed;

/// Branding and links of the event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteInfo {
    /// Line below the event name.
    banner: Option<String>,
    /// Accent color, `#rgb` or `#rrggbb`.
    accent: Option<String>,
    /// Accent color in the dark theme; null if it is the same.
    accent_dark: Option<String>,
    /// Logo in the navigation bar, shown instead of the event name.
    logo: Option<SitePicture>,
    /// Logo in the dark theme; null if it is the same.
    logo_dark: Option<SitePicture>,
    /// Image on the home page.
    hero: Option<SitePicture>,
    /// Font of headings: `mono`, or the path of a font file.
    heading_font: Option<String>,
    /// URL of the microblog.
    microblog: Option<String>,
    /// URL of the chat community.
    chat: Option<String>,
    /// Links in the footer.
    links: Vec<SiteLink>,
    /// Sponsors, in display order.
    sponsors: Vec<Sponsor>,
    /// Custom pages, in display order; their paths are `/pages/{slug}`.
    pages: Vec<PageLink>,
}

/// An image. Its size is in pixels, if known.
#[derive(Serialize, ToSchema)]
struct SitePicture {
    src: String,
    width: Option<usize>,
    height: Option<usize>,
}

#[derive(Serialize, ToSchema)]
struct SiteLink {
    name: String,
    link: String,
}

/// A sponsor of the event.
#[derive(Serialize, ToSchema)]
struct Sponsor {
    name: String,
    link: Option<String>,
    /// Heading under which the sponsor is listed.
    tier: Option<String>,
    logo: Option<SitePicture>,
}

/// Link to a custom page.
#[derive(Serialize, ToSchema)]
struct PageLink {
    slug: String,
    title: String,
    /// `navigation` or `footer`.
    place: &'static str,
}

/// A custom page.
#[derive(Serialize, ToSchema)]
pub struct OwnPage {
    title: String,
    /// Sanitized HTML.
    html: String,
}

/// Returns the event name, or a default without an event.
pub fn name_of(contest: &Contest) -> &str {
    contest.event().map_or(NAME_DEFAULT, |event| &event.name)
}

/// Returns the path of a branding file.
pub fn address(file: &SiteFile) -> String {
    format!("{FILES}{}", file.digest)
}

impl SitePicture {
    fn of(file: &SiteFile) -> Self {
        let (width, height) = file.size.unzip();
        Self { src: address(file), width, height }
    }
}

impl SiteInfo {
    /// Returns the public part of these settings.
    pub fn of(site: &Site) -> Self {
        let picture = |file: &Option<SiteFile>| file.as_ref().map(SitePicture::of);
        let font = |font: &HeadingFont| match font {
            HeadingFont::Mono => "mono".to_owned(),
            HeadingFont::File(file) => address(file),
        };
        let links = site.links.iter();
        let links = links.map(|it| SiteLink { name: it.name.clone(), link: it.link.clone() });
        let sponsors = site.sponsors.iter().map(|it| Sponsor {
            name: it.name.clone(),
            link: it.link.clone(),
            tier: it.tier.clone(),
            logo: picture(&it.logo),
        });
        let pages = site.pages.iter().map(|it| PageLink {
            slug: it.slug.clone(),
            title: it.title.clone(),
            place: it.place.as_str(),
        });
        Self {
            banner: site.banner.clone(),
            accent: site.accent.clone(),
            accent_dark: site.accent_dark.clone(),
            logo: picture(&site.logo),
            logo_dark: picture(&site.logo_dark),
            hero: picture(&site.hero),
            heading_font: site.heading_font.as_ref().map(font),
            microblog: site.microblog.clone(),
            chat: site.chat.clone(),
            links: links.collect(),
            sponsors: sponsors.collect(),
            pages: pages.collect(),
        }
    }
}

/// Returns the path of the preview image for shared links, and its size in pixels if known: the
/// event's own preview, else its hero image, else the default.
pub fn preview(site: &Site) -> (String, Option<(usize, usize)>) {
    let hero = site.hero.as_ref().filter(|file| file.kind != SiteFileKind::Svg);
    match site.preview.as_ref().or(hero) {
        Some(file) => (address(file), file.size),
        None => (PREVIEW.0.to_owned(), Some(PREVIEW.1)),
    }
}

/// Returns a custom page with times and points filled in.
#[utoipa::path(get, path = "/pages/{slug}", tag = "event",
    params(("slug" = String, Path, description = "Slug from `site.pages` of `/ctf`")),
    responses((status = 200, body = OwnPage), (status = 404)))]
pub async fn own_page(
    State(board): Part<Board>,
    slug: Result<Path<String>, PathRejection>,
) -> Result<Json<OwnPage>, ApiError> {
    let Path(slug) = slug.map_err(|_| ApiError::NOT_FOUND)?;
    let (settings, contest) = (board.settings.load_full(), board.feed.contest());
    let page = settings.site.pages.iter().find(|page| page.slug == slug);
    let page = page.ok_or(ApiError::NOT_FOUND)?;
    let html = contest.event().map_or_else(|| page.html.clone(), |event| fill(&page.html, event));
    Ok(Json(OwnPage { title: page.title.clone(), html }))
}

/// Returns a logo, an image or a font of the event. The file with a given digest never changes.
#[utoipa::path(get, path = "/brand/{digest}", tag = "event",
    params(("digest" = String, Path, description = "Digest from `site` of `/ctf`")),
    responses((status = 200, content_type = "application/octet-stream"),
        (status = 304, description = "The client has the current file cached"), (status = 404)))]
pub async fn file(
    State(serving): Part<Serving>,
    headers: HeaderMap,
    digest: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(digest) = digest.map_err(|_| ApiError::NOT_FOUND)?;
    let (file, bytes) = serving.brand.file(&digest).await?.ok_or(ApiError::NOT_FOUND)?;
    let tag = format!("\"{digest}\"");
    let is_known = known_tags(&headers).any(|known| known == tag.as_bytes());
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => bytes.into_response(),
    };
    for (header, value) in [
        (header::CONTENT_TYPE, file.kind.media_type()),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::ETAG, &tag),
    ] {
        let value = HeaderValue::from_str(value).expect("digests are plain ASCII");
        response.headers_mut().insert(header, value);
    }
    if file.kind == SiteFileKind::Svg {
        response.extensions_mut().insert(Sandboxed);
    }
    Ok(response)
}

/// Returns the web app manifest.
#[utoipa::path(get, path = "/manifest.webmanifest", tag = "event",
    responses((status = 200, content_type = "application/manifest+json",
            body = HashMap<String, serde_json::Value>)))]
pub async fn manifest(State(board): Part<Board>) -> Response {
    let (settings, contest) = (board.settings.load_full(), board.feed.contest());
    let name = name_of(&contest);
    let (icon, kind) = icon(&settings.site);
    let sizes = settings.site.favicon.as_ref().and_then(|file| file.size);
    let sizes = match (kind, sizes) {
        ("image/svg+xml", _) | (_, None) => "any".to_owned(),
        (_, Some((width, height))) => format!("{width}x{height}"),
    };
    let manifest = json!({
        "name": name,
        "short_name": name,
        "start_url": "/",
        "display": "minimal-ui",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [{"src": icon, "type": kind, "sizes": sizes}],
    });
    let headers =
        [(header::CONTENT_TYPE, "application/manifest+json"), (header::CACHE_CONTROL, "no-cache")];
    (headers, manifest.to_string()).into_response()
}

/// Returns the path and the media type of the icon.
pub fn icon(site: &Site) -> (String, &'static str) {
    match &site.favicon {
        Some(file) => (address(file), file.kind.media_type()),
        None => ("/favicon.svg".to_owned(), SiteFileKind::Svg.media_type()),
    }
}
