//! Reads `[site]`: the event's brand. Colours are compared with the site's grounds, and files are
//! told by their content.

pub(crate) mod kept;

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
/// What waits for a restart; `pages` is no key, but a folder.
pub(crate) const FILES_ONLY: &[&str] = &["pages", "allowed_origins"];
const LINK: &[&str] = &["name", "link"];
const SPONSOR: &[&str] = &["name", "link", "tier", "logo"];

/// The most links.
const LINKS_MAX: usize = 12;
/// The most sponsors.
pub const SPONSORS_MAX: usize = 60;

/// The most bytes of a logo, an icon or a font ...
const SMALL_BYTES_MAX: u64 = 512 * 1024;
/// ... of another picture ...
const LARGE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// ... and of all files of the site together.
const ALL_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Bytes of a file in which it says that it is an SVG.
const SVG_START_BYTES: usize = 4096;

/// Contrast that marks and large text need (WCAG 2, 1.4.11).
const ACCENT_CONTRAST_MIN: f64 = 3.0;

/// An accent that needs no contrast: the docs had it as their example, and the dark site has it
/// anyway.
const FORMER_EXAMPLE: &str = "#ffb224";

/// A ground of the site (`web/src/ui/tokens.css`), and what stands out from it.
struct Ground {
    name: &'static str,
    colour: &'static str,
    better: &'static str,
}
const DARK: Ground = Ground { name: "dark", colour: "#0a0f15", better: "lighter" };
const LIGHT: Ground = Ground { name: "light", colour: "#f4f6f8", better: "darker" };

/// Names of the site's own faces. The first is that of all texts.
const FACES: [(&str, Option<HeadingFont>); 2] =
    [("Inter", None), ("JetBrains Mono", Some(HeadingFont::Mono))];

/// Reads the table, and the files that it names in the event's folder.
pub(crate) fn read(
    table: &Table<'_, '_>,
    folder: &Path,
    report: &mut Report,
) -> (Site, Vec<PackFile>) {
    let link = "must be an http or https address";
    let origins = "holds origins like \"https://ctf.example\", without a path";
    let mut shelf = Shelf { folder, files: Vec::new() };
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
        report
            .error(table.line("logo"), format!("the site's files are together larger than {most}"));
    }
    (site, shelf.files)
}

fn check_logos(site: &Site, line: usize, report: &mut Report) {
    if site.logo_dark.is_some() && site.logo.is_none() {
        report.error(line, "`logo_dark` needs a `logo` for the light ground");
    }
}

/// The files that were found.
struct Shelf<'a> {
    folder: &'a Path,
    files: Vec<PackFile>,
}

