//! Erasure of the private data of one team or of all. Data that the journal needs stays.

use flagship_actions::evidence::state::{EvidenceState, State};
use flagship_actions::ready;
use flagship_actions::team::note::Note;
use flagship_control::control;
use flagship_store::lane::Writer;
use flagship_store::ops::{
    ActionCommand, ActionRequest, Actor, Caller, EraseError, Imported, Op, Outcome, Plan,
};
use flagship_store::{Clock, Key, actions, journal, privacy};
use flagship_testkit::fixtures::draft;
use flagship_testkit::{Engine, TestDb, commands, numbered_team, on_both_engines, short_event};

const START_MS: i64 = 1_700_000_000_000;

/// An event with two teams, each with something in every table.
struct Stage {
    test: TestDb,
    writer: Writer,
    clock: Clock,
    ids: Vec<i64>,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        let test = TestDb::new(engine).await;
        let clock = Clock::manual(START_MS);
        let opened = Writer::open(test.reopen().await, &Key::new(b"secret"), clock.clone()).await;
        let mut writer = opened.expect("the database opens");
        let plan = Plan::new(short_event(START_MS), vec![draft("one")]);
        let apply = Op::Apply(Box::new(plan)).by(Actor::CommandLine);
        let teams = Op::import((0..2).map(numbered_team).collect()).by(Actor::CommandLine);
        let mut step = writer.step(&[apply, teams]).await.expect("it is written");
        let Some(Outcome::Import(Ok(Imported { ids, .. }))) = step.outcomes.pop() else {
            panic!("{step:?}")
        };
        let mut stage = Self { test, writer, clock, ids };
        for (at, id) in stage.ids.clone().into_iter().enumerate() {
            stage.fill(at as i64 + 1, id).await;
        }
        stage
    }

    async fn fill(&mut self, at: i64, id: i64) {
        let contest = self.writer.contest();
        let team = contest.teams().nth(at as usize - 1).expect("it is there").name.to_string();
        let note = Note { team: team.clone(), text: "canary".to_owned() };
        let seen = State { team, other: None, state: EvidenceState::LookedAt };
        for action in [ready(note), ready(seen)] {
            let order = commands::order(ActionCommand::Do(action));
            let order = ActionRequest { reason: "canary".to_owned(), ..order };
            let step =
                self.writer.step(&[Op::Action(Box::new(order)).by(Actor::CommandLine)]).await;
            assert!(matches!(step.expect("it is written").outcomes[..], [Outcome::Action(Ok(_))]));
        }
        let email = format!("canary{at}@example.org");
        for sql in [
            format!(
                "update accounts set email = '{email}', password_hash = 'canary', \
                 network = 'canary', student = true, language = 'canary', \
                 signup_code = 'code' where id = {id}"
            ),
            // The team requested the address of the other team.
            format!(
                "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms, email) \
                 values ('canary{at}', {id}, 'address', 9, 'canary{}@example.org')",
                3 - at
            ),
            format!(
                "insert into outbox (id, address, subject, body, created_at_ms, attempts, \
                 about_id) \
                 values ({at}1, 'canary{}@example.org', 'canary', 'canary', 1, 0, {id})",
                3 - at
            ),
            format!(
                "insert into mail_tokens (token_hash, account_id, purpose, expires_at_ms) \
                 values ('canary-card{at}', {id}, 'card', {})",
                i64::MAX
            ),
            format!("insert into members values ({id}, 1, 'canary')"),
            format!("insert into signup_answers values ({id}, 'school', 'canary', 'School')"),
            format!("insert into team_divisions values ({id}, 'canary')"),
            format!(
                "insert into outbox (id, address, subject, body, created_at_ms, attempts) \
                 values ({at}, '{email}', 'canary', 'canary', 1, 0)"
            ),
            format!(
                "insert into outbox (id, address, subject, body, created_at_ms, attempts) \
                 values ({at}0, 'before-{email}', 'canary', 'canary', 1, 0)"
            ),
            format!("insert into address_changes values ({at}, {id}, 1, '{email}', 1, 1, 'done')"),
            format!(
                "insert into address_stops values ('canary{at}', {id}, 1, 'before-{email}', 1)"
            ),
            format!(
                "insert into questions (id, account_id, at_ms, text, state) \
                 values ({at}, {id}, 1, 'canary', 'closed')"
            ),
            format!("insert into sightings values ({id}, 'login', '', 'canary', 1, 1, 1)"),
            format!(
                "insert into wrong_flags (id, account_id, challenge_id, at_ms, digest, network, \
                 sealed_text) values ({at}, {id}, 'one', 1, 'canary', 'canary', 'canary')"
            ),
            format!(
                "insert into sessions (token_hash, account_id, expires_at_ms, revoked, rev, \
                 network, browser) values ('{at}', {id}, {}, false, {at}, 'canary', 'canary')",
                i64::MAX
            ),
        ] {
            self.test.execute(sql.leak()).await;
        }
    }

    async fn erase(&mut self, account_id: Option<i64>, is_confirmed: bool) -> Outcome {
        let erase =
            Op::Erase { account_id, is_confirmed, by: Caller::CommandLine }.by(Actor::CommandLine);
        self.writer.step(&[erase]).await.expect("it is written").outcomes.remove(0)
    }

    /// Tables that contain a canary, with the number of rows.
    async fn canaries(&self) -> Vec<(&'static str, i64)> {
        let mut all = Vec::new();
        for (table, of) in [
            (
                "accounts",
                "email || coalesce(password_hash, '') || coalesce(network, '') \
                 || coalesce(language, '')",
            ),
            ("mail_tokens", "token_hash || email"),
            ("members", "name"),
            ("signup_answers", "value"),
            ("team_divisions", "division"),
            ("sessions", "coalesce(network, '') || coalesce(browser, '')"),
            ("outbox", "address || body"),
            ("address_changes", "new_email"),
            ("address_stops", "email"),
            ("questions", "text"),
            ("sightings", "network"),
            ("wrong_flags", "digest || coalesce(network, '') || coalesce(sealed_text, '')"),
            ("actions", "coalesce(body, '')"),
        ] {
            let sql = format!("select count(*) from {table} where {of} like '%canary%'");
            let [(rows,)] = self.test.rows::<(i64,)>(sql.leak()).await[..] else { panic!() };
            all.push((table, rows));
        }
        let sql = "select count(*) from accounts where student";
        let [(students,)] = self.test.rows::<(i64,)>(sql).await[..] else { panic!() };
        all.push(("students", students));
        let [(notes,)] = self.test.rows::<(i64,)>("select count(*) from notes").await[..] else {
            panic!()
        };
        all.push(("notes", notes));
        let sql = "select count(*) from sessions where not revoked";
        let [(open,)] = self.test.rows::<(i64,)>(sql).await[..] else { panic!() };
        all.push(("sessions", open));
        all
    }
}

