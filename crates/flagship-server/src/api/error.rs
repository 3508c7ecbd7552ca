//! Catalog of API errors. Each has a status, a stable code for programs and a sentence for people,
//! which never repeats text from the request. A test compares the catalog with the list in
//! docs/api.md.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagship_actions::mail::address::EmailError;
use flagship_game::contest::Refusal;
use flagship_game::{HintRefusal, NameError};
use flagship_store::StoreError;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use crate::node::error::{LaneError, NodeError};
use crate::node::passwords::PasswordError;
use crate::node::readiness::Unready;

/// Value of `Retry-After` after an overload, in seconds.
const OVERLOAD_RETRY_S: u64 = 2;

/// An API error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: &'static str,
    retry_after_s: Option<u64>,
}

macro_rules! catalog {
    ($($(#[$doc:meta])* $name:ident = $status:ident, $code:literal, $message:literal;)*) => {
        #[allow(missing_docs)]
        impl ApiError {
            $($(#[$doc])* pub const $name: Self = Self {
                status: StatusCode::$status,
                code: $code,
                message: $message,
                retry_after_s: None,
            };)*

            /// All errors.
            pub(crate) const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

catalog! {
    NOT_A_SOCKET = BAD_REQUEST, "websocket_required", "This endpoint only accepts WebSocket \
        connections.";
    NOT_JSON = BAD_REQUEST, "json_invalid", "The request body is not valid JSON.";
    WRONG_SHAPE = UNPROCESSABLE_ENTITY, "field_invalid",
        "A field is missing, has the wrong type, or has a value that is not allowed.";
    NOT_JSON_TYPE = UNSUPPORTED_MEDIA_TYPE, "content_type_unsupported",
        "Send the request body as application/json.";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "body_too_large",
        "The request body is too large.";
    NOT_HTTP = BAD_REQUEST, "request_malformed", "The request is malformed.";
    LONG_URI = URI_TOO_LONG, "uri_too_long",
        "The request URL is too long.";
    LARGE_HEAD = REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large",
        "The request headers are too large.";
    BROKEN_BODY = BAD_REQUEST, "body_incomplete", "The request body is incomplete.";
    SOCKETS = TOO_MANY_REQUESTS, "too_many_connections",
        "Too many live connections from your network.";
    ORGANIZER_SOCKETS = TOO_MANY_REQUESTS, "organizer_too_many_connections",
        "You have too many live connections. Close some and try again.";
    TOO_SLOW = REQUEST_TIMEOUT, "request_timeout", "The request timed out.";
    UNAUTHORIZED = UNAUTHORIZED, "login_needed", "Please log in first.";
    NOT_FOUND = NOT_FOUND, "not_found", "Not found.";
    METHOD = METHOD_NOT_ALLOWED, "method_not_allowed", "This endpoint does not support that HTTP \
        method.";
    INTERNAL = INTERNAL_SERVER_ERROR, "internal_error",
        "Something went wrong on our side. Please try again.";
    NOT_STARTED = FORBIDDEN, "event_not_started", "The CTF has not started yet.";
    ENDED = FORBIDDEN, "event_ended", "The CTF has ended.";
    PAUSED = FORBIDDEN, "paused", "The CTF is paused. Flags are accepted again when it resumes.";
    LOCKED = FORBIDDEN, "challenge_locked", "Solve the required challenges first.";
    NO_CHALLENGE = NOT_FOUND, "challenge_not_found", "Challenge not found.";
    NO_HINT = NOT_FOUND, "hint_not_found", "Hint not found.";
    HINT_NOT_RELEASED = FORBIDDEN, "hint_not_released", "This hint is not released yet.";
    HINT_LOCKED = FORBIDDEN, "hint_locked", "Take the required hints first.";
    HINT_COST = CONFLICT, "hint_cost_changed",
        "The cost of this hint has changed. Reload the challenges and try again.";
    POINTS_MISSING = CONFLICT, "points_missing", "Your team does not have enough points for this \
        hint.";
    ATTEMPTS_USED = FORBIDDEN, "attempts_used", "Your team has no attempts left for this \
        challenge.";
    CHALLENGE_CLOSED = FORBIDDEN, "challenge_closed", "This challenge no longer accepts flags.";
    RANGE = RANGE_NOT_SATISFIABLE, "range_not_satisfiable",
        "The requested byte range is outside the file.";
    NO_TEAM = NOT_FOUND, "team_not_found", "Team not found.";
    FLAG_MISSING = BAD_REQUEST, "flag_missing", "flag missing";
    FLAG_LONG = BAD_REQUEST, "flag_too_long", "Flags can be at most 256 characters long.";
    TOO_FAST = TOO_MANY_REQUESTS, "flag_too_fast",
        "Too many incorrect flags. Wait a moment and try again.";
    TOO_MANY = TOO_MANY_REQUESTS, "too_many_attempts",
        "Too many attempts. Wait a moment and try again.";
    CAPTCHA = BAD_REQUEST, "captcha_invalid", "Invalid captcha";
    CAPTCHA_AWAY = SERVICE_UNAVAILABLE, "captcha_unavailable",
        "The captcha could not be verified. Please try again.";
    LOGIN = UNAUTHORIZED, "credentials_wrong", "Incorrect team name or password.";
    UNCONFIRMED = FORBIDDEN, "email_unconfirmed",
        "Confirm your email first. Use the link we sent you.";
    BANNED = FORBIDDEN, "team_banned", "This team has been banned. Contact the organizers.";
    CONFIRMED = CONFLICT, "email_confirmed", "This team's email is already confirmed. Log in \
        instead.";
    CLOSED = FORBIDDEN, "registration_closed", "Registration is closed.";
    NOT_OPEN = FORBIDDEN, "registration_not_open", "Registration has not opened yet.";
    FULL = FORBIDDEN, "registration_full", "All places for teams are taken.";
    WAITING = FORBIDDEN, "registration_waiting",
        "This team is on the waiting list. It gets an email when a place is free.";
    NAME_TAKEN = CONFLICT, "team_name_taken",
        "A team with this name, or one that looks like it, already exists.";
    NAME_RESERVED = CONFLICT, "team_name_reserved",
        "This name is reserved. Choose another.";
    NAME_LENGTH = UNPROCESSABLE_ENTITY, "team_name_length", "Team names must be 3 to 25 \
        characters long.";
    NAME_INVISIBLE = UNPROCESSABLE_ENTITY, "team_name_invisible_character",
        "Team names cannot contain invisible or control characters.";
    NAME_UNKNOWN = UNPROCESSABLE_ENTITY, "team_name_unsupported_character",
        "The team name contains characters that not every device can display.";
    NAME_MARKS = UNPROCESSABLE_ENTITY, "team_name_too_many_accents",
        "Team names can have at most two accents per letter.";
    PASSWORD_SHORT = UNPROCESSABLE_ENTITY, "password_too_short", "The password is too short.";
    PASSWORD_LONG = UNPROCESSABLE_ENTITY, "password_too_long",
        "Passwords can be at most 128 characters long.";
    PASSWORD_COMMON = UNPROCESSABLE_ENTITY, "password_too_common",
        "This password is too common. Choose another.";
    PASSWORD_WRONG = FORBIDDEN, "password_wrong", "Incorrect current password.";
    MEMBERS = UNPROCESSABLE_ENTITY, "members_too_many", "Too many team members.";
    ADDRESS_FULL = CONFLICT, "email_used_too_often",
        "Too many teams already use this email address. Use another.";
    EMAIL = UNPROCESSABLE_ENTITY, "email_invalid", "Enter a valid email address.";
    EMAIL_NOT_ASCII = UNPROCESSABLE_ENTITY, "email_not_ascii",
        "Many mail servers reject this address. Use one with only ASCII characters before the @.";
    SIGNUP_CODE = UNPROCESSABLE_ENTITY, "code_invalid",
        "This code is not valid. Check it, or ask for another one.";
    EMAIL_DOMAIN = UNPROCESSABLE_ENTITY, "email_domain",
        "Email addresses of this domain cannot be used for this event. Use another address.";
    DIVISION_UNKNOWN = UNPROCESSABLE_ENTITY, "division_unknown",
        "This division does not exist, or teams cannot join it themselves.";
    DIVISION_CODE = UNPROCESSABLE_ENTITY, "division_code_invalid",
        "The code of the division is missing or not valid. Check it, or ask the organizers.";
    DIVISION_DOMAIN = UNPROCESSABLE_ENTITY, "division_domain",
        "This division is for other email addresses. Use one of its domains, or choose another \
        division.";
    DIVISION_GROUP = UNPROCESSABLE_ENTITY, "division_group",
        "A team can be in only one division of each group.";
    DIVISIONS_FIXED = FORBIDDEN, "divisions_fixed",
        "The CTF has started, so only organizers can change the divisions of a team.";
    COUNTRY = UNPROCESSABLE_ENTITY, "country_unknown", "Choose a country from the list.";
    STOPPING = SERVICE_UNAVAILABLE, "server_stopping", "The server is shutting down.";
    NO_DATABASE = SERVICE_UNAVAILABLE, "database_unavailable", "The database is not responding.";
    NO_WRITES = SERVICE_UNAVAILABLE, "journal_not_writable", "The journal is not writable.";
    BEHIND = SERVICE_UNAVAILABLE, "board_behind", "The scoreboard is behind the journal.";
    READ_ONLY = SERVICE_UNAVAILABLE, "read_only",
        "This server is read-only because a newer version of Flagship is running. Please tell the \
        organizers.";
    FACTOR_NEEDED = FORBIDDEN, "factor_needed", "Enter your two-factor code.";
    CODE = UNPROCESSABLE_ENTITY, "code_wrong", "The code is incorrect or has already been used.";
    ORGANIZER_LOGIN = UNAUTHORIZED, "organizer_credentials_wrong", "Incorrect name or password.";
    CROSS_SITE = FORBIDDEN, "request_cross_site", "Cross-site requests are not allowed.";
    ROLE = UNPROCESSABLE_ENTITY, "role_unknown",
        "Choose at least one role: observer, author, support, organizer or owner.";
    CHALLENGES = UNPROCESSABLE_ENTITY, "challenges_mismatch",
        "List at least one challenge ID for an author, and none for other roles.";
    ORGANIZER_NAME_TAKEN = CONFLICT, "organizer_name_taken",
        "An organizer with this name, or one that looks like it, already exists.";
    NO_ORGANIZER = NOT_FOUND, "organizer_not_found", "Organizer not found.";
    LAST_OWNER = CONFLICT, "last_owner",
        "This is the last owner who can log in. Another owner must accept their invitation first.";
    OWN_RESET = CONFLICT, "own_reset",
        "You cannot reset yourself. Replace your authenticator, or ask another owner to reset you.";
    TOKENS = CONFLICT, "too_many_tokens",
        "This organizer already has 20 tokens. Revoke one first.";
    TOKEN_DAYS = UNPROCESSABLE_ENTITY, "token_days_invalid", "A token is valid for 1 to 366 days.";
    CONFIRM = UNPROCESSABLE_ENTITY, "confirmation_wrong",
        "Type the exact name to confirm.";
    NOT_OVER = CONFLICT, "event_not_over",
        "The event is not over. Confirm that the teams will no longer be able to log in.";
    REASON_MISSING = UNPROCESSABLE_ENTITY, "reason_missing", "Enter a reason for the audit log.";
    TOUCHED = CONFLICT, "object_touched", "Someone else changed this in the meantime. Review it \
        and try again.";
    KEY_CONFLICT = CONFLICT, "idempotency_conflict",
        "This idempotency key was used for a different request. Use a new key.";
    KEY_IN_PROGRESS = CONFLICT, "idempotency_in_progress",
        "The first request with this idempotency key is still in progress. Try again in a moment.";
    LATER_ACTIONS = CONFLICT, "later_actions",
        "Undo the later actions on this object first.";
    CHALLENGE_ID = UNPROCESSABLE_ENTITY, "challenge_id_invalid",
        "Use 1 to 64 characters for the ID: A-Z, a-z, 0-9, dot, dash or underscore.";
    CHALLENGE_TAKEN = CONFLICT, "challenge_taken", "A challenge with this ID already exists.";
    CHALLENGE_INVALID = UNPROCESSABLE_ENTITY, "challenge_invalid",
        "The challenge has errors; see the list.";
    MOVES_POINTS = FORBIDDEN, "moves_points",
        "Only organizers and owners can change anything that affects points.";
    ALTERED = CONFLICT, "challenges_altered",
        "Challenges or flags in the database were changed by another program. Apply the files \
        first.";
    QUESTIONS = TOO_MANY_REQUESTS, "too_many_questions",
        "You have three unanswered questions. Wait for an answer first.";
    NO_FILE = UNPROCESSABLE_ENTITY, "file_unknown", "Upload the file first.";
    NO_NOTICE = NOT_FOUND, "notice_not_found", "Notice not found.";
    NO_SIGNUP_CODE = NOT_FOUND, "signup_code_not_found", "Signup code not found.";
    NO_QUESTION = NOT_FOUND, "question_not_found", "Question not found.";
    TIME = UNPROCESSABLE_ENTITY, "time_invalid",
        "Use a time with a UTC offset, like 2026-11-25T14:00:00+01:00.";
    UNTIL = UNPROCESSABLE_ENTITY, "urgent_until_invalid",
        "Only an urgent notice can have an end time, which must be after the notice is posted.";
    TIME_OUTSIDE = UNPROCESSABLE_ENTITY, "time_outside_event",
        "The time must be during the event and not in the future.";
    NO_EVENT = CONFLICT, "event_unnamed", "Set the event name first.";
    SETTINGS_INVALID = UNPROCESSABLE_ENTITY, "settings_invalid", "The settings have errors.";
    TIMES = UNPROCESSABLE_ENTITY, "times_out_of_order",
        "The start, freeze and end must be in that order.";
    NOT_FROZEN = CONFLICT, "not_frozen",
        "The scoreboard is not frozen, so there is nothing to reveal.";
    NOT_ENDED = CONFLICT, "event_running", "The event has not ended yet.";
    REVEAL_WAITS = CONFLICT, "reveal_waits",
        "The event has ended, so this would reveal the final scoreboard. Use Reveal instead.";
    EVENT_NAME = UNPROCESSABLE_ENTITY, "event_name_wrong",
        "Type the exact event name to confirm.";
    TEXT = UNPROCESSABLE_ENTITY, "text_invalid", "A text is empty, too long or cannot be \
        displayed.";
    UNCHANGED = CONFLICT, "nothing_to_change", "Nothing to change.";
    POINTS = UNPROCESSABLE_ENTITY, "points_out_of_range",
        "An award cannot be 0, and a team's total award must stay within ±1,000,000,000 points.";
    NOT_SOLVED = CONFLICT, "not_solved", "The team has not solved this challenge.";
    STANDING = CONFLICT, "wrong_standing",
        "The team's email is already confirmed, or not confirmed yet, or the team is on the \
        waiting list.";
    NO_ADDRESS = CONFLICT, "team_without_address",
        "This team has no email address. An organizer can create a reset code instead.";
    ADDRESS_TAKEN = CONFLICT, "email_has_team", "Another team already uses this email address.";
    MAILS = TOO_MANY_REQUESTS, "too_many_mails",
        "Too many emails to, or changes of, this address. Wait and try again.";
    NAMES = TOO_MANY_REQUESTS, "too_many_names",
        "You have renamed or confirmed too many teams today. Ask another organizer.";
    MESSAGES = TOO_MANY_REQUESTS, "too_many_messages",
        "This team received 20 messages in the last hour. Wait and try again.";
    NO_UNDO = CONFLICT, "undo_impossible", "This cannot be undone.";
    PLAYED = CONFLICT, "import_played",
        "This import cannot be undone because one of its teams has played. Ban or hide teams \
        individually.";
    IMPORT_CHANGED = CONFLICT, "import_changed",
        "The file or the teams have changed since the preview. Preview the file again.";
    ENCODING = UNPROCESSABLE_ENTITY, "encoding_unknown", "Unknown encoding.";
    FILE_LARGE = PAYLOAD_TOO_LARGE, "file_too_large", "Files can be at most 1 GiB.";
    NOT_BYTES_TYPE = UNSUPPORTED_MEDIA_TYPE, "file_type_unsupported",
        "Send the file's bytes as application/octet-stream.";
    FILE_NOT_KEPT = SERVICE_UNAVAILABLE, "file_not_kept",
        "The file could not be saved; the server's disk may be full. Please tell its \
        administrator.";
    UPLOADS = TOO_MANY_REQUESTS, "too_many_bytes_uploaded",
        "You have uploaded 10 GiB today. You can upload more from 00:00 UTC.";
    ACTIONS = TOO_MANY_REQUESTS, "too_many_actions",
        "You have reached the hourly limit for actions. Wait and try again.";
    DISK = SERVICE_UNAVAILABLE, "disk_full",
        "The server's disk is almost full, so nothing was changed. Please tell the server's \
        administrator.";
    BACKUP_RUNS = TOO_MANY_REQUESTS, "backup_running",
        "Another backup is being downloaded. Wait until it is complete.";
    BACKUP_SPACE = SERVICE_UNAVAILABLE, "backup_space_missing",
        "There is not enough disk space on the server for a backup. Free up space, or run flagship \
        backup with a path on another disk.";
    BACKUP_FAILED = INTERNAL_SERVER_ERROR, "backup_failed",
        "The backup failed. The server log contains the reason. Please tell the server's \
        administrator.";
    ORGANIZER_NAME = UNPROCESSABLE_ENTITY, "organizer_name_invalid",
        "Organizer names must be 3 to 25 characters long, without characters some devices cannot \
        display.";
    LINK = GONE, "link_invalid", "This link has been used or has expired.";
    OVERLOAD = SERVICE_UNAVAILABLE, "overloaded",
        "The server is busy. Please try again in a moment.";
    // Messages on the live channel, which have no status.
    LIVE_NOT_JSON = BAD_REQUEST, "live_message_invalid",
        "The message is not valid live channel JSON.";
    LIVE_ACTION = BAD_REQUEST, "live_action_unknown",
        "Unknown live channel action.";
    LIVE_TOO_FAST = TOO_MANY_REQUESTS, "live_too_many_messages",
        "Too many messages. Please slow down.";
    LIVE_TEAM_SOCKETS = TOO_MANY_REQUESTS, "live_too_many_connections",
        "Your team has too many live connections. Please close some.";
}

impl ApiError {
    /// The division that a list or feed is limited to does not exist, or is private.
    pub const NO_DIVISION: Self = Self { status: StatusCode::NOT_FOUND, ..Self::DIVISION_UNKNOWN };

    /// Adds the number of seconds after which the client may retry.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after_s: Some(seconds.max(1)), ..self }
    }

    /// Returns the HTTP status.
    pub fn status(self) -> StatusCode {
        self.status
    }

    /// Returns the stable code, such as `flag_too_fast`.
    pub fn code(self) -> &'static str {
        self.code
    }

    /// Returns the sentence for people.
    pub fn message(self) -> &'static str {
        self.message
    }

    /// Serializes the response body.
    pub(crate) fn to_json(self) -> String {
        serde_json::to_string(&self.body()).expect("a code and a sentence are plain data")
    }

    fn body(self) -> Error {
        Error { code: self.code, message: self.message }
    }

    /// Returns the error for an overload or an unresponsive database.
    pub fn overload() -> Self {
        Self::OVERLOAD.retry_after(OVERLOAD_RETRY_S)
    }
}

/// Converts the errors of a rule to errors of this catalog, case by case.
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
        AttemptsUsed => ATTEMPTS_USED,
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
            NodeError::Hint(refusal) => refusal.into(),
            NodeError::Captcha => Self::CAPTCHA,
            NodeError::CaptchaUnavailable => Self::CAPTCHA_AWAY,
        }
    }
}

