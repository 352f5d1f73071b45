//! The kind of a change.

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The thing did not exist.
    Create,
    /// The thing exists and differs.
    Update,
    /// The thing exists and should not.
    Remove,
    /// A verb or a command runs, which creates no lasting object.
    Run,
}

impl ChangeKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Create, Self::Update, Self::Remove, Self::Run];

    /// Its name in JSON and in events.
    pub fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Remove => "remove",
            Self::Run => "run",
        }
    }

    /// The kind with this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}
