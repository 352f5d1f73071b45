//! What is wrong with a template, in our words.

use minijinja::{Error, ErrorKind};

use crate::call::Fault;

/// The innermost error: what includes what does not matter for the mistake.
pub(super) fn fault(name: &str, error: &Error) -> Fault {
    let mut error = error;
    while let Some(inner) = std::error::Error::source(error).and_then(|source| source.downcast_ref::<Error>())
    {
        error = inner;
    }
    let place = match (error.line(), error.name()) {
        (Some(line), Some(other)) if other != name => format!("line {line} of the template {other:?}"),
        (Some(line), _) => format!("line {line} of the template"),
        (None, _) => "the template".to_owned(),
    };
    let text = error.template_source().zip(error.range()).and_then(|(source, range)| source.get(range));
    let what = match (error.kind(), text) {
        (ErrorKind::UndefinedError, Some(text)) => format!("`{text}` is not defined"),
        (ErrorKind::OutOfFuel, _) => "it takes too long".to_owned(),
        (ErrorKind::WriteFailure, _) => "the result is longer than 16 MiB".to_owned(),
        (kind, _) => error.detail().map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}")),
    };
    let argument = if error.kind() == ErrorKind::UndefinedError { 1 } else { 0 };
    Fault::at(argument, format!("{place}: {what}"))
}
