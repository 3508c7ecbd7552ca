//! The catalogue of what a client is told when something does not work: one kind sentence each,
//! never an echo of what was sent.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flagship_store::StoreError;
use serde::Serialize;

/// Seconds after which a client that met an overload may try again.
const OVERLOAD_RETRY_S: u64 = 2;

/// An error as a client is told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiError {
    status: StatusCode,
    message: &'static str,
    retry_after_s: Option<u64>,
}

macro_rules! catalogue {
    ($($(#[$doc:meta])* $name:ident = $status:ident, $message:literal;)*) => {
        #[allow(missing_docs)]
        impl ApiError {
            $($(#[$doc])* pub const $name: Self =
                Self { status: StatusCode::$status, message: $message, retry_after_s: None };)*
        }
    };
}

catalogue! {
    NOT_A_SOCKET = BAD_REQUEST, "This address speaks WebSocket only.";
    NOT_JSON = BAD_REQUEST, "The request's body is not valid JSON.";
    WRONG_SHAPE = UNPROCESSABLE_ENTITY, "A field of the request is missing or of the wrong type.";
    NOT_JSON_TYPE = UNSUPPORTED_MEDIA_TYPE, "Send the request's body as application/json.";
    TOO_LARGE = PAYLOAD_TOO_LARGE, "The request is larger than anything that fits here.";
    NOT_HTTP = BAD_REQUEST, "This is no request that the server understands.";
    LONG_ADDRESS = URI_TOO_LONG, "This address is longer than any that leads somewhere.";
    LARGE_HEAD =
        REQUEST_HEADER_FIELDS_TOO_LARGE, "The request's headers are larger than anything here.";
    BROKEN_BODY = BAD_REQUEST, "The request's body broke off.";
    SOCKETS = TOO_MANY_REQUESTS, "There are too many live connections from your network.";
    TOO_SLOW = REQUEST_TIMEOUT, "The request took too long to arrive.";
    UNAUTHORIZED = UNAUTHORIZED, "Please log in first.";
    NOT_FOUND = NOT_FOUND, "There is nothing here.";
    METHOD = METHOD_NOT_ALLOWED, "This address does not work that way.";
    INTERNAL = INTERNAL_SERVER_ERROR, "Something went wrong on our side; please try again.";
    NOT_STARTED = FORBIDDEN, "The CTF has not started yet.";
    ENDED = FORBIDDEN, "The CTF has ended.";
    LOCKED = FORBIDDEN, "Solve the challenges that this one requires first.";
    NO_CHALLENGE = NOT_FOUND, "There is no such challenge.";
    RANGE = RANGE_NOT_SATISFIABLE, "The file does not have the bytes that were asked for.";
    NO_TEAM = NOT_FOUND, "There is no such team.";
    FLAG_MISSING = BAD_REQUEST, "flag missing";
    FLAG_LONG = BAD_REQUEST, "A flag has at most 256 characters.";
    TOO_FAST = TOO_MANY_REQUESTS, "Too many wrong flags; take a breath and try again.";
    TOO_MANY = TOO_MANY_REQUESTS, "Too many attempts; please wait a little and try again.";
    CAPTCHA = BAD_REQUEST, "Invalid captcha";
    CAPTCHA_AWAY = SERVICE_UNAVAILABLE, "The captcha cannot be checked now; please try again.";
    LOGIN = UNAUTHORIZED, "Wrong team name or password.";
    UNCONFIRMED = FORBIDDEN, "Confirm your e-mail first: follow the link that we sent you.";
    CLOSED = FORBIDDEN, "Registration is closed.";
    NAME_TAKEN = CONFLICT, "A team with this or a look-alike name already exists.";
    NAME_RESERVED = CONFLICT, "This name is kept for the organizers; pick another.";
    NAME_LENGTH = UNPROCESSABLE_ENTITY, "A team name has 3 to 25 characters.";
    NAME_INVISIBLE =
        UNPROCESSABLE_ENTITY, "A team name has no invisible or control characters.";
    NAME_UNKNOWN =
        UNPROCESSABLE_ENTITY, "A team name has only characters that every device can show.";
    NAME_MARKS = UNPROCESSABLE_ENTITY, "A team name has at most two accents on a letter.";
    PASSWORD_SHORT = UNPROCESSABLE_ENTITY, "The password is too short.";
    PASSWORD_LONG = UNPROCESSABLE_ENTITY, "A password has at most 128 characters.";
    PASSWORD_COMMON =
        UNPROCESSABLE_ENTITY, "This password is among the first that anyone tries; pick another.";
    ADDRESS_FULL = CONFLICT, "Many teams have this address already; pick another.";
    EMAIL = UNPROCESSABLE_ENTITY, "This is not an e-mail address.";
    COUNTRY = UNPROCESSABLE_ENTITY, "This is not a country of the list.";
    STOPPING = SERVICE_UNAVAILABLE, "The server is stopping.";
    NO_DATABASE = SERVICE_UNAVAILABLE, "The database does not answer.";
    NO_WRITES = SERVICE_UNAVAILABLE, "The journal cannot be written to.";
    BEHIND = SERVICE_UNAVAILABLE, "The board is behind the journal.";
    READ_ONLY = SERVICE_UNAVAILABLE,
        "This server only reads: a newer Flagship writes the journal. Please tell the organizers.";
    LINK = GONE, "This link was used before or is too old.";
}

impl ApiError {
    /// The same, with the seconds after which it is worth trying again.
    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after_s: Some(seconds.max(1)), ..self }
    }

    /// Its status code.
    pub fn status(self) -> StatusCode {
        self.status
    }

    /// The body of its answer.
    pub(crate) fn to_json(self) -> String {
        let message = Message { message: self.message };
        serde_json::to_string(&message).expect("a sentence is plain data")
    }

    /// Too much to do, or the database is away: try again soon.
    pub fn overload() -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            message: "The server is busy; please try again in a moment.",
            retry_after_s: Some(OVERLOAD_RETRY_S),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        report(&error, "the store failed");
        match error {
            StoreError::Database(_) => Self::overload(),
            _ => Self::INTERNAL,
        }
    }
}

impl From<flagship_game::NameError> for ApiError {
    fn from(error: flagship_game::NameError) -> Self {
        use flagship_game::NameError;
        match error {
            NameError::Length => Self::NAME_LENGTH,
            NameError::Invisible => Self::NAME_INVISIBLE,
            NameError::Unknown => Self::NAME_UNKNOWN,
            NameError::Marks => Self::NAME_MARKS,
        }
    }
}

/// One sentence for a person.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Message {
    /// The sentence.
    pub message: &'static str,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(Message { message: self.message })).into_response();
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

/// Logs a failure with all its causes, once, where it ends.
pub fn report(error: &(dyn std::error::Error + 'static), what: &'static str) {
    tracing::error!(error = chain(error), "{what}");
}

/// An error and its causes, as one line: a form of log that has no place for causes has them too.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
