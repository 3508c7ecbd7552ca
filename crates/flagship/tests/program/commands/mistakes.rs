//! Tables of organizers' mistakes in commands and files: the command, its exit code, and the
//! message on standard error (or in the output of `check` and `doctor`), which explains the mistake
//! and gives advice.

use std::path::Path;

use flagship_testkit::{Engine, on_both_engines};
use futures_util::StreamExt;

use crate::event::EventFolder;
use crate::process::{Done, TestSite, program, run};

/// Number of commands that run concurrently.
const AT_ONCE: usize = 4;

/// Messages of libraries. On a line, our own message must precede them; some must not appear at
/// all.
const LIBRARY: [&str; 10] = [
    "No such file or directory",
    "Permission denied",
    "permission denied",
    "Is a directory",
    "Not a directory",
    "Connection refused",
    "error returned from database",
    "invalid port",
    "Address already in use",
    "File exists",
];
const NEVER: [&str; 10] = [
    "entity not found",
    "panicked",
    "RUST_BACKTRACE",
    "Caused by",
    "StoreError",
    "(os error 2) (os",
    "invalid digit",
    "invalid socket address",
    "invalid gzip",
    "deflate",
];

/// Wrong usage: exit code 2 before anything is opened.
const USAGE: [(&str, &str); 47] = [
    ("", "Usage: flagship"),
    ("dance", "unrecognized subcommand 'dance'"),
    ("serve --evnt x", "'--event'"),
    ("serve --event x --listen nowhere", "'nowhere' for '--listen"),
    ("serve --event x --listen 127.0.0.1:99999", "for '--listen"),
    ("serve --event x --metrics 9184", "'9184' for '--metrics"),
    ("serve --event x --log a=b=c", "--log \"a=b=c\""),
    ("serve --event x --log-format xml", "[possible values: text, json]"),
    ("check", "--event <DIR>"),
    ("apply", "--event <DIR>"),
    ("team", "Usage: flagship team"),
    ("team sack Ants", "unrecognized subcommand 'sack'"),
    ("team ban", "<NAME>"),
    ("team ban The Ants", "unexpected argument 'Ants'"),
    ("team award Ants five --reason x", "invalid value 'five'"),
    ("team award Ants 5", "--reason <REASON>"),
    ("team withdraw Ants", "<CHALLENGE>"),
    ("challenge release", "<ID>"),
    ("challenge show one", "unrecognized subcommand 'show'"),
    ("export secrets", "[possible values: ctftime, standings, solves, winners, journal]"),
    ("export standings --format xml", "[possible values: json, csv]"),
    ("export winners --top -1", "unexpected argument '-1'"),
    ("backup", "<FILE>"),
    ("rehearse", "--event <DIR>"),
    ("rehearse --event x --minutes 0", "expected a number of minutes between 0.1 and 1440"),
    ("flags list --last ten", "invalid value 'ten'"),
    ("check", "or set FLAGSHIP_EVENT"),
    ("apply --data x", "Usage: flagship apply [OPTIONS] --event <DIR>\n"),
    ("team ban --data x", "Usage: flagship team ban [OPTIONS] <NAME>\n"),
    ("serve --event x --listen 8300", "an IP address and port, such as 127.0.0.1:8080"),
    ("serve --event x --metrics 127.0.0.1", "an IP address and port, such as 127.0.0.1:8080"),
    ("team award Ants 2.5 --reason x", "expected a whole number, such as 25"),
    ("team award Ants 5 --reason=", "a reason is required"),
    ("apply --event x --confirm x", "expected a whole number, such as 25"),
    ("rehearse --event x --teams 0", "expected a number of teams, at least 1"),
    ("export winners --top 0", "expected a number of teams, at least 1"),
    ("action", "<ACTION>"),
    ("action team.bann --team Ants", "'team.ban'"),
    ("action team.ban Ants", "pass fields as `--key value`"),
    ("action team.ban --team --reason x", "a value is required for '--team'"),
    ("action team.award --points five --data x", "expected a whole number, such as 25"),
    ("action team.address --email=ants@example.org", "`--fields -`"),
    ("actions undo seven", "expected a whole number, such as 25"),
    ("event extend 0", "0 is not in 1..=1000000"),
    ("notice post Hello", "--text <FILE>"),
    ("privacy erase", "<NAME>"),
    ("flags list --network campus", "an IP address, such as 192.0.2.7"),
];

