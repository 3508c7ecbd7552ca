//! Pixels, and the PNG of them: one of the simplest forms that the format has (RFC 2083).

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// Red, green and blue.
pub type Colour = [u8; 3];

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// A picture.
#[derive(PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    pixels: Vec<Colour>,
}

impl Canvas {
    pub fn new(width: usize, height: usize, ground: Colour) -> Self {
        Self { width, pixels: vec![ground; width * height] }
    }

    /// Fills a rectangle that lies inside.
    pub fn fill(&mut self, x: usize, y: usize, width: usize, height: usize, colour: Colour) {
        for row in self.pixels.chunks_exact_mut(self.width).skip(y).take(height) {
            row[x..x + width].fill(colour);
        }
    }

    /// Lays `colour` over a pixel, which it covers to this share. Outside there is none.
    pub fn blend(&mut self, x: usize, y: usize, colour: Colour, share: f32) {
        if x >= self.width {
            return;
        }
        let Some(pixel) = self.pixels.get_mut(y * self.width + x) else { return };
        for (channel, over) in pixel.iter_mut().zip(colour) {
            let (below, over) = (f32::from(*channel), f32::from(over));
            *channel = (below + (over - below) * share.clamp(0.0, 1.0)).round() as u8;
        }
    }

    #[cfg(test)]
    pub fn pixel(&self, x: usize, y: usize) -> Colour {
        self.pixels[y * self.width + x]
    }

    /// The picture as a PNG.
    pub fn png(&self) -> Vec<u8> {
        let height = self.pixels.len() / self.width;
        let mut head = Vec::with_capacity(13);
        for length in [self.width, height] {
            let length = u32::try_from(length).expect("a picture is small");
            head.extend_from_slice(&length.to_be_bytes());
        }
        // Eight bits a channel, red, green and blue; the rest has one value alone.
        head.extend_from_slice(&[8, 2, 0, 0, 0]);
        let mut png = SIGNATURE.to_vec();
        chunk(&mut png, b"IHDR", &head);
        chunk(&mut png, b"IDAT", &self.packed());
        chunk(&mut png, b"IEND", &[]);
        png
    }

    /// The rows, each as its difference to the one above.
    fn packed(&self) -> Vec<u8> {
        const DIFFERENCE: u8 = 2;
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
        let mut above = vec![[0; 3]; self.width];
        let mut line = Vec::with_capacity(1 + 3 * self.width);
        for row in self.pixels.chunks_exact(self.width) {
            line.clear();
            line.push(DIFFERENCE);
            let channels = row.as_flattened().iter().zip(above.as_flattened());
            line.extend(channels.map(|(channel, above)| channel.wrapping_sub(*above)));
            packed.write_all(&line).expect("writing to memory does not fail");
            above.copy_from_slice(row);
        }
        packed.finish().expect("writing to memory does not fail")
    }
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).expect("a picture is small");
    let mut sum = Crc::new();
    sum.update(kind);
    sum.update(bytes);
    png.extend_from_slice(&length.to_be_bytes());
    png.extend_from_slice(kind);
    png.extend_from_slice(bytes);
    png.extend_from_slice(&sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_png_has_its_pixels() {
        let mut canvas = Canvas::new(3, 2, [9, 9, 9]);
        canvas.fill(1, 1, 2, 1, [255, 0, 7]);
        canvas.blend(0, 0, [19, 9, 9], 0.5);
        canvas.blend(3, 0, [0, 0, 0], 1.0);
        canvas.blend(0, 2, [0, 0, 0], 1.0);
        let png = canvas.png();
        let (head, rest) = png.split_at(8 + 25);
        assert_eq!(&head[12..29], b"IHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0");
        // The checksum that other encoders give to the head of a picture of 3 by 2.
        assert_eq!(head[29..], 0x1216_f14d_u32.to_be_bytes());
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        let mut rows = Vec::new();
        let mut packed = flate2::read::ZlibDecoder::new(&rest[8..8 + length]);
        packed.read_to_end(&mut rows).unwrap();
        let expected = [2, 14, 9, 9, 9, 9, 9, 9, 9, 9, 2, 251, 0, 0, 246, 247, 254, 246, 247, 254];
        assert_eq!(rows, expected);
        assert_eq!(rest[8 + length + 4..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
    }
}
