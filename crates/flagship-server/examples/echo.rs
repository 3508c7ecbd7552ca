//! Gives every message back, over the live channel's own sockets and connections: what a fuzzing
//! client of the protocol needs to see. Never part of the product.
//!
//! `cargo run -p flagship-server --example echo` prints its address.
#![allow(clippy::unwrap_used, missing_docs)]

use axum::Router;
use axum::routing::get;
use flagship_server::deflate;
use flagship_server::socket::{CloseReason, Incoming, Limits, Socket, Upgrade};
use tokio::net::TcpListener;

/// Large enough for every case of the fuzzing client.
const LIMITS: Limits = Limits { message_bytes: 32 * 1024 * 1024, bytes_per_s: 0 };

#[tokio::main]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("ws://{}", listener.local_addr().unwrap());
    let echo = async |upgrade: Upgrade| upgrade.run(LIMITS, give_back);
    let router = Router::new().route("/", get(echo));
    flagship_server::serve_router(listener, router, vec![], std::future::pending()).await;
}

async fn give_back(mut socket: Socket) {
    loop {
        let given = match socket.receive().await {
            Ok(Incoming::Text(text)) if socket.takes_packed() => {
                socket.packed(deflate::pack(&text)).await
            }
            Ok(Incoming::Text(text)) => socket.text(text).await,
            Ok(Incoming::Binary(bytes)) => socket.binary(bytes).await,
            Ok(Incoming::Sign) => Ok(()),
            Err(error) => return socket.end_after(error).await,
        };
        if given.is_err() {
            return socket.end(CloseReason::Policy).await;
        }
    }
}
