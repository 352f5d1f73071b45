//! The conversation with an editor.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use serde_json::{Value as Json, json};
use uphold::Engine;
use uphold::resource::Registry;

use crate::desk::Desk;
use crate::diagnosis::Diagnosis;
use crate::lifecycle::{Client, capabilities, watchers};
use crate::wire::{Fault, Inbox, Incoming, Message, Outbox};

/// So many messages may come before a check that is due is made anyway.
const MOST_PUT_OFF: u32 = 50;

/// The page about a name, as Markdown; none if there is none. Names are those of `uphold explain`, and these kinds are known.
pub type Pages<'a> = dyn Fn(&Registry, &str) -> Option<String> + 'a;

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The editor said `shutdown`, then `exit`.
    Orderly,
    /// The editor said `exit` without `shutdown`, or went away.
    Abrupt,
}

/// A language server.
pub struct Server<'a> {
    office: Office<'a>,
}

/// What the server knows and does, without the wire.
pub(crate) struct Office<'a> {
    pub(crate) pages: Box<Pages<'a>>,
    pub(crate) desk: Desk,
    pub(crate) diagnosis: Diagnosis,
    pub(crate) client: Client,
    /// How long to wait before the next check, if one is due.
    pub(crate) due: Option<Duration>,
}

impl<'a> Server<'a> {
    /// A server that reads and checks with `engine`, and shows `pages`. Runs no program, whatever `engine` allows.
    pub fn new(engine: Engine, pages: impl Fn(&Registry, &str) -> Option<String> + 'a) -> Self {
        let office = Office {
            pages: Box::new(pages),
            desk: Desk::new(engine.without_programs()),
            diagnosis: Diagnosis::default(),
            client: Client::default(),
            due: None,
        };
        Self { office }
    }

    /// Speaks with an editor until it says goodbye.
    ///
    /// Answers come in the order of the requests. Files are only read. Checks wait until the user stops typing.
    ///
    /// # Errors
    /// If the editor cannot be heard or told, or if what it says is no message at all.
    pub fn serve(self, input: impl AsFd, output: impl Write) -> io::Result<Ending> {
        let (inbox, outbox) = (Inbox::new(input), Outbox::new(output));
        Conversation { office: self.office, inbox, outbox, stage: Stage::Silent, put_off: 0 }.run()
    }
}

/// How far the conversation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before `initialize`.
    Silent,
    Open,
    /// After `shutdown`.
    Over,
}

struct Conversation<'a, F, W> {
    office: Office<'a>,
    inbox: Inbox<F>,
    outbox: Outbox<W>,
    stage: Stage,
    put_off: u32,
}

impl<F: AsFd, W: Write> Conversation<'_, F, W> {
    fn run(mut self) -> io::Result<Ending> {
        loop {
            match self.inbox.next(self.office.due)? {
                Incoming::Idle => self.publish()?,
                Incoming::End => return Ok(Ending::Abrupt),
                Incoming::Headless => {
                    self.outbox
                        .answer(&Json::Null, Err(Fault::parse("the headers have no Content-Length")))?;
                }
                Incoming::Content(content) => {
                    if let Some(ending) = self.receive(Message::read(&content))? {
                        return Ok(ending);
                    }
                    self.put_off += u32::from(self.office.due.is_some());
                    if self.put_off > MOST_PUT_OFF {
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
                return Ok(Some(if self.stage == Stage::Over { Ending::Orderly } else { Ending::Abrupt }));
            }
            Message::Notification { method, parameters } => self.notification(&method, &parameters)?,
            Message::Response => {}
            Message::Malformed { id, fault } => self.outbox.answer(&id, Err(fault))?,
        }
        Ok(None)
    }

    fn request(&mut self, method: &str, parameters: &Json) -> Result<Json, Fault> {
        match (self.stage, method) {
            (Stage::Silent, "initialize") => {
                self.stage = Stage::Open;
                self.office.client = Client::new(parameters);
                self.office.desk.folders = self.office.client.folders.clone();
                Ok(json!(capabilities()))
            }
            (Stage::Silent, _) => Err(Fault::too_early()),
            (Stage::Over, _) => Err(Fault::request("after `shutdown` comes `exit`")),
            (Stage::Open, "initialize") => Err(Fault::request("`initialize` comes once")),
            (Stage::Open, "shutdown") => {
                self.stage = Stage::Over;
                self.office.due = None;
                Ok(Json::Null)
            }
            (Stage::Open, _) => {
                let office = &mut self.office;
                let answer = catch_unwind(AssertUnwindSafe(|| office.answer(method, parameters)));
                answer.unwrap_or_else(|_| Err(Fault::internal()))
            }
        }
    }

    fn notification(&mut self, method: &str, parameters: &Json) -> io::Result<()> {
        match (self.stage, method) {
            (Stage::Open, "initialized") if self.office.client.watches => {
                self.outbox.ask("client/registerCapability", &watchers())
            }
            (Stage::Open, _) => {
                self.office.note(method, parameters);
                Ok(())
            }
            (Stage::Silent | Stage::Over, _) => Ok(()),
        }
    }

    /// Tells what is wrong.
    fn publish(&mut self) -> io::Result<()> {
        (self.office.due, self.put_off) = (None, 0);
        let office = &mut self.office;
        // A defect must not take away what still works.
        let messages = catch_unwind(AssertUnwindSafe(|| office.diagnose())).unwrap_or_default();
        messages.iter().try_for_each(|message| self.outbox.notify("textDocument/publishDiagnostics", message))
    }
}
