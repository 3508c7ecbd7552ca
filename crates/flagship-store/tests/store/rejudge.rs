//! Finding recorded submissions that corrected flags accept: by digest, never by text.

use flagship_game::ChallengeId;
use flagship_store::challenges::Flag;
use flagship_store::wrong_flags::{self, AcceptedSubmission, RejudgeMatches, TextUsage, WrongFlag};
use flagship_store::{Key, Lock};
use flagship_testkit::{TestDb, on_both_engines};

fn key() -> Key {
    Key::new(b"secret")
}

fn id() -> ChallengeId {
    ChallengeId::parse("warm-up").expect("an id")
}

fn sent(account_id: i64, at_ms: i64, text: &str) -> WrongFlag {
    let (digest, folded) =
        (key().flag_digest("warm-up", text), key().folded_digest("warm-up", text));
    WrongFlag {
        account_id,
        challenge_id: "warm-up".to_owned(),
        at_ms,
        digest,
        folded,
        near: None,
        of_team: None,
        network: None,
        sealed_text: None,
    }
}

fn exact(text: &str, case_insensitive: bool) -> Flag {
    let text = if case_insensitive { text.to_lowercase() } else { text.to_owned() };
    Flag::Exact { digest: key().flag_digest("warm-up", &text), case_insensitive }
}

fn pattern() -> Flag {
    Flag::Regex { pattern: ".*".to_owned(), case_insensitive: false }
}

async fn found(test: &TestDb, flags: &[Flag]) -> RejudgeMatches {
    let mut tx = test.db.begin(Lock::Journal).await.expect("the lock is free");
    wrong_flags::find_accepted_in(&mut tx, &key(), &id(), flags).await.expect("it is read")
}

fn teams(found: &RejudgeMatches) -> Vec<(i64, i64)> {
    found
        .sent
        .iter()
        .map(|AcceptedSubmission { account_id, at_ms }| (*account_id, *at_ms))
        .collect()
}

on_both_engines! {
    async fn a_corrected_flag_finds_earlier_submissions(engine: Engine) {
        let test = TestDb::new(engine).await;
        let elsewhere = WrongFlag { challenge_id: "other".to_owned(), ..sent(8, 1, "flag{a}") };
        // As recorded by an older version.
        let old = WrongFlag { folded: None, ..sent(5, 50, "Flag{A}") };
        let batch = [
            sent(1, 30, "flag{a}"),
            sent(1, 20, "FLAG{A}"),
            sent(2, 10, "flag{b}"),
            sent(3, 40, "flag{a}"),
            sent(3, 60, "flag{a}"),
            sent(4, 30, "Flag{a}"),
            old,
            sent(6, 70, "Flag{A}"),
            WrongFlag { folded: None, ..sent(7, 5, "flag{a}") },
            elsewhere,
        ];
        wrong_flags::record(&test.db, &batch).await.expect("it is written");
        let words = "with regard to case, without it, and of several";
        let with_case = found(&test, &[exact("flag{a}", false)]).await;
        assert_eq!(teams(&with_case), [(7, 5), (1, 30), (3, 40)], "{words}");
        let without = found(&test, &[exact("FLAG{a}", true)]).await;
        assert_eq!(teams(&without), [(7, 5), (1, 20), (4, 30), (3, 40), (6, 70)], "{words}");
        let flags = [exact("Flag{A}", false), pattern(), exact("flag{b}", false), pattern()];
        let several = found(&test, &flags).await;
        assert_eq!(teams(&several), [(2, 10), (5, 50), (6, 70)], "{words}");
        assert_eq!((several.patterns, with_case.patterns), (2, 0));
        let many: Vec<Flag> = (0..1_100).map(|i| exact(&format!("flag{{{i}}}"), true))
            .chain([exact("flag{b}", true)]).collect();
        assert_eq!(teams(&found(&test, &many).await), [(2, 10)], "of more than one look-up");
        assert_eq!(found(&test, &[]).await, RejudgeMatches::default());
        let expected = RejudgeMatches { patterns: 1, ..RejudgeMatches::default() };
        assert_eq!(found(&test, &[pattern()]).await, expected);
    }

    async fn a_text_is_counted_by_the_teams_that_sent_it(engine: Engine) {
        let test = TestDb::new(engine).await;
        let elsewhere = WrongFlag { challenge_id: "other".to_owned(), ..sent(8, 1, "flag{a}") };
        let batch = [sent(1, 30, "flag{a}"), sent(1, 20, "flag{a}"), sent(2, 25, "flag{a}"),
            sent(3, 10, "Flag{a}"), elsewhere];
        wrong_flags::record(&test.db, &batch).await.expect("it is written");
        let of_text = async |text: &str| {
            let digest = key().flag_digest("warm-up", text);
            wrong_flags::text_usage(&test.db, &id(), &digest).await.expect("it is read")
        };
        let words = "this very text, each team once";
        assert_eq!(of_text("flag{a}").await, TextUsage { teams: 2, since_ms: Some(20) }, "{words}");
        assert_eq!(of_text("flag{c}").await, TextUsage { teams: 0, since_ms: None });
    }
}
