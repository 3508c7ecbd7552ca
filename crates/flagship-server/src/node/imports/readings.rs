//! Names of a file in an unknown encoding, as candidate encodings read them.

use super::text::{self, Encoding, Reading};

/// The most columns with a name: the lists of this program have far fewer.
pub(super) const COLUMNS_MAX: usize = 64;
/// Encodings in which names are shown, the most common first.
const CANDIDATES: &str = "windows-1252 windows-1250 windows-1251 macintosh gbk shift_jis euc-kr \
                          big5 koi8-r windows-1254 windows-1253 windows-1257 windows-1255 \
                          windows-1256 windows-874 x-mac-cyrillic";
/// The most readings that are shown, and the most names in each.
const READINGS_MAX: usize = 10;
const NAMES_MAX: usize = 3;
/// Most characters of a text that is shown.
const SHOWN_CHARS_MAX: usize = 40;

/// Names as candidate encodings read them: those without odd characters first, and of equal
/// readings the first.
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

/// How many characters of a name are not what names are made of: signs beyond ASCII, and capitals
/// behind small letters.
fn oddness(name: &str) -> usize {
    let chars: Vec<char> = name.chars().collect();
    let signs = chars.iter().filter(|c| !c.is_ascii() && !c.is_alphabetic()).count();
    let mixed = chars.windows(2).filter(|it| it[0].is_lowercase() && it[1].is_uppercase()).count();
    signs + mixed
}

/// The first texts of a file that are not plain ASCII, without passwords: how an encoding reads it.
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