/// Mistakes in commands on a running or applied event: exit code 1. `EVENT` is a valid event
/// folder, `BAD` a folder with prepared invalid ones, and `DATA` the data folder.
const COMMANDS: [(&str, &str, &str); 67] = [
    (
        "action team.ban --team Nobody --reason x",
        "no team named \"Nobody\"",
        "`flagship team list`",
    ),
    ("action team.ban --team Ants", "team.ban needs a reason", "add --reason TEXT"),
    ("action team.ban --reason x", "team.ban: missing field `team`", ""),
    ("action team.ban --team Ants --points 5 --reason x", "unknown field `points`", "`team`"),
    ("action team.ban --fields /nowhere", "read `/nowhere`", "Check the path"),
    ("action team.ban --fields BAD/columns.csv", "as a JSON object", "line 1 column 2"),
    (
        "action challenge.hide --challenge nine",
        "no challenge with the ID",
        "`flagship challenge list`",
    ),
    (
        "action team.award --team Ants --points 0 --reason x",
        "an award must be between 1 and",
        "negative",
    ),
    ("actions undo 7000000", "no action with this ID", "list all with `flagship actions`"),
    ("event resume", "nothing to change", ""),
    ("notice post Hello --text /nowhere", "read `/nowhere`", "Check the path"),
    ("serve --event /nowhere", "read the event folder `/nowhere`", "Check the path"),
    ("check --event /nowhere", "read the event folder `/nowhere`", "Check the path"),
    ("apply --event /nowhere", "read the event folder `/nowhere`", "Check the path"),
    ("check --event EVENT/event.toml", "not a folder", "Check the path"),
    ("serve --event BAD/empty", "cannot serve the event", "fix the errors in `event.toml`"),
    ("apply --event BAD/empty", "nothing was applied", "flagship check"),
    ("rehearse --event BAD/empty", "files have errors", "`flagship check --event DIR`"),
    ("rehearse --against ctf.example.org", "the address begins with http", "https://"),
    (
        "rehearse --against http://127.0.0.1:1 --tokens /nowhere.csv",
        "/nowhere.csv",
        "Check the path",
    ),
    ("privacy show Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("privacy erase --all", "the event is not over", "`--force`"),
    ("team story Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("team ban Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("team unban Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("team hide Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("team show Nobody", "no team named \"Nobody\"", "`flagship team list`"),
    ("team award Nobody 5 --reason x", "no team named \"Nobody\"", "`flagship team list`"),
    ("team award Ants 0 --reason x", "between 1 and 1000000000 points", "or negative"),
    ("team award Ants 1000000001 --reason x", "an award must be between 1 and", "negative"),
    ("team withdraw Nobody one", "no team named \"Nobody\"", "`flagship team list`"),
    ("team withdraw Ants one", "\"Ants\" has not solved one", "`flagship export solves`"),
    ("team withdraw Ants o/ne", "\"o/ne\" is not a challenge ID", "`flagship challenge list`"),
    ("team import /nowhere.csv", "/nowhere.csv", "Check the path"),
    ("team import BAD", "not a regular file", ""),
    ("team import BAD/columns.csv", "columns.csv:1", ""),
    ("team import BAD/email.csv", "email.csv:2", "nothing was imported"),
    ("team import BAD/local.csv", "local.csv:2: \"w@intranet\" is", "`local_addresses = true`"),
    ("team import BAD/local.csv", "local.csv:3: \"bees@localhost\" is a local", "has 2 errors"),
    ("team import BAD/taken.csv", "taken.csv:2", "nothing was imported"),
    ("team import BAD/sheet.xlsx", "is a spreadsheet", "save it as CSV"),
    ("team import BAD/header.csv", "header.csv:1: no teams", "below the header"),
    ("team import BAD/near.csv", "near.csv:1: unknown column \"Emial\"", "did you mean \"email\"?"),
    ("team import BAD/quote.csv", "quote.csv:3: unclosed quote (\")", ""),
    ("team import BAD/row.csv", "the row has 1 field, but the header has 2", "quote fields"),
    (
        "team import BAD/email.csv --tokens BAD/email.csv",
        "nothing was imported",
        "already exists; choose another name",
    ),
    ("challenge hide nine", "no challenge with the ID \"nine\"", "`flagship challenge list`"),
    ("challenge release nine", "no challenge with the ID \"nine\"", "`flagship challenge list`"),
    ("challenge hide n/ne", "\"n/ne\" is not a challenge ID", "`flagship challenge list`"),
    ("reveal", "the scoreboard is not frozen", "see `flagship status`"),
    ("export ctftime --format csv", "this export is JSON only", "remove --format csv"),
    ("export journal --format csv", "this export is JSON only", "remove --format csv"),
    ("export ctftime --students", "--students does not apply", ""),
    ("export solves --top 1", "--top only applies to `winners` and `standings`", ""),
    ("export journal", "after the event has ended and been revealed", "`flagship status`"),
    ("journal verify --against /nowhere", "neither a head nor a file", "Check the path"),
    (
        "journal verify --against BAD/columns.csv",
        "no journal head found in",
        "`flagship journal head`",
    ),
    ("backup BAD/columns.csv", "already exists", "choose another name"),
    ("backup /nowhere/backup", "in `/nowhere`", "Check the path"),
    ("restore /nowhere", "read `/nowhere`", "Check the path"),
    ("restore BAD/columns.csv", "it was not written by Flagship", "use another one"),
    ("restore BAD/cut", "it is truncated or damaged", "use another one"),
    ("serve --event EVENT --data EVENT", "are the same folder", "Use a separate --data folder"),
    (
        "serve --event EVENT --data EVENT/event.toml --listen 127.0.0.1:0",
        "event.toml` is a file",
        "it must be a folder",
    ),
    ("init EVENT/event.toml", "already exists", "Choose another name"),
    ("status --secret-file /nowhere", "the secret `/nowhere` is missing", "--secret-file"),
    (
        "status --secret-file BAD/short",
        "must be 32 to 4096 bytes long",
        "restore the original file",
    ),
];

/// Mistakes in `event.toml`: each is a replacement in a valid one, with the message of `check`.
/// `serve` does not start with them.
const SETTINGS: [(&str, &str, &str); 8] = [
    ("[event]", "[evnt]", "event.toml:1: error: "),
    ("name = \"Small CTF\"", "name = Small CTF", "event.toml:2: error: "),
    ("\nend = ", "\nends = ", "`end`"),
    ("flag_format = \"flag{...}\"", "flag_fromat = \"flag{...}\"", "`flag_format`"),
    ("reveal = \"auto\"", "reveal = \"soon\"", "event.toml:6: error: "),
    ("provider = \"off\"", "provider = \"none\"", "event.toml:8: error: "),
    ("transport = \"file\"", "transport = \"pigeon\"", "event.toml:10: error: "),
    ("_per_hour = 0", "_per_hour = many", "event.toml:12: error: "),
];

/// A mistake of `serve`: its arguments, its variables, and two pieces of its message.
type Started = (&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

/// Mistakes in options and variables of `serve`, with a valid event folder.
const SERVE: [Started; 11] = [
    ("--public-url https://example.org/ctf", &[], "the site needs its own host", "for example"),
    ("--public-url https://example.org/?x", &[], "the site needs its own host", "for example"),
    ("--public-url ctf.example.org", &[], "must start with http:// or", "for example https://ctf"),
    ("--listen LISTEN", &[], "the address is already in use", "use another address"),
    ("--listen 127.0.0.1:0 --metrics LISTEN", &[], "for metrics", "use another address"),
    ("--listen 192.0.2.1:80", &[], "the address does not belong to this machine", "`ip address`"),
    ("--event BAD/mail", &[], "[mail] has a username", "FLAGSHIP_SMTP_PASSWORD"),
    (
        "--event BAD/mail",
        &[("FLAGSHIP_SMTP_PASSWORD_FILE", "/nowhere")],
        "FLAGSHIP_SMTP_PASSWORD_FILE: read `/nowhere`",
        "Check the path",
    ),
    ("--event BAD/captcha", &[], "the hcaptcha captcha needs", "FLAGSHIP_CAPTCHA_SECRET"),
    ("--event BAD/from", &[], "event.toml", "fix the errors in `event.toml`"),
    (
        "--listen 127.0.0.1:0",
        &[("FLAGSHIP_DEMO", "1")],
        "contains a real event",
        "new --data folder",
    ),
];

/// Mistakes in the location of the event: other values for the data folder and the database.
const PLACES: [(&str, &str, &str); 7] = [
    ("--data DATA/nothing", "no event", "--data"),
    ("--data EVENT/event.toml", "not a folder", "Check the path"),
    ("--database mysql://ada@127.0.0.1/x", "--database must be `postgres://", "omit it"),
    (
        "--database postgres://ada@127.0.0.1:port/x",
        "the database URL is invalid",
        "Use postgres://",
    ),
    ("--database postgres://ada@127.0.0.1:1/x", "not responding", "Check the host and port"),
    ("--data BAD/foreign", "another program's tables (notes)", "its own database"),
    ("--data BAD/text", "the file is not an SQLite database", "Check --data"),
];

/// A command, its variables, and the pieces of its message.
type Line = (String, &'static [(&'static str, &'static str)], Vec<&'static str>);

/// The folders that the tables refer to.
struct Stage {
    site: TestSite,
    event: EventFolder,
    bad: EventFolder,
    /// Keeps the address `LISTEN` in use.
    taken: std::net::TcpListener,
}

impl Stage {
    async fn new(engine: Engine) -> Self {
        let site = TestSite::new(engine).await;
        let event = EventFolder::new();
        let bad = EventFolder::new();
        site.apply(&event).await.ok();
        site.import_csv("name,email\nAnts,ants@example.org\n").await;
        std::fs::create_dir(bad.file("empty")).unwrap();
        bad.write("columns.csv", "team,mail\nBees,bees@example.org\n");
        bad.write("email.csv", "name,email\nBees,bees\n");
        bad.write("local.csv", "name,email\nBees,w@intranet\nWasps,Bees@LOCALHOST\n");
        bad.write("taken.csv", "name,email\nANTS,bees@example.org\n");
        bad.write("sheet.xlsx", "PK\u{3}\u{4}[Content_Types].xml");
        bad.write("header.csv", "name,email\n");
        bad.write("near.csv", "Name,Emial\nBees,bees@example.org\n");
        bad.write("quote.csv", "name,email\nBees,b@example.org\n\"Crabs,c@example.org\n");
        bad.write("row.csv", "name,email\nBees\n");
        std::fs::write(bad.file("cut"), [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).unwrap();
        bad.write("short", "short");
        bad.write("text/flagship.db", &"This is no database. ".repeat(500));
        let toml = std::fs::read_to_string(event.file("event.toml")).unwrap();
        let smtp = "transport = \"smtp\"\nfrom = \"ctf@example.org\"\nhost = \"127.0.0.1\"\n\
                    port = 1\ntls = \"none\"\nusername = \"ctf\"";
        let with_mail = |mail: &str| toml.replace("transport = \"file\"", mail);
        bad.write("mail/event.toml", &with_mail(smtp));
        bad.write("from/event.toml", &with_mail(&smtp.replace("ctf@example.org", "ctf")));
        let captcha = "provider = \"hcaptcha\"\nsite_key = \"x\"";
        bad.write("captcha/event.toml", &toml.replace("provider = \"off\"", captcha));
        std::fs::create_dir(bad.file("foreign")).unwrap();
        foreign(&bad.file("foreign/flagship.db")).await;
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        Self { site, event, bad, taken }
    }

    /// The arguments of a command, with the placeholders of the tables replaced.
    fn words(&self, line: &str) -> Vec<String> {
        let data = self.site.data().to_str().unwrap();
        let listen = self.taken.local_addr().unwrap().to_string();
        let word = |word: &str| {
            let names = [
                ("EVENT", self.event.dir()),
                ("BAD", self.bad.dir()),
                ("DATA", data),
                ("LISTEN", &listen),
            ];
            names.iter().fold(word.to_owned(), |word, (name, path)| word.replace(name, path))
        };
        line.split_whitespace().map(word).collect()
    }

    /// Runs a command on the event. Options of the line come last, so they override the defaults.
    async fn run(&self, line: &str, variables: &[(&str, &str)]) -> Done {
        let words = self.words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_place = |word: &&str| ["--data", "--database"].contains(word);
        let has_none = ["check", "init", "rehearse"].contains(&words[0]);
        let mut command = match words.iter().any(is_place) || has_none {
            true => program(&words),
            false => self.site.command(&words),
        };
        command.envs(variables.iter().copied());
        run(command).await
    }
}

/// Creates a database of another program.
pub async fn foreign(file: &Path) {
    use sqlx::Connection;
    let url = format!("sqlite://{}?mode=rwc", file.display());
    let mut conn = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("create table notes (text text)").execute(&mut conn).await.unwrap();
    conn.close().await.unwrap();
}

/// Compares a result with the expected one; returns the difference, if any.
fn fault(line: &str, done: &Done, code: i32, pieces: &[&str]) -> Option<String> {
    let all = format!("{}{}", done.out, done.err);
    let missing = pieces.iter().find(|piece| !all.contains(**piece));
    let never = NEVER.iter().find(|piece| all.contains(**piece));
    let last = done.err.lines().last().unwrap_or_default();
    let words = last.strip_prefix("flagship: ").unwrap_or(last);
    let library = LIBRARY.iter().find(|piece| words.starts_with(**piece));
    let is_as_said = done.code == Some(code) && missing.or(never).or(library).is_none();
    let said = || format!("`flagship {line}`: {missing:?} {never:?} {library:?} in {done:#?}");
    (!is_as_said).then(said)
}

/// Asserts that all results are as expected; lists those that are not.
fn assert_clean(name: &str, lines: usize, faults: &[String]) {
    assert!(faults.is_empty(), "{} of {lines} {name}:\n{}", faults.len(), faults.join("\n"));
}

on_both_engines! {
    async fn every_mistake_has_an_explanation_and_advice(engine: Engine) {
        let stage = Stage::new(engine).await;
        let before = stage.site.test.journal().await;
        let mut lines: Vec<Line> = Vec::new();
        let line = |line: &str, is, then| (line.to_owned(), &[][..], vec![is, then]);
        lines.extend(COMMANDS.map(|(words, is, then)| line(words, is, then)));
        lines.extend(PLACES.map(|(place, is, then)| line(&format!("team list {place}"), is, then)));
        lines.extend(SERVE.map(|(options, variables, is, then)| {
            let event = if options.contains("--event") { "" } else { "--event EVENT " };
            // They run concurrently on one folder.
            (format!("serve --join {event}{options}"), variables, vec![is, then])
        }));
        let count = lines.len();
        let answers = futures_util::stream::iter(&lines).map(async |(line, variables, pieces)| {
            fault(line, &stage.run(line, variables).await, 1, pieces)
        });
        let faults: Vec<Option<String>> = answers.buffer_unordered(AT_ONCE).collect().await;
        let faults: Vec<String> = faults.into_iter().flatten().collect();
        assert_clean("mistakes", count, &faults);
        assert!(count + USAGE.len() + SETTINGS.len() >= 90, "{count} mistakes");
        assert_eq!(stage.site.test.journal().await, before, "nothing was recorded");
    }
}

#[tokio::test]
async fn wrong_usage_prints_the_right_usage() {
    let answers = futures_util::stream::iter(USAGE).map(async |(line, piece)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        fault(line, &run(program(&words)).await, 2, &[piece])
    });
    let faults: Vec<Option<String>> = answers.buffer_unordered(AT_ONCE).collect().await;
    let faults: Vec<String> = faults.into_iter().flatten().collect();
    assert_clean("usages", USAGE.len(), &faults);
}

#[tokio::test]
async fn every_mistake_in_the_settings_is_reported_by_check_and_serve() {
    let good = EventFolder::new();
    let toml = std::fs::read_to_string(good.file("event.toml")).unwrap();
    let site = TestSite::bare(Engine::Sqlite).await;
    let mut faults = Vec::new();
    for (from, to, piece) in SETTINGS {
        let event = EventFolder::new();
        event.write("event.toml", &toml.replace(from, to));
        assert!(toml.contains(from), "{from}");
        let checked = run(program(&["check", "--event", event.dir()])).await;
        faults.extend(fault(&format!("check: {to}"), &checked, 1, &[piece]));
        let served = site.run(&["serve", "--event", event.dir()]).await;
        let pieces = [piece, "fix the errors in `event.toml` listed above"];
        faults.extend(fault(&format!("serve: {to}"), &served, 1, &pieces));
    }
    assert_clean("settings", SETTINGS.len() * 2, &faults);
    assert_eq!(std::fs::read_dir(site.data()).unwrap().count(), 0, "nothing was created");
}
