//! Functions that render templates, and their error messages.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use minijinja::value::Value as Jinja;
use minijinja::{Error, ErrorKind};
use uphold_model::{Map, Shape, Value, closest};

use super::guard::Guarded;
use super::meter::NULL;
use super::{TemplateCache, attempt, environment, lock, syntax};
use crate::call::{Call, Fault};
use crate::files;
use crate::function::Accepts::{Map as Mapping, Text};
use crate::function::{Body, Function, Topic, example, takes};
use crate::number::Number;
use crate::paths::readable;

/// The number of evaluator steps of one engine instruction.
const STEPS_OF_AN_INSTRUCTION: usize = 10;

/// The maximum number of templates that one can include, extend or import.
const MOST_TEMPLATES: usize = 100;

/// Defines the filters of a template, and the documentation of `template`, which lists them.
macro_rules! filters {
    ($about:literal; $first:literal, $($other:literal,)*) => {
        const FILTERS: &[&str] = &[$first, $($other),*];
        const TEMPLATE_DOC: &str =
            concat!($about, "\n\nFilters: `", $first, "`", $(", `", $other, "`",)* ".");
    };
}

filters! {
    "Renders a Jinja template file with the values of a map. A relative path starts at the directory \
     of the calling file; templates that it includes or extends are relative to its own. An \
     undefined variable is an error, and so is null that would be written: `{{ x | default(\"…\") }}` \
     replaces both. Nothing is escaped, and the final line break stays.";
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "default",
    "dictsort",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "pprint",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "trim",
    "unique",
    "upper",
    "zip",
}

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "template",
        topic: Topic::Files,
        parameters: &[takes("file", Text), takes("values", Mapping)],
        rest: None,
        gives: Some(Shape::Text),
        doc: TEMPLATE_DOC,
        examples: &[example(
            "template(\"templates/motd.j2\", { host = \"web1\" })",
            "\"Welcome to web1\\n-- ops\\n\"",
        )],
        body: Body::Whole(template),
    },
    Function {
        name: "templatestring",
        topic: Topic::Strings,
        parameters: &[takes("text", Text), takes("values", Mapping)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Renders a string as a Jinja template with the values of a map, like `template` with a file.",
        examples: &[example(
            "templatestring(\"{% for n in names %}{{ n | upper }} {% endfor %}\", { names = [\"a\", \"b\"] })",
            "\"A B \"",
        )],
        body: Body::Whole(|call| {
            let name = readable(call, "(text)").to_string_lossy().into_owned();
            render(call, &name, call.text(0)?)
        }),
    },
];

fn template(call: &Call<'_>) -> Result<Value, Fault> {
    let text = files::text(call, 0)?;
    let name = readable(call, call.text(0)?).to_string_lossy().into_owned();
    render(call, &name, &text)
}

/// The engine cannot borrow the source of its templates, so it runs again whenever it requested another template.
fn render(call: &Call<'_>, name: &str, text: &str) -> Result<Value, Fault> {
    refuse_other_syntax(call.map(1)?, text)?;
    let values = jinja_map(call.map(1)?, &[])?;
    let cache = Arc::new(Mutex::new(TemplateCache::default()));
    let guarded = |path: &str, text: &str| {
        Guarded::new(text, syntax()).map_err(|message| Fault::at(0, format!("{path:?}, {message}")))
    };
    lock(&cache).sources.insert(name.to_owned(), Some(guarded(name, text)?));
    let environment = environment(&cache);
    let used = Cell::new(0);
    loop {
        let result = attempt(&environment, name, values.clone(), &used);
        call.steps.set(usize::try_from(used.get()).unwrap_or(usize::MAX) * STEPS_OF_AN_INSTRUCTION);
        let requested = std::mem::take(&mut lock(&cache).requested);
        if requested.is_empty() {
            return result.map(Value::text).map_err(|error| fault(name, &error, &lock(&cache).sources));
        }
        let mut cache = lock(&cache);
        for path in requested {
            let content = call.surroundings.read(Path::new(&path)).ok();
            let text = content.and_then(|bytes| String::from_utf8(bytes).ok());
            let source = text.map(|text| guarded(&path, &text)).transpose()?;
            cache.sources.insert(path, source);
        }
        if cache.sources.len() > MOST_TEMPLATES {
            return Err(Fault::at(0, format!("the template needs more than {MOST_TEMPLATES} others")));
        }
    }
}

