//! Joining with a printed card, which sets the team's password and logs in, once. Wrong, used and
//! void cards get the same response.

use axum::extract::State;
use axum::http::HeaderMap;
use flagship_actions::mail::language::Language;
use flagship_game::{TeamId, name};
use flagship_store::Lock;
use flagship_store::accounts::{self, Account};
use flagship_store::sightings::Kind;
use serde::Deserialize;
use utoipa::ToSchema;

use super::admission::account_of_card;
use super::login::{LoginAnswer, count_failures, origin};
use crate::api::error::ApiError;
use crate::api::extract::{ClientLanguage, Json, Part};
use crate::net::address::ClientNetwork;
use crate::node::accounts::Accounts;
use crate::node::join_cards::code_digest;
use crate::node::limits::accounts as limits;
use crate::node::passwords::{self, Permit};
use crate::node::report::report;
use crate::node::sessions::new_token;

/// Maximum requests that wait to use one card.
const WAITING_MAX: usize = 256;

/// Secret of a join card, with the new password: either `token`, or `team` and `code`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// Part of the card's link after `#`.
    token: Option<String>,
    /// Team name.
    team: Option<String>,
    /// Code on the card. Case, spaces and hyphens are ignored.
    code: Option<String>,
    /// New password, under the same rules as for signup.
    password: String,
}

/// A client that joins, with the properties of its session.
struct Joining<'a> {
    accounts: &'a Accounts,
    client: &'a ClientNetwork,
    language: Option<Language>,
    headers: &'a HeaderMap,
}

/// Sets the team's password with a join card, ends its sessions and logs in. The card works once,
/// until the end of the event.
#[utoipa::path(post, path = "/join", tag = "accounts",
    params(("Accept-Language" = Option<String>, Header, description = "Language of emails")),
    responses((status = 200, body = LoginAnswer), (status = 410), (status = 429)))]
pub async fn join(
    State(accounts): Part<Accounts>,
    client: ClientNetwork,
    ClientLanguage(language): ClientLanguage,
    headers: HeaderMap,
    Json(request): Json<JoinRequest>,
) -> Result<axum::Json<LoginAnswer>, ApiError> {
    let joining = Joining { accounts: &accounts, client: &client, language, headers: &headers };
    let JoinRequest { token, team, code, password } = request;
    let token = match (token, team, code) {
        (Some(token), None, None) => joining.by_link(&token, password).await?,
        (None, Some(team), Some(code)) => joining.by_code(&team, &code, password).await?,
        _ => return Err(ApiError::WRONG_SHAPE),
    };
    Ok(axum::Json(LoginAnswer { token }))
}

impl Joining<'_> {
    /// Joins with the token of a card's link and returns a session token.
    async fn by_link(&self, token: &str, password: String) -> Result<String, ApiError> {
        let Self { accounts, client, .. } = self;
        let account = account_of_card(accounts, client, token).await?;
        self.check_open(&account)?;
        let rules = &accounts.settings.load_full().registration;
        passwords::check(rules, &password, &account.name)?;
        // Counts as rejected unless it joins, as for a reset link.
        accounts.refused_links.begin(client, accounts.clock.now_ms())?;
        let _turn = accounts.joins.share(account.id).acquire(WAITING_MAX).await?;
        // Another request may have used the card while this one waited.
        self.find(token).await?;
        let permit = accounts.passwords.permit(client)?;
        let hash = accounts.passwords.hash(permit, password).await?;
        let session = self.set_password(&account, token, &hash).await?;
        accounts.refused_links.give_back(client);
        Ok(session)
    }

    /// Joins with the code of a card and returns a session token. An unknown team takes as long as
    /// an incorrect code, and both count as failed logins.
    async fn by_code(&self, team: &str, code: &str, password: String) -> Result<String, ApiError> {
        let Self { accounts, client, .. } = self;
        let (typed, now_ms) = (limits::login_name(team), accounts.clock.now_ms());
        accounts.limits.check_recent_rejection(typed, client, now_ms)?;
        // Depends only on the request, so it reveals nothing and leaves the card valid.
        passwords::check(&accounts.settings.load_full().registration, &password, typed)?;
        let permit = accounts.passwords.permit(client)?;
        // There is no captcha, so this limits the passwords that one network can have hashed.
        accounts.refused_links.begin(client, now_ms)?;
        let keys = name::keys(typed);
        let account = {
            let _permit = accounts.account_reads.acquire().await.expect("it is never closed");
            accounts::by_name(&accounts.db, typed, &keys).await?
        };
        let account = account.filter(|account| !account.has_lapsed(now_ms));
        let who = limits::login_subject(account.as_ref().map(|account| account.id), &keys);
        let checking = self.check_code(permit, account, code, password);
        let joined = count_failures(accounts, &who, typed, client, checking).await;
        if !matches!(joined, Err(ApiError::LINK)) {
            accounts.refused_links.give_back(client);
        }
        joined
    }

    /// Checks a code and sets the password. Without an account or with an incorrect code, runs the
    /// same read and the same hash, and then fails.
    async fn check_code(
        &self,
        permit: Permit,
        account: Option<Account>,
        code: &str,
        password: String,
    ) -> Result<String, ApiError> {
        let accounts = self.accounts;
        let id = account.as_ref().map_or(0, |account| account.id);
        let card = code_digest(&accounts.config.key, id, code);
        let found = self.find(&card).await;
        let hash = accounts.passwords.hash(permit, password).await?;
        let account = found?;
        self.check_open(&account)?;
        self.set_password(&account, &card, &hash).await
    }

    /// Returns the account of a card that is unused and not void.
    async fn find(&self, card: &str) -> Result<Account, ApiError> {
        let accounts = self.accounts;
        let _reading = accounts.link_read.lock().await;
        let now_ms = accounts.clock.now_ms();
        let found = accounts::by_card(&accounts.db, card, now_ms).await?;
        found.ok_or(ApiError::LINK)
    }

    /// Fails if the team is banned or the event is over.
    fn check_open(&self, account: &Account) -> Result<(), ApiError> {
        let contest = self.accounts.feed.latest();
        let is_banned = contest.team(TeamId(account.id)).is_some_and(|team| team.banned);
        let end_ms = contest.event().and_then(|event| event.end_ms);
        let is_over = end_ms.is_some_and(|end_ms| end_ms <= self.accounts.clock.now_ms());
        if is_banned || is_over { Err(ApiError::LINK) } else { Ok(()) }
    }

    /// Uses a card: sets the password, ends the team's sessions and returns the token of a new one.
    /// Of concurrent requests with one card, one succeeds.
    async fn set_password(
        &self,
        account: &Account,
        card: &str,
        hash: &str,
    ) -> Result<String, ApiError> {
        let Self { accounts, client, language, headers } = self;
        let (token, origin) = (new_token(), origin(accounts, client, headers));
        let mut tx = accounts.db.begin(Lock::Accounts).await?;
        let now_ms = accounts.clock.now_ms();
        let session = accounts::join(&mut tx, card, hash, (&token, &origin), now_ms).await?;
        let session = session.ok_or(ApiError::LINK)?;
        accounts::set_mail_language_in(&mut tx, account, language.map(Language::code)).await?;
        tx.commit().await?;
        accounts.sessions.add(session);
        // The card is used, so the response has to reach the client. Other sessions end shortly.
        if let Err(error) = accounts.sessions.follow(&accounts.db).await {
            report(&error, "failed to read ended sessions");
        }
        let network = accounts.sightings.network(client);
        accounts.sightings.note(TeamId(account.id), Kind::Login, None, network);
        Ok(token)
    }
}
