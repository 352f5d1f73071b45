//! The selection in a scrolled list.

/// The selected line, and the first visible one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The selected line.
    pub(crate) selected: usize,
    /// The first visible line.
    pub(crate) top: usize,
    /// Lines of the list when it was last drawn.
    count: usize,
    /// Visible lines when it was last drawn.
    height: usize,
}

impl Cursor {
    /// Moves up.
    pub(crate) fn up(&mut self, steps: usize) {
        self.selected = self.selected.saturating_sub(steps);
    }

    /// Moves down.
    pub(crate) fn down(&mut self, steps: usize) {
        self.selected = (self.selected + steps).min(self.count.saturating_sub(1));
    }

    /// Lines of a page.
    pub(crate) fn page(&self) -> usize {
        self.height.saturating_sub(1).max(1)
    }

    /// Moves to the first line.
    pub(crate) fn first(&mut self) {
        self.selected = 0;
    }

    /// Moves to the last line.
    pub(crate) fn last(&mut self) {
        self.selected = self.count.saturating_sub(1);
    }

    /// Scrolls to the selection, given the height and the last known length of the list.
    pub(crate) fn aim(&mut self, height: usize) {
        self.fit(self.count.max(self.selected + 1), height);
    }

    /// Takes the length and the height of the list, and scrolls so that the selection is visible and no line is wasted.
    pub(crate) fn fit(&mut self, count: usize, height: usize) {
        (self.count, self.height) = (count, height);
        self.selected = self.selected.min(count.saturating_sub(1));
        let height = height.max(1);
        let last_top = count.saturating_sub(height);
        let lowest = (self.selected + 1).saturating_sub(height);
        self.top = self.top.clamp(lowest, self.selected.max(lowest)).min(last_top.max(lowest));
    }

    /// Follows the selected item to its new index; its line on the screen stays.
    pub(crate) fn shift_to(&mut self, place: usize) {
        self.top = (self.top + place).saturating_sub(self.selected);
        self.selected = place;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(keys: &str, count: usize, height: usize, expected: (usize, usize)) {
        let mut cursor = Cursor::default();
        cursor.fit(count, height);
        for key in keys.chars() {
            match key {
                'j' => cursor.down(1),
                'k' => cursor.up(1),
                'D' => cursor.down(cursor.page()),
                'U' => cursor.up(cursor.page()),
                'G' => cursor.last(),
                _ => cursor.first(),
            }
            cursor.fit(count, height);
        }
        assert_eq!((cursor.selected, cursor.top), expected, "{keys} of {count} on {height}");
    }

    #[test]
    fn the_selection_stays_visible() {
        check("", 0, 5, (0, 0));
        check("jjG", 0, 5, (0, 0));
        check("jj", 10, 5, (2, 0));
        check("jjjjj", 10, 5, (5, 1));
        check("G", 10, 5, (9, 5));
        check("Gk", 10, 5, (8, 5));
        check("GUU", 10, 5, (1, 1));
        check("D", 10, 5, (4, 0));
        check("DD", 10, 5, (8, 4));
        check("Gg", 10, 5, (0, 0));
        check("jj", 10, 0, (2, 2));
    }

    #[test]
    fn the_selection_stays_within_a_shrinking_list() {
        let mut cursor = Cursor::default();
        cursor.fit(100, 10);
        cursor.last();
        cursor.fit(100, 10);
        cursor.fit(12, 10);
        assert_eq!((cursor.selected, cursor.top), (11, 2));
        cursor.fit(3, 10);
        assert_eq!((cursor.selected, cursor.top), (2, 0));
    }

    #[test]
    fn a_followed_item_keeps_its_line_on_the_screen() {
        let mut cursor = Cursor { selected: 5, top: 3, ..Cursor::default() };
        cursor.shift_to(8);
        assert_eq!((cursor.selected, cursor.top), (8, 6));
        cursor.shift_to(1);
        assert_eq!((cursor.selected, cursor.top), (1, 0));
    }
}
