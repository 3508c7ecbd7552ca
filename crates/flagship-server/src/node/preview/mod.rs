//! The picture with which others show a link to the site, drawn of the event's name, dates and
//! accent for events that have none of their own.

mod canvas;
mod text;

use canvas::{Canvas, Colour};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Its width in pixels.
pub const WIDTH: usize = 1200;
/// Its height in pixels.
pub const HEIGHT: usize = 630;

/// Part of each picture's digest: to be raised when cards are drawn otherwise.
const DRAWING: &str = "preview 1";

/// The colours of the dark theme (`web/src/ui/tokens.css`), and the accent that it has by itself.
const GROUND: Colour = [0x0a, 0x0f, 0x15];
const TEXT: Colour = [0xe8, 0xee, 0xf4];
const MUTED: Colour = [0x9a, 0xa9, 0xb8];
const ACCENT: Colour = [0xff, 0xb2, 0x24];

/// The distance of texts from the edges.
const MARGIN: usize = 80;
/// Where the name begins, and the height that it has at most.
const NAME_TOP: usize = 150;
const NAME_HEIGHT: f32 = 310.0;
/// The heights of lines that are tried for the name, until it fits.
const NAME_SIZES: [f32; 9] = [136.0, 120.0, 106.0, 94.0, 84.0, 74.0, 66.0, 58.0, 50.0];
/// The line of the dates.
const DATES_TOP: usize = 484;
const DATES_SIZE: f32 = 54.0;

/// What a picture is drawn of.
#[derive(Clone, Debug)]
pub struct Card {
    /// The event's name.
    pub name: String,
    /// Its dates, in Latin letters; may be empty.
    pub dates: String,
    /// `#rgb` or `#rrggbb`.
    pub accent: Option<String>,
}

impl Card {
    /// The digest of what the picture shows, in hex.
    pub fn digest(&self) -> String {
        let Self { name, dates, accent } = self;
        let accent = accent.as_deref().unwrap_or_default();
        let shown = [DRAWING, name, dates, accent].join("\0");
        HEXLOWER.encode(&Sha256::digest(shown))
    }

    /// The picture as a PNG. A name with letters that the face lacks is left out: boxes in their
    /// place would say less.
    pub fn draw(&self) -> Vec<u8> {
        self.canvas().png()
    }

    fn canvas(&self) -> Canvas {
        let accent = self.accent.as_deref().and_then(colour).unwrap_or(ACCENT);
        let mut canvas = Canvas::new(WIDTH, HEIGHT, GROUND);
        canvas.fill(MARGIN, MARGIN, 140, 14, accent);
        canvas.fill(0, HEIGHT - 28, WIDTH, 28, accent);
        let dates = text::shown(&self.dates).unwrap_or_default();
        let Some(name) = text::shown(&self.name) else {
            write(&mut canvas, &dates, NAME_SIZES[0]);
            return canvas;
        };
        write(&mut canvas, &name, NAME_HEIGHT);
        text::draw(&mut canvas, &dates, MARGIN, DATES_TOP, DATES_SIZE, MUTED);
        canvas
    }
}

/// Writes the name, or what stands in its place, in as large letters as the height allows.
fn write(canvas: &mut Canvas, words: &str, height: f32) {
    let width = (WIDTH - 2 * MARGIN) as f32;
    let (size, lines) = text::fit(words, width, height, &NAME_SIZES);
    for (line, number) in lines.iter().zip(0_u8..) {
        let top = NAME_TOP + (f32::from(number) * size) as usize;
        text::draw(canvas, line, MARGIN, top, size, TEXT);
    }
}

fn colour(text: &str) -> Option<Colour> {
    let digits = text.strip_prefix('#')?;
    let doubled: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(doubled.as_bytes()).ok()?;
    bytes.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str) -> Card {
        Card { name: name.to_owned(), dates: "25 November 2023".to_owned(), accent: None }
    }

    #[test]
    fn no_name_leaves_its_place() {
        let word = "W".repeat(80);
        let words = "Wide Words ".repeat(30);
        for name in ["", "CTF", "The Harbour Capture the Flag 2023", &word, &words, "مسابقة", "🚩"]
        {
            let canvas = card(name).canvas();
            let is_ground = |x: usize, y: usize| canvas.pixel(x, y) == GROUND;
            let sides = (0..MARGIN - 8).chain(WIDTH - MARGIN + 8..WIDTH);
            let mut beside = sides.flat_map(|x| (0..HEIGHT - 28).map(move |y| (x, y)));
            assert!(beside.all(|(x, y)| is_ground(x, y)), "{name} is wider than its place");
            let between = NAME_TOP + NAME_HEIGHT as usize..DATES_TOP;
            let mut below = between.flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
            assert!(below.all(|(x, y)| is_ground(x, y)), "{name} is higher than its place");
        }
    }

    #[test]
    fn letters_that_the_face_lacks_leave_no_boxes() {
        let plain = card("Harbour CTF").canvas();
        for name in ["Harbour 🚩 CTF", "Harbour\u{a0}CTF \u{2693}\u{fe0f}", " Harbour  CTF "] {
            assert!(card(name).canvas() == plain, "{name}");
        }
        assert!(
            card("Zażółć S\u{301}CTF").canvas() != card("").canvas(),
            "Latin letters are shown"
        );
        for name in ["مسابقة", "海港 CTF", "🚩🏴", "Гавань"] {
            assert!(card(name).canvas() == card("").canvas(), "{name}");
        }
    }

    #[test]
    fn a_picture_has_an_address_of_its_own() {
        let one = card("a");
        let others = [
            card("b"),
            Card { dates: String::new(), ..one.clone() },
            Card { accent: Some("#07c".to_owned()), ..one.clone() },
            Card { name: "a25".to_owned(), ..one.clone() },
        ];
        for other in others {
            assert_ne!(one.digest(), other.digest(), "{other:?}");
            assert!(one.canvas() != other.canvas(), "{other:?}");
        }
        assert_eq!(colour("#07c"), Some([0, 0x77, 0xcc]));
        assert_eq!(colour("#0077CC"), Some([0, 0x77, 0xcc]));
        assert_eq!((colour("red"), colour("#1"), colour("#11223344")), (None, None, None));
    }
}
