//! `flagship organizer ...`: changes the database, whether or not a server is running.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail, ensure};
use flagship_game::TeamName;
use flagship_server::invitation_link;
use flagship_server::lists::table::{Table, utc};
use flagship_store::organizers::passes::Kind;
use flagship_store::organizers::{self, Changer, OrganizerError, Rights, Role, tokens};
use flagship_store::{Db, Key, Seal, challenges, settings};
use serde_json::json;

use crate::cli::{self, Listing, OrganizerName, PublicUrl};
use crate::lists::table::{local, print};
use crate::names;

/// Name of the owner who is invited at a start without event files.
const FIRST_OWNER: &str = "Owner";

pub async fn organizer(command: cli::Organizer) -> Result<()> {
    let installation = match &command {
        cli::Organizer::List(args) => return list(args).await,
        cli::Organizer::Add { organizer, .. }
        | cli::Organizer::Role { organizer, .. }
        | cli::Organizer::Reset { organizer, .. }
        | cli::Organizer::Remove(organizer)
        | cli::Organizer::Token { organizer, .. } => &organizer.installation,
    };
    let (db, key) = installation.open().await?;
    let line = change(&db, &key, command).await?;
    db.close().await;
    outln!("{line}");
    Ok(())
}

/// Runs a command; returns the line to print.
async fn change(db: &Db, key: &Key, command: cli::Organizer) -> Result<String> {
    let now_ms = db.clock().await?.now_ms();
    let seal = Seal::open(db, key).await?;
    let by = Changer::CommandLine(&seal);
    let (name, done) = match command {
        cli::Organizer::List(_) => bail!("a list changes nothing"),
        cli::Organizer::Add { organizer, roles, challenges, site } => {
            let rights = rights(db, roles, &challenges).await?;
            let name = TeamName::parse(&organizer.name);
            let name = name.map_err(|error| anyhow!("{:?}: {error}", organizer.name))?;
            let (link, digest) = invitation(key, &public_url(db, &site).await?);
            let done = organizers::add(db, by, &name, &rights, &digest, now_ms).await?;
            (organizer.name, done.map(|()| link))
        }
        cli::Organizer::Role { organizer: OrganizerName { name, .. }, roles, challenges } => {
            let rights = rights(db, roles, &challenges).await?;
            let done = organizers::set_rights(db, by, &name, &rights, now_ms).await?;
            (name, done.map(|name| format!("{name:?} is now {}", role_names(&rights.roles))))
        }
        cli::Organizer::Reset { organizer: OrganizerName { name, .. }, site } => {
            let (link, digest) = invitation(key, &public_url(db, &site).await?);
            let done = organizers::reset(db, by, &name, &digest, now_ms).await?;
            (name, done.map(|_| link))
        }
        cli::Organizer::Remove(OrganizerName { name, .. }) => {
            let done = organizers::remove(db, by, &name, now_ms).await?;
            (name, done.map(|name| format!("{name:?} was removed")))
        }
        cli::Organizer::Token { organizer: OrganizerName { name, .. }, days } => {
            let (token, digest) = tokens::create(key, Kind::Token);
            let done = organizers::create_token(db, &digest, &name, days, now_ms).await?;
            (name, done.map(|()| token))
        }
    };
    done.map_err(|error| organizer_error(error, &name))
}

/// Returns an invitation link, and its digest to store.
fn invitation(key: &Key, public_url: &str) -> (String, String) {
    let (token, digest) = tokens::create(key, Kind::Invitation);
    (invitation_link(public_url, &token), digest)
}

/// Returns the public URL of the site, for links.
pub async fn public_url(db: &Db, site: &PublicUrl) -> Result<String> {
    let public_url = match &site.public_url {
        Some(url) => Some(url.trim_end_matches('/').to_owned()),
        None => settings::public_url(db).await?,
    };
    public_url.context(
        "the site's public URL is unknown until the server has run once: start it, or pass \
        `--public-url https://ctf.example.org`",
    )
}

