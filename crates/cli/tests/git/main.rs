//! `git` on checkouts of other users, after interruptions, and with a login.

mod interrupted;
mod login;
mod owners;
mod sandbox;
#[path = "../site/mod.rs"]
mod site;
