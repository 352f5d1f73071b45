//! Showing only what contains a text.

/// A text that what is shown has to contain; empty for everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// As it was typed.
    pub(crate) text: String,
    /// Whether it is being typed.
    pub(crate) is_typed: bool,
}

/// More than this cannot be seen.
const LONGEST: usize = 200;

impl Filter {
    /// Adds to it.
    pub(crate) fn push(&mut self, text: &str) {
        let new = text.chars().filter(|character| !character.is_control());
        let room = LONGEST.saturating_sub(self.text.chars().count());
        self.text.extend(new.take(room));
    }

    /// Whether there is anything to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether one of these contains it, whatever its case.
    pub(crate) fn fits(&self, texts: &[&str]) -> bool {
        let wanted = self.text.to_lowercase();
        self.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_and_nothing_means_everything() {
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
    fn it_does_not_grow_without_end() {
        let mut filter = Filter::default();
        (0..10).for_each(|_| filter.push(&"東".repeat(100)));
        assert_eq!(filter.text.chars().count(), LONGEST);
    }
}
