#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| flagship_server::imports::holds(bytes));
