//! Data for a program of any commit, created with its own commands and submissions over HTTP,
//! because its database schema may differ from that of this commit.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flagship_load::{self as load, flood};

use crate::data::{Installation, Size, Template, challenge_id, empty, flag, names_and_solves};
use crate::server::Server;

/// Connections for the solves.
const CONNECTIONS: usize = 64;

/// Creates data of a size, in memory if there is such a file system.
pub async fn template(program: &Path, size: Size) -> Result<Template> {
    let memory = Path::new("/dev/shm");
    let work = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let installation = empty(&work)?;
    let (names, solves) = names_and_solves(size);
    let filled = fill(program, &installation, size.challenges, &names, &solves);
    let tokens = filled.await.context("make the data with the program")?;
    Ok(Template::made(installation, size, names, tokens))
}

/// Fills an installation with challenges, teams and their solves; returns a token for each team, in
/// the order of the names. `solves` are pairs of team and challenge by number.
async fn fill(
    program: &Path,
    installation: &Installation,
    challenges: usize,
    names: &[String],
    solves: &[(usize, usize)],
) -> Result<Vec<String>> {
    for number in 0..challenges {
        write_challenge(&installation.event, number)?;
    }
    let data = installation.data();
    let mut apply = Command::new(program);
    finish(apply.arg("apply").arg("--event").arg(&installation.event).arg("--data").arg(&data))?;
    let (teams, tokens) = (data.join("teams.csv"), data.join("tokens.csv"));
    let row =
        |(number, name): (usize, &String)| format!("{name},team-{number}@example.org,IT,no,\n");
    let rows: String = names.iter().enumerate().map(row).collect();
    std::fs::write(&teams, format!("name,email,country,student,password\n{rows}"))?;
    let mut import = Command::new(program);
    import.args(["team", "import"]).arg(&teams).arg("--data").arg(&data);
    finish(import.arg("--tokens").arg(&tokens))?;
    let text = std::fs::read_to_string(&tokens).context("read the tokens")?;
    let tokens: Vec<String> = text.lines().skip(1).filter_map(token).collect();
    ensure!(tokens.len() == names.len(), "{} teams have {} tokens", names.len(), tokens.len());
    let ask = |&(team, challenge): &(usize, usize)| {
        load::solve(&tokens[team], &challenge_id(challenge), &flag(challenge))
    };
    let asks = solves.iter().map(ask).collect::<Result<Vec<_>>>()?;
    let server = Server::start(program, installation)?;
    flood(server.address, CONNECTIONS, asks, "true").await.context("send the solves")?;
    server.stop()?;
    Ok(tokens)
}

/// The last column of a row.
fn token(row: &str) -> Option<String> {
    row.rsplit_once(',').map(|(_, token)| token.trim_matches('"').to_owned())
}

/// Writes the file of a challenge.
fn write_challenge(event: &Path, number: usize) -> Result<()> {
    let (id, flag) = (challenge_id(number), flag(number));
    let folder = event.join("challenges").join(&id);
    std::fs::create_dir_all(&folder)?;
    let description = "Somebody left this behind. Find out what it was meant for. ".repeat(8);
    let text = format!(
        "name: {id}\nid: {id}\ncategory: misc\ndescription: {description}\ntype: dynamic\n\
         extra: {{initial: 500, minimum: 50, decay: 15}}\nflags: [\"{flag}\"]\n"
    );
    Ok(std::fs::write(folder.join("challenge.yml"), text)?)
}

fn finish(command: &mut Command) -> Result<()> {
    let done = command.output().with_context(|| format!("start {command:?}"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "{command:?}: {said}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_the_last_column() {
        assert_eq!(token("baku,fsp_1").as_deref(), Some("fsp_1"));
        assert_eq!(token("\"a, b\",\"fsp_2\"").as_deref(), Some("fsp_2"));
        assert_eq!(token(""), None);
    }
}
