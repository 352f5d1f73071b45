//! One entry of `args`.

use crate::document::{Fault, Spot};

/// What becomes one or two words of the command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    /// This word.
    Plain(String),
    /// The flag and all input as JSON. What is not mandatory is left out if there is no input.
    Json { flag: String, mandatory: bool },
    /// The flag and the type of the resource.
    Type(String),
    /// The flag and the version of the resource.
    Version(String),
    /// The flag and the path of the manifest.
    Path { flag: String, quoted: bool },
    /// The flag and what a resource tells its adapter, if it does.
    Content(String),
    /// The flag, if the program shall only tell what it would do.
    WhatIf(String),
}

/// The keys that say what an entry is.
const FORMS: [&str; 6] = [
    "jsonInputArg",
    "resourceTypeArg",
    "resourceVersionArg",
    "resourcePathArg",
    "whatIfArg",
    "adaptedContentArg",
];

impl Argument {
    pub(crate) fn read(spot: &Spot<'_>) -> Result<Self, Fault> {
        if let Some(word) = spot.json.as_str() {
            return Ok(Self::Plain(word.to_owned()));
        }
        spot.refuse_slips(&FORMS)?;
        let flag = |form: &str| spot.get(form).map(|flag| flag.text().map(str::to_owned)).transpose();
        let is = |key: &str| spot.get(key).map_or(Ok(false), |flag| flag.flag());
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
        let fix = format!("write text, or an object with one of `{}`", FORMS.join("`, `"));
        Err(spot.fault("this is no argument", fix))
    }
}
