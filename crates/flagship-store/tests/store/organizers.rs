//! Organizers, their second factors and their credentials, on both databases.

use flagship_game::ChallengeId;
use flagship_game::name::TeamName;
use flagship_store::ops::script_tokens;
use flagship_store::organizers::passes::{self, INVITATION_MS, Kind, SESSION_MS, UNPROVEN_MS};
use flagship_store::organizers::{
    self, Authorization, Changer, NewFactor, OrganizerError, Proof, Rights, Role,
};
use flagship_store::{Key, Seal};
use flagship_testkit::{TestDb, on_both_engines};

const NOW_MS: i64 = 1_700_000_000_000;

fn name(text: &str) -> TeamName {
    TeamName::parse(text).expect("a name")
}

fn rights(roles: &[Role]) -> Rights {
    Rights { roles: roles.iter().copied().collect(), ..Rights::default() }
}

async fn seal_of(test: &TestDb) -> Seal {
    Seal::open(&test.db, &Key::new(b"secret")).await.expect("a seal")
}

async fn add(test: &TestDb, who: &str, roles: &[Role]) {
    let invitation = format!("invitation of {who}");
    let seal = seal_of(test).await;
    let by = Changer::CommandLine(&seal);
    let done = organizers::add(&test.db, by, &name(who), &rights(roles), &invitation, NOW_MS).await;
    done.expect("it is written").expect("the name is free");
}

async fn enrol(test: &TestDb, invitation: &str, now_ms: i64) -> bool {
    let codes = ["a".to_owned(), "b".to_owned()];
    let it = NewFactor { sealed: "sealed", step: 7, codes: &codes };
    let session = format!("enrolled by {invitation}");
    let done = organizers::enrol(&test.db, invitation, &session, "hash", &it, now_ms).await;
    done.expect("it is written")
}

/// An enrolled organizer with a session.
async fn signed_in(test: &TestDb, who: &str, roles: &[Role]) -> (i64, String) {
    add(test, who, roles).await;
    assert!(enrol(test, &format!("invitation of {who}"), NOW_MS).await);
    let found = organizers::by_name(&test.db, who).await.expect("readable").expect("it is there");
    let token = format!("session of {who}");
    assert!(organizers::sign_in(&test.db, &token, &found, NOW_MS).await.expect("it is written"));
    (found.id, token)
}

async fn kind_of(test: &TestDb, token: &str, now_ms: i64) -> Option<Kind> {
    let found = organizers::by_pass(&test.db, token, now_ms).await.expect("readable");
    found.map(|(pass, _)| pass.kind)
}

