//! What can be said on the command line. Every option is also an environment variable; secrets
//! are only read from the environment or from files.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// A capture-the-flag event in one program.
#[derive(Parser)]
#[command(name = "flagship", version, about)]
pub struct Cli {
    /// What is logged to standard error, in tracing's filter syntax.
    #[arg(long, env = "FLAGSHIP_LOG", default_value = "info,sqlx=warn", global = true)]
    pub log: String,
    /// How a line of the log looks: for people, or as JSON that reads alone.
    #[arg(long, env = "FLAGSHIP_LOG_FORMAT", value_enum, default_value_t, global = true)]
    pub log_format: LogFormat,
    #[command(subcommand)]
    pub command: Command,
}

/// How the log is written.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Where an event lives.
#[derive(Args, Clone)]
pub struct Place {
    /// The folder for the database, attachments, mail and the secret.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The database, `postgres://...`; SQLite in the data folder without it.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// The file of the event's secret; DATA/secret without it, made on the first start.
    #[arg(long, env = "FLAGSHIP_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Runs the event.
    Serve(Serve),
    /// Lists what is wrong with an event's files, as `file:line: message`.
    Check {
        /// The event's folder.
        #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
        event: PathBuf,
    },
    /// Shows what the event's files change, then applies it, whole or not at all.
    Apply(Apply),
    /// Teams.
    Team {
        #[command(subcommand)]
        command: Team,
    },
    /// Challenges.
    Challenge {
        #[command(subcommand)]
        command: Challenge,
    },
    /// Shows what the freeze hid.
    Reveal {
        #[command(flatten)]
        place: Place,
    },
    /// Writes results to standard output.
    Export(Export),
    /// The journal.
    Journal {
        #[command(subcommand)]
        command: Journal,
    },
    /// Writes the whole event into one file: database, attachments, secret. Also while serving.
    Backup {
        /// The file, which must not be there yet.
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Brings a backup back, on either database. The place must be empty.
    Restore {
        /// A file that `backup` wrote.
        file: PathBuf,
        #[command(flatten)]
        place: Place,
    },
    /// Looks at everything that an event needs; a line for each finding.
    Doctor(Doctor),
    /// Rehearses the event with a crowd on a throw-away copy; ends with a verdict.
    Rehearse(Rehearse),
    /// Writes the HTTP description to standard output.
    Openapi,
    /// A part of a rehearsal's crowd; its script comes on standard input.
    #[command(hide = true)]
    Crowd,
}

#[derive(Args)]
pub struct Serve {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: PathBuf,
    #[command(flatten)]
    pub place: Place,
    /// Where to listen.
    #[arg(long, env = "FLAGSHIP_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// Where to listen for Prometheus, `/healthz` and `/readyz`; private. Nowhere without it.
    #[arg(long, env = "FLAGSHIP_METRICS", value_name = "ADDRESS")]
    pub metrics: Option<SocketAddr>,
    /// Where players reach the site; `http://` and the listen address without it.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Shifts the event to now and lets synthetic teams play.
    #[arg(long, env = "FLAGSHIP_DEMO", value_parser = BoolishValueParser::new())]
    pub demo: bool,
}

#[derive(Args)]
pub struct Doctor {
    /// The event's folder; without it the files are not looked at.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR")]
    pub event: Option<PathBuf>,
    #[command(flatten)]
    pub place: Place,
    /// Where players reach the site.
    #[arg(long, env = "FLAGSHIP_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
}

#[derive(Args)]
pub struct Rehearse {
    /// The event's folder.
    #[arg(long, env = "FLAGSHIP_EVENT", value_name = "DIR", required_unless_present = "against")]
    pub event: Option<PathBuf>,
    /// The folder on whose disk the copy is made, if it is there.
    #[arg(long, env = "FLAGSHIP_DATA", default_value = "data", value_name = "DIR")]
    pub data: PathBuf,
    /// The PostgreSQL server, `postgres://...`, on which a database is made and removed again.
    #[arg(long, env = "FLAGSHIP_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// How many teams play.
    #[arg(long, env = "FLAGSHIP_TEAMS", default_value_t = 200, value_name = "N")]
    pub teams: usize,
    /// How many watch without an account.
    #[arg(long, env = "FLAGSHIP_SPECTATORS", default_value_t = 500, value_name = "M")]
    pub spectators: usize,
    /// How long they play.
    #[arg(long, env = "FLAGSHIP_MINUTES", default_value_t = 2.0, value_name = "T")]
    #[arg(value_parser = minutes)]
    pub minutes: f64,
    /// An event that is served already, instead of a copy; its own times hold.
    #[arg(long, env = "FLAGSHIP_AGAINST", value_name = "URL")]
    pub against: Option<String>,
    /// The tokens of the teams that play there, as `team import --tokens` writes them.
    #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "FILE.csv", requires = "against")]
    pub tokens: Option<PathBuf>,
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
    pub place: Place,
    /// Only shows the difference.
    #[arg(long, env = "FLAGSHIP_DRY_RUN", value_parser = BoolishValueParser::new())]
    pub dry_run: bool,
}

#[derive(Subcommand)]
pub enum Team {
    /// Imports teams from a CSV file with the columns name, email, country, student, password.
    Import {
        /// The file.
        file: PathBuf,
        #[command(flatten)]
        place: Place,
        /// Writes a token for each team to this file, with the columns name, token.
        #[arg(long, env = "FLAGSHIP_TOKENS", value_name = "OUT.csv")]
        tokens: Option<PathBuf>,
    },
    /// Takes a team off the scoreboard and logs it out.
    Ban(TeamName),
    /// Lets a banned team in again.
    Unban(TeamName),
    /// Takes a team off the scoreboard; it plays on.
    Hide(TeamName),
    /// Shows a hidden team again.
    Show(TeamName),
    /// Gives a team points, or takes them.
    Award {
        #[command(flatten)]
        team: TeamName,
        /// How many.
        #[arg(allow_negative_numbers = true)]
        points: i64,
        /// Why, for the record.
        #[arg(long, env = "FLAGSHIP_REASON")]
        reason: String,
    },
    /// Takes a solve back; the team may solve the challenge again.
    Withdraw {
        #[command(flatten)]
        team: TeamName,
        /// The challenge's id.
        challenge: String,
    },
}

#[derive(Args)]
pub struct TeamName {
    /// The team's name, exactly.
    pub name: String,
    #[command(flatten)]
    pub place: Place,
}

#[derive(Subcommand)]
pub enum Challenge {
    /// Shows a challenge to players.
    Release(ChallengeId),
    /// Hides a challenge; its solves come back with it.
    Hide(ChallengeId),
}

#[derive(Args)]
pub struct ChallengeId {
    /// The challenge's id.
    pub id: String,
    #[command(flatten)]
    pub place: Place,
}

#[derive(Args)]
pub struct Export {
    /// What.
    pub what: ExportKind,
    #[command(flatten)]
    pub place: Place,
    /// Only teams made up of students; winners without it too.
    #[arg(long, env = "FLAGSHIP_STUDENTS", value_parser = BoolishValueParser::new())]
    pub students: bool,
    /// How many winners.
    #[arg(long, env = "FLAGSHIP_TOP", default_value_t = 3)]
    pub top: usize,
    /// The form; CTFtime's feed and the journal are always JSON.
    #[arg(long, env = "FLAGSHIP_FORMAT", value_enum, default_value_t = Format::Json)]
    pub format: Format,
    /// Whose eyes: the organizers', or the public's, for whom the freeze holds.
    #[arg(long, env = "FLAGSHIP_VIEW", value_enum, default_value_t = View::Organizer)]
    pub view: View,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportKind {
    /// CTFtime's scoreboard feed.
    Ctftime,
    /// Ranks and points.
    Standings,
    /// Every solve.
    Solves,
    /// The best teams, with their addresses.
    Winners,
    /// The public journal, after the reveal.
    Journal,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Json,
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum View {
    Public,
    Organizer,
}

#[derive(Subcommand)]
pub enum Journal {
    /// Checks every entry's hash and that each can follow the one before, and that entries, solves
    /// and flags are as Flagship wrote them.
    Verify {
        #[command(flatten)]
        place: Place,
        /// Checks also that the journal extends a head: one as `journal head` prints it, a backup,
        /// or a file with heads in it, such as a log.
        #[arg(long, value_name = "HEAD|FILE", env = "FLAGSHIP_AGAINST")]
        against: Option<String>,
    },
    /// Prints the journal's head: what `verify --against` checks a later journal against.
    Head {
        #[command(flatten)]
        place: Place,
    },
}
