//! Bodies that many clients request: the plain bytes, compressed forms that are built on first
//! request, and an ETag for each form. All clients share the same bytes of a form.

use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use data_encoding::HEXLOWER;
use flate2::write::GzEncoder;
use http::HeaderValue;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use sha2::{Digest, Sha256};

use super::deflate;
use super::shared_work::SharedCell;

/// Brotli quality, 0 to 11. The scoreboard is compressed again after each change.
const BROTLI_QUALITY: i32 = 5;
const BROTLI_BUFFER_BYTES: usize = 4096;
/// Number of hex digits in an ETag.
const TAG_CHARS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Uncompressed.
    Plain,
    Brotli,
    Gzip,
}

/// All forms, in the order used by `Etags`.
const FORMS: [Form; 3] = [Form::Plain, Form::Brotli, Form::Gzip];

pub struct Body {
    /// Uncompressed bytes.
    pub plain: Bytes,
    pub etags: Etags,
    brotli: SharedCell<Bytes>,
    gzip: SharedCell<Bytes>,
    deflate: SharedCell<Bytes>,
}

/// The strong ETags of a body, one for each form.
#[derive(Clone)]
pub struct Etags([HeaderValue; 3]);

impl Body {
    pub fn new(plain: Vec<u8>) -> Self {
        Self {
            etags: Etags::of(&plain),
            plain: plain.into(),
            brotli: SharedCell::default(),
            gzip: SharedCell::default(),
            deflate: SharedCell::default(),
        }
    }

    /// Returns a form. It is built once, on a blocking thread.
    pub async fn get_or_build(&self, form: Form) -> Bytes {
        let plain = self.plain.clone();
        match form {
            Form::Plain => plain,
            Form::Brotli => self.brotli.get_or_init(move || brotli(&plain)).await.clone(),
            Form::Gzip => self.gzip.get_or_init(move || gzip(&plain)).await.clone(),
        }
    }

    pub fn get(&self, form: Form) -> Option<Bytes> {
        match form {
            Form::Plain => Some(self.plain.clone()),
            Form::Brotli => self.brotli.get().cloned(),
            Form::Gzip => self.gzip.get().cloned(),
        }
    }

    /// Returns the body compressed for the live channel. It is built once.
    pub async fn deflated(&self) -> Bytes {
        let whole = self.plain.clone();
        self.deflate.get_or_init(move || deflate::pack(&whole)).await.clone()
    }
}

impl Etags {
    /// Computes the ETags of these bytes.
    pub fn of(plain: &[u8]) -> Self {
        let name = digest(plain);
        Self(
            ["", "-br", "-gzip"]
                .map(|form| format!("\"{name}{form}\"").parse().expect("an ETag is plain ASCII")),
        )
    }

    pub fn tag(&self, form: Form) -> &HeaderValue {
        &self.0[form as usize]
    }

    pub fn form_with_tag(&self, tag: &[u8]) -> Option<Form> {
        FORMS.into_iter().find(|form| self.tag(*form).as_bytes() == tag)
    }
}

/// A body in pieces, which other bodies can share.
pub struct Pieces {
    first: Bytes,
    /// Remaining pieces; usually none.
    rest: std::vec::IntoIter<Bytes>,
}

impl From<Bytes> for Pieces {
    fn from(first: Bytes) -> Self {
        Self { first, rest: Vec::new().into_iter() }
    }
}

impl Pieces {
    /// Builds a body from `own` with the `shared` pieces inserted at their offsets in `own`, which
    /// must be in ascending order.
    pub fn spliced(mut own: Vec<u8>, shared: Vec<(usize, Bytes)>) -> Self {
        if shared.is_empty() {
            return Bytes::from(own).into();
        }
        own.shrink_to_fit();
        let mut own = Bytes::from(own);
        let mut at = 0;
        let mut rest = Vec::with_capacity(2 * shared.len() + 1);
        for (offset, bytes) in shared {
            rest.extend([own.split_to(offset - at), bytes]);
            at = offset;
        }
        rest.push(own);
        Self { first: Bytes::new(), rest: rest.into_iter() }
    }

    /// Returns the number of remaining bytes.
    pub fn bytes(&self) -> u64 {
        let rest = self.rest.as_slice().iter().map(|piece| piece.len() as u64);
        self.first.len() as u64 + rest.sum::<u64>()
    }
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let first = Some(std::mem::take(&mut self.first)).filter(|piece| !piece.is_empty());
        let next = first.or_else(|| self.rest.find(|piece| !piece.is_empty()));
        Poll::Ready(next.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.first.is_empty() && self.rest.as_slice().iter().all(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes())
    }
}

fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))[..TAG_CHARS].to_owned()
}

pub fn brotli(plain: &[u8]) -> Bytes {
    let quality = BROTLI_QUALITY;
    let params = brotli::enc::BrotliEncoderParams { quality, ..Default::default() };
    let mut packed =
        brotli::CompressorWriter::with_params(Vec::new(), BROTLI_BUFFER_BYTES, &params);
    packed.write_all(plain).expect("writing to memory does not fail");
    packed.into_inner().into()
}

/// Decompresses bytes embedded in the program.
pub fn unbrotli(packed: &[u8]) -> Bytes {
    let mut plain = Vec::new();
    brotli::BrotliDecompress(&mut &packed[..], &mut plain).expect("the build compressed them");
    plain.into()
}

fn gzip(plain: &[u8]) -> Bytes {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::default());
    let written = packed.write_all(plain).and_then(|()| packed.finish());
    written.expect("writing to memory does not fail").into()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

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
    async fn every_form_decodes_to_the_body_and_is_made_once() {
        let plain = format!("{{\"a\":[{}1]}}", "12345,".repeat(9999)).into_bytes();
        let body = Body::new(plain.clone());
        for form in FORMS {
            assert_eq!(body.get(form).is_some(), form == Form::Plain, "{form:?}");
            let made = body.get_or_build(form).await;
            assert_eq!(unpacked(form, &made), plain, "{form:?}");
            let again = body.get(form).expect("it is made");
            assert_eq!(again.as_ptr(), made.as_ptr(), "all share its bytes: {form:?}");
            assert_eq!(body.etags.form_with_tag(body.etags.tag(form).as_bytes()), Some(form));
        }
        assert_eq!(unpacked(Form::Brotli, &brotli(&plain)), plain);
    }
}
