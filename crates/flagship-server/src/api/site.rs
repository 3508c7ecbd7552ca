//! The site, which is embedded in the program. Without it, a page says how to build it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, OnceLock};

use arc_swap::{ArcSwap, Guard};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use bytes::Bytes;
use flagship_pack::{Live, Site};
use rust_embed::RustEmbed;

use super::error::ApiError;
use super::headers::Page;
use super::html::escape;
use super::scoreboard::accepts;
use crate::net::body::{Etags, Form, brotli, unbrotli};
use crate::node::settings::LiveSettings;

/// The pages that the site has; any other path is its not-found page.
const PAGES: [&str; 22] = [
    "/",
    "/scoreboard",
    "/challenge",
    "/team",
    "/rules",
    "/news",
    "/login",
    "/signup",
    "/confirm",
    "/stop",
    "/reset",
    "/organize",
    "/organize/account",
    "/organize/challenges",
    "/organize/desk",
    "/organize/event",
    "/organize/flags",
    "/organize/invite",
    "/organize/log",
    "/organize/setup",
    "/organize/sign-in",
    "/organize/teams",
];

const UNBUILT: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Flagship</title>\
    <h1>The site is not built</h1><p>This program was built without its site. \
    Run <code>cargo xtask build</code> to build both.</p></html>";

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
// Texts below `static/` are embedded in their compressed form alone.
#[exclude = ".vite/*"]
#[exclude = "static/*.css"]
#[exclude = "static/*.js"]
#[exclude = "static/*.svg"]
#[allow_missing = true]
struct Dist;

/// A file of the site.
pub struct Asset {
    /// Decompressed for the first client that does not accept Brotli, if only that is embedded.
    plain: OnceLock<Bytes>,
    /// The form that the site's build compressed.
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
    /// A file of which at least one form is embedded.
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

/// The page of all paths, made again when the settings change.
pub struct Front {
    settings: LiveSettings,
    made: ArcSwap<Made>,
}

/// The page, and the settings that it was made of.
struct Made {
    settings: Arc<Live>,
    page: Option<Asset>,
}

impl Front {
    /// The page with the current settings.
    pub fn new(settings: LiveSettings) -> Self {
        let made = ArcSwap::from_pointee(Made::of(settings.load_full()));
        Self { settings, made }
    }

    fn load(&self) -> Guard<Arc<Made>> {
        let made = self.made.load();
        if Arc::ptr_eq(&made.settings, &self.settings.load()) {
            return made;
        }
        self.made.store(Arc::new(Made::of(self.settings.load_full())));
        self.made.load()
    }
}

impl Made {
    fn of(settings: Arc<Live>) -> Self {
        Self { page: front(&settings.site), settings }
    }
}

/// `index.html` with the event's own links, so that they are shown before the first response of the
/// API. `None` if the site is not built.
fn front(site: &Site) -> Option<Asset> {
    let plain = embedded("index.html")?;
    let links = [("microblog", &site.microblog), ("chat", &site.chat)];
    let metas: String = links
        .iter()
        .filter_map(|(name, address)| Some((name, address.as_ref()?)))
        .map(|(name, address)| {
            format!("  <meta name=\"{name}\" content=\"{}\">\n", escape(address))
        })
        .collect();
    let page = String::from_utf8_lossy(&plain).replacen("</head>", &format!("{metas}  </head>"), 1);
    let page = Bytes::from(page.into_bytes());
    let packed = brotli(&page);
    Asset::new("index.html", Some(page), Some(packed))
}

fn embedded(name: &str) -> Option<Bytes> {
    Some(match Dist::get(name)?.data {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => Bytes::from(bytes),
    })
}

/// The `Link` header of each page, by the first segment of its path: the scripts and style sheets
/// that it needs beside those in the page. The site's build writes this list.
static PRELOADS: LazyLock<HashMap<String, HeaderValue>> = LazyLock::new(|| {
    let Some(json) = embedded(".preload.json") else { return HashMap::new() };
    let links: HashMap<String, String> =
        serde_json::from_slice(&json).expect("the site's build wrote an object of texts");
    let header = |(path, links): (String, String)| Some((path, links.parse().ok()?));
    links.into_iter().filter_map(header).collect()
});

/// What a browser may fetch while it is still reading the page.
fn preloads(path: &str) -> Option<&'static HeaderValue> {
    let first = path.split('/').nth(1).unwrap_or_default();
    PRELOADS.get(format!("/{first}").as_str())
}

/// Responds with a file of the site, or with `front`, which renders the page of the path.
pub async fn page(front: Arc<Front>, method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::METHOD.into_response();
    }
    let path = uri.path();
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
    let front = front.load();
    let Some(index) = &front.page else { return unbuilt() };
    let mut response = serve(index, "no-cache", &headers);
    let known = PAGES.contains(&path.trim_end_matches('/')) || path == "/";
    if !known && !path.starts_with("/team/") && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    } else if let Some(links) = preloads(path) {
        response.headers_mut().insert(header::LINK, links.clone());
    }
    response.extensions_mut().insert(Page);
    response
}

fn unbuilt() -> Response {
    let mut response = (StatusCode::NOT_FOUND, Html(UNBUILT)).into_response();
    response.extensions_mut().insert(Page);
    response
}

fn serve(asset: &Asset, caching: &'static str, request: &HeaderMap) -> Response {
    let known = request.get(header::IF_NONE_MATCH);
    let (plain_etag, brotli_etag) =
        (asset.etags.of_form(Form::Plain), asset.etags.of_form(Form::Brotli));
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
