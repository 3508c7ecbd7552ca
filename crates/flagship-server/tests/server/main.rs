//! Tests of the server over HTTP, the live channel and mail, on both databases. All are in one test
//! binary, to link once.

mod accounts;
mod actions;
mod addresses;
mod attachments;
mod bad_input;
mod brand;
mod captcha;
mod cards;
mod description;
mod first_answers;
mod freeze;
mod generated;
mod headers;
mod health;
mod lists;
mod live;
mod mail;
mod notices;
mod organizers;
mod play;
mod refusals;
mod rejudge;
mod secrets;
mod shortcut;
mod snapshot;
mod story;
mod throttles;
