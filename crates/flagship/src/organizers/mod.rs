//! `flagship organizer ...`: works on the database, whether or not a server runs.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use flagship_game::TeamName;
use flagship_server::invitation_link;
use flagship_store::organizers::passes::Kind;
use flagship_store::organizers::{self, OrganizerError, Rights, Role, tokens};
use flagship_store::{Db, Key, challenges, settings};
use serde_json::json;

use crate::cli::{self, Installation, Listing, PublicUrl};
use crate::lists::table::{Table, local, utc};
use crate::names;

/// Runs one command.
pub async fn organizer(command: cli::Organizer) -> Result<()> {
    match command {
        cli::Organizer::Add { organizer, roles, challenges, site } => {
            let (db, key) = organizer.installation.open().await?;
            let rights = rights(&db, roles, &challenges).await?;
            let name = TeamName::parse(&organizer.name);
            let name = name.map_err(|error| anyhow!("{:?}: {error}", organizer.name))?;
            let invitation = Invitation::new(&db, &key, &site).await?;
            let now_ms = db.clock().await?.now_ms();
            let done = organizers::add(&db, &name, &rights, &invitation.digest, now_ms).await?;
            done.map_err(|error| of_error(error, &organizer.name))?;
            say!("{}", invitation.link);
            Ok(db.close().await)
        }
        cli::Organizer::List(args) => list(&args).await,
        cli::Organizer::Role { organizer, roles, challenges } => {
            let (db, _) = organizer.installation.open().await?;
            let rights = rights(&db, roles, &challenges).await?;
            let done = organizers::set_rights(&db, &organizer.name, &rights).await?;
            done.map_err(|error| of_error(error, &organizer.name))?;
            say!("{:?} is {} now", organizer.name, role_names(&rights.roles));
            Ok(db.close().await)
        }
        cli::Organizer::Reset { organizer, site } => {
            let (db, key) = organizer.installation.open().await?;
            let invitation = Invitation::new(&db, &key, &site).await?;
            let now_ms = db.clock().await?.now_ms();
            let done = organizers::reset(&db, &organizer.name, &invitation.digest, now_ms).await?;
            done.map_err(|error| of_error(error, &organizer.name))?;
            say!("{}", invitation.link);
            Ok(db.close().await)
        }
        cli::Organizer::Remove(organizer) => {
            let (db, _) = organizer.installation.open().await?;
            let done = organizers::remove(&db, &organizer.name).await?;
            done.map_err(|error| of_error(error, &organizer.name))?;
            say!("{:?} is removed", organizer.name);
            Ok(db.close().await)
        }
        cli::Organizer::Token { organizer, days } => {
            token(&organizer.installation, &organizer.name, days).await
        }
    }
}

async fn token(installation: &Installation, name: &str, days: u32) -> Result<()> {
    let (db, key) = installation.open().await?;
    let unknown = || of_error(OrganizerError::Unknown, name);
    let organizer = organizers::by_name(&db, name).await?.ok_or_else(unknown)?;
    let (token, digest) = new_token(&key, Kind::Token)?;
    let now_ms = db.clock().await?.now_ms();
    if !organizers::create_token(&db, &digest, organizer.id, days, now_ms).await? {
        return Err(unknown());
    }
    say!("{token}");
    Ok(db.close().await)
}

fn new_token(key: &Key, kind: Kind) -> Result<(String, String)> {
    let token = tokens::create(key, kind);
    let digest = tokens::digest(key, kind, &token).context("a token was made for its kind")?;
    Ok((token, digest))
}

/// A link that is printed once its digest is stored.
struct Invitation {
    link: String,
    digest: String,
}

impl Invitation {
    async fn new(db: &Db, key: &Key, site: &PublicUrl) -> Result<Self> {
        let told = match &site.public_url {
            Some(url) => Some(url.trim_end_matches('/').to_owned()),
            None => settings::public_url(db).await?,
        };
        let Some(public_url) = told else {
            bail!(
                "no server has run here yet, so say where the site will be: `--public-url \
                 https://ctf.example.org`"
            );
        };
        let (token, digest) = new_token(key, Kind::Invitation)?;
        Ok(Self { link: invitation_link(&public_url, &token), digest })
    }
}

/// The rights for roles and challenges, which have to exist. Only an author has challenges.
async fn rights(db: &Db, roles: Vec<Role>, typed: &[String]) -> Result<Rights> {
    let roles: BTreeSet<Role> = roles.into_iter().collect();
    if !typed.is_empty() && !roles.contains(&Role::Author) {
        bail!("--challenges are those of an author: add the role author, or leave them out");
    }
    let (_, drafts) = challenges::all(db).await?;
    let mut rights = Rights { roles, ..Rights::default() };
    for typed in typed {
        let id = names::challenge_id(typed)?;
        if !drafts.iter().any(|draft| draft.challenge.id == id) {
            bail!("no challenge has the id {typed:?}; `flagship challenge list` shows all");
        }
        rights.challenges.insert(id);
    }
    if rights.roles.contains(&Role::Author) && rights.challenges.is_empty() {
        bail!("an author writes named challenges: add `--challenges ID,ID`");
    }
    Ok(rights)
}

fn role_names(roles: &BTreeSet<Role>) -> String {
    roles.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ")
}

fn of_error(error: OrganizerError, name: &str) -> anyhow::Error {
    match error {
        OrganizerError::NameTaken => {
            anyhow!("an organizer with the name {name:?}, or a look-alike of it, is already there")
        }
        OrganizerError::Unknown => {
            anyhow!("no organizer is called {name:?}; `flagship organizer list` shows all")
        }
        OrganizerError::LastOwner => anyhow!(
            "{name:?} is the last owner: make another one first, `flagship organizer add NAME \
             --role owner`"
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
            if args.json { utc(added) } else { local(added, "UTC") },
        ]
    };
    let columns = &["organizer", "roles", "challenges", "state", "added"];
    Table { columns, rows: all.into_iter().map(row).collect() }.print(args.json)
}
