//! A digest of all that a body has read. The function of `inline` can have captured any of it, and nothing else tells what
//! it will do: a saved plan compares the digest.

use std::cell::RefCell;
use std::fmt::Write as _;

use mlua::MultiValue;
use sha2::{Digest, Sha256};

use crate::value::from_script;

/// What can differ from one run to the next. Params are compared with the configuration.
const READING: [&str; 14] = [
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
    "goal",
    "query",
    "read",
    "value",
];

/// The digest so far.
#[derive(Default)]
pub(crate) struct Answers(RefCell<Sha256>);

impl Answers {
    /// Whether this call reads something.
    pub(crate) fn count(op: &str) -> bool {
        READING.contains(&op)
    }

    /// Adds a call and its answer.
    pub(crate) fn note(&self, op: &str, arguments: &MultiValue, answer: &MultiValue) {
        let mut digest = self.0.borrow_mut();
        part(&mut digest, op.as_bytes());
        arguments.iter().chain(answer).for_each(|value| add(&mut digest, value));
    }

    /// The digest as text.
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
        // A function is no data, and fixed by the script.
        other => {
            part(digest, from_script(other).map(|value| format!("{value:?}")).unwrap_or_default().as_bytes());
        }
    }
}

/// With its length, so that no two parts can be taken for one.
fn part(digest: &mut Sha256, content: &[u8]) {
    digest.update((content.len() as u64).to_le_bytes());
    digest.update(content);
}
