//! One file: its text, and what is in it.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gen_lsp_types::{Location, Position};
use uphold::{Outline, outline};

use crate::text::{Lines, uri_of};

/// A text that does not change any more. What is in it is found out when it is first asked for.
pub(crate) struct Sheet {
    pub(crate) path: PathBuf,
    /// As the editor writes it, if it has it open.
    pub(crate) uri: String,
    pub(crate) text: Arc<str>,
    lines: OnceCell<Lines>,
    outline: OnceCell<Outline>,
}

impl Sheet {
    /// A text of the disk.
    pub(crate) fn new(path: PathBuf, text: String) -> Self {
        let uri = uri_of(&path);
        Self::open(path, uri, text)
    }

    /// A text of the editor.
    pub(crate) fn open(path: PathBuf, uri: String, text: String) -> Self {
        Self { path, uri, text: text.into(), lines: OnceCell::new(), outline: OnceCell::new() }
    }

    pub(crate) fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::new(&self.text))
    }

    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| outline(&self.text))
    }

    /// The directory that it lies in: all of its files are one configuration.
    pub(crate) fn directory(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// The directory of the configuration that it belongs to: a file of kinds lies in `kinds` beside it.
    pub(crate) fn configuration_directory(&self) -> &Path {
        let directory = self.directory();
        match self.path.extension().is_some_and(|end| end == "hcl") || !directory.ends_with("kinds") {
            true => directory,
            false => directory.parent().unwrap_or(directory),
        }
    }

    pub(crate) fn offset(&self, position: Position) -> usize {
        self.lines().offset(&self.text, position)
    }

    pub(crate) fn range(&self, range: &Range<usize>) -> gen_lsp_types::Range {
        self.lines().range(range)
    }

    /// A place in it, for other files to point to.
    pub(crate) fn location(&self, range: &Range<usize>) -> Location {
        Location::new(self.uri.clone().into(), self.range(range))
    }
}
