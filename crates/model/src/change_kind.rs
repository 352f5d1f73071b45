//! The sort of a change.

/// The sort of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there.
    Create,
    /// It was there, and different.
    Update,
    /// It was there, and should not be.
    Remove,
    /// Something runs: a verb, or an action of a kind that makes no lasting thing.
    Run,
}

impl ChangeKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Create, Self::Update, Self::Remove, Self::Run];

    /// Its name, for machines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Remove => "remove",
            Self::Run => "run",
        }
    }

    /// The sort of this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
