//! Malformed and malicious input: bodies and texts that break careless programs.

use serde_json::{Value, json};
use sqlx::Connection;

use crate::TestDb;

/// The tables of the store.
const TABLES: [&str; 12] = [
    "meta",
    "journal",
    "solves",
    "challenges",
    "flags",
    "accounts",
    "names",
    "sessions",
    "mail_tokens",
    "outbox",
    "wrong_flags",
    "used_captchas",
];

/// JSON with excessive nesting.
pub fn deep_json() -> [String; 2] {
    let lists = "[".repeat(8_000) + &"]".repeat(8_000);
    let members = "{\"a\":".repeat(2_500) + "1" + &"}".repeat(2_500);
    [lists, members]
}

/// Texts that are not JSON, although some begin like it.
pub fn broken_json() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 15] = [
        b"",
        b" ",
        b"{",
        b"{\"",
        b"{]",
        b"nul",
        b"\0",
        b"{}{}",
        b"{\"a\":1,}",
        b"{'a':1}",
        b"{\"a\":NaN}",
        b"{\"a\":01}",
        b"{\"a\":\"\n\"}",
        b"{\"a\":\"\\u12\"}",
        b"\xff\xfe{\0}\0",
    ];
    texts.iter().map(|text| text.to_vec()).collect()
}

/// JSON values other than strings.
pub fn no_strings() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!([]),
        json!(["x"]),
        json!({}),
        json!({"x": "y"}),
    ]
}

/// JSON values other than objects; some list what an object would contain.
pub fn no_objects(members: usize) -> Vec<Value> {
    let list = vec!["x"; members];
    vec![Value::Null, json!(true), json!(1), json!("text"), json!([]), json!(list), json!([{}])]
}

/// Strings that are hard to store, display or compare.
pub fn strings() -> Vec<String> {
    let mut all: Vec<String> = [
        "",
        " ",
        "\u{0}",
        "a\u{0}b",
        "\r\nSet-Cookie: a=b",
        "\u{202e}gnp.exe",
        "\u{200b}\u{200d}\u{feff}",
        "\u{fffd}\u{ffff}\u{10ffff}",
        "\u{e000}\u{f0000}",
        "Z\u{351}\u{36b}\u{343}\u{36a}\u{302}\u{36b}a\u{334}\u{335}",
        "👩‍👩‍👧‍👦🏴‍☠️🇮🇹",
        "ﷺ\u{2028}\u{2029}",
        "\"; drop table accounts; --",
        "' or '1'='1",
        "<script>alert(1)</script><img src=x onerror=alert(1)>",
        "{{7*7}}${7*7}%s%n%x",
        "../../../../etc/passwd",
        "%00%ff%2e%2e%2f",
        "=cmd|' /C calc'!A0",
        "constructor",
        "__proto__",
        "null",
        "NaN",
        "fsp_",
        "eyJhbGciOiJub25lIn0.e30.",
    ]
    .map(str::to_owned)
    .into();
    all.push("x".repeat(10_000));
    all.push("\u{1f4a9}".repeat(2_000));
    all.push("e\u{301}".repeat(3_000));
    all
}

/// A text that reveals an echo of a request.
pub const MARK: &str = "zQ7mark";

/// All rows of all tables as text. A rejected request must not change them. The record of the
/// journal's head is skipped, because the lane writes it up to a second after the entry.
pub async fn everything(test: &TestDb) -> String {
    let mut all = String::new();
    for table in TABLES {
        let text = match &test.url {
            None => sqlite_rows(test, table).await,
            Some(url) => postgres_rows(url, table).await,
        };
        all += &format!("{table}: {text}\n");
    }
    all
}

async fn sqlite_rows(test: &TestDb, table: &str) -> String {
    let mut conn = sqlx::SqliteConnection::connect(&test.sqlite_url()).await.expect("it opens");
    let names: Vec<String> = sqlx::query_scalar("select name from pragma_table_info($1)")
        .bind(table)
        .fetch_all(&mut conn)
        .await
        .expect("the table has columns");
    let cells: Vec<String> = names.iter().map(|name| format!("quote({name})")).collect();
    let cells = cells.join(" || ',' || ");
    let sql = format!("select {cells} from {table} {} order by 1", condition(table));
    let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .fetch_all(&mut conn)
        .await
        .expect("the table can be read");
    rows.join("|")
}

async fn postgres_rows(url: &str, table: &str) -> String {
    let mut conn = sqlx::PgConnection::connect(url).await.expect("it opens");
    let sql = format!("select {table}::text from {table} {} order by 1", condition(table));
    let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .fetch_all(&mut conn)
        .await
        .expect("the table can be read");
    rows.join("|")
}

fn condition(table: &str) -> &'static str {
    if table == "meta" { "where key <> 'journal_head'" } else { "" }
}
