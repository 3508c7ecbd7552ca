//! Detects the type and size of an image from its content; the file name is ignored.

use flagship_game::PictureKind;
use imagesize::ImageType;
use serde::{Deserialize, Serialize};

/// Maximum width and height, in pixels.
const SIDE_MAX: usize = 20_000;

/// An image that browsers can display and that cannot run scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The image type.
    pub kind: PictureKind,
    /// In pixels.
    pub width: usize,
    /// In pixels.
    pub height: usize,
}

/// Maximum number of pixels of an image in a description. Browsers need four bytes per pixel, so 64
/// MB regardless of the file size.
pub const PIXELS_MAX: usize = 16_000_000;

impl Picture {
    /// True if the image has too many pixels for a description.
    pub fn is_too_large(&self) -> bool {
        self.width.saturating_mul(self.height) > PIXELS_MAX
    }
}

/// Detects the image that starts with these bytes.
pub fn of(start: &[u8]) -> Option<Picture> {
    let kind = match imagesize::image_type(start).ok()? {
        ImageType::Png => PictureKind::Png,
        ImageType::Jpeg => PictureKind::Jpeg,
        ImageType::Webp => PictureKind::Webp,
        ImageType::Gif => PictureKind::Gif,
        _ => return None,
    };
    let size = imagesize::blob_size(start).ok()?;
    let fits = |side: usize| (1..=SIDE_MAX).contains(&side);
    let is_sound = fits(size.width) && fits(size.height);
    is_sound.then_some(Picture { kind, width: size.width, height: size.height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_by_their_content() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x06\0\0\0";
        let gif = b"GIF89a\x03\0\x02\0\x80\0\0\0\0\0\xff\xff\xff;";
        let jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\
            \xff\xc0\0\x11\x08\0\x02\0\x03\x03\x01\x22\0\x02\x11\x01\x03\x11\x01";
        let webp = b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\x02\x40\0\0\0\0\0\0\0\0\0\0\0";
        for (start, kind) in [
            (&png[..], PictureKind::Png),
            (&gif[..], PictureKind::Gif),
            (&jpeg[..], PictureKind::Jpeg),
            (&webp[..], PictureKind::Webp),
        ] {
            assert_eq!(of(start), Some(Picture { kind, width: 3, height: 2 }));
        }
        for start in [
            &b"<svg xmlns='http://www.w3.org/2000/svg' width='3'/>"[..],
            b"<!doctype html><script>x()</script>",
            b"BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x03\0\x02\0\x01\0\x18\0",
            b"",
            &png[..20],
            b"GIF89a\0\0\x02\0",
        ] {
            assert_eq!(of(start), None, "no picture that is shown");
        }
    }
}
