//! The command line. Every option is also an environment variable; secrets are read from the
//! environment or from files only.

mod actions;
mod apply;
mod cards;
mod flags;
mod options;
mod pass;
#[cfg(test)]
mod reach;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{ArgPredicate, BoolishValueParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use flagship_game::Viewer;
use flagship_pack::Severity;

use flagship_server::imports::Encoding;
use flagship_store::organizers::{Role, UnknownRole};

pub use self::actions::{Action, Actions, ActionsCommand, Code, Event, Notice};
pub use self::apply::{Apply, Pull};
pub use self::cards::TeamCards;
pub use self::flags::Flags;
pub use self::options::{ActionArgs, Installation, Listing, PublicUrl, ReasonOption};
use self::options::{one_of, whole};
pub use self::pass::Pass;
use crate::public_url;

/// A capture-the-flag event in one program.
#[derive(Parser)]
#[command(name = "flagship", version, about)]
pub struct Cli {
    /// Log filter, in tracing syntax; the log goes to standard error.
    #[arg(long, env = "FLAGSHIP_LOG", default_value = "info,sqlx=warn", global = true)]
    pub log: String,
    /// Log format: human-readable text, or one JSON object per line.
    #[arg(long, env = "FLAGSHIP_LOG_FORMAT", value_enum, default_value_t, global = true)]
    pub log_format: LogFormat,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

fn severity() -> impl TypedValueParser<Value = Severity> {
    one_of(&[("error", Severity::Error), ("warning", Severity::Warning), ("note", Severity::Note)])
}

#[derive(Subcommand)]
pub enum Command {
    /// Starts the server.
    Serve(Serve),
    /// Creates an event folder from a template.
    Init {
        /// The folder; must be empty or not exist yet.
        folder: PathBuf,
    },
    /// Checks the event files and lists problems as `file:line: message`.
    Check {
        /// The event folder.
        #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
        event: PathBuf,
        /// Minimum severity to list.
        #[arg(long, env = "FLAGSHIP_SEVERITY", default_value = "note", value_parser = severity())]
        severity: Severity,
    },
    /// Shows what the event files would change, including team ranks, then applies them all or
    /// nothing.
    Apply(Apply),
    /// Writes live edits back to the event files, keeping comments.
    Pull(Pull),
    /// Manages organizers and their roles.
    #[command(subcommand)]
    Organizer(Organizer),
    /// Manages teams.
    #[command(subcommand)]
    Team(Team),
    /// Makes, lists or revokes signup codes.
    #[command(subcommand)]
    Code(Code),
    /// Runs an organizer action and records it in the audit log.
    Action(Action),
    /// Shows the audit log (newest first), undoes an action, or verifies the log.
    Actions(Actions),
    /// Extends, pauses or resumes the event.
    #[command(subcommand)]
    Event(Event),
    /// Posts notices to players.
    #[command(subcommand)]
    Notice(Notice),
    /// Lists, releases or hides challenges.
    #[command(subcommand)]
    Challenge(Challenge),
    /// Lists flag submissions.
    #[command(subcommand)]
    Flags(Flags),
    /// Verifies team passes, and prints the secrets of challenges with services.
    #[command(subcommand)]
    Pass(Pass),
    /// Shows or erases personal data about teams.
    #[command(subcommand)]
    Privacy(Privacy),
    /// Lists evidence of flag sharing between pairs of teams, each with an innocent explanation.
    Evidence(Listing),
    /// Shows event status: times, teams, solves, nodes, email, disk.
    Status(Listing),
    /// Ends the freeze and shows the final scoreboard.
    Reveal {
        #[command(flatten)]
        installation: Installation,
        /// Reveal even before the event has ended.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        reason: ReasonOption,
    },
    /// Exports results to standard output.
    Export(Export),
    /// Verifies the journal or prints its head.
    #[command(subcommand)]
    Journal(Journal),
    /// Writes the whole event (database, attachments, secret) into one file. Works while serving.
    Backup {
        /// The backup file; must not exist yet.
        file: PathBuf,
        #[command(flatten)]
        installation: Installation,
    },
    /// Restores a backup to SQLite or PostgreSQL. The data folder and the database must be empty.
    Restore {
        /// A file created by `flagship backup`.
        file: PathBuf,
        #[command(flatten)]
        installation: Installation,
    },
    /// Moves attachments and branding files to another place.
    #[command(subcommand)]
    Attachments(Attachments),
    /// Checks that the machine is ready for the event; prints one line per check.
    Doctor(Doctor),
    /// Checks that the server responds. For health checks of containers.
    Health(Health),
    /// Load-tests the event with simulated players on a temporary copy; prints GO or NO-GO.
    Rehearse(Rehearse),
    /// Prints the OpenAPI description.
    Openapi,
    /// Prints the completion script of a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Writes a manual page for each command.
    #[command(hide = true)]
    Manual {
        /// An existing folder.
        folder: PathBuf,
    },
    /// A worker process of a rehearsal; reads its script from standard input.
    #[command(hide = true)]
    Crowd,
}

#[derive(Subcommand)]
pub enum Attachments {
    /// Moves all files from the place that --attachments names. Stop the servers first, and start
    /// them with the new place. An interrupted move loses nothing; run it again.
    Move {
        /// The new place, in the form of --attachments.
        #[arg(long, env = "FLAGSHIP_TO", value_name = "DIR|URL", hide_env_values = true)]
        to: String,
        #[command(flatten)]
        installation: Installation,
    },
}

#[derive(Args)]
pub struct Serve {
    /// The event folder. Without it, the event is set up on the site and lives in the database
    /// only.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: Option<PathBuf>,
    #[command(flatten)]
    pub installation: Installation,
    /// Address to listen on; 0.0.0.0:443 with --tls. A socket from systemd takes precedence.
    #[arg(long, env = "FLAGSHIP_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    #[arg(value_parser = address, default_value_if("tls", ArgPredicate::IsPresent, HTTPS))]
    pub listen: SocketAddr,
    /// Domain of the site, for TLS without a proxy. The certificate is requested by ACME and stored
    /// in DATA/tls.
    #[arg(long, env = "FLAGSHIP_TLS", value_name = "DOMAIN", value_parser = public_url::domain)]
    pub tls: Option<String>,
    /// ACME directory of the certificate authority.
    #[arg(long, env = "FLAGSHIP_ACME", value_name = "URL", default_value = LETS_ENCRYPT)]
    #[arg(value_parser = https_url)]
    pub acme: String,
    /// PEM file with the root certificate of the ACME server. Default: the system's roots.
    #[arg(long, env = "FLAGSHIP_ACME_ROOT", value_name = "FILE", requires = "tls")]
    pub acme_root: Option<PathBuf>,
    /// Address for plain HTTP with --tls, for redirects and the certificate authority. Default:
    /// 0.0.0.0:80.
    #[arg(long, env = "FLAGSHIP_LISTEN_HTTP", value_name = "ADDRESS", value_parser = address)]
    #[arg(requires = "tls", default_value_if("tls", ArgPredicate::IsPresent, HTTP))]
    pub listen_http: Option<SocketAddr>,
    /// Address for Prometheus metrics, `/healthz` and `/readyz`; keep it private. Off by default.
    #[arg(long, env = "FLAGSHIP_METRICS", value_name = "ADDRESS")]
    #[arg(value_parser = address)]
    pub metrics: Option<SocketAddr>,
    /// Public URL of the site. Default: `https://` and the domain of --tls, or `http://` and the
    /// listen address.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Allow a second server on the same SQLite data folder.
    #[arg(long, env = "FLAGSHIP_JOIN", value_parser = BoolishValueParser::new())]
    pub join: bool,
    /// Demo mode: moves the event to now and simulates teams; refused if the data folder has
    /// another event.
    #[arg(long, env = "FLAGSHIP_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
}

#[derive(Args)]
pub struct Doctor {
    /// The event folder. Without it, the settings made on the site are checked.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: Option<PathBuf>,
    #[command(flatten)]
    pub installation: Installation,
    /// Public URL of the site. Default without --event: the URL used at the last start.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Domain of the site, if `serve` has --tls.
    #[arg(long, env = "FLAGSHIP_TLS", value_name = "DOMAIN", value_parser = public_url::domain)]
    pub tls: Option<String>,
}

#[derive(Args)]
pub struct Health {
    /// Address that the server listens on.
    #[arg(long, env = "FLAGSHIP_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    #[arg(value_parser = address)]
    pub listen: SocketAddr,
    /// URL of the server. Default: `http://` and the listen address on this machine.
    #[arg(long, env = "FLAGSHIP_URL", value_name = "URL")]
    pub url: Option<String>,
}

#[derive(Args)]
pub struct Rehearse {
    /// The event folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR", required_unless_present = "against")]
    pub event: Option<PathBuf>,
    /// Folder for the temporary copy, if it exists.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The PostgreSQL server, `postgres://...`, for a temporary database.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Number of simulated teams; with --against, at most the number of tokens.
    #[arg(long, env = "FLAGSHIP_TEAMS", default_value_t = 200, value_name = "N")]
    #[arg(value_parser = teams)]
    pub teams: usize,
    /// Number of anonymous spectators.
    #[arg(long, env = "FLAGSHIP_SPECTATORS", default_value_t = 500, value_name = "M")]
    #[arg(value_parser = whole::<usize>)]
    pub spectators: usize,
    /// Duration in minutes.
    #[arg(long, env = "FLAGSHIP_MINUTES", default_value_t = 2.0, value_name = "T")]
    #[arg(value_parser = minutes)]
    pub minutes: f64,
    /// URL of a running site to test instead of a copy; its event times are not changed.
    #[arg(long, env = "FLAGSHIP_AGAINST", value_name = "URL")]
    pub against: Option<String>,
    /// Team tokens for the running site, from `team import --tokens`.
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "FILE.csv", requires = "against")]
    pub tokens: Option<PathBuf>,
}

