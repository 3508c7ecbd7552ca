//! Acts as requests and the command line give them: a name and fields, read into what the store
//! does.

use std::sync::Arc;

use flagship_game::{ChallengeId, Contest, ReservedNames, TeamName};
use flagship_pack::Registration;
use flagship_store::accounts::Account;
use flagship_store::mail::Purpose;
use flagship_store::ops::{Act, TeamAct, TeamChange};
use flagship_store::{Db, addresses};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::accounts::is_country;
use crate::api::error::ApiError;
use crate::node::mail::address::Email;
use crate::node::mail::letters::MailContext;
use crate::node::mail::outbox::{new_link_token, token_of_code};
use crate::node::organizers::factor;

/// Longest reason, and longest note, in characters.
const TEXT_MAX: usize = 500;

/// What acts are read with.
pub struct Desk {
    /// The database.
    pub db: Db,
    /// A fold of the journal.
    pub contest: Arc<Contest>,
    /// The time, in epoch milliseconds.
    pub now_ms: i64,
    /// Where players reach the site, for links in mails.
    pub public_url: String,
    /// The rules of addresses and names.
    pub registration: Registration,
    /// Whether an address that whoever acts changes counts at once.
    pub confirms_addresses: bool,
}

/// An act that was read.
pub struct Read {
    /// The act.
    pub act: Act,
    /// The code that it makes, to be shown once.
    pub code: Option<String>,
}

/// The fields of acts about a team without more.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTeam {
    team: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfAward {
    team: String,
    points: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfAddress {
    team: String,
    email: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRename {
    team: String,
    name: String,
    #[serde(default)]
    offensive: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCountry {
    team: String,
    country: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNote {
    team: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfSolve {
    team: String,
    challenge: String,
}

fn fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, ApiError> {
    serde_json::from_value(Value::Object(fields)).map_err(|_| ApiError::WRONG_SHAPE)
}

/// A reason or a note: not too long, without characters that a database does not take.
pub fn text(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.chars().count() > TEXT_MAX || text.contains('\0') {
        return Err(ApiError::WRONG_SHAPE);
    }
    Ok(text.to_owned())
}

fn challenge(id: &str) -> Result<ChallengeId, ApiError> {
    ChallengeId::parse(id).map_err(|_| ApiError::NO_CHALLENGE)
}

impl Desk {
    /// Reads an act.
    ///
    /// # Errors
    /// What is wrong with its fields.
    pub async fn read(&self, name: &str, of: Map<String, Value>) -> Result<Read, ApiError> {
        let act = match name {
            "team.ban" => change(fields(of)?, TeamChange::Ban),
            "team.unban" => change(fields(of)?, TeamChange::Unban),
            "team.hide" => change(fields(of)?, TeamChange::Hide),
            "team.show" => change(fields(of)?, TeamChange::Show),
            "team.award" => {
                let OfAward { team, points } = fields(of)?;
                change(OfTeam { team }, TeamChange::Award { points, reason: String::new() })
            }
            "team.rename" => {
                let OfRename { team, name, offensive } = fields(of)?;
                let name = TeamName::parse(&name)?;
                self.check_name(&name)?;
                Act::Team { team, act: TeamAct::Rename { name, is_offensive: offensive } }
            }
            "team.country" => {
                let OfCountry { team, country } = fields(of)?;
                if !is_country(&country) {
                    return Err(ApiError::COUNTRY);
                }
                Act::Team { team, act: TeamAct::Country { country } }
            }
            "team.note" => {
                let OfNote { team, text: note } = fields(of)?;
                let text = text(&note)?;
                if text.is_empty() {
                    return Err(ApiError::WRONG_SHAPE);
                }
                Act::Team { team, act: TeamAct::Note { text } }
            }
            "team.confirm" => of_team(fields(of)?, TeamAct::Confirm),
            "team.end_sessions" => of_team(fields(of)?, TeamAct::EndSessions),
            "team.resend" => self.link(fields(of)?, Purpose::Confirm).await?,
            "team.reset" => self.link(fields(of)?, Purpose::Reset).await?,
            "team.address" => self.address(fields(of)?).await?,
            "team.code" => {
                let code = factor::new_code();
                let token = token_of_code(&code).expect("it is a code");
                let act = of_team(fields(of)?, TeamAct::Code { token });
                return Ok(Read { act, code: Some(code) });
            }
            "solve.withdraw" => {
                let OfSolve { team, challenge: id } = fields(of)?;
                Act::WithdrawSolve { team, challenge: challenge(&id)? }
            }
            _ => return Err(ApiError::NOT_FOUND),
        };
        Ok(Read { act, code: None })
    }

    fn mails(&self) -> MailContext {
        MailContext::new(&self.contest, &self.public_url)
    }

    /// Refuses a name that is kept for the organizers.
    fn check_name(&self, name: &TeamName) -> Result<(), ApiError> {
        let more = self.registration.reserved_names.iter().map(String::as_str);
        let event = self.contest.event().map(|event| event.name.as_str());
        match ReservedNames::new(more.chain(event)).contains(name) {
            true => Err(ApiError::NAME_RESERVED),
            false => Ok(()),
        }
    }

    /// The account of a team that has not lapsed.
    async fn account(&self, team: &str) -> Result<Account, ApiError> {
        let account = addresses::named(&self.db, team).await?;
        account.filter(|it| !it.has_lapsed(self.now_ms)).ok_or(ApiError::NO_TEAM)
    }

    async fn link(&self, OfTeam { team }: OfTeam, purpose: Purpose) -> Result<Act, ApiError> {
        let (was, token) = (self.account(&team).await?.email, new_link_token());
        let letter = self.mails().organizers_link(&was, purpose, &team, &token);
        Ok(Act::Team { team, act: TeamAct::Link { was, purpose, letter, token } })
    }

    /// The change of an address, with its mails.
    async fn address(&self, OfAddress { team, email }: OfAddress) -> Result<Act, ApiError> {
        let account = self.account(&team).await?;
        let email = Email::parse(&email)
            .filter(|email| self.registration.local_addresses || email.is_public())
            .ok_or(ApiError::EMAIL)?;
        let (token, new) = (new_link_token(), email.as_str().to_owned());
        if account.confirmed_at_ms.is_none() {
            let letter = self.mails().organizers_link(&new, Purpose::Confirm, &team, &token);
            return Ok(Act::Team { team, act: TeamAct::Correct { email: new, letter, token } });
        }
        let at_once = self.confirms_addresses;
        let warning = self.mails().address_changes(&account.email, &team, &token, at_once);
        let notice = self.mails().new_address(&email, &team, at_once);
        let (was, warning) = (account.email, (warning, token));
        Ok(Act::Team { team, act: TeamAct::Address { was, email: new, at_once, warning, notice } })
    }
}

fn of_team(OfTeam { team }: OfTeam, act: TeamAct) -> Act {
    Act::Team { team, act }
}

fn change(team: OfTeam, change: TeamChange) -> Act {
    of_team(team, TeamAct::Change(change))
}
