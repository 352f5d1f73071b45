//! `git` on checkouts of other users, after interruptions, and with a login.

mod ground;
mod interrupted;
mod login;
mod owners;
#[path = "../site/mod.rs"]
mod site;
