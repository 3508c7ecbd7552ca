//! The command line. Every option is also an environment variable; secrets are read from the
//! environment or from files only.

mod actions;
mod flags;
mod options;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{BoolishValueParser, StyledStr, TypedValueParser};
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use flagship_game::Viewer;
use flagship_pack::Severity;
use flagship_server::imports::Encoding;
use flagship_store::organizers::{NoRole, Role};

pub use self::actions::{Action, Actions, ActionsCommand, Event, Notice};
pub use self::flags::Flags;
pub use self::options::{Installation, Listing, Order, PublicUrl, Why};
use self::options::{one_of, whole};

/// A capture-the-flag event in one program.
#[derive(Parser)]
#[command(name = "flagship", version, about)]
pub struct Cli {
    /// Which lines are logged to standard error, in tracing's filter syntax.
    #[arg(long, env = "FLAGSHIP_LOG", default_value = "info,sqlx=warn", global = true)]
    pub log: String,
    /// Format of the log: readable text, or one JSON object per line.
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
    /// Runs the event.
    Serve(Serve),
    /// Makes a folder with the files of an event, to be changed.
    Init {
        /// The folder, which must not exist yet or be empty.
        folder: PathBuf,
    },
    /// Lists the problems in an event's files, as `file:line: message`, and counts them.
    Check {
        /// The event's folder.
        #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
        event: PathBuf,
        /// The least severity that is listed.
        #[arg(long, env = "FLAGSHIP_SEVERITY", default_value = "note", value_parser = severity())]
        severity: Severity,
    },
    /// Shows how the event's files differ from the event and which teams move, then applies them,
    /// all or nothing.
    Apply(Apply),
    /// Writes what organizers changed live back into the event's files, with their comments.
    Pull(Pull),
    /// Manages organizers: people with roles, who sign in on the site.
    #[command(subcommand)]
    Organizer(Organizer),
    /// Manages teams.
    #[command(subcommand)]
    Team(Team),
    /// Does any action of organizers, which is recorded.
    Action(Action),
    /// Lists what organizers and commands did, the newest first, takes it back, or checks the
    /// record.
    Actions(Actions),
    /// Moves the end of the event, pauses or resumes it.
    #[command(subcommand)]
    Event(Event),
    /// Tells players something.
    #[command(subcommand)]
    Notice(Notice),
    /// Lists challenges; releases or hides one.
    #[command(subcommand)]
    Challenge(Challenge),
    /// Lists the flags that teams have sent.
    #[command(subcommand)]
    Flags(Flags),
    /// Shows what is kept about teams, or erases it.
    #[command(subcommand)]
    Privacy(Privacy),
    /// Lists what pairs of teams have in common, each fact with its harmless explanation.
    Evidence(Listing),
    /// Shows how the event stands: times, teams, solves, servers, mail, disk.
    Status(Listing),
    /// Ends the freeze and shows the final scoreboard.
    Reveal {
        #[command(flatten)]
        installation: Installation,
        /// Also before the event has ended: everyone then sees what the freeze hid.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        why: Why,
    },
    /// Writes results to standard output.
    Export(Export),
    /// Verifies the journal or prints its head.
    #[command(subcommand)]
    Journal(Journal),
    /// Writes the whole event (database, attachments, secret) into one file. Works while serving.
    Backup {
        /// The file, which must not exist yet.
        file: PathBuf,
        #[command(flatten)]
        installation: Installation,
    },
    /// Restores a backup to SQLite or PostgreSQL. The data folder and the database must be empty.
    Restore {
        /// A file that `backup` wrote.
        file: PathBuf,
        #[command(flatten)]
        installation: Installation,
    },
    /// Checks everything that an event needs; prints a line for each check.
    Doctor(Doctor),
    /// Rehearses the event with simulated players on a temporary copy; ends with a verdict.
    Rehearse(Rehearse),
    /// Writes the HTTP description to standard output.
    Openapi,
    /// A worker process of a rehearsal; reads its script from standard input.
    #[command(hide = true)]
    Crowd,
}

