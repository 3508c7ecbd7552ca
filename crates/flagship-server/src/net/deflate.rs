//! `permessage-deflate` (RFC 7692) without context takeover. Each message is compressed
//! independently, so a message for many sockets is compressed only once.
//!
//! tungstenite does not support extensions. `DeflateStream` clears the RSV1 bit of compressed
//! messages before tungstenite reads them, and remembers which messages had it.

use std::collections::VecDeque;
use std::io::{Read, Result as IoResult};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::{HeaderMap, HeaderValue, header};
use bytes::Bytes;
use flate2::bufread::DeflateDecoder;
use flate2::{Compress, Compression, FlushCompress};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::CapacityError;

use super::lists::items;

/// Parameters accepted by this server: neither side keeps a compression window between messages.
pub const AGREED: HeaderValue = HeaderValue::from_static(
    "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
);

/// Bytes at the end of a compressed message that are removed from it (section 7.2.1).
const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];
/// An empty final block (RFC 1951, section 3.2), which ends the stream for the decoder.
const LAST: [u8; 2] = [0x03, 0x00];
/// Valid sizes of a client's window, as powers of two (section 7.1.2.2).
const CLIENT_BITS: [&str; 8] = ["8", "9", "10", "11", "12", "13", "14", "15"];

/// Bits in the first and second byte of a frame (RFC 6455, section 5.2).
const RSV1: u8 = 0x40;
const OPCODE: u8 = 0x0f;
const TEXT: u8 = 0x1;
const BINARY: u8 = 0x2;
const MASKED: u8 = 0x80;
const MASK_BYTES: u64 = 4;

/// True if a client offers an extension that this server accepts. Browsers that use Apple's
/// WebSockets, including all browsers on iOS, offer the extension without implementing it
/// correctly, so their offers are ignored.
pub fn is_offered(headers: &HeaderMap) -> bool {
    let browser = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    if browser.is_some_and(|it| it.contains("AppleWebKit/") && !it.contains("Chrome/")) {
        return false;
    }
    items(headers, header::SEC_WEBSOCKET_EXTENSIONS).any(is_acceptable)
}

/// True if all parameters of an offer are known, valid and supported. `server_max_window_bits` is
/// not supported (section 7.1).
fn is_acceptable(offer: &str) -> bool {
    let mut words = offer.split(';').map(str::trim);
    let mut seen = Vec::new();
    let is_good = |word: &str| {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim().trim_matches('"'))),
            None => (word, None),
        };
        let is_known = match (name, value) {
            ("server_no_context_takeover" | "client_no_context_takeover", None) => true,
            ("client_max_window_bits", bits) => bits.is_none_or(|it| CLIENT_BITS.contains(&it)),
            _ => false,
        };
        let is_new = !seen.contains(&name.to_owned());
        seen.push(name.to_owned());
        is_known && is_new
    };
    words.next() == Some("permessage-deflate") && words.all(is_good)
}

/// Compresses a message.
pub fn pack(plain: &[u8]) -> Bytes {
    let mut packed = Vec::with_capacity(plain.len() / 2 + 64);
    let mut deflate = Compress::new(Compression::default(), false);
    // The output is complete once it leaves spare capacity.
    while packed.len() == packed.capacity() || !packed.ends_with(&TAIL) {
        packed.reserve(plain.len() / 8 + 64);
        let rest = &plain[deflate.total_in() as usize..];
        let pressed = deflate.compress_vec(rest, &mut packed, FlushCompress::Sync);
        pressed.expect("a new stream accepts input");
    }
    packed.truncate(packed.len() - TAIL.len());
    packed.into()
}

/// Decompresses a message. Fails if the message is corrupt or longer than `bytes_max`.
pub fn unpack(packed: &[u8], bytes_max: usize) -> Result<Vec<u8>, Error> {
    // The same error as for text that is not UTF-8: the payload does not have its declared type.
    let wrong = || Error::Utf8("a message is not compressed as it was agreed".to_owned());
    let mut plain = Vec::new();
    let mut rest = packed.chain(&TAIL[..]).chain(&LAST[..]);
    let unpacking = DeflateDecoder::new(&mut rest);
    let unpacked = unpacking.take(bytes_max as u64 + 1).read_to_end(&mut plain);
    unpacked.map_err(|_| wrong())?;
    if plain.len() > bytes_max {
        let (size, max_size) = (plain.len(), bytes_max);
        return Err(CapacityError::MessageTooLong { size, max_size }.into());
    }
    // After a final block from the client, only its padding byte and the bytes added here may
    // follow.
    let left = std::io::copy(&mut rest, &mut std::io::sink()).unwrap_or_default() as usize;
    if left > 1 + TAIL.len() + LAST.len() { Err(wrong()) } else { Ok(plain) }
}

