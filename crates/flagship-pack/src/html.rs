//! Sanitizes Markdown and HTML written by authors: a short list of elements and attributes, no
//! scripts and no styles. Only images known to the caller are allowed, because loading others would
//! reveal the reader to another server. Code in a known language gets classes for syntax
//! highlighting.

mod highlight;
pub(crate) mod warnings;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use ammonia::{Builder, UrlRelative};
use comrak::adapters::SyntaxHighlighterAdapter;
use comrak::options::Plugins;
use flagship_game::challenge::{PASS_PLACEHOLDER, PICTURE_SCHEME};
use highlight::Kind;
use regex::Regex;

/// Maximum size of a description or of the rules, in bytes.
pub(crate) const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Maximum amount of highlighted code per text, in bytes. Blocks beyond it stay plain.
const HIGHLIGHTED_BYTES_MAX: usize = 32 * 1024;

/// Maximum nesting depth of elements. Sanitizing takes time quadratic in the depth.
const NESTING_MAX: usize = 100;

const TAGS: [&str; 39] = [
    "a",
    "b",
    "blockquote",
    "br",
    "code",
    "dd",
    "del",
    "details",
    "dl",
    "dt",
    "em",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "kbd",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];

const REL: &str = "noopener noreferrer nofollow";

/// An image displayed in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// SHA-256 in hex.
    pub(crate) digest: String,
    /// Size in pixels.
    pub(crate) width: usize,
    /// Size in pixels.
    pub(crate) height: usize,
}

/// Maximum number of links without a target that are reported.
const LOST_LINKS_MAX: usize = 8;

/// A text for players, rendered as HTML.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) html: String,
    /// URLs of links without a host. Only the text of such links is displayed.
    pub(crate) lost_links: Vec<String>,
}

/// Renders and sanitizes `text`, Markdown that may contain HTML as in CTFd. Images are replaced by
/// their alt text. The error is a message for the author.
pub(crate) fn render(text: &str) -> Result<String, String> {
    render_with(text, |_| None).map(|rendered| rendered.html)
}

/// Like [`render`], but keeps the images for which `find` returns one, given their URL. Paragraphs
/// that contain only images from other sites are removed.
pub(crate) fn render_with(
    text: &str,
    mut find: impl FnMut(&str) -> Option<Shown>,
) -> Result<Rendered, String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("the text is larger than {} KiB", TEXT_BYTES_MAX / 1024));
    }
    let mut options = comrak::Options::default();
    options.extension.table = true;
    options.extension.strikethrough = true;
    options.extension.autolink = true;
    options.render.r#unsafe = true;
    let highlighter = Highlighter { bytes_left: AtomicUsize::new(HIGHLIGHTED_BYTES_MAX) };
    let mut plugins = Plugins::default();
    plugins.render.codefence_syntax_highlighter = Some(&highlighter);
    let html = comrak::markdown_to_html_with_plugins(text, &options, &plugins);
    if nesting(&html) > NESTING_MAX {
        return Err("quotes, lists or elements are nested too deeply".into());
    }
    let with_pictures = PICTURES_KEPT.clean(&html).to_string().replace(MARKS, "");
    let lost_links = lost_links(&with_pictures);
    let placed = PICTURE.replace_all(&with_pictures, |found: &regex::Captures<'_>| {
        let attribute = |name| {
            let mut all = ATTRIBUTE.captures_iter(&found[1]);
            all.find(|it| &it[1] == name).map_or_else(String::new, |it| it[2].to_owned())
        };
        let (source, words) = (attribute("src"), attribute("alt"));
        let words = words.replace('<', "&lt;").replace('>', "&gt;");
        match find(&unescape(&source)) {
            Some(Shown { digest, width, height }) => format!(
                "<img src=\"{PICTURE_SCHEME}{digest}\" alt=\"{words}\" width=\"{width}\" \
                 height=\"{height}\">"
            ),
            None if is_elsewhere(&source) => format!("{}{words}{}", MARKS[0], MARKS[1]),
            None => words,
        }
    });
    let html = SAFE.clean(&without_stray_words(&placed)).to_string().trim().to_owned();
    let html = html.replace(ENCODED_PASS, PASS_PLACEHOLDER);
    Ok(Rendered { html, lost_links })
}

/// Placeholder of a pass, as Markdown writes it in the URL of a link.
const ENCODED_PASS: &str = "%7B%7Bteam_pass%7D%7D";

/// Markers around the alt text of images from other sites during rendering.
const MARKS: [char; 2] = ['\u{1}', '\u{2}'];

