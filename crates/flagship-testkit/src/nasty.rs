//! What clients should not send: bodies and texts that break what was not built for them.

use serde_json::{Value, json};

/// Texts of JSON that are no JSON, or none that a parser should follow.
pub fn broken_json() -> Vec<Vec<u8>> {
    let deep = [b"[".repeat(30_000), b"]".repeat(30_000)].concat();
    let deep_member = [b"{\"a\":".repeat(10_000), b"1".to_vec(), b"}".repeat(10_000)].concat();
    let texts: [&[u8]; 16] = [
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
        b"{\"a\":\"\\ud800\"}",
        b"\xff\xfe{\0}\0",
        b"{\"a\":\"\xc3\x28\"}",
    ];
    texts.iter().map(|text| text.to_vec()).chain([deep, deep_member]).collect()
}

/// Values that are no string.
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

/// Values that are no object, though some of them list what an object would hold.
pub fn no_objects(members: usize) -> Vec<Value> {
    let list = vec!["x"; members];
    vec![Value::Null, json!(true), json!(1), json!("text"), json!([]), json!(list), json!([{}])]
}

/// Strings that are hard to hold, to show, to compare or to store.
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

/// Words by which an echo of what was sent would be seen.
pub const MARK: &str = "zQ7mark";
