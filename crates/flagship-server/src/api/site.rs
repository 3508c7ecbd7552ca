//! The site embedded in the program. If it was not built, a page explains how to build it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};

use arc_swap::{ArcSwap, Guard};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use bytes::Bytes;
use flagship_pack::Live;
use flagship_store::accounts;
use percent_encoding::percent_decode_str;
use regex::Regex;
use rust_embed::RustEmbed;

use super::brand::{SiteInfo, address, icon, name_of, preview};
use super::error::ApiError;
use super::headers::Page;
use super::html::escape;
use super::scoreboard::accepts;
use crate::net::body::{Etags, Form, brotli, unbrotli};
use crate::node::state::App;

/// Paths of the site's pages with their titles; any other path shows the not-found page.
const PAGES: [(&str, &str); 26] = [
    ("/", ""),
    ("/scoreboard", "Scoreboard"),
    ("/challenge", "Challenges"),
    ("/team", ""),
    ("/rules", "Rules"),
    ("/news", "News"),
    ("/login", "Login"),
    ("/signup", "Signup"),
    ("/account", "Account"),
    ("/address", ""),
    ("/confirm", ""),
    ("/stop", ""),
    ("/reset", ""),
    ("/join", ""),
    ("/organize", ORGANIZERS),
    ("/organize/account", ORGANIZERS),
    ("/organize/audit-log", ORGANIZERS),
    ("/organize/challenges", ORGANIZERS),
    ("/organize/challenges/new", ORGANIZERS),
    ("/organize/event", ORGANIZERS),
    ("/organize/invite", ORGANIZERS),
    ("/organize/messages", ORGANIZERS),
    ("/organize/setup", ORGANIZERS),
    ("/organize/sign-in", ORGANIZERS),
    ("/organize/submissions", ORGANIZERS),
    ("/organize/teams", ORGANIZERS),
];

/// Redirects from paths of other platforms and from former paths of the organizer pages.
const REDIRECTS: [(&str, &str); 8] = [
    ("/admin", "/organize"),
    ("/challenges", "/challenge"),
    ("/organize/desk", "/organize/messages"),
    ("/organize/flags", "/organize/submissions"),
    ("/organize/log", "/organize/audit-log"),
    ("/register", "/signup"),
    ("/setup", "/organize"),
    ("/teams", "/scoreboard"),
];

/// Title of the organizer pages.
const ORGANIZERS: &str = "Organizers";

/// Path prefix of custom pages.
const OWN_PAGES: &str = "/pages/";

const UNBUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Flagship</title>\
    <h1>The site is not built</h1><p>This binary was built without the site. \
    Run <code>cargo xtask build</code> to build both.</p></html>";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
// Text files below `static/` are embedded only in compressed form.
#[exclude = ".vite/*"]
#[exclude = "static/*.css"]
#[exclude = "static/*.js"]
#[exclude = "static/*.svg"]
#[allow_missing = true]
struct Dist;

/// A file of the site.
pub struct Asset {
    /// Uncompressed bytes. If only Brotli is embedded, decompressed for the first client that needs
    /// it.
    plain: OnceLock<Bytes>,
    /// Brotli bytes compressed by the site build.
    brotli: Option<Bytes>,
    etags: Etags,
    mime: HeaderValue,
}

static ASSETS: LazyLock<HashMap<String, Asset>> = LazyLock::new(|| {
    let names: HashSet<String> =
        Dist::iter().map(|name| name.strip_suffix(".br").unwrap_or(&name).to_owned()).collect();
    let served = names.into_iter().filter(|name| !name.starts_with('.'));
    let asset = |name: String| {
        let asset = Asset::new(&name, embedded(&name), embedded(&format!("{name}.br")))?;
        Some((name, asset))
    };
    served.filter_map(asset).collect()
});

impl Asset {
    /// Creates a file with at least one embedded form.
    fn new(name: &str, plain: Option<Bytes>, brotli: Option<Bytes>) -> Option<Self> {
        let mime = mime_guess::from_path(name).first_or_octet_stream();
        let mime = match mime.type_().as_str() {
            "text" => format!("{mime}; charset=utf-8"),
            _ => mime.to_string(),
        };
        Some(Self {
            etags: Etags::of(plain.as_ref().or(brotli.as_ref())?),
            plain: plain.map(OnceLock::from).unwrap_or_default(),
            brotli,
            mime: mime.parse().expect("a type is plain ASCII"),
        })
    }

    fn plain(&self) -> Bytes {
        self.plain.get_or_init(|| unbrotli(self.brotli.as_ref().expect("one form"))).clone()
    }
}

/// The site's pages, rebuilt when the settings or the event name change.
pub struct Front {
    current: ArcSwap<SitePages>,
}

/// Pages and the data they are rendered from. Each page is rendered on first request.
struct SitePages {
    settings: Arc<Live>,
    /// Name of the event.
    event: String,
    public_url: String,
    /// Pages by the part of the title before the event name; `None` if the site is not built.
    pages: HashMap<String, OnceLock<Option<Asset>>>,
}