#[derive(Args)]
pub struct Serve {
    /// The event's folder; without it the event in the database, which is set up on the site.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: Option<PathBuf>,
    #[command(flatten)]
    pub installation: Installation,
    /// Where to listen.
    #[arg(long, env = "FLAGSHIP_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    #[arg(value_parser = address)]
    pub listen: SocketAddr,
    /// Where to listen for Prometheus, `/healthz` and `/readyz`; keep it private. Default: nowhere.
    #[arg(long, env = "FLAGSHIP_METRICS", value_name = "ADDRESS")]
    #[arg(value_parser = address)]
    pub metrics: Option<SocketAddr>,
    /// Where players reach the site. Default: `http://` and the listen address.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Joins another server on the same SQLite folder; without it a second one is refused.
    #[arg(long, env = "FLAGSHIP_JOIN", value_parser = BoolishValueParser::new())]
    pub join: bool,
    /// Moves the event's times to now and lets simulated teams play; refused if another event
    /// is there.
    #[arg(long, env = "FLAGSHIP_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
}

#[derive(Args)]
pub struct Doctor {
    /// The event's folder; without it the settings of the site are checked.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: Option<PathBuf>,
    #[command(flatten)]
    pub installation: Installation,
    /// Where players reach the site. Default without --event: the address of the last start.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
}

#[derive(Args)]
pub struct Rehearse {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR", required_unless_present = "against")]
    pub event: Option<PathBuf>,
    /// The folder in which the copy is made, if it exists.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The PostgreSQL server, `postgres://...`, for a temporary database.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Number of teams that play; on a running site at most as many as have tokens.
    #[arg(long, env = "FLAGSHIP_TEAMS", default_value_t = 200, value_name = "N")]
    #[arg(value_parser = teams)]
    pub teams: usize,
    /// Number of spectators without an account.
    #[arg(long, env = "FLAGSHIP_SPECTATORS", default_value_t = 500, value_name = "M")]
    #[arg(value_parser = whole::<usize>)]
    pub spectators: usize,
    /// Duration of play in minutes.
    #[arg(long, env = "FLAGSHIP_MINUTES", default_value_t = 2.0, value_name = "T")]
    #[arg(value_parser = minutes)]
    pub minutes: f64,
    /// A running site to use instead of a copy; the times of its event are not changed.
    #[arg(long, env = "FLAGSHIP_AGAINST", value_name = "URL")]
    pub against: Option<String>,
    /// The tokens of the teams that play on the running site, from `team import --tokens`.
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "FILE.csv", requires = "against")]
    pub tokens: Option<PathBuf>,
}

fn teams(text: &str) -> Result<usize, String> {
    let teams = text.parse().ok().filter(|teams| *teams > 0);
    teams.ok_or_else(|| "a whole number of teams, at least 1".to_owned())
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "an IP address and a port, as 127.0.0.1:8080, or 0.0.0.0:8080 for all networks".to_owned()
    })
}

fn reason(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("it is recorded, so say why the points are awarded".to_owned()),
        reason => Ok(reason.to_owned()),
    }
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.1..=1440.0).contains(minutes));
    minutes.ok_or_else(|| "a number of minutes from 0.1 to 1440".to_owned())
}

#[derive(Args)]
pub struct Apply {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Shows the difference and applies nothing.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Applies destructive changes too, if there are as many.
    #[arg(long, env = "FLAGSHIP_CONFIRM", value_name = "N")]
    #[arg(value_parser = whole::<usize>)]
    pub confirm: Option<usize>,
    /// Which side counts where something was changed live that the files do not have.
    #[arg(long, env = "FLAGSHIP_TAKE", value_enum)]
    pub take: Option<Take>,
}

/// Which side counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Take {
    /// The files; what was changed live is lost.
    Files,
    /// What was changed live; the files stay as they are.
    Live,
}

#[derive(Args)]
pub struct Pull {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Lists the files that would change and writes nothing.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// Writes what is live also where the files say something else.
    #[arg(long, env = "FLAGSHIP_OVERWRITE", value_parser = BoolishValueParser::new())]
    pub overwrite: bool,
}

