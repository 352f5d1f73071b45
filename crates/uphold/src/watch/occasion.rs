//! Why a configuration is read again.

use std::fmt;

use crate::input_log::Input;

/// What made us read the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The watch begins.
    Start,
    /// Something that it is read from was changed: its name.
    Changed(String),
    /// A value that it reads is another one now: a fact, the time, a file that nobody reports. Its name.
    Live(String),
    /// Somebody asked for it.
    Asked,
}

impl Occasion {
    pub(super) fn changed(input: &Input) -> Self {
        Occasion::Changed(shown(input))
    }

    pub(super) fn live(input: &Input) -> Self {
        Occasion::Live(shown(input))
    }

    /// Whether a person did something, and waits for an answer.
    pub fn is_awaited(&self) -> bool {
        !matches!(self, Occasion::Live(_))
    }
}

fn shown(input: &Input) -> String {
    match input {
        Input::File(path) | Input::Names(path) | Input::Texts(path) | Input::Kinds(path) => {
            path.display().to_string()
        }
        Input::Text(name) | Input::Variable(name) => name.clone(),
        Input::Fact(name) => format!("host.{name}"),
        Input::Clock => "the time".to_owned(),
    }
}

/// For a person, after "because".
impl fmt::Display for Occasion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Occasion::Start => f.write_str("the watch begins"),
            Occasion::Changed(what) | Occasion::Live(what) => write!(f, "{what} changed"),
            Occasion::Asked => f.write_str("somebody asked for it"),
        }
    }
}
