//! The result of `load`.

use crate::resource::Described;

/// The current state of a resource.
pub enum Found<R: Described> {
    /// It does not exist.
    Absent,
    /// It exists, in this state.
    This(R::State),
}

impl<R: Described> Found<R> {
    /// The state; `None` if the resource does not exist.
    pub fn state(self) -> Option<R::State> {
        match self {
            Self::Absent => None,
            Self::This(state) => Some(state),
        }
    }

    /// The same for a kind that embeds this one: `embed` makes its state from the state of the part.
    pub fn map<W: Described>(self, embed: impl FnOnce(R::State) -> W::State) -> Found<W> {
        match self {
            Self::Absent => Found::Absent,
            Self::This(state) => Found::This(embed(state)),
        }
    }
}

impl<R: Described> From<Option<R::State>> for Found<R> {
    fn from(state: Option<R::State>) -> Self {
        state.map_or(Self::Absent, Self::This)
    }
}
