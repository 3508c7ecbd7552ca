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

/// Maximum length of a domain and of one of its labels.
const DOMAIN_LENGTH_MAX: usize = 253;
const LABEL_LENGTH_MAX: usize = 63;

/// Parses the domain of a TLS certificate.
pub fn domain(text: &str) -> Result<String, String> {
    let domain = text.to_ascii_lowercase();
    let is_name = |it: &str| it.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let is_label = |it: &str| {
        let has_edges = !it.starts_with('-') && !it.ends_with('-');
        (1..=LABEL_LENGTH_MAX).contains(&it.len()) && has_edges && is_name(it)
    };
    let mut labels = domain.rsplit('.');
    let is_address = labels.next().is_none_or(|top| top.bytes().all(|it| it.is_ascii_digit()));
    let is_domain = domain.contains('.')
        && domain.len() <= DOMAIN_LENGTH_MAX
        && !is_address
        && domain.split('.').all(is_label);
    let expected = "expected the domain of the site, such as ctf.example.org, without https://, \
                    port or path; write an international domain in its xn-- form";
    if is_domain { Ok(domain) } else { Err(expected.to_owned()) }
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
    fn a_domain_is_a_full_host_name() {
        assert_eq!(domain("CTF.example.org").as_deref(), Ok("ctf.example.org"));
        assert!(domain("xn--bcher-kva.example").is_ok());
        let long = format!("{}.example", "a".repeat(64));
        for text in [
            "",
            "localhost",
            "192.0.2.7",
            "[::1]",
            "https://ctf.example.org",
            "ctf.example.org:443",
            "ctf.example.org/",
            "*.example.org",
            "ctf..example",
            ".example.org",
            "ctf.example.org.",
            "-ctf.example.org",
            "ctf_2.example.org",
            "bücher.example",
            &long,
        ] {
            assert!(domain(text).is_err(), "{text}");
        }
    }

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
