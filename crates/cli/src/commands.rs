//! One file per command: its arguments, whose doc comment is the help page, and `run`.

pub(crate) mod apply;
pub(crate) mod completions;
pub(crate) mod console;
pub(crate) mod drift;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod fmt;
pub(crate) mod forget;
pub(crate) mod graph;
pub(crate) mod history;
pub(crate) mod init;
pub(crate) mod lsp;
pub(crate) mod pause;
pub(crate) mod pending;
pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod restore;
pub(crate) mod resume;
pub(crate) mod schema;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod test;
pub(crate) mod undo;
pub(crate) mod validate;
pub(crate) mod watch;
