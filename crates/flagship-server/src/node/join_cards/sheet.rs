//! The printable sheet: one HTML page without scripts that loads nothing, eight cards to a page of
//! A4.

use std::fmt::Write;

use data_encoding::BASE64;
use flagship_store::ops::join_cards::JoinCard;
use qrcodegen::{QrCode, QrCodeEcc};
use sha2::{Digest, Sha256};

/// Number of cards on a page.
const CARDS_PER_PAGE: usize = 8;
/// Margin that scanners need around a QR code, in modules.
const QUIET_ZONE: i32 = 4;
/// Style of the page.
const STYLE: &str = include_str!("sheet.css");

/// Returns the sheet with these cards. Links lead to `public_url`. `None` if the URL is too long
/// for a QR code, which holds 2,331 bytes.
pub fn sheet(event: &str, public_url: &str, cards: &[JoinCard]) -> Option<String> {
    let style = BASE64.encode(&Sha256::digest(STYLE));
    let event = escape(event);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <title>Join cards - {event}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>Join cards - {event}</h1>\n\
         <p>Print on A4 at 100 %. Anyone with a card can log in as its team, once. Delete this \
         file after printing.</p>\n</header>\n"
    );
    for page in cards.chunks(CARDS_PER_PAGE) {
        html.push_str("<section>\n");
        for card in page {
            html.push_str(&article(&event, public_url, card)?);
        }
        html.push_str("</section>\n");
    }
    html.push_str("</body>\n</html>\n");
    Some(html)
}

/// Returns one card. `event` is already escaped.
fn article(event: &str, public_url: &str, card: &JoinCard) -> Option<String> {
    let join = format!("{public_url}/join");
    let link = format!("{join}#{}", card.secrets.token);
    let picture = picture(&link)?;
    let (team, join, link) = (escape(&card.team), escape(&join), escape(&link));
    let code = &card.secrets.code;
    Some(format!(
        "<article>\n{picture}\n<div class=\"text\">\n<p class=\"event\">{event}</p>\n\
         <h2><bdi>{team}</bdi></h2>\n\
         <p class=\"how\">Scan to set a password and log in. Or open</p>\n\
         <p class=\"address\">{join}</p>\n\
         <p class=\"how\">and enter the team name and this code:</p>\n\
         <p class=\"code\">{code}</p>\n</div>\n\
         <p class=\"link\"><a href=\"{link}\">{link}</a></p>\n</article>\n"
    ))
}

/// Returns the QR code of a link as SVG.
fn picture(link: &str) -> Option<String> {
    let code = QrCode::encode_text(link, QrCodeEcc::Medium).ok()?;
    let first = -QUIET_ZONE;
    let side = code.size() + 2 * QUIET_ZONE;
    Some(format!(
        "<svg viewBox=\"{first} {first} {side} {side}\" role=\"img\" \
         aria-label=\"QR code of the link\" shape-rendering=\"crispEdges\"><path d=\"{}\"/></svg>",
        path(&code)
    ))
}

/// Returns the dark modules as an SVG path, one rectangle for each horizontal run.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut begun = None;
        // The module after the last one is light, which ends the last run.
        for x in 0..=code.size() {
            match (begun, code.get_module(x, y)) {
                (None, true) => begun = Some(x),
                (Some(first), false) => {
                    let length = x - first;
                    write!(path, "M{first} {y}h{length}v1h-{length}z").expect("it is a string");
                    begun = None;
                }
                _ => {}
            }
        }
    }
    path
}

/// Escapes a string for HTML text or a double-quoted attribute value.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use flagship_store::ops::join_cards::CardSecrets;

    use super::*;

    fn card(team: &str) -> JoinCard {
        let secrets = CardSecrets {
            token: "A".repeat(43),
            code: "01ABC-DEFGH".to_owned(),
            code_digest: String::new(),
        };
        JoinCard { team: team.to_owned(), secrets }
    }

    #[test]
    fn a_sheet_has_eight_cards_to_a_page_and_runs_nothing() {
        let cards: Vec<JoinCard> = (1..=17).map(|number| card(&format!("Team {number}"))).collect();
        let html = sheet("Harbour CTF", "https://ctf.example.org", &cards).expect("it fits");
        assert_eq!(html.matches("<section>").count(), 3);
        assert_eq!(html.matches("<article>").count(), 17);
        assert_eq!(html.matches("<path ").count(), 17);
        let link = format!("https://ctf.example.org/join#{}", "A".repeat(43));
        assert_eq!(html.matches(&link).count(), 2 * 17, "an address and a text each");
        assert!(html.contains("<p class=\"code\">01ABC-DEFGH</p>"));
        for active in ["<script", "src=", "url(", "@import", " style=", "<link"] {
            assert!(!html.contains(active), "{active}");
        }
        assert!(html.contains("default-src 'none'; style-src 'sha256-"));
    }

    #[test]
    fn names_are_text() {
        let name = "<b>\"A\" & co";
        let html = sheet(name, "https://ctf.example.org", &[card(name)]).expect("it fits");
        let escaped = "&lt;b&gt;&quot;A&quot; &amp; co";
        assert!(html.contains(&format!("<bdi>{escaped}</bdi>")));
        assert!(html.contains(&format!("<title>Join cards - {escaped}</title>")));
        assert!(!html.contains("<b>"));
    }

    #[test]
    fn a_path_has_each_dark_module_once() {
        let code = QrCode::encode_text("https://ctf.example.org/join#A", QrCodeEcc::Medium);
        let code = code.expect("it fits");
        let size = code.size();
        let dark = (0..size * size).filter(|at| code.get_module(at % size, at / size)).count();
        let path = path(&code);
        let runs = path.split('h').skip(1).step_by(2);
        let length = |run: &str| run.split('v').next().and_then(|it| it.parse::<usize>().ok());
        let drawn: usize = runs.filter_map(length).sum();
        assert_eq!(drawn, dark);
        assert!(sheet("", &"x".repeat(3_000), &[card("A")]).is_none(), "the address is too long");
    }
}
