//! Importing teams from a file, after a preview. An import must name the preview it is based on.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use bytes::BytesMut;
use flagship_actions::mail::language::Language;
use flagship_actions::sentences;
use flagship_game::ReservedNames;
use flagship_pack::MailTransport;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::desk::divisions;
use flagship_store::ops::{Actor, Import, ImportError, Imported, Op, Outcome};
use flagship_store::{Db, Key, Seal, StoreError, mail};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::super::auth::{self, Authorized};
use super::super::files::{BodyReader, WINDOW};
use crate::api::error::ApiError;
use crate::api::extract::{Query, TimeLimit, is_of_type};
use crate::api::schema;
use crate::node::imports::{
    Checked, Compared, Encoding, FILE_BYTES_MAX, Fault, Invitations, Passed, Reading, Reason, Row,
    Unread,
};
use crate::node::limits::turns::Turn;
use crate::node::organizers::permissions::{IMPORT_WITH_MAIL, ImportTeams, Permission};
use crate::node::passwords::hash_of;
use crate::node::state::App;

/// Maximum number of rows shown in a preview.
const ROWS_SHOWN_MAX: usize = 20;
/// Maximum number of errors shown for a file, and also of notes.
const PROBLEMS_SHOWN_MAX: usize = 200;

/// Options for previewing a file of teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportPreviewQuery {
    /// Label of the encoding, for a file that is not Unicode: `windows-1252`.
    encoding: Option<String>,
}

/// Options for importing a file of teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// Value of `seal` in the preview.
    seal: String,
    /// Encoding, as for the preview.
    encoding: Option<String>,
    /// True to email each team a link for setting its password. Requires recent two-factor
    /// authentication.
    #[serde(default)]
    mail: bool,
}

/// Preview of an import.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    /// Seal for the import; null if nothing can be imported because the file is unreadable, a row
    /// is invalid or no team is new.
    seal: Option<String>,
    /// Reason why the file is unreadable; null if it is readable.
    unread: Option<ImportUnread>,
    /// Encoding of the file.
    encoding: Option<String>,
    /// Column separator.
    separator: Option<String>,
    /// Columns to import, in order.
    columns: Vec<String>,
    /// Ignored columns.
    passed_over: Vec<String>,
    /// Number of new teams.
    new: usize,
    /// Number of skipped teams that already exist.
    there: usize,
    /// Number of skipped teams with an unconfirmed signup.
    waiting: usize,
    /// Number of skipped teams that did not play, if the file is a team list from an event.
    listed: usize,
    /// Number of empty rows.
    blank: usize,
    /// Number of errors in the file.
    errors: usize,
    /// First new teams, at most 20.
    rows: Vec<ImportRow>,
    /// At most 200 errors, followed by at most 200 notes about skipped or suspicious rows.
    problems: Vec<schema::Found>,
    /// True if emails are sent, false if they are only written to files.
    sends_mail: bool,
    /// Number of days for which an emailed link is valid.
    mail_days: i64,
}

/// Reason why a file is unreadable.
#[derive(Serialize, ToSchema)]
struct ImportUnread {
    /// Description of the problem, in one sentence.
    message: String,
    /// Line of the first unreadable text, starting at 1; null for the whole file.
    line: Option<u64>,
    /// Names as decoded with other encodings, the most likely first.
    readings: Vec<Reading>,
}

/// A team in the file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportRow {
    /// Line in the file, starting at 1.
    line: u64,
    /// Team name.
    team_name: String,
    /// Email address.
    email: String,
    /// Country code.
    country: String,
    /// True for a student team.
    student: bool,
    /// True if the file contains a password for the team.
    has_password: bool,
}

/// Result of an import.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamsImported {
    /// ID of the action. The import can be undone until one of the teams has played.
    action: Option<i64>,
    /// Description of the import, in one sentence.
    sentence: String,
    /// Number of imported teams.
    teams: usize,
    /// Number of skipped rows.
    left_out: usize,
    /// Number of queued emails.
    mails: usize,
}

/// Previews the import of a file of teams without changing or recording anything.
#[utoipa::path(post, path = "/imports/preview", operation_id = "organizer_preview_import",
    params(ImportPreviewQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ImportPreview), (status = 429)))]
