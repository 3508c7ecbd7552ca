//! The address at which players reach the site.

use anyhow::{Result, bail, ensure};

/// Checks that an address is `http://` or `https://` and a host, with a port or without.
pub fn check(url: &str) -> Result<()> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let Some(rest) = rest else {
        bail!(
            "it begins neither with http:// nor with https://; write the whole address, as \
             https://ctf.example.org"
        );
    };
    let host = rest.trim_end_matches('/');
    ensure!(
        !host.contains(['/', '?', '#', '@', '\\']),
        "the site needs a host of its own, without a path, a query or a user; write it as \
         https://ctf.example.org, and give it a name of its own at the proxy"
    );
    let odd = |c: char| c.is_whitespace() || c.is_control();
    ensure!(
        !host.is_empty() && !host.contains(odd),
        "it has no host; write the whole address, as https://ctf.example.org"
    );
    Ok(())
}

/// Whether a plain http address is on localhost.
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
