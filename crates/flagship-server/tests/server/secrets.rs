//! Types that contain secrets do not reveal them in logs.

use std::fmt::Debug;
use std::marker::PhantomData;

use flagship_actions::mail::address::Email;
use flagship_control::control;
use flagship_game::Secret;
use flagship_server::{App, Config};
use flagship_store::Key;
use flagship_store::accounts::{Account, NewAccount};
use flagship_store::challenges::{Draft, Flag};
use flagship_store::key::token_hash;
use flagship_store::lane::Writer;
use flagship_store::mail::{Draft as Mail, DueMail};
use flagship_store::ops::{Op, Plan, Request};
use flagship_store::sessions::Session;

/// Detects types without `Debug`: for a type with it, the inherent constant of `Probe` shadows this
/// one.
trait Silent {
    const SPEAKS: bool = false;
}

impl<T: ?Sized> Silent for T {}

struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: ?Sized + Debug> Probe<T> {
    const SPEAKS: bool = true;
}

macro_rules! speaking {
    ($($kind:ty),*) => {{
        let all = [$((stringify!($kind), Probe::<$kind>::SPEAKS)),*];
        all.into_iter().filter(|(_, speaks)| *speaks).map(|(name, _)| name).collect::<Vec<_>>()
    }};
}

#[test]
fn types_that_hold_secrets_have_no_revealing_debug() {
    let mut speaking = speaking!(
        Account, NewAccount, Draft, Flag, Op, Request, Plan, Writer, Mail, DueMail, App, Config,
        Email
    );
    if control("types_that_hold_secrets_have_no_revealing_debug", "these have a Debug") {
        speaking.extend(speaking!(String));
    }
    assert_eq!(speaking, [""; 0], "these have a Debug that could show an address, a flag, a token");
    // The probe detects types that have `Debug`.
    assert_eq!(speaking!(Session, Email, String), ["Session", "String"]);

    let canary = "CANARY-7d1f";
    let session = Session {
        token_hash: token_hash(canary),
        account_id: 1,
        expires_at_ms: 2,
        revoked: false,
        rev: 3,
    };
    let secrets = (Secret::new(canary), Key::new(canary.as_bytes()), session);
    let shown = format!("{secrets:?} {secrets:#?}");
    let bytes = format!("{:?}", canary.as_bytes());
    assert!(!shown.contains(canary) && !shown.contains(&bytes), "{shown}");
}
