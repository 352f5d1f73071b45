//! A digest of everything that a body has read.
//!
//! The function of an `inline` can have captured any of it. A saved plan compares the digest, because nothing else
//! shows that the function would now do something else.

use std::cell::RefCell;
use std::fmt::Write as _;

use mlua::MultiValue;
use sha2::{Digest, Sha256};

use crate::value::from_script;

/// Operations whose results can differ from one run to the next. Params are compared with the configuration; the time
/// always differs, and a saved plan has a time limit of its own.
const READ_OPERATIONS: [&str; 15] = [
    "current",
    "fact",
    "fs.exists",
    "fs.is_directory",
    "fs.is_file",
    "fs.is_link",
    "fs.list",
    "fs.read",
    "fs.readlink",
    "fs.stat",
    "fs.walk",
    "goal",
    "query",
    "read",
    "value",
];

/// The digest so far.
#[derive(Default)]
pub(crate) struct ReadDigest(RefCell<Sha256>);

impl ReadDigest {
    /// Whether this operation is part of the digest.
    pub(crate) fn covers(op: &str) -> bool {
        READ_OPERATIONS.contains(&op)
    }

    /// Adds a call and its result.
    pub(crate) fn add_call(&self, op: &str, arguments: &MultiValue, result: &MultiValue) {
        let mut digest = self.0.borrow_mut();
        part(&mut digest, op.as_bytes());
        arguments.iter().chain(result).for_each(|value| add(&mut digest, value));
    }

    /// The digest as a string.
    pub(crate) fn text(&self) -> String {
        let mut text = "sha256:".to_owned();
        for byte in self.0.borrow().clone().finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }
}

fn add(digest: &mut Sha256, value: &mlua::Value) {
    match value {
        mlua::Value::String(text) => part(digest, &text.as_bytes()),
        // A function cannot be converted; the script, which is compared as a whole, defines it.
        other => {
            part(digest, from_script(other).map(|value| format!("{value:?}")).unwrap_or_default().as_bytes());
        }
    }
}

/// Adds a part with its length, so that two parts never look like one.
fn part(digest: &mut Sha256, content: &[u8]) {
    digest.update((content.len() as u64).to_le_bytes());
    digest.update(content);
}
