//! A client of the live channel over plain JSON, written from the contract. It shares no code with
//! the program, so that each can be tested against the other.

use serde_json::{Value, json};

/// The state of a client after a message.
pub fn receive(state: &mut Value, message: &Value) {
    match message["event"].as_str() {
        Some("scoreboard") => *state = message.clone(),
        Some("newteam") => {
            let name = &message["teamName"];
            let rows = state["scoreboard"].as_array_mut().expect("rows");
            if !rows.iter().any(|row| row[0] == *name) {
                let mut row = json!([name, message["country"], {}, 0]);
                if let (Some(divisions), Some(row)) = (message.get("divisions"), row.as_array_mut())
                {
                    row.extend([json!(0), divisions.clone()]);
                }
                rows.push(row);
            }
        }
        Some("solve") => solve(state, message),
        Some("award") => {
            let rows = state["scoreboard"].as_array_mut().expect("rows");
            let row = rows.iter_mut().find(|row| row[0] == message["teamName"]);
            if let Some(row) = row.and_then(Value::as_array_mut) {
                let divisions = row.get(5).cloned();
                row.truncate(4);
                let award = message["award"].clone();
                row.extend(Some(award).filter(|award| *award != 0 || divisions.is_some()));
                row.extend(divisions);
            }
        }
        _ => {}
    }
    if let Some(seq) = message["seq"].as_u64() {
        state["seq"] = json!(seq);
    }
    rank(state);
}

fn solve(state: &mut Value, message: &Value) {
    let challenges = state["challenges"].as_array().expect("challenges");
    let column = challenges.iter().position(|column| column["id"] == message["challengeId"]);
    let rows = state["scoreboard"].as_array().expect("rows");
    let row = rows.iter().position(|row| row[0] == message["teamName"]);
    let (Some(column), Some(row)) = (column, row) else { return };
    if state["scoreboard"][row][2].get(column.to_string()).is_some() {
        return;
    }
    let challenge = &mut state["challenges"][column];
    let position = challenge["nsolves"].as_u64().expect("a number") + 1;
    challenge["nsolves"] = json!(position);
    if position == 1 {
        challenge["fbTs"] = message["ts"].clone();
    }
    let row = &mut state["scoreboard"][row];
    row[2][column.to_string()] = json!([position, message["ts"]]);
    row[3] = message["ts"].clone();
}

/// The points of a row, computed from the client's state.
pub fn points(state: &Value, row: &Value) -> i64 {
    let award = row.get(4).map_or(0, |award| award.as_i64().expect("whole points"));
    let solves = row[2].as_object().expect("solves").iter();
    let of = |(column, solve): (&String, &Value)| {
        let column: usize = column.parse().expect("an index");
        let challenge = &state["challenges"][column];
        let nsolves = challenge["nsolves"].as_f64().expect("a number");
        let max = challenge["maxValue"].as_i64().expect("a number");
        match challenge["challengeType"].as_str() {
            Some("static") => max,
            Some("speedrun") => {
                let place = solve[0].as_u64().expect("a position") as usize;
                challenge["speedrunValues"].get(place - 1).map_or(0, |v| v.as_i64().expect("i64"))
            }
            Some("dynamic") => {
                let decay = challenge.get("decay").map_or(15.0, |d| d.as_f64().expect("a number"));
                let share = (decay / (decay - 1.0 + nsolves)).min(1.0).powf(1.3);
                let min = challenge["minValue"].as_i64().expect("a number");
                min.max((max as f64 * share).floor() as i64)
            }
            other => panic!("no challenge type: {other:?}"),
        }
    };
    award + solves.map(of).sum::<i64>()
}

fn rank(state: &mut Value) {
    let mut rows = state["scoreboard"].as_array().expect("rows").clone();
    rows.sort_by_key(|row| {
        let at_ms = (row[3].as_f64().expect("a time") * 1000.0).round() as i64;
        let name: Vec<u32> = row[0].as_str().expect("a name").chars().map(u32::from).collect();
        (-points(state, row), at_ms, name)
    });
    state["scoreboard"] = Value::Array(rows);
}

/// Name, points and rank of every row.
pub fn ranks(state: &Value) -> Value {
    let rows = state["scoreboard"].as_array().expect("rows").iter().zip(1..);
    rows.map(|(row, rank)| json!({"teamName": row[0], "points": points(state, row), "rank": rank}))
        .collect()
}
