//! What each method does.

use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::completion::complete;
use crate::definition::definition;
use crate::formatting::formatting;
use crate::hover::hover;
use crate::references::references;
use crate::scope::Scope;
use crate::server::Office;
use crate::sheet::Sheet;
use crate::symbols::symbols;
use crate::wire::{Fault, place, text, uri};

/// How long to wait after a change: people who type do not want to be told about half a word.
const PAUSE: Duration = Duration::from_millis(120);

impl Office<'_> {
    /// The answer to a request.
    pub(crate) fn answer(&mut self, method: &str, parameters: &Json) -> Result<Json, Fault> {
        match method {
            "textDocument/completion" => {
                let snippets = self.client.snippets;
                self.at(parameters, |scope, sheet, offset, _| complete(scope, sheet, offset, snippets))
            }
            "textDocument/hover" => {
                self.at(parameters, |scope, sheet, offset, pages| hover(scope, sheet, offset, pages))
            }
            "textDocument/definition" => {
                self.at(parameters, |scope, sheet, offset, _| definition(scope, sheet, offset))
            }
            "textDocument/references" => {
                let declared = parameters.pointer("/context/includeDeclaration").and_then(Json::as_bool);
                let declared = declared.unwrap_or(false);
                self.at(parameters, |scope, sheet, offset, _| references(scope, sheet, offset, declared))
            }
            "textDocument/documentSymbol" => self.of(parameters, symbols),
            "textDocument/formatting" => self.of(parameters, formatting),
            _ => Err(Fault::method(method)),
        }
    }

    /// Something about an open file; null if it is not open.
    fn of(&self, parameters: &Json, tell: impl Fn(&Sheet) -> Json) -> Result<Json, Fault> {
        Ok(self.desk.sheet(uri(parameters)?).map_or(Json::Null, |sheet| tell(&sheet)))
    }

    /// Something about a place in an open file; null if it is not open.
    fn at(
        &mut self,
        parameters: &Json,
        tell: impl Fn(&mut Scope<'_>, &Rc<Sheet>, usize, &crate::server::Pages<'_>) -> Json,
    ) -> Result<Json, Fault> {
        let position = place(parameters, "/position")?;
        let Some(sheet) = self.desk.sheet(uri(parameters)?) else { return Ok(Json::Null) };
        let mut scope = Scope::new(&mut self.desk, &sheet);
        Ok(tell(&mut scope, &sheet, sheet.offset(position), &*self.pages))
    }

    /// Takes note of something. What cannot be understood is left alone: a notification has no answer.
    pub(crate) fn note(&mut self, method: &str, parameters: &Json) {
        let noted = match method {
            "textDocument/didOpen" => self.opened(parameters),
            "textDocument/didChange" => self.changed(parameters),
            "textDocument/didClose" => uri(parameters).map(|uri| {
                self.desk.close(uri);
                Duration::ZERO
            }),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => Ok(Duration::ZERO),
            _ => return,
        };
        if let Ok(pause) = noted {
            self.due = Some(pause);
        }
    }

    fn opened(&mut self, parameters: &Json) -> Result<Duration, Fault> {
        let content = text(parameters, "/textDocument/text")?.to_owned();
        self.desk.open(uri(parameters)?, content, version(parameters));
        Ok(Duration::ZERO)
    }

    fn changed(&mut self, parameters: &Json) -> Result<Duration, Fault> {
        let changes = parameters.get("contentChanges").and_then(Json::as_array);
        let changes = changes.ok_or_else(|| Fault::parameters("contentChanges"))?;
        self.desk.change(uri(parameters)?, changes, &version(parameters))?;
        Ok(PAUSE)
    }

    /// What to tell about the open files now.
    pub(crate) fn diagnose(&mut self) -> Vec<Json> {
        self.diagnosis.messages(&mut self.desk)
    }
}

fn version(parameters: &Json) -> Json {
    parameters.pointer("/textDocument/version").cloned().unwrap_or(json!(null))
}
