//! The types of properties: what they take, what they refuse, and in which words.

mod collection;
mod own;
mod path;
mod plain;
mod reading;
mod secret;
mod unknown;
