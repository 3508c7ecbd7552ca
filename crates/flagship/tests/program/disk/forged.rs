//! Forgeries by an attacker who can write to the database but does not have the secret. `flagship
//! journal verify` detects deleted, rewritten, appended and altered entries. All others differ from
//! a journal head that was saved elsewhere.

use flagship_game::chain;
use flagship_testkit::on_both_engines;

use crate::event::EventFolder;
use crate::process::{Server, TestSite};
use crate::until;

/// A row of the journal: number, time, salt, body, hash.
type Row = (i64, i64, String, String, String);

/// SQL that removes all signatures of the journal and the flags.
const DELETE_RECORDS: &str = "delete from meta where key in ('journal_head', 'flags_mac')";

/// An event in which each of three teams solved one challenge: 11 entries, the last three of them
/// solves.
async fn played(site: &TestSite, event: &EventFolder) {
    let server = site.serve(event).await;
    for token in site.import(3).await {
        server.team(&token).await.solves("one").await;
    }
    server.stop().await;
    let said = site.run(&["journal", "verify"]).await.ok();
    assert!(said.starts_with("11 entries"), "{said}");
}

const INSERT_SOLVE: &str = "insert into solves (team_id, challenge_id, seq) values";

/// Changes the database directly.
async fn forge(site: &TestSite, sql: String) {
    site.test.execute(Box::leak(sql.into_boxed_str())).await;
}

/// The hash of the entry before `seq`.
async fn hash_before(site: &TestSite, seq: i64) -> String {
    if seq == 1 {
        return chain::genesis(&meta(site, "generation").await);
    }
    let rows = site.test.journal().await;
    rows.into_iter().find(|row| row.0 == seq - 1).expect("the row exists").4
}

/// Writes entries with a valid hash chain, which needs no secret.
async fn chain_on(site: &TestSite, rows: &[Row]) {
    let mut previous = hash_before(site, rows[0].0).await;
    for (seq, at_ms, salt, body, _) in rows {
        previous = chain::link(&previous, *seq, *at_ms, &chain::commitment(salt, body));
        forge(site, format!("delete from journal where seq = {seq}")).await;
        let row = (*seq, *at_ms, salt.clone(), body.clone(), previous.clone());
        put_back(site, &[row]).await;
    }
}

/// Writes entries unchanged.
async fn put_back(site: &TestSite, rows: &[Row]) {
    for (seq, at_ms, salt, body, hash) in rows {
        let values = format!("{seq}, {at_ms}, '{salt}', '{body}', '{hash}'");
        forge(site, format!("insert into journal values ({values})")).await;
    }
}

async fn meta(site: &TestSite, key: &str) -> String {
    let rows: Vec<(String, String)> = site.test.rows("select key, value from meta").await;
    rows.into_iter().find(|(it, _)| it == key).expect("the row exists").1
}

async fn cut_off_after(site: &TestSite, seq: i64) {
    forge(site, format!("delete from journal where seq > {seq}")).await;
    forge(site, format!("delete from solves where seq > {seq}")).await;
}

