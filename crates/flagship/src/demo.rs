//! `serve --demo`: moves the event's times to now. Simulated teams play in the background through
//! the same code as real teams.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use flagship_game::contest::Attempt;
use flagship_game::{ChallengeId, Event, Join, TeamName};
use flagship_pack::{Flag, Pack, PackChallenge};
use flagship_server::{App, SubmissionResult};
use flagship_store::accounts::{self, NewAccount};
use flagship_store::journal;
use flagship_store::lane::Writer;
use flagship_store::ops::{Op, Outcome};
use rand::seq::IndexedRandom;

use crate::cli::Installation;
use crate::messages;

/// Time from the start of the event to now, in milliseconds.
const BEGAN_MS: i64 = 30 * 60_000;
/// Number of submissions in the initial rush, as at a real start.
const RUSH_GUESSES: u32 = 120;
/// Pause between two submissions, in milliseconds.
const RUSH_PAUSE_MS: std::ops::Range<u64> = 20..120;
const CALM_PAUSE_MS: std::ops::Range<u64> = 1_500..6_000;
/// One in this many submissions is incorrect.
const WRONG_ONE_IN: u32 = 4;
/// Email address of all simulated teams, which no real team has.
const EMAIL: &str = "synthetic@example.invalid";

const TEAMS: [(&str, &str); 40] = [
    ("Segfault Sailors", "IT"),
    ("Null Island", "UN"),
    ("The Off-by-Ones", "DE"),
    ("Byte Me Gently", "FR"),
    ("Pwning Glory", "GB"),
    ("Rubber Duckies", "NL"),
    ("Stack Overfloaters", "ES"),
    ("Kernel Sanders", "US"),
    ("Cache Me Outside", "CA"),
    ("404 Sleep Not Found", "PL"),
    ("Ctrl Alt Elite", "SE"),
    ("Heap of Trouble", "NO"),
    ("Salted Hashes", "FI"),
    ("La Torre di Bit", "IT"),
    ("Root Vegetables", "DK"),
    ("The Bit Players", "IE"),
    ("Caffè e Canarini", "IT"),
    ("Packet Peaches", "JP"),
    ("Moonlight Fuzzers", "KR"),
    ("Zero Day Dreamers", "BR"),
    ("Gradient Goblins", "AT"),
    ("Mole Poliziotta", "IT"),
    ("Semicolon Society", "CH"),
    ("Endian Warriors", "IN"),
    ("Grep Expectations", "AU"),
    ("Chmod Squad", "NZ"),
    ("Les Octets Perdus", "FR"),
    ("Die Nullzeiger", "DE"),
    ("Los Punteros", "MX"),
    ("Flagellants", "BE"),
    ("Xor Loser", "PT"),
    ("Bits and Pizzas", "IT"),
    ("Rot13 Ravens", "CZ"),
    ("Sudo Sandwich", "RO"),
    ("Ping of Life", "GR"),
    ("Hex Appeal", "HR"),
    ("Lambda Lambs", "EE"),
    ("Gnu Kids", "LT"),
    ("Blue Screeners", "SI"),
    ("Baudolino", "IT"),
];

/// The exact flags that solve a challenge, from the event's files, by challenge ID: one flag, or
/// all flags of a challenge that needs several. Challenges with a single attempt are omitted;
/// attempts of others are never used up, because all incorrect guesses have the same text.
pub type Answers = HashMap<ChallengeId, Vec<String>>;

pub fn answers(pack: &Pack) -> Answers {
    let all = pack.challenges.iter().filter(|it| it.challenge.rules.attempts_max != Some(1));
    let answer = |it: &PackChallenge| {
        let flags = solving_flags(&it.flags, !it.challenge.rules.needed_flags.is_empty())?;
        Some((it.challenge.id.clone(), flags))
    };
    all.filter_map(answer).collect()
}

/// Returns the flags to submit; `None` if one of them is not an exact flag.
fn solving_flags(flags: &[Flag], needs_all: bool) -> Option<Vec<String>> {
    let exact = |flag: &Flag| match flag {
        Flag::Exact { text, .. } => Some(text.expose().trim().to_owned()),
        _ => None,
    };
    if needs_all {
        return flags.iter().filter(|flag| flag.counts()).map(exact).collect();
    }
    flags.iter().find_map(exact).map(|flag| vec![flag])
}

