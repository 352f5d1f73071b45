//! The operations of a manifest: programs, and how input is passed.

use crate::document::{Fault, Located};

/// How input is passed, besides arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Input {
    #[default]
    Nothing,
    /// A JSON object on standard input.
    Stdin,
    /// An environment variable for each property.
    Env,
}

/// The expected output of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Returns {
    /// Nothing that is used.
    #[default]
    Nothing,
    /// The state.
    State,
    /// The state, and in the next line the names of differing properties.
    StateAndDiff,
}

/// The user that may run it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SecurityContext {
    #[default]
    Any,
    /// Only root.
    Elevated,
    /// Any user but root.
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
    /// For `set`: whether it removes the resource if the input has `_exist = false`.
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
    pub(crate) fn read(located: &Located<'_>) -> Result<Self, Fault> {
        located.reject_typos(&KNOWN)?;
        let executable = located.require("executable")?;
        if executable.text()?.is_empty() {
            return Err(executable.fault("the program has no name", "name the program to run"));
        }
        let args = located.get("args").map(|args| args.items()).transpose()?.unwrap_or_default();
        let args: Vec<_> = args.iter().map(Argument::read).collect::<Result<_, _>>()?;
        let input = word(located, "input", &[("stdin", Input::Stdin), ("env", Input::Env)])?;
        Ok(Self {
            executable: executable.text()?.to_owned(),
            args,
            input,
            returns: word(
                located,
                "return",
                &[("state", Returns::State), ("stateAndDiff", Returns::StateAndDiff)],
            )?,
            context: word(
                located,
                "requireSecurityContext",
                &[
                    ("current", SecurityContext::Any),
                    ("elevated", SecurityContext::Elevated),
                    ("restricted", SecurityContext::Restricted),
                ],
            )?,
            handles_exist: located.get("handlesExist").map_or(Ok(false), |flag| flag.flag())?,
        })
    }

    /// The same, with input on stdin unless the manifest sets another way, as for `validate`.
    pub(super) fn input_on_stdin(mut self) -> Self {
        if self.input == Input::Nothing && !self.shows_input() {
            self.input = Input::Stdin;
        }
        self
    }

    /// Whether the input is part of the arguments, which all users of the machine can see.
    pub(crate) fn shows_input(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg, Argument::Json { .. }))
    }

    /// Whether it can predict what it would do.
    pub(crate) fn can_predict(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg, Argument::WhatIf(_)))
    }
}

fn word<T: Copy + Default>(located: &Located<'_>, key: &str, words: &[(&str, T)]) -> Result<T, Fault> {
    located.get(key).map_or_else(|| Ok(T::default()), |located| located.word(words))
}

/// The program of each operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Methods {
    pub(crate) get: Option<Method>,
    pub(crate) set: Option<Method>,
    pub(crate) test: Option<Method>,
    pub(crate) delete: Option<Method>,
    pub(crate) validate: Option<Method>,
    pub(crate) what_if: Option<Method>,
}

impl Methods {
    pub(super) fn read(located: &Located<'_>) -> Result<Self, Fault> {
        let method = |key: &str| located.get(key).map(|located| Method::read(&located)).transpose();
        Ok(Self {
            get: method("get")?,
            set: method("set")?,
            test: method("test")?,
            delete: method("delete")?,
            validate: method("validate")?.map(Method::input_on_stdin),
            what_if: method("whatIf")?,
        })
    }

    /// Whether any operation returns the current state.
    pub(super) fn can_load(&self) -> bool {
        self.get.is_some() || self.test.as_ref().is_some_and(|test| test.returns != Returns::Nothing)
    }

    /// The operations that an adapted resource supports.
    pub(super) fn limited_to(self, capabilities: &[String]) -> Self {
        let has = |word: &str| capabilities.iter().any(|one| one == word);
        let handles_exist = has("setHandlesExist");
        let set = self.set.filter(|_| has("set"));
        Self {
            get: self.get.filter(|_| has("get")),
            set: set.map(|set| Method { handles_exist: set.handles_exist || handles_exist, ..set }),
            test: self.test.filter(|_| has("test")),
            delete: self.delete.filter(|_| has("delete")),
            validate: None,
            what_if: self.what_if.filter(|_| has("whatIf")),
        }
    }

    /// Every operation on a resource.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Method> {
        [&self.get, &self.set, &self.test, &self.delete, &self.validate].into_iter().flatten()
    }
}

// One entry of `args`.

/// An entry that becomes one or two arguments of the command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// A fixed argument.
    Plain(String),
    /// The flag and the whole input as JSON. It is left out if there is no input and it is not mandatory.
    Json { flag: String, mandatory: bool },
    /// The flag and the type of the resource.
    Type(String),
    /// The flag and the version of the resource.
    Version(String),
    /// The flag and the path of the manifest.
    Path { flag: String, quoted: bool },
    /// The flag and the content of an adapted resource, if there is any.
    Content(String),
    /// The flag, if the program shall only predict.
    WhatIf(String),
}

/// The keys that identify the form of an entry.
const FORMS: [&str; 6] = [
    "jsonInputArg",
    "resourceTypeArg",
    "resourceVersionArg",
    "resourcePathArg",
    "whatIfArg",
    "adaptedContentArg",
];

impl Argument {
    pub(crate) fn read(located: &Located<'_>) -> Result<Self, Fault> {
        if let Some(word) = located.json.as_str() {
            return Ok(Self::Plain(word.to_owned()));
        }
        located.reject_typos(&FORMS)?;
        let flag = |form: &str| located.get(form).map(|flag| flag.text().map(str::to_owned)).transpose();
        let is = |key: &str| located.get(key).map_or(Ok(false), |flag| flag.flag());
        if let Some(flag) = flag("jsonInputArg")? {
            return Ok(Self::Json { flag, mandatory: is("mandatory")? });
        }
        if let Some(flag) = flag("resourcePathArg")? {
            return Ok(Self::Path { flag, quoted: is("includeQuotes")? });
        }
        if let Some(flag) = flag("resourceTypeArg")? {
            return Ok(Self::Type(flag));
        }
        if let Some(flag) = flag("resourceVersionArg")? {
            return Ok(Self::Version(flag));
        }
        if let Some(flag) = flag("whatIfArg")? {
            return Ok(Self::WhatIf(flag));
        }
        if let Some(flag) = flag("adaptedContentArg")? {
            return Ok(Self::Content(flag));
        }
        let fix = format!("write a string, or an object with one of `{}`", FORMS.join("`, `"));
        Err(located.fault("this is not an argument", fix))
    }
}
