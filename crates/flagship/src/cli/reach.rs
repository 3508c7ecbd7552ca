//! Every command is either in the console, on the page that the site's list names, or explained
//! there as one that only exists in a shell.

use std::collections::BTreeSet;

use clap::CommandFactory;
use serde_json::Value;

use super::Cli;

/// List of the commands, which the site shows on Event, Command line.
const LISTED: &str =
    include_str!("../../../../web/src/features/organize/event/commands/commands.json");

/// Names of all commands that users see: subcommands are commands, and `actions` is one too,
/// because it runs without a subcommand.
fn names(command: &clap::Command, prefix: &str) -> BTreeSet<String> {
    let shown = command.get_subcommands().filter(|it| !it.is_hide_set());
    shown
        .flat_map(|it| {
            let name = format!("{prefix}{}", it.get_name());
            let below = names(it, &format!("{name} "));
            let runs = !it.is_subcommand_required_set();
            below.into_iter().chain(runs.then_some(name))
        })
        .collect()
}

#[test]
fn the_site_lists_each_command_once() {
    let listed: Value = serde_json::from_str(LISTED).expect("the list is JSON");
    let console = listed["console"].as_object().expect("pages by command");
    let shell = listed["shell"].as_array().expect("commands");
    let shell: Vec<&str> = shell.iter().filter_map(Value::as_str).collect();
    for (name, page) in console {
        assert!(page.as_str().is_some_and(|it| it.starts_with("/organize")), "{name}: {page}");
    }
    let twice: Vec<_> = shell.iter().filter(|name| console.contains_key(**name)).collect();
    assert!(twice.is_empty(), "in both lists: {twice:?}");
    let known = names(&Cli::command(), "");
    let named: BTreeSet<String> =
        console.keys().cloned().chain(shell.into_iter().map(str::to_owned)).collect();
    let missing: Vec<_> = known.difference(&named).collect();
    assert!(missing.is_empty(), "neither in the console nor explained: {missing:?}");
    let unknown: Vec<_> = named.difference(&known).collect();
    assert!(unknown.is_empty(), "no such commands: {unknown:?}");
}
