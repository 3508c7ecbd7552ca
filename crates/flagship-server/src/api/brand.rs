//! The event's brand: what `[site]` says, its files, its own pages, and how it is installed.

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

/// The folder of the files on the wire.
const FILES: &str = "/brand/";
/// The name of the site without an event.
const NAME_DEFAULT: &str = "Flagship CTF";
/// The picture with which others show a link to a site that has none of its own, and its size.
const PREVIEW: (&str, (usize, usize)) = ("/preview.png", (1200, 630));
/// The ground of the dark theme (`web/src/ui/tokens.css`).
const GROUND: &str = "#0a0f15";

/// Marks a response as a picture that could run scripts where it is opened by itself.
#[derive(Clone, Copy)]
pub struct Sandboxed;

/// What the site shows of the event's house.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteInfo {
    /// The line under the event's name.
    banner: Option<String>,
    /// The accent colour, `#rgb` or `#rrggbb`.
    accent: Option<String>,
    /// The accent on the dark ground, where it is another.
    accent_dark: Option<String>,
    /// Stands in the bar, in place of the event's name.
    logo: Option<SitePicture>,
    /// The logo on the dark ground, where it is another.
    logo_dark: Option<SitePicture>,
    /// A picture on the home page.
    hero: Option<SitePicture>,
    /// The face of headings: `mono`, or the address of a font.
    heading_font: Option<String>,
    /// Address of the microblog.
    microblog: Option<String>,
    /// Address of the chat community.
    chat: Option<String>,
    /// Links in the footer.
    links: Vec<SiteLink>,
    /// Who pays for the event, in order.
    sponsors: Vec<Sponsor>,
    /// Pages of the event's own, in order; their addresses are `/pages/{slug}`.
    pages: Vec<PageLink>,
}

/// A picture; its size is in pixels, if it is known.
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

/// Who pays for the event.
#[derive(Serialize, ToSchema)]
struct Sponsor {
    name: String,
    link: Option<String>,
    /// The heading below which it stands.
    tier: Option<String>,
    logo: Option<SitePicture>,
}

/// The link to a page of the event's own.
#[derive(Serialize, ToSchema)]
struct PageLink {
    slug: String,
    title: String,
    /// `navigation` or `footer`.
    place: &'static str,
}

/// A page of the event's own.
#[derive(Serialize, ToSchema)]
pub struct OwnPage {
    title: String,
    /// Sanitised HTML.
    html: String,
}

/// The name of the event, or of the site without one.
pub fn name_of(contest: &Contest) -> &str {
    contest.event().map_or(NAME_DEFAULT, |event| &event.name)
}

/// The address of a file.
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
    /// What visitors see of these settings.
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

/// The path of the picture with which others show a link to the site, and its size in pixels, if it
/// is known: the event's own preview, or its hero, or the one that every site has.
pub fn preview(site: &Site) -> (String, Option<(usize, usize)>) {
    let hero = site.hero.as_ref().filter(|file| file.kind != SiteFileKind::Svg);
    match site.preview.as_ref().or(hero) {
        Some(file) => (address(file), file.size),
        None => (PREVIEW.0.to_owned(), Some(PREVIEW.1)),
    }
}

/// A page of the event's own, with times and points filled in.
#[utoipa::path(get, path = "/pages/{slug}", tag = "event",
    params(("slug" = String, Path, description = "From `site.pages` of `/ctf`")),
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

/// A logo, a picture or a font of the event. The file of a digest never changes.
#[utoipa::path(get, path = "/brand/{digest}", tag = "event",
    params(("digest" = String, Path, description = "From `site` of `/ctf`")),
    responses((status = 200, content_type = "application/octet-stream"),
        (status = 304, description = "The client has this file"), (status = 404)))]
pub async fn file(
    State(serving): Part<Serving>,
    headers: HeaderMap,
    digest: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Path(digest) = digest.map_err(|_| ApiError::NOT_FOUND)?;
    let (file, bytes) = serving.brand.file(&digest).await.ok_or(ApiError::NOT_FOUND)?;
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

/// What a device shows of the site when it is installed.
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

/// The address and the media type of the icon.
pub fn icon(site: &Site) -> (String, &'static str) {
    match &site.favicon {
        Some(file) => (address(file), file.kind.media_type()),
        None => ("/favicon.svg".to_owned(), SiteFileKind::Svg.media_type()),
    }
}