#[derive(Subcommand)]
pub enum Team {
    /// Lists all teams with their ranks, in the organizers' view, and who has not confirmed yet.
    List(Listing),
    /// Tells what happened to a team: signup, mails, logins, downloads, flags, questions and
    /// actions; the newest last.
    Story {
        /// The team's name.
        name: String,
        #[command(flatten)]
        listing: Listing,
        /// Number of lines, the newest ones; 0 for all.
        #[arg(long, env = "FLAGSHIP_LAST", default_value_t = 100)]
        #[arg(value_parser = whole::<usize>)]
        last: usize,
    },
    /// Imports teams from a CSV file with the columns name, email, country, student, password: all
    /// of them, or none if a row has an error.
    Import(TeamFile),
    /// Removes a team from the scoreboard and logs it out.
    Ban(TeamOrder),
    /// Reverses a ban.
    Unban(TeamOrder),
    /// Removes a team from the scoreboard; the team can still play.
    Hide(TeamOrder),
    /// Shows a hidden team again.
    Show(TeamOrder),
    /// Gives a team another name.
    Rename {
        #[command(flatten)]
        order: TeamOrder,
        /// The new name.
        #[arg(value_name = "NEW")]
        new: String,
        /// Forgets the name before: otherwise it still leads to the team.
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
        /// The reason, which is recorded for organizers.
        #[arg(long, env = "FLAGSHIP_REASON", value_parser = reason)]
        reason: String,
    },
    /// Withdraws a solve; the team may solve the challenge again.
    Withdraw {
        #[command(flatten)]
        order: TeamOrder,
        /// The challenge's id.
        challenge: String,
    },
}

/// Which file of teams, how it is read, and what is done with it.
#[derive(Args)]
pub struct TeamFile {
    /// The file.
    pub file: PathBuf,
    #[command(flatten)]
    pub installation: Installation,
    /// Writes a token for each team to this file, which must not exist yet, with the columns name,
    /// token.
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "OUT.csv")]
    pub tokens: Option<PathBuf>,
    /// Leaves out rows with the name of a team that is already there, confirmed or not.
    #[arg(long, env = "FLAGSHIP_SKIP_EXISTING", value_parser = BoolishValueParser::new())]
    pub skip_existing: bool,
    /// Mails each team a link that sets its password, valid for 7 days, or until the end of the
    /// event if that is later.
    #[arg(long, env = "FLAGSHIP_MAIL", value_parser = BoolishValueParser::new())]
    pub mail: bool,
    #[command(flatten)]
    pub site: PublicUrl,
    /// Prints what would be imported, what is left out and what is wrong, and writes nothing.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
    /// The encoding of a file that is not UTF-8 or UTF-16, by its label: windows-1251, gbk,
    /// macintosh.
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
    /// Adds an organizer; prints a link that lets them in, once, for 24 hours.
    Add {
        #[command(flatten)]
        organizer: OrganizerName,
        /// What they may do: observer, author, support, organizer or owner; several with commas.
        #[arg(long = "role", env = "FLAGSHIP_ROLE", value_name = "ROLE[,ROLE]", required = true)]
        #[arg(value_delimiter = ',', value_parser = role)]
        roles: Vec<Role>,
        /// The ids of the challenges that an author writes.
        #[arg(long, env = "FLAGSHIP_CHALLENGES", value_name = "ID[,ID]", value_delimiter = ',')]
        challenges: Vec<String>,
        #[command(flatten)]
        site: PublicUrl,
    },
    /// Lists the organizers, their roles, and whether they have used their link.
    List(Listing),
    /// Gives an organizer other roles, instead of those before.
    Role {
        #[command(flatten)]
        organizer: OrganizerName,
        /// observer, author, support, organizer or owner; several with commas.
        #[arg(value_name = "ROLE[,ROLE]", required = true)]
        #[arg(value_delimiter = ',', value_parser = role)]
        roles: Vec<Role>,
        /// The ids of the challenges that an author writes.
        #[arg(long, env = "FLAGSHIP_CHALLENGES", value_name = "ID[,ID]", value_delimiter = ',')]
        challenges: Vec<String>,
    },
    /// Takes an organizer's password and second factor away, ends their sessions and tokens, and
    /// prints a new link.
    Reset {
        #[command(flatten)]
        organizer: OrganizerName,
        #[command(flatten)]
        site: PublicUrl,
    },
    /// Removes an organizer, unless it is the last owner.
    Remove(OrganizerName),
    /// Prints a token for scripts, for the header X-Api-Key.
    Token {
        #[command(flatten)]
        organizer: OrganizerName,
        /// Days until it ends.
        #[arg(long, env = "FLAGSHIP_DAYS", default_value_t = 30, value_name = "N")]
        #[arg(value_parser = clap::value_parser!(u32).range(1..=366))]
        days: u32,
    },
}