/// Kind of a message before its RSV1 bit was cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Uncompressed.
    None,
    /// Compressed text.
    Text,
    /// Compressed binary data.
    Binary,
}

/// Position of the next byte within a client's frame.
#[derive(Clone, Copy, Debug)]
enum FramePosition {
    Kind,
    Length,
    /// `left` more bytes of the length follow.
    MoreLength {
        left: u8,
        length: u64,
        mask: u64,
    },
    /// This many bytes of mask and payload follow.
    Payload(u64),
}

/// A client's stream with the RSV1 bit cleared from compressed messages, which tungstenite then
/// reads as binary.
pub struct DeflateStream<IO> {
    io: IO,
    at: FramePosition,
    /// Marks of messages whose first byte was read; `None` if compression was not negotiated.
    marks: Option<VecDeque<Mark>>,
}

impl<IO> DeflateStream<IO> {
    /// Wraps `io`. `is_agreed` is true if compression was negotiated.
    pub fn new(io: IO, is_agreed: bool) -> Self {
        Self { io, at: FramePosition::Kind, marks: is_agreed.then(VecDeque::new) }
    }

    /// True if compression was negotiated.
    pub fn is_agreed(&self) -> bool {
        self.marks.is_some()
    }

    /// Returns the mark of the next message, which must have been read.
    pub fn mark(&mut self) -> Mark {
        self.marks.as_mut().and_then(VecDeque::pop_front).unwrap_or(Mark::None)
    }

    /// Passes bytes through unchanged from now on.
    pub fn pass(&mut self) {
        self.marks = None;
    }

    fn clear_marks(&mut self, mut bytes: &mut [u8]) {
        let Some(marks) = &mut self.marks else { return };
        while let Some((byte, rest)) = std::mem::take(&mut bytes).split_first_mut() {
            let mut rest = rest;
            self.at = match self.at {
                FramePosition::Kind => {
                    let is_marked = *byte & RSV1 != 0;
                    let mark = match *byte & OPCODE {
                        TEXT if is_marked => Some(Mark::Text),
                        BINARY if is_marked => Some(Mark::Binary),
                        TEXT | BINARY => Some(Mark::None),
                        // RSV1 is invalid on other frames: tungstenite closes the socket over it.
                        _ => None,
                    };
                    if matches!(mark, Some(Mark::Text | Mark::Binary)) {
                        *byte = *byte & !(RSV1 | OPCODE) | BINARY;
                    }
                    marks.extend(mark);
                    FramePosition::Length
                }
                FramePosition::Length => {
                    let mask = if *byte & MASKED != 0 { MASK_BYTES } else { 0 };
                    match *byte & !MASKED {
                        126 => FramePosition::MoreLength { left: 2, length: 0, mask },
                        127 => FramePosition::MoreLength { left: 8, length: 0, mask },
                        length => FramePosition::payload(u64::from(length) + mask),
                    }
                }
                FramePosition::MoreLength { left, length, mask } => {
                    let length = length << 8 | u64::from(*byte);
                    match left - 1 {
                        0 => FramePosition::payload(length.saturating_add(mask)),
                        left => FramePosition::MoreLength { left, length, mask },
                    }
                }
                FramePosition::Payload(left) => {
                    // This byte, plus as many of the following bytes as belong to the payload.
                    let more = usize::try_from(left - 1).unwrap_or(usize::MAX).min(rest.len());
                    rest = &mut rest[more..];
                    FramePosition::payload(left - 1 - more as u64)
                }
            };
            bytes = rest;
        }
    }
}

impl FramePosition {
    fn payload(left: u64) -> Self {
        if left == 0 { Self::Kind } else { Self::Payload(left) }
    }
}

