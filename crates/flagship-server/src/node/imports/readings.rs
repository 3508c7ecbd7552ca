//! Previews of the names in a file of unknown encoding, decoded with candidate encodings.

use super::text::{self, Encoding, Reading};

/// Maximum number of named columns. Flagship's own lists have far fewer.
pub(super) const COLUMNS_MAX: usize = 64;
/// Candidate encodings for previews, most common first.
const CANDIDATES: &str = "windows-1252 windows-1250 windows-1251 macintosh gbk shift_jis euc-kr \
                          big5 koi8-r windows-1254 windows-1253 windows-1257 windows-1255 \
                          windows-1256 windows-874 x-mac-cyrillic";
/// Maximum number of previews, and maximum number of names in each.
const READINGS_MAX: usize = 10;
const NAMES_MAX: usize = 3;
/// Maximum length of a displayed text, in characters.
const SHOWN_CHARS_MAX: usize = 40;

/// Decodes names with candidate encodings. Previews without odd characters come first, and
/// duplicates are removed.
pub fn readings(bytes: &[u8], columns: &[&str]) -> Vec<Reading> {
    let mut found: Vec<(usize, Reading)> = Vec::new();
    for label in CANDIDATES.split(' ') {
        let Some(Encoding(encoding)) = Encoding::of_label(label) else { continue };
        let Ok(text) = text::decode_in(encoding, bytes) else { continue };
        let names = shown(&text, columns, NAMES_MAX);
        let is_new = found.iter().all(|(_, other)| other.names != names);
        if !names.is_empty() && is_new {
            let odd = names.iter().map(|name| oddness(name)).sum();
            found.push((odd, Reading { label: label.to_owned(), names }));
        }
    }
    found.sort_by_key(|(odd, _)| *odd);
    found.into_iter().map(|(_, reading)| reading).take(READINGS_MAX).collect()
}

/// Number of characters that are unusual in a name: non-ASCII symbols, and capitals after
/// lower-case letters.
fn oddness(name: &str) -> usize {
    let chars: Vec<char> = name.chars().collect();
    let signs = chars.iter().filter(|c| !c.is_ascii() && !c.is_alphabetic()).count();
    let mixed = chars.windows(2).filter(|it| it[0].is_lowercase() && it[1].is_uppercase()).count();
    signs + mixed
}

/// The first non-ASCII texts of a file, without passwords, to show the effect of an encoding.
fn shown(text: &str, columns: &[&str], count_max: usize) -> Vec<String> {
    let (separator, start) = text::layout(text, columns);
    let records = text::csv_reader(separator, &text.as_bytes()[start..]).into_records();
    let mut titles: Option<Vec<String>> = None;
    let mut shown = Vec::new();
    for record in records.map_while(Result::ok) {
        let is_shown = |at: usize| match &titles {
            Some(titles) => titles.get(at).is_some_and(|title| title != "password"),
            None => true,
        };
        let cells = record.iter().enumerate();
        let cells = cells.filter(|(at, cell)| !cell.is_ascii() && is_shown(*at));
        let visible = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let short = |cell: &str| cell.trim().chars().take(SHOWN_CHARS_MAX).map(visible).collect();
        shown.extend(cells.take(count_max).map(|(_, cell)| -> String { short(cell) }));
        let columns = record.iter().take(COLUMNS_MAX);
        titles.get_or_insert_with(|| columns.map(text::title).collect());
        if shown.len() >= count_max {
            break;
        }
    }
    shown.truncate(count_max);
    shown
}
