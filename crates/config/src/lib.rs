//! HCL in, declarations out.
//!
//! The reader is Uphold's own: every token has its place, one mistake does not hide the next, and the
//! time it takes is linear in the text. It knows neither kinds nor the engine.
//!
//! ```
//! use uphold_config::read;
//! use uphold_model::{Sources, Statement};
//!
//! let mut sources = Sources::default();
//! let id = sources.add("site.hcl", "file \"/etc/motd\" {\n  content = \"hi\"\n}\n");
//! let reading = read(&sources, &[id]);
//! assert!(reading.diagnostics.is_empty());
//! assert!(matches!(reading.statements[..], [Statement::Declare(_), Statement::Trigger(_)]));
//! ```

mod body_check;
mod deferred;
mod evaluate;
mod excerpt;
mod lexer;
mod lower;
mod meta;
mod names;
mod parser;
mod reading;
mod string_scan;
mod token;
mod tree;

pub use reading::{Reading, read};
