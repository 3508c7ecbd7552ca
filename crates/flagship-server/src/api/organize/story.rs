//! A team and its story, as much of it as a role may see.

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use flagship_store::desk::questions::Row;
use flagship_store::lists::story::Mail as StoredMail;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::by::{self, By};
use super::cursor;
use super::submissions;
use super::teams;
use crate::api::error::ApiError;
use crate::api::extract::Query;
use crate::api::schema;
use crate::node::lists::boards::Seen;
use crate::node::lists::story::{self, Line, PAGE_MAX, Page, Sight, What, mail_state};
use crate::node::lists::teams::{self as of_teams, Mail, Team};
use crate::node::lists::{Sight as TeamSight, flags};
use crate::node::organizers::acts::{Act, ListActs, ListFlags, ListQuestions, ListTeams};
use crate::node::organizers::{Who, sentences};
use crate::node::state::App;

/// What cursors are of.
const LIST: &str = "story";

/// Which part of the story.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StoryQuery {
    /// The `next` of the page before.
    before: Option<String>,
    /// `public` shows what players see.
    #[serde(default)]
    view: String,
}

/// A team and what happened to it.
#[derive(Serialize, ToSchema)]
pub struct Story {
    /// The team.
    team: Team,
    /// At most 100 lines, the newest first.
    story: Vec<StoryLine>,
    /// The `before` of the next page; null on the last one.
    next: Option<String>,
}

/// A line of the story. What does not fit its kind is null, and what the caller may not see.
#[derive(Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StoryLine {
    /// When, in epoch milliseconds; of what is counted, when first.
    at: i64,
    /// `signed_up`, `confirmed`, `mail`, `login`, `list` (the challenges were fetched), `download`,
    /// `right`, `wrong`, `question`, `told` or `act`.
    kind: &'static str,
    /// The challenge's id.
    challenge_id: Option<String>,
    /// From which network: an IPv4 address or the first of an IPv6 /64. Null if that is not kept.
    network: Option<String>,
    /// How often it was counted since; of a wrong flag, how often its text was sent.
    times: Option<i64>,
    /// When it was last counted.
    last_at: Option<i64>,
    /// How a wrong flag came near a right one.
    near: Option<String>,
    /// What became of a mail.
    mail: Option<Mail>,
    /// The subject of a mail, the text of a question, or what was done, in a sentence.
    text: Option<String>,
    /// What became of a question.
    question: Option<StoryAnswer>,
    /// What was done.
    act: Option<StoryAct>,
}

/// What became of a question.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StoryAnswer {
    /// Its id.
    id: i64,
    /// `open`, `answered` or `closed`.
    state: String,
    /// What was answered.
    answer: Option<String>,
    /// When, in epoch milliseconds.
    answered_at: Option<i64>,
}

/// Something that an organizer did.
#[derive(Serialize, ToSchema)]
struct StoryAct {
    /// Its id.
    id: i64,
    /// The organizer's name.
    actor: String,
    /// Which: `team.ban`.
    act: String,
    /// Why; null if it was erased.
    reason: Value,
}

/// Tells what happened to a team: signup, mails, logins, downloads, flags, questions and acts.
#[utoipa::path(get, path = "/teams/{name}", tag = "organizers", operation_id = "organizer_team",
    params(("name" = String, Path,
            description = "The team's exact name, percent-encoded, or one that it had before"),
        StoryQuery),
    responses((status = 200, body = Story), (status = 401, body = schema::Error),
        (status = 403, body = schema::Error), (status = 404, body = schema::Error),
        (status = 422, body = schema::Error), (status = 503, body = schema::Error)))]
pub async fn story(
    State(app): State<App>,
    by: By<ListTeams>,
    name: Result<Path<String>, PathRejection>,
    Query(query): Query<StoryQuery>,
) -> Result<axum::Json<Story>, ApiError> {
    let Path(name) = name.map_err(|_| ApiError::NO_TEAM)?;
    let of_team = teams::sight(&by.who, &query.view)?;
    let sight = sight(&by.who, &query.view)?;
    let key = &app.config().key;
    let before = query.before.map(|it| cursor::open(key, LIST, &it)).transpose()?;
    let _view = app.organizers.views.take(by.who.organizer.id).await;
    let (team, id) = team(&app, of_team, name).await?;
    let query = story::Query { id, before, count_max: PAGE_MAX };
    let Page { lines, next } = story::page(&app.db, || app.contest(), &sight, query).await?;
    Ok(axum::Json(Story {
        team,
        story: lines.into_iter().map(StoryLine::from).collect(),
        next: next.map(|place| cursor::seal(key, LIST, place)),
    }))
}

