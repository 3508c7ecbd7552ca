//! Teams from a file: what a file would do, and doing it. Nothing is imported that was not looked
//! at before: the import names the preview.

use axum::body::Body;
use axum::extract::State;
use axum::http::HeaderMap;
use bytes::BytesMut;
use flagship_actions::mail::language::Language;
use flagship_actions::sentences;
use flagship_game::ReservedNames;
use flagship_pack::MailTransport;
use flagship_store::accounts::{self, NewAccount};
use flagship_store::ops::{Actor, Import, ImportError, Imported, Op, Outcome};
use flagship_store::{Db, Key, StoreError, mail};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};

use super::super::by::{self, By};
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

/// Most rows of a file that a preview shows.
const ROWS_SHOWN_MAX: usize = 20;
/// Most errors of a file that are shown, and most notes.
const PROBLEMS_SHOWN_MAX: usize = 200;

/// Reading of a file of teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportPreviewQuery {
    /// The label of the encoding of a file that is not in Unicode: `windows-1252`.
    encoding: Option<String>,
}

/// Import of a file of teams.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ImportQuery {
    /// The `seal` of the preview.
    seal: String,
    /// As in the preview.
    encoding: Option<String>,
    /// True to mail each team a link to set its password; the second factor is asked for again.
    #[serde(default)]
    mail: bool,
}

/// Effect that a file of teams would have.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    /// Seal that the import has to name; null if nothing can be imported: the file cannot be read,
    /// a row is wrong, or no team is new.
    seal: Option<String>,
    /// Reason why the file cannot be read; null if it can.
    unread: Option<ImportUnread>,
    /// Name of the encoding that the file is in.
    encoding: Option<String>,
    /// Separator of its columns.
    separator: Option<String>,
    /// Columns that are read, in their order.
    columns: Vec<String>,
    /// Columns that are passed over.
    passed_over: Vec<String>,
    /// Number of new teams.
    new: usize,
    /// Number of teams that are in the event, and left out.
    there: usize,
    /// Number of teams that signed up and did not confirm their address, and are left out.
    waiting: usize,
    /// Number of teams that did not play, according to a file that is a list of an event, and are
    /// left out.
    listed: usize,
    /// Number of rows without any text.
    blank: usize,
    /// Number of errors of the file.
    errors: usize,
    /// First new teams, at most 20.
    rows: Vec<ImportRow>,
    /// Errors, at most 200, and then notes about rows that are left out or may not be meant, at
    /// most 200.
    problems: Vec<schema::Found>,
    /// True if mails leave the machine; false if they are written to files.
    sends_mail: bool,
    /// Number of days that a mailed link would be valid.
    mail_days: i64,
}

/// Reason why a file cannot be read.
#[derive(Serialize, ToSchema)]
struct ImportUnread {
    /// Reason in a sentence.
    message: String,
    /// Line of the first text that cannot be read, from 1; null for the whole file.
    line: Option<u64>,
    /// Names as other encodings read them, the likeliest first.
    readings: Vec<Reading>,
}

/// A team of a file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportRow {
    /// Line in the file, from 1.
    line: u64,
    /// Name of the team.
    team_name: String,
    /// E-mail address.
    email: String,
    /// Code of the country.
    country: String,
    /// True if it is made up of students.
    student: bool,
    /// True if the file has a password for it.
    has_password: bool,
}

/// Teams that were imported.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamsImported {
    /// Id of the action, by which it is undone until one of the teams has played.
    action: Option<i64>,
    /// Sentence that says what was done.
    sentence: String,
    /// Number of imported teams.
    teams: usize,
    /// Number of rows that were left out.
    left_out: usize,
    /// Number of mails that were queued.
    mails: usize,
}

/// Shows what a file of teams would do; nothing is changed or recorded.
#[utoipa::path(post, path = "/imports/preview", operation_id = "organizer_preview_import",
    params(ImportPreviewQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = ImportPreview), (status = 429)))]