fn role(text: &str) -> Result<Role, String> {
    text.trim().parse().map_err(|error: NoRole| error.to_string())
}

#[derive(Args)]
pub struct OrganizerName {
    /// The organizer's name, apart from teams' names.
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
pub struct TeamOrder {
    #[command(flatten)]
    pub team: TeamName,
    #[command(flatten)]
    pub why: Why,
}

#[derive(Subcommand)]
pub enum Challenge {
    /// Lists all challenges, also those that players do not see.
    List(Listing),
    /// Shows a challenge to players.
    Release(ChallengeId),
    /// Hides a challenge; a later release restores its solves.
    Hide(ChallengeId),
}

#[derive(Args)]
pub struct ChallengeId {
    /// The challenge's id.
    pub id: String,
    #[command(flatten)]
    pub order: Order,
}

#[derive(Subcommand)]
pub enum Privacy {
    /// Lists what is kept about a team, in which table and for how long.
    Show {
        /// The team's name.
        name: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Erases what is private about a team, or about all: addresses, mails, networks, questions,
    /// notes, wrong flags. The journal stays, with names and solves.
    Erase {
        /// The team's name.
        #[arg(required_unless_present = "all", conflicts_with = "all")]
        name: Option<String>,
        /// About all teams.
        #[arg(long, env = "FLAGSHIP_ALL", value_parser = BoolishValueParser::new())]
        all: bool,
        /// Also before the event has ended: teams cannot log in again.
        #[arg(long, env = "FLAGSHIP_FORCE", value_parser = BoolishValueParser::new())]
        force: bool,
        #[command(flatten)]
        installation: Installation,
    },
}

#[derive(Args)]
pub struct Export {
    /// The kind of export.
    pub what: ExportKind,
    #[command(flatten)]
    pub installation: Installation,
    /// Only teams made up of students.
    #[arg(long, env = "FLAGSHIP_STUDENTS", value_parser = BoolishValueParser::new())]
    pub students: bool,
    /// Number of teams of `winners` (by default 3) or `standings` (by default all).
    #[arg(long, env = "FLAGSHIP_TOP", value_name = "N", value_parser = teams)]
    pub top: Option<usize>,
    /// Output format; JSON by default. CTFtime's feed and the journal are always JSON.
    #[arg(long, env = "FLAGSHIP_FORMAT", value_enum)]
    pub format: Option<Format>,
    /// The organizers' view, or the public view, from which the freeze hides later solves.
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
    /// The best teams, with their e-mail addresses.
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
    /// Checks that each entry's hash follows from the entry before, and that entries, solves and
    /// flags are as Flagship wrote them.
    Verify {
        #[command(flatten)]
        installation: Installation,
        /// Also checks that the journal extends earlier heads: a head as `journal head` prints it,
        /// a backup, or a file that contains heads, such as a log.
        #[arg(long, value_name = "HEAD|FILE", env = "FLAGSHIP_AGAINST")]
        against: Option<String>,
    },
    /// Prints the journal's head, for a later `verify --against`.
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

/// The error of wrong usage, with what to do: the usage without options that may be left out, and
/// the variable that gives a missing one.
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
    let tip = |name: String| format!("the variable {name} gives it, too").into();
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
