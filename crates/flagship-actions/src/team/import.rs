//! `team.import`: teams from a file, or the undo of that. The console and the command line import
//! files by operations of their own; here is what undoes them.

use flagship_store::actions::{name_object, standing_about_in, team_object};
use flagship_store::ops::removal;
use flagship_store::ops::undo_data::ImportUndo;

use crate::prelude::*;

/// Its name in the audit log.
pub const NAME: &str = "team.import";

impl UndoData for ImportUndo {
    /// The teams leave. Rejected if one has played: it has a solve or points of organizers, or did
    /// something itself; or if another action about one stands.
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let contest = context.contest();
        let has_played = self.teams.iter().any(|team| {
            let has_points = contest.team(*team).is_some_and(|team| team.award != 0);
            has_points || contest.solves_of(*team).next().is_some()
        });
        let ids: Vec<i64> = self.teams.iter().map(|team| team.0).collect();
        let objects = |id: &i64| [team_object(*id), name_object(*id)];
        let objects: Vec<String> = ids.iter().flat_map(objects).collect();
        let standing = standing_about_in(context.tx(), &objects).await?;
        if !standing.is_empty() {
            let seen = standing.into_iter().filter(|(_, action)| context.may_read(action));
            let actions = seen.map(|(id, _)| id).collect();
            return Err(ActionError::Later { actions }.into());
        }
        if has_played || removal::has_played_in(context.tx(), &ids).await? {
            return Err(ActionError::Played.into());
        }
        let is_command = context.actor().organizer_id.is_none();
        if !context.is_confirmed() && !is_command {
            return Err(ActionError::Destructive.into());
        }
        let now_ms = context.now_ms();
        removal::remove_in(context.tx(), &ids, now_ms).await?;
        for team in self.teams {
            context.try_append(facts::TeamLeft { team }, ActionError::Touched)?;
        }
        Ok(())
    }
}
