//! The session with an editor, from `initialize` to `exit`.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Duration;

use gen_lsp_types::json_rpc::Error as RpcError;
use gen_lsp_types::{ErrorCodes, PositionEncodingKind, TextDocumentSyncKind};
use serde_json::{Value as Json, json};
use uphold::Engine;
use uphold::resource::Registry;

use crate::diagnostics::Publisher;
use crate::transport::{Inbox, Incoming, Message, Outbox, rpc_error};
use crate::uri::path_of;
use crate::workspace::Workspace;

/// After this many messages, a check that is due is made without a pause in between.
const MOST_POSTPONED: u32 = 50;

/// The Markdown page about a name of `uphold explain`, with these kinds; none if there is no page.
pub type Pages<'a> = dyn Fn(&Registry, &str) -> Option<String> + 'a;

/// How a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The editor sent `shutdown`, then `exit`.
    Orderly,
    /// The editor sent `exit` without `shutdown`, or closed the connection.
    Abrupt,
}

/// A language server.
pub struct Server<'a> {
    pub(crate) pages: Box<Pages<'a>>,
    pub(crate) workspace: Workspace,
    pub(crate) client: Client,
    /// The pause before the next check, if one is due.
    pub(crate) due: Option<Duration>,
    publisher: Publisher,
}

/// The client's capabilities.
#[derive(Debug, Default)]
pub(crate) struct Client {
    pub(crate) snippets: bool,
    watches_files: bool,
}

impl<'a> Server<'a> {
    /// A server that reads and checks with `engine`, and shows `pages`. It runs no program, even if `engine` allows it.
    pub fn new(engine: Engine, pages: impl Fn(&Registry, &str) -> Option<String> + 'a) -> Self {
        Self {
            pages: Box::new(pages),
            workspace: Workspace::new(engine.without_programs()),
            client: Client::default(),
            due: None,
            publisher: Publisher::default(),
        }
    }

    /// Serves an editor until it sends `exit`.
    ///
    /// Requests are answered in order. Files are only read. Checks wait until the user stops typing.
    ///
    /// # Errors
    /// If reading or writing fails, or if the input is not a stream of messages.
    pub fn serve(self, input: impl AsFd, output: impl Write) -> io::Result<Ending> {
        let (inbox, outbox) = (Inbox::new(input), Outbox::new(output));
        Session { server: self, inbox, outbox, phase: Phase::Uninitialized, postponed: 0 }.run()
    }

    /// Reads the parameters of `initialize`, and answers with the capabilities of this server.
    fn initialize(&mut self, parameters: &Json) -> Json {
        let is = |pointer: &str| parameters.pointer(pointer) == Some(&Json::Bool(true));
        let folders = parameters.get("workspaceFolders").and_then(Json::as_array).into_iter().flatten();
        let folders = folders.filter_map(|folder| folder.get("uri")).chain(parameters.get("rootUri"));
        let folders: Vec<PathBuf> = folders.filter_map(Json::as_str).filter_map(path_of).collect();
        self.workspace.folders = folders;
        self.client = Client {
            snippets: is("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            watches_files: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        };
        json!({
            "capabilities": {
                "positionEncoding": PositionEncodingKind::UTF16,
                "textDocumentSync": {
                    "openClose": true,
                    "change": TextDocumentSyncKind::Incremental,
                    "save": true,
                },
                "completionProvider": { "triggerCharacters": [".", "\"", "="] },
                "hoverProvider": true,
                "definitionProvider": true,
                "referencesProvider": true,
                "documentSymbolProvider": true,
                "documentFormattingProvider": true,
            },
            "serverInfo": { "name": "uphold", "version": env!("CARGO_PKG_VERSION") },
        })
    }
}

/// Asks the editor to report changes of files that are not open.
fn file_watchers() -> Json {
    let watchers = json!([{ "globPattern": "**/*.hcl" }, { "globPattern": "**/kinds/*" }]);
    let options = json!({ "watchers": watchers });
    let method = "workspace/didChangeWatchedFiles";
    json!({ "registrations": [{ "id": "files", "method": method, "registerOptions": options }] })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Uninitialized,
    Running,
    /// After `shutdown`.
    ShutDown,
}

struct Session<'a, F, W> {
    server: Server<'a>,
    inbox: Inbox<F>,
    outbox: Outbox<W>,
    phase: Phase,
    postponed: u32,
}

impl<F: AsFd, W: Write> Session<'_, F, W> {
    fn run(mut self) -> io::Result<Ending> {
        loop {
            match self.inbox.next(self.server.due)? {
                Incoming::Idle => self.publish()?,
                Incoming::End => return Ok(Ending::Abrupt),
                Incoming::NoLength => {
                    let error = rpc_error(ErrorCodes::ParseError, "the headers have no Content-Length");
                    self.outbox.answer(&Json::Null, Err(error))?;
                }
                Incoming::Content(content) => {
                    if let Some(ending) = self.receive(Message::read(&content))? {
                        return Ok(ending);
                    }
                    self.postponed += u32::from(self.server.due.is_some());
                    if self.postponed > MOST_POSTPONED {
                        self.publish()?;
                    }
                }
            }
        }
    }

