//! Reads `[site]`, the branding of the event. Colors are checked for contrast with the site's
//! backgrounds, and file types are detected from the content.

pub(crate) mod uploads;

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::files::{self, PackFile, picture};
use crate::html;
use crate::problem::{Report, quote};
use crate::settings::{HeadingFont, Site, SiteFile, SiteFileKind, SiteLink, Sponsor};
use crate::table::Table;

pub(crate) const KEYS: &[&str] = &[
    "banner",
    "accent",
    "accent_dark",
    "logo",
    "logo_dark",
    "favicon",
    "hero",
    "preview",
    "heading_font",
    "links",
    "sponsors",
    "microblog",
    "chat",
    "allowed_origins",
];
/// Keys that cannot be set on the site: `allowed_origins` needs a restart, and `pages` is a folder.
pub(crate) const FILES_ONLY: &[&str] = &["pages", "allowed_origins"];
const LINK: &[&str] = &["name", "link"];
const SPONSOR: &[&str] = &["name", "link", "tier", "logo"];

/// Maximum number of links.
const LINKS_MAX: usize = 12;
/// Maximum number of sponsors.
pub const SPONSORS_MAX: usize = 60;

/// Maximum size of a logo, an icon or a font, in bytes.
const SMALL_BYTES_MAX: u64 = 512 * 1024;
/// Maximum size of other images, in bytes.
const LARGE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Maximum total size of the branding files, in bytes.
const ALL_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Number of bytes at the start of a file that are searched for an `svg` element.
const SVG_START_BYTES: usize = 4096;

/// Minimum contrast of graphics and large text (WCAG 2, 1.4.11).
const ACCENT_CONTRAST_MIN: f64 = 3.0;

/// Accent that is exempt from the contrast check: it was the example in the docs, and it is the
/// default of the dark theme.
const FORMER_EXAMPLE: &str = "#ffb224";

/// A background of the site (`web/src/ui/tokens.css`), and the direction of more contrast.
struct Background {
    name: &'static str,
    color: &'static str,
    better: &'static str,
}
const DARK: Background = Background { name: "dark", color: "#080c12", better: "lighter" };
const LIGHT: Background = Background { name: "light", color: "#f4f6f8", better: "darker" };

/// Names of the built-in fonts. The first is the text font.
const FACES: [(&str, Option<HeadingFont>); 2] =
    [("Inter", None), ("JetBrains Mono", Some(HeadingFont::Mono))];

/// Reads the table, and the files in the event folder that it refers to.
pub(crate) fn read(
    table: &Table<'_, '_>,
    folder: &Path,
    report: &mut Report,
) -> (Site, Vec<PackFile>) {
    let link = "must be an http or https URL";
    let origins = "must contain origins like \"https://ctf.example\", without a path";
    let mut shelf = SiteFiles { folder, files: Vec::new() };
    let (accent, accent_dark) = accents(table, report);
    let site = Site {
        banner: table.text("banner", report),
        accent,
        accent_dark,
        logo: shelf.picture(table, "logo", SMALL_BYTES_MAX, report),
        logo_dark: shelf.picture(table, "logo_dark", SMALL_BYTES_MAX, report),
        favicon: shelf.picture(table, "favicon", SMALL_BYTES_MAX, report),
        hero: shelf.picture(table, "hero", LARGE_BYTES_MAX, report),
        preview: preview(table, &mut shelf, report),
        heading_font: heading_font(table, &mut shelf, report),
        links: links(table, report),
        sponsors: sponsors(table, &mut shelf, report),
        pages: Vec::new(),
        microblog: table.text_where("microblog", link, html::is_web_address, report),
        chat: table.text_where("chat", link, html::is_web_address, report),
        allowed_origins: table
            .list("allowed_origins", origins, html::origin, report)
            .unwrap_or_default(),
    };
    check_logos(&site, table.line("logo_dark"), report);
    let bytes: u64 = shelf.files.iter().map(|file| file.bytes).sum();
    if bytes > ALL_BYTES_MAX {
        let most = files::size(ALL_BYTES_MAX);
        report.error(table.line("logo"), format!("the branding files exceed {most} in total"));
    }
    (site, shelf.files)
}

fn check_logos(site: &Site, line: usize, report: &mut Report) {
    if site.logo_dark.is_some() && site.logo.is_none() {
        report.error(line, "`logo_dark` requires a `logo` for the light theme");
    }
}

/// The branding files found so far.
struct SiteFiles<'a> {
    folder: &'a Path,
    files: Vec<PackFile>,
}

