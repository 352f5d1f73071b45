//! One operation of a manifest: which program does it, and how it is told what.

use super::argument::Argument;
use crate::document::{Fault, Spot};

/// How a program is told what is asked for, besides its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    #[default]
    Nothing,
    /// A JSON object on standard input.
    Stdin,
    /// A variable for each property.
    Env,
}

/// What a program prints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Returns {
    /// Nothing that counts.
    #[default]
    Nothing,
    /// What is there.
    State,
    /// What is there, and in the next line which properties differ.
    StateAndDiff,
}

/// Who may run it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SecurityContext {
    #[default]
    Anybody,
    /// Root alone.
    Elevated,
    /// Anybody but root.
    Restricted,
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Method {
    pub(crate) executable: String,
    pub(crate) args: Vec<Argument>,
    pub(crate) input: Input,
    pub(crate) returns: Returns,
    pub(crate) context: SecurityContext,
    /// Of `set`: it also removes, if it is told `_exist = false`.
    pub(crate) handles_exist: bool,
}

const KNOWN: [&str; 13] = [
    "executable",
    "args",
    "input",
    "requireSecurityContext",
    "implementsPretest",
    "handlesExist",
    "return",
    "whatIfReturns",
    "schema",
    "supportsFiltering",
    "deprecationMessage",
    // Of earlier versions.
    "handlesWhatIf",
    "preTest",
];

impl Method {
    pub(crate) fn read(spot: &Spot<'_>) -> Result<Self, Fault> {
        spot.refuse_slips(&KNOWN)?;
        let executable = spot.require("executable")?;
        if executable.text()?.is_empty() {
            return Err(executable.fault("the program has no name", "name the program to run"));
        }
        let args = spot.get("args").map(|args| args.items()).transpose()?.unwrap_or_default();
        let args: Vec<_> = args.iter().map(Argument::read).collect::<Result<_, _>>()?;
        let input = word(spot, "input", &[("stdin", Input::Stdin), ("env", Input::Env)])?;
        Ok(Self {
            executable: executable.text()?.to_owned(),
            args,
            input,
            returns: word(
                spot,
                "return",
                &[("state", Returns::State), ("stateAndDiff", Returns::StateAndDiff)],
            )?,
            context: word(
                spot,
                "requireSecurityContext",
                &[
                    ("current", SecurityContext::Anybody),
                    ("elevated", SecurityContext::Elevated),
                    ("restricted", SecurityContext::Restricted),
                ],
            )?,
            handles_exist: spot.get("handlesExist").map_or(Ok(false), |flag| flag.flag())?,
        })
    }

    /// The same, told on standard input unless it says otherwise, as `validate` is.
    pub(super) fn told(mut self) -> Self {
        if self.input == Input::Nothing && !self.shows_input() {
            self.input = Input::Stdin;
        }
        self
    }

    /// Whether the program sees its input among its arguments, as everybody on the machine does.
    pub(crate) fn shows_input(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg, Argument::Json { .. }))
    }

    /// Whether it can tell what it would do.
    pub(crate) fn can_pretend(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg, Argument::WhatIf(_)))
    }
}

fn word<T: Copy + Default>(spot: &Spot<'_>, key: &str, words: &[(&str, T)]) -> Result<T, Fault> {
    spot.get(key).map_or_else(|| Ok(T::default()), |spot| spot.word(words))
}
