//! Actions as requests and the command line give them: a name and fields, read into what the store
//! does.

mod notices;
mod values;

use std::collections::BTreeSet;
use std::sync::Arc;

use flagship_game::{ChallengeId, Contest, NameError, ReservedNames, StatusKind, TeamName};
use flagship_pack::{Problem, Registration, Severity};
use flagship_store::accounts::Account;
use flagship_store::desk::questions;
use flagship_store::mail::Purpose;
use flagship_store::ops::{
    Action, ChallengeAction, EventAction, EvidenceAction, EvidenceState, NoticeAction,
    QuestionAction, TeamAction, TeamChange, Times,
};
use flagship_store::{Db, Key, Seal, StoreError, addresses};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::api::error::ApiError;
use crate::api::html::escape;
use crate::node::countries::is_country;
use crate::node::mail::address::Email;
use crate::node::mail::language::Language;
use crate::node::mail::letters::MailContext;
use crate::node::mail::outbox::{new_link_token, token_of_code};
use crate::node::organizers::{factor, sentences};
use crate::node::services::Services;
use crate::node::uploads::Uploads;
use values::{challenge, html};
pub(super) use values::{line, long, named, time};

/// Longest reason, and longest note about a team, in characters.
const TEXT_MAX: usize = 500;
/// Most challenges of one action.
const WAVE_MAX: usize = 250;
/// What actions are read with.
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
    /// The name of the organizer who acts.
    pub actor: String,
    /// The challenges that whoever acts may edit; any without them.
    pub only_challenges: Option<BTreeSet<ChallengeId>>,
    /// The event's secret.
    pub key: Key,
    /// What signs actions, and seals the sources of challenges.
    pub seal: Seal,
    /// The files that were uploaded.
    pub uploads: Uploads,
    /// Mail and captcha of the node; `None` for a command, which has none.
    pub services: Option<Arc<Services>>,
    /// Whether whoever acts has just given the second factor, so that they may take something from
    /// players, or show what the freeze hides.
    pub is_proven: bool,
}

/// An action that was read.
pub struct Read {
    /// The action.
    pub action: Action,
    /// The code that it makes, to be shown once.
    pub code: Option<String>,
    /// The digests of the files that it gives a challenge.
    pub files: Vec<String>,
    /// What may not be meant.
    pub problems: Vec<Problem>,
}

impl Read {
    pub(super) fn of(action: Action) -> Self {
        Self { action, code: None, files: Vec::new(), problems: Vec::new() }
    }
}

/// Why an action is not read.
#[derive(Debug)]
pub enum Unread {
    /// A field is missing, unknown or of another type.
    Shape(serde_json::Error),
    /// An error of the catalogue.
    Error(ApiError),
    /// The text of the challenge cannot be edited so.
    Edit(String),
    /// The challenge has errors.
    Problems(Vec<Problem>),
    /// The settings have errors.
    Settings(Vec<Problem>),
}

impl Unread {
    /// Settings that have an error.
    pub(super) fn refused(message: String) -> Self {
        let file = "event.toml".into();
        Self::Settings(vec![Problem { severity: Severity::Error, file, line: 1, message }])
    }
}

