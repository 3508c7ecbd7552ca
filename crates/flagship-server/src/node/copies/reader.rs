//! Reading of a team's copy, piece by piece.

use std::io::{self, SeekFrom};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, Bytes};
use flagship_pack::team_copy::Filling;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tokio::task::{JoinHandle, spawn_blocking};

use super::template::StoredTemplate;
use crate::node::board::cards::CopyDigest;

/// A copy that can be read.
#[derive(Clone)]
pub struct TeamCopy {
    pub(super) template: Arc<StoredTemplate>,
    pub(super) filling: Arc<Filling>,
    pub digest: CopyDigest,
}

impl TeamCopy {
    /// Opens the copy.
    pub fn read(&self) -> CopyReader {
        let copy = self.clone();
        CopyReader { copy, at: 0, piece: Bytes::new(), reading: None }
    }
}

/// An open copy. Holds at most one piece and opens no file.
pub struct CopyReader {
    copy: TeamCopy,
    /// Position of the next byte.
    at: u64,
    /// Bytes from this position that were read.
    piece: Bytes,
    /// The read of the next piece.
    reading: Option<JoinHandle<io::Result<Vec<u8>>>>,
}

impl CopyReader {
    /// Size of the copy, in bytes.
    pub fn bytes(&self) -> u64 {
        self.copy.digest.bytes
    }
}

impl AsyncRead for CopyReader {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { copy, at, piece, reading } = &mut *self;
        if piece.is_empty() {
            if *at >= copy.digest.bytes || buffer.remaining() == 0 {
                return Poll::Ready(Ok(()));
            }
            let next = reading.get_or_insert_with(|| {
                let TeamCopy { template, filling, .. } = copy.clone();
                let from = *at;
                spawn_blocking(move || template.piece(&filling, from))
            });
            let read = ready!(Pin::new(next).poll(cx));
            *reading = None;
            *piece = Bytes::from(read.map_err(io::Error::other)??);
        }
        let count = piece.len().min(buffer.remaining());
        buffer.put_slice(&piece[..count]);
        piece.advance(count);
        *at += count as u64;
        Poll::Ready(Ok(()))
    }
}

impl AsyncSeek for CopyReader {
    fn start_seek(mut self: Pin<&mut Self>, to: SeekFrom) -> io::Result<()> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.bytes().checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        self.piece = Bytes::new();
        self.reading = None;
        Ok(())
    }

    fn poll_complete(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Poll::Ready(Ok(self.at))
    }
}
