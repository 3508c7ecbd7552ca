//! A test mail with settings that are not set yet.

use axum::extract::State;
use flagship_actions::Rejection;
use flagship_actions::mail::address::Email;
use flagship_actions::mail::letters::MailContext;
use flagship_actions::settings::{self, NodeSettings};
use flagship_store::mail::DueMail;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::actions::{NotDone, desk};
use super::by::By;
use crate::api::error::ApiError;
use crate::api::extract::Json;
use crate::api::schema;
use crate::node::mail::mailer::SEND_MAX;
use crate::node::organizers::permissions::TestMail;
use crate::node::services::transport::{Failure, Transport};
use crate::node::state::App;

/// Where a test mail goes, and with which settings.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailTest {
    /// An e-mail address.
    to: String,
    /// Keys of `[mail]` with the values that would be set, and `password`; as in `settings.set`.
    #[serde(default)]
    #[schema(value_type = HashMap<String, Value>)]
    values: Map<String, Value>,
}

/// What became of a test mail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailTested {
    /// Whether the mail server took it, or a file was written.
    sent: bool,
    /// If not, what the mail server said, or why it could not be asked.
    server_said: Option<String>,
}

/// Sends a test mail with the settings that are typed; changes none.
#[utoipa::path(post, path = "/mail/test", operation_id = "organizer_mail_test",
    responses((status = 200, body = MailTested), (status = 422, body = schema::NotDone),
        (status = 429)))]
pub async fn test(
    State(app): State<App>,
    by: By<TestMail>,
    Json(MailTest { to, values }): Json<MailTest>,
) -> Result<axum::Json<MailTested>, NotDone> {
    let to = Email::parse(&to).ok_or(ApiError::EMAIL)?;
    let wanted = settings::wanted(&desk(&app, &by.who), "mail", values).await?;
    let NodeSettings { settings, secrets } = wanted.of_node.ok_or(ApiError::INTERNAL)?;
    let config = app.serving.services.configured(&settings, &secrets);
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
    tracing::info!(organizer = by.who.organizer.name, is_sent, "a test mail");
    let server_said = sent.err().map(|failure| failure.detail);
    Ok(axum::Json(MailTested { sent: is_sent, server_said }))
}