fn teams(text: &str) -> Result<usize, String> {
    let teams = text.parse().ok().filter(|teams| *teams > 0);
    teams.ok_or_else(|| "expected a number of teams, at least 1".to_owned())
}

/// Addresses of a server with its own TLS.
const HTTPS: &str = "0.0.0.0:443";
const HTTP: &str = "0.0.0.0:80";
/// ACME directory of Let's Encrypt.
const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

fn https_url(text: &str) -> Result<String, String> {
    match text.strip_prefix("https://") {
        Some(rest) if !rest.is_empty() => Ok(text.to_owned()),
        _ => Err(format!("expected the https URL of an ACME directory, such as {LETS_ENCRYPT}")),
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "expected an IP address and port, such as 127.0.0.1:8080, or 0.0.0.0:8080 for all \
        interfaces"
            .to_owned()
    })
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("a reason is required; it is recorded in the audit log".to_owned()),
        reason => Ok(reason.to_owned()),
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.1..=1440.0).contains(minutes));
    minutes.ok_or_else(|| "expected a number of minutes between 0.1 and 1440".to_owned())
}

#[derive(Subcommand)]
pub enum Team {
    /// Lists all teams with their unfrozen ranks, including unconfirmed ones.
    List(Listing),
    /// Shows a team's activity: signup, emails, logins, downloads, submissions, questions and
    /// organizer actions; newest last.
    Story {
        /// The team's name.
        name: String,
        #[command(flatten)]
        listing: Listing,
        /// Show only the last N entries; 0 for all.
        #[arg(long, env = "FLAGSHIP_LAST", default_value_t = 100)]
        #[arg(value_parser = whole::<usize>)]
        last: usize,
    },
    /// Imports teams from a CSV file with the columns name, email, country, student, password,
    /// divisions (IDs separated by spaces). All or nothing.
    Import(TeamFile),
    /// Makes a sheet of cards to print. With a card, a team sets its password and logs in, once,
    /// until the end of the event. A new card voids the team's earlier one.
    Cards(TeamCards),
    /// Removes a team from the scoreboard and logs it out.
    Ban(TeamActionArgs),
    /// Reverses a ban.
    Unban(TeamActionArgs),
    /// Removes a team from the scoreboard; the team can still play.
    Hide(TeamActionArgs),
    /// Unhides a team.
    Show(TeamActionArgs),
    /// Renames a team.
    Rename {
        #[command(flatten)]
        args: TeamActionArgs,
        /// The new name.
        #[arg(value_name = "NEW")]
        new: String,
        /// Do not redirect from the old name.
        #[arg(long, env = "FLAGSHIP_OFFENSIVE", value_parser = BoolishValueParser::new())]
        offensive: bool,
    },
    /// Awards points to a team; a negative number deducts points.
    Award {
        #[command(flatten)]
        team: TeamName,
        /// Number of points.
        #[arg(allow_negative_numbers = true, value_parser = whole::<i64>)]
        points: i64,
        /// Reason, recorded in the audit log.
        #[arg(long, env = "FLAGSHIP_REASON", value_parser = reason)]
        reason: String,
    },
    /// Withdraws a solve. The team can solve the challenge again.
    Withdraw {
        #[command(flatten)]
        args: TeamActionArgs,
        /// Challenge ID.
        challenge: String,
    },
}

