//! Actions about a team.

use flagship_game::contest::{AWARD_MAX, Team};
use flagship_game::facts::{self, Fact};
use flagship_game::{TeamId, TeamName};
use serde_json::{Value, json};

use super::super::accounts::join;
use super::super::restore::Restore;
use super::acting::{Acting, ActionError, Actions};
use crate::accounts::{self, Account, NewAccount};
use crate::actions;
use crate::desk::{notes, questions};
use crate::mail::{self, Cause, Draft, Kind, Purpose, SHARER_DIGITS, Token};
use crate::{addresses, sessions};

/// How long a code is valid that an organizer tells a team, in milliseconds.
const CODE_MS: i64 = HOUR_MS;
/// Most mails to one address in an hour that organizers cause.
const MAILS_MAX: u32 = 10;
/// Most actions with mails of one organizer in an hour. Each queues one or two.
const MAIL_ACTIONS_MAX: i64 = 100;
/// Most changes of a team's address in a day.
const CHANGES_MAX: i64 = 10;
/// Most changes of teams' names in a day by an organizer who does not run the contest. Each former
/// name stays taken.
const RENAMES_MAX: i64 = 50;
/// Most confirmations of teams in a day by such an organizer: a confirmed name never lapses.
const CONFIRMATIONS_MAX: i64 = 500;
/// Maximum messages to one team per hour.
const MESSAGES_MAX: i64 = 20;
/// An hour, in milliseconds.
const HOUR_MS: i64 = 3_600_000;
/// A day, in milliseconds.
const DAY_MS: i64 = 24 * HOUR_MS;

/// A change of a team's standing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TeamChange {
    /// Removes the team from every board, forbids its logins and ends its sessions.
    Ban,
    /// Undoes a ban.
    Unban,
    /// Removes the team from every board but its own.
    Hide,
    /// Undoes hiding.
    Show,
    /// Gives the team points, or takes them.
    Award {
        /// How many; negative ones are taken.
        points: i64,
    },
}

/// What to do with a team.
#[derive(Clone)]
pub enum TeamAction {
    /// A change of its standing.
    Change(TeamChange),
    /// Gives it another name. The present one stays taken.
    Rename {
        /// The new name.
        name: TeamName,
        /// Whether the present name is to be forgotten: it does not lead to the team any more.
        is_offensive: bool,
    },
    /// Gives it another country.
    Country {
        /// The two-letter code.
        country: String,
    },
    /// Notes something about it for other organizers.
    Note {
        /// The text.
        text: String,
    },
    /// Writes to it, as an answer that it did not ask for.
    Message {
        /// The message, in plain text.
        text: String,
    },
    /// Confirms its address.
    Confirm,
    /// Ends its sessions, and the links and codes that it has not used.
    EndSessions,
    /// Changes the address of a confirmed team.
    Address {
        /// The present address, when the mails were written.
        was: String,
        /// The new address.
        email: String,
        /// Whether it counts at once, which only organizers may say.
        at_once: bool,
        /// To the present address, with the token that stops the change.
        warning: (Draft, String),
        /// To the new address.
        notice: Draft,
    },
    /// Changes the address of a team that is not confirmed.
    Correct {
        /// The new address.
        email: String,
        /// To the new address.
        letter: Draft,
        /// The token that confirms it.
        token: String,
    },
    /// Mails it a link.
    Link {
        /// Its address when the mail was written.
        was: String,
        /// What the link is for.
        purpose: Purpose,
        /// The mail.
        letter: Draft,
        /// The token of its link.
        token: String,
    },
    /// Makes a code that sets a new password, for an organizer to tell.
    Code {
        /// The code.
        token: String,
    },
}

