//! The event's brand: its files, its own pages, and what the heads of pages say.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use flagship_game::PictureKind;
use flagship_pack::{
    HeadingFont, PagePlace, Site, SiteFile, SiteFileKind, SiteLink, SitePage, Sponsor,
};
use flagship_testkit::player::event;
use flagship_testkit::{Call, Engine, Reply, TestApp, TestDb, commands, on_both_engines, until};
use serde_json::json;
use sha2::{Digest, Sha256};

const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

fn file(bytes: &[u8], kind: SiteFileKind) -> SiteFile {
    SiteFile { digest: digest(bytes), kind, size: Some((3, 2)) }
}

/// Settings with every part of a brand.
pub fn site() -> Site {
    let logo = Some(file(SVG, SiteFileKind::Svg));
    let link = "https://harbour.example/".to_owned();
    Site {
        banner: Some("Ahoy \"<crew>\"".to_owned()),
        accent: Some("#07c".to_owned()),
        accent_dark: Some("#6cf".to_owned()),
        logo_dark: logo.clone(),
        favicon: logo.clone(),
        hero: Some(file(b"gone", SiteFileKind::Picture(PictureKind::Webp))),
        preview: Some(file(b"png", SiteFileKind::Picture(PictureKind::Png))),
        heading_font: Some(HeadingFont::File(file(b"font", SiteFileKind::Woff2))),
        links: vec![SiteLink { name: "Imprint".to_owned(), link: link.clone() }],
        sponsors: vec![Sponsor {
            name: "The Harbour".to_owned(),
            link: Some(link),
            tier: Some("Gold".to_owned()),
            logo: logo.clone(),
        }],
        pages: vec![SitePage {
            slug: "about".to_owned(),
            title: "About <us>".to_owned(),
            place: PagePlace::Navigation,
            html: "<p>{flag_format}</p>".to_owned(),
        }],
        logo,
        ..Site::default()
    }
}

async fn branded(engine: Engine) -> TestApp {
    let test = Arc::new(TestDb::new(engine).await);
    let folder = test.data.path().join("files");
    std::fs::create_dir_all(&folder).expect("a folder");
    for bytes in [SVG, b"png", b"font", b"not of the site"] {
        std::fs::write(folder.join(digest(bytes)), bytes).expect("a file");
    }
    TestApp::playing_on(test, event(), Vec::new(), |config| {
        config.settings.site = site();
        config.public_url = "https://ctf.example".to_owned();
    })
    .await
}

async fn get(app: &TestApp, path: &str) -> Reply {
    Call::new("GET", path).send(app).await
}