    fn receive(&mut self, message: Message) -> io::Result<Option<Ending>> {
        match message {
            Message::Request { id, method, parameters } => {
                let answer = self.request(&method, &parameters);
                self.outbox.answer(&id, answer)?;
            }
            Message::Notification { method, .. } if method == "exit" => {
                let orderly = self.phase == Phase::ShutDown;
                return Ok(Some(if orderly { Ending::Orderly } else { Ending::Abrupt }));
            }
            Message::Notification { method, parameters } => self.notification(&method, &parameters)?,
            Message::Response => {}
            Message::Malformed { id, error } => self.outbox.answer(&id, Err(error))?,
        }
        Ok(None)
    }

    fn request(&mut self, method: &str, parameters: &Json) -> Result<Json, RpcError> {
        let invalid = |message| Err(rpc_error(ErrorCodes::InvalidRequest, message));
        match (self.phase, method) {
            (Phase::Uninitialized, "initialize") => {
                self.phase = Phase::Running;
                Ok(self.server.initialize(parameters))
            }
            (Phase::Uninitialized, _) => {
                Err(rpc_error(ErrorCodes::ServerNotInitialized, "`initialize` must be the first request"))
            }
            (Phase::ShutDown, _) => invalid("only `exit` may follow `shutdown`"),
            (Phase::Running, "initialize") => invalid("`initialize` may be sent only once"),
            (Phase::Running, "shutdown") => {
                (self.phase, self.server.due) = (Phase::ShutDown, None);
                Ok(Json::Null)
            }
            (Phase::Running, _) => {
                let server = &mut self.server;
                catch_unwind(AssertUnwindSafe(|| server.answer(method, parameters))).unwrap_or_else(|_| {
                    Err(rpc_error(ErrorCodes::InternalError, "the request failed: this is a bug in Uphold"))
                })
            }
        }
    }

    fn notification(&mut self, method: &str, parameters: &Json) -> io::Result<()> {
        match (self.phase, method) {
            (Phase::Running, "initialized") if self.server.client.watches_files => {
                self.outbox.request("client/registerCapability", &file_watchers())?;
            }
            (Phase::Running, _) => self.server.handle(method, parameters),
            (Phase::Uninitialized | Phase::ShutDown, _) => {}
        }
        Ok(())
    }

    /// Publishes the diagnostics of the open files.
    fn publish(&mut self) -> io::Result<()> {
        (self.server.due, self.postponed) = (None, 0);
        let Server { publisher, workspace, .. } = &mut self.server;
        // After a panic in a check, the other requests must still work.
        let messages = catch_unwind(AssertUnwindSafe(|| publisher.messages(workspace))).unwrap_or_default();
        messages.iter().try_for_each(|message| self.outbox.notify("textDocument/publishDiagnostics", message))
    }
}