on_both_engines! {
    async fn links_are_kept_until_the_last_of_them_ends(engine: Engine) {
        let stage = Stage::new(engine).await;
        let one = stage.ids[0];
        let links = async || {
            let kept = privacy::retained(&stage.test.db, one).await.expect("it is read");
            kept.into_iter().find(|it| it.table == "mail_tokens").map(|it| it.until)
        };
        stage.test.execute("delete from mail_tokens").await;
        assert_eq!(links().await, Some(privacy::Retention::Hours(24)), "without a link");
        // Links of imported teams are valid for at least a week.
        for (token, days) in [("short", 1), ("long", 7)] {
            let ends = START_MS + days * 24 * 3_600_000;
            let values = format!("('{token}', {one}, 'reset', {ends})");
            let columns = "mail_tokens (token_hash, account_id, purpose, expires_at_ms)";
            let sql = format!("insert into {columns} values {values}");
            stage.test.execute(sql.leak()).await;
        }
        // A join card has no expiry time.
        let columns = "mail_tokens (token_hash, account_id, purpose, expires_at_ms)";
        let sql = format!("insert into {columns} values ('card', {one}, 'card', {})", i64::MAX);
        stage.test.execute(sql.leak()).await;
        let kept = privacy::retained(&stage.test.db, one).await.expect("it is read");
        let card = kept.iter().find(|it| it.what.starts_with("join cards")).expect("it is listed");
        assert_eq!((card.rows, card.until), (1, privacy::Retention::Erased));
        let week = START_MS + 7 * 24 * 3_600_000;
        assert_eq!(links().await, Some(privacy::Retention::Time(week)));
    }

    async fn private_data_is_erased_and_the_journal_stays(engine: Engine) {
        let mut stage = Stage::new(engine).await;
        let (one, two) = (stage.ids[0], stage.ids[1]);
        assert!(stage.canaries().await.iter().all(|(_, rows)| *rows >= 2), "each has some");
        let refused = stage.erase(Some(one), false).await;
        assert_eq!(refused, Outcome::Erase(Err(EraseError::NotOver)));
        let unknown = stage.erase(Some(7), true).await;
        assert_eq!(unknown, Outcome::Erase(Err(EraseError::NoAccount)));
        let before = stage.test.journal().await;
        let words = "of the other team all stays";
        let all = control("private_data_is_erased_and_the_journal_stays", words);
        let erased = stage.erase((!all).then_some(one), true).await;
        assert!(matches!(erased, Outcome::Erase(Ok(rows)) if rows > 9), "{erased:?}");
        let left = stage.canaries().await;
        let expected = |(table, _): &(&'static str, i64)| {
            (*table, match *table { "outbox" => 3, "actions" => 2, _ => 1 })
        };
        assert_eq!(left, left.iter().map(expected).collect::<Vec<_>>(), "{words}");
        let kept = privacy::retained(&stage.test.db, one).await.expect("it is read");
        let private = kept.iter().filter(|it| it.until == privacy::Retention::Erased);
        // The erasure itself is recorded as an action.
        let rows: Vec<_> = private.filter(|it| it.rows > 0).map(|it| (it.table, it.rows)).collect();
        assert_eq!(rows, [("actions", 1)]);
        let other = privacy::retained(&stage.test.db, two).await.expect("it is read");
        let without = ["former_names", "solves"];
        assert!(other.iter().all(|it| it.rows > 0 || without.contains(&it.table)));

        // After the end no confirmation is required.
        let Clock::Manual(time) = &stage.clock else { panic!("it is manual") };
        time.store(START_MS + 30 * 24 * 3_600_000, std::sync::atomic::Ordering::SeqCst);
        stage.writer.step(&[]).await.expect("the end is recorded");
        let (teams, kept) = privacy::retained_for_all(&stage.test.db).await.expect("it is read");
        assert_eq!(teams, stage.ids.len() as i64);
        let some = kept.iter().filter(|it| it.until == privacy::Retention::Erased && it.rows > 0);
        assert!(some.count() > 5, "remaining data of the other team: {kept:?}");
        let erased = stage.erase(None, false).await;
        let (_, kept) = privacy::retained_for_all(&stage.test.db).await.expect("it is read");
        let left = kept.iter().filter(|it| it.until == privacy::Retention::Erased && it.rows > 0);
        assert_eq!(left.count(), 0, "nothing that an erasure takes is left: {kept:?}");
        assert!(matches!(erased, Outcome::Erase(Ok(_))), "{erased:?}");
        assert!(stage.canaries().await.iter().all(|(_, rows)| *rows == 0), "of all nothing stays");
        let after = stage.test.journal().await;
        assert_eq!(after[..before.len()], before[..], "the journal is as it was");
        journal::check_solves(&stage.test.db).await.expect("it fits");
        let verified = actions::verify(&stage.test.db, stage.writer.seal()).await;
        assert_eq!(verified.expect("the chain holds"), 1 + 1 + 2 * 2 + 2);
        let last = actions::before(&stage.test.db, i64::MAX, &["privacy.erase"], 9).await;
        assert_eq!(last.expect("they are read").len(), 2, "each time is recorded");
    }
}
