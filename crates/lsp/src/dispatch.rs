//! Dispatches requests and notifications to their handlers.

use std::rc::Rc;
use std::time::Duration;

use gen_lsp_types::json_rpc::Error as RpcError;
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DocumentSymbolParams,
    ErrorCodes, TextDocumentPositionParams,
};
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::completion::complete;
use crate::document::Document;
use crate::hover::hover;
use crate::navigation::{definition, references};
use crate::scope::Scope;
use crate::server::{Pages, Server};
use crate::symbols::symbols;
use crate::transport::{params, rpc_error};

/// The pause after a change before the next check, so that half a word is not reported while the user types.
const PAUSE: Duration = Duration::from_millis(120);

impl Server<'_> {
    /// The result of a request.
    pub(crate) fn answer(&mut self, method: &str, parameters: &Json) -> Result<Json, RpcError> {
        match method {
            "textDocument/completion" => {
                let snippets = self.client.snippets;
                self.at(parameters, |scope, document, offset, _| complete(scope, document, offset, snippets))
            }
            "textDocument/hover" => self.at(parameters, hover),
            "textDocument/definition" => {
                self.at(parameters, |scope, document, offset, _| definition(scope, document, offset))
            }
            "textDocument/references" => {
                let declared = parameters.pointer("/context/includeDeclaration") == Some(&Json::Bool(true));
                self.at(parameters, |scope, document, offset, _| {
                    references(scope, document, offset, declared)
                })
            }
            "textDocument/documentSymbol" => self.of(parameters, symbols),
            "textDocument/formatting" => self.of(parameters, Document::format),
            _ => Err(rpc_error(ErrorCodes::MethodNotFound, format!("method `{method}` is not supported"))),
        }
    }

    /// The result for an open file; null if it is not open.
    fn of<T: Serialize>(&self, parameters: &Json, handle: impl Fn(&Document) -> T) -> Result<Json, RpcError> {
        let DocumentSymbolParams { text_document, .. } = params(parameters)?;
        let document = self.workspace.document(&text_document.uri.0);
        Ok(document.map_or(Json::Null, |document| json!(handle(&document))))
    }

    /// The result for a position in an open file; null if it is not open.
    fn at<T: Serialize>(
        &mut self,
        parameters: &Json,
        handle: impl Fn(&mut Scope<'_>, &Rc<Document>, usize, &Pages<'_>) -> T,
    ) -> Result<Json, RpcError> {
        let TextDocumentPositionParams { text_document, position } = params(parameters)?;
        let Some(document) = self.workspace.document(&text_document.uri.0) else { return Ok(Json::Null) };
        let mut scope = Scope::new(&mut self.workspace, &document);
        Ok(json!(handle(&mut scope, &document, document.offset(position), &*self.pages)))
    }

    /// Handles a notification, and schedules a check. One that cannot be understood is ignored: it has no answer.
    pub(crate) fn handle(&mut self, method: &str, parameters: &Json) {
        let pause = match method {
            "textDocument/didOpen" => params(parameters).map(|params| {
                let DidOpenTextDocumentParams { text_document } = params;
                self.workspace.open(&text_document.uri.0, text_document.text, text_document.version);
                Duration::ZERO
            }),
            "textDocument/didChange" => params(parameters).map(|params| {
                let DidChangeTextDocumentParams { text_document, content_changes } = params;
                let uri = &text_document.text_document_identifier.uri.0;
                self.workspace.change(uri, content_changes, text_document.version);
                PAUSE
            }),
            "textDocument/didClose" => params(parameters).map(|params| {
                let DidCloseTextDocumentParams { text_document } = params;
                self.workspace.close(&text_document.uri.0);
                Duration::ZERO
            }),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => Ok(Duration::ZERO),
            _ => return,
        };
        self.due = pause.ok().or(self.due);
    }
}