pub async fn preview(
    State(app): State<App>,
    caller: Authorized<ImportTeams>,
    Query(query): Query<ImportPreviewQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<axum::Json<ImportPreview>, ApiError> {
    let comparison = Comparison::of(&app);
    let organizer = caller.who.organizer.id;
    let encoding = encoding(query.encoding.as_deref())?;
    let (bytes, _place) = receive(&app, organizer, &headers, body).await?;
    let _turn = app.organizers.imports.take(organizer).await;
    let showing = async move {
        let checked = comparison.check(&bytes, encoding).await?;
        Ok::<_, StoreError>(match checked {
            Ok(checked) => ImportPreview::of(&checked),
            Err(unread) => ImportPreview { unread: Some(unread.into()), ..Default::default() },
        })
    };
    let shown = app.organizers.renderer.run(organizer, showing).await??;
    let transport = app.serving.services.load().config.settings.mail.transport;
    let sends_mail = transport == MailTransport::Smtp;
    Ok(axum::Json(ImportPreview { sends_mail, mail_days: invitations(&app).days, ..shown }))
}

/// Imports all teams of a previewed file, or none if an error occurs.
#[utoipa::path(post, path = "/imports", operation_id = "organizer_import", params(ImportQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = TeamsImported), (status = 409), (status = 429)))]
pub async fn import(
    State(app): State<App>,
    caller: Authorized<ImportTeams>,
    Query(query): Query<ImportQuery>,
    limit: TimeLimit,
    headers: HeaderMap,
    body: Body,
) -> Result<axum::Json<TeamsImported>, ApiError> {
    let comparison = Comparison::of(&app);
    let organizer = &caller.who.organizer;
    let ImportQuery { seal, encoding: label, mail } = query;
    let encoding = encoding(label.as_deref())?;
    let (bytes, _place) = receive(&app, organizer.id, &headers, body).await?;
    // Checked after reading the body: a client whose connection is closed while it sends never
    // reads the response.
    let rule = if mail { &IMPORT_WITH_MAIL } else { &ImportTeams::RULE };
    auth::check(&caller.who, rule)?;
    let _turn = app.organizers.imports.take(organizer.id).await;
    let previewed =
        async move { comparison.previewed_teams(&bytes, encoding, &seal, &limit).await };
    let PreviewedTeams { teams, left_out } =
        app.organizers.renderer.run(organizer.id, previewed).await??;
    let mails = if mail { invitations(&app).to_all(&teams, app.now_ms()) } else { vec![] };
    let (count, mail_count) = (teams.len(), mails.len());
    let op = Op::Import(Import { teams, mails, by: caller.who.by(rule) });
    let Imported { action, .. } = match app.run(op.by(Actor::Organizer)).await? {
        Outcome::Import(Ok(imported)) => imported,
        Outcome::Import(Err(ImportError::NameTaken { .. })) => {
            return Err(ApiError::IMPORT_CHANGED);
        }
        Outcome::Import(Err(ImportError::Ended)) => return Err(ApiError::UNAUTHORIZED),
        _ => return Err(ApiError::INTERNAL),
    };
    app.accounts.mailer.wake();
    let language = Language::default();
    let arguments = json!({"teams": count});
    let sentence = sentences::of(&organizer.name, ImportTeams::RULE.name, &arguments, language);
    Ok(axum::Json(TeamsImported { action, sentence, teams: count, left_out, mails: mail_count }))
}

/// Returns the settings for emails to imported teams.
fn invitations(app: &App) -> Invitations {
    Invitations::new(&app.contest(), &app.config().public_url, app.now_ms())
}

fn encoding(label: Option<&str>) -> Result<Option<Encoding>, ApiError> {
    label.map(|label| Encoding::of_label(label).ok_or(ApiError::ENCODING)).transpose()
}

/// Reads a file together with its memory permit. The file is read before the turn for comparing it,
/// so a slow client blocks only its own organizer.
async fn receive(
    app: &App,
    organizer: i64,
    headers: &HeaderMap,
    mut body: Body,
) -> Result<(BytesMut, Turn), ApiError> {
    if !["application/octet-stream", "text/csv"].iter().any(|it| is_of_type(headers, it)) {
        return Err(ApiError::NOT_BYTES_TYPE);
    }
    let places = &app.organizers.import_files;
    let place = places.take(organizer).await;
    let mut bytes = BytesMut::new();
    let mut reader = BodyReader::new(&mut body, WINDOW);
    while let Some(data) = reader.next_bytes(|| places.has_waiters()).await? {
        if bytes.len() + data.len() > FILE_BYTES_MAX {
            return Err(ApiError::TOO_LARGE);
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, place))
}

/// Compares files with the event, on a renderer thread.
struct Comparison {
    db: Db,
    key: Key,
    seal: Seal,
    now_ms: i64,
    local_addresses: bool,
    reserved: ReservedNames,
}

/// Teams of a previewed file.
struct PreviewedTeams {
    /// Accounts with hashed passwords.
    teams: Vec<NewAccount>,
    left_out: usize,
}

impl Comparison {
    fn of(app: &App) -> Self {
        let (settings, contest) = (app.settings(), app.contest());
        let registration = &settings.registration;
        let more = registration.reserved_names.iter().map(String::as_str);
        let event = contest.event().map(|event| event.name.as_str());
        Self {
            db: app.db().clone(),
            key: app.config().key.clone(),
            seal: app.organizers.seal.clone(),
            now_ms: app.now_ms(),
            local_addresses: registration.local_addresses,
            reserved: ReservedNames::new(more.chain(event)),
        }
    }

    async fn check(
        &self,
        bytes: &[u8],
        encoding: Option<Encoding>,
    ) -> Result<Result<Checked, Unread>, StoreError> {
        let kept = accounts::reserved_names(&self.db, self.now_ms).await?;
        let to_removed = mail::sent_to_removed(&self.db, self.now_ms).await?;
        let divisions = divisions::rules(&self.db, &self.seal).await?;
        let compared = Compared::new(kept, true, self.local_addresses)
            .after(to_removed)
            .with_divisions(divisions);
        Ok(Checked::new(bytes, encoding, &compared, &self.reserved, &self.key))
    }

    /// Returns the teams of a file if they match the preview with this seal. Hashing passwords
    /// takes a long time, so this lifts the time limit of the request.
    async fn previewed_teams(
        &self,
        bytes: &[u8],
        encoding: Option<Encoding>,
        seal: &str,
        limit: &TimeLimit,
    ) -> Result<PreviewedTeams, ApiError> {
        let checked = self.check(bytes, encoding).await?.map_err(|_| ApiError::IMPORT_CHANGED)?;
        if checked.seal != seal || !checked.is_ready() {
            return Err(ApiError::IMPORT_CHANGED);
        }
        limit.lift();
        let hashed = |Row { mut account, password, .. }: Row| {
            account.password_hash = password.map(|it| hash_of(it.as_bytes()));
            account
        };
        let sheet = checked.sheet;
        let left_out = sheet.passed.len();
        Ok(PreviewedTeams { teams: sheet.rows.into_iter().map(hashed).collect(), left_out })
    }
}

impl ImportPreview {
    /// Builds the preview of a file, without the email settings.
    fn of(checked: &Checked) -> Self {
        let sheet = &checked.sheet;
        let count =
            |of: fn(&Reason) -> bool| sheet.passed.iter().filter(|it| of(&it.reason)).count();
        let errors = sheet.faults.iter().take(PROBLEMS_SHOWN_MAX);
        let errors = errors.map(|fault| problem(fault.line, "error", fault.message.clone()));
        Self {
            seal: checked.is_ready().then(|| checked.seal.clone()),
            encoding: Some(sheet.encoding.to_owned()),
            separator: Some(sheet.separator.to_string()),
            columns: sheet.columns.clone(),
            passed_over: sheet.passed_over.clone(),
            new: sheet.rows.len(),
            there: count(|it| *it == Reason::There),
            waiting: count(|it| *it == Reason::Waiting),
            listed: count(|it| matches!(it, Reason::Listed(_))),
            blank: sheet.blank,
            errors: sheet.faults.len(),
            rows: sheet.rows.iter().take(ROWS_SHOWN_MAX).map(ImportRow::from).collect(),
            problems: errors.chain(notes(checked)).collect(),
            ..Self::default()
        }
    }
}

/// Returns the first notes about skipped or suspicious rows, in line order. Both kinds are already
/// in that order, so the remaining notes need no text.
fn notes(checked: &Checked) -> Vec<schema::Found> {
    let passed = checked.sheet.passed.iter().take(PROBLEMS_SHOWN_MAX);
    let passed = passed.map(|Passed { line, name, reason }| {
        problem(*line, "note", format!("{name:?} is skipped: {reason}"))
    });
    let about = checked.notes.iter().take(PROBLEMS_SHOWN_MAX);
    let about = about.map(|Fault { line, message }| problem(*line, "note", message.clone()));
    let mut all: Vec<schema::Found> = passed.chain(about).collect();
    all.sort_by_key(|note| note.line);
    all.truncate(PROBLEMS_SHOWN_MAX);
    all
}

fn problem(line: u64, severity: &str, message: String) -> schema::Found {
    let line = usize::try_from(line).unwrap_or(usize::MAX);
    schema::Found { line, severity: severity.to_owned(), message }
}

impl From<&Row> for ImportRow {
    fn from(Row { line, account, password }: &Row) -> Self {
        Self {
            line: *line,
            team_name: account.name.as_str().to_owned(),
            email: account.email.clone(),
            country: account.country.clone(),
            student: account.student,
            has_password: password.is_some(),
        }
    }
}

impl From<Unread> for ImportUnread {
    fn from(unread: Unread) -> Self {
        let message = unread.to_string();
        let (line, readings) = match unread {
            Unread::Encoding { line, readings } => (Some(line), readings),
            Unread::Malformed { line, .. } => (Some(line), Vec::new()),
            Unread::Large | Unread::Spreadsheet | Unread::Ctfd | Unread::Zip => (None, Vec::new()),
        };
        Self { message, line, readings }
    }
}
