#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| flagship_pack::fuzz::team_copy(bytes));
