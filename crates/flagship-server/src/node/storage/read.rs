//! Reading of stored files in small pieces.

use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};

use super::content::Content;

/// An open stored file. In the database and in a bucket, it holds at most one piece, and neither a
/// connection nor a request while its reader waits.
pub struct StoredFile {
    bytes: u64,
    source: Source,
}

enum Source {
    File(tokio::fs::File),
    Pieces(Pieces),
}

/// A file that is read in pieces.
struct Pieces {
    content: Content,
    digest: String,
    bytes: u64,
    /// Position of the next byte.
    at: u64,
    /// Bytes from this position that were fetched.
    piece: Bytes,
    /// The fetch of the next piece. The lock only makes the file shareable.
    fetch: Mutex<Option<BoxFuture<'static, io::Result<Bytes>>>>,
}

impl StoredFile {
    /// Wraps a file of a folder.
    pub(super) fn in_folder(file: tokio::fs::File, bytes: u64) -> Self {
        Self { bytes, source: Source::File(file) }
    }

    /// Opens a file of `bytes` bytes that all nodes share.
    pub(super) fn shared(content: Content, digest: &str, bytes: u64) -> Self {
        let digest = digest.to_owned();
        let piece = Bytes::new();
        let fetch = Mutex::new(None);
        let pieces = Pieces { content, digest, bytes, at: 0, piece, fetch };
        Self { bytes, source: Source::Pieces(pieces) }
    }

    /// Returns the size, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl AsyncRead for StoredFile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.source {
            Source::File(file) => Pin::new(file).poll_read(cx, buffer),
            Source::Pieces(pieces) => pieces.poll_read(cx, buffer),
        }
    }
}

impl AsyncSeek for StoredFile {
    fn start_seek(mut self: Pin<&mut Self>, to: SeekFrom) -> io::Result<()> {
        match &mut self.source {
            Source::File(file) => Pin::new(file).start_seek(to),
            Source::Pieces(pieces) => pieces.seek(to),
        }
    }

    fn poll_complete(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<u64>> {
        match &mut self.source {
            Source::File(file) => Pin::new(file).poll_complete(cx),
            Source::Pieces(pieces) => Poll::Ready(Ok(pieces.at)),
        }
    }
}

impl Pieces {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.piece.is_empty() {
            if self.at >= self.bytes || buffer.remaining() == 0 {
                return Poll::Ready(Ok(()));
            }
            let Self { content, digest, bytes, at, fetch, .. } = self;
            let fetch = fetch.get_mut();
            let fetching = fetch.get_or_insert_with(|| {
                let (content, digest) = (content.clone(), digest.clone());
                let (at, bytes) = (*at, *bytes);
                async move { content.piece(&digest, at, bytes).await }.boxed()
            });
            let fetched = ready!(fetching.as_mut().poll(cx));
            *fetch = None;
            let fetched = fetched?;
            if fetched.is_empty() {
                return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
            }
            self.piece = fetched;
        }
        let count = self.piece.len().min(buffer.remaining());
        buffer.put_slice(&self.piece[..count]);
        self.piece.advance(count);
        self.at += count as u64;
        Poll::Ready(Ok(()))
    }

    fn seek(&mut self, to: SeekFrom) -> io::Result<()> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.bytes.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        self.piece = Bytes::new();
        *self.fetch.get_mut() = None;
        Ok(())
    }
}
