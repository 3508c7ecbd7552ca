//! Uploaded branding files. Settings that organizers change on the site contain file metadata
//! instead of a path in the event folder. The bytes are stored separately.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{ALL_BYTES_MAX, FACES, LARGE_BYTES_MAX, SMALL_BYTES_MAX, check_logos, kind};
use crate::files;
use crate::problem::Report;
use crate::settings::{HeadingFont, Site, SiteFile, SiteFileKind};

const LOGO: &str = "logo";
const FONT: &str = "heading_font";
const SPONSORS: &str = "sponsors";
/// Keys of images.
const PICTURES: [&str; 5] = [LOGO, "logo_dark", "favicon", "hero", "preview"];

/// Maximum size of any branding file, in bytes.
pub const FILE_BYTES_MAX: u64 = LARGE_BYTES_MAX;
/// Maximum total size of the branding files, in bytes.
pub const FILES_BYTES_MAX: u64 = ALL_BYTES_MAX;

/// Returns the settings value of an uploaded file for a key of `[site]`, or for the `logo` of a
/// sponsor.
///
/// # Errors
/// The reason why the key does not accept this file.
pub fn uploaded_file(key: &str, digest: &str, bytes: &[u8]) -> Result<Value, String> {
    let bytes_max =
        if matches!(key, "hero" | "preview") { LARGE_BYTES_MAX } else { SMALL_BYTES_MAX };
    if bytes.len() as u64 > bytes_max {
        return Err(format!("`{key}` is larger than {}", files::size(bytes_max)));
    }
    let what = "the file is not a PNG, JPEG, WebP, GIF, SVG or WOFF2";
    let (kind, size) = kind(bytes).ok_or_else(|| format!("`{key}`: {what}"))?;
    let file = SiteFile { digest: digest.to_owned(), kind, size };
    check(key, &file)?;
    let file = json!(file);
    Ok(if key == FONT { json!({"file": file}) } else { file })
}

/// Checks that a key accepts files of this type.
fn check(key: &str, file: &SiteFile) -> Result<(), String> {
    match (key, file.kind) {
        (FONT, SiteFileKind::Woff2) => Ok(()),
        (FONT, _) => Err(format!("`{FONT}` must be a WOFF2 font")),
        (_, SiteFileKind::Woff2) => Err(format!("`{key}` must be an image, not a font")),
        ("preview", SiteFileKind::Svg) => {
            Err("`preview` must be a PNG, JPEG, WebP or GIF".to_owned())
        }
        _ => Ok(()),
    }
}

/// The uploaded files of a table.
#[derive(Default)]
pub(crate) struct UploadedFiles {
    pictures: BTreeMap<String, SiteFile>,
    font: Option<HeadingFont>,
    /// Logos of the sponsors, in order.
    logos: Vec<Option<SiteFile>>,
}

/// Extracts the uploaded files from the keys of `[site]`. Paths are rejected, because settings from
/// the site must never read local files.
pub(crate) fn take(site: &mut Map<String, Value>, report: &mut Report) -> UploadedFiles {
    let mut kept = UploadedFiles::default();
    for key in PICTURES {
        let file = site.remove(key).and_then(|value| uploaded(key, key, value, report));
        kept.pictures.extend(file.map(|file| (key.to_owned(), file)));
    }
    let is_face = |text: &str| FACES.iter().any(|(name, _)| *name == text);
    match site.get_mut(FONT).map(Value::take) {
        None => {}
        Some(Value::String(text)) if is_face(&text) => {
            drop(site.insert(FONT.to_owned(), text.into()))
        }
        Some(Value::String(text)) if text == "mono" => {
            site.remove(FONT);
            kept.font = Some(HeadingFont::Mono);
        }
        Some(mut other) => {
            site.remove(FONT);
            let file = other.get_mut("file").map_or(Value::Null, Value::take);
            kept.font = uploaded(FONT, FONT, file, report).map(HeadingFont::File);
        }
    }
    if let Some(Value::Array(sponsors)) = site.get_mut(SPONSORS) {
        for sponsor in sponsors.iter_mut().filter_map(Value::as_object_mut) {
            let logo = sponsor.remove(LOGO).filter(|logo| !logo.is_null());
            kept.logos.push(logo.and_then(|logo| uploaded(LOGO, SPONSORS, logo, report)));
        }
    }
    kept
}

/// Reads the uploaded file of a key; messages call the key `place`.
fn uploaded(key: &str, place: &str, value: Value, report: &mut Report) -> Option<SiteFile> {
    let Ok(file) = serde_json::from_value::<SiteFile>(value) else {
        report.error(1, format!("`{place}` can only be set in event.toml, unless it is an upload"));
        return None;
    };
    check(key, &file).map_err(|why| report.error(1, why)).ok()?;
    Some(file)
}

