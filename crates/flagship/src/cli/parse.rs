//! Parses the words of the command line, and explains what is wrong with them.

use std::ffi::OsString;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{CommandFactory, Parser};

use super::{Cli, Command, acts};

/// Parses the words of the command line. Among the fields of an act, options of the program may
/// stand anywhere.
///
/// # Errors
/// Wrong usage, or the help.
pub fn parse(words: &[OsString]) -> Result<Cli, Error> {
    let mut cli = Cli::try_parse_from(words).map_err(explained)?;
    let Command::Act(act) = &cli.command else { return Ok(cli) };
    let mut command = Cli::command();
    command.build();
    let of_act = command.find_subcommand_mut("act").expect("it is a command");
    let (own, others) = acts::divided(&act.words, of_act);
    if !own.is_empty() {
        let mut first = &words[..words.len() - act.words.len()];
        if let [before @ .., last] = first
            && last == "--"
        {
            first = before;
        }
        let end = (!others.is_empty()).then(|| OsString::from("--"));
        let words = first.iter().cloned().chain(own).chain(end).chain(others);
        cli = Cli::try_parse_from(words).map_err(explained)?;
    }
    if let Command::Act(act) = &mut cli.command {
        let fields = acts::fields(&act.words);
        act.given = fields.map_err(|why| of_act.error(ErrorKind::ValueValidation, why))?;
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