/// Arguments of `team import`.
#[derive(Args)]
pub struct TeamFile {
    /// The file.
    pub file: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Write a token for each team to this new CSV file (columns name, token).
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "OUT.csv")]
    pub tokens: Option<PathBuf>,
    /// Skip teams that already exist, confirmed or not.
    #[arg(long, env = "FLAGSHIP_SKIP_EXISTING", value_parser = BoolishValueParser::new())]
    pub skip_existing: bool,
    /// Email each team a link to set its password, valid for 7 days or until the end of the event,
    /// whichever is later.
    #[arg(long, env = "FLAGSHIP_MAIL", value_parser = BoolishValueParser::new())]
    pub mail: bool,
    #[command(flatten)]
    pub site: PublicUrl,
    /// List imported rows, skipped rows and errors without importing anything.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Encoding of a file that is not UTF-8 or UTF-16, for example windows-1251, gbk or macintosh.
    #[arg(long, env = "FLAGSHIP_ENCODING", value_name = "LABEL", value_parser = encoding)]
    pub encoding: Option<Encoding>,
}

fn encoding(label: &str) -> Result<Encoding, String> {
    Encoding::of_label(label).ok_or_else(|| {
        "no encoding has this label; common ones are windows-1252, windows-1250, windows-1251, \
         macintosh, gbk, big5, shift_jis, euc-kr, koi8-r"
            .to_owned()
    })
}

