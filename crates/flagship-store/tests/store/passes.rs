//! Team passes, against vectors that a Python program computed, and the verifiers that organizers
//! copy into their services. They need Python, Node, Go, and a C compiler with OpenSSL.

use std::path::{Path, PathBuf};
use std::process::Command;

use data_encoding::HEXLOWER;
use flagship_store::Key;
use flagship_store::key::team_pass::PassKey;
use serde::Deserialize;

#[path = "../../../../examples/passes/verify.rs"]
mod verify;

/// Maximum number of lines of a verifier.
const LINES_MAX: usize = 25;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Vectors {
    secret: String,
    event_id: String,
    challenges: Vec<ChallengeVector>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChallengeVector {
    id: String,
    secret: String,
    public_key: String,
    teams: Vec<TeamVector>,
    invalid: Vec<InvalidVector>,
}

#[derive(Deserialize)]
struct TeamVector {
    team: i64,
    handle: String,
    pass: String,
    code: String,
}

#[derive(Deserialize)]
struct InvalidVector {
    case: String,
    pass: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn vectors() -> Vectors {
    let text = std::fs::read_to_string(root().join("vectors/passes.json")).expect("the vectors");
    serde_json::from_str(&text).expect("the vectors have this form")
}

fn verifier(name: &str) -> PathBuf {
    root().join("examples/passes").join(name)
}

#[test]
fn passes_and_codes_are_those_of_the_vectors() {
    let vectors = vectors();
    let key = Key::new(vectors.secret.as_bytes());
    assert_eq!(key.event_id(), vectors.event_id);
    assert!(vectors.challenges.len() > 1);
    for challenge in &vectors.challenges {
        let id = challenge.id.as_str();
        let signer = PassKey::new(&key, id);
        assert_eq!(signer.public_key(), challenge.public_key);
        assert_eq!(HEXLOWER.encode(&key.challenge_secret(id)), challenge.secret);
        for TeamVector { team, handle, pass, code } in &challenge.teams {
            assert_eq!(key.team_handle(*team), *handle);
            assert_eq!(signer.pass(*team), *pass);
            assert_eq!(signer.team_of(pass), Some(*team));
            assert_eq!(key.team_code(id, *team), *code);
        }
        for InvalidVector { case, pass } in &challenge.invalid {
            assert_eq!(signer.team_of(pass), None, "{case}");
        }
    }
}

#[test]
fn the_example_service_gives_each_team_its_flag() {
    let code = "import sys; sys.path.insert(0, sys.argv[1]); import vault; \
                print(vault.flag_of(sys.argv[2], sys.argv[3]))";
    let folder = root().join("examples/passes");
    let folder = folder.to_str().expect("a UTF-8 path");
    for ChallengeVector { secret, teams, .. } in &vectors().challenges {
        for TeamVector { handle, code: expected, .. } in teams {
            let output = Command::new("python3")
                .args(["-B", "-c", code, folder, handle, secret])
                .output()
                .expect("python runs");
            let flag = String::from_utf8(output.stdout).expect("it prints text");
            assert_eq!(flag.trim(), format!("flag{{vault_{expected}}}"));
        }
    }
}

/// Calls `verified` with the arguments of each case; it returns the handle, or `None`.
fn check(name: &str, verified: impl Fn([&str; 4]) -> Option<String>) {
    let text = std::fs::read_to_string(verifier(name)).expect("a verifier");
    let lines = text.lines().count();
    assert!(lines <= LINES_MAX, "{name} has {lines} lines");
    let vectors = vectors();
    for ChallengeVector { id, public_key, teams, invalid, .. } in &vectors.challenges {
        let run = |pass: &str| verified([public_key, &vectors.event_id, id, pass]);
        for TeamVector { handle, pass, .. } in teams {
            assert_eq!(run(pass).as_ref(), Some(handle), "{name}");
        }
        for InvalidVector { case, pass } in invalid {
            assert_eq!(run(pass), None, "{name}: a pass {case}");
        }
    }
}

/// Runs a program; returns its line of output, or `None` if it failed.
fn run(program: &[&str], arguments: [&str; 4]) -> Option<String> {
    let (program, before) = program.split_first().expect("a program");
    let output = Command::new(program).args(before).args(arguments).output();
    let output = output.expect("`cargo xtask test` installs it");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    assert!(output.status.success() || text.is_empty(), "a failure prints no handle");
    output.status.success().then(|| text.trim().to_owned())
}

#[test]
fn verifiers_agree_on_the_vectors() {
    check("verify.rs", |[key, event, challenge, pass]| {
        verify::handle_of(key, event, challenge, pass).map(str::to_owned)
    });
    for (program, name) in [("python3", "verify.py"), ("node", "verify.mjs")] {
        let path = verifier(name);
        let path = path.to_str().expect("a UTF-8 path");
        check(name, |arguments| run(&[program, path], arguments));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let built = folder.path().join("verify");
    let built = built.to_str().expect("a UTF-8 path");
    let warnings = ["-Wall", "-Wextra", "-Werror"];
    for (program, name, before, after) in [
        ("cc", "verify.c", &[&warnings[..], &["-o", built]].concat()[..], &["-lcrypto"][..]),
        ("go", "verify.go", &["build", "-o", built], &[]),
    ] {
        let status = Command::new(program)
            .args(before)
            .arg(verifier(name))
            .args(after)
            .env("GOCACHE", folder.path().join("go"))
            .env("GO111MODULE", "off")
            .status();
        assert!(status.expect("`cargo xtask test` installs it").success(), "{name} compiles");
        check(name, |arguments| run(&[built], arguments));
    }
}