impl TeamAction {
    /// Its name for programs.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Change(TeamChange::Ban) => "team.ban",
            Self::Change(TeamChange::Unban) => "team.unban",
            Self::Change(TeamChange::Hide) => "team.hide",
            Self::Change(TeamChange::Show) => "team.show",
            Self::Change(TeamChange::Award { .. }) => "team.award",
            Self::Rename { .. } => "team.rename",
            Self::Country { .. } => "team.country",
            Self::Note { .. } => "team.note",
            Self::Message { .. } => "team.message",
            Self::Confirm => "team.confirm",
            Self::EndSessions => "team.end_sessions",
            Self::Address { .. } | Self::Correct { .. } => "team.address",
            Self::Link { purpose: Purpose::Confirm, .. } => "team.resend",
            Self::Link { .. } => "team.reset",
            Self::Code { .. } => "team.code",
        }
    }

    /// Whether it sends mails.
    fn mails(&self) -> bool {
        matches!(self, Self::Address { .. } | Self::Correct { .. } | Self::Link { .. })
    }

    /// What is recorded of it, without addresses and secrets.
    pub(super) fn arguments(&self, team: &str) -> Value {
        match self {
            Self::Change(TeamChange::Award { points }) => {
                json!({"team": team, "points": points})
            }
            Self::Rename { name, is_offensive } => {
                json!({"team": team, "name": name.as_str(), "offensive": is_offensive})
            }
            Self::Country { country } => json!({"team": team, "country": country}),
            Self::Address { at_once: false, .. } => json!({"team": team, "waits": true}),
            _ => json!({"team": team}),
        }
    }

    /// Whether it fits a team that is confirmed, or one that is not.
    fn fits(&self, is_confirmed: bool) -> std::result::Result<(), ActionError> {
        let is_for_unconfirmed = match self {
            Self::Confirm if is_confirmed => return Err(ActionError::Unchanged),
            Self::Rename { .. } | Self::Country { .. } | Self::Note { .. } => return Ok(()),
            Self::Confirm | Self::Correct { .. } => true,
            Self::Link { purpose, .. } => *purpose == Purpose::Confirm,
            _ => false,
        };
        if is_for_unconfirmed == is_confirmed { Err(ActionError::Standing) } else { Ok(()) }
    }
}