#[derive(Subcommand)]
pub enum Organizer {
    /// Adds an organizer and prints a one-time invitation link, valid for 24 hours.
    Add {
        #[command(flatten)]
        organizer: OrganizerName,
        /// Roles, comma-separated: observer, author, support, organizer or owner.
        #[arg(long = "role", env = "FLAGSHIP_ROLE", value_name = "ROLE[,ROLE]", required = true)]
        #[arg(value_delimiter = ',', value_parser = role)]
        roles: Vec<Role>,
        /// IDs of the author's challenges, comma-separated.
        #[arg(long, env = "FLAGSHIP_CHALLENGES", value_name = "ID[,ID]", value_delimiter = ',')]
        challenges: Vec<String>,
        #[command(flatten)]
        site: PublicUrl,
    },
    /// Lists organizers, their roles, and whether they have accepted their invitation.
    List(Listing),
    /// Replaces an organizer's roles.
    Role {
        #[command(flatten)]
        organizer: OrganizerName,
        /// observer, author, support, organizer or owner, comma-separated.
        #[arg(value_name = "ROLE[,ROLE]", required = true)]
        #[arg(value_delimiter = ',', value_parser = role)]
        roles: Vec<Role>,
        /// IDs of the author's challenges, comma-separated.
        #[arg(long, env = "FLAGSHIP_CHALLENGES", value_name = "ID[,ID]", value_delimiter = ',')]
        challenges: Vec<String>,
    },
    /// Resets an organizer's password and two-factor authentication, revokes their sessions and
    /// tokens, and prints a new invitation link.
    Reset {
        #[command(flatten)]
        organizer: OrganizerName,
        #[command(flatten)]
        site: PublicUrl,
    },
    /// Removes an organizer. The last owner cannot be removed.
    Remove(OrganizerName),
    /// Prints an API token for the X-Api-Key header.
    Token {
        #[command(flatten)]
        organizer: OrganizerName,
        /// Days until the token expires.
        #[arg(long, env = "FLAGSHIP_DAYS", default_value_t = 30, value_name = "N")]
        #[arg(value_parser = clap::value_parser!(u32).range(1..=366))]
        days: u32,
    },
}

fn role(text: &str) -> Result<Role, String> {
    text.trim().parse().map_err(|error: UnknownRole| error.to_string())
}

#[derive(Args)]
pub struct OrganizerName {
    /// The organizer's name.
    pub name: String,
    #[command(flatten)]
    pub installation: Installation,
}

#[derive(Args)]
pub struct TeamName {
    /// The team's name.
    pub name: String,
    #[command(flatten)]
    pub installation: Installation,
}

#[derive(Args)]
pub struct TeamActionArgs {
    #[command(flatten)]
    pub team: TeamName,
    #[command(flatten)]
    pub reason: ReasonOption,
}

#[derive(Subcommand)]
pub enum Challenge {
    /// Lists all challenges, including hidden ones.
    List(Listing),
    /// Releases a challenge to players.
    Release(ChallengeId),
    /// Hides a challenge; a later release restores its solves.
    Hide(ChallengeId),
}

#[derive(Args)]
pub struct ChallengeId {
    /// Challenge ID.
    pub id: String,
    #[command(flatten)]
    pub args: ActionArgs,
}