impl Shelf<'_> {
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
            report.error(table.line(key), format!("`{key}` must be a picture, not a font"));
        }
        Some(file).filter(|_| is_picture)
    }

    /// The file that a key names.
    fn file(
        &mut self,
        table: &Table<'_, '_>,
        key: &str,
        bytes_max: u64,
        report: &mut Report,
    ) -> Option<SiteFile> {
        let name = table.text(key, report)?;
        let read = files::of_site(self.folder, &name, bytes_max);
        let known = read.and_then(|(file, bytes)| match kind(&bytes) {
            Some((kind, size)) => Ok((SiteFile { digest: file.digest.clone(), kind, size }, file)),
            None => Err(format!(
                "the file {} is by its content no PNG, JPEG, WebP, GIF, SVG or WOFF2",
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

/// What a file is, and the size of a picture.
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

/// The attributes of the first element, if that is `svg`.
static SVG: LazyLock<Regex> = LazyLock::new(|| {
    let before = r"(?s)^\u{feff}?\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*";
    Regex::new(&format!("{before}<svg\\b([^>]*)>")).expect("a constant pattern")
});

static SVG_ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\b(viewBox|width|height)\s*=\s*["']([^"']*)["']"#).expect("a constant pattern")
});

/// The size of an SVG, by its width and height or by its view box.
fn svg_size(attributes: &str) -> Option<(usize, usize)> {
    let value = |name: &str| {
        let mut all = SVG_ATTRIBUTE.captures_iter(attributes);
        all.find(|it| &it[1] == name).map(|it| it[2].to_owned())
    };
    let side = |text: &str| {
        let side: f64 = text.trim().trim_end_matches("px").parse().ok()?;
        // Rounding is meant: a page needs only the ratio.
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

/// What links are shown with: other sites show no SVG.
fn preview(table: &Table<'_, '_>, shelf: &mut Shelf<'_>, report: &mut Report) -> Option<SiteFile> {
    let file = shelf.picture(table, "preview", LARGE_BYTES_MAX, report)?;
    if file.kind == SiteFileKind::Svg {
        report.error(table.line("preview"), "`preview` must be a PNG, JPEG, WebP or GIF");
        return None;
    }
    Some(file)
}

fn heading_font(
    table: &Table<'_, '_>,
    shelf: &mut Shelf<'_>,
    report: &mut Report,
) -> Option<HeadingFont> {
    let name = table.text("heading_font", report)?;
    if let Some((_, face)) = FACES.into_iter().find(|(face, _)| *face == name) {
        return face;
    }
    if !name.ends_with(".woff2") {
        let message = format!(
            "`heading_font` is \"Inter\", \"JetBrains Mono\" or the path of a .woff2 file, not {}",
            quote(&name)
        );
        report.error(table.line("heading_font"), message);
        return None;
    }
    let file = shelf.file(table, "heading_font", SMALL_BYTES_MAX, report)?;
    if file.kind != SiteFileKind::Woff2 {
        report.error(table.line("heading_font"), "`heading_font` must be a font, as WOFF2");
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
                report.error(table.line("name"), "a link needs its `name` and its `link`");
            }
            None => {}
        }
    }
    links
}

fn sponsors(table: &Table<'_, '_>, shelf: &mut Shelf<'_>, report: &mut Report) -> Vec<Sponsor> {
    let mut sponsors = Vec::new();
    for table in table.tables("sponsors", "site.sponsors", SPONSORS_MAX, report) {
        table.refuse_unknown(SPONSOR, &[], report);
        let (link, tier) = (link(&table, report), table.text("tier", report));
        let logo = shelf.picture(&table, "logo", SMALL_BYTES_MAX, report);
        let errors_before = report.errors();
        match table.text("name", report) {
            Some(name) => sponsors.push(Sponsor { name, link, tier, logo }),
            None if report.errors() == errors_before => {
                report.error(table.line("name"), "a sponsor needs its `name`");
            }
            None => {}
        }
    }
    sponsors
}

fn link(table: &Table<'_, '_>, report: &mut Report) -> Option<String> {
    table.text_where("link", "must be an http or https address", html::is_web_address, report)
}

/// The accents on both grounds. One that stands out from its ground is used for links, points and
/// marks; one alone must stand out from both.
fn accents(table: &Table<'_, '_>, report: &mut Report) -> (Option<String>, Option<String>) {
    if !table.has("accent_dark") {
        return (accent(table, "accent", &[DARK, LIGHT], report), None);
    }
    if !table.has("accent") {
        let message = "`accent_dark` needs an `accent` for the light ground";
        report.error(table.line("accent_dark"), message);
        return (None, None);
    }
    let light = accent(table, "accent", &[LIGHT], report);
    let dark = accent(table, "accent_dark", &[DARK], report);
    // Either alone would be on both grounds.
    light.zip(dark).map_or((None, None), |(light, dark)| (Some(light), Some(dark)))
}

fn accent(
    table: &Table<'_, '_>,
    key: &str,
    grounds: &[Ground],
    report: &mut Report,
) -> Option<String> {
    let says = "must be a colour like \"#07c\" or \"#0077cc\"";
    let text = table.text_where(key, says, |text| luminance(text).is_some(), report)?;
    if key == "accent" && text.eq_ignore_ascii_case(FORMER_EXAMPLE) {
        let message = format!("`accent` {} is not used: the site has it by default", quote(&text));
        report.warning(table.line(key), message);
        return None;
    }
    let accent = luminance(&text)?;
    for Ground { name, colour, better } in grounds {
        let contrast = contrast(accent, luminance(colour)?);
        if contrast < ACCENT_CONTRAST_MIN {
            let message = format!(
                "`{key}` {} has a contrast of {contrast:.2}:1 with the site's {name} ground \
                 `{colour}` and needs {ACCENT_CONTRAST_MIN}:1; take a {better} colour",
                quote(&text)
            );
            report.error(table.line(key), message);
            return None;
        }
    }
    Some(text)
}

/// The relative luminance of `#rgb` or `#rrggbb`, as in WCAG 2; `None` for any other text.
fn luminance(colour: &str) -> Option<f64> {
    let digits = colour.strip_prefix('#')?;
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

/// The contrast ratio of two luminances, as in WCAG 2: from 1 to 21.
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
