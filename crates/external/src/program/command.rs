//! One run of a program: its operation and input, and the command for it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value as Json};
use uphold_resource::{Command, Error, ErrorKind, Result};

use crate::manifest::{Argument, Input, Method};

/// The inputs of every command of a manifest, besides its call.
pub(super) struct Inputs<'a> {
    pub(super) type_name: &'a str,
    pub(super) version: &'a str,
    pub(super) path: &'a Path,
    /// The content of an adapted resource.
    pub(super) content: Option<&'a Json>,
}

/// The command, without its directory and timeout.
///
/// # Errors
/// If the input cannot be passed in the environment.
pub(super) fn command(call: &Call<'_>, inputs: &Inputs<'_>) -> Result<Command> {
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
    pub(super) fn default_timeout(self) -> Duration {
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
