//! What the editor is sent.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::fault::Fault;

/// Messages to a pipe.
pub(crate) struct Outbox<W> {
    to: W,
    asked: u64,
}

impl<W: Write> Outbox<W> {
    pub(crate) fn new(to: W) -> Self {
        Self { to, asked: 0 }
    }

    /// Answers a request.
    pub(crate) fn answer(&mut self, id: &Json, answer: Result<Json, Fault>) -> io::Result<()> {
        match answer {
            Ok(result) => self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result })),
            Err(Fault { code, message }) => {
                let error = json!({ "code": code, "message": message });
                self.send(&json!({ "jsonrpc": "2.0", "id": id, "error": error }))
            }
        }
    }

    /// Tells something.
    pub(crate) fn notify(&mut self, method: &str, parameters: &Json) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }))
    }

    /// Asks for something whose answer does not matter.
    pub(crate) fn ask(&mut self, method: &str, parameters: &impl Serialize) -> io::Result<()> {
        self.asked += 1;
        let id = format!("uphold-{}", self.asked);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }))
    }

    fn send(&mut self, message: &Json) -> io::Result<()> {
        let content = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{content}", content.len())?;
        self.to.flush()
    }
}