/// Rejects Terraform's template syntax, which Jinja would copy to the output as it is.
fn refuse_other_syntax(values: &Map, text: &str) -> Result<(), Fault> {
    if text.contains("{{") || text.replace("%{", "").contains("{%") {
        return Ok(());
    }
    let inserted = |key: &str| {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '-');
        text.match_indices("${")
            .any(|(at, _)| text[at + 2..].trim_start().strip_prefix(key).is_some_and(ends))
    };
    let directive = ["%{ if ", "%{ for ", "%{if ", "%{for "].into_iter().find(|start| text.contains(start));
    let fault = match (values.keys().find(|key| inserted(key)), directive) {
        (Some(key), _) => Fault::at(0, format!("`${{{key}}}` is Terraform's syntax, which is not rendered"))
            .with_fix(format!("write `{{{{ {key} }}}}`: templates are Jinja's")),
        (None, Some(start)) => {
            Fault::at(0, format!("`{start}…}}` is Terraform's syntax, which is not rendered"))
                .with_fix("write `{% if … %}` or `{% for … %}`: templates are Jinja's")
        }
        (None, None) => return Ok(()),
    };
    Err(fault)
}

fn jinja_map(map: &Map, way: &[&str]) -> Result<Jinja, Fault> {
    let entry = |(key, value): (&Arc<str>, &Value)| {
        jinja(value, &[way, &[&**key]].concat()).map(|value| (Arc::clone(key), value))
    };
    Ok(Jinja::from(map.iter().map(entry).collect::<Result<BTreeMap<Arc<str>, Jinja>, _>>()?))
}

fn jinja(value: &Value, way: &[&str]) -> Result<Jinja, Fault> {
    Ok(match value {
        Value::Bool(b) => (*b).into(),
        Value::Int(i) => (*i).into(),
        // A whole number has no fraction, as in `${…}`.
        Value::Float(x) => Number::Float(*x).whole().map_or_else(|| (*x).into(), Jinja::from),
        Value::Text(text) => Arc::clone(text).into(),
        Value::Bytes(_) => return Err(holds_bytes(way)),
        Value::List(items) => {
            items.iter().map(|item| jinja(item, way)).collect::<Result<Vec<_>, _>>()?.into()
        }
        Value::Map(map) => jinja_map(map, way)?,
        Value::Reference(id) => id.to_string().into(),
        Value::Sensitive(inner) => jinja(inner, way)?,
        Value::Null | Value::Unknown(_) => ().into(),
    })
}

/// The engine would replace invalid UTF-8 wherever it writes, joins or compares.
fn holds_bytes(way: &[&str]) -> Fault {
    let what =
        format!("`{}` holds bytes that are not UTF-8 text, which a template cannot write", way.join("."));
    Fault::at(1, what).with_fix("pass it through `base64encode`")
}

/// The hint for a filter that does not exist; the engine names it as `filter NAME is unknown`.
fn unknown_filter(error: &Error) -> String {
    let name = error.detail().and_then(|detail| detail.split(' ').nth(1)).unwrap_or_default();
    match (name, closest(name, FILTERS.iter().copied())) {
        ("tojson" | "to_json" | "to_nice_json", _) => {
            "pass the value as a string: `{ name = jsonencode(…) }`".to_owned()
        }
        ("to_yaml" | "to_nice_yaml", _) => {
            "pass the value as a string: `{ name = yamlencode(…) }`".to_owned()
        }
        (_, Some(near)) => format!("did you mean `{near}`?"),
        (_, None) => "`uphold explain 'template()'` lists the filters".to_owned(),
    }
}

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
        ErrorKind::UnknownFilter => Fault::at(0, message).with_fix(unknown_filter(error)),
        _ => Fault::at(0, message),
    }
}
