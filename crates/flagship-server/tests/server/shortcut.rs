//! The shortcut serves boards and challenge lists without the router. Its responses equal those of
//! the routes.

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request};
use flagship_server::app;
use flagship_store::ops::{Op, Plan};
use flagship_testkit::player::{draft, draft_after, event};
use flagship_testkit::{Call, TestApp, commands, on_both_engines, until};
use serde_json::json;
use tower::ServiceExt;

const BOARD: &str = "/api/scoreboard";
const LIST: &str = "/api/challenge";

/// Sends a request through the shortcut and through the router; returns the status and the entity
/// tag.
async fn same_both_ways(
    it: &TestApp,
    (method, path): (&str, &str),
    headers: &[(&str, &str)],
) -> (u16, String) {
    let what = format!("{method} {path} {headers:?}");
    let mut call = Call::new(method, path);
    let mut request = Request::new(Body::empty());
    *request.method_mut() = method.parse::<Method>().expect("a method");
    *request.uri_mut() = path.parse().expect("an address");
    for (name, value) in headers {
        call = call.header(name, value);
        let name: axum::http::HeaderName = name.parse().expect("a name");
        request.headers_mut().append(name, value.parse().expect("a value"));
    }
    let reply = call.send(it).await;
    let Ok(routed) = app(it.app.clone()).oneshot(request).await;
    assert_eq!(reply.status, routed.status(), "{what}");
    let listed = |headers: &HeaderMap| {
        let line = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
            format!("{name}: {}", value.to_str().expect("text"))
        };
        // Headers that the HTTP library adds are ignored.
        let own = |(name, _): &(&axum::http::HeaderName, _)| {
            !["date", "content-length"].contains(&name.as_str())
        };
        let mut lines: Vec<_> = headers.iter().filter(own).map(line).collect();
        lines.sort();
        lines
    };
    assert_eq!(listed(&reply.headers), listed(routed.headers()), "{what}");
    let length = reply.header("content-length").to_owned();
    let body = to_bytes(routed.into_body(), usize::MAX).await.expect("it is whole");
    assert_eq!(reply.body, body, "{what}");
    if method == "GET" && reply.status == 200 {
        assert_eq!(length, body.len().to_string(), "{what}");
        let head = Call::new("HEAD", path);
        let head = headers.iter().fold(head, |head, (name, value)| head.header(name, value));
        assert_eq!(head.send(it).await.header("content-length"), length, "{what}");
    }
    (reply.status, reply.header("etag").to_owned())
}

on_both_engines! {
    async fn the_board_shortcut_equals_the_route(engine: Engine) {
        let it = TestApp::playing(engine, event(), vec![draft("a")]).await;
        let team = it.team("Ants").await;
        it.fresh_board().await;
        let (status, tag) = same_both_ways(&it, ("GET", BOARD), &[]).await;
        assert_eq!(status, 200);
        let weak = format!("W/{tag}");
        let several = format!("\"other\", {weak}");
        for method in ["GET", "HEAD", "POST", "OPTIONS", "DELETE"] {
            for encoding in ["", "br", "gzip", "gzip, deflate, br", "br;q=0, gzip", "zstd"] {
                for (known, read) in
                    [("", 200), ("\"other\"", 200), (&tag, 304), (&weak, 304), (&several, 304)]
                {
                    for token in ["none", "", "nonsense", &team.token] {
                        let mut headers =
                            vec![("accept-encoding", encoding), ("if-none-match", known)];
                        headers.retain(|(_, value)| !value.is_empty());
                        headers.extend((token != "none").then_some(("x-api-key", token)));
                        let (status, _) = same_both_ways(&it, (method, BOARD), &headers).await;
                        let is_read = ["GET", "HEAD"].contains(&method);
                        let expected = if is_read { read } else { 405 };
                        assert_eq!(status, expected, "{method} {headers:?}");
                    }
                }
            }
        }
        it.advance(1);
        team.solves("a").await;
        it.fresh_board().await;
        let (_, new) = same_both_ways(&it, ("GET", BOARD), &[("if-none-match", &tag)]).await;
        assert_ne!(new, tag, "a solve makes another board");
    }
    async fn the_list_shortcut_equals_the_route(engine: Engine) {
        let drafts = vec![draft("a"), draft_after("b", &["a"])];
        let it = TestApp::playing(engine, event(), drafts).await;
        let teams = it.teams(&["Ants", "Bees", "Cats"]).await;
        let [ants, bees, cats] = &teams[..] else { unreachable!("there are three") };
        ants.solves("a").await;
        it.run(commands::ban(&bees.name)).await;
        assert_eq!(cats.player.post("/logout", &json!({})).await.status, 200);
        for method in ["GET", "HEAD", "POST", "OPTIONS", "DELETE"] {
            for (token, read) in [("none", 401), ("", 401), ("nonsense", 401), (&ants.token, 200),
                (&bees.token, 401), (&cats.token, 401)] {
                for length in ["none", "0"] {
                    let mut headers = vec![("x-api-key", token), ("content-length", length)];
                    headers.retain(|(_, value)| *value != "none");
                    let (status, _) = same_both_ways(&it, (method, LIST), &headers).await;
                    let expected = if ["GET", "HEAD"].contains(&method) { read } else { 405 };
                    assert_eq!(status, expected, "{method} {headers:?}");
                }
            }
        }
        let one = Call::new("GET", LIST).header("x-api-key", &ants.token).send(&it).await;
        assert_eq!((one.header("cache-control"), one.header("vary")), ("no-store", "x-api-key"));
    }
    async fn a_large_list_has_the_text_of_a_small_one(engine: Engine) {
        let drafts = |description: &str| {
            let mut drafts = vec![draft("a"), draft_after("b", &["a"]), draft("c")];
            for draft in &mut drafts {
                draft.challenge.description = description.to_owned();
            }
            drafts
        };
        let short = "<p>x</p>";
        let long = format!("<p>{}</p>", "long ".repeat(20_000));
        let it = TestApp::playing(engine, event(), drafts(short)).await;
        let team = it.team("Ants").await;
        let headers = [("x-api-key", &*team.token)];
        let list = Call::new("GET", LIST).header("x-api-key", &team.token);
        let small = list.clone().send(&it).await.text().to_owned();
        it.run(Op::Apply(Box::new(Plan::new(event(), drafts(&long))))).await;
        until("the list is large", async || {
            list.clone().send(&it).await.body.len() > 2 * long.len()
        }).await;
        let large = list.clone().send(&it).await.text().to_owned();
        assert_eq!(large.replace(&long, short), small);
        for method in ["GET", "HEAD"] {
            let (status, _) = same_both_ways(&it, (method, LIST), &headers).await;
            assert_eq!(status, 200, "{method}");
        }
    }
}