/// True if the URL of an image points to another site.
fn is_elsewhere(source: &str) -> bool {
    source.contains("://") || source.trim_start().starts_with("//")
}

/// Removes paragraphs that contain only marked alt text, unless nothing else is left; then removes
/// the markers.
fn without_stray_words(html: &str) -> String {
    let rest = STRAY.replace_all(html, |found: &regex::Captures<'_>| {
        let is_any = found[0].contains(MARKS[0]);
        if is_any { String::new() } else { found[0].to_owned() }
    });
    let rest = if rest.trim().is_empty() { Cow::Borrowed(html) } else { rest };
    rest.replace(MARKS, "")
}

/// Distinct URLs of links without a host.
fn lost_links(html: &str) -> Vec<String> {
    let mut lost: Vec<String> = Vec::new();
    for link in LINK.captures_iter(html) {
        let address = unescape(&link[1]);
        let is_lost = ammonia::Url::parse(&address).is_err() && !lost.contains(&address);
        if is_lost && lost.len() < LOST_LINKS_MAX {
            lost.push(address);
        }
    }
    lost
}

/// Syntax highlighter for code blocks, limited to a number of bytes.
struct Highlighter {
    bytes_left: AtomicUsize,
}

impl SyntaxHighlighterAdapter for Highlighter {
    fn write_highlighted(
        &self,
        output: &mut dyn fmt::Write,
        name: Option<&str>,
        code: &str,
    ) -> fmt::Result {
        let language = name.and_then(highlight::language);
        let take = |left: usize| left.checked_sub(code.len());
        let language = language.filter(|_| {
            self.bytes_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok()
        });
        let Some(language) = language else { return output.write_str(&escape(code)) };
        for (kind, piece) in highlight::pieces(language, code) {
            let piece = escape(piece);
            match kind.class() {
                Some(class) => write!(output, "<span class=\"{class}\">{piece}</span>")?,
                None => output.write_str(&piece)?,
            }
        }
        Ok(())
    }

    fn write_pre_tag(
        &self,
        output: &mut dyn fmt::Write,
        _: HashMap<&'static str, Cow<'_, str>>,
    ) -> fmt::Result {
        output.write_str("<pre>")
    }

    fn write_code_tag(
        &self,
        output: &mut dyn fmt::Write,
        _: HashMap<&'static str, Cow<'_, str>>,
    ) -> fmt::Result {
        output.write_str("<code>")
    }
}

/// Decodes an attribute value, or HTML without elements.
pub(crate) fn unescape(value: &str) -> String {
    let entities =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&amp;", "&")];
    entities.iter().fold(value.to_owned(), |text, (entity, c)| text.replace(entity, c))
}

