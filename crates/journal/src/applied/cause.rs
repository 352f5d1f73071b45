//! The three-way comparison: why a property differs.

use super::record::{AppliedResource, DeclaredDigest, Observed};

/// Why a property differs from its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The declaration is new, or the kind changed its rules.
    New,
    /// The machine was changed outside Uphold.
    Drift,
    /// Both.
    Both,
    /// There is no record: the first run, or the journal was lost.
    Unknown,
}

impl Cause {
    /// The word for records and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Drift => "drift",
            Self::Both => "both",
            Self::Unknown => "unknown",
        }
    }
}

/// Why a property that differs now does so: its observed value and declaration, compared with those of the last apply.
pub fn cause(
    last: Option<&AppliedResource>,
    property: &str,
    observed: &Observed,
    declared: &DeclaredDigest,
) -> Cause {
    let Some(last) = last else { return Cause::Unknown };
    // A property that was not declared before.
    let Some(last) = last.properties.get(property) else { return Cause::New };
    match (last.observed.is_same(observed), last.declared == *declared) {
        (None, _) => Cause::Unknown,
        (Some(true), _) => Cause::New,
        (Some(false), true) => Cause::Drift,
        (Some(false), false) => Cause::Both,
    }
}