impl SiteFiles<'_> {
    fn picture(
        &mut self,
        table: &Table<'_, '_>,
        key: &str,
        bytes_max: u64,
        report: &mut Report,
    ) -> Option<SiteFile> {
        let file = self.file(table, key, bytes_max, report)?;
        let is_picture = file.kind != SiteFileKind::Woff2;
        if !is_picture {
            report.error(table.line(key), format!("`{key}` must be an image, not a font"));
        }
        Some(file).filter(|_| is_picture)
    }

    /// Reads the file under a key.
    fn file(
        &mut self,
        table: &Table<'_, '_>,
        key: &str,
        bytes_max: u64,
        report: &mut Report,
    ) -> Option<SiteFile> {
        let name = table.text(key, report)?;
        let read = files::read_site_file(self.folder, &name, bytes_max);
        let known = read.and_then(|(file, bytes)| match kind(&bytes) {
            Some((kind, size)) => Ok((SiteFile { digest: file.digest.clone(), kind, size }, file)),
            None => Err(format!(
                "the file {} is not a PNG, JPEG, WebP, GIF, SVG or WOFF2",
                quote(&name)
            )),
        });
        match known {
            Ok((shown, file)) => {
                self.files.push(file);
                Some(shown)
            }
            Err(why) => {
                report.error(table.line(key), format!("`{key}`: {why}"));
                None
            }
        }
    }
}

/// Detects the type of a file, and the size of an image.
fn kind(bytes: &[u8]) -> Option<(SiteFileKind, Option<(usize, usize)>)> {
    if let Some(picture) = picture::of(bytes) {
        let size = (picture.width, picture.height);
        return Some((SiteFileKind::Picture(picture.kind), Some(size)));
    }
    if bytes.starts_with(b"wOF2") {
        return Some((SiteFileKind::Woff2, None));
    }
    let start = &bytes[..bytes.len().min(SVG_START_BYTES)];
    let start = String::from_utf8_lossy(start);
    let tag = SVG.captures(&start)?;
    Some((SiteFileKind::Svg, svg_size(&tag[1])))
}

/// Attributes of the first element, if it is `svg`.
static SVG: LazyLock<Regex> = LazyLock::new(|| {
    let before = r"(?s)^\u{feff}?\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*";
    Regex::new(&format!("{before}<svg\\b([^>]*)>")).expect("a constant pattern")
});

static SVG_ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\b(viewBox|width|height)\s*=\s*["']([^"']*)["']"#).expect("a constant pattern")
});

/// Size of an SVG, from its width and height or its view box.
fn svg_size(attributes: &str) -> Option<(usize, usize)> {
    let value = |name: &str| {
        let mut all = SVG_ATTRIBUTE.captures_iter(attributes);
        all.find(|it| &it[1] == name).map(|it| it[2].to_owned())
    };
    let side = |text: &str| {
        let side: f64 = text.trim().trim_end_matches("px").parse().ok()?;
        // Rounding is fine: only the ratio matters.
        (1.0..20_000.0).contains(&side).then_some(side.round() as usize)
    };
    let own = value("width").zip(value("height"));
    if let Some(size) = own.and_then(|(width, height)| side(&width).zip(side(&height))) {
        return Some(size);
    }
    let view_box = value("viewBox")?;
    let parts: Vec<&str> = view_box.split([' ', ',']).filter(|part| !part.is_empty()).collect();
    let [_, _, width, height] = parts[..] else { return None };
    side(width).zip(side(height))
}

/// Reads the preview image. SVG is rejected, because other sites do not display it.
fn preview(
    table: &Table<'_, '_>,
    shelf: &mut SiteFiles<'_>,
    report: &mut Report,
) -> Option<SiteFile> {
    let file = shelf.picture(table, "preview", LARGE_BYTES_MAX, report)?;
    if file.kind == SiteFileKind::Svg {
        report.error(table.line("preview"), "`preview` must be a PNG, JPEG, WebP or GIF");
        return None;
    }
    Some(file)
}

fn heading_font(
    table: &Table<'_, '_>,
    shelf: &mut SiteFiles<'_>,
    report: &mut Report,
) -> Option<HeadingFont> {
    let name = table.text("heading_font", report)?;
    if let Some((_, face)) = FACES.into_iter().find(|(face, _)| *face == name) {
        return face;
    }
    if !name.ends_with(".woff2") {
        let message = format!(
            "`heading_font` must be \"Inter\", \"JetBrains Mono\" or the path of a .woff2 \
            file, not {}",
            quote(&name)
        );
        report.error(table.line("heading_font"), message);
        return None;
    }
    let file = shelf.file(table, "heading_font", SMALL_BYTES_MAX, report)?;
    if file.kind != SiteFileKind::Woff2 {
        report.error(table.line("heading_font"), "`heading_font` must be a WOFF2 font");
        return None;
    }
    Some(HeadingFont::File(file))
}