impl From<ApiError> for Unread {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

impl From<StoreError> for Unread {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl From<NameError> for Unread {
    fn from(error: NameError) -> Self {
        Self::Error(error.into())
    }
}

impl From<Action> for Read {
    fn from(action: Action) -> Self {
        Self::of(action)
    }
}

/// The fields of actions about a team without more.
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
    #[serde(default)]
    team: Option<String>,
    challenge: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCount {
    team: String,
    challenge: String,
    at: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfRelease {
    #[serde(default)]
    challenge: Option<String>,
    #[serde(default)]
    challenges: Vec<String>,
    #[serde(default)]
    at: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfChallenge {
    challenge: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfStatus {
    challenge: String,
    status: StatusKind,
    #[serde(default)]
    note: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTimes {
    #[serde(default)]
    start: Option<String>,
    #[serde(default)]
    freeze: Option<String>,
    #[serde(default)]
    end: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfEvidence {
    team: String,
    #[serde(default)]
    other: Option<String>,
    state: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfResume {
    #[serde(default)]
    moves: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfReveal {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCorrection {
    notice: i64,
    title: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfNotice {
    notice: i64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfAnswer {
    question: i64,
    text: String,
    #[serde(default, rename = "toAll")]
    to_all: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfQuestion {
    question: i64,
}

pub(super) fn fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, Unread> {
    serde_json::from_value(Value::Object(fields)).map_err(Unread::Shape)
}

/// A reason or a note: not too long, without characters that a database does not take.
pub fn text(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if text.chars().count() > TEXT_MAX || text.contains('\0') {
        return Err(ApiError::WRONG_SHAPE);
    }
    Ok(text.to_owned())
}

fn evidence(of: OfEvidence) -> Result<EvidenceAction, ApiError> {
    let OfEvidence { team, other, state } = of;
    let state = EvidenceState::ALL.into_iter().find(|it| it.as_str() == state);
    Ok(EvidenceAction { team, other, state: state.ok_or(ApiError::WRONG_SHAPE)? })
}

impl Desk {
    /// Reads an action.
    ///
    /// # Errors
    /// What is wrong with its fields.
    pub async fn read(&self, name: &str, of: Map<String, Value>) -> Result<Read, Unread> {
        let action = match name {
            "challenge.create" => return self.create(of).await,
            "challenge.edit" => return self.edit(of).await,
            "challenge.close" => return self.close(of).await,
            "team.test" => {
                let OfTeam { team } = fields(of)?;
                let name = TeamName::parse(&team)?;
                let code = factor::new_code();
                self.check_name(&name)?;
                let token = token_of_code(&code).expect("it is a code");
                let action = Action::TestTeam { name, token };
                return Ok(Read { code: Some(code), ..Read::of(action) });
            }
            "team.ban" => change(fields(of)?, TeamChange::Ban),
            "team.unban" => change(fields(of)?, TeamChange::Unban),
            "team.hide" => change(fields(of)?, TeamChange::Hide),
            "team.show" => change(fields(of)?, TeamChange::Show),
            "team.award" => {
                let OfAward { team, points } = fields(of)?;
                change(OfTeam { team }, TeamChange::Award { points })
            }
            "team.rename" => {
                let OfRename { team, name, offensive } = fields(of)?;
                let name = TeamName::parse(&name)?;
                self.check_name(&name)?;
                Action::Team { team, action: TeamAction::Rename { name, is_offensive: offensive } }
            }
            "team.country" => {
                let OfCountry { team, country } = fields(of)?;
                if !is_country(&country) {
                    return Err(ApiError::COUNTRY.into());
                }
                Action::Team { team, action: TeamAction::Country { country } }
            }
            "team.note" => {
                let OfNote { team, text: note } = fields(of)?;
                let text = text(&note)?;
                if text.is_empty() {
                    return Err(ApiError::WRONG_SHAPE.into());
                }
                Action::Team { team, action: TeamAction::Note { text } }
            }
            "team.message" => {
                let OfNote { team, text } = fields(of)?;
                Action::Team { team, action: TeamAction::Message { text: long(&text)? } }
            }
            "team.confirm" => of_team(fields(of)?, TeamAction::Confirm),
            "team.end_sessions" => of_team(fields(of)?, TeamAction::EndSessions),
            "team.resend" => self.link(fields(of)?, Purpose::Confirm).await?,
            "team.reset" => self.link(fields(of)?, Purpose::Reset).await?,
            "team.address" => self.address(fields(of)?).await?,
            "team.code" => {
                let code = factor::new_code();
                let token = token_of_code(&code).expect("it is a code");
                let action = of_team(fields(of)?, TeamAction::Code { token });
                return Ok(Read { code: Some(code), ..Read::of(action) });
            }
            "solve.withdraw" => {
                let OfSolve { team, challenge: id } = fields(of)?;
                Action::WithdrawSolve { team, challenge: challenge(&id)? }
            }
            "solve.count" => {
                let OfCount { team, challenge: id, at } = fields(of)?;
                Action::CountSolve { team, challenge: challenge(&id)?, at_ms: time(&at)? }
            }
            _ => return self.read_more(name, of).await,
        };
        Ok(Read::of(action))
    }

    /// The actions that are about no team.
    async fn read_more(&self, name: &str, of: Map<String, Value>) -> Result<Read, Unread> {
        Ok(Read::of(match name {
            "challenge.release" => Action::Challenge(release(fields(of)?)?),
            "challenge.hide" => {
                let OfChallenge { challenge: id } = fields(of)?;
                Action::Challenge(ChallengeAction::Hide { challenge: challenge(&id)? })
            }
            "challenge.status" => {
                let OfStatus { challenge: id, status, note } = fields(of)?;
                let note = line(&note)?;
                Action::Challenge(ChallengeAction::Status {
                    challenge: challenge(&id)?,
                    status,
                    note,
                })
            }
            "challenge.rejudge" => {
                let OfChallenge { challenge: id } = fields(of)?;
                let tell = sentences::counts_now;
                Action::Challenge(ChallengeAction::Rejudge { challenge: challenge(&id)?, tell })
            }
            "event.times" => Action::Event(self.times(fields(of)?)?),
            "evidence.state" => Action::Evidence(evidence(fields(of)?)?),
            "event.pause" => {
                let OfNothing {} = fields(of)?;
                Action::Event(EventAction::Pause)
            }
            "event.resume" => {
                let OfResume { moves } = fields(of)?;
                Action::Event(EventAction::Resume { moves, is_confirmed: self.is_proven })
            }
            "event.reveal" => {
                let OfReveal { name } = fields(of)?;
                if self.contest.event().is_none_or(|event| event.name != name) {
                    return Err(ApiError::EVENT_NAME.into());
                }
                Action::Event(EventAction::Reveal { is_confirmed: self.is_proven })
            }
            "notice.post" => Action::Notice(notices::post(fields(of)?, self.now_ms)?),
            "notice.correct" => {
                let OfCorrection { notice, title, text } = fields(of)?;
                let (title, html) = (line(&title)?, html(&text)?);
                Action::Notice(NoticeAction::Correct { notice, title: named(title)?, text, html })
            }
            "notice.withdraw" => {
                let OfNotice { notice } = fields(of)?;
                Action::Notice(NoticeAction::Withdraw { notice })
            }
            "question.answer" => self.answer(fields(of)?).await?,
            "question.close" => {
                let OfQuestion { question } = fields(of)?;
                Action::Question(QuestionAction::Close { question })
            }
            _ => return self.read_settings(name, of).await,
        }))
    }

    fn times(&self, OfTimes { start, freeze, end }: OfTimes) -> Result<EventAction, ApiError> {
        let read = |text: Option<String>| text.map(|text| time(&text)).transpose();
        let times = Times { start_ms: read(start)?, freeze_ms: read(freeze)?, end_ms: read(end)? };
        if times == Times::default() {
            return Err(ApiError::WRONG_SHAPE);
        }
        Ok(EventAction::Times { times, is_confirmed: self.is_proven })
    }

    /// The answer to a question. To all it is a notice that quotes the question, without its team.
    async fn answer(&self, of: OfAnswer) -> Result<Action, ApiError> {
        let OfAnswer { question, text, to_all } = of;
        let (text, rendered) = (long(&text)?, html(&text)?);
        let to_all = match to_all {
            true => {
                let asked = questions::by_id(&self.db, question).await?;
                let asked = asked.filter(|it| !it.text.is_empty()).ok_or(ApiError::NO_QUESTION)?;
                let quoted = format!("<blockquote>{}</blockquote>", escape(&asked.text));
                Some(("A question was answered".to_owned(), quoted + &rendered))
            }
            false => None,
        };
        Ok(Action::Question(QuestionAction::Answer { question, text, to_all }))
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

    async fn link(&self, OfTeam { team }: OfTeam, purpose: Purpose) -> Result<Action, ApiError> {
        let Account { email: was, language, .. } = self.account(&team).await?;
        if was.is_empty() {
            return Err(ApiError::NO_ADDRESS);
        }
        let (mails, token) = (self.mails(), new_link_token());
        let letters = mails.in_language(Language::kept(language.as_deref()));
        let letter = letters.organizers_link(&was, purpose, &team, &token);
        Ok(Action::Team { team, action: TeamAction::Link { was, purpose, letter, token } })
    }

    /// The change of an address, with its mails.
    async fn address(&self, OfAddress { team, email }: OfAddress) -> Result<Action, ApiError> {
        let account = self.account(&team).await?;
        if account.email.is_empty() {
            return Err(ApiError::NO_ADDRESS);
        }
        let local_addresses = self.registration.local_addresses;
        let email = Email::of_team(&email, local_addresses)?;
        let (token, new) = (new_link_token(), email.as_str().to_owned());
        let mails = self.mails();
        let letters = mails.in_language(Language::kept(account.language.as_deref()));
        if account.confirmed_at_ms.is_none() {
            let letter = letters.organizers_link(&new, Purpose::Confirm, &team, &token);
            return Ok(Action::Team {
                team,
                action: TeamAction::Correct { email: new, letter, token },
            });
        }
        let at_once = self.confirms_addresses;
        let warning = letters.address_changes(&account.email, &team, &token, at_once);
        let notice = letters.new_address(&email, &team, at_once);
        let (was, warning) = (account.email, (warning, token));
        Ok(Action::Team {
            team,
            action: TeamAction::Address { was, email: new, at_once, warning, notice },
        })
    }
}

fn release(of: OfRelease) -> Result<ChallengeAction, ApiError> {
    let OfRelease { challenge: one, challenges, at } = of;
    let ids: BTreeSet<String> = one.into_iter().chain(challenges).collect();
    if ids.is_empty() || ids.len() > WAVE_MAX {
        return Err(ApiError::WRONG_SHAPE);
    }
    let challenges: Result<_, _> = ids.iter().map(|id| challenge(id)).collect();
    let at_ms = at.map(|at| time(&at)).transpose()?;
    Ok(ChallengeAction::Release { challenges: challenges?, at_ms })
}

fn of_team(OfTeam { team }: OfTeam, action: TeamAction) -> Action {
    Action::Team { team, action }
}

fn change(team: OfTeam, change: TeamChange) -> Action {
    of_team(team, TeamAction::Change(change))
}
