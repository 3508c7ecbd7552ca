//! Organizer lists stay fast in a large event, during the freeze and while flags arrive.

use std::time::{Duration, Instant};

use flagship_game::{ChallengeId, TeamId};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op, Request};
use flagship_store::sightings::{self, Kind, SightingKey, SightingTimes as Sightings};
use flagship_store::wrong_flags::{self, WrongFlag};
use flagship_store::{Clock, Key, challenges};
use flagship_testkit::on_both_engines;
use rand::RngExt;

use crate::event::{EventFolder, Times};
use crate::is_torture;
use crate::player::flag;
use crate::process::TestSite;

/// Maximum 99th percentile of the response times.
const P99_MAX: Duration = Duration::from_millis(50);
/// Submissions per second while lists are read.
const FLAGS_PER_S: u32 = 50;
/// Number of operations per step.
const STEP: usize = 512;
/// Number of networks that submit flags.
const NETWORKS: usize = 100;

/// Size of the event.
struct Size {
    teams: usize,
    challenges: usize,
    /// Solves and incorrect submissions of a team.
    solves: usize,
    wrong: usize,
    /// Number of reads of each list.
    reads: usize,
}

fn size() -> Size {
    match is_torture() {
        true => Size { teams: 5_000, challenges: 80, solves: 12, wrong: 28, reads: 300 },
        false => Size { teams: 30, challenges: 4, solves: 2, wrong: 3, reads: 3 },
    }
}

fn challenge(at: usize) -> String {
    format!("c{at}")
}

/// Writes solves, incorrect submissions and emails like those of a real event.
async fn fill(site: &TestSite, size: &Size) {
    let secret = std::fs::read(site.file("secret")).unwrap();
    let key = Key::new(secret.trim_ascii());
    let db = site.test.reopen().await;
    let mut writer = Writer::open(db.clone(), &key, Clock::system()).await.unwrap();
    let revision = challenges::revision(&db).await.unwrap();
    let teams: Vec<(i64,)> = site.test.rows("select id from accounts order by name").await;
    let id = |at: usize| ChallengeId::parse(&challenge(at % size.challenges)).unwrap();
    let solve = |(at, team): (usize, &(i64,)), nth: usize| -> Request {
        let team = TeamId(team.0);
        let digest = format!("{at:064x}");
        Op::Flag { team, challenge: id(at + nth), digest, needed: Vec::new(), revision }
            .by(Actor::Team(team))
    };
    for nth in 0..size.solves {
        let requests: Vec<Request> = teams.iter().enumerate().map(|it| solve(it, nth)).collect();
        for step in requests.chunks(STEP) {
            let step = writer.step(step).await.unwrap();
            assert!(step.outcomes.iter().all(|it| !it.is_refused()), "{:?}", step.outcomes);
        }
    }
    let (now_ms, mut random) = (writer.clock().now_ms(), crate::seeded());
    let mut wrong = Vec::new();
    for (at, team) in teams.iter().enumerate() {
        for nth in 0..size.wrong {
            wrong.push(WrongFlag {
                account_id: team.0,
                challenge_id: id(at + nth).to_string(),
                at_ms: now_ms - random.random_range(0..4 * 3_600_000),
                digest: format!("{nth:064x}"),
                folded: None,
                near: None,
                of_team: None,
                network: Some([192, 0, 2, (at % NETWORKS) as u8].into()),
                sealed_text: None,
            });
        }
    }
    for batch in wrong.chunks(5_000) {
        wrong_flags::record(&db, batch).await.unwrap();
    }
    let networks = |(at, team): (usize, &(i64,))| {
        let of = |kind, object: &str| {
            let network = format!("192.0.2.{}", at % NETWORKS);
            SightingKey { team_id: team.0, kind, object: object.to_owned(), network }
        };
        let right = (0..size.solves).map(|nth| (Kind::Right, id(at + nth).to_string()));
        let all = right.chain([(Kind::Login, String::new()), (Kind::List, String::new())]);
        all.map(|(kind, object)| (of(kind, &object), Sightings::once(now_ms))).collect::<Vec<_>>()
    };
    for teams in teams.iter().enumerate().collect::<Vec<_>>().chunks(500) {
        let seen = teams.iter().copied().flat_map(networks).collect();
        sightings::record(&db, &seen).await.unwrap();
    }
    db.close().await;
    // One sent email per team, one rejected email per ten teams, and as many blank ones as teams.
    for (kind, sent, said, subject) in
        [(1, "1", "null", "x"), (2, "null", "'451 later'", "x"), (3, "1", "null", "")]
    {
        let sql = format!(
            "insert into outbox (id, address, subject, body, created_at_ms, attempts, kind, \
             network, sent_at_ms, last_error) select \
             cast(substr(name, 6) as bigint) * 10 + {kind}, email, '{subject}', '', {now_ms}, \
             1, 'signup', 'n', {sent}, {said} from accounts \
             where {kind} <> 2 or cast(substr(name, 6) as bigint) % 10 = 0"
        );
        site.test.execute(sql.leak()).await;
    }
}