impl Front {
    /// Builds the pages with the current settings.
    pub fn new(app: &App) -> Self {
        Self { current: ArcSwap::from_pointee(SitePages::of(app)) }
    }

    fn load(&self, app: &App) -> Guard<Arc<SitePages>> {
        let (made, contest) = (self.current.load(), app.board.feed.contest());
        let is_same = made.event == name_of(&contest);
        if is_same && Arc::ptr_eq(&made.settings, &app.serving.settings.load()) {
            return made;
        }
        self.current.store(Arc::new(SitePages::of(app)));
        self.current.load()
    }
}

impl SitePages {
    fn of(app: &App) -> Self {
        let (settings, contest) = (app.serving.settings.load_full(), app.board.feed.contest());
        let own = settings.site.pages.iter().map(|page| page.title.as_str());
        let titles = PAGES.iter().map(|(_, title)| *title).chain(own);
        Self {
            pages: titles.map(|title| (title.to_owned(), OnceLock::new())).collect(),
            event: name_of(&contest).to_owned(),
            public_url: app.config().public_url.clone(),
            settings,
        }
    }

    fn page(&self, title: &str) -> Option<&Asset> {
        self.pages.get(title)?.get_or_init(|| self.render(title)).as_ref()
    }

    /// Returns the title of the page at a path; `None` for the not-found page.
    fn title(&self, path: &str) -> Option<&str> {
        let path = if path == "/" { path } else { path.trim_end_matches('/') };
        if let Some((_, title)) = PAGES.iter().find(|(page, _)| *page == path) {
            return Some(title);
        }
        if is_editor(path) {
            return Some(ORGANIZERS);
        }
        let slug = path.strip_prefix(OWN_PAGES)?;
        let own = self.settings.site.pages.iter().find(|page| page.slug == slug);
        own.map(|page| page.title.as_str())
    }

    /// Renders `index.html` with the head of a page. `None` if the site is not built.
    fn render(&self, title: &str) -> Option<Asset> {
        let plain = embedded("index.html")?;
        let title = match title {
            "" => self.event.clone(),
            title => format!("{title} · {}", self.event),
        };
        let page = HEAD.replace_all(std::str::from_utf8(&plain).ok()?, "");
        let page = page.replacen("</head>", &format!("{}  </head>", self.elements(&title)), 1);
        let page = Bytes::from(page);
        let packed = brotli(&page);
        Asset::new("index.html", Some(page), Some(packed))
    }

    /// Renders the elements of the head. They are available before the first API response, and to
    /// crawlers that read nothing else.
    fn elements(&self, title: &str) -> String {
        let Self { event, settings, public_url, .. } = self;
        let site = &settings.site;
        let about = site.banner.clone();
        let about = about.unwrap_or_else(|| format!("{event}: a capture-the-flag event."));
        let brand = serde_json::to_string(&SiteInfo::of(site)).expect("plain data");
        let (path, size) = preview(site);
        let picture = format!("{public_url}{path}");
        let (width, height) = size.map(|it| (it.0.to_string(), it.1.to_string())).unzip();
        let metas = [
            ("name", "description", Some(&*about)),
            ("name", "site", Some(&*brand)),
            ("name", "twitter:card", Some("summary_large_image")),
            ("property", "og:type", Some("website")),
            ("property", "og:site_name", Some(event)),
            ("property", "og:title", Some(title)),
            ("property", "og:description", Some(&*about)),
            ("property", "og:image", Some(&*picture)),
            ("property", "og:image:width", width.as_deref()),
            ("property", "og:image:height", height.as_deref()),
            ("property", "og:image:alt", Some(event)),
        ];
        let metas = metas.into_iter().filter_map(|(kind, name, content)| {
            Some(format!("  <meta {kind}=\"{name}\" content=\"{}\" />\n", escape(content?)))
        });
        let (icon, media_type) = icon(site);
        let elements = [
            format!("  <title>{}</title>\n", escape(title)),
            format!("  <link rel=\"icon\" href=\"{icon}\" type=\"{media_type}\" />\n"),
            "  <link rel=\"manifest\" href=\"/manifest.webmanifest\" />\n".to_owned(),
        ];
        elements.into_iter().chain(metas).collect()
    }
}

/// Elements of `index.html` that are replaced with the event's own.
static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let elements = r#"<title>[^<]*</title>|<meta name="description"[^>]*>|<link rel="icon"[^>]*>"#;
    Regex::new(&format!(r"\s*(?:{elements})")).expect("a constant pattern")
});

fn embedded(name: &str) -> Option<Bytes> {
    Some(match Dist::get(name)?.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    })
}

