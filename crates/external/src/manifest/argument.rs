//! One entry of `args`.

use crate::document::{Fault, Located};

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
