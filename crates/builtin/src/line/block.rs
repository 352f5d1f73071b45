//! A block of lines between two markers.

use std::borrow::Cow;

use uphold_kit::document::Document;
use uphold_resource::{Error, ErrorKind, Result};

use super::Lines;
use super::insertion::Insertion;

/// The markers of a block.
pub(crate) struct Block {
    begin: String,
    end: String,
}

/// The line numbers of a block's markers.
struct Extent {
    begin: usize,
    end: usize,
}

impl Block {
    /// The block with this name; markers begin with `comment`.
    pub(crate) fn new(comment: &str, name: &str) -> Self {
        Self { begin: format!("{comment} BEGIN uphold {name}"), end: format!("{comment} END uphold {name}") }
    }

    /// Whether the content contains one of the markers, so that the block could not be found again.
    pub(crate) fn is_broken_by(&self, text: &Lines) -> bool {
        text.iter().any(|line| line == self.begin || line == self.end)
    }

    fn extent(&self, document: &Document<'_>) -> Result<Option<Extent>> {
        let Some(begin) = document.lines().position(|line| line == self.begin.as_bytes()) else {
            return Ok(None);
        };
        match document.lines().skip(begin).position(|line| line == self.end.as_bytes()) {
            Some(length) => Ok(Some(Extent { begin, end: begin + length })),
            None => {
                let what = format!("line {} is {:?}, but the end marker is missing", begin + 1, self.begin);
                let hint = format!("add the line {:?} after the last line of the block", self.end);
                Err(Error::new(ErrorKind::Invalid, what).hint(hint))
            }
        }
    }

    /// The current content of the block.
    pub(crate) fn find(&self, document: &Document<'_>) -> Result<Option<Lines>> {
        let Some(Extent { begin, end }) = self.extent(document)? else { return Ok(None) };
        let mut text = String::new();
        for line in document.lines().take(end).skip(begin + 1) {
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        Ok(Some(text.into()))
    }

    /// Sets the content; a new block is added at `place`.
    pub(crate) fn put<'d>(
        &self,
        document: &mut Document<'d>,
        text: &'d Lines,
        place: Insertion<'_>,
    ) -> Result<()> {
        let (start, end) = match self.extent(document)? {
            Some(extent) => (extent.begin, extent.end + 1),
            None => {
                let at = place.index(document);
                (at, at)
            }
        };
        let marker = |text: &str| Cow::Owned(text.as_bytes().to_vec());
        let lines = text.iter().map(|line| Cow::Borrowed(line.as_bytes()));
        document.splice(
            start,
            end,
            [marker(&self.begin)].into_iter().chain(lines).chain([marker(&self.end)]),
        );
        Ok(())
    }

    /// Removes the block with its markers.
    pub(crate) fn remove(&self, document: &mut Document<'_>) -> Result<()> {
        if let Some(extent) = self.extent(document)? {
            document.splice(extent.begin, extent.end + 1, std::iter::empty());
        }
        Ok(())
    }
}
