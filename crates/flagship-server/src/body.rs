//! Bodies that many ask for: their bytes, their compressed forms, each made when it is first asked
//! for, and a tag for each form.
//!
//! A form is shared without its end, which is the last byte of the bytes. An answer that goes on
//! differently, such as a team's own board, shares everything before it: what ends a compressed
//! form is stored there uncompressed.

use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::http::HeaderValue;
use bytes::Bytes;
use data_encoding::HEXLOWER;
use flate2::Crc;
use flate2::write::GzEncoder;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::deflate;

/// Brotli's effort, 0 to 11: the board is compressed anew with each change.
const BROTLI_QUALITY: i32 = 5;
/// Brotli's buffer, in bytes.
const BROTLI_BUFFER_BYTES: usize = 4096;
/// Longest piece that is stored uncompressed in one block, in bytes (RFC 1951, section 3.2.4; of
/// RFC 7932, section 9.2, this is the shortest way to write a length).
const STORED_BYTES_MAX: usize = 0xffff;
/// The last block of a Brotli stream, empty.
const BROTLI_LAST: u8 = 0x03;
/// Characters of a tag.
const TAG_CHARS: usize = 32;

/// How a body is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is.
    Plain,
    /// Compressed by Brotli.
    Brotli,
    /// Compressed by gzip.
    Gzip,
}

/// All forms, in the order of `End::etags`.
const FORMS: [Form; 3] = [Form::Plain, Form::Brotli, Form::Gzip];

/// A body.
pub struct Body {
    /// As it is.
    pub plain: Bytes,
    /// Its own end.
    pub end: End,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<(Bytes, Crc)>,
    deflate: OnceCell<Bytes>,
}

/// How a body ends, and what its forms with this end are called.
#[derive(Clone)]
pub struct End {
    bytes: Bytes,
    etags: [HeaderValue; 3],
}

impl Body {
    /// Takes the bytes of a body.
    pub fn new(plain: Vec<u8>) -> Self {
        let tag = tag(&plain);
        let plain = Bytes::from(plain);
        let end = End::new(plain.slice(plain.len().saturating_sub(1)..), &tag);
        let (brotli, gzip, deflate) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { plain, end, brotli, gzip, deflate }
    }

    /// Another end for this body.
    pub fn end(&self, bytes: Vec<u8>) -> End {
        let own = self.end.etags[0].to_str().expect("a tag is text").trim_matches('"');
        let tag = format!("{own}.{}", tag(&bytes));
        End::new(bytes.into(), &tag)
    }

    /// Makes a form, once, and away from the tasks that serve.
    pub async fn make(&self, form: Form) {
        match form {
            Form::Plain => {}
            Form::Brotli => drop(self.packed(&self.brotli, |it| begin_brotli(&it)).await),
            Form::Gzip => drop(self.packed(&self.gzip, |it| begin_gzip(&it)).await),
        }
    }

    /// A form with an end, in pieces, if it is made.
    pub fn pieces(&self, form: Form, end: &End) -> Option<Pieces> {
        let begun = match form {
            Form::Plain if end.bytes.as_ptr() == self.end.bytes.as_ptr() => {
                return Some(Pieces([self.plain.clone(), Bytes::new()]));
            }
            Form::Plain => self.begun(),
            Form::Brotli => self.brotli.get()?.clone(),
            Form::Gzip => self.gzip.get()?.0.clone(),
        };
        let ended = match form {
            Form::Plain => end.bytes.clone(),
            Form::Brotli => end_brotli(&end.bytes),
            Form::Gzip => end_gzip(&self.gzip.get()?.1, &end.bytes),
        };
        Some(Pieces([begun, ended]))
    }

    /// As it is sent compressed over the live channel, made in the same way.
    pub async fn deflated(&self) -> Bytes {
        let whole = self.plain.clone();
        self.packed(&self.deflate, move |_| deflate::pack(&whole)).await.clone()
    }

    /// Everything but its end.
    fn begun(&self) -> Bytes {
        self.plain.slice(..self.plain.len() - self.end.bytes.len())
    }

    async fn packed<'a, T: Send + 'static>(
        &self,
        place: &'a OnceCell<T>,
        pack: impl FnOnce(Bytes) -> T + Send + 'static,
    ) -> &'a T {
        let packing = || async {
            let begun = self.begun();
            let packing = tokio::task::spawn_blocking(move || pack(begun));
            packing.await.expect("packing does not panic")
        };
        place.get_or_init(packing).await
    }
}

impl End {
    fn new(bytes: Bytes, tag: &str) -> Self {
        let etags = FORMS.map(|form| match form {
            Form::Plain => quoted(tag, ""),
            Form::Brotli => quoted(tag, "-br"),
            Form::Gzip => quoted(tag, "-gzip"),
        });
        Self { bytes, etags }
    }

    /// The strong tag of a form.
    pub fn etag(&self, form: Form) -> &HeaderValue {
        let index = FORMS.iter().position(|it| *it == form).expect("all are there");
        &self.etags[index]
    }

    /// The form whose tag this is.
    pub fn form_of(&self, tag: &[u8]) -> Option<Form> {
        FORMS.into_iter().find(|form| self.etag(*form).as_bytes() == tag)
    }
}

