//! Lines of text in the face of the site, of which the program has the letters of Latin scripts.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::canvas::{Canvas, Colour};

/// Inter, bold: `npm run faces` in `web/` makes them.
static FACES: LazyLock<[FontRef<'static>; 2]> = LazyLock::new(|| {
    let files: [&[u8]; 2] = [
        include_bytes!("../../../../../web/faces/preview-latin.ttf"),
        include_bytes!("../../../../../web/faces/preview-latin-ext.ttf"),
    ];
    files.map(|file| FontRef::try_from_slice(file).expect("the script makes fonts"))
});

/// The glyph of a character and its face; `None` if no face has it.
fn glyph(c: char) -> Option<(&'static FontRef<'static>, GlyphId)> {
    FACES.iter().map(|face| (face, face.glyph_id(c))).find(|(_, id)| id.0 != 0)
}

/// The text as it can be shown: without the symbols that the face lacks. `None` if it lacks a
/// letter, or nothing is left.
pub fn shown(text: &str) -> Option<String> {
    let is_selector = |c: char| ('\u{fe00}'..='\u{fe0f}').contains(&c);
    let is_letter = |c: char| c.is_alphanumeric() || (is_combining_mark(c) && !is_selector(c));
    let mut kept = String::new();
    for c in text.nfc() {
        if c.is_whitespace() {
            kept.push(' ');
        } else if glyph(c).is_some() {
            kept.push(c);
        } else if is_letter(c) {
            return None;
        }
    }
    let words: Vec<&str> = kept.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The largest of `sizes` at which a text that can be shown fits, and its lines. A word is broken
/// only if it fits at none; what fits in no way ends with an ellipsis.
pub fn fit(text: &str, width: f32, height: f32, sizes: &[f32]) -> (f32, Vec<String>) {
    for breaks in [false, true] {
        for size in sizes {
            let lines = lines(text, *size, width, breaks);
            if let Some(lines) = lines.filter(|lines| lines.len() as f32 * size <= height) {
                return (*size, lines);
            }
        }
    }
    let size = sizes.last().copied().unwrap_or(height);
    let mut lines = lines(text, size, width, true).unwrap_or_default();
    lines.truncate((height / size) as usize);
    if let Some(last) = lines.last_mut() {
        last.push('…');
        while measure(last, size) > width && last.pop().is_some() {
            last.pop();
            last.push('…');
        }
    }
    (size, lines)
}

/// The lines of a text. `None` if a word is wider than a line and must not be broken.
fn lines(text: &str, size: f32, width: f32, breaks: bool) -> Option<Vec<String>> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if measure(&longer, size) <= width {
            *line = longer;
        } else if measure(word, size) <= width {
            lines.push(word.to_owned());
        } else if breaks {
            let mut line = if line.is_empty() { lines.pop()? } else { String::new() };
            for c in word.chars() {
                line.push(c);
                if measure(&line, size) > width {
                    line.pop();
                    lines.push(std::mem::replace(&mut line, c.to_string()));
                }
            }
            lines.push(line);
        } else {
            return None;
        }
    }
    Some(lines)
}

/// The width of a line.
fn measure(line: &str, size: f32) -> f32 {
    let advance = |(face, id): (&'static FontRef<'static>, GlyphId)| {
        face.as_scaled(PxScale::from(size)).h_advance(id)
    };
    line.chars().filter_map(glyph).map(advance).sum()
}

/// Draws a line whose box begins at `x` and `top`.
pub fn draw(canvas: &mut Canvas, line: &str, x: usize, top: usize, size: f32, colour: Colour) {
    let mut x = x as f32;
    for (face, id) in line.chars().filter_map(glyph) {
        let scaled = face.as_scaled(PxScale::from(size));
        let place = point(x, top as f32 + scaled.ascent());
        x += scaled.h_advance(id);
        let glyph = id.with_scale_and_position(size, place);
        let Some(outline) = face.outline_glyph(glyph) else { continue };
        let begin = outline.px_bounds().min;
        outline.draw(|right, down, share| {
            let (x, y) = (begin.x + right as f32, begin.y + down as f32);
            if x >= 0.0 && y >= 0.0 {
                canvas.blend(x as usize, y as usize, colour, share);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [f32; 2] = [100.0, 50.0];

    #[test]
    fn a_text_shrinks_then_wraps_and_is_cut_at_last() {
        let fitted = |text: &str| fit(text, 1000.0, 300.0, &SIZES);
        assert_eq!(fitted("Harbour CTF"), (100.0, vec!["Harbour CTF".to_owned()]));
        let (size, lines) = fitted("One name of a good many words of which none is long");
        assert!(size == 100.0 && (2..=3).contains(&lines.len()), "{size} {lines:?}");
        let (size, lines) = fitted(&"a word ".repeat(28));
        assert!(size == 50.0 && lines.len() > 3 && !lines[0].ends_with(' '), "{size} {lines:?}");
        let (_, lines) = fitted(&"W".repeat(80));
        assert_eq!(lines.concat(), "W".repeat(80), "a long word is broken");
        let (size, lines) = fitted(&"W".repeat(500));
        assert!(lines.len() == 6 && lines[5].ends_with("W…"), "{lines:?}");
        assert!(lines.iter().all(|line| measure(line, size) <= 1000.0), "{lines:?}");
        assert_eq!(fitted("").1, [""]);
    }
}
