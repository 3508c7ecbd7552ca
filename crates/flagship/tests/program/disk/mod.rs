//! Tests of stored data: crashes, faults of the disk and the clock, backups, upgrades, forged data.

mod action_kills;
mod backup;
mod clock;
mod crash;
mod download;
mod forged;
mod full;
mod hint_kills;
mod io_faults;
mod restore;
mod sync_trace;
mod upgrade;
