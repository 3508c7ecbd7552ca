//! Delivers email: as a file in the data folder, or through an SMTP server.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, anyhow, bail, ensure};
use flagship_pack::{Mail, MailTls, MailTransport};
use flagship_store::mail::DueMail;
use lettre::message::header::{
    ContentTransferEncoding, ContentType, HeaderName, HeaderValue, MIME_VERSION_1_0,
};
use lettre::message::{Body, Mailbox};
use lettre::transport::smtp::PoolConfig;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Certificate, CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::{self, AsyncSmtpTransport};
use lettre::{Address, AsyncTransport, Message, Tokio1Executor};
use tokio::io::AsyncWriteExt;

use super::smtp_error;
use crate::node::config::Config;
use crate::node::report::chain;

/// Number of emails sent concurrently.
pub const SENDERS_MAX: usize = 4;
/// Timeout for responses of the SMTP server.
const SMTP_SILENCE_MAX: Duration = Duration::from_secs(10);

/// Maximum length of a line in an email, in bytes without the line ending (RFC 5322).
const LINE_BYTES_MAX: usize = 998;

/// Delivers email.
pub struct Transport {
    from: Mailbox,
    delivery: Delivery,
}

enum Delivery {
    Folder(PathBuf),
    Smtp(Box<AsyncSmtpTransport<Tokio1Executor>>, Box<Mail>),
}

/// Error returned when an email is not delivered.
pub struct Failure {
    /// Text for the log. Contains no address.
    pub public: String,
    /// Text for organizers, stored with the email.
    pub detail: String,
    /// True if a retry would also fail.
    pub is_final: bool,
}

impl Failure {
    /// The attempt as a whole timed out.
    pub fn timeout() -> Self {
        Self::transient("timed out")
    }

    fn transient(reason: impl ToString) -> Self {
        let reason = reason.to_string();
        Self { public: reason.clone(), detail: reason, is_final: false }
    }

    fn from_message(error: &(dyn std::error::Error + 'static)) -> Self {
        let public = "the message could not be encoded".to_owned();
        Self { public, detail: chain(error), is_final: true }
    }

    fn from_smtp(mail: &Mail, error: &smtp::Error) -> Self {
        // The mail library checks this before it sends. Only the text of the error identifies it.
        if error.is_client() && error.to_string().contains("SMTPUTF8") {
            let public =
                "the mail server does not accept addresses with non-ASCII characters".to_owned();
            return Self { detail: public.clone(), public, is_final: true };
        }
        // A rejected login (530 to 539) is a configuration problem, so the email is retried.
        let code = error.status().map(|code| code.to_string());
        let code = code.filter(|code| !code.starts_with("53"));
        let is_final = error.is_permanent() && code.is_some();
        let what = match code {
            Some(code) => format!("the mail server responded with {code}"),
            None => format!("the mail server {}", smtp_error::cause(mail, error)),
        };
        // The text of the error includes the texts of its causes. A response can contain the
        // address.
        let detail = format!("{what} ({error})");
        let public = if error.status().is_some() { what } else { detail.clone() };
        Self { public, detail, is_final }
    }
}

impl Transport {
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        let settings = &config.settings.mail;
        let from = sender(config)?;
        let delivery = match settings.transport {
            MailTransport::File => {
                let folder = config.data.join("mail");
                let made = std::fs::create_dir_all(&folder);
                made.with_context(|| format!("create the folder `{}`", folder.display()))?;
                Delivery::Folder(folder)
            }
            MailTransport::Smtp => {
                Delivery::Smtp(Box::new(smtp(config)?), Box::new(settings.clone()))
            }
        };
        Ok(Self { from, delivery })
    }

    pub async fn send(&self, mail: &DueMail, now_ms: i64) -> Result<(), Failure> {
        let message = self.message(mail, now_ms)?;
        match &self.delivery {
            Delivery::Folder(folder) => {
                let name = format!("{now_ms:013}-{:016x}", mail.id);
                let written = write_whole(folder, &name, &message.formatted()).await;
                written.map_err(|error| Failure::transient(format!("write the email: {error}")))
            }
            Delivery::Smtp(smtp, settings) => {
                let sent = smtp.send(message).await;
                sent.map(drop).map_err(|error| Failure::from_smtp(settings, &error))
            }
        }
    }

