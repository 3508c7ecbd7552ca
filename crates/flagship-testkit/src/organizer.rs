//! Organizers of a server under test, with their credentials.

use flagship_game::TeamName;
use flagship_store::organizers::passes::Kind;
use flagship_store::organizers::{
    self, Changer, NewFactor, Organizer, Proof, Rights, Role, tokens,
};

use crate::call::COOKIE;
use crate::player::challenge_id;
use crate::{Call, TestApp};

/// Two-factor secret of each organizer until replaced.
pub const SECRET: &[u8; 20] = b"12345678901234567890";
/// Password of each organizer.
pub const PASSWORD: &str = "a long password";

impl TestApp {
    /// Adds an organizer; returns the token of their invitation.
    ///
    /// # Panics
    /// If the name is taken.
    pub async fn invite(&self, name: &str, roles: &[Role]) -> String {
        let (name, roles) = (TeamName::parse(name).expect("a name"), roles.iter().copied());
        let rights = Rights { roles: roles.collect(), ..Rights::default() };
        let (token, digest) = self.pass(Kind::Invitation);
        let db = &self.test.db;
        let seal = self.app.seal();
        let by = Changer::CommandLine(&seal);
        let now_ms = self.now_ms();
        let done = organizers::add(db, by, &name, &rights, &digest, now_ms).await;
        done.expect("it is written").expect("the name is free");
        token
    }

    /// Adds an author of challenges, as [`Self::organizer`] does.
    ///
    /// # Panics
    /// If the name is taken.
    pub async fn author(&self, name: &str, challenges: &[&str]) -> Organizer {
        let author = self.organizer(name, &[Role::Author]).await;
        let challenges = challenges.iter().map(|id| challenge_id(id)).collect();
        let rights = Rights { roles: [Role::Author].into(), challenges };
        let seal = self.app.seal();
        let by = Changer::CommandLine(&seal);
        let done = organizers::set_rights(&self.test.db, by, name, &rights, self.now_ms()).await;
        done.expect("it is written").expect("the author is there");
        author
    }

    /// Adds an organizer with a password and a second factor.
    ///
    /// # Panics
    /// If the name is taken.
    pub async fn organizer(&self, name: &str, roles: &[Role]) -> Organizer {
        let invitation = self.invite(name, roles).await;
        let key = &self.app.config().key;
        let invitation = tokens::digest(key, Kind::Invitation, &invitation).expect("ours");
        let organizer = self.organizer_named(name).await;
        let sealed = key.seal("organizer factor", &organizer.id.to_string(), SECRET);
        let factor = NewFactor { sealed: &sealed, step: 0, codes: &[] };
        let hash = flagship_server::hash_of(PASSWORD.as_bytes());
        let (_, session) = self.pass(Kind::Session);
        let (db, now_ms) = (&self.test.db, self.now_ms());
        let done = organizers::enrol(db, &invitation, &session, &hash, &factor, now_ms).await;
        assert!(done.expect("it is written"), "the invitation is valid");
        self.organizer_named(name).await
    }

    async fn organizer_named(&self, name: &str) -> Organizer {
        let found = organizers::by_name(&self.test.db, name).await.expect("readable");
        found.expect("it is there")
    }

    /// A new session of an organizer, with the second factor given or not.
    ///
    /// # Panics
    /// If the session is rejected.
    pub async fn organizer_session(&self, organizer: &Organizer, is_proven: bool) -> String {
        let (token, digest) = self.pass(Kind::Session);
        let (db, now_ms) = (&self.test.db, self.now_ms());
        assert!(organizers::sign_in(db, &digest, organizer, now_ms).await.expect("it is written"));
        if is_proven {
            // Any step after the last one; steps of real codes are far later.
            let step = self.organizer_named(&organizer.name).await.factor_step + 1;
            let proof = Proof::Step(step);
            let done = organizers::prove(db, &digest, organizer.id, &proof, now_ms).await;
            assert!(done.expect("it is written"), "the step is new");
        }
        token
    }

    /// An API token.
    ///
    /// # Panics
    /// If the organizer is gone.
    pub async fn organizer_token(&self, organizer: &Organizer) -> String {
        let (token, digest) = self.pass(Kind::Token);
        let (db, now_ms) = (&self.test.db, self.now_ms());
        let done = organizers::create_token(db, &digest, &organizer.name, 30, now_ms).await;
        done.expect("it is written").expect("the organizer is there");
        token
    }

    fn pass(&self, kind: Kind) -> (String, String) {
        tokens::create(&self.app.config().key, kind)
    }
}

impl Call {
    /// `GET` or `POST /api/organize{path}` as the site sends it, from the origin of the site.
    #[must_use]
    pub fn organize(method: &str, path: &str) -> Self {
        let call = Self::new(method, &format!("/api/organize{path}"));
        call.header("sec-fetch-site", "same-origin").header("x-organize", "1")
    }

    /// Adds the cookie of an organizer's session.
    #[must_use]
    pub fn session(self, token: &str) -> Self {
        self.header("cookie", format!("{COOKIE}={token}"))
    }
}
