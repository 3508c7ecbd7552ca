//! Names stored by an older version get the keys of this version.

use flagship_game::{TeamName, name};
use flagship_store::accounts::{self, NewAccount};
use flagship_store::lane::Writer;
use flagship_store::mail::{self, Purpose, Token};
use flagship_store::ops::{Actor, Op};
use flagship_store::signups::waiting_list::Admission;
use flagship_store::signups::{self, Signup, SignupDetails};
use flagship_store::{Clock, Key, Lock, Result, Tx};
use flagship_testkit::{TestDb, on_both_engines};

/// SQL that reads all keys.
const KEYS: &str = "select name_key from names order by name_key";

fn account(name: &str) -> NewAccount {
    NewAccount {
        name: TeamName::parse(name).expect("a name"),
        email: "ada@example.org".to_owned(),
        country: "UN".to_owned(),
        password_hash: None,
        student: false,
        divisions: Vec::new(),
        language: None,
    }
}

/// Signs up without a code and answers, for a free place.
async fn sign_up(tx: &mut Tx, new: &NewAccount, now_ms: i64) -> Result<Signup> {
    signups::sign_up(tx, new, &SignupDetails::default(), Admission::Place, now_ms).await
}

async fn open(test: &TestDb) -> Writer {
    let db = test.reopen().await;
    Writer::open(db, &Key::new(b"secret"), Clock::system()).await.expect("it opens")
}

async fn execute(test: &TestDb, sql: String) {
    test.execute(Box::leak(sql.into_boxed_str())).await;
}

