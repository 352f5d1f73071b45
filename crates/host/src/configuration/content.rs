//! The content of a configuration file.

use std::sync::Arc;

use uphold_model::SourceText;

/// The content of a file. Clones share it. UTF-8 is checked once, when the file is read.
#[derive(Clone)]
pub(super) enum FileContent {
    Text(SourceText),
    /// Not UTF-8.
    Bytes(Arc<Vec<u8>>),
}

impl FileContent {
    pub(super) fn new(content: Vec<u8>) -> Self {
        match String::from_utf8(content) {
            Ok(text) => FileContent::Text(text.into()),
            Err(error) => FileContent::Bytes(Arc::new(error.into_bytes())),
        }
    }

    /// A content that stays in memory until the process ends.
    pub(super) fn until_exit(content: &'static [u8]) -> Self {
        match str::from_utf8(content) {
            Ok(text) => FileContent::Text(SourceText::from_static(text)),
            Err(_) => FileContent::Bytes(Arc::new(content.to_vec())),
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        match self {
            FileContent::Text(text) => text.as_bytes().to_vec(),
            FileContent::Bytes(bytes) => Arc::unwrap_or_clone(bytes),
        }
    }

    pub(super) fn into_text(self) -> Option<SourceText> {
        match self {
            FileContent::Text(text) => Some(text),
            FileContent::Bytes(_) => None,
        }
    }
}