impl From<HintRefusal> for ApiError {
    fn from(refusal: HintRefusal) -> Self {
        match refusal {
            HintRefusal::Challenge(refusal) => refusal.into(),
            HintRefusal::UnknownHint => Self::NO_HINT,
            HintRefusal::NotReleased => Self::HINT_NOT_RELEASED,
            HintRefusal::HintLocked => Self::HINT_LOCKED,
            HintRefusal::CostChanged => Self::HINT_COST,
            HintRefusal::PointsMissing => Self::POINTS_MISSING,
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

/// Describes the codes of all errors.
pub fn codes() -> ObjectBuilder {
    let codes = ApiError::ALL.iter().map(|error| error.code());
    let about = "Error code for programs. Codes never change their meaning, but new ones may be \
                 added. Codes that start with `live_` are sent only on the live channel.";
    let kind = ObjectBuilder::new().schema_type(Type::String).description(Some(about));
    kind.enum_values(Some(codes))
}

/// An error.
#[derive(Serialize, ToSchema)]
pub struct Error {
    #[schema(schema_with = codes)]
    code: &'static str,
    /// Description of the error, in one sentence for people.
    message: &'static str,
}

/// A success message.
#[derive(Serialize, ToSchema)]
pub struct Message {
    /// Message for people, in one sentence.
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

    /// Parses the error table in docs/api.md into codes and statuses.
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
    fn the_documentation_lists_exactly_these_errors() {
        let catalogue = ApiError::ALL.iter();
        let listed: BTreeSet<(String, String)> =
            catalogue.map(|error| (error.code.to_owned(), status_of(*error))).collect();
        let documented = documented();
        assert_eq!(documented.len(), listed.len(), "each once");
        assert_eq!(BTreeSet::from_iter(documented), listed);
    }

    #[test]
    fn error_codes_and_messages_are_unique() {
        let codes: BTreeSet<&str> = ApiError::ALL.iter().map(|error| error.code).collect();
        let sentences: BTreeSet<&str> = ApiError::ALL.iter().map(|error| error.message).collect();
        assert_eq!((codes.len(), sentences.len()), (ApiError::ALL.len(), ApiError::ALL.len()));
        let is_word =
            |code: &str| code.bytes().all(|byte| byte == b'_' || byte.is_ascii_lowercase());
        assert!(codes.iter().all(|code| is_word(code)), "snake case: {codes:?}");
    }

    #[test]
    fn error_bodies_have_a_code_and_a_message() {
        let body = r#"{"code":"flag_missing","message":"flag missing"}"#;
        assert_eq!(ApiError::FLAG_MISSING.to_json(), body);
    }
}
