//! Maps SMTP errors to the settings in `[mail]` that may cause them.

use std::error::Error;
use std::io::{self, ErrorKind};

use flagship_pack::{Mail, MailTls};
use lettre::transport::smtp;

/// Describes the problem and the setting to change, as the rest of a sentence that begins with the
/// server. Contains no part of the server's response.
pub(super) fn cause(mail: &Mail, error: &smtp::Error) -> &'static str {
    match error.status().map(|code| code.to_string()).as_deref() {
        Some("530") => {
            "requires a login or TLS: check `username` and `tls` in [mail], and \
            FLAGSHIP_SMTP_PASSWORD"
        }
        Some(code) if code.starts_with("53") => {
            "rejected the login: check `username` in [mail] and FLAGSHIP_SMTP_PASSWORD"
        }
        Some(_) => "refused the connection: contact its administrator",
        None if error.is_timeout() => timeout_cause(mail.tls),
        None if error.is_response() => {
            "does not speak SMTP: check `host`, `port` and `tls` in [mail]; a TLS-only port \
            (often 465) needs `tls = \"tls\"`"
        }
        None => client_error_cause(error)
            .or_else(|| io_error_cause(mail.tls, error))
            .unwrap_or("cannot be reached: check `host`, `port` and `tls` in [mail]"),
    }
}

/// Describes the possible cause of a timeout.
pub(super) fn timeout_cause(tls: MailTls) -> &'static str {
    match tls {
        MailTls::Tls => "does not respond: check `host`, `port` and `tls` in [mail]",
        MailTls::Starttls | MailTls::None => {
            "does not respond: check `host` and `port` in [mail]; a TLS-only port (often 465) \
            needs `tls = \"tls\"`"
        }
    }
}

/// Cause of an error raised by the mail library itself. Only the text of the error tells such
/// errors apart.
fn client_error_cause(error: &smtp::Error) -> Option<&'static str> {
    let words = error.to_string();
    if words.contains("STARTTLS") {
        return Some(
            "does not offer STARTTLS: set `tls` in [mail] to \"tls\" with a TLS port (often \
            465), or to \"none\" on a trusted network",
        );
    }
    words.contains("authentication mechanism").then_some(
        "offers no supported login method: set `tls` in [mail] to \"starttls\" or \"tls\", or \
        remove `username`",
    )
}

/// Cause of a connection or TLS error.
fn io_error_cause(tls: MailTls, error: &smtp::Error) -> Option<&'static str> {
    let causes = std::iter::successors(error.source(), |&error| error.source());
    let io = causes.filter_map(|error| error.downcast_ref::<io::Error>()).next()?;
    let tls_error = io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match (tls_error, io.kind()) {
        (Some(rustls::Error::InvalidCertificate(_)), _) => Some(
            "presented a certificate that is not trusted for this name: check `host` in [mail], \
            or set `ca_file` for a private CA",
        ),
        (Some(_), _) | (_, ErrorKind::UnexpectedEof) if tls == MailTls::Tls => Some(
            "does not start with TLS: set `tls` in [mail] to \"starttls\" (often `port` 587), \
            or use its TLS `port`",
        ),
        (_, ErrorKind::ConnectionRefused) => {
            Some("cannot be reached (connection refused): check `host`, `port` and the mail server")
        }
        _ if io.to_string().contains("lookup address") => {
            Some("cannot be reached: `host` in [mail] cannot be resolved")
        }
        _ => None,
    }
}
