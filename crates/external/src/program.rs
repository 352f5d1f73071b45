//! Running the programs of a manifest.

mod runner;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use uphold_resource::{Command, Error, ErrorKind, Output, Result};

use super::manifest::{Argument, Input, Method, Returns};
use super::schema::IN_DESIRED_STATE;

pub(crate) use runner::Runner;

// One run of a program: its operation and input, and the command for it.

/// The inputs of every command of a manifest, besides its call.
struct Inputs<'a> {
    type_name: &'a str,
    version: &'a str,
    path: &'a Path,
    /// The content of an adapted resource.
    content: Option<&'a Json>,
}

/// The command, without its directory and timeout.
///
/// # Errors
/// If the input cannot be passed in the environment.
fn command(call: &Call<'_>, inputs: &Inputs<'_>) -> Result<Command> {
    let mut command = Command::new(&call.method.executable, arguments(call, inputs));
    match call.method.input {
        Input::Nothing => {}
        Input::Stdin => command.stdin = Some(Json::Object(call.input.clone()).to_string().into_bytes()),
        Input::Env => {
            command.env = variables(&call.input).map_err(|name| {
                let what = format!("`{name}` of {} cannot be a variable: it is nested", inputs.type_name);
                Error::new(ErrorKind::Invalid, what).hint("change the program to take its input from stdin")
            })?;
        }
    }
    Ok(command)
}

fn arguments(call: &Call<'_>, inputs: &Inputs<'_>) -> Vec<String> {
    let pair = |flag: &str, value: String| vec![flag.to_owned(), value];
    let words = call.method.args.iter().map(|argument| match argument {
        Argument::Plain(word) => vec![word.clone()],
        Argument::Json { mandatory: false, .. } if call.input.is_empty() => Vec::new(),
        Argument::Json { flag, .. } => pair(flag, Json::Object(call.input.clone()).to_string()),
        Argument::Type(flag) => pair(flag, inputs.type_name.to_owned()),
        Argument::Version(flag) => pair(flag, inputs.version.to_owned()),
        Argument::Path { flag, quoted } => {
            let path = inputs.path.display();
            pair(flag, if *quoted { format!("\"{path}\"") } else { path.to_string() })
        }
        Argument::Content(flag) => {
            inputs.content.map_or_else(Vec::new, |content| pair(flag, content.to_string()))
        }
        Argument::WhatIf(flag) if call.operation == Operation::WhatIf => vec![flag.clone()],
        Argument::WhatIf(_) => Vec::new(),
    });
    words.flatten().collect()
}

/// An environment variable for each property, or the name of a nested one, which cannot be passed.
fn variables(input: &Map<String, Json>) -> Result<BTreeMap<String, String>, &str> {
    let named = |(name, value): (&'_ String, &Json)| Some((name.clone(), variable(value)?));
    let mut variables = BTreeMap::new();
    for (name, value) in input.iter().filter(|(_, value)| !value.is_null()) {
        variables.extend([named((name, value)).ok_or(name.as_str())?]);
    }
    Ok(variables)
}

fn variable(value: &Json) -> Option<String> {
    match value {
        Json::Array(items) => {
            let single = |item: &Json| if item.is_array() { None } else { variable(item) };
            items.iter().map(single).collect::<Option<Vec<_>>>().map(|items| items.join(","))
        }
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) => Some(value.to_string()),
        Json::Null | Json::Object(_) => None,
    }
}

/// The operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Get,
    Test,
    Set,
    Delete,
    Validate,
    Schema,
    WhatIf,
}

impl Operation {
    /// The default timeout: loading should be quick, changing may download much.
    fn default_timeout(self) -> Duration {
        match self {
            Self::Set | Self::Delete => Duration::from_secs(600),
            _ => Duration::from_secs(60),
        }
    }
}

/// Its name in the manifest.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "get",
            Self::Test => "test",
            Self::Set => "set",
            Self::Delete => "delete",
            Self::Validate => "validate",
            Self::Schema => "schema",
            Self::WhatIf => "whatIf",
        })
    }
}

/// One run of a program.
pub(crate) struct Call<'a> {
    pub(crate) operation: Operation,
    pub(crate) method: &'a Method,
    /// The input; empty if there is none.
    pub(crate) input: Map<String, Json>,
    /// Whether the input contains a secret: then no output of the program is shown.
    pub(crate) secret: bool,
}

// The output of a program.

/// A program's verdict on a whole resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Whether it is in the desired state.
    InDesiredState(bool),
    /// The properties that differ, by their names in JSON.
    Differing(Vec<String>),
}

/// The current state, and the program's verdict.
pub(crate) type State = (Map<String, Json>, Option<Verdict>);

/// The stdout of a call.
pub(crate) struct Printed<'a> {
    text: String,
    call: &'a Call<'a>,
    type_name: &'a str,
}

impl<'a> Printed<'a> {
    pub(crate) fn of(call: &'a Call<'a>, output: &Output, type_name: &'a str) -> Self {
        Self { text: String::from_utf8_lossy(&output.stdout).into_owned(), call, type_name }
    }

    /// The only object.
    pub(crate) fn object(&self) -> Result<Map<String, Json>> {
        self.object_in(&self.text)
    }

    /// The state that the method returns; none if it returns nothing.
    pub(crate) fn state(&self) -> Result<Option<State>> {
        let (state, differing) = match self.call.method.returns {
            Returns::Nothing => return Ok(None),
            Returns::State => (self.object()?, None),
            Returns::StateAndDiff => {
                let mut lines = self.text.lines().filter(|line| !line.trim().is_empty());
                let state = self.object_in(lines.next().unwrap_or_default())?;
                (state, Some(self.names_in(lines.next().unwrap_or_default())?))
            }
        };
        let said = state.get(IN_DESIRED_STATE).and_then(Json::as_bool).map(Verdict::InDesiredState);
        Ok(Some((state, said.or(differing.map(Verdict::Differing)))))
    }

    fn object_in(&self, text: &str) -> Result<Map<String, Json>> {
        match self.json(text)? {
            Json::Object(members) => Ok(members),
            _ => Err(self.defect("is not an object", text)),
        }
    }

    /// The second line: a list of names.
    fn names_in(&self, text: &str) -> Result<Vec<String>> {
        let names = match self.json(text) {
            Ok(Json::Array(names)) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        names.ok_or_else(|| self.defect("has no list of differing properties in its second line", text))
    }

    fn json(&self, text: &str) -> Result<Json> {
        serde_json::from_str(text).map_err(|error| {
            self.defect(&format!("is not JSON: line {}, column {}", error.line(), error.column()), text)
        })
    }

    fn defect(&self, how: &str, text: &str) -> Error {
        let what = format!("the output of `{}` of {} {how}", self.call.operation, self.type_name);
        let defect = Error::new(ErrorKind::Defect, what)
            .hint("stdout must contain only JSON; messages belong on stderr");
        if self.call.secret { defect } else { defect.because(shorten(text)) }
    }
}

/// A recognisable beginning of the output.
fn shorten(text: &str) -> String {
    const ENOUGH: usize = 200;
    match text.trim() {
        "" => "it printed nothing".to_owned(),
        some => some.chars().take(ENOUGH).collect(),
    }
}
