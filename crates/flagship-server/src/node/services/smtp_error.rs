//! What a failed conversation with the mail server means for the settings in `[mail]`.

use std::error::Error;
use std::io::{self, ErrorKind};

use flagship_pack::{Mail, MailTls};
use lettre::transport::smtp;

/// What the mail server does, and which setting to change: the rest of a sentence that begins with
/// the server. It has nothing of the server's response.
pub(super) fn cause(mail: &Mail, error: &smtp::Error) -> &'static str {
    match error.status().map(|code| code.to_string()).as_deref() {
        Some("530") => {
            "wants a login or TLS first: check `username` and `tls` of [mail], and \
             FLAGSHIP_SMTP_PASSWORD"
        }
        Some(code) if code.starts_with("53") => {
            "refuses the login: check `username` of [mail] and FLAGSHIP_SMTP_PASSWORD"
        }
        Some(_) => "refuses the connection: ask those who run the mail server",
        None if error.is_timeout() => silence(mail.tls),
        None if error.is_response() => {
            "does not speak SMTP: check `host`, `port` and `tls` of [mail]; a port for TLS alone \
             (often 465) needs `tls = \"tls\"`"
        }
        None => of_client(error)
            .or_else(|| of_io(mail.tls, error))
            .unwrap_or("cannot be reached: check `host`, `port` and `tls` of [mail]"),
    }
}

/// What it may mean that the server says nothing.
pub(super) fn silence(tls: MailTls) -> &'static str {
    match tls {
        MailTls::Tls => "does not answer: check `host`, `port` and `tls` of [mail]",
        MailTls::Starttls | MailTls::None => {
            "does not answer: check `host` and `port` of [mail]; a port for TLS alone (often 465) \
             needs `tls = \"tls\"`"
        }
    }
}

/// What the mail library refuses itself. It has no other sign than its words.
fn of_client(error: &smtp::Error) -> Option<&'static str> {
    let words = error.to_string();
    if words.contains("STARTTLS") {
        return Some(
            "offers no STARTTLS: set `tls` of [mail] to \"tls\" with the `port` for it (often \
             465), or to \"none\" on a network that you trust",
        );
    }
    words.contains("authentication mechanism").then_some(
        "offers no login that Flagship knows: set `tls` of [mail] to \"starttls\" or \"tls\", or \
         remove `username`",
    )
}

/// What the connection or its TLS broke off with.
fn of_io(tls: MailTls, error: &smtp::Error) -> Option<&'static str> {
    let causes = std::iter::successors(error.source(), |&error| error.source());
    let io = causes.filter_map(|error| error.downcast_ref::<io::Error>()).next()?;
    let tls_error = io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match (tls_error, io.kind()) {
        (Some(rustls::Error::InvalidCertificate(_)), _) => Some(
            "has a certificate that is not trusted for this name: check `host` of [mail], and name \
             a private authority by `ca_file`",
        ),
        (Some(_), _) | (_, ErrorKind::UnexpectedEof) if tls == MailTls::Tls => Some(
            "does not begin with TLS: set `tls` of [mail] to \"starttls\" (often with `port` 587), \
             or `port` to the one for TLS",
        ),
        (_, ErrorKind::ConnectionRefused) => Some(
            "cannot be reached: check `host`, `port` and the mail server; no program listens there",
        ),
        _ if io.to_string().contains("lookup address") => {
            Some("cannot be reached: `host` of [mail] is no name that this machine can find")
        }
        _ => None,
    }
}
