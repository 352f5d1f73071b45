//! What each method does.

use std::rc::Rc;
use std::time::Duration;

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentSymbolParams,
    TextDocumentPositionParams,
};
use serde::Serialize;
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
use crate::wire::{Fault, read};

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
    fn of<T: Serialize>(&self, parameters: &Json, tell: impl Fn(&Sheet) -> T) -> Result<Json, Fault> {
        let DocumentSymbolParams { text_document, .. } = read(parameters)?;
        Ok(self.desk.sheet(&text_document.uri.0).map_or(Json::Null, |sheet| json!(tell(&sheet))))
    }

    /// Something about a place in an open file; null if it is not open.
    fn at<T: Serialize>(
        &mut self,
        parameters: &Json,
        tell: impl Fn(&mut Scope<'_>, &Rc<Sheet>, usize, &crate::server::Pages<'_>) -> T,
    ) -> Result<Json, Fault> {
        let TextDocumentPositionParams { text_document, position } = read(parameters)?;
        let Some(sheet) = self.desk.sheet(&text_document.uri.0) else { return Ok(Json::Null) };
        let mut scope = Scope::new(&mut self.desk, &sheet);
        Ok(json!(tell(&mut scope, &sheet, sheet.offset(position), &*self.pages)))
    }

    /// Takes note of something. What cannot be understood is left alone: a notification has no answer.
    pub(crate) fn note(&mut self, method: &str, parameters: &Json) {
        let noted = match method {
            "textDocument/didOpen" => self.opened(parameters),
            "textDocument/didChange" => self.changed(parameters),
            "textDocument/didClose" => self.closed(parameters),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => Ok(Duration::ZERO),
            _ => return,
        };
        if let Ok(pause) = noted {
            self.due = Some(pause);
        }
    }

    fn opened(&mut self, parameters: &Json) -> Result<Duration, Fault> {
        let DidOpenTextDocumentParams { text_document } = read(parameters)?;
        self.desk.open(&text_document.uri.0, text_document.text, text_document.version);
        Ok(Duration::ZERO)
    }

    fn changed(&mut self, parameters: &Json) -> Result<Duration, Fault> {
        let DidChangeTextDocumentParams { text_document, content_changes } = read(parameters)?;
        let uri = &text_document.text_document_identifier.uri.0;
        self.desk.change(uri, content_changes, text_document.version);
        Ok(PAUSE)
    }

    fn closed(&mut self, parameters: &Json) -> Result<Duration, Fault> {
        let DidCloseTextDocumentParams { text_document } = read(parameters)?;
        self.desk.close(&text_document.uri.0);
        Ok(Duration::ZERO)
    }

    /// What to tell about the open files now.
    pub(crate) fn diagnose(&mut self) -> Vec<Json> {
        self.diagnosis.messages(&mut self.desk)
    }
}
