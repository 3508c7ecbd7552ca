//! Undo of `team.import`. The console and the command line import files with separate operations.

use flagship_store::actions::{name_object, team_object, undoable_about_in};
use flagship_store::ops::removal;
use flagship_store::ops::undo_data::ImportUndo;

use crate::prelude::*;

/// Name in the audit log.
pub const NAME: &str = "team.import";

impl UndoData for ImportUndo {
    /// Removes the teams. Rejected if one has been active (solves, awards or its own actions), or
    /// if another action about one has not been undone.
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let contest = context.contest();
        let has_played = self.teams.iter().any(|team| {
            let team_state = contest.team(*team);
            let has_taken =
                team_state.is_some_and(|team| team.award != 0 || !team.hints().is_empty());
            has_taken || contest.solves_of(*team).next().is_some()
        });
        let ids: Vec<i64> = self.teams.iter().map(|team| team.0).collect();
        let objects = |id: &i64| [team_object(*id), name_object(*id)];
        let objects: Vec<String> = ids.iter().flat_map(objects).collect();
        let standing = undoable_about_in(context.tx(), &objects).await?;
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