fn links(table: &Table<'_, '_>, report: &mut Report) -> Vec<SiteLink> {
    let mut links = Vec::new();
    for table in table.tables("links", "site.links", LINKS_MAX, report) {
        table.refuse_unknown(LINK, &[], report);
        let errors_before = report.errors();
        let (name, link) = (table.text("name", report), link(&table, report));
        match name.zip(link) {
            Some((name, link)) => links.push(SiteLink { name, link }),
            None if report.errors() == errors_before => {
                report.error(table.line("name"), "a link requires a `name` and a `link`");
            }
            None => {}
        }
    }
    links
}

fn sponsors(table: &Table<'_, '_>, shelf: &mut SiteFiles<'_>, report: &mut Report) -> Vec<Sponsor> {
    let mut sponsors = Vec::new();
    for table in table.tables("sponsors", "site.sponsors", SPONSORS_MAX, report) {
        table.refuse_unknown(SPONSOR, &[], report);
        let (link, tier) = (link(&table, report), table.text("tier", report));
        let logo = shelf.picture(&table, "logo", SMALL_BYTES_MAX, report);
        let errors_before = report.errors();
        match table.text("name", report) {
            Some(name) => sponsors.push(Sponsor { name, link, tier, logo }),
            None if report.errors() == errors_before => {
                report.error(table.line("name"), "a sponsor requires a `name`");
            }
            None => {}
        }
    }
    sponsors
}

fn link(table: &Table<'_, '_>, report: &mut Report) -> Option<String> {
    table.text_where("link", "must be an http or https URL", html::is_web_address, report)
}

/// Reads the accent colors of both themes. Links, points and markers use the accent, so it must
/// contrast with its background; a single accent must contrast with both.
fn accents(table: &Table<'_, '_>, report: &mut Report) -> (Option<String>, Option<String>) {
    if !table.has("accent_dark") {
        return (accent(table, "accent", &[DARK, LIGHT], report), None);
    }
    if !table.has("accent") {
        let message = "`accent_dark` requires an `accent` for the light theme";
        report.error(table.line("accent_dark"), message);
        return (None, None);
    }
    let light = accent(table, "accent", &[LIGHT], report);
    let dark = accent(table, "accent_dark", &[DARK], report);
    // A single accent would apply to both themes.
    light.zip(dark).map_or((None, None), |(light, dark)| (Some(light), Some(dark)))
}

fn accent(
    table: &Table<'_, '_>,
    key: &str,
    backgrounds: &[Background],
    report: &mut Report,
) -> Option<String> {
    let says = "must be a color like \"#07c\" or \"#0077cc\"";
    let text = table.text_where(key, says, |text| luminance(text).is_some(), report)?;
    if key == "accent" && text.eq_ignore_ascii_case(FORMER_EXAMPLE) {
        let message = format!("`accent` {} is the default and has no effect", quote(&text));
        report.warning(table.line(key), message);
        return None;
    }
    let accent = luminance(&text)?;
    for Background { name, color, better } in backgrounds {
        let contrast = contrast(accent, luminance(color)?);
        if contrast < ACCENT_CONTRAST_MIN {
            let message = format!(
                "`{key}` {} has a contrast of {contrast:.2}:1 with the {name} background \
                 `{color}`, but {ACCENT_CONTRAST_MIN}:1 is required; use a {better} color",
                quote(&text)
            );
            report.error(table.line(key), message);
            return None;
        }
    }
    Some(text)
}

/// Relative luminance of `#rgb` or `#rrggbb`, as in WCAG 2; `None` for any other text.
fn luminance(color: &str) -> Option<f64> {
    let digits = color.strip_prefix('#')?;
    let width = digits.len() / 3;
    if !matches!(digits.len(), 3 | 6) || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let linear = |channel: usize| {
        let digits = &digits[channel * width..(channel + 1) * width];
        let value = u32::from_str_radix(&digits.repeat(2 / width), 16).expect("two hex digits");
        let share = f64::from(value) / 255.0;
        if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2))
}

/// Contrast ratio of two luminances, as in WCAG 2: from 1 to 21.
fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_site_are_told_by_their_content() {
        let svg = |text: &str| kind(text.as_bytes());
        for (text, size) in [
            ("<svg xmlns='x' viewBox='0 0 120 40'/>", Some((120, 40))),
            (
                "\u{feff} <?xml version='1.0'?>\n<!-- a --><!DOCTYPE svg PUBLIC 'x'>\n\
                 <svg width=\"30px\" \
              height='10.4'>",
                Some((30, 10)),
            ),
            ("<svg width='100%' height='100%' viewBox='0,0,3,2'>", Some((3, 2))),
            ("<svg>", None),
        ] {
            assert_eq!(svg(text), Some((SiteFileKind::Svg, size)), "{text}");
        }
        for text in ["<!doctype html><svg></svg>", "<html><svg>", "svg", "<svgx>", ""] {
            assert_eq!(svg(text), None, "{text}");
        }
        assert_eq!(kind(b"wOF2\0\x01"), Some((SiteFileKind::Woff2, None)));
    }
}