    fn message(&self, mail: &DueMail, now_ms: i64) -> Result<Message, Failure> {
        let to: Address = mail.address.parse().map_err(|error| Failure::from_message(&error))?;
        let date = SystemTime::UNIX_EPOCH + Duration::from_millis(now_ms.unsigned_abs());
        // Constant across attempts, so that mail clients show an email that was sent twice only
        // once.
        let id = format!("<{:016x}@{}>", mail.id, self.from.email.domain());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&mail.subject)
            .date(date)
            .message_id(Some(id))
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN)
            .body(text(&mail.body, matches!(self.delivery, Delivery::Folder(_))))
            .map_err(|error| Failure::from_message(&error))?;
        // RFC 3834: automatic responders must not answer this email.
        let name = HeaderName::new_from_ascii_str("Auto-Submitted");
        message.headers_mut().insert_raw(HeaderValue::new(name, "auto-generated".to_owned()));
        Ok(message)
    }
}

/// Encodes the text. Without encoding, a person can copy a link from a file, so the text is only
/// encoded if a line is too long. Non-ASCII text for a mail server is sent quoted-printable,
/// because the server may not accept 8-bit text.
fn text(body: &str, is_file: bool) -> Body {
    let is_short = body.lines().all(|line| line.len() <= LINE_BYTES_MAX);
    let encoding = match (body.is_ascii(), is_file) {
        (true, _) if is_short => ContentTransferEncoding::SevenBit,
        (false, true) if is_short => ContentTransferEncoding::EightBit,
        _ => {
            let quoted = ContentTransferEncoding::QuotedPrintable;
            let quoted = Body::new_with_encoding(body.to_owned(), quoted);
            return quoted.expect("any text can be quoted");
        }
    };
    let lines: String = body.lines().flat_map(|line| [line, "\r\n"]).collect();
    Body::dangerous_pre_encoded(lines.into_bytes(), encoding)
}

/// Writes a file atomically.
async fn write_whole(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let draft = folder.join(format!(".{name}.tmp"));
    let mut file = tokio::fs::File::create(&draft).await?;
    file.write_all(bytes).await?;
    file.sync_all().await?;
    tokio::fs::rename(&draft, folder.join(format!("{name}.eml"))).await
}

/// Checks the settings without touching a disk or a network.
pub fn check(config: &Config) -> anyhow::Result<()> {
    sender(config)?;
    match config.settings.mail.transport {
        MailTransport::File => Ok(()),
        MailTransport::Smtp => smtp(config).map(drop),
    }
}

/// Connects to the SMTP server with the configured TLS mode and login, without sending an email.
/// Returns the server's address; `None` if email is written to files.
pub async fn log_in(config: &Config) -> anyhow::Result<Option<String>> {
    let settings = &config.settings.mail;
    if settings.transport == MailTransport::File {
        return Ok(None);
    }
    let address = format!("{}:{}", settings.host, settings.port);
    let tested = tokio::time::timeout(SMTP_SILENCE_MAX, smtp(config)?.test_connection()).await;
    let is_well = match tested {
        Err(_) => bail!("`{address}` {}", smtp_error::timeout_cause(settings.tls)),
        Ok(tested) => tested.map_err(|error| {
            let cause = smtp_error::cause(settings, &error);
            anyhow!("`{address}` {cause} ({error})")
        })?,
    };
    ensure!(is_well, "`{address}` closed the connection: contact the mail server's administrator");
    Ok(Some(address))
}

/// The sender of all emails.
fn sender(config: &Config) -> anyhow::Result<Mailbox> {
    let from = mailbox(&config.settings.mail.from);
    from.context("`from` in [mail] of event.toml must be `Name <address>`")
}

/// Parses `Name <address>` or a bare address. The name may contain any characters, with or without
/// quotes: the mail library adds quotes where needed.
fn mailbox(text: &str) -> anyhow::Result<Mailbox> {
    if let Ok(mailbox) = text.parse() {
        return Ok(mailbox);
    }
    let (name, address) = text.trim().rsplit_once('<').context("missing address")?;
    let address = address.strip_suffix('>').context("missing `>` after the address")?;
    let name = name.trim();
    let unquoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    let name = unquoted.replace("\\\"", "\"");
    ensure!(!name.chars().any(char::is_control), "the name contains control characters");
    Ok(Mailbox::new(Some(name).filter(|name| !name.is_empty()), address.trim().parse()?))
}

fn smtp(config: &Config) -> anyhow::Result<AsyncSmtpTransport<Tokio1Executor>> {
    type Smtp = AsyncSmtpTransport<Tokio1Executor>;
    let settings = &config.settings.mail;
    let tls = match settings.tls {
        MailTls::Starttls => Tls::Required(tls(settings)?),
        MailTls::Tls => Tls::Wrapper(tls(settings)?),
        MailTls::None => Tls::None,
    };
    let mut builder = Smtp::builder_dangerous(settings.host.as_str())
        .tls(tls)
        .port(settings.port)
        .timeout(Some(SMTP_SILENCE_MAX))
        .pool_config(PoolConfig::new().max_size(SENDERS_MAX as u32));
    if let Some(username) = &settings.username {
        let password = config.smtp_password.as_ref();
        let password = password.context(
            "[mail] has a username but no password: set FLAGSHIP_SMTP_PASSWORD or \
            FLAGSHIP_SMTP_PASSWORD_FILE",
        )?;
        let login = Credentials::new(username.clone(), password.expose().to_owned());
        builder = builder.credentials(login);
    }
    Ok(builder.build())
}

