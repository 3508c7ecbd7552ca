//! The catalogue of errors that a client can get: a status, a stable code for programs and one
//! sentence for a person, which never echoes the request. docs/api.md lists them; a test compares.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagship_actions::mail::address::EmailError;
use flagship_game::NameError;
use flagship_game::contest::Refusal;
use flagship_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::node::error::{LaneError, NodeError};
use crate::node::passwords::PasswordError;
use crate::node::readiness::Unready;

/// Seconds after which a client may try again after an overload.
const OVERLOAD_RETRY_S: u64 = 2;

/// An error that a client receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: &'static str,
    retry_after_s: Option<u64>,
}

macro_rules! catalogue {
    ($($(#[$doc:meta])* $name:ident = $status:ident, $code:literal, $message:literal;)*) => {
        #[allow(missing_docs)]
        impl ApiError {
            $($(#[$doc])* pub const $name: Self = Self {
                status: StatusCode::$status,
                code: $code,
                message: $message,
                retry_after_s: None,
            };)*

            /// The whole catalogue.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

catalogue! {
    NOT_A_SOCKET = BAD_REQUEST, "websocket_required", "This address speaks WebSocket only.";
    NOT_JSON = BAD_REQUEST, "json_invalid", "The request's body is not valid JSON.";
    WRONG_SHAPE = UNPROCESSABLE_ENTITY, "field_invalid",
        "A field of the request is missing or of the wrong type.";
    NOT_JSON_TYPE = UNSUPPORTED_MEDIA_TYPE, "content_type_unsupported",
        "Send the request's body as application/json.";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "body_too_large",
        "The request is larger than anything that fits here.";
    NOT_HTTP = BAD_REQUEST, "request_malformed", "This is no request that the server understands.";
    LONG_URI = URI_TOO_LONG, "uri_too_long",
        "This address is longer than any that leads somewhere.";
    LARGE_HEAD = REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large",
        "The request's headers are larger than anything here.";
    BROKEN_BODY = BAD_REQUEST, "body_incomplete", "The request's body broke off.";
    SOCKETS = TOO_MANY_REQUESTS, "too_many_connections",
        "There are too many live connections from your network.";
    ORGANIZER_SOCKETS = TOO_MANY_REQUESTS, "organizer_too_many_connections",
        "You have too many live connections; close some of them.";
    TOO_SLOW = REQUEST_TIMEOUT, "request_timeout", "The request took too long to arrive.";
    UNAUTHORIZED = UNAUTHORIZED, "login_needed", "Please log in first.";
    NOT_FOUND = NOT_FOUND, "not_found", "There is nothing here.";
    METHOD = METHOD_NOT_ALLOWED, "method_not_allowed", "This address does not work that way.";
    INTERNAL = INTERNAL_SERVER_ERROR, "internal_error",
        "Something went wrong on our side; please try again.";
    NOT_STARTED = FORBIDDEN, "event_not_started", "The CTF has not started yet.";
    ENDED = FORBIDDEN, "event_ended", "The CTF has ended.";
    PAUSED = FORBIDDEN, "paused", "The CTF is paused: flags count again when it goes on.";
    LOCKED = FORBIDDEN, "challenge_locked", "Solve the challenges that this one requires first.";
    NO_CHALLENGE = NOT_FOUND, "challenge_not_found", "There is no such challenge.";
    CHALLENGE_CLOSED = FORBIDDEN, "challenge_closed", "This challenge takes no flags any more.";
    RANGE = RANGE_NOT_SATISFIABLE, "range_not_satisfiable",
        "The file does not have the bytes that were asked for.";
    NO_TEAM = NOT_FOUND, "team_not_found", "There is no such team.";
    FLAG_MISSING = BAD_REQUEST, "flag_missing", "flag missing";
    FLAG_LONG = BAD_REQUEST, "flag_too_long", "A flag has at most 256 characters.";
    TOO_FAST = TOO_MANY_REQUESTS, "flag_too_fast",
        "Too many wrong flags; take a breath and try again.";
    TOO_MANY = TOO_MANY_REQUESTS, "too_many_attempts",
        "Too many attempts; please wait a little and try again.";
    CAPTCHA = BAD_REQUEST, "captcha_invalid", "Invalid captcha";
    CAPTCHA_AWAY = SERVICE_UNAVAILABLE, "captcha_unavailable",
        "The captcha cannot be checked now; please try again.";
    LOGIN = UNAUTHORIZED, "credentials_wrong", "Wrong team name or password.";
    UNCONFIRMED = FORBIDDEN, "email_unconfirmed",
        "Confirm your e-mail first: follow the link that we sent you.";
    BANNED = FORBIDDEN, "team_banned", "This team has been banned. Contact the organizers.";
    CONFIRMED = CONFLICT, "email_confirmed", "This team's address is confirmed: log in instead.";
    CLOSED = FORBIDDEN, "registration_closed", "Registration is closed.";
    NAME_TAKEN = CONFLICT, "team_name_taken",
        "A team with this or a look-alike name already exists.";
    NAME_RESERVED = CONFLICT, "team_name_reserved",
        "This name is kept for the organizers; pick another.";
    NAME_LENGTH = UNPROCESSABLE_ENTITY, "team_name_length", "A team name has 3 to 25 characters.";
    NAME_INVISIBLE = UNPROCESSABLE_ENTITY, "team_name_invisible_character",
        "A team name has no invisible or control characters.";
    NAME_UNKNOWN = UNPROCESSABLE_ENTITY, "team_name_unsupported_character",
        "A team name has only characters that every device can show.";
    NAME_MARKS = UNPROCESSABLE_ENTITY, "team_name_too_many_accents",
        "A team name has at most two accents on a letter.";
    PASSWORD_SHORT = UNPROCESSABLE_ENTITY, "password_too_short", "The password is too short.";
    PASSWORD_LONG = UNPROCESSABLE_ENTITY, "password_too_long",
        "A password has at most 128 characters.";
    PASSWORD_COMMON = UNPROCESSABLE_ENTITY, "password_too_common",
        "This password is among the first that anyone tries; pick another.";
    PASSWORD_WRONG = FORBIDDEN, "password_wrong", "This is not your team's present password.";
    MEMBERS = UNPROCESSABLE_ENTITY, "members_too_many", "These are more people than a team has.";
    ADDRESS_FULL = CONFLICT, "email_used_too_often",
        "Many teams have this address already; pick another.";
    EMAIL = UNPROCESSABLE_ENTITY, "email_invalid", "This is not an e-mail address.";
    EMAIL_NOT_ASCII = UNPROCESSABLE_ENTITY, "email_not_ascii",
        "Many mail servers refuse this address: use one with plain letters before the @.";
    COUNTRY = UNPROCESSABLE_ENTITY, "country_unknown", "This is not a country of the list.";
    STOPPING = SERVICE_UNAVAILABLE, "server_stopping", "The server is stopping.";
    NO_DATABASE = SERVICE_UNAVAILABLE, "database_unavailable", "The database does not answer.";
    NO_WRITES = SERVICE_UNAVAILABLE, "journal_not_writable", "The journal cannot be written to.";
    BEHIND = SERVICE_UNAVAILABLE, "board_behind", "The board is behind the journal.";
    READ_ONLY = SERVICE_UNAVAILABLE, "read_only",
        "This server only reads: a newer Flagship writes the journal. Please tell the organizers.";
    FACTOR_NEEDED = FORBIDDEN, "factor_needed", "Give the code of your second factor.";
    CODE = UNPROCESSABLE_ENTITY, "code_wrong", "This code is wrong or was used before.";
    ORGANIZER_LOGIN = UNAUTHORIZED, "organizer_credentials_wrong", "Wrong name or password.";
    CROSS_SITE = FORBIDDEN, "request_cross_site", "This was not sent by the event's own site.";
    ROLE = UNPROCESSABLE_ENTITY, "role_unknown",
        "Give at least one role: observer, author, support, organizer or owner.";
    CHALLENGES = UNPROCESSABLE_ENTITY, "challenges_mismatch",
        "An author has the ids of at least one challenge, and nobody else has any.";
    ORGANIZER_NAME_TAKEN = CONFLICT, "organizer_name_taken",
        "An organizer with this or a look-alike name already exists.";
    NO_ORGANIZER = NOT_FOUND, "organizer_not_found", "There is no such organizer.";
    LAST_OWNER = CONFLICT, "last_owner",
        "This is the last owner who can sign in; another owner has to use their invitation first.";
    OWN_RESET = CONFLICT, "own_reset",
        "Replace your second factor instead, or ask another owner for a reset.";
    TOKENS = CONFLICT, "too_many_tokens",
        "This organizer has 20 tokens already; end one of them first.";
    TOKEN_DAYS = UNPROCESSABLE_ENTITY, "token_days_invalid", "A token is valid for 1 to 366 days.";
    CONFIRM = UNPROCESSABLE_ENTITY, "confirmation_wrong",
        "To confirm, type the name exactly as it is shown.";
    NOT_OVER = CONFLICT, "event_not_over",
        "The event is not over. Confirm that the teams cannot log in any more.";
    REASON_MISSING = UNPROCESSABLE_ENTITY, "reason_missing", "Say why, for the record.";
    TOUCHED = CONFLICT, "object_touched", "Somebody did something with this meanwhile: look again.";
    KEY_CONFLICT = CONFLICT, "idempotency_conflict",
        "This key came with another request; send a new one.";
    KEY_IN_PROGRESS = CONFLICT, "idempotency_in_progress",
        "The first request with this key is not answered yet; try again in a moment.";
    LATER_ACTIONS = CONFLICT, "later_actions",
        "Take the later actions about the same thing back first.";
    CHALLENGE_ID = UNPROCESSABLE_ENTITY, "challenge_id_invalid",
        "An id has 1 to 64 characters of A-Z, a-z, 0-9, dot, dash and underscore.";
    CHALLENGE_TAKEN = CONFLICT, "challenge_taken", "There is a challenge with this id already.";
    CHALLENGE_INVALID = UNPROCESSABLE_ENTITY, "challenge_invalid",
        "The challenge has errors, which are listed.";
    MOVES_POINTS = FORBIDDEN, "moves_points",
        "Only those who run the contest change what moves points: ask one of them.";
    ALTERED = CONFLICT, "challenges_altered",
        "Another program changed challenges or flags: apply the files first.";
    QUESTIONS = TOO_MANY_REQUESTS, "too_many_questions",
        "Three of your questions wait for an answer; please wait for one.";
    NO_FILE = UNPROCESSABLE_ENTITY, "file_unknown", "Upload the file first.";
    NO_NOTICE = NOT_FOUND, "notice_not_found", "There is no such notice.";
    NO_QUESTION = NOT_FOUND, "question_not_found", "There is no such question.";
    TIME = UNPROCESSABLE_ENTITY, "time_invalid",
        "Write a time with its offset, like 2026-11-25T14:00:00+01:00.";
    UNTIL = UNPROCESSABLE_ENTITY, "urgent_until_invalid",
        "Only an urgent notice has an end, which comes after it is posted.";
    TIME_OUTSIDE = UNPROCESSABLE_ENTITY, "time_outside_event",
        "The time has to be within the event, and not in the future.";
    NO_EVENT = CONFLICT, "event_unnamed", "The event has no name yet; give it one first.";
    SETTINGS_INVALID = UNPROCESSABLE_ENTITY, "settings_invalid", "These settings have errors.";
    TIMES = UNPROCESSABLE_ENTITY, "times_out_of_order",
        "Start, freeze and end have to follow each other.";
    NOT_FROZEN = CONFLICT, "not_frozen",
        "The scoreboard is not frozen: there is nothing to reveal.";
    REVEAL_WAITS = CONFLICT, "reveal_waits",
        "The event has ended, and this would show the final scoreboard: use Reveal.";
    EVENT_NAME = UNPROCESSABLE_ENTITY, "event_name_wrong",
        "This is not the event's name, which has to be typed to be sure.";
    TEXT = UNPROCESSABLE_ENTITY, "text_invalid", "A text is empty, too long or cannot be shown.";
    UNCHANGED = CONFLICT, "nothing_to_change", "There is nothing to change.";
    POINTS = UNPROCESSABLE_ENTITY, "points_out_of_range",
        "An award is at least 1 point, or 1 less, and at most a billion either way in all.";
    NOT_SOLVED = CONFLICT, "not_solved", "The team has not solved this challenge.";
    STANDING = CONFLICT, "wrong_standing",
        "This does not fit the team's standing: it has confirmed its address, or has not yet.";
    NO_ADDRESS = CONFLICT, "team_without_address",
        "This team has no address: an organizer can make a code instead.";
    ADDRESS_TAKEN = CONFLICT, "email_has_team", "Another team has this address.";
    MAILS = TOO_MANY_REQUESTS, "too_many_mails",
        "There were many mails or changes of this address; please wait.";
    NAMES = TOO_MANY_REQUESTS, "too_many_names",
        "You renamed or confirmed many teams today; ask somebody who runs the contest.";
    MESSAGES = TOO_MANY_REQUESTS, "too_many_messages",
        "This team got 20 messages in the last hour; please wait.";
    NO_UNDO = CONFLICT, "undo_impossible", "This cannot be taken back.";
    PLAYED = CONFLICT, "import_played",
        "A team of this import has played, so it stays; ban or hide single teams.";
    IMPORT_CHANGED = CONFLICT, "import_changed",
        "The file or the teams have changed since the preview: look at it again.";
    ENCODING = UNPROCESSABLE_ENTITY, "encoding_unknown", "No encoding has this label.";
    FILE_LARGE = PAYLOAD_TOO_LARGE, "file_too_large", "A file has at most 1 GiB.";
    NOT_BYTES_TYPE = UNSUPPORTED_MEDIA_TYPE, "file_type_unsupported",
        "Send the file's bytes as application/octet-stream.";
    FILE_NOT_KEPT = SERVICE_UNAVAILABLE, "file_not_kept",
        "The file was not kept: the server's disk may be full. Please tell who runs it.";
    UPLOADS = TOO_MANY_REQUESTS, "too_many_bytes_uploaded",
        "You have uploaded 10 GiB today; you can upload more from 00:00 UTC.";
    ACTIONS = TOO_MANY_REQUESTS, "too_many_actions",
        "You did as much as one may in an hour; please wait a little and try again.";
    DISK = SERVICE_UNAVAILABLE, "disk_full",
        "Nothing was done: the server's disk is almost full. Please tell who runs the server.";
    BACKUP_RUNS = TOO_MANY_REQUESTS, "backup_running",
        "A backup is being downloaded already; please wait until it has ended.";
    BACKUP_SPACE = SERVICE_UNAVAILABLE, "backup_space_missing",
        "The server's disk has too little space for a backup: free some, or make it on another \
         disk with the command flagship backup.";
    BACKUP_FAILED = INTERNAL_SERVER_ERROR, "backup_failed",
        "The backup was not made. The server's log says why: please tell who runs the server.";
    ORGANIZER_NAME = UNPROCESSABLE_ENTITY, "organizer_name_invalid",
        "An organizer's name has 3 to 25 characters, all of which every device can show.";
    LINK = GONE, "link_invalid", "This link was used before or is too old.";
    OVERLOAD = SERVICE_UNAVAILABLE, "overloaded",
        "The server is busy; please try again in a moment.";
    // Messages of the live channel, which have no status.
    LIVE_NOT_JSON = BAD_REQUEST, "live_message_invalid",
        "This message is not JSON of the live channel.";
    LIVE_ACTION = BAD_REQUEST, "live_action_unknown",
        "The live channel does not know this action.";
    LIVE_TOO_FAST = TOO_MANY_REQUESTS, "live_too_many_messages",
        "Too many messages; please slow down.";
    LIVE_TEAM_SOCKETS = TOO_MANY_REQUESTS, "live_too_many_connections",
        "Your team has too many live connections; please close some.";
}

impl ApiError {
    /// The error with the seconds after which the client may try again.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after_s: Some(seconds.max(1)), ..self }
    }

    /// Its status code.
    pub fn status(self) -> StatusCode {
        self.status
    }

    /// What happened, in a word that never changes: `flag_too_fast`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// What happened, in one sentence for a person.
    pub fn message(self) -> &'static str {
        self.message
    }

    /// The body of its response.
    pub(crate) fn to_json(self) -> String {
        serde_json::to_string(&self.body()).expect("a code and a sentence are plain data")
    }

    fn body(self) -> Error {
        Error { code: self.code, message: self.message }
    }

    /// The error for too much load or a database that does not answer.
    pub fn overload() -> Self {
        Self::OVERLOAD.retry_after(OVERLOAD_RETRY_S)
    }
}

/// Makes the errors of the catalogue from those of a rule, case by case.
macro_rules! errors_from {
    ($($rule:ident { $($case:ident => $error:ident,)+ })+) => {
        $(impl From<$rule> for $crate::api::error::ApiError {
            fn from(error: $rule) -> Self {
                match error {
                    $($rule::$case => Self::$error,)+
                }
            }
        })+
    };
}

pub(super) use errors_from;

errors_from! {
    EmailError {
        Invalid => EMAIL,
        NotAscii => EMAIL_NOT_ASCII,
    }
    NameError {
        Length => NAME_LENGTH,
        Invisible => NAME_INVISIBLE,
        Unknown => NAME_UNKNOWN,
        Marks => NAME_MARKS,
    }
    PasswordError {
        Short => PASSWORD_SHORT,
        Long => PASSWORD_LONG,
        Common => PASSWORD_COMMON,
    }
    Refusal {
        NotStarted => NOT_STARTED,
        Ended => ENDED,
        Paused => PAUSED,
        Closed => CHALLENGE_CLOSED,
        UnknownChallenge => NO_CHALLENGE,
        Locked => LOCKED,
        NoTeam => UNAUTHORIZED,
    }
    Unready {
        Draining => STOPPING,
        NewerFormat => READ_ONLY,
        NoDatabase => NO_DATABASE,
        NoWrites => NO_WRITES,
        Behind => BEHIND,
    }
}

impl From<NodeError> for ApiError {
    fn from(error: NodeError) -> Self {
        match error {
            NodeError::Busy => Self::overload(),
            NodeError::PasswordsFull { retry_after_s } => {
                Self::overload().retry_after(retry_after_s)
            }
            NodeError::ReadOnly => Self::READ_ONLY,
            NodeError::Internal => Self::INTERNAL,
            NodeError::Throttled { retry_after_s } => Self::TOO_MANY.retry_after(retry_after_s),
            NodeError::TooManyFlags { retry_after_s } => Self::TOO_FAST.retry_after(retry_after_s),
            NodeError::Rules(refusal) => refusal.into(),
            NodeError::Captcha => Self::CAPTCHA,
            NodeError::CaptchaUnavailable => Self::CAPTCHA_AWAY,
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        NodeError::from(error).into()
    }
}

impl From<LaneError> for ApiError {
    fn from(error: LaneError) -> Self {
        NodeError::from(error).into()
    }
}

/// The codes of all errors.
pub fn codes() -> ObjectBuilder {
    let codes = ApiError::ALL.iter().map(|error| error.code());
    let words = "What happened, for programs. A code never changes its meaning; new codes may \
                 come. Those that begin with `live_` are sent on the live channel alone.";
    let kind = ObjectBuilder::new().schema_type(Type::String).description(Some(words));
    kind.enum_values(Some(codes))
}

/// An error.
#[derive(Serialize, ToSchema)]
pub struct Error {
    #[schema(schema_with = codes)]
    code: &'static str,
    /// What happened, in one sentence for a person.
    message: &'static str,
}

/// The body of a success that has only one sentence for a person.
#[derive(Serialize, ToSchema)]
pub struct Message {
    /// The sentence.
    pub message: &'static str,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        let retry = self.retry_after_s.or_else(|| {
            (self.status == StatusCode::SERVICE_UNAVAILABLE
                || self.status == StatusCode::TOO_MANY_REQUESTS)
                .then_some(OVERLOAD_RETRY_S)
        });
        if let Some(seconds) = retry {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The lines of the table of errors in docs/api.md: code and status.
    fn documented() -> Vec<(String, String)> {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/api.md");
        let page = std::fs::read_to_string(page).expect("docs/api.md can be read");
        let (_, errors) = page.split_once("\n## Errors\n").expect("it has a section on errors");
        let (errors, _) = errors.split_once("\n## ").expect("another section follows");
        let cells = errors.lines().filter(|line| line.starts_with("| `"));
        cells
            .map(|line| {
                let cells: Vec<&str> = line.split('|').map(str::trim).collect();
                assert!(cells.len() == 5 && cells[3].len() > 10, "code, status, when: {line}");
                (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
            })
            .collect()
    }

    fn status_of(error: ApiError) -> String {
        let is_live = error.code.starts_with("live_");
        if is_live { "live".to_owned() } else { error.status.as_str().to_owned() }
    }

    #[test]
    fn the_documentation_lists_every_error_and_no_other() {
        let catalogue = ApiError::ALL.iter();
        let listed: BTreeSet<(String, String)> =
            catalogue.map(|error| (error.code.to_owned(), status_of(*error))).collect();
        let documented = documented();
        assert_eq!(documented.len(), listed.len(), "each once");
        assert_eq!(BTreeSet::from_iter(documented), listed);
    }

    #[test]
    fn every_error_has_a_code_and_a_sentence_of_its_own() {
        let codes: BTreeSet<&str> = ApiError::ALL.iter().map(|error| error.code).collect();
        let sentences: BTreeSet<&str> = ApiError::ALL.iter().map(|error| error.message).collect();
        assert_eq!((codes.len(), sentences.len()), (ApiError::ALL.len(), ApiError::ALL.len()));
        let is_word =
            |code: &str| code.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        assert!(codes.iter().all(|code| is_word(code)), "snake case: {codes:?}");
    }

    #[test]
    fn an_errors_body_has_its_code_and_its_sentence() {
        let body = r#"{"code":"flag_missing","message":"flag missing"}"#;
        assert_eq!(ApiError::FLAG_MISSING.to_json(), body);
    }
}
