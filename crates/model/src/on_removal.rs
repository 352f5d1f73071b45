//! What happens to a resource that is no longer declared.

/// What happens to a resource on the machine once its declaration is removed from the configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnRemoval {
    /// It stays as it is, and is listed as no longer declared.
    #[default]
    Keep,
    /// It is removed.
    Remove,
    /// It gets the values back that it had before Uphold managed it; if Uphold created it, it is removed.
    Revert,
}

impl OnRemoval {
    /// All of them.
    pub const ALL: [OnRemoval; 3] = [OnRemoval::Keep, OnRemoval::Remove, OnRemoval::Revert];

    /// Its name in a configuration.
    pub fn word(self) -> &'static str {
        match self {
            OnRemoval::Keep => "keep",
            OnRemoval::Remove => "remove",
            OnRemoval::Revert => "revert",
        }
    }

    /// The value of this name.
    pub fn named(word: &str) -> Option<OnRemoval> {
        OnRemoval::ALL.into_iter().find(|value| value.word() == word)
    }
}