/// Durations of many reads, shortest first.
async fn times(url: &str, token: &str, reads: usize) -> Vec<Duration> {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut times = Vec::new();
    for _ in 0..reads {
        let begun = Instant::now();
        let answer = http.get(url).header("x-api-key", token).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{url}");
        answer.bytes().await.unwrap();
        times.push(begun.elapsed());
    }
    times.sort();
    times
}

on_both_engines! {
    async fn the_lists_of_a_large_event_are_fast(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let size = size();
        let limits = "submissions_per_challenge_per_10_s = 100000\n\
                      submissions_per_team_per_minute = 100000\n";
        let write_times = |freeze| {
            event.set_times(Times { start: -14_400_000, freeze, end: 3_600_000 }, "manual");
            let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
            event.write("event.toml", &(toml + limits));
        };
        write_times(None);
        for at in 0..size.challenges {
            event.challenge(&challenge(at), "type: dynamic\nextra: {initial: 500, minimum: 50}");
        }
        site.apply(&event).await.ok();
        let tokens = site.import(size.teams).await;
        let begun = event.now();
        fill(&site, &size).await;
        let server = site.serve(&event).await;
        let add = ["organizer", "add", "Ada", "--role", "organizer"];
        site.run(&[&add[..], &["--public-url", "https://ctf.example.org"]].concat()).await.ok();
        let ada = site.run(&["organizer", "token", "Ada"]).await.ok().trim().to_owned();
        let mut late = Vec::new();
        for round in ["running", "frozen"] {
            if round == "frozen" {
                write_times(Some((begun + event.now()) / 2));
                site.apply_confirmed(&event).await.ok();
            }
            let (player, tokens, challenges) = (server.player(), tokens.clone(), size.challenges);
            let sending = tokio::spawn(async move {
                let mut pace = tokio::time::interval(Duration::from_secs(1) / FLAGS_PER_S);
                // One submission in five is correct, unless the team has already solved the
                // challenge.
                for at in 0_usize.. {
                    pace.tick().await;
                    let id = challenge((at + 40) % challenges);
                    let team = &tokens[at % tokens.len()];
                    let text = if at % 5 == 0 { id.clone() } else { at.to_string() };
                    let text = format!("flag{{{text}}}");
                    player.with_token(team).post("/solve", &flag(&id, &text)).await;
                }
            });
            for list in ["teams", "teams?q=team1", "teams?order=joined", "teams?mail=refused",
                "teams/Team%205", "challenges", "flags", "flags?network=192.0.2.7", "overview",
                "evidence"] {
                let url = format!("{}/api/organize/{list}", server.url);
                let times = times(&url, &ada, size.reads).await;
                let (median, p99) = (times[times.len() / 2], times[(times.len() * 99 - 1) / 100]);
                eprintln!(
                    "figures: {engine:?}, {round}, {} teams, {} flags: {list}: median {median:?}, \
                     p99 {p99:?}",
                    size.teams,
                    size.teams * (size.solves + size.wrong)
                );
                let max = if is_torture() { P99_MAX } else { 20 * P99_MAX };
                if p99 >= max {
                    late.push(format!("{round}: {list}: {p99:?}"));
                }
            }
            sending.abort();
        }
        assert!(late.is_empty(), "a list takes too long: {late:#?}");
        server.stop().await;
    }
}