on_both_engines! {
    async fn stored_names_get_current_keys(engine: Engine) {
        let test = TestDb::new(engine).await;
        let teams = ["Crab \u{3f2}akes", "Harbour Rats"].map(account).to_vec();
        let import = Op::import(teams).by(Actor::CommandLine);
        open(&test).await.step(&[import]).await.expect("it is written");
        // State written by a version that computed the skeleton only after NFKC.
        let keys: Vec<(String,)> = test.rows(KEYS).await;
        assert!(keys.contains(&("crab cakes".to_owned(),)), "{keys:?}");
        test.execute("delete from names where name_key = 'crab cakes'").await;
        test.execute("update accounts set keys_form = 0").await;
        open(&test).await;
        let now: Vec<(String,)> = test.rows(KEYS).await;
        assert_eq!(now, keys);
        let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
        let signed_up = sign_up(&mut tx, &account("Crab cakes"), 0).await;
        assert_eq!(signed_up.expect("it is decided"), Signup::NameTaken, "the name is taken");
    }

    async fn names_added_by_an_older_node_get_current_keys(engine: Engine) {
        let test = TestDb::new(engine).await;
        let import = Op::import(vec![account("Harbour Rats")]).by(Actor::CommandLine);
        open(&test).await.step(&[import]).await.expect("it is written");
        // Rows of a node that still runs the older version, which computes only the second key.
        for team in ["7, 'Crab \u{3f2}akes'", "8, 'Tide \u{3f2}'"] {
            let columns = "id, name, email, country, student, created_at_ms";
            let values = format!("{team}, 'b@example.org', 'UN', false, 1");
            execute(&test, format!("insert into accounts ({columns}) values ({values})")).await;
        }
        test.execute("insert into names values ('crab \u{3c3}akes', 7), ('tide \u{3c3}', 8)").await;
        let words = "is taken";
        // Several nodes start at once.
        tokio::join!(open(&test), open(&test), open(&test));
        for name in ["Crab cakes", "Tide c"] {
            let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
            let signed_up = sign_up(&mut tx, &account(name), 0).await;
            assert_eq!(signed_up.expect("it is decided"), Signup::NameTaken, "{name} {words}");
        }
        let harbour = "select name_key from names where name_key like 'h%'";
        assert_eq!(test.rows::<(String,)>(harbour).await.len(), 1, "its key is stored once");
    }

    /// Two teams that an older version both accepted.
    async fn look_alike_names_of_an_older_version_are_kept(engine: Engine) {
        let test = TestDb::new(engine).await;
        for name in ["Crab \u{3f2}akes", "Harbour Rats"] {
            let import = Op::import(vec![account(name)]).by(Actor::CommandLine);
            open(&test).await.step(&[import]).await.expect("it is written");
        }
        test.execute("delete from names where name_key = 'crab cakes'").await;
        test.execute("update accounts set name = 'Crab cakes' where name = 'Harbour Rats'").await;
        test.execute("update names set name_key = 'crab cakes' where name_key like 'h%'").await;
        test.execute("update accounts set keys_form = 0").await;
        open(&test).await;
        for typed in ["Crab \u{3f2}akes", "Crab cakes"] {
            let found = accounts::by_name(&test.db, typed, &name::keys(typed)).await;
            assert_eq!(found.expect("it is read").expect("one account").name, typed);
        }
    }

    async fn accounts_that_lapse_together_are_deleted_in_parts(engine: Engine) {
        let test = TestDb::new(engine).await;
        let lapse_ms = accounts::UNCONFIRMED_MS;
        let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
        for i in 0..250 {
            let new = account(&format!("Junk {i}"));
            let signed_up = sign_up(&mut tx, &new, 0).await;
            let Ok(Signup::Created(account_id)) = signed_up else { panic!("{signed_up:?}") };
            let tokens: Vec<String> = (0..10).map(|number| format!("{i} {number}")).collect();
            let token = |token| {
                let purpose = Purpose::Reset;
                let expires_at_ms = lapse_ms;
                Token { token, account_id, purpose, expires_at_ms }
            };
            let tokens: Vec<Token<'_>> = tokens.iter().map(|text| token(text)).collect();
            mail::keep_tokens(&mut tx, &tokens).await.expect("they are written");
        }
        tx.commit().await.expect("it commits");
        let count = async |sql: &'static str| test.rows::<(i64,)>(sql).await[0].0;
        let mut parts = 0;
        let mut has_more = true;
        let mut left = [2_500, 250];
        while has_more {
            let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
            has_more = mail::forget(&mut tx, lapse_ms).await.expect("it deletes");
            has_more |= accounts::forget_lapsed(&mut tx, lapse_ms).await.expect("it deletes");
            tx.commit().await.expect("it commits");
            let now = [
                count("select count(*) from mail_tokens").await,
                count("select count(*) from accounts").await,
            ];
            let most = [1_000, 100];
            let gone = [left[0] - now[0], left[1] - now[1]];
            let is_little = gone[0] <= most[0] && gone[1] <= most[1];
            assert!(is_little, "no transaction deletes much: {left:?} to {now:?}");
            (left, parts) = (now, parts + 1);
        }
        assert_eq!((left, count("select count(*) from names").await), ([0, 0], 0));
        assert!(parts > 2, "{parts} parts");
    }

    async fn a_lapsed_account_leaves_its_name_before_it_is_deleted(engine: Engine) {
        let test = TestDb::new(engine).await;
        let lapse_ms = accounts::UNCONFIRMED_MS;
        let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
        let words = "the name is free after 24 hours";
        let ada = account("Ada");
        let first = sign_up(&mut tx, &ada, 0).await;
        assert!(matches!(first, Ok(Signup::Created(_))), "{first:?}");
        let early = sign_up(&mut tx, &ada, lapse_ms - 1).await;
        assert!(matches!(early, Ok(Signup::NameTaken)), "{early:?}");
        let signed_up = sign_up(&mut tx, &ada, lapse_ms).await;
        assert!(matches!(signed_up, Ok(Signup::Created(_))), "{words}: {signed_up:?}");
        // Deleting the expired account keeps the name of the new one.
        accounts::forget_lapsed(&mut tx, lapse_ms).await.expect("it deletes");
        let signed_up = sign_up(&mut tx, &account("ADA"), lapse_ms).await;
        assert!(matches!(signed_up, Ok(Signup::NameTaken)), "{signed_up:?}");
    }
}
