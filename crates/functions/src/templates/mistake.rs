//! Error messages for templates.

use std::collections::BTreeMap;

use minijinja::{Error, ErrorKind};

use super::guard::Guarded;
use super::meter::NULL;
use crate::call::Fault;

/// The innermost error: the chain of includes does not matter for the mistake.
pub(super) fn fault(name: &str, error: &Error, sources: &BTreeMap<String, Option<Guarded>>) -> Fault {
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
    let source = sources.get(error.name().unwrap_or(name)).and_then(Option::as_ref);
    let text = source.zip(error.range()).and_then(|(source, range)| source.original(&range));
    let is_null = error.detail() == Some(NULL);
    let what = match (error.kind(), text) {
        (ErrorKind::UndefinedError, Some(text)) => format!("`{text}` is not defined"),
        (_, Some(text)) if is_null => format!("`{text}` is null"),
        (_, None) if is_null => NULL.to_owned(),
        (ErrorKind::OutOfFuel, _) => "it takes too long".to_owned(),
        // Only the output itself fails with a cause; the limits of a rendering have their own messages.
        (ErrorKind::WriteFailure, _) if std::error::Error::source(error).is_none() => {
            error.detail().unwrap_or_default().to_owned()
        }
        (ErrorKind::WriteFailure, _) => "the result is longer than 16 MiB".to_owned(),
        (kind, _) => error.detail().map_or_else(|| kind.to_string(), |detail| format!("{kind}: {detail}")),
    };
    let message = format!("{place}: {what}");
    let text = text.unwrap_or("x");
    match error.kind() {
        ErrorKind::UndefinedError => Fault::at(1, message)
            .with_fix(format!("add it to the values, or write `{{{{ {text} | default(\"…\") }}}}`")),
        _ if is_null => Fault::at(1, message).with_fix(format!(
            "write `{{{{ {text} | default(\"…\") }}}}`, or pass `coalesce(…, \"…\")` as its value"
        )),
        _ => Fault::at(0, message),
    }
}