pub async fn preview(
    State(app): State<App>,
    by: By<ImportTeams>,
    Query(query): Query<ImportPreviewQuery>,
    headers: HeaderMap,
    body: Body,
) -> Result<axum::Json<ImportPreview>, ApiError> {
    let comparison = Comparison::of(&app);
    let organizer = by.who.organizer.id;
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

/// Imports the teams of a file that was previewed, all or none.
#[utoipa::path(post, path = "/imports", operation_id = "organizer_import", params(ImportQuery),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = TeamsImported), (status = 409), (status = 429)))]
pub async fn import(
    State(app): State<App>,
    by: By<ImportTeams>,
    Query(query): Query<ImportQuery>,
    limit: TimeLimit,
    headers: HeaderMap,
    body: Body,
) -> Result<axum::Json<TeamsImported>, ApiError> {
    let comparison = Comparison::of(&app);
    let organizer = &by.who.organizer;
    let ImportQuery { seal, encoding: label, mail } = query;
    let encoding = encoding(label.as_deref())?;
    let (bytes, _place) = receive(&app, organizer.id, &headers, body).await?;
    // After the body: a client whose connection is closed while it sends never reads the response.
    let rule = if mail { &IMPORT_WITH_MAIL } else { &ImportTeams::RULE };
    by::check(&by.who, rule)?;
    let _turn = app.organizers.imports.take(organizer.id).await;
    let seen = async move { comparison.seen(&bytes, encoding, &seal, &limit).await };
    let Seen { teams, left_out } = app.organizers.renderer.run(organizer.id, seen).await??;
    let mails = if mail { invitations(&app).to_all(&teams, app.now_ms()) } else { vec![] };
    let (count, mail_count) = (teams.len(), mails.len());
    let op = Op::Import(Import { teams, mails, by: by.who.by(rule) });
    let Imported { action, .. } = match app.run(op.by(Actor::Organizer)).await? {
        Outcome::Import(Ok(imported)) => imported,
        Outcome::Import(Err(ImportError::Taken { .. })) => return Err(ApiError::IMPORT_CHANGED),
        Outcome::Import(Err(ImportError::Ended)) => return Err(ApiError::UNAUTHORIZED),
        _ => return Err(ApiError::INTERNAL),
    };
    app.accounts.mailer.wake();
    let language = Language::default();
    let arguments = json!({"teams": count});
    let sentence = sentences::of(&organizer.name, ImportTeams::RULE.name, &arguments, language);
    Ok(axum::Json(TeamsImported { action, sentence, teams: count, left_out, mails: mail_count }))
}

/// The mails to the teams of an import.
fn invitations(app: &App) -> Invitations {
    Invitations::new(&app.contest(), &app.config().public_url, app.now_ms())
}

fn encoding(label: Option<&str>) -> Result<Option<Encoding>, ApiError> {
    label.map(|label| Encoding::of_label(label).ok_or(ApiError::ENCODING)).transpose()
}

/// The bytes of a file, and their place in memory. They arrive before the turn of comparing them: a
/// client that sends slowly keeps nobody waiting but its own organizer.
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
    while let Some(data) = reader.next_bytes(|| places.are_missed()).await? {
        if bytes.len() + data.len() > FILE_BYTES_MAX {
            return Err(ApiError::TOO_LARGE);
        }
        bytes.extend_from_slice(&data);
    }
    Ok((bytes, place))
}

/// Comparison of files with the event, on a thread of the renderer.
struct Comparison {
    db: Db,
    key: Key,
    now_ms: i64,
    local_addresses: bool,
    reserved: ReservedNames,
}

/// The teams of a file that was previewed.
struct Seen {
    /// With the hashes of their passwords.
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
        let kept = accounts::kept_names(&self.db, self.now_ms).await?;
        let to_removed = mail::sent_to_removed(&self.db, self.now_ms).await?;
        let compared = Compared::new(kept, true, self.local_addresses).after(to_removed);
        Ok(Checked::new(bytes, encoding, &compared, &self.reserved, &self.key))
    }

    /// The teams of a file, if they are those of the preview with this seal. Hashing passwords
    /// takes long, so it ends the limit of the request.
    async fn seen(
        &self,
        bytes: &[u8],
        encoding: Option<Encoding>,
        seal: &str,
        limit: &TimeLimit,
    ) -> Result<Seen, ApiError> {
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
        Ok(Seen { teams: sheet.rows.into_iter().map(hashed).collect(), left_out })
    }
}

impl ImportPreview {
    /// Preview of a file, without what is known of mail.
    fn of(checked: &Checked) -> Self {
        let sheet = &checked.sheet;
        let count =
            |of: fn(&Reason) -> bool| sheet.passed.iter().filter(|it| of(&it.reason)).count();
        let errors = sheet.faults.iter().take(PROBLEMS_SHOWN_MAX);
        let errors = errors.map(|fault| found(fault.line, "error", fault.message.clone()));
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

/// First notes about rows that are left out or may not be meant, in the order of their lines. Both
/// kinds are in that order, so the others need no text.
fn notes(checked: &Checked) -> Vec<schema::Found> {
    let passed = checked.sheet.passed.iter().take(PROBLEMS_SHOWN_MAX);
    let passed = passed.map(|Passed { line, name, reason }| {
        found(*line, "note", format!("{name:?} is left out: {reason}"))
    });
    let about = checked.notes.iter().take(PROBLEMS_SHOWN_MAX);
    let about = about.map(|Fault { line, message }| found(*line, "note", message.clone()));
    let mut all: Vec<schema::Found> = passed.chain(about).collect();
    all.sort_by_key(|note| note.line);
    all.truncate(PROBLEMS_SHOWN_MAX);
    all
}

fn found(line: u64, severity: &str, message: String) -> schema::Found {
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