impl<IO: AsyncRead + Unpin> AsyncRead for DeflateStream<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<IoResult<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.io).poll_read(context, buffer))?;
        self.clear_marks(&mut buffer.filled_mut()[before..]);
        Poll::Ready(Ok(()))
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for DeflateStream<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<IoResult<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[std::io::IoSlice<'_>],
    ) -> Poll<IoResult<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<IoResult<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<IoResult<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers(value: &str) -> bool {
        let value = HeaderValue::from_str(value).unwrap();
        is_offered(&HeaderMap::from_iter([(header::SEC_WEBSOCKET_EXTENSIONS, value)]))
    }

    #[test]
    fn only_supported_extension_parameters_are_accepted() {
        for good in [
            "permessage-deflate",
            "permessage-deflate; client_max_window_bits",
            "permessage-deflate;client_max_window_bits=\"10\" ; server_no_context_takeover",
            "x-webkit-deflate-frame, permessage-deflate; client_no_context_takeover",
            "permessage-deflate; server_max_window_bits=9, permessage-deflate",
        ] {
            assert!(offers(good), "{good}");
        }
        for bad in [
            "",
            "deflate-frame",
            "permessage-deflate; server_max_window_bits=15",
            "permessage-deflate; client_max_window_bits=16",
            "permessage-deflate; client_no_context_takeover=1",
            "permessage-deflate; client_max_window_bits; client_max_window_bits=9",
            "permessage-deflate; anything",
        ] {
            assert!(!offers(bad), "{bad}");
        }
        assert!(!is_offered(&HeaderMap::new()));
        let webkit = "Mozilla/5.0 (X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
        for (browser, agrees) in [
            (format!("{webkit} Version/17.5 Mobile/15E148 Safari/604.1"), false),
            (format!("{webkit} CriOS/126.0 Mobile/15E148 Safari/604.1"), false),
            (format!("{webkit} Chrome/126.0 Safari/537.36"), true),
            ("Mozilla/5.0 (X; rv:127.0) Gecko/20100101 Firefox/127.0".to_owned(), true),
        ] {
            let name = HeaderValue::from_str(&browser).unwrap();
            let offer = (header::SEC_WEBSOCKET_EXTENSIONS, AGREED);
            let headers = [offer, (header::USER_AGENT, name)];
            assert_eq!(is_offered(&HeaderMap::from_iter(headers)), agrees, "{browser}");
        }
    }

    #[test]
    fn compressed_messages_are_shorter_and_decompress() {
        for text in [String::new(), "a".to_owned(), r#"{"event":"solve","seq":8001}"#.repeat(999)] {
            let packed = pack(text.as_bytes());
            assert!(packed.len() < text.len() / 9 + 9 && !packed.ends_with(&TAIL));
            assert_eq!(unpack(&packed, text.len()).unwrap(), text.as_bytes());
        }
        let noise: Vec<u8> = (0_u32..99_999).map(|it| (it.wrapping_mul(it) >> 7) as u8).collect();
        assert_eq!(unpack(&pack(&noise), noise.len()).unwrap(), noise);
    }

    #[test]
    fn decompression_stops_at_the_maximum_length() {
        let packed = pack(&[0; 5000]);
        assert!(packed.len() < 100);
        assert_eq!(unpack(&packed, 5000).unwrap().len(), 5000);
        assert!(matches!(unpack(&packed, 4999), Err(Error::Capacity(_))));
        assert!(matches!(unpack(b"no deflate", 5000), Err(Error::Utf8(_))));
        // The last block may have the final bit (RFC 7692, section 7.2.3.4).
        let last = [0xf3, 0x48, 0xcd, 0xc9, 0xc9, 0x07, 0x00, 0x00];
        assert_eq!(unpack(&last, 5).unwrap(), b"Hello");
        assert!(unpack(&[&last[..7], &packed].concat(), 5000).is_err(), "no part may be missing");
    }

    /// A masked frame with a payload of zeros, which resembles frame headers.
    fn frame(first: u8, length: usize) -> Vec<u8> {
        let mut frame = vec![first];
        match length {
            0..=125 => frame.push(MASKED | length as u8),
            126..=0xffff => {
                frame.push(MASKED | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(MASKED | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([RSV1 | TEXT; 4]);
        frame.resize(frame.len() + length, RSV1 | TEXT);
        frame
    }

    #[test]
    fn compression_bits_are_cleared_in_chunks_of_any_size() {
        // Complete texts, binary messages, a fragmented message with a ping in it, and compression
        // bits on frames that must not have them.
        let sent = [0xc1, 0x81, 0xc2, 0x82, 0x41, 0x89, 0x00, 0x80, 0xc0, 0xc9];
        let cleared = [0x82, 0x81, 0x82, 0x82, 0x02, 0x89, 0x00, 0x80, 0xc0, 0xc9];
        let lengths = [0, 1, 125, 126, 70_000, 5, 0, 300, 9, 2];
        let stream = |firsts: [u8; 10]| -> Vec<u8> {
            firsts.into_iter().zip(lengths).flat_map(|(first, it)| frame(first, it)).collect()
        };
        for piece in [1, 2, 3, 7, 1024, 1_000_000] {
            let mut bytes = stream(sent);
            let mut unmarked = DeflateStream::new((), true);
            bytes.chunks_mut(piece).for_each(|chunk| unmarked.clear_marks(chunk));
            assert!(bytes == stream(cleared), "in chunks of {piece}");
            let marks = [Mark::Text, Mark::None, Mark::Binary, Mark::None, Mark::Text, Mark::None];
            assert_eq!([(); 6].map(|()| unmarked.mark()), marks);
        }
        let mut bytes = stream(sent);
        let mut plain = DeflateStream::new((), false);
        plain.clear_marks(&mut bytes);
        assert!(bytes == stream(sent) && plain.mark() == Mark::None, "without the extension");
    }
}