/// TLS parameters with the trusted certificates and the expected host name.
fn tls(settings: &Mail) -> anyhow::Result<TlsParameters> {
    let mut tls = TlsParameters::builder(settings.host.clone());
    if let Some(ca) = &settings.ca {
        let ca = Certificate::from_pem(ca.as_bytes());
        let ca = ca.context("`ca_file` in [mail] of event.toml contains no certificate")?;
        tls = tls.certificate_store(CertificateStore::None).add_root_certificate(ca);
    }
    tls.build().context("`host` or `ca_file` in [mail] of event.toml cannot be used for TLS")
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncBufReadExt, BufReader};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_sender_has_any_name() {
        for name in [
            "Harbour CTF",
            "Harbour CTF: Finals",
            "Harbour, Winter",
            "Harbour (2026)",
            "[ctf] team",
            "A&B; CTF",
            "CTF @ CIT",
            "Inté CTF",
            "日本 CTF",
            "a\\b",
            "<3 CTF",
        ] {
            let text = format!("{name} <ctf@example.org>");
            let from = mailbox(&text).unwrap_or_else(|error| panic!("{text}: {error:#}"));
            assert_eq!(from.email.to_string(), "ctf@example.org");
            assert_eq!(from.name.as_deref(), Some(name));
            // The formatted header parses as the same sender.
            let written: Mailbox = from.to_string().parse().expect("a mailbox");
            assert_eq!(written, from, "{from}");
        }
        let quoted = mailbox("\"Harbour CTF: Finals\" <ctf@example.org>").expect("a mailbox");
        assert_eq!(quoted.name.as_deref(), Some("Harbour CTF: Finals"));
        for wrong in ["", "Harbour", "Harbour <>", "Harbour <ctf>", "A: B <a@b", "A:\r\nB <a@b.c>"]
        {
            assert!(mailbox(wrong).is_err(), "{wrong:?}");
        }
    }

    /// A mail server without SMTPUTF8. Returns its port.
    async fn plain_server() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let port = listener.local_addr().expect("it listens").port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (read, mut write) = stream.into_split();
                let mut lines = BufReader::new(read).lines();
                write.write_all(b"220 mail.example.org ESMTP\r\n").await.expect("it is read");
                while let Ok(Some(_)) = lines.next_line().await {
                    write.write_all(b"250 8BITMIME\r\n").await.expect("it is read");
                }
            }
        });
        port
    }

    #[tokio::test]
    async fn an_email_to_a_non_ascii_address_fails_permanently() {
        let smtp = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous("127.0.0.1")
            .port(plain_server().await)
            .build();
        let from = mailbox("CTF <ctf@example.org>").expect("a mailbox");
        let transport =
            Transport { from, delivery: Delivery::Smtp(Box::new(smtp), Box::default()) };
        let mail = DueMail {
            id: 1,
            address: "użytkownik@example.org".to_owned(),
            subject: "Confirm".to_owned(),
            body: "Hello!".to_owned(),
            attempts: 0,
            sharer: None,
            turn: 0,
        };
        let Err(failure) = transport.send(&mail, 0).await else { panic!("it cannot be sent") };
        assert!(failure.is_final, "{}", failure.public);
        assert!(failure.public.contains("non-ASCII characters"), "{}", failure.public);
        assert!(!failure.public.contains("użytkownik"));
    }

    #[test]
    fn a_text_is_quoted_only_if_necessary() {
        let link = |bytes: usize| format!("Hello!\n\n{}\n", "x".repeat(bytes));
        let (long, longer) = (link(LINE_BYTES_MAX), link(LINE_BYTES_MAX + 1));
        let table = [
            (long.as_str(), [ContentTransferEncoding::SevenBit; 2]),
            (longer.as_str(), [ContentTransferEncoding::QuotedPrintable; 2]),
            (
                "Việt 🐙\n",
                [ContentTransferEncoding::QuotedPrintable, ContentTransferEncoding::EightBit],
            ),
        ];
        for (body, encodings) in table {
            for (is_file, expected) in [false, true].into_iter().zip(encodings) {
                let text = text(body, is_file);
                assert_eq!(text.encoding(), expected, "{} {is_file}", body.len());
                if expected != ContentTransferEncoding::QuotedPrintable {
                    assert_eq!(text.into_vec(), body.replace('\n', "\r\n").into_bytes());
                }
            }
        }
    }
}
