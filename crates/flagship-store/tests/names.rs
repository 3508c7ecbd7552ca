//! Names that an older version stored get the keys of this version.

use flagship_control::control;
use flagship_game::{TeamName, name};
use flagship_store::accounts::{self, NewAccount, Signup};
use flagship_store::lane::Writer;
use flagship_store::ops::{Actor, Op};
use flagship_store::{Clock, Key, Lock};
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
    }
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
        let import = Op::Import(teams).by(Actor::CommandLine);
        open(&test).await.step(&[import]).await.expect("it is written");
        // The state left by a version that computed the skeleton only after NFKC.
        let keys: Vec<(String,)> = test.rows(KEYS).await;
        assert!(keys.contains(&("crab cakes".to_owned(),)), "{keys:?}");
        test.execute("delete from names where name_key = 'crab cakes'").await;
        test.execute("update accounts set keys_form = 0").await;
        let words = "is taken";
        if !control("stored_names_get_current_keys", words) {
            open(&test).await;
            let now: Vec<(String,)> = test.rows(KEYS).await;
            assert_eq!(now, keys);
        }
        let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
        let signed_up = accounts::sign_up(&mut tx, &account("Crab cakes"), "", 0).await;
        assert_eq!(signed_up.expect("it is decided"), Signup::NameTaken, "the name {words}");
    }

    async fn names_added_by_an_older_node_get_current_keys(engine: Engine) {
        let test = TestDb::new(engine).await;
        let import = Op::Import(vec![account("Harbour Rats")]).by(Actor::CommandLine);
        open(&test).await.step(&[import]).await.expect("it is written");
        // The rows of a node that still runs the older version, which computes only the second key.
        for team in ["7, 'Crab \u{3f2}akes'", "8, 'Tide \u{3f2}'"] {
            let columns = "id, name, email, country, student, created_at_ms";
            let values = format!("{team}, 'b@example.org', 'UN', false, 1");
            execute(&test, format!("insert into accounts ({columns}) values ({values})")).await;
        }
        test.execute("insert into names values ('crab \u{3c3}akes', 7), ('tide \u{3c3}', 8)").await;
        let words = "is taken";
        if !control("names_added_by_an_older_node_get_current_keys", words) {
            // Several nodes start at once.
            tokio::join!(open(&test), open(&test), open(&test));
        }
        for name in ["Crab cakes", "Tide c"] {
            let mut tx = test.db.begin(Lock::Accounts).await.expect("it begins");
            let signed_up = accounts::sign_up(&mut tx, &account(name), "", 0).await;
            assert_eq!(signed_up.expect("it is decided"), Signup::NameTaken, "{name} {words}");
        }
        let harbour = "select name_key from names where name_key like 'h%'";
        assert_eq!(test.rows::<(String,)>(harbour).await.len(), 1, "its key is stored once");
    }

    /// Two teams that an older version accepted both.
    async fn look_alike_names_of_an_older_version_are_kept(engine: Engine) {
        let test = TestDb::new(engine).await;
        for name in ["Crab \u{3f2}akes", "Harbour Rats"] {
            let import = Op::Import(vec![account(name)]).by(Actor::CommandLine);
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
}