impl UploadedFiles {
    /// Names of the keys that were extracted entirely.
    pub(crate) fn keys(&self) -> impl Iterator<Item = String> {
        let font = self.font.iter().map(|_| FONT.to_owned());
        self.pictures.keys().cloned().chain(font)
    }

    /// Inserts the files into the site settings.
    pub(crate) fn put_into(mut self, site: &mut Site, report: &mut Report) {
        for (key, place) in [
            (LOGO, &mut site.logo),
            ("logo_dark", &mut site.logo_dark),
            ("favicon", &mut site.favicon),
            ("hero", &mut site.hero),
            ("preview", &mut site.preview),
        ] {
            *place = self.pictures.remove(key);
        }
        if let Some(font) = self.font {
            site.heading_font = Some(font);
        }
        for (sponsor, logo) in site.sponsors.iter_mut().zip(self.logos) {
            sponsor.logo = logo;
        }
        check_logos(site, 1, report);
    }
}

/// Replaces the uploaded files of `[site]` with paths in an event folder. Returns each path with
/// the digest of its file.
pub fn file_paths(site: &mut Map<String, Value>) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    let mut put = |name: &str, value: &mut Value| {
        let Ok(file) = serde_json::from_value::<SiteFile>(value.clone()) else { return };
        let path = format!("brand/{name}.{}", ending(file.kind));
        paths.push((path.clone(), file.digest));
        *value = Value::from(path);
    };
    for key in PICTURES {
        if let Some(value) = site.get_mut(key) {
            put(&key.replace('_', "-"), value);
        }
    }
    if let Some(font) = site.get_mut(FONT) {
        if *font == "mono" {
            *font = Value::from("JetBrains Mono");
        } else if let Some(mut file) = font.get_mut("file").map(Value::take) {
            put("heading", &mut file);
            *font = file;
        }
    }
    let sponsors = site.get_mut(SPONSORS).and_then(Value::as_array_mut);
    for (number, sponsor) in (1..).zip(sponsors.into_iter().flatten()) {
        if let Some(logo) = sponsor.get_mut(LOGO) {
            put(&format!("sponsor-{number}"), logo);
        }
    }
    paths
}

/// File extension of a file type.
fn ending(kind: SiteFileKind) -> &'static str {
    match kind {
        SiteFileKind::Svg => "svg",
        SiteFileKind::Picture(_) | SiteFileKind::Woff2 => {
            kind.media_type().rsplit('/').next().unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event_toml::Given;
    use crate::parse_settings;

    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";

    #[test]
    fn uploaded_files_are_read_and_become_paths() {
        let digest = "ab".repeat(32);
        let file = |key: &str, bytes: &[u8]| uploaded_file(key, &digest, bytes);
        let logo = file("logo", PNG).expect("a picture");
        let font = file(FONT, b"wOF2").expect("a font");
        let sponsors = json!([{"name": "Harbour", "link": null, "logo": logo},
            {"name": "Crane", "logo": null}]);
        let site =
            json!({"logo": logo, "heading_font": font, "sponsors": sponsors, "banner": "Hi"});
        let given: Given = serde_json::from_value(json!({"site": site})).expect("tables");
        let read = parse_settings(&given).expect("it is well");
        assert_eq!(read.site.files().count(), 3);
        assert_eq!(read.site.logo.as_ref().map(|it| it.size), Some(Some((3, 2))));
        let named: Vec<&str> = read.named["site"].iter().map(String::as_str).collect();
        assert_eq!(named, ["banner", "heading_font", "logo", "sponsors"]);
        // Stored settings parse to the same value, so a start without event files keeps them.
        let again = json!({"site": {"logo": read.site.logo, "sponsors": read.site.sponsors,
            "heading_font": read.site.heading_font, "banner": "Hi"}});
        let again: Given = serde_json::from_value(again).expect("tables");
        assert_eq!(parse_settings(&again).expect("it is well"), read);
        let mut table = given["site"].clone();
        let paths = ["brand/logo.png", "brand/heading.woff2", "brand/sponsor-1.png"];
        let files = file_paths(&mut table).into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        assert_eq!(files, paths);
        assert_eq!(table["heading_font"], paths[1]);
        for (key, bytes) in [(FONT, PNG), ("logo", b"wOF2"), ("preview", b"<svg>"), ("hero", b"x")]
        {
            assert!(file(key, bytes).is_err(), "{key}");
        }
        let large = [PNG, &[0; 600 * 1024]].concat();
        assert!(file("favicon", &large).is_err() && file("hero", &large).is_ok());
        let alone: Given =
            serde_json::from_value(json!({"site": {"logo_dark": logo}})).expect("tables");
        assert!(parse_settings(&alone).is_err(), "it needs a logo");
    }
}
