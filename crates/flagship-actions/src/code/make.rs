//! `code.make`

use flagship_store::accounts::signup_codes;

use crate::mail::token::{new_code, token_of_code};
use crate::prelude::*;
use crate::text::line;

/// Maximum number of codes per action.
const CODES_MAX: i64 = 1_000;
/// Maximum number of teams per code.
const USES_MAX: i64 = 1_000_000;

/// Makes codes that let teams sign up. The answer has them as `codes`.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Make {
    /// Number of codes: 1 to 1000.
    #[serde(default = "one")]
    pub count: i64,
    /// Number of teams that can sign up with each code: 1 to 1000000.
    #[serde(default = "one")]
    pub uses: i64,
    /// Label for organizers, such as the school that gets the codes: at most 200 characters.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    #[serde(skip)]
    codes: Vec<String>,
}

fn one() -> i64 {
    1
}

impl Action for Make {
    const RULE: Rule = Rule { name: "code.make", roles: RUNNERS, factor: Factor::Once };
    const LISTS: &'static [List] = &[List::Settings];
    type Undo = MakeUndo;

    async fn prepare(&mut self, _desk: &Desk) -> Result<Extras, Rejection> {
        if !(1..=CODES_MAX).contains(&self.count) || !(1..=USES_MAX).contains(&self.uses) {
            return Err(ArgumentError::Shape.into());
        }
        self.label = line(&self.label)?;
        let codes: Vec<String> = (0..self.count).map(|_| new_code()).collect();
        let stored = |code: &String| token_of_code(code).expect("it is a code");
        self.codes = codes.iter().map(stored).collect();
        Ok(Extras { codes, ..Extras::default() })
    }

    async fn perform(&self, context: &mut Context<'_>) -> ActionResult<Option<MakeUndo>> {
        let now_ms = context.now_ms();
        let Self { codes, label, uses, .. } = self;
        for code in codes {
            context.touch_new(super::object(code));
        }
        signup_codes::add_in(context.tx(), codes, label, *uses, now_ms).await?;
        Ok(Some(MakeUndo { codes: codes.clone() }))
    }

    fn key(arguments: &Value) -> &'static str {
        match (arguments["count"] == 1, arguments["label"].is_string()) {
            (true, true) => "code.make.one.label",
            (true, false) => "code.make.one",
            (false, true) => "code.make.label",
            (false, false) => "code.make",
        }
    }
}

/// Undo data of `code.make`. Codes that teams have used are revoked; others are deleted.
#[derive(Serialize, Deserialize)]
pub struct MakeUndo {
    codes: Vec<String>,
}

impl UndoData for MakeUndo {
    async fn undo(self, context: &mut Context<'_>) -> ActionResult<()> {
        let now_ms = context.now_ms();
        for code in &self.codes {
            if !signup_codes::remove_unused_in(context.tx(), code).await? {
                signup_codes::set_revoked_in(context.tx(), code, Some(now_ms)).await?;
            }
        }
        Ok(())
    }
}