/// Invites the owner of an event that is set up on the site, and returns the link, unless an owner
/// can already log in. Until then, each start creates a new link.
pub async fn first_owner(db: &Db, key: &Key, public_url: &str) -> Result<Option<String>> {
    let all = organizers::all(db).await.context("read the organizers")?;
    if all.iter().any(|it| it.is(Role::Owner) && it.is_enrolled()) {
        return Ok(None);
    }
    let now_ms = db.clock().await?.now_ms();
    let seal = Seal::open(db, key).await?;
    let by = Changer::CommandLine(&seal);
    let (link, digest) = invitation(key, public_url);
    let done = match all.iter().find(|it| it.name == FIRST_OWNER) {
        Some(_) => organizers::reset(db, by, FIRST_OWNER, &digest, now_ms).await?.map(drop),
        None => {
            let name = TeamName::parse(FIRST_OWNER).context("the name of the first owner")?;
            let rights = Rights { roles: [Role::Owner].into(), ..Rights::default() };
            organizers::add(db, by, &name, &rights, &digest, now_ms).await?
        }
    };
    done.map_err(|error| organizer_error(error, FIRST_OWNER))?;
    Ok(Some(link))
}

/// The rights for these roles and challenges, which must exist. Only authors have challenges.
async fn rights(db: &Db, roles: Vec<Role>, typed: &[String]) -> Result<Rights> {
    let roles: BTreeSet<Role> = roles.into_iter().collect();
    if !typed.is_empty() && !roles.contains(&Role::Author) {
        bail!("--challenges only applies to authors: add the role author, or remove it");
    }
    let (_, drafts) = challenges::all(db).await?;
    let mut rights = Rights { roles, ..Rights::default() };
    for typed in typed {
        let id = names::challenge_id(typed)?;
        let is_known = drafts.iter().any(|draft| draft.challenge.id == id);
        ensure!(
            is_known,
            "no challenge with the ID {typed:?}; list all with `flagship challenge \
            list`"
        );
        rights.challenges.insert(id);
    }
    if rights.roles.contains(&Role::Author) && rights.challenges.is_empty() {
        bail!("an author needs challenges: add `--challenges ID,ID`");
    }
    Ok(rights)
}

fn role_names(roles: &BTreeSet<Role>) -> String {
    roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ")
}

fn organizer_error(error: OrganizerError, name: &str) -> anyhow::Error {
    match error {
        OrganizerError::NameTaken => {
            anyhow!(
                "an organizer named {name:?}, or a look-alike, already exists; get a new link \
                with `flagship organizer reset NAME`"
            )
        }
        OrganizerError::Unknown => {
            anyhow!("no organizer named {name:?}; list all with `flagship organizer list`")
        }
        OrganizerError::Ended | OrganizerError::Own => {
            anyhow!("internal error: a command was refused for its session")
        }
        OrganizerError::TooManyTokens => {
            anyhow!("{name:?} has the maximum number of API tokens; revoke one first")
        }
        OrganizerError::LastOwner => anyhow!(
            "{name:?} is the last owner, or the last one who can log in. First add another with \
            `flagship organizer add NAME --role owner` and have them accept the invitation"
        ),
    }
}

async fn list(args: &Listing) -> Result<()> {
    let (db, _) = args.installation.open().await?;
    let all = organizers::all(&db).await?;
    db.close().await;
    let row = |it: organizers::Organizer| {
        let challenges: Vec<&str> = it.rights.challenges.iter().map(|id| id.as_str()).collect();
        let added = it.created_at_ms;
        vec![
            json!(it.name),
            json!(role_names(&it.rights.roles)),
            json!(challenges.join(", ")),
            json!(if it.is_enrolled() { "enrolled" } else { "invited" }),
            if args.is_for_programs() { utc(added) } else { local(added, "UTC") },
        ]
    };
    let columns = &["organizer", "roles", "challenges", "state", "added"];
    print(Table::new(columns, all.into_iter().map(row)), args)
}
