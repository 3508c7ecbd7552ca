//! The digests that are kept of flags, by which it is found later who sent what.

use flagship_control::control;
use flagship_store::Key;
use flagship_store::challenges::{Draft, Flag};
use flagship_testkit::player::{HOUR_MS, Team, any_case, draft, event};
use flagship_testkit::{TestApp, on_both_engines, until};

/// The digest of a text, of the secret of `TestApp`.
fn digest(id: &str, text: &str) -> String {
    Key::new(b"the secret of the tests").flag_digest(id, text)
}

/// The text and the text in lower case, if it differs.
type Pair = (String, Option<String>);

fn pair(id: &str, text: &str) -> Pair {
    let folded = text.to_lowercase();
    (digest(id, text), (folded != text).then(|| digest(id, &folded)))
}

async fn recorded(app: &TestApp) -> Vec<Pair> {
    app.test.rows("select digest, folded from wrong_flags order by at_ms, challenge_id").await
}

async fn is_recorded(app: &TestApp, expected: &[Pair], words: &str) {
    until("they are recorded", async || recorded(app).await.len() >= expected.len()).await;
    assert_eq!(recorded(app).await, expected, "{words}");
}

async fn miss(app: &TestApp, team: &Team, text: &str) {
    app.advance(10_001);
    let answer = team.send("one", text).await;
    assert_eq!(answer.json["correct"], false, "{answer:?}");
}

/// Challenges, two of which have a pattern and an exact flag in any case.
fn drafts() -> Vec<Draft> {
    let pattern = Flag::Regex { pattern: "flag\\{[0-9]+\\}".to_owned(), case_insensitive: true };
    let with = |id: &str| {
        let flags = vec![pattern.clone(), any_case(id, "Flag{Any}")];
        Draft { flags, ..draft(id) }
    };
    vec![draft("one"), with("two"), with("three"), draft("four")]
}

on_both_engines! {
    async fn both_digests_of_a_wrong_flag_are_kept(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        let words = "of the text, and of the text in lower case";
        let other = control("both_digests_of_a_wrong_flag_are_kept", words);
        let mut expected = Vec::new();
        for is_frozen in [false, true] {
            if is_frozen {
                app.advance(HOUR_MS);
                app.settled().await;
            }
            for text in ["flag{wrong}", "Flag{WRONG}", "ÀÉ"] {
                miss(&app, &team, text).await;
                expected.push(pair("one", if other { "flag" } else { text }));
            }
            is_recorded(&app, &expected, words).await;
        }
    }

    async fn both_digests_are_kept_where_several_nodes_count(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        let _second = app.second_node(|_| {}).await;
        let sql = "select node_id from nodes where shares";
        until("both nodes share", async || app.test.rows::<(String,)>(sql).await.len() == 2).await;
        let mut expected = Vec::new();
        for is_frozen in [false, true] {
            if is_frozen {
                app.advance(HOUR_MS);
                app.settled().await;
            }
            for text in ["flag{wrong}", "Flag{WRONG}"] {
                miss(&app, &team, text).await;
                expected.push(pair("one", text));
            }
            is_recorded(&app, &expected, "in turns and in the lane").await;
        }
    }

    async fn the_digest_of_the_flag_that_counted_is_kept(engine: Engine) {
        let app = TestApp::playing(engine, event(), drafts()).await;
        let team = app.team("Otters").await;
        for (id, text) in [("one", "flag{one}"), ("two", "FLAG{any}"), ("three", "FLAG{7}")] {
            assert_eq!(team.send(id, text).await.json["correct"], true, "{id}");
        }
        app.advance(HOUR_MS);
        assert_eq!(team.send("four", "flag{four}").await.json["correct"], true);
        let sql = "select challenge_id, digest from solves order by seq";
        let kept: Vec<(String, Option<String>)> = app.test.rows(sql).await;
        let words = "of the flag, or of the text that the pattern matched";
        let other = control("the_digest_of_the_flag_that_counted_is_kept", words);
        let any = if other { "FLAG{any}" } else { "flag{any}" };
        let flags =
            [("one", "flag{one}"), ("two", any), ("three", "FLAG{7}"), ("four", "flag{four}")];
        let expected = flags.map(|(id, text)| (id.to_owned(), Some(digest(id, text))));
        assert_eq!(kept, expected, "{words}");
        assert!(recorded(&app).await.is_empty());
    }
}
