//! Property types: accepted values, refused values, and messages.

mod collection;
mod own;
mod path;
mod plain;
mod reading;
mod secret;
mod unknown;
