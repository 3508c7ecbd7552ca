//! Bodies that many clients request: the plain bytes, the compressed forms, each made when it is
//! first requested, and an ETag for each form.
//!
//! A form is kept in one piece, which one system call writes. A response with another end than the
//! last byte of the plain bytes, such as a team's own board, shares everything before it: in
//! compressed forms the end is stored uncompressed.

use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use flate2::Crc;
use flate2::write::GzEncoder;
use http::HeaderValue;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use sha2::{Digest, Sha256};

use super::deflate;
use super::work::Made;

/// Brotli's effort, 0 to 11: the board is compressed again after each change.
const BROTLI_QUALITY: i32 = 5;
/// Brotli's buffer, in bytes.
const BROTLI_BUFFER_BYTES: usize = 4096;
/// Longest piece that one block stores uncompressed, in bytes (RFC 1951, section 3.2.4; in RFC
/// 7932, section 9.2, the longest whose length has the shortest encoding).
const STORED_BYTES_MAX: usize = 0xffff;
/// The last block of a Brotli stream, empty.
const BROTLI_LAST: u8 = 0x03;
/// Hex digits of an ETag.
const TAG_CHARS: usize = 32;

/// The encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not compressed.
    Plain,
    /// Compressed with Brotli.
    Brotli,
    /// Compressed with gzip.
    Gzip,
}

/// All forms, in the order of `Etags`.
const FORMS: [Form; 3] = [Form::Plain, Form::Brotli, Form::Gzip];

/// A body.
pub struct Body {
    /// The bytes, not compressed.
    pub plain: Bytes,
    /// The body's own end.
    pub end: End,
    brotli: Made<Encoded>,
    gzip: Made<(Encoded, Crc)>,
    deflate: Made<Bytes>,
}

/// The bytes of a form with the body's own end.
#[derive(Clone)]
struct Encoded {
    whole: Bytes,
    /// The number of bytes before the end.
    begun_bytes: usize,
}

/// The end of a body, and the ETags of the body's forms with this end.
#[derive(Clone)]
pub struct End {
    bytes: Bytes,
    etags: Etags,
}

/// The strong ETags of a body, one for each form.
#[derive(Clone)]
pub struct Etags([HeaderValue; 3]);

impl Body {
    /// A body of these bytes.
    pub fn new(plain: Vec<u8>) -> Self {
        let etags = Etags::of(&plain);
        let plain = Bytes::from(plain);
        let end = End { bytes: plain.slice(plain.len().saturating_sub(1)..), etags };
        let (brotli, gzip, deflate) = (Made::default(), Made::default(), Made::default());
        Self { plain, end, brotli, gzip, deflate }
    }

    /// Another end for this body.
    pub fn end(&self, bytes: Vec<u8>) -> End {
        let plain = self.end.etags.of_form(Form::Plain);
        let own = plain.to_str().expect("a tag is text").trim_matches('"');
        let etags = Etags::named(&format!("{own}.{}", digest(&bytes)));
        End { bytes: bytes.into(), etags }
    }

    /// Makes a form, once, on a thread for blocking work.
    pub async fn make(&self, form: Form) {
        let (begun, end) = (self.plain().begun(), self.end.bytes.clone());
        match form {
            Form::Plain => {}
            Form::Brotli => {
                let make = move || Encoded::new(&begin_brotli(&begun), &end_brotli(&end));
                self.brotli.get_or_make(make).await;
            }
            Form::Gzip => {
                let make = move || {
                    let (packed, crc) = begin_gzip(&begun);
                    (Encoded::new(&packed, &end_gzip(&crc, &end)), crc)
                };
                self.gzip.get_or_make(make).await;
            }
        }
    }

    /// A form with an end, in pieces, if the form was made.
    pub fn pieces(&self, form: Form, end: &End) -> Option<Pieces> {
        let encoded = match form {
            Form::Plain => self.plain(),
            Form::Brotli => self.brotli.get()?.clone(),
            Form::Gzip => self.gzip.get()?.0.clone(),
        };
        if end.bytes.as_ptr() == self.end.bytes.as_ptr() {
            return Some(Pieces::of([encoded.whole, Bytes::new()]));
        }
        let ended = match form {
            Form::Plain => end.bytes.clone(),
            Form::Brotli => end_brotli(&end.bytes),
            Form::Gzip => end_gzip(&self.gzip.get()?.1, &end.bytes),
        };
        Some(Pieces::of([encoded.begun(), ended]))
    }

    /// The body compressed for the live channel, made once.
    pub async fn deflated(&self) -> Bytes {
        let whole = self.plain.clone();
        self.deflate.get_or_make(move || deflate::pack(&whole)).await.clone()
    }

    fn plain(&self) -> Encoded {
        let begun_bytes = self.plain.len() - self.end.bytes.len();
        Encoded { whole: self.plain.clone(), begun_bytes }
    }
}

impl Encoded {
    fn new(begun: &[u8], end: &[u8]) -> Self {
        Self { whole: [begun, end].concat().into(), begun_bytes: begun.len() }
    }

    /// Everything but the end.
    fn begun(&self) -> Bytes {
        self.whole.slice(..self.begun_bytes)
    }
}

impl End {
    /// The ETag of a form with this end.
    pub fn etag(&self, form: Form) -> &HeaderValue {
        self.etags.of_form(form)
    }

