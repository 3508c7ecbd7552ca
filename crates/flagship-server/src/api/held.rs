//! A response that holds a permit until its body is sent or dropped.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};

use crate::node::downloads::Permit;

/// Holds the permit until the response's body is sent or dropped.
pub fn hold(response: Response, permit: Permit) -> Response {
    response.map(|body| Body::new(Held { body, _permit: permit }))
}

/// A body with its permit.
struct Held {
    body: Body,
    _permit: Permit,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
