//! What a program printed.

use serde_json::{Map, Value as Json};
use uphold_resource::{Error, ErrorKind, Output, Result};

use super::call::Call;
use crate::manifest::Returns;
use crate::schema::IN_DESIRED_STATE;

/// What a program says about the whole of a resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// It is as it should be, or not.
    InDesiredState(bool),
    /// These properties are not as they should be, by their names in JSON.
    Differing(Vec<String>),
}

/// What is there, and what the program thinks of it.
pub(crate) type State = (Map<String, Json>, Option<Verdict>);

/// The standard output of a call.
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

    /// What the method says that it returns; none if that is nothing.
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
            _ => Err(self.defect("is no object", text)),
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
        let what = format!("what `{}` of {} printed {how}", self.call.operation, self.type_name);
        let defect = Error::new(ErrorKind::Defect, what)
            .hint("standard output is for JSON alone; messages go to standard error");
        if self.call.secret { defect } else { defect.because(shorten(text)) }
    }
}

/// Enough of what was printed to recognise it.
fn shorten(text: &str) -> String {
    const ENOUGH: usize = 200;
    match text.trim() {
        "" => "it printed nothing".to_owned(),
        some => some.chars().take(ENOUGH).collect(),
    }
}
