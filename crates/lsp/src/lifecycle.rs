//! How a conversation begins.

use std::path::PathBuf;

use gen_lsp_types::{
    CompletionOptions, InitializeResult, PositionEncodingKind, Registration, RegistrationParams,
    ServerCapabilities, ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::{Value as Json, json};

use crate::text::path_of;

/// What the editor said about itself.
#[derive(Debug, Default)]
pub(crate) struct Client {
    /// The directories that it works in.
    pub(crate) folders: Vec<PathBuf>,
    /// Whether it knows snippets.
    pub(crate) snippets: bool,
    /// Whether it can be asked to watch files.
    pub(crate) watches: bool,
}

impl Client {
    /// From the parameters of `initialize`.
    pub(crate) fn new(parameters: &Json) -> Self {
        let is = |pointer: &str| parameters.pointer(pointer).and_then(Json::as_bool).unwrap_or(false);
        let folders = parameters.get("workspaceFolders").and_then(Json::as_array).into_iter().flatten();
        let folders = folders.filter_map(|folder| folder.get("uri")).chain(parameters.get("rootUri"));
        Self {
            folders: folders.filter_map(Json::as_str).filter_map(path_of).collect(),
            snippets: is("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            watches: is("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
        }
    }
}

/// The answer to `initialize`: texts are opened and closed, change piece by piece, and are saved.
pub(crate) fn capabilities() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        save: Some(true.into()),
        ..TextDocumentSyncOptions::default()
    };
    let triggers = [".", "\"", "="].map(str::to_owned).to_vec();
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers),
            ..CompletionOptions::default()
        }),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        document_formatting_provider: Some(true.into()),
        ..ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult::new(capabilities, Some(ServerInfo::new("uphold".to_owned(), version)))
}

/// The request after `initialized`: reports of files that are not open.
pub(crate) fn watchers() -> RegistrationParams {
    let options = json!({ "watchers": [{ "globPattern": "**/*.hcl" }, { "globPattern": "**/kinds/*" }] });
    let method = "workspace/didChangeWatchedFiles".to_owned();
    RegistrationParams::new(vec![Registration::new("files".to_owned(), method, Some(options))])
}
