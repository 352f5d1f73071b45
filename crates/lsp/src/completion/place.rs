//! The place that is completed.

use std::rc::Rc;

use uphold::{OutlineBlock, Spot, spot};

use crate::sheet::Sheet;

/// A place, and what stands around it.
pub(super) struct Place {
    pub(super) sheet: Rc<Sheet>,
    pub(super) spot: Spot,
    /// The rest of the line, without blanks before it.
    pub(super) rest: String,
}

impl Place {
    pub(super) fn new(sheet: &Rc<Sheet>, offset: usize) -> Self {
        let spot = spot(&sheet.text, offset);
        let after = &sheet.text[spot.word.end.max(offset)..];
        let rest = after.split('\n').next().unwrap_or_default().trim().to_owned();
        Self { sheet: sheet.clone(), spot, rest }
    }

    /// The block that the place is in.
    pub(super) fn block(&self) -> Option<&OutlineBlock> {
        let block = self.spot.blocks.last()?;
        self.sheet.outline().block_at(block.start)
    }

    /// Whether the place is in quotes, or right after one.
    pub(super) fn is_quoted(&self) -> bool {
        self.sheet.text[..self.spot.word.start].ends_with('"')
    }

    /// Whether one of the blocks around has `for_each`.
    pub(super) fn is_repeated(&self) -> bool {
        let outline = self.sheet.outline();
        let mut blocks = self.spot.blocks.iter().filter_map(|block| outline.block_at(block.start));
        blocks.any(|block| block.attribute("for_each").is_some())
    }
}
