//! `team.note`

use flagship_store::desk::notes;

use super::touched;
use crate::prelude::*;
use crate::text::note;

/// Adds a note about a team for other organizers.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// Exact name of the team.
    pub team: String,
    /// Note, in plain text: at most 500 characters.
    #[serde(skip_serializing_if = "is_unrecorded")]
    #[schema(required = true)]
    pub text: String,
}

impl Action for Note {
    const RULE: Rule = Rule { name: "team.note", roles: HELPERS, factor: Factor::Once };
    const LISTS: &'static [List] = OF_ACCOUNT;
    const IS_ABOUT_AN_ACCOUNT: bool = true;
    type Undo = Never;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        self.text = note(&self.text)?;
        match self.text.is_empty() {
            true => Err(ArgumentError::Shape.into()),
            false => Ok(Extras::default()),
        }
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<Never>> {
        let account = touched(context, &self.team).await?;
        let seal = context.seal();
        notes::add_in(context.tx(), &seal, account.id, &self.text).await?;
        Ok(None)
    }
}