/// A body in two pieces that others share.
pub struct Pieces([Bytes; 2]);

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.0.iter_mut().find(|piece| !piece.is_empty());
        Poll::Ready(next.map(|piece| Ok(Frame::data(std::mem::take(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.0.iter().all(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.0.iter().map(|piece| piece.len() as u64).sum())
    }
}

fn tag(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))[..TAG_CHARS].to_owned()
}

fn quoted(tag: &str, form: &str) -> HeaderValue {
    format!("\"{tag}{form}\"").parse().expect("a tag is plain ASCII")
}

/// A strong tag of bytes in a form of which `form` is the short name, in quotes.
pub fn etag(bytes: &[u8], form: &str) -> HeaderValue {
    quoted(&tag(bytes), form)
}

/// Brotli's form of bytes that are made once and read often.
pub fn brotli(plain: &[u8]) -> Bytes {
    let begun = begin_brotli(plain);
    [&begun[..], &[BROTLI_LAST]].concat().into()
}

/// A stream of all of this that ends with a whole byte, and goes on.
fn begin_brotli(begun: &[u8]) -> Bytes {
    let quality = BROTLI_QUALITY;
    let params = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    let mut packed =
        brotli::CompressorWriter::with_params(Vec::new(), BROTLI_BUFFER_BYTES, &params);
    let written = packed.write_all(begun).and_then(|()| packed.flush());
    written.expect("writing to memory does not fail");
    Bytes::copy_from_slice(packed.get_ref())
}

/// What ends such a stream (RFC 7932, section 9.2): blocks that are stored, and an empty last one.
fn end_brotli(end: &[u8]) -> Bytes {
    const IS_STORED: u32 = 1 << 19;
    let mut packed = Vec::with_capacity(end.len() + 8);
    for block in end.chunks(STORED_BYTES_MAX) {
        let head = (block.len() as u32 - 1) << 3 | IS_STORED;
        packed.extend_from_slice(&head.to_le_bytes()[..3]);
        packed.extend_from_slice(block);
    }
    packed.push(BROTLI_LAST);
    packed.into()
}

/// The same as with Brotli, and the checksum of what is in it.
fn begin_gzip(begun: &[u8]) -> (Bytes, Crc) {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    let written = packed.write_all(begun).and_then(|()| packed.flush());
    written.expect("writing to memory does not fail");
    let mut crc = Crc::new();
    crc.update(begun);
    (Bytes::copy_from_slice(packed.get_ref()), crc)
}

/// What ends such a stream (RFC 1951, section 3.2.4; RFC 1952, section 2.3.1).
fn end_gzip(begun: &Crc, end: &[u8]) -> Bytes {
    let mut crc = Crc::new();
    crc.combine(begun);
    crc.update(end);
    let mut packed = Vec::with_capacity(end.len() + 16);
    for block in end.chunks(STORED_BYTES_MAX) {
        let length = block.len() as u16;
        packed.push(0);
        packed.extend_from_slice(&length.to_le_bytes());
        packed.extend_from_slice(&(!length).to_le_bytes());
        packed.extend_from_slice(block);
    }
    // An empty block that says that it is the last.
    packed.extend_from_slice(&[1, 0, 0, 0xff, 0xff]);
    packed.extend_from_slice(&crc.sum().to_le_bytes());
    packed.extend_from_slice(&crc.amount().to_le_bytes());
    packed.into()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn joined(pieces: &Pieces) -> Vec<u8> {
        pieces.0.concat()
    }

    fn unpacked(form: Form, packed: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        let read = match form {
            Form::Plain => return packed.to_vec(),
            Form::Brotli => brotli::Decompressor::new(packed, 4096).read_to_end(&mut plain),
            Form::Gzip => flate2::read::MultiGzDecoder::new(packed).read_to_end(&mut plain),
        };
        read.expect("it is whole");
        plain
    }

    #[tokio::test]
    async fn every_form_with_any_end_is_what_it_says() {
        let plain = format!("{{\"a\":[{}1]}}", "12345,".repeat(9999)).into_bytes();
        let body = Body::new(plain.clone());
        let begun = &plain[..plain.len() - 1];
        for form in FORMS {
            body.make(form).await;
            let whole = body.pieces(form, &body.end).expect("it is made");
            assert_eq!(unpacked(form, &joined(&whole)), plain, "{form:?}");
            for length in [1, 2, 100, STORED_BYTES_MAX, STORED_BYTES_MAX + 1, 200_000] {
                let end = vec![b'x'; length];
                let expected = [begun, &end].concat();
                let end = body.end(end);
                let pieces = body.pieces(form, &end).expect("it is made");
                assert_eq!(pieces.size_hint().exact(), Some(joined(&pieces).len() as u64));
                assert_eq!(unpacked(form, &joined(&pieces)), expected, "{form:?} {length}");
                assert_ne!(end.etag(form), body.end.etag(form));
                assert_eq!(end.form_of(end.etag(form).as_bytes()), Some(form));
            }
        }
        assert_eq!(unpacked(Form::Brotli, &brotli(&plain)), plain);
    }

    #[tokio::test]
    async fn what_ends_differently_shares_its_bytes() {
        let body = Body::new(vec![b'y'; 100_000]);
        let (one, other) = (body.end(vec![1]), body.end(vec![2]));
        for form in FORMS {
            body.make(form).await;
            let [one, other] = [&one, &other].map(|end| body.pieces(form, end).expect("made"));
            assert_eq!(one.0[0].as_ptr(), other.0[0].as_ptr(), "{form:?}");
        }
    }
}
