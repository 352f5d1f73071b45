//! The `uphold` command from outside: arguments and files in, text and exit code out.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests prepare real files")]

mod asked_plan;
mod asking;
mod beside;
mod changes;
mod console;
mod demo;
mod exposed_secrets;
mod facts;
mod fmt;
mod ground;
mod held_twice;
mod init;
mod json;
mod kind_files;
mod kind_programs;
mod limits;
mod manners;
mod mistakes;
mod odd_machines;
mod optional;
mod other_tools;
mod outcomes;
mod params;
mod planted;
mod purge;
mod recipes;
mod reporting;
mod saved_plan;
mod saved_secret;
mod secret_files;
mod shown_plan;
mod stopping;
mod telling;
mod unusable_plan;
mod words;
