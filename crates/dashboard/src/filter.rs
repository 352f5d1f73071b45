//! The filter that hides lines without a string.

/// The string that shown lines contain; empty to show all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// The typed string.
    pub(crate) text: String,
    /// Whether the user is typing it.
    pub(crate) is_typed: bool,
}

/// Most characters of the filter.
const LONGEST: usize = 200;

impl Filter {
    /// Appends typed characters.
    pub(crate) fn push(&mut self, text: &str) {
        let new = text.chars().filter(|character| !character.is_control());
        let room = LONGEST.saturating_sub(self.text.chars().count());
        self.text.extend(new.take(room));
    }

    /// Whether all lines are shown.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether one of these strings contains the filter, ignoring case.
    pub(crate) fn fits(&self, texts: &[&str]) -> bool {
        let wanted = self.text.to_lowercase();
        self.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_case_and_an_empty_filter_matches_everything() {
        let check = |typed: &str, texts: &[&str], expected| {
            let mut filter = Filter::default();
            filter.push(typed);
            assert_eq!(filter.fits(texts), expected, "{typed} in {texts:?}");
        };
        check("", &[], true);
        check("MOTD", &["file[\"/etc/motd\"]"], true);
        check("motd", &["task.a", "motd is gone"], true);
        check("motd", &["task.a"], false);
        check("mo\u{1b}\ntd", &["motd"], true);
    }

    #[test]
    fn limits_the_length_of_the_filter() {
        let mut filter = Filter::default();
        (0..10).for_each(|_| filter.push(&"東".repeat(100)));
        assert_eq!(filter.text.chars().count(), LONGEST);
    }
}
