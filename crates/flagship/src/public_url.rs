//! Public URL of the site.

use anyhow::{Result, bail, ensure};

/// Checks that a URL is `http://` or `https://` and a host, with an optional port.
pub fn check(url: &str) -> Result<()> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else {
        bail!("the URL must start with http:// or https://, for example https://ctf.example.org");
    };
    let host = rest.trim_end_matches('/');
    ensure!(
        !host.contains(['/', '?', '#', '@', '\\']),
        "the site needs its own host, without a path, query or user, for example \
         https://ctf.example.org; give it a separate host name at the proxy"
    );
    let odd = |c: char| c.is_whitespace() || c.is_control();
    ensure!(
        !host.is_empty() && !host.contains(odd),
        "the URL has no host; use a full URL, such as https://ctf.example.org"
    );
    Ok(())
}

/// True for a plain http URL on localhost.
pub fn is_local(public_url: &str) -> bool {
    let Some(rest) = public_url.strip_prefix("http://") else { return false };
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let host = host.strip_prefix("[::1]").map_or(host, |_| "localhost");
    let host = host.split(':').next().unwrap_or_default();
    matches!(host, "localhost" | "127.0.0.1") || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_host_and_nothing_else() {
        for url in ["https://ctf.example.org", "http://[::1]:8080", "https://ctf.example.org/"] {
            assert!(check(url).is_ok(), "{url}");
        }
        for url in [
            "ctf.example.org",
            "https://",
            "https:///",
            "https://example.org/ctf",
            "https://example.org/ctf/",
            "https://example.org?x",
            "https://example.org/?x",
            "https://example.org/#x",
            "https://ada@example.org",
            "https://example.org\\x",
            "https://exam ple.org",
            "ftp://example.org",
        ] {
            assert!(check(url).is_err(), "{url}");
        }
    }
}
