//! How a conversation begins.

use std::path::PathBuf;

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

/// The answer to `initialize`.
pub(crate) fn capabilities() -> Json {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            // Texts are opened and closed, change piece by piece, and are saved.
            "textDocumentSync": { "openClose": true, "change": 2, "save": true },
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

/// What to ask for after `initialized`: to be told when files change that are not open.
pub(crate) fn watchers() -> Json {
    let options = json!({ "watchers": [{ "globPattern": "**/*.hcl" }, { "globPattern": "**/kinds/*" }] });
    json!({ "registrations": [{
        "id": "files",
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": options,
    }] })
}