/// Fails, without writing anything, if the event was not created by a demonstration.
pub async fn refuse_other_event(installation: &Installation) -> Result<()> {
    if !installation.has_event().await? {
        return Ok(());
    }
    let db = installation.connect().await?;
    let is_other =
        journal::head(&db).await?.is_some() && !accounts::has_address(&db, EMAIL).await?;
    db.close().await;
    ensure!(
        !is_other,
        "`{}` contains a real event. --demo would change its times and add {} simulated teams, \
        which cannot be undone. Nothing was changed. Remove --demo (or FLAGSHIP_DEMO), or use a \
        new --data folder (and, with PostgreSQL, an empty database)",
        installation.data.display(),
        TEAMS.len()
    );
    Ok(())
}

/// Moves an event's times so that it began half an hour ago; durations do not change.
pub fn shift(event: &mut Event, now_ms: i64) {
    let Some(start) = event.start_ms else { return };
    let by = now_ms - BEGAN_MS - start;
    for time in [&mut event.start_ms, &mut event.freeze_ms, &mut event.end_ms] {
        *time = time.map(|time| time + by);
    }
}

/// The account of a simulated team, which has no password.
pub fn account(name: TeamName, email: &str, country: &str) -> NewAccount {
    NewAccount {
        name,
        email: email.to_owned(),
        country: country.to_owned(),
        password_hash: None,
        student: false,
        divisions: Vec::new(),
        language: None,
    }
}

/// Adds the simulated teams that are missing; returns the names of all.
pub async fn join(writer: &mut Writer) -> Result<Vec<String>> {
    let missing = TEAMS.iter().filter(|(name, _)| writer.contest().team_named(name).is_none());
    let account =
        |(name, country): &(&str, &str)| Some(account(TeamName::parse(name).ok()?, EMAIL, country));
    let mut new: Vec<NewAccount> = missing.filter_map(account).collect();
    // The teams spread over the first group of divisions that any team can join.
    let open = writer.contest().divisions().iter().filter(|it| it.join == Join::Open);
    let group = open.clone().next().map(|it| &it.group);
    let open: Vec<_> = open.filter(|it| Some(&it.group) == group).map(|it| &it.id).collect();
    for (team, division) in new.iter_mut().zip(open.into_iter().cycle()) {
        team.divisions = vec![division.clone()];
    }
    if let Outcome::Import(Err(error)) = messages::perform(writer, Op::import(new)).await? {
        let reason = messages::import_error_message(error);
        bail!("the simulated teams could not be added: {reason}");
    }
    Ok(TEAMS.iter().map(|(name, _)| (*name).to_owned()).collect())
}

/// Plays until the process ends.
pub async fn play(app: App, answers: Answers, names: Vec<String>) {
    let mut guesses = 0;
    loop {
        let pause = if guesses < RUSH_GUESSES { RUSH_PAUSE_MS } else { CALM_PAUSE_MS };
        tokio::time::sleep(Duration::from_millis(rand::random_range(pause))).await;
        guesses += 1;
        guess(&app, &answers, &names).await;
    }
}

/// Submits one flag for a challenge that the team has not solved.
async fn guess(app: &App, answers: &Answers, names: &[String]) {
    let contest = app.contest();
    let Some(team) = pick_team(names).and_then(|name| contest.team_named(name)) else { return };
    let is_open =
        |id: &ChallengeId| contest.judge(team.id, id, contest.at_ms()) == Ok(Attempt::First);
    // Teams of a demonstration leave challenges that need several flags to the visitor.
    let single = answers.iter().filter_map(|(id, flags)| match flags.as_slice() {
        [flag] if is_open(id) => Some((id, flag.as_str())),
        _ => None,
    });
    let open: Vec<(&ChallengeId, &str)> = single.collect();
    let Some(&(id, flag)) = open.choose(&mut rand::rng()) else { return };
    let is_wrong = rand::random_ratio(1, WRONG_ONE_IN);
    let flag = if is_wrong { "not the flag" } else { flag };
    if let Ok(SubmissionResult::Correct) = app.play(team.id, id.as_str(), flag, None).await {
        tracing::debug!(
            team = &*team.name,
            challenge = id.as_str(),
            "simulated team solved a challenge"
        );
    }
}

/// A random team; teams at the front of the list are more likely.
fn pick_team(names: &[String]) -> Option<&String> {
    let index = rand::random::<f64>().powf(1.4) * names.len() as f64;
    names.get(index as usize)
}