impl Actions<'_> {
    /// Does something with a team; returns what it is about, and what puts it back.
    pub(super) async fn team(
        &mut self,
        team: &str,
        action: &TeamAction,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let account = self.account(team).await?;
        // Who may rename a team does not learn of what they may not do to it.
        let object = match action {
            TeamAction::Rename { .. } | TeamAction::Country { .. } => {
                actions::name_object(account.id)
            }
            _ => actions::team_object(account.id),
        };
        let objects = vec![object];
        self.check_head(&objects).await?;
        action.fits(account.confirmed_at_ms.is_some())?;
        // Only those who run the contest confirm addresses.
        if matches!(action, TeamAction::Address { at_once: true, .. }) && !self.who.runs_the_contest
        {
            return Err(ActionError::Ended.into());
        }
        if action.mails() {
            let since_ms = self.step.now_ms() - HOUR_MS;
            let actions = ["team.address", "team.resend", "team.reset"];
            let count =
                actions::count_in(&mut self.step.tx, &self.who.name, &actions, since_ms).await?;
            if count >= MAIL_ACTIONS_MAX {
                return Err(ActionError::Mails.into());
            }
        }
        self.check_names(action).await?;
        Ok((objects, self.do_to(&account, action).await?))
    }

    /// Refuses a helper who would take more names in a day.
    async fn check_names(&mut self, action: &TeamAction) -> Acting<()> {
        let count_max = match action {
            TeamAction::Rename { .. } => RENAMES_MAX,
            TeamAction::Confirm => CONFIRMATIONS_MAX,
            _ => return Ok(()),
        };
        if self.who.runs_the_contest {
            return Ok(());
        }
        let since_ms = self.step.now_ms() - DAY_MS;
        let (tx, by) = (&mut self.step.tx, &self.who.name);
        let count = actions::count_in(tx, by, &[action.name()], since_ms).await?;
        if count < count_max { Ok(()) } else { Err(ActionError::Names.into()) }
    }

    /// Makes a team for organizers to play with. Nobody else ever sees it.
    pub(super) async fn test_team(
        &mut self,
        name: &TeamName,
        token: &str,
    ) -> Acting<(Vec<String>, Option<Restore>)> {
        let (now_ms, keys, tx) = (self.step.now_ms(), name.keys(), &mut self.step.tx);
        if accounts::is_taken(tx, &keys, now_ms).await? {
            return Err(ActionError::NameTaken.into());
        }
        let new = NewAccount {
            name: name.clone(),
            email: String::new(),
            country: "UN".to_owned(),
            password_hash: None,
            student: false,
            language: None,
        };
        let id = accounts::insert(tx, &new, &keys, now_ms, Some(now_ms)).await?;
        let purpose = Purpose::Reset;
        let expires_at_ms = now_ms + CODE_MS;
        let token = Token { token, account_id: id, purpose, expires_at_ms };
        mail::keep_tokens(tx, &[token]).await?;
        let team = TeamId(id);
        let name = name.as_str().to_owned();
        let fact = facts::Team { team, name, country: new.country, hidden: true };
        self.step.append(now_ms, fact)?;
        Ok((vec![actions::team_object(id)], None))
    }

    /// The account of a team that has not lapsed.
    async fn account(&mut self, team: &str) -> Acting<Account> {
        let now_ms = self.step.now_ms();
        let account = accounts::named_in(&mut self.step.tx, team).await?;
        let account = account.filter(|account| !account.has_lapsed(now_ms));
        account.ok_or_else(|| ActionError::NoTeam.into())
    }

    async fn do_to(&mut self, account: &Account, action: &TeamAction) -> Acting<Option<Restore>> {
        let (id, now_ms) = (account.id, self.step.now_ms());
        match action {
            TeamAction::Change(change) => return self.change(account, change).await.map(Some),
            TeamAction::Rename { name, is_offensive } => {
                return self.rename(account, name, *is_offensive).await.map(Some);
            }
            TeamAction::Country { country } if *country == account.country => {
                return Err(ActionError::Unchanged.into());
            }
            TeamAction::Country { country } => {
                let name = account.name.clone();
                accounts::rename_in(&mut self.step.tx, id, &name, country).await?;
                self.named(TeamId(id), name, country.clone())?;
                return Ok(Some(named_before(account)));
            }
            TeamAction::Note { text } => {
                notes::add_in(&mut self.step.tx, &self.step.seal, id, text).await?;
            }
            TeamAction::Message { text } => self.tell(id, text).await?,
            TeamAction::Confirm => {
                let email = &account.email;
                if accounts::team_of_email(&mut self.step.tx, email).await?.is_some() {
                    return Err(ActionError::AddressTaken.into());
                }
                join(self.step, account.clone()).await?;
            }
            TeamAction::EndSessions => {
                mail::end_tokens_in(&mut self.step.tx, id, now_ms).await?;
                sessions::revoke_all_in(&mut self.step.tx, id, now_ms).await?;
            }
            TeamAction::Code { token } => {
                self.keep(account, token, Purpose::Reset, now_ms + CODE_MS).await?;
            }
            TeamAction::Address { was, email, at_once, warning, notice } => {
                self.check_address(account, was, email).await?;
                let since_ms = now_ms - addresses::STOP_MS;
                if addresses::count_in(&mut self.step.tx, id, since_ms).await? >= CHANGES_MAX {
                    return Err(ActionError::Mails.into());
                }
                self.send(account, notice, MAILS_MAX).await?;
                // The warning is never left out for want of a budget.
                let warning = (self.send(account, &warning.0, 0).await?, warning.1.as_str());
                let tx = &mut self.step.tx;
                addresses::change_in(tx, account, email, warning, *at_once, now_ms).await?;
            }
            TeamAction::Correct { email, letter, token } => {
                self.check_address(account, &account.email, email).await?;
                self.send(account, letter, MAILS_MAX).await?;
                addresses::correct(&mut self.step.tx, account, email, token, now_ms).await?;
            }
            TeamAction::Link { was, .. } if *was != account.email => {
                return Err(ActionError::Touched.into());
            }
            TeamAction::Link { purpose, letter, token, .. } => {
                self.send(account, letter, MAILS_MAX).await?;
                let expires_at_ms = match account.confirmed_at_ms {
                    Some(_) => now_ms + mail::LINK_MS,
                    None => lapses_at_ms(account),
                };
                self.keep(account, token, *purpose, expires_at_ms).await?;
            }
        }
        Ok(None)
    }

    async fn tell(&mut self, id: i64, text: &str) -> Acting<()> {
        let now_ms = self.step.now_ms();
        let tx = &mut self.step.tx;
        if questions::told_since_in(tx, id, now_ms - HOUR_MS).await? >= MESSAGES_MAX {
            return Err(ActionError::Messages.into());
        }
        questions::tell_in(tx, id, None, text.to_owned(), now_ms).await?;
        Ok(())
    }

    async fn change(&mut self, account: &Account, change: &TeamChange) -> Acting<Restore> {
        let id = TeamId(account.id);
        let now_ms = self.step.now_ms();
        let team = self.step.contest().team(id).ok_or(ActionError::NoTeam)?.clone();
        let fact = fact_of(&team, change)?;
        if *change == TeamChange::Ban {
            sessions::revoke_all_in(&mut self.step.tx, id.0, now_ms).await?;
        }
        self.step.append(now_ms, fact)?;
        Ok(match change {
            TeamChange::Award { points } => {
                let points = -points;
                let reason = String::new();
                Restore::fact(facts::Award { team: id, points, reason })
            }
            _ => {
                let (banned, hidden) = (team.banned, team.hidden);
                Restore::fact(facts::TeamState { team: id, banned, hidden })
            }
        })
    }

    async fn rename(
        &mut self,
        account: &Account,
        name: &TeamName,
        is_offensive: bool,
    ) -> Acting<Restore> {
        let (id, now_ms) = (account.id, self.step.now_ms());
        if account.name == name.as_str() {
            return Err(ActionError::Unchanged.into());
        }
        let tx = &mut self.step.tx;
        if !accounts::take_keys_in(tx, id, name, now_ms).await? {
            return Err(ActionError::NameTaken.into());
        }
        accounts::rename_in(tx, id, name.as_str(), &account.country).await?;
        accounts::leave_name_in(tx, account, !is_offensive).await?;
        self.named(TeamId(id), name.as_str().to_owned(), account.country.clone())?;
        Ok(named_before(account))
    }

    /// Says in the journal what a team is called, if it is there.
    pub(super) fn named(&mut self, team: TeamId, name: String, country: String) -> Acting<()> {
        if self.step.contest().team(team).is_some() {
            let now_ms = self.step.now_ms();
            self.step.append(now_ms, facts::TeamNamed { team, name, country })?;
        }
        Ok(())
    }

    /// Refuses an address that is the present one, or another team's, or if the present one is not
    /// the one that was seen.
    async fn check_address(&mut self, account: &Account, was: &str, email: &str) -> Acting<()> {
        match account.email.as_str() {
            present if present != was => return Err(ActionError::Touched.into()),
            present if present == email => return Err(ActionError::Unchanged.into()),
            _ => {}
        }
        match accounts::team_of_email(&mut self.step.tx, email).await? {
            Some(_) => Err(ActionError::AddressTaken.into()),
            None => Ok(()),
        }
    }

    async fn keep(
        &mut self,
        account: &Account,
        token: &str,
        purpose: Purpose,
        expires_at_ms: i64,
    ) -> Acting<()> {
        let token = Token { token, account_id: account.id, purpose, expires_at_ms };
        Ok(mail::keep_tokens(&mut self.step.tx, &[token]).await?)
    }

    /// Queues a mail and returns its id, unless its address has had so many in an hour. The mails
    /// about each team take turns with those of networks, so that no warning waits behind mails
    /// about other teams.
    async fn send(&mut self, account: &Account, letter: &Draft, per_hour_max: u32) -> Acting<i64> {
        let team = format!("{:0>width$x}", account.id, width = SHARER_DIGITS);
        let (network, now_ms) = (team.repeat(2), self.step.now_ms());
        let cause = Cause {
            kind: Kind::Organizer,
            network: &network,
            per_hour_max,
            account_id: Some(account.id),
        };
        let sent = mail::queue(&mut self.step.tx, letter, cause, now_ms).await?;
        sent.ok_or_else(|| ActionError::Mails.into())
    }
}

