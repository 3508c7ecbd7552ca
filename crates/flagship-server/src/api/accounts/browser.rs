//! The browser and operating system of a request, by which a team recognizes its own devices.
//! Versions and the rest of the `User-Agent` are not stored.

use axum::http::{HeaderMap, header};

/// Substrings of `User-Agent` with the browser they identify. The first match wins, since most
/// browsers also name the ones they imitate.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Substrings of `User-Agent` with the operating system they identify.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Returns a description such as `Firefox, Linux`; `None` for an unknown browser.
pub fn browser(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(header::USER_AGENT)?.to_str().ok()?;
    let named = |all: &[(&str, &'static str)]| {
        all.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name)
    };
    let parts = [named(&BROWSERS), named(&SYSTEMS)];
    parts[0]?;
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_recognized_by_their_name() {
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
        let chrome = "(KHTML, like Gecko) Chrome/130.0.0.0";
        for (agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
                Some("Firefox, Linux"),
            ),
            (
                &format!("Mozilla/5.0 (Windows NT 10.0) {chrome} Safari/537.36 Edg/130.0.0.0"),
                Some("Edge, Windows"),
            ),
            (
                &format!("Mozilla/5.0 (Linux; Android 10; K) {chrome} Mobile Safari/537.36"),
                Some("Chrome, Android"),
            ),
            (
                &format!(
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) {webkit} \
                Version/18.0 Mobile/15E148 Safari/604.1"
                ),
                Some("Safari, iOS"),
            ),
            (
                &format!(
                    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit} Safari/605.1.15"
                ),
                Some("Safari, macOS"),
            ),
            ("curl/8.5.0", Some("curl")),
            ("<script>", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, agent.parse().expect("a header"));
            assert_eq!(browser(&headers).as_deref(), name, "{agent}");
        }
        assert_eq!(browser(&HeaderMap::new()), None);
    }
}