    /// The form that has this ETag.
    pub fn form_of(&self, tag: &[u8]) -> Option<Form> {
        self.etags.form_of(tag)
    }
}

impl Etags {
    /// The ETags of these bytes.
    pub fn of(plain: &[u8]) -> Self {
        Self::named(&digest(plain))
    }

    fn named(name: &str) -> Self {
        Self(
            ["", "-br", "-gzip"]
                .map(|form| format!("\"{name}{form}\"").parse().expect("an ETag is plain ASCII")),
        )
    }

    /// The ETag of a form.
    pub fn of_form(&self, form: Form) -> &HeaderValue {
        let index = FORMS.iter().position(|it| *it == form).expect("all are there");
        &self.0[index]
    }

    /// The form that has this ETag.
    pub fn form_of(&self, tag: &[u8]) -> Option<Form> {
        FORMS.into_iter().find(|form| self.of_form(*form).as_bytes() == tag)
    }
}

/// A body in pieces, which other bodies may share.
pub struct Pieces {
    first: [Bytes; 2],
    /// The pieces after these; most bodies have none.
    rest: std::vec::IntoIter<Bytes>,
}

impl Pieces {
    fn of(first: [Bytes; 2]) -> Self {
        Self { first, rest: Vec::new().into_iter() }
    }

    /// A body of `own` with `shared` inserted, each before the byte of `own` at its offset, in
    /// ascending order.
    pub fn spliced(mut own: Vec<u8>, shared: Vec<(usize, Bytes)>) -> Self {
        if shared.is_empty() {
            return Self::of([own.into(), Bytes::new()]);
        }
        own.shrink_to_fit();
        let (mut own, mut at) = (Bytes::from(own), 0);
        let mut rest = Vec::with_capacity(2 * shared.len() + 1);
        for (offset, bytes) in shared {
            rest.extend([own.split_to(offset - at), bytes]);
            at = offset;
        }
        rest.push(own);
        Self { rest: rest.into_iter(), ..Self::of([Bytes::new(), Bytes::new()]) }
    }

    /// The number of bytes that are left.
    pub fn bytes(&self) -> u64 {
        let pieces = self.first.iter().chain(self.rest.as_slice());
        pieces.map(|piece| piece.len() as u64).sum()
    }
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let first = self.first.iter_mut().find(|piece| !piece.is_empty()).map(std::mem::take);
        let next = first.or_else(|| self.rest.find(|piece| !piece.is_empty()));
        Poll::Ready(next.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.first.iter().chain(self.rest.as_slice()).all(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes())
    }
}

fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))[..TAG_CHARS].to_owned()
}

/// Compresses bytes with Brotli.
pub fn brotli(plain: &[u8]) -> Bytes {
    let begun = begin_brotli(plain);
    [&begun[..], &[BROTLI_LAST]].concat().into()
}

/// Decompresses bytes that the program embeds.
pub fn unbrotli(packed: &[u8]) -> Bytes {
    let mut plain = Vec::new();
    brotli::BrotliDecompress(&mut &packed[..], &mut plain).expect("the build compressed them");
    plain.into()
}

/// A Brotli stream of `begun` that is flushed to a whole byte but not ended.
fn begin_brotli(begun: &[u8]) -> Vec<u8> {
    let quality = BROTLI_QUALITY;
    let params = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    let mut packed =
        brotli::CompressorWriter::with_params(Vec::new(), BROTLI_BUFFER_BYTES, &params);
    let written = packed.write_all(begun).and_then(|()| packed.flush());
    written.expect("writing to memory does not fail");
    packed.get_ref().clone()
}

/// The end of such a stream (RFC 7932, section 9.2): stored blocks and an empty final one.
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

/// A gzip stream of `begun` that is flushed but not ended, and the checksum of `begun`.
fn begin_gzip(begun: &[u8]) -> (Vec<u8>, Crc) {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    let written = packed.write_all(begun).and_then(|()| packed.flush());
    written.expect("writing to memory does not fail");
    let mut crc = Crc::new();
    crc.update(begun);
    (packed.get_ref().clone(), crc)
}

/// The end of such a stream (RFC 1951, section 3.2.4; RFC 1952, section 2.3.1).
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
    // An empty final block.
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
        pieces.first.concat()
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
    async fn every_encoding_decodes_to_the_body_with_any_end() {
        let plain = format!("{{\"a\":[{}1]}}", "12345,".repeat(9999)).into_bytes();
        let body = Body::new(plain.clone());
        let begun = &plain[..plain.len() - 1];
        for form in FORMS {
            body.make(form).await;
            let whole = body.pieces(form, &body.end).expect("it is made");
            assert_eq!(unpacked(form, &joined(&whole)), plain, "{form:?}");
            assert!(whole.first[1].is_empty(), "in one piece, which is one write: {form:?}");
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
    async fn bodies_with_different_ends_share_their_bytes() {
        let body = Body::new(vec![b'y'; 100_000]);
        let (one, other) = (body.end(vec![1]), body.end(vec![2]));
        for form in FORMS {
            body.make(form).await;
            let [one, other] = [&one, &other].map(|end| body.pieces(form, end).expect("made"));
            assert_eq!(one.first[0].as_ptr(), other.first[0].as_ptr(), "{form:?}");
        }
    }
}