on_both_engines! {
    async fn an_organizer_has_a_name_of_its_own(engine: Engine) {
        let test = TestDb::new(engine).await;
        let seal = seal_of(&test).await;
        let by = Changer::CommandLine(&seal);
        add(&test, "Ada Lovelace", &[Role::Owner]).await;
        let (look_alike, owner) = (name("Ada Love1ace"), rights(&[Role::Owner]));
        let done = organizers::add(&test.db, by, &look_alike, &owner, "x", NOW_MS).await;
        assert_eq!(done.expect("readable"), Err(OrganizerError::NameTaken));
        assert_eq!(kind_of(&test, "x", NOW_MS).await, None, "no invitation exists");
        let one = ChallengeId::parse("one").expect("an id");
        let author = Rights { roles: [Role::Author].into(), challenges: [one].into() };
        let done = organizers::add(&test.db, by, &name("Grace"), &author, "y", NOW_MS).await;
        done.expect("it is written").expect("the name is free");
        let all = organizers::all(&test.db).await.expect("readable");
        let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["Ada Lovelace", "Grace"]);
        assert_eq!(all[1].rights, author);
        assert!(!all[1].is_enrolled());
    }

    async fn an_invitation_is_used_once(engine: Engine) {
        let test = TestDb::new(engine).await;
        add(&test, "Ada", &[Role::Owner]).await;
        let late = NOW_MS + INVITATION_MS;
        assert_eq!(kind_of(&test, "invitation of Ada", late - 1).await, Some(Kind::Invitation));
        assert!(!enrol(&test, "invitation of Ada", late).await, "too old");
        let both = [(); 2].map(|()| enrol(&test, "invitation of Ada", NOW_MS));
        let used = futures_util::future::join_all(both).await;
        assert_eq!(used.iter().filter(|used| **used).count(), 1, "of two at once");
        let ada = organizers::by_name(&test.db, "ada").await.expect("readable").expect("Ada");
        assert!(ada.is_enrolled() && ada.factor_step == 7);
        assert_eq!(organizers::codes_left(&test.db, ada.id).await.expect("readable"), 2);
    }

    async fn no_proof_of_the_factor_is_used_twice(engine: Engine) {
        let test = TestDb::new(engine).await;
        let (id, token) = signed_in(&test, "Ada", &[Role::Owner]).await;
        let pass = async || {
            let found = organizers::by_pass(&test.db, &token, NOW_MS).await.expect("readable");
            found.expect("the session lives").0
        };
        let session = pass().await.digest;
        assert_eq!(pass().await.factor_at_ms, None);
        let prove = async |proof: Proof| {
            let done = organizers::prove(&test.db, &session, id, &proof, NOW_MS + 1).await;
            done.expect("it is written")
        };
        assert!(!prove(Proof::Step(7)).await, "the code of the enrolment");
        let at_once = (0..8).map(|_| prove(Proof::Step(8)));
        let proven = futures_util::future::join_all(at_once).await;
        assert_eq!(proven.iter().filter(|it| **it).count(), 1, "of eight at once");
        assert_eq!(pass().await.factor_at_ms, Some(NOW_MS + 1));
        assert!(!prove(Proof::Step(7)).await, "an earlier step");
        let at_once = (0..8).map(|_| prove(Proof::Recovery("a".to_owned())));
        let proven = futures_util::future::join_all(at_once).await;
        assert_eq!(proven.iter().filter(|it| **it).count(), 1, "of eight at once");
        assert!(!prove(Proof::Recovery("c".to_owned())).await, "no such code");
        assert_eq!(organizers::codes_left(&test.db, id).await.expect("readable"), 1);
        // A proof for a session that has ended is not used up.
        assert!(passes::end(&test.db, id, &session).await.expect("it is written"));
        assert!(!prove(Proof::Recovery("b".to_owned())).await);
        assert_eq!(organizers::codes_left(&test.db, id).await.expect("readable"), 1);
    }

    async fn a_reset_ends_everything_of_an_organizer(engine: Engine) {
        let test = TestDb::new(engine).await;
        let seal = seal_of(&test).await;
        let by = Changer::CommandLine(&seal);
        let (id, token) = signed_in(&test, "Ada", &[Role::Owner]).await;
        let made = organizers::create_token(&test.db, "for a script", "Ada", 30, NOW_MS).await;
        made.expect("it is written").expect("Ada is there");
        assert_eq!(kind_of(&test, "for a script", NOW_MS + SESSION_MS).await, Some(Kind::Token));
        assert_eq!(kind_of(&test, &token, NOW_MS + UNPROVEN_MS).await, None, "15 minutes");
        let proven = "enrolled by invitation of Ada";
        assert_eq!(kind_of(&test, proven, NOW_MS + SESSION_MS - 1).await, Some(Kind::Session));
        assert_eq!(kind_of(&test, proven, NOW_MS + SESSION_MS).await, None, "12 hours");
        let before = organizers::by_name(&test.db, "Ada").await.expect("readable").expect("Ada");
        let done = organizers::reset(&test.db, by, "Ada", "again", NOW_MS).await;
        done.expect("it is written").expect("Ada is there");
        for ended in [&token, "for a script"] {
            assert_eq!(kind_of(&test, ended, NOW_MS).await, None);
        }
        // A login whose password was checked before the reset.
        let late = organizers::sign_in(&test.db, "late", &before, NOW_MS).await;
        assert!(!late.expect("readable"));
        assert_eq!(organizers::codes_left(&test.db, id).await.expect("readable"), 0);
        assert_eq!(kind_of(&test, "again", NOW_MS).await, Some(Kind::Invitation));
        let done = organizers::reset(&test.db, by, "Ada", "once more", NOW_MS).await;
        done.expect("it is written").expect("Ada is there");
        assert_eq!(kind_of(&test, "again", NOW_MS).await, None, "it is replaced");
        let done = organizers::reset(&test.db, by, "Nobody", "x", NOW_MS).await;
        assert_eq!(done.expect("readable"), Err(OrganizerError::Unknown));
    }

    async fn tokens_end_when_a_role_is_lost(engine: Engine) {
        let test = TestDb::new(engine).await;
        let seal = seal_of(&test).await;
        let by = Changer::CommandLine(&seal);
        let (_, session) = signed_in(&test, "Ada", &[Role::Organizer, Role::Support]).await;
        let made = organizers::create_token(&test.db, "for a script", "Ada", 30, NOW_MS).await;
        made.expect("it is written").expect("Ada is there");
        let set = async |roles: &[Role]| {
            let done = organizers::set_rights(&test.db, by, "Ada", &rights(roles), NOW_MS).await;
            done.expect("it is written").expect("Ada is there");
        };
        set(&[Role::Organizer, Role::Support, Role::Observer]).await;
        assert_eq!(kind_of(&test, "for a script", NOW_MS).await, Some(Kind::Token), "more roles");
        set(&[Role::Organizer]).await;
        assert_eq!(kind_of(&test, "for a script", NOW_MS).await, None);
        assert_eq!(kind_of(&test, &session, NOW_MS).await, Some(Kind::Session));
        let made = organizers::create_token(&test.db, "x", "Nobody", 30, NOW_MS).await;
        assert_eq!(made.expect("readable"), Err(OrganizerError::Unknown));
    }

    async fn somebody_stays_an_owner(engine: Engine) {
        let test = TestDb::new(engine).await;
        let seal = seal_of(&test).await;
        let by = Changer::CommandLine(&seal);
        add(&test, "Ada", &[Role::Owner]).await;
        add(&test, "Grace", &[Role::Owner, Role::Support]).await;
        add(&test, "Linus", &[Role::Organizer]).await;
        let both = ["Ada", "Grace"].map(|who| organizers::remove(&test.db, by, who, NOW_MS));
        let done = futures_util::future::join_all(both).await;
        let done: Vec<_> = done.into_iter().map(|it| it.expect("it is written")).collect();
        let left = done.iter().filter(|it| **it == Err(OrganizerError::LastOwner)).count();
        assert_eq!(left, 1, "{done:?}");
        let all = organizers::all(&test.db).await.expect("readable");
        let owner = all.iter().find(|it| it.is(Role::Owner)).expect("an owner");
        let support = rights(&[Role::Support]);
        let fewer = organizers::set_rights(&test.db, by, &owner.name, &support, NOW_MS).await;
        assert_eq!(fewer.expect("readable"), Err(OrganizerError::LastOwner));
        let done = organizers::remove(&test.db, by, "Linus", NOW_MS).await;
        assert_eq!(done.expect("it is written"), Ok("Linus".to_owned()));
        assert_eq!(kind_of(&test, "invitation of Linus", NOW_MS).await, None);
        let done = organizers::remove(&test.db, by, "Linus", NOW_MS).await;
        assert_eq!(done.expect("readable"), Err(OrganizerError::Unknown));
        add(&test, "Linus", &[Role::Observer]).await;
    }

    async fn sessions_are_listed_and_ended_one_by_one(engine: Engine) {
        let test = TestDb::new(engine).await;
        let (id, token) = signed_in(&test, "Ada", &[Role::Owner]).await;
        let ada = organizers::by_name(&test.db, "Ada").await.expect("readable").expect("Ada");
        assert!(organizers::sign_in(&test.db, "other", &ada, NOW_MS + 1).await.expect("written"));
        let listed = passes::of(&test.db, id, NOW_MS + 1).await.expect("readable");
        let times: Vec<i64> = listed.iter().map(|pass| pass.created_at_ms).collect();
        assert_eq!(times, [NOW_MS + 1, NOW_MS, NOW_MS], "the newest first, with the enrolment's");
        assert!(!passes::end(&test.db, id + 1, &listed[0].digest).await.expect("readable"));
        assert!(passes::end(&test.db, id, &listed[0].digest).await.expect("it is written"));
        assert_eq!(kind_of(&test, "other", NOW_MS + 1).await, None);
        assert_eq!(kind_of(&test, &token, NOW_MS + 1).await, Some(Kind::Session));
    }

    async fn a_password_alone_does_not_fill_the_session_list(engine: Engine) {
        let test = TestDb::new(engine).await;
        let (id, _) = signed_in(&test, "Ada", &[Role::Owner]).await;
        let ada = organizers::by_name(&test.db, "Ada").await.expect("readable").expect("Ada");
        for number in 0..15 {
            let digest = format!("number {number}");
            let now_ms = NOW_MS + number;
            let done = organizers::sign_in(&test.db, &digest, &ada, now_ms).await;
            assert!(done.expect("it is written"));
        }
        let listed = passes::of(&test.db, id, NOW_MS + 15).await.expect("readable");
        assert_eq!(listed.len(), 11, "ten sessions without a factor, and the one with it");
        for living in ["enrolled by invitation of Ada", "number 14"] {
            assert_eq!(kind_of(&test, living, NOW_MS + 15).await, Some(Kind::Session));
        }
    }

    async fn a_change_reads_the_session_of_its_owner_again(engine: Engine) {
        let test = TestDb::new(engine).await;
        for who in ["Ada", "Grace", "Linus"] {
            signed_in(&test, who, &[Role::Owner]).await;
        }
        let standing = Authorization {
            pass: "enrolled by invitation of Ada",
            roles: &[Role::Owner],
            proven_after_ms: Some(NOW_MS - 1),
        };
        let seal = seal_of(&test).await;
        let command = Changer::CommandLine(&seal);
        let by = Changer::Organizer(&seal, standing);
        let late = Authorization { proven_after_ms: Some(NOW_MS), ..standing };
        let late = Changer::Organizer(&seal, late);
        let unproven = Authorization { pass: "session of Ada", ..standing };
        let unproven = Changer::Organizer(&seal, unproven);
        let reset = async |by: Changer<'_>| {
            organizers::reset(&test.db, by, "Grace", "again", NOW_MS).await.expect("readable")
        };
        assert_eq!(reset(late).await, Err(OrganizerError::Ended), "proven too long ago");
        assert_eq!(reset(unproven).await, Err(OrganizerError::Ended));
        assert_eq!(reset(by).await, Ok("Grace".to_owned()));
        let fewer = rights(&[Role::Observer]);
        let done = organizers::set_rights(&test.db, command, "Ada", &fewer, NOW_MS).await;
        done.expect("it is written").expect("Linus is an owner");
        assert_eq!(reset(by).await, Err(OrganizerError::Ended), "the session has ended");
        let ended =
            script_tokens::end_own(&test.db, &seal, standing, "session of Linus", NOW_MS).await;
        assert_eq!(ended.expect("readable"), Err(OrganizerError::Ended));
        let (eve, owner) = (name("Eve"), rights(&[Role::Owner]));
        let added = organizers::add(&test.db, by, &eve, &owner, "x", NOW_MS).await;
        assert_eq!(added.expect("readable"), Err(OrganizerError::Ended));
        let removed = organizers::remove(&test.db, command, "Ada", NOW_MS).await;
        removed.expect("it is written").expect("Linus is an owner");
        let done = organizers::remove(&test.db, by, "Linus", NOW_MS).await;
        assert_eq!(done.expect("readable"), Err(OrganizerError::Ended));
        // Grace is an owner, but cannot log in.
        let done = organizers::remove(&test.db, command, "Linus", NOW_MS).await;
        assert_eq!(done.expect("readable"), Err(OrganizerError::LastOwner));
    }
}
