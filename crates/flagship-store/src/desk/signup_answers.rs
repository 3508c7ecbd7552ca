//! Answers that teams gave in the signup form. Only organizers see them.

use std::collections::HashMap;

use crate::engine::{Tx, on, push_list, run};
use crate::{Db, Result};

/// Maximum accounts per query.
const IDS_MAX: usize = 500;

/// An answer. No `Debug`, because it is private.
#[derive(Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Answer {
    /// ID of the field.
    pub field: String,
    /// JSON: a text for a text or choice, `true` or `false` for a consent.
    pub value: String,
    /// Label of the field at the signup.
    pub label: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    account_id: i64,
    #[sqlx(flatten)]
    answer: Answer,
}

/// Stores the answers of a new account.
pub(crate) async fn add_in(tx: &mut Tx, account_id: i64, answers: &[Answer]) -> Result<()> {
    for Answer { field, value, label } in answers {
        let sql = "insert into signup_answers (account_id, field, value, label) \
                   values ($1, $2, $3, $4)";
        run!(tx => query(sql, account_id, field, value, label).execute);
    }
    Ok(())
}

/// Answers by account, each in the order of their fields. Accounts without answers are omitted.
pub async fn of_accounts(db: &Db, ids: &[i64]) -> Result<HashMap<i64, Vec<Answer>>> {
    let mut all = HashMap::<i64, Vec<Answer>>::new();
    for ids in ids.chunks(IDS_MAX) {
        let rows: Vec<Row> = on!(db.read(), conn => {
            let sql = "select account_id, field, value, label from signup_answers \
                       where account_id in ";
            let mut select = sqlx::QueryBuilder::new(sql);
            push_list(&mut select, ids);
            select.push(" order by account_id, field").build_query_as().fetch_all(conn).await?
        });
        for Row { account_id, answer } in rows {
            all.entry(account_id).or_default().push(answer);
        }
    }
    Ok(all)
}
