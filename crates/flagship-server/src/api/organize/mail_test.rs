//! Sending a test email with unsaved settings.

use axum::extract::State;
use flagship_actions::Rejection;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::letters::MailContext;
use flagship_actions::settings::{self, NodeSettings};
use flagship_store::mail::DueMail;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::actions::{ActionFailure, desk};
use super::auth::Authorized;
use crate::api::error::ApiError;
use crate::api::extract::Json;
use crate::api::schema;
use crate::node::mail::mailer::SEND_MAX;
use crate::node::organizers::permissions::TestMail;
use crate::node::services::transport::{Failure, Transport};
use crate::node::state::App;

/// Recipient and settings of a test email.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailTest {
    /// Email address of the recipient.
    to: String,
    /// Values to use for keys of `[mail]`, and `password`; the same members as in `settings.set`.
    #[serde(default)]
    #[schema(value_type = HashMap<String, Value>)]
    values: Map<String, Value>,
}

/// Result of a test email.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailTested {
    /// True if the mail server accepted the email, or if it was written to a file.
    sent: bool,
    /// Response of the mail server, or the reason why it could not be reached; null if the email
    /// was sent.
    server_said: Option<String>,
}

/// Sends a test email with the given settings without saving them.
#[utoipa::path(post, path = "/mail/test", operation_id = "organizer_mail_test",
    responses((status = 200, body = MailTested), (status = 422, body = schema::NotDone),
        (status = 429)))]
pub async fn test(
    State(app): State<App>,
    caller: Authorized<TestMail>,
    Json(MailTest { to, values }): Json<MailTest>,
) -> Result<axum::Json<MailTested>, ActionFailure> {
    let to = Email::parse(&to).ok_or(ApiError::EMAIL)?;
    let wanted = settings::wanted(&desk(&app, &caller.who), "mail", values).await?;
    let NodeSettings { settings, secrets } = wanted.of_node.ok_or(ApiError::INTERNAL)?;
    let config = app.serving.services.build_config(&settings, &secrets);
    let config = config.map_err(|error| Rejection::setting(format!("{error:#}")))?;
    if let Some(wait_s) = app.organizers.mail_tests.take(app.now_ms()) {
        return Err(ApiError::MAILS.retry_after(wait_s).into());
    }
    let transport = Transport::new(&config).map_err(|_| ApiError::INTERNAL)?;
    let letter = MailContext::new(&app.contest(), &config.public_url).test(&to);
    let mail = DueMail {
        id: rand::random_range(1..i64::MAX),
        address: letter.address,
        subject: letter.subject,
        body: letter.body,
        attempts: 0,
        sharer: None,
        turn: 0,
    };
    let sent = tokio::time::timeout(SEND_MAX, transport.send(&mail, app.now_ms())).await;
    let sent = sent.unwrap_or_else(|_| Err(Failure::timeout()));
    let is_sent = sent.is_ok();
    tracing::info!(organizer = caller.who.organizer.name, is_sent, "test email requested");
    let server_said = sent.err().map(|failure| failure.detail);
    Ok(axum::Json(MailTested { sent: is_sent, server_said }))
}
