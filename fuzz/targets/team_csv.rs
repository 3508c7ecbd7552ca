#![no_main]

#[path = "../../crates/flagship/src/csv_cells.rs"]
#[allow(dead_code)]
mod csv_cells;
#[path = "../../crates/flagship/src/csv_text.rs"]
#[allow(dead_code)]
mod csv_text;
#[path = "../../crates/flagship/src/team_csv.rs"]
#[allow(dead_code)]
mod team_csv;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| team_csv::holds(bytes));
