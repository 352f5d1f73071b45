//! The output of a program.

use serde_json::{Map, Value as Json};
use uphold_resource::{Error, ErrorKind, Output, Result};

use super::command::Call;
use crate::manifest::Returns;
use crate::schema::IN_DESIRED_STATE;

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
