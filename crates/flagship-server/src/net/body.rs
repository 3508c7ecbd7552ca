//! Bodies that many clients request: the plain bytes, the compressed forms, each made when it is
//! first requested, and an ETag for each form. Every client gets the same bytes of a form.

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
use super::work::Made;

/// Brotli's effort, 0 to 11: the board is compressed again after each change.
const BROTLI_QUALITY: i32 = 5;
const BROTLI_BUFFER_BYTES: usize = 4096;
/// Hex digits of an ETag.
const TAG_CHARS: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not compressed.
    Plain,
    Brotli,
    Gzip,
}

/// All forms, in the order of `Etags`.
const FORMS: [Form; 3] = [Form::Plain, Form::Brotli, Form::Gzip];

pub struct Body {
    /// The bytes, not compressed.
    pub plain: Bytes,
    pub etags: Etags,
    brotli: Made<Bytes>,
    gzip: Made<Bytes>,
    deflate: Made<Bytes>,
}

/// The strong ETags of a body, one for each form.
#[derive(Clone)]
pub struct Etags([HeaderValue; 3]);

impl Body {
    pub fn new(plain: Vec<u8>) -> Self {
        Self {
            etags: Etags::of(&plain),
            plain: plain.into(),
            brotli: Made::default(),
            gzip: Made::default(),
            deflate: Made::default(),
        }
    }

    /// A form, which is made once, on a thread for blocking work.
    pub async fn make(&self, form: Form) -> Bytes {
        let plain = self.plain.clone();
        match form {
            Form::Plain => plain,
            Form::Brotli => self.brotli.get_or_make(move || brotli(&plain)).await.clone(),
            Form::Gzip => self.gzip.get_or_make(move || gzip(&plain)).await.clone(),
        }
    }

    pub fn made(&self, form: Form) -> Option<Bytes> {
        match form {
            Form::Plain => Some(self.plain.clone()),
            Form::Brotli => self.brotli.get().cloned(),
            Form::Gzip => self.gzip.get().cloned(),
        }
    }

    /// The body compressed for the live channel, made once.
    pub async fn deflated(&self) -> Bytes {
        let whole = self.plain.clone();
        self.deflate.get_or_make(move || deflate::pack(&whole)).await.clone()
    }
}

impl Etags {
    /// The ETags of these bytes.
    pub fn of(plain: &[u8]) -> Self {
        let name = digest(plain);
        Self(
            ["", "-br", "-gzip"]
                .map(|form| format!("\"{name}{form}\"").parse().expect("an ETag is plain ASCII")),
        )
    }

    pub fn of_form(&self, form: Form) -> &HeaderValue {
        &self.0[form as usize]
    }

    pub fn form_of(&self, tag: &[u8]) -> Option<Form> {
        FORMS.into_iter().find(|form| self.of_form(*form).as_bytes() == tag)
    }
}

/// A body in pieces, which other bodies may share.
pub struct Pieces {
    first: Bytes,
    /// The pieces after it; most bodies have none.
    rest: std::vec::IntoIter<Bytes>,
}

impl From<Bytes> for Pieces {
    fn from(first: Bytes) -> Self {
        Self { first, rest: Vec::new().into_iter() }
    }
}

impl Pieces {
    /// A body of `own` with `shared` inserted, each before the byte of `own` at its offset, in
    /// ascending order.
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

    /// The number of bytes that are left.
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

/// Decompresses bytes that the program embeds.
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
            assert_eq!(body.made(form).is_some(), form == Form::Plain, "{form:?}");
            let made = body.make(form).await;
            assert_eq!(unpacked(form, &made), plain, "{form:?}");
            let again = body.made(form).expect("it is made");
            assert_eq!(again.as_ptr(), made.as_ptr(), "all share its bytes: {form:?}");
            assert_eq!(body.etags.form_of(body.etags.of_form(form).as_bytes()), Some(form));
        }
        assert_eq!(unpacked(Form::Brotli, &brotli(&plain)), plain);
    }
}
