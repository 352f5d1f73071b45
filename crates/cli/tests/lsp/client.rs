//! A client of the language server protocol.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use uphold_testbed::own_state;

/// Longer than any response takes, even on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// An editor with its own folder.
pub(crate) struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: Receiver<Json>,
    /// Received messages that no test has waited for yet.
    kept: Vec<Json>,
    folder: TempDir,
    asked: i64,
    /// The version of each open document.
    versions: HashMap<String, i64>,
}

impl Client {
    /// Starts the server without sending anything.
    pub(crate) fn silent() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
        let folder = TempDir::new().expect("a folder");
        own_state(&mut command, folder.path()).arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the binary runs");
        let output = server.stdout.take().expect("it is piped");
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let to = server.stdin.take();
        Self { server, to, from, kept: Vec::new(), folder, asked: 0, versions: HashMap::new() }
    }

    /// Starts and initializes the server.
    pub(crate) fn new() -> Self {
        Self::with(&json!({}))
    }

    /// Starts and initializes the server with these client capabilities.
    pub(crate) fn with(capabilities: &Json) -> Self {
        let mut client = Self::silent();
        let folder = client.uri("");
        let answer =
            client.request("initialize", &json!({ "capabilities": capabilities, "rootUri": folder }));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", &json!({}));
        client
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The URI of a file in the folder.
    pub(crate) fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path(name).display())
    }

    /// Writes a file to the disk.
    pub(crate) fn save(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    fn next_version(&mut self, name: &str) -> i64 {
        let version = self.versions.entry(name.to_owned()).or_default();
        *version += 1;
        *version
    }

    /// Opens a document, independent of the file on the disk.
    pub(crate) fn open(&mut self, name: &str, text: &str) {
        let version = self.next_version(name);
        let document =
            json!({ "uri": self.uri(name), "languageId": "uphold", "version": version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    /// Opens a document and returns the position of the `|` in it.
    pub(crate) fn open_at(&mut self, name: &str, text: &str) -> Json {
        let place = text.find('|').expect("a place is marked");
        self.open(name, &text.replacen('|', "", 1));
        let before = &text[..place];
        let line = before.rsplit('\n').next().unwrap_or_default();
        json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
    }

    /// Sends a request about a position.
    pub(crate) fn ask_at(&mut self, method: &str, name: &str, place: &Json) -> Json {
        let parameters = json!({ "textDocument": { "uri": self.uri(name) }, "position": place });
        self.request(method, &parameters)
    }

    /// Sends a request about a file.
    pub(crate) fn ask(&mut self, method: &str, name: &str) -> Json {
        self.request(method, &json!({ "textDocument": { "uri": self.uri(name) } }))
    }

    /// Replaces the whole document.
    pub(crate) fn change(&mut self, name: &str, text: &str) {
        self.edit(name, &json!([{ "text": text }]));
    }

    /// Sends changes of a document.
    pub(crate) fn edit(&mut self, name: &str, changes: &Json) {
        let version = self.next_version(name);
        let document = json!({ "uri": self.uri(name), "version": version });
        self.notify(
            "textDocument/didChange",
            &json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The result of a request.
    pub(crate) fn request(&mut self, method: &str, parameters: &Json) -> Json {
        let mut answer = self.answer(method, parameters);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The whole response to a request.
    pub(crate) fn answer(&mut self, method: &str, parameters: &Json) -> Json {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    pub(crate) fn notify(&mut self, method: &str, parameters: &Json) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    /// The next diagnostics of this file for its current version.
    pub(crate) fn diagnostics(&mut self, name: &str) -> Json {
        let (uri, version) = (self.uri(name), self.versions.get(name).copied().unwrap_or(0));
        let mut message = self.wait(|message| {
            let parameters = &message["params"];
            let is_old = parameters["version"].as_i64().unwrap_or(0) < version;
            message["method"] == "textDocument/publishDiagnostics" && parameters["uri"] == *uri && !is_old
        });
        message["params"]["diagnostics"].take()
    }

    /// The next matching message; others are kept.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Json) -> bool) -> Json {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.from.recv_timeout(LONG).expect("the server answers");
            assert_eq!(message["jsonrpc"], "2.0");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    pub(crate) fn send(&mut self, message: &Json) {
        self.send_raw(&message.to_string());
    }

    /// Sends a message with this content.
    pub(crate) fn send_raw(&mut self, content: &str) {
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let to = self.to.as_mut().expect("it is open");
        to.write_all(bytes).and_then(|()| to.flush()).expect("the server listens");
    }

    /// Closes the input and returns the exit code of the server.
    pub(crate) fn end(mut self) -> Option<i32> {
        drop(self.to.take());
        self.server.wait().expect("it ends").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

fn receive(output: &mut BufReader<ChildStdout>) -> Option<Json> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|count| *count > 0)?;
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", number)) => length = number.parse().ok()?,
            _ if line == "\r\n" => break,
            _ => {}
        }
    }
    let mut content = vec![0; length];
    output.read_exact(&mut content).ok()?;
    serde_json::from_slice(&content).ok()
}