on_both_engines! {
    async fn deleted_solves_are_detected(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        cut_off_after(&site, 8).await;
        let words = "the journal ends at entry 8, but had 11 entries";
        site.run(&["journal", "verify"]).await.fails(words);
        assert!(site.run(&["doctor"]).await.out.contains(words));
        // Later entries do not hide the forgery.
        let server = site.serve(&event).await;
        for token in site.import_csv("name,email\nAnts,a@example.org\n").await {
            server.team(&token.1).await.solves("one").await;
        }
        until("the log says so", async || {
            server.err().iter().any(|line| line.contains("changed by another program"))
        }).await;
        server.stop().await;
        site.run(&["journal", "verify"]).await.fails("but had 11 entries");
    }

    async fn a_reassigned_first_blood_is_detected(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let mut rows = site.test.journal().await.split_off(8);
        let (first, last) = (rows[0].3.clone(), rows[2].3.clone());
        (rows[0].3, rows[2].3) = (last, first);
        chain_on(&site, &rows).await;
        forge(&site, "update solves set seq = 20 - seq".to_owned()).await;
        let words = "journal entry 9 was not written by Flagship";
        site.run(&["journal", "verify"]).await.fails(words);
        // `verify` also detects the removal of all signatures.
        site.test.execute(DELETE_RECORDS).await;
        site.run(&["journal", "verify"]).await.fails("head is missing");
    }

    async fn a_journal_rewritten_without_signatures_is_detected(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let mut rows = site.test.journal().await;
        let (first, last) = (rows[8].3.clone(), rows[10].3.clone());
        (rows[8].3, rows[10].3) = (last, first);
        for (salt, row) in (1..).zip(&mut rows) {
            row.2 = format!("{salt:032x}");
        }
        chain_on(&site, &rows).await;
        forge(&site, "update solves set seq = 20 - seq".to_owned()).await;
        site.test.execute(DELETE_RECORDS).await;
        let words = "the record of the journal's head is missing";
        site.run(&["journal", "verify"]).await.fails(words);
        site.test.execute("delete from meta where key = 'secret_check'").await;
        site.run(&["journal", "verify"]).await.fails(words);
    }

    async fn a_journal_emptied_and_restored_is_detected(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let rows = site.test.journal().await;
        let solves: Vec<(i64, String, i64)> =
            site.test.rows("select team_id, challenge_id, seq from solves").await;
        cut_off_after(&site, 0).await;
        site.test.execute(DELETE_RECORDS).await;
        let any = "update flags set kind = 'regex', value = '.*' where challenge_id = 'three'";
        site.test.execute(any).await;
        // A command opens the emptied database.
        site.run(&["journal", "head"]).await.ok();
        site.run(&["doctor"]).await;
        put_back(&site, &rows[..10]).await;
        for (team, challenge, seq) in solves.iter().filter(|(.., seq)| *seq <= 10) {
            forge(&site, format!("{INSERT_SOLVE} ({team}, '{challenge}', {seq})")).await;
        }
        let words = "the record of the journal's head is missing";
        site.run(&["journal", "verify"]).await.fails(words);
        assert!(site.run(&["doctor"]).await.out.contains(words));
    }

    async fn a_solve_appended_by_hand_is_detected(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let rows = site.test.journal().await;
        let (_, at_ms, salt, body, _) = rows.last().expect("a solve").clone();
        let solve: serde_json::Value = serde_json::from_str(&body).unwrap();
        let body = body.replace("\"one\"", "\"three\"");
        chain_on(&site, &[(12, at_ms, salt, body, String::new())]).await;
        let row = format!("{}, 'three', 12", solve["team"]);
        forge(&site, format!("{INSERT_SOLVE} ({row})")).await;
        let words = "journal entry 12 was not written by Flagship";
        site.run(&["journal", "verify"]).await.fails(words);
    }

    async fn altered_flags_are_detected_and_applied_again(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let any = "update flags set kind = 'regex', value = '.*' where challenge_id = 'three'";
        site.test.execute(any).await;
        let words = "the challenges or flags differ from the applied ones";
        site.run(&["journal", "verify"]).await.fails(words);
        assert!(site.apply(&event).await.ok().contains("change the flags of three"));
        site.run(&["journal", "verify"]).await.ok();
    }

    async fn flags_altered_for_a_moment_leave_a_trace(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let server = site.serve_with(&event, |command| {
            command.args(["--metrics", "127.0.0.1:0"]);
        }).await;
        site.test.execute("update flags set value = 'x' || value").await;
        let revision = "update meta set value = '1' where key = 'challenges_revision'";
        site.test.execute(revision).await;
        until("the log says so", async || {
            server.err().iter().any(|line| line.contains("flags were changed by another program"))
        }).await;
        site.test.execute("update flags set value = substr(value, 2)").await;
        site.run(&["journal", "verify"]).await.ok();
        let (_, metrics) = server.player().at(&server.watched().await).text("/metrics").await;
        assert!(metrics.contains("flagship_journal_intact 0\n"), "{metrics}");
        server.stop().await;
    }

    async fn a_record_of_the_head_that_somebody_else_wrote_decides_no_head(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        played(&site, &event).await;
        let mut rows = site.test.journal().await;
        rows.iter_mut().for_each(|row| row.2 = "0".repeat(32));
        chain_on(&site, &rows).await;
        let (hash, mac) = ("ab".repeat(32), "01".repeat(32));
        let record = format!("12:0:{hash}:{mac}");
        forge(&site, format!("update meta set value = '{record}' where key = 'journal_head'"))
            .await;
        // Anyone who can read a log or the metrics has a journal head.
        let head = site.run(&["journal", "head"]).await.ok().trim().to_owned();
        forge(&site, format!("update meta set value = '{head}' where key = 'journal_head'")).await;
        let words = "journal entry 1 was not written by Flagship";
        site.run(&["journal", "verify"]).await.fails(words);
        // An invalid signature record does not block other commands.
        forge(&site, "update meta set value = 'x' where key = 'journal_head'".to_owned()).await;
        site.run(&["team", "ban", "Team 1"]).await.ok();
        site.run(&["journal", "verify"]).await.fails("the record of the journal's head");
    }

    async fn a_rolled_back_database_is_detected_by_an_external_head(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let folder = tempfile::tempdir().unwrap();
        let server = site.serve(&event).await;
        let tokens = site.import(3).await;
        server.stop().await;
        let record = meta(&site, "journal_head").await;
        let before = record.split(' ').next().unwrap().to_owned();
        assert!(before.starts_with("1:8:"), "{before}");
        let early = folder.path().join("early");
        site.run(&["backup", early.to_str().unwrap()]).await.ok();
        let server = site.serve_with(&event, |command| {
            command.args(["--metrics", "127.0.0.1:0"]);
        }).await;
        until("the log has the head at the start", async || {
            server.err().iter().any(|line| line.contains(&before))
        }).await;
        for token in tokens {
            server.team(&token).await.solves("one").await;
        }
        let head = site.run(&["journal", "head"]).await.ok().trim().to_owned();
        assert!(head.starts_with("1:11:"), "{head}");
        let (_, metrics) = server.player().at(&server.watched().await).text("/metrics").await;
        let line = format!("flagship_journal_head{{head=\"{head}\"}} 1\n");
        let is_intact = metrics.contains("flagship_journal_intact 1\n");
        assert!(metrics.contains(&line) && is_intact, "{metrics}");
        let log = server.err().join("\n");
        server.stop().await;
        let (file, text) = (folder.path().join("backup"), folder.path().join("log"));
        site.run(&["backup", file.to_str().unwrap()]).await.ok();
        std::fs::write(&text, format!("{log}\nhead={head}\n")).unwrap();
        let (file, text) = (file.to_str().unwrap(), text.to_str().unwrap());
        for head in [&before, &head, file, text, early.to_str().unwrap()] {
            let said = site.run(&["journal", "verify", "--against", head]).await.ok();
            assert!(said.contains("the journal extends"), "{head}: {said}");
        }
        let other = head.replace("1:11:", "1:10:");
        let verify = async |head: &str| site.run(&["journal", "verify", "--against", head]).await;
        verify(&other).await.fails("the head of entry 10 is not one of this event");
        verify("nowhere").await.fails("neither a head nor a file");

        cut_off_after(&site, 8).await;
        let record = format!("update meta set value = '{before}' where key = 'journal_head'");
        forge(&site, record).await;
        site.run(&["journal", "verify"]).await.ok();
        for head in [head.as_str(), file, text] {
            verify(head).await.fails("the journal ends before entry 11 of the head");
        }
        verify(&before).await.ok();
    }

    async fn a_running_server_logs_a_truncated_journal(engine: Engine) {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let server: Server = site.serve(&event).await;
        let tokens = site.import(2).await;
        server.team(&tokens[0]).await.solves("one").await;
        until("the head is recorded", async || {
            meta(&site, "journal_head").await.starts_with("1:8:")
        }).await;
        cut_off_after(&site, 7).await;
        server.team(&tokens[1]).await.solves("one").await;
        until("the log says so", async || {
            server.err().iter().any(|line| line.contains("changed by another program"))
        }).await;
        server.stop().await;
    }
}