on_both_engines! {
    async fn files_of_the_site_are_cached_and_run_nothing(engine: Engine) {
        let words = "a script in a logo";
        let app = branded(engine).await;
        let at = |bytes: &[u8]| format!("/brand/{}", digest(bytes));
        let kinds = [(SVG, "image/svg+xml"), (b"png", "image/png"), (b"font", "font/woff2")];
        for (bytes, kind) in kinds {
            let reply = get(&app, &at(bytes)).await;
            assert_eq!((reply.status, &*reply.body), (200, bytes));
            assert_eq!(reply.header("content-type"), kind);
            assert_eq!(reply.header("x-content-type-options"), "nosniff");
            assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
            let known = Call::new("GET", &at(bytes)).header("if-none-match", reply.header("etag"));
            assert_eq!(known.send(&app).await.status, 304);
        }
        let policies = get(&app, &at(SVG)).await;
        let policies = policies.headers.get_all("content-security-policy");
        let policies: Vec<_> = policies.iter().filter_map(|it| it.to_str().ok()).collect();
        let expected = "default-src 'none'; style-src 'unsafe-inline'; sandbox; ";
        assert!(policies.len() == 1 && policies[0].starts_with(expected), "{words}: {policies:?}");
        let others = [at(b"not of the site"), at(b"gone"), at(b"x"), "/brand/..%2Fsecret".into()];
        for path in others {
            assert_eq!(get(&app, &path).await.status, 404, "{path}");
        }
    }

    async fn concurrent_requests_read_a_file_of_the_site_once(engine: Engine) {
        let app = branded(engine).await;
        // A pipe gives its content to one reader only.
        let pipe = app.test.data.path().join("files").join(digest(b"gone"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo starts").success());
        let path = format!("/brand/{}", digest(b"gone"));
        let request = async || {
            let reply = get(&app, &path).await;
            (reply.status, reply.body.to_vec())
        };
        let write = tokio::task::spawn_blocking(move || std::fs::write(pipe, b"gone"));
        let write = async { write.await.expect("it ends").expect("it is written") };
        let (_, first, second, third) = tokio::join!(write, request(), request(), request());
        let whole = (200, b"gone".to_vec());
        assert_eq!([first, second, third], [whole.clone(), whole.clone(), whole]);
    }

    async fn the_sites_own_pages_are_given_with_their_placeholders_filled(engine: Engine) {
        let app = branded(engine).await;
        let page = get(&app, "/api/pages/about").await;
        let html = format!("<p>{}</p>", event().flag_format);
        assert_eq!(page.json(), json!({"title": "About <us>", "html": html}));
        assert_eq!(get(&app, "/api/pages/none").await.status, 404);
        let info = get(&app, "/api/ctf").await.json();
        let logo = json!({"src": format!("/brand/{}", digest(SVG)), "width": 3, "height": 2});
        assert_eq!((&info["site"]["logo"], &info["site"]["sponsors"][0]["logo"]), (&logo, &logo));
        let about = json!([{"slug": "about", "title": "About <us>", "place": "navigation"}]);
        assert_eq!(info["site"]["pages"], about);
        let manifest = get(&app, "/manifest.webmanifest").await.json();
        assert_eq!(manifest["name"], *event().name);
        assert_eq!(manifest["icons"][0]["src"], logo["src"]);
        let icon = get(&app, "/favicon.ico").await;
        let path = logo["src"].as_str().expect("a path");
        assert_eq!((icon.status, icon.header("location")), (307, path));
        let icon = get(&app, icon.header("location")).await;
        assert_eq!((icon.status, &*icon.body), (200, SVG));
    }

    async fn the_head_of_a_page_says_what_it_is(engine: Engine) {
        let app = branded(engine).await;
        let name = event().name;
        for (path, title) in [("/", name.clone()), ("/rules", format!("Rules · {name}")),
            ("/pages/about", format!("About &lt;us&gt; · {name}"))] {
            let reply = get(&app, path).await;
            let html = reply.text();
            assert_eq!(reply.status, 200, "{path}");
            let about = "content=\"Ahoy &quot;&lt;crew&gt;&quot;\"";
            let preview = format!("https://ctf.example/brand/{}", digest(b"png"));
            for piece in [&*format!("<title>{title}</title>"),
                &format!("property=\"og:title\" content=\"{title}\""),
                &format!("name=\"description\" {about}"),
                &format!("property=\"og:description\" {about}"),
                &format!("property=\"og:image\" content=\"{preview}\""),
                &format!("rel=\"icon\" href=\"/brand/{}\" type=\"image/svg+xml\"", digest(SVG)),
            ] {
                assert_eq!(html.matches(piece).count(), 1, "{path}: {piece} in {html}");
            }
            assert_eq!(html.matches("<title>").count(), 1, "{html}");
        }
        app.team("The Lighthouse").await;
        let app = &app;
        let status = async |path: &str| get(app, path).await.status;
        let of_team = ["/team/The%20Lighthouse", "/team/The%20Lighthouse/",
            "/team?name=The+Lighthouse"];
        for path in of_team {
            until("the team has a page", async || status(path).await == 200).await;
        }
        for path in ["/pages/none", "/team/Nobody", "/team/The", "/team/a/b", "/team?name=x",
            "/none", "/team/%FF", "/pages", "/pages/"] {
            let reply = get(app, path).await;
            assert_eq!(reply.status, 404, "a missing file is 404: {path}");
            assert!(reply.text().contains("<div id=\"root\">"), "it is a page: {path}");
        }
        app.run(commands::hide_team("The Lighthouse")).await;
        until("it is hidden", async || status(of_team[0]).await == 404).await;
    }

    async fn a_link_is_shown_with_the_name_of_the_event_and_a_picture_of_the_site(engine: Engine) {
        let test = Arc::new(TestDb::new(engine).await);
        let app = TestApp::playing_on(test, event(), Vec::new(), |config| {
            config.public_url = "https://ctf.example".to_owned();
        })
        .await;
        let html = get(&app, "/").await.text();
        let content = |name: &str| {
            let begin = format!("\"{name}\" content=\"");
            let (_, rest) = html.split_once(&begin).expect("it is named");
            rest.split('"').next().unwrap_or_default().to_owned()
        };
        assert_eq!(content("og:title"), event().name);
        assert_eq!(content("twitter:card"), "summary_large_image");
        let [width, height] = ["og:image:width", "og:image:height"].map(content);
        assert_eq!((&*width, &*height), ("1200", "630"));
        assert_eq!(content("og:image:alt"), event().name);
        let address = content("og:image");
        let path = address.strip_prefix("https://ctf.example").expect("it is absolute");
        let reply = get(&app, path).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/png"));
        let head = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x04\xb0\0\0\x02\x76";
        assert!(reply.body.starts_with(head), "it is a PNG of 1200 by 630");
        assert!(reply.body.len() < 100_000, "{} bytes", reply.body.len());
    }
}