/// `Link` header of each page, by the first segment of its path: the scripts and style sheets that
/// it needs besides those in the page. The site build writes this list.
static PRELOADS: LazyLock<HashMap<String, HeaderValue>> = LazyLock::new(|| {
    let Some(json) = embedded(".preload.json") else { return HashMap::new() };
    let links: HashMap<String, String> =
        serde_json::from_slice(&json).expect("the site's build wrote an object of texts");
    let header = |(path, links): (String, String)| Some((path, links.parse().ok()?));
    links.into_iter().filter_map(header).collect()
});

/// Returns the resources a browser can fetch while it parses the page.
fn preloads(path: &str) -> Option<&'static HeaderValue> {
    let first = path.split('/').nth(1).unwrap_or_default();
    PRELOADS.get(format!("/{first}").as_str())
}

/// Responds with a file of the site, or with the page for the path, rendered by `front`.
pub async fn page(
    front: Arc<Front>,
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::METHOD.into_response();
    }
    let path = uri.path();
    if let Some((_, to)) = REDIRECTS.iter().find(|(from, _)| *from == path.trim_end_matches('/')) {
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        return Redirect::temporary(&format!("{to}{query}")).into_response();
    }
    let front = front.load(&app);
    if let ("/favicon.ico", Some(icon)) = (path, &front.settings.site.favicon) {
        return Redirect::temporary(&address(icon)).into_response();
    }
    if let Some(asset) = ASSETS.get(path.trim_start_matches('/'))
        && path != "/index.html"
    {
        let forever = path.starts_with("/static/");
        let caching = if forever { "public, max-age=31536000, immutable" } else { "no-cache" };
        return serve(asset, caching, &headers);
    }
    if path.starts_with("/static/") {
        return ApiError::NOT_FOUND.into_response();
    }
    let title = front.title(path);
    let Some(index) = front.page(title.unwrap_or_default()) else { return unbuilt() };
    let team = team_at(&uri);
    // A page for an unknown team uses the same scripts and style sheets.
    let links = preloads(path).filter(|_| title.is_some() || team.is_some());
    let is_known = match team {
        Some(team) => is_team(&app, &team).await,
        None => title.is_some(),
    };
    let mut response = if is_known {
        serve(index, "no-cache", &headers)
    } else {
        // The page may exist later with the same bytes, so caches must not validate against it.
        let mut missing = serve(index, "no-store", &without_validators(headers));
        missing.headers_mut().remove(header::ETAG);
        *missing.status_mut() = StatusCode::NOT_FOUND;
        missing
    };
    if let Some(links) = links {
        response.headers_mut().insert(header::LINK, links.clone());
    }
    response.extensions_mut().insert(Page);
    response
}

fn without_validators(mut headers: HeaderMap) -> HeaderMap {
    headers.remove(header::IF_NONE_MATCH);
    headers
}

/// True for the path of a challenge editor.
fn is_editor(path: &str) -> bool {
    let id = path.strip_prefix("/organize/challenges/").and_then(|it| it.strip_suffix("/edit"));
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

/// Returns the name of the team whose page is requested: from the path, or from `name` if it has
/// characters that a path cannot contain.
fn team_at(uri: &Uri) -> Option<String> {
    let encoded = match uri.path().trim_end_matches('/').strip_prefix("/team") {
        Some("") => {
            let pairs = uri.query()?.split('&');
            Cow::Owned(pairs.into_iter().find_map(|it| it.strip_prefix("name="))?.replace('+', " "))
        }
        Some(rest) => Cow::Borrowed(rest.strip_prefix('/').filter(|name| !name.contains('/'))?),
        None => return None,
    };
    Some(percent_decode_str(&encoded).decode_utf8_lossy().into_owned())
}

/// True if the team is publicly visible.
async fn is_team(app: &App, name: &str) -> bool {
    let view = app.board.feed.view(None).await;
    let is_renamed = view.contest.team_formerly(name).is_some_and(|team| team.counts());
    view.ranked_row(name).is_some()
        || (is_renamed && accounts::former_name_redirects(app.db(), name).await.unwrap_or(true))
}

fn unbuilt() -> Response {
    let mut response = (StatusCode::NOT_FOUND, Html(UNBUILT)).into_response();
    response.extensions_mut().insert(Page);
    response
}

fn serve(asset: &Asset, caching: &'static str, request: &HeaderMap) -> Response {
    let known = request.get(header::IF_NONE_MATCH);
    let (plain_etag, brotli_etag) = (asset.etags.tag(Form::Plain), asset.etags.tag(Form::Brotli));
    let known = [plain_etag, brotli_etag].into_iter().find(|etag| known == Some(*etag));
    let packed = asset.brotli.as_ref().filter(|_| accepts(request, "br"));
    let (mut response, etag) = match (known, packed) {
        (Some(etag), _) => (StatusCode::NOT_MODIFIED.into_response(), etag),
        (None, Some(packed)) => {
            let encoding = [(header::CONTENT_ENCODING, HeaderValue::from_static("br"))];
            ((encoding, packed.clone()).into_response(), brotli_etag)
        }
        (None, None) => (asset.plain().into_response(), plain_etag),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, asset.mime.clone());
    headers.insert(header::ETAG, etag.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
