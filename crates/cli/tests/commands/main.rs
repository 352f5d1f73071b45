//! The `uphold` command from outside: arguments and files in, text and exit code out.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

mod changes;
mod console;
mod demo;
mod fmt;
mod ground;
mod init;
mod json;
mod manners;
mod mistakes;
mod other_tools;
mod outcomes;
mod params;
mod words;
