//! Files, directories, links and lines on the real file system, and their laws on a machine in memory.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the tests use real files")]

mod accounts;
mod certificate;
mod creation_only;
mod directory;
mod driver;
mod edit_laws;
mod edited;
mod file;
mod file_facts;
mod interests;
mod laws;
mod limits;
mod line;
mod link;
mod obstacles;
mod password;
mod planted;
mod rooted;
mod spy;