/// The fact that a change of a team records.
fn fact_of(team: &Team, change: &TeamChange) -> std::result::Result<Fact, ActionError> {
    let (banned, hidden) = match change {
        TeamChange::Ban => (true, team.hidden),
        TeamChange::Unban => (false, team.hidden),
        TeamChange::Hide => (team.banned, true),
        TeamChange::Show => (team.banned, false),
        TeamChange::Award { points } => {
            let fits =
                |points: &i64| *points != 0 && points.unsigned_abs() <= AWARD_MAX.unsigned_abs();
            let points = Some(*points).filter(fits).ok_or(ActionError::Points)?;
            let total = team.award.checked_add(points).ok_or(ActionError::Points)?;
            if total.unsigned_abs() > AWARD_MAX.unsigned_abs() {
                return Err(ActionError::Points);
            }
            // The journal is public: why is in the record of actions.
            return Ok(facts::Award { team: team.id, points, reason: String::new() }.into());
        }
    };
    match (team.banned, team.hidden) == (banned, hidden) {
        true => Err(ActionError::Unchanged),
        false => Ok(facts::TeamState { team: team.id, banned, hidden }.into()),
    }
}

/// What puts the name and the country of an account back.
pub(super) fn named_before(account: &Account) -> Restore {
    let (name, country) = (account.name.clone(), account.country.clone());
    Restore::Name { team: TeamId(account.id), name, country }
}

fn lapses_at_ms(account: &Account) -> i64 {
    account.created_at_ms + accounts::UNCONFIRMED_MS
}