/// Maximum nesting depth of elements in `html`, ignoring elements whose end tag is optional.
fn nesting(html: &str) -> usize {
    let mut depth = 0_usize;
    let mut deepest = 0;
    for tag in TAG.captures_iter(html) {
        let name = tag.get(2).map_or("", |name| name.as_str()).to_ascii_lowercase();
        if END_TAG_OPTIONAL.contains(&name.as_str()) {
            continue;
        }
        depth = if &tag[1] == "/" { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

/// Escapes `text` for HTML.
pub fn escape(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
    html
}

/// Renders `connection_info`: a link if it is a web URL, otherwise code.
pub(crate) fn connection(text: &str) -> String {
    let text = text.trim();
    let shown = escape(text);
    if !text.contains(char::is_whitespace) && is_web_address(text) {
        return format!("<p><a href=\"{shown}\" rel=\"{REL}\">{shown}</a></p>");
    }
    if text.contains('\n') {
        return format!("<pre><code>{shown}</code></pre>");
    }
    format!("<p><code>{shown}</code></p>")
}

/// True if `text` is an http or https URL.
pub(crate) fn is_web_address(text: &str) -> bool {
    web_url(text).is_some()
}

/// Parses `text` as an origin, `https://name[:port]`; `None` if it has any other part.
pub(crate) fn origin(text: &str) -> Option<String> {
    let url = web_url(text)?;
    let origin = url.origin().ascii_serialization();
    text.trim_end_matches('/').eq_ignore_ascii_case(&origin).then_some(origin)
}

fn web_url(text: &str) -> Option<ammonia::Url> {
    let clean = !text.chars().any(|c| c.is_control() || c.is_whitespace());
    let url = ammonia::Url::parse(text).ok().filter(|_| clean)?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// Elements whose end tag is absent or optional.
const END_TAG_OPTIONAL: [&str; 14] =
    ["area", "br", "col", "dd", "dt", "hr", "img", "input", "li", "link", "p", "td", "th", "tr"];

static TAG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<(/?)([A-Za-z][A-Za-z0-9-]*)").expect("a constant pattern"));

static PICTURE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<img((?: [a-z]+="[^"]*")*)>"#).expect("a constant pattern"));

static ATTRIBUTE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#" ([a-z]+)="([^"]*)""#).expect("a constant pattern"));

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"<a href="([^"]*)""#).expect("a constant pattern"));

/// A paragraph that contains only links, line breaks and marked alt text.
static STRAY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("<p>(?:\\s|<br>|</?a(?: [^>]*)?>|\u{1}[^\u{1}\u{2}]*\u{2})*</p>\n?")
        .expect("a constant pattern")
});

/// Final pass. Its only images are those that replaced the author's.
static SAFE: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = allow(["src", "alt", "width", "height"]);
    builder.add_url_schemes([PICTURE_SCHEME.trim_end_matches(':')]);
    builder.attribute_filter(|element, attribute, value| {
        let is_address = matches!(attribute, "src" | "href");
        let is_picture = value.trim_start().to_ascii_lowercase().starts_with(PICTURE_SCHEME);
        (!is_address || is_picture == (element == "img")).then_some(Cow::Borrowed(value))
    });
    builder
});

/// First pass. Keeps images with their URL and alt text, so that `PICTURE` can find them.
static PICTURES_KEPT: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = allow(["src", "alt"]);
    builder.url_relative(UrlRelative::PassThrough);
    builder
});

fn allow<const N: usize>(of_images: [&'static str; N]) -> Builder<'static> {
    let attributes = HashMap::from([
        ("a", HashSet::from(["href"])),
        ("ol", HashSet::from(["start"])),
        ("td", HashSet::from(["align", "colspan", "rowspan"])),
        ("th", HashSet::from(["align", "colspan", "rowspan"])),
        ("img", HashSet::from(of_images)),
    ]);
    let tags: HashSet<&'static str> = TAGS.into_iter().chain(["img"]).collect();
    let mut builder = Builder::empty();
    builder
        .tags(tags)
        .clean_content_tags(HashSet::from(["script", "style", "template", "iframe", "object"]))
        .tag_attributes(attributes)
        .allowed_classes(HashMap::from([("span", HashSet::from(Kind::CLASSES))]))
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some(REL))
        .strip_comments(true);
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_html_render_to_the_allowed_elements() {
        let link = format!("<a href=\"https://ctf.example/\" rel=\"{REL}\">x</a>");
        for (text, html) in [
            ("**a** _b_ `c`", "<p><strong>a</strong> <em>b</em> <code>c</code></p>".to_owned()),
            ("<b>a</b><br/>c", "<p><b>a</b><br>c</p>".to_owned()),
            ("[x](https://ctf.example/)", format!("<p>{link}</p>")),
            (
                "<a href='https://ctf.example/' target=_top onclick=y()>x</a>",
                format!("<p>{link}</p>"),
            ),
            ("<div class='q' id='r' style='top:0'>a</div>", "a".to_owned()),
            ("```text\na < b\n```", "<pre><code>a &lt; b\n</code></pre>".to_owned()),
            ("    if a\n", "<pre><code>if a\n</code></pre>".to_owned()),
            (
                "```Python x\nif a < '</code>':\n```",
                "<pre><code><span class=\"hl-keyword\">if</span> a &lt; \
                 <span class=\"hl-string\">'&lt;/code&gt;'</span>:\n</code></pre>"
                    .to_owned(),
            ),
            ("~~a~~", "<p><del>a</del></p>".to_owned()),
            (
                "<details open ontoggle=x()><summary>Spoiler</summary>\n\n**mat**\n\n</details>",
                "<details><summary>Spoiler</summary>\n<p><strong>mat</strong></p>\n</details>"
                    .to_owned(),
            ),
            (
                "Starts at {start}, {flag_format}.",
                "<p>Starts at {start}, {flag_format}.</p>".to_owned(),
            ),
        ] {
            let given = render(text).unwrap();
            assert_eq!(given, html, "rendered differently: {text}");
        }
        let table = render("|a|b|\n|-|:-:|\n|1|2|").unwrap();
        assert!(table.contains("<td align=\"center\">2</td>"), "{table}");
    }

    #[test]
    fn the_placeholder_of_a_pass_is_kept_in_links() {
        let address = format!("https://x.example/?a=1&pass={PASS_PLACEHOLDER}#top");
        let link = address.replace('&', "&amp;");
        for text in [
            format!("[x]({address})"),
            format!("<a href=\"{address}\">x</a>"),
            format!("See {address}"),
        ] {
            let html = render(&text).unwrap();
            assert!(html.contains(&format!("href=\"{link}\"")), "{text} gave {html}");
            assert!(!html.contains("%7B"), "{text} gave {html}");
        }
        let connection = connection(&address);
        assert!(connection.contains(&format!("<a href=\"{link}\"")), "{connection}");
    }

    #[test]
    fn scripts_and_external_resources_are_removed() {
        let tags = Regex::new("<[^>]*>").unwrap();
        for text in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "<svg onload=alert(1)>",
            "<svg><style><img src=x onerror=alert(1)></style></svg>",
            "<math><mtext><table><mglyph><style><!--</style>\
             <img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
            "<iframe src=https://evil.example></iframe>",
            "<form action=https://evil.example><input name=a><button>b</button></form>",
            "[x](javascript:alert(1))",
            "<a href='java&#10;script:alert(1)'>x</a>",
            "<a href=data:text/html,x>x</a>",
            "<a href=//evil.example>x</a>",
            "<p style='background:url(https://evil.example)'>x</p>",
            "<link rel=stylesheet href=https://evil.example>",
            "<meta http-equiv=refresh content=0>",
            "<base href=https://evil.example>",
            "<video src=https://evil.example><audio><embed><object data=x>",
            "![x](https://evil.example/track.png)",
            "<img alt='<script>alert(1)</script>'>",
            "<img alt='<img src=x onerror=alert(1)>'>",
            "<img alt='\" onerror=alert(1) x=\"'>",
            "<a href='https://x/<img alt=\">'>x</a>",
        ] {
            let html = render(text).unwrap();
            for tag in tags.find_iter(&html) {
                let tag = tag.as_str();
                for bad in ["<script", "<img", "<svg", "<style", "onerror", "onclick", "javascript"]
                {
                    assert!(!tag.contains(bad), "{text} gave {html}");
                }
                assert!(!tag.contains("src") && !tag.contains("evil"), "{text} gave {html}");
            }
        }
    }

    #[test]
    fn classes_of_authors_are_removed() {
        let words = "a class other than those for highlighting";
        let class = Regex::new("<(\\w+)[^>]* class=[\"']?([^\"'>]*)").unwrap();
        for text in [
            "<span class='shell-hidden'>a</span>",
            "<span class='hl-keyword shell hl-'>a</span>",
            "<p class='hl-keyword'>a</p><pre class=hl-string><code class=hl-name>x</code></pre>",
            "```python class=\"x\"\nif '<i class=\"x\">':\n```",
            "```hl-x\na\n```",
        ] {
            let html = render(text).unwrap();
            for found in class.captures_iter(&html) {
                let mut classes = found[2].split_whitespace();
                let is_known = classes.all(|it| Kind::CLASSES.contains(&it));
                assert!(is_known && &found[1] == "span", "{words}: {text} gave {html}");
            }
        }
    }

    #[test]
    fn what_is_too_much_code_stays_plain() {
        let block = |bytes: usize| format!("```c\nint {}\n```\n", "a".repeat(bytes - 5));
        for (text, blocks) in [
            (block(HIGHLIGHTED_BYTES_MAX), 1),
            (block(HIGHLIGHTED_BYTES_MAX + 1), 0),
            (block(HIGHLIGHTED_BYTES_MAX / 2 + 1).repeat(2), 1),
            (block(HIGHLIGHTED_BYTES_MAX / 2).repeat(2), 2),
        ] {
            assert_eq!(render(&text).unwrap().matches("<span").count(), blocks);
        }
    }

    #[test]
    fn an_image_is_replaced_by_its_alt_text() {
        let html = render("a ![a tall ship](ship.png) b <img src='x' alt='& \"two\"'> c").unwrap();
        assert_eq!(html, "<p>a a tall ship b &amp; \"two\" c</p>");
        assert_eq!(render("<img alt='<b>'>").unwrap(), "&lt;b&gt;");
    }

    #[test]
    fn words_of_pictures_of_other_sites_have_no_line_of_their_own() {
        for (text, html) in [
            ("![logo](https://x.example/l.jpg)\n\nHi!", "<p>Hi!</p>"),
            (
                "Hi!\n\n[![a](//x.example/a.png)](https://x.example)\n![b](http://y.example/b.png)",
                "<p>Hi!</p>",
            ),
            ("See ![logo](https://x.example/l.jpg) here", "<p>See logo here</p>"),
            ("![logo](https://x.example/l.jpg)", "<p>logo</p>"),
            ("![a map](map.png)\n\nHi!", "<p>a map</p>\n<p>Hi!</p>"),
            ("a\u{1}b\u{2}c", "<p>abc</p>"),
        ] {
            assert_eq!(render(text).unwrap(), html, "{text:?}");
        }
    }

    #[test]
    fn links_that_lead_nowhere_are_named() {
        let text = "[a](dist/a.txt) [b](https://b.example/x) [c](/rules) [a](dist/a.txt) \
                    [m](mailto:a@b.example) <a href='../&amp;'>d</a>";
        let rendered = render_with(text, |_| None).unwrap();
        assert_eq!(rendered.lost_links, ["dist/a.txt", "/rules", "../&"]);
        let many = (0..20).map(|i| format!("[x](a{i})")).collect::<String>();
        assert_eq!(render_with(&many, |_| None).unwrap().lost_links.len(), LOST_LINKS_MAX);
    }

    #[test]
    fn known_images_are_shown_and_no_other_address_is_left() {
        let words = "an address that is not the picture's";
        let digest = "ab".repeat(32);
        let shown = || Shown { digest: digest.clone(), width: 3, height: 2 };
        let mut asked = Vec::new();
        let html = render_with("![a \"<b>\"](my%20ship.png \"t\") ![](a&b.gif)", |address| {
            asked.push(address.to_owned());
            (asked.len() == 1).then(shown)
        });
        let html = html.map(|rendered| rendered.html);
        assert_eq!(asked, ["my%20ship.png", "a&b.gif"]);
        let img = format!("<img src=\"picture:{digest}\" alt=\"a &quot;");
        let html = html.unwrap();
        assert!(html.contains(&img) && html.contains(" width=\"3\" height=\"2\""), "{html}");
        let tags = Regex::new("<[^>]*(src|href|onerror)[^>]*>").unwrap();
        for text in [
            "![x](picture:abc)",
            "<img src=picture:abc onerror=x()>",
            "<img src=https://evil.example/x.png srcset='y 2x'>",
            "<a href='picture:abc'>x</a>",
            "<a href=' PICTURE:abc'>x</a>",
            "<img alt='\" src=\"picture:abc'>",
            "<svg><img src=picture:abc></svg>",
            "<noscript><img src=picture:abc></noscript>",
        ] {
            let html = render_with(text, |_| None).unwrap().html;
            assert!(!tags.is_match(&html), "{words}: {text} gave {html}");
        }
    }

    #[test]
    fn deep_or_long_text_is_refused_or_rendered_quickly() {
        let pieces = [
            ("> ", true),
            ("<b>", true),
            ("<div>", true),
            ("<a href=x>", true),
            ("<table>", true),
            ("<x-y>", true),
            ("<p>", false),
            ("<li>a", false),
            ("* ", false),
            ("[", false),
            ("![", false),
            ("**a ", false),
            ("`", false),
            ("|-", false),
            ("<", false),
        ];
        for (piece, refused) in pieces {
            let text = piece.repeat(TEXT_BYTES_MAX / 4 / piece.len());
            assert_eq!(render(&text).is_err(), refused, "{piece}");
        }
        assert!(render(&"> ".repeat(50)).is_ok());
        assert!(render(&"a".repeat(TEXT_BYTES_MAX + 1)).is_err());
        assert!(render(&"<b>a</b> ".repeat(5000)).is_ok());
    }

    #[test]
    fn connections_are_links_or_code() {
        assert_eq!(connection(" nc a.example 1 "), "<p><code>nc a.example 1</code></p>");
        let link = connection("http://a.example:80/?a=1&b=2");
        assert!(link.starts_with("<p><a href=\"http://a.example:80/?a=1&amp;b=2\""), "{link}");
        assert_eq!(connection("javascript:x"), "<p><code>javascript:x</code></p>");
        assert_eq!(connection("<b>"), "<p><code>&lt;b&gt;</code></p>");
        assert_eq!(connection("a\nb"), "<pre><code>a\nb</code></pre>");
    }

    #[test]
    fn origins_have_no_path_or_user() {
        assert_eq!(origin("https://a.example/"), Some("https://a.example".into()));
        assert_eq!(origin("http://127.0.0.1:3000"), Some("http://127.0.0.1:3000".into()));
        for text in ["*", "a.example", "https://a.example/x", "https://u@a.example", "ftp://a", ""]
        {
            assert_eq!(origin(text), None, "{text}");
        }
    }
}