/// What `view` leaves of what somebody sees. Each part has the rule of the list that it is from.
fn sight(who: &Who, view: &str) -> Result<Sight, ApiError> {
    let of_flags = submissions::sight(who, view)?;
    if view == "public" {
        return Ok(Sight::public());
    }
    let may = |rule| by::check(who, rule).is_ok();
    Ok(Sight {
        addresses: who.sees_addresses(),
        networks: who.sees_networks(),
        flags: if may(&ListFlags::RULE) { of_flags } else { flags::Sight::PUBLIC },
        acts: if may(&ListActs::RULE) { who.acts() } else { Vec::new() },
        questions: may(&ListQuestions::RULE).then(|| who.only_about()),
    })
}

/// The team with a name, or that had it, and the id of its account.
async fn team(app: &App, sight: TeamSight, name: String) -> Result<(Team, i64), ApiError> {
    let contest = app.contest();
    let former = contest.team_formerly(&name).filter(|_| sight.addresses);
    let known = contest.team_named(&name).or(former);
    let name = known.map_or(name, |team| team.name.to_string());
    let accounts = of_teams::Accounts::read(&app.db, sight, &of_teams::Query::default()).await?;
    let seen = Seen::new(&app.feed, sight).await?;
    // Looking through many teams takes some milliseconds.
    let looking = tokio::task::spawn_blocking(move || {
        of_teams::one(&seen.boards(sight), &accounts, sight, &name)
    });
    let found = looking.await.map_err(|_| ApiError::INTERNAL)?;
    let (page, ids) = found.ok_or(ApiError::NO_TEAM)?;
    let page = match sight.addresses {
        true => page.with_contacts(&app.db, &ids).await?,
        false => page,
    };
    let team = page.teams.into_iter().next();
    team.zip(ids[0]).ok_or(ApiError::NO_TEAM)
}

impl From<Line> for StoryLine {
    fn from(line: Line) -> Self {
        let (at, kind) = (line.place.at_ms, line.what.kind());
        let what = match line.what {
            What::SignedUp | What::Confirmed => Self::default(),
            What::Mail(mail) => Self::of_mail(mail),
            What::Seen(seen) => Self {
                challenge_id: seen.challenge,
                network: seen.network,
                times: Some(seen.count),
                last_at: Some(seen.last_ms),
                ..Self::default()
            },
            What::Flag(sent) => Self {
                challenge_id: Some(sent.challenge_id),
                network: sent.network,
                times: sent.times,
                near: sent.near,
                ..Self::default()
            },
            What::Question(row) => Self::of_question(row),
            What::Act(record) => Self {
                text: Some(sentences::of_record(&record)),
                act: Some(StoryAct {
                    id: record.id,
                    reason: record.field("reason"),
                    actor: record.actor,
                    act: record.act,
                }),
                ..Self::default()
            },
        };
        Self { at, kind, ..what }
    }
}

impl StoryLine {
    fn of_mail(mail: StoredMail) -> Self {
        let state = mail_state(&mail);
        let StoredMail { subject, created_at_ms, sent_at_ms, next_at_ms, attempts, .. } = mail;
        let mail = Mail {
            state: state.as_str(),
            queued_at: created_at_ms,
            sent_at: sent_at_ms,
            tries: attempts,
            next_try_at: next_at_ms,
            server_said: mail.last_error,
        };
        Self { mail: Some(mail), text: Some(subject), ..Self::default() }
    }

    fn of_question(row: Row) -> Self {
        let Row { id, challenge_id, text, state, answer, answered_at_ms, .. } = row;
        let question = StoryAnswer { id, state, answer, answered_at: answered_at_ms };
        let text = Some(text).filter(|text| !text.is_empty());
        Self { challenge_id, text, question: Some(question), ..Self::default() }
    }
}