#[derive(Subcommand)]
pub enum Privacy {
    /// Lists the data stored about a team, by table and retention period.
    Show {
        /// The team's name.
        name: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Erases personal data of one team or all: email addresses, emails, networks, questions, notes
    /// and incorrect submissions. Names and solves stay in the journal.
    Erase {
        /// The team's name.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// Erase the data of all teams.
        #[arg(long, env = "FLAGSHIP_ALL", value_parser = BoolishValueParser::new())]
        all: bool,
        /// Erase even before the event has ended. Teams can no longer log in.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        installation: Installation,
    },
}

#[derive(Args)]
pub struct Export {
    /// Data to export.
    pub what: ExportKind,
    #[command(flatten)]
    pub installation: Installation,
    /// Student teams only.
    #[arg(long, env = "FLAGSHIP_STUDENTS", value_parser = BoolishValueParser::new())]
    pub students: bool,
    /// Teams of one division only, ranked among themselves.
    #[arg(long, env = "FLAGSHIP_DIVISION", value_name = "ID")]
    pub division: Option<String>,
    /// Number of teams: default 3 for `winners`, all for `standings`.
    #[arg(long, env = "FLAGSHIP_TOP", value_name = "N", value_parser = teams)]
    pub top: Option<usize>,
    /// Output format; JSON by default. CTFtime's feed and the journal are always JSON.
    #[arg(long, env = "FLAGSHIP_FORMAT", value_enum)]
    pub format: Option<Format>,
    /// Organizer view (unfrozen) or public view (frozen).
    #[arg(long, env = "FLAGSHIP_VIEW", default_value = "organizer", value_parser = view())]
    pub view: Viewer,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportKind {
    /// CTFtime's scoreboard feed.
    Ctftime,
    /// Ranks and points.
    Standings,
    /// Every solve.
    Solves,
    /// Top teams, with email addresses.
    Winners,
    /// The public journal, after the reveal.
    Journal,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Json,
    Csv,
}

fn view() -> impl TypedValueParser<Value = Viewer> {
    one_of(&[("public", Viewer::Public), ("organizer", Viewer::Organizer)])
}

#[derive(Subcommand)]
pub enum Journal {
    /// Verifies the hash chain and signatures of the journal, solves and flags.
    Verify {
        #[command(flatten)]
        installation: Installation,
        /// Also check that the journal extends an earlier head: output of `journal head`, a backup,
        /// or a file containing heads, such as a log.
        #[arg(long, value_name = "HEAD|FILE", env = "FLAGSHIP_AGAINST")]
        against: Option<String>,
    },
    /// Prints the journal head, for use with `verify --against`.
    Head(Installation),
}

/// Parses the words of the command line. Among the fields of an action, options of the program may
/// stand anywhere.
///
/// # Errors
/// Wrong usage, or the help.
pub fn parse(words: &[OsString]) -> Result<Cli, Error> {
    let mut cli = Cli::try_parse_from(words).map_err(explained)?;
    let Command::Action(action) = &cli.command else { return Ok(cli) };
    let mut command = Cli::command();
    command.build();
    let of_action = command.find_subcommand_mut("action").expect("it is a command");
    let (own, others) = actions::divided(&action.words, of_action);
    if !own.is_empty() {
        let mut first = &words[..words.len() - action.words.len()];
        if let [before @ .., last] = first
            && last == "--"
        {
            first = before;
        }
        let end = (!others.is_empty()).then(|| OsString::from("--"));
        let words = first.iter().cloned().chain(own).chain(end).chain(others);
        cli = Cli::try_parse_from(words).map_err(explained)?;
    }
    if let Command::Action(action) = &mut cli.command {
        let fields = actions::fields(&action.action, &action.words);
        action.given = fields.map_err(|why| of_action.error(ErrorKind::ValueValidation, why))?;
    }
    Ok(cli)
}

/// Adds advice to a usage error: the usage without optional options, and the environment variable
/// that sets a missing one.
fn explained(mut error: Error) -> Error {
    if error.kind() != ErrorKind::MissingRequiredArgument {
        return error;
    }
    let missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.clone(),
        _ => Vec::new(),
    };
    // clap's own usage lists every option that a variable sets as if it were required.
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage_of(std::env::args_os())));
    let tips = missing.iter().filter_map(|option| variable(option));
    let tip = |name: String| format!("or set {name}").into();
    let tips: Vec<StyledStr> = tips.map(tip).collect();
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// The usage of the command that these words begin.
fn usage_of(words: impl Iterator<Item = OsString>) -> StyledStr {
    let mut command = Cli::command();
    command.build();
    let mut at = &mut command;
    for word in words.skip(1) {
        if at.find_subcommand(&word).is_some() {
            at = at.find_subcommand_mut(&word).expect("it was found just now");
        }
    }
    at.render_usage()
}

/// The variable of an option, as `FLAGSHIP_EVENT` of `--event <DIR>`.
fn variable(option: &str) -> Option<String> {
    let name = option.strip_prefix("--")?.split(' ').next()?;
    Some(format!("FLAGSHIP_{}", name.to_uppercase().replace('-', "_")))
}
