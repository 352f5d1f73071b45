//! Meta arguments, which every block takes.

use uphold_model::{META_ARGUMENTS, Order};

/// A meta argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Action,
    Audit,
    AutoEdges,
    DependsOn,
    ForEach,
    IgnoreFailure,
    Limit,
    Lock,
    NotIf,
    NotUntil,
    Notifies,
    OnRemoval,
    OnlyIf,
    Poll,
    Retry,
    Sensitive,
    Subscribes,
    Timeout,
    When,
}

/// In the order of [`META_ARGUMENTS`].
const ARGUMENTS: [Argument; 19] = [
    Argument::Action,
    Argument::Audit,
    Argument::AutoEdges,
    Argument::DependsOn,
    Argument::ForEach,
    Argument::IgnoreFailure,
    Argument::Limit,
    Argument::Lock,
    Argument::NotIf,
    Argument::NotUntil,
    Argument::Notifies,
    Argument::OnRemoval,
    Argument::OnlyIf,
    Argument::Poll,
    Argument::Retry,
    Argument::Sensitive,
    Argument::Subscribes,
    Argument::Timeout,
    Argument::When,
];

impl Argument {
    /// The meta argument of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        // Nearly all names are properties and differ in length, so a linear search is faster than a binary one.
        META_ARGUMENTS.iter().position(|word| *word == name).map(|at| ARGUMENTS[at])
    }

    /// The meta argument of a module call, where all other names are params.
    pub(crate) fn of_call(name: &str) -> Option<Self> {
        use Argument::{DependsOn, ForEach, OnRemoval, When};
        Self::named(name).filter(|argument| matches!(argument, DependsOn | ForEach | OnRemoval | When))
    }

    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        META_ARGUMENTS[self as usize]
    }

    /// Whether its value can be a bare word, such as `remove`.
    pub(crate) fn takes_words(self) -> bool {
        self == Argument::Action
    }
}

/// An argument of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupArgument {
    /// A meta argument with the same meaning as in a block, for the group as a whole.
    Meta(Argument),
    Concurrency,
    Verify,
}

impl GroupArgument {
    /// The argument of this name that a group of this order takes.
    pub(crate) fn named(name: &str, order: Order) -> Option<Self> {
        use Argument::{
            Audit, DependsOn, IgnoreFailure, NotIf, Notifies, OnRemoval, OnlyIf, Subscribes, When,
        };
        match Argument::named(name) {
            Some(
                argument @ (Audit | DependsOn | IgnoreFailure | NotIf | Notifies | OnRemoval | OnlyIf
                | Subscribes | When),
            ) => Some(Self::Meta(argument)),
            None if name == "verify" => Some(Self::Verify),
            None if name == "concurrency" && order == Order::Parallel => Some(Self::Concurrency),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_arguments_are_in_one_order() {
        for (word, argument) in META_ARGUMENTS.into_iter().zip(ARGUMENTS) {
            assert_eq!(Argument::named(word), Some(argument));
            assert_eq!(argument.word(), word);
            assert_eq!(format!("{argument:?}").to_lowercase(), word.replace('_', ""));
        }
        assert_eq!(Argument::named("message"), None);
    }
}
