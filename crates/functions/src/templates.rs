//! Jinja templates.

mod functions;
mod guard;
mod meter;
mod rewriting;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use guard::Guarded;
use meter::{Meter, Output, not_null};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Rest, Value as Jinja, ValueKind, ValueOrKwargs};
use minijinja::{
    AutoEscape, Environment, Error, ErrorKind, State, UndefinedBehavior, escape_formatter, filters,
};
use rewriting::{ADDEND, PART, RAW, TEXT};

use super::paths::clean;

pub(crate) use functions::FUNCTIONS;

// The template engine, configured for configuration files: strict about undefined variables, without escaping, and
// bounded.

/// The maximum number of instructions of one rendering: about a second's worth.
const FUEL: u64 = 10_000_000;

/// The engine's nesting limit: a block is one level, an include about ten.
const DEEPEST_TEMPLATE: usize = 200;

/// Templates by path; none for those that cannot be read.
#[derive(Default)]
struct TemplateCache {
    sources: BTreeMap<String, Option<Guarded>>,
    /// Requested templates that are not loaded yet.
    requested: Vec<String>,
}

fn lock(cache: &Mutex<TemplateCache>) -> MutexGuard<'_, TemplateCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine that takes its templates from the cache.
fn environment(cache: &Arc<Mutex<TemplateCache>>) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment.set_fuel(Some(FUEL));
    environment.set_debug(true);
    environment.set_recursion_limit(DEEPEST_TEMPLATE);
    environment.set_syntax(syntax());
    environment.set_path_join_callback(|name, parent| Cow::Owned(relative_to(parent, name)));
    let meter = Arc::new(Meter::start());
    let counted = Arc::clone(&meter);
    environment.add_function("range", move |start, end, step| counted.range(start, end, step));
    let charged = Arc::clone(&meter);
    environment.add_filter(PART, move |value: Jinja| charged.part(&value).map(|()| value));
    let joined = Arc::clone(&meter);
    environment.add_filter(TEXT, move |value: Jinja| {
        not_null(&value)?;
        joined.part(&value).map(|()| written(value))
    });
    let added = Arc::clone(&meter);
    environment.add_filter(ADDEND, move |value: Jinja| added.addend(&value).map(|()| value));
    let raw = Arc::clone(&meter);
    environment.add_function(RAW, move |length: usize| raw.write(length));
    bound(&mut environment, &meter);
    environment.set_formatter(move |output, state, value| {
        not_null(value)?;
        let length = meter.length(value)?;
        meter.write(length)?;
        escape_formatter(output, state, &written(value.clone()))
    });
    let cache = Arc::clone(cache);
    environment.set_loader(move |name| {
        let mut cache = lock(&cache);
        if let Some(source) = cache.sources.get(name) {
            return Ok(source.as_ref().map(|source| source.text.clone()));
        }
        cache.requested.push(name.to_owned());
        Ok(None)
    });
    environment
}

/// Jinja's own syntax; the final line break stays.
fn syntax() -> SyntaxConfig {
    SyntaxConfig::builder().keep_trailing_newline(true).build().unwrap_or_default()
}

/// The path of a template that another one names.
fn relative_to(parent: &str, name: &str) -> String {
    let directory = Path::new(parent).parent().unwrap_or(Path::new(""));
    clean(&directory.join(name).to_string_lossy())
}

/// Renders a template once, and adds the number of its instructions to `used`.
fn attempt(
    environment: &Environment<'_>,
    name: &str,
    values: Jinja,
    used: &Cell<u64>,
) -> Result<String, Error> {
    let mut output = Output::default();
    let rendered = environment.get_template(name)?.render_captured_to(values, &mut output);
    let fuel = match &rendered {
        Ok(captured) => captured.state().fuel_levels().map_or(0, |(consumed, _)| consumed),
        Err(error) if error.kind() == ErrorKind::OutOfFuel => FUEL,
        // After a failure, the number of instructions is not available.
        Err(_) => FUEL / 100,
    };
    used.set(used.get() + fuel);
    rendered?;
    String::from_utf8(output.0)
        .map_err(|_| Error::new(ErrorKind::InvalidOperation, "the result is not UTF-8 text"))
}

// Filters that differ from the engine's own: results far larger than their input are rejected before the engine builds
// them, null is never written, and booleans are written as in HCL.

/// An upper bound of the result's size.
type Size = fn(&Meter, &[Jinja]) -> Result<Bound, Error>;

/// The size of a result.
enum Bound {
    Bytes(usize),
    Elements(usize),
}

/// Wraps the filters of `environment` with size checks.
fn bound(environment: &mut Environment<'_>, meter: &Arc<Meter>) {
    let mut filter = |name: &'static str, original: Jinja, size: Size| {
        let meter = Arc::clone(meter);
        environment.add_filter(name, move |state: &mut State, arguments: Rest<ValueOrKwargs>| {
            let arguments = arguments.into_values();
            match size(&meter, &arguments)? {
                Bound::Bytes(bytes) => meter::bytes(bytes)?,
                Bound::Elements(count) => meter::elements(count)?,
            }
            let result = original.call(state, &arguments)?;
            meter.part(&result).map(|()| result)
        });
    };
    filter("join", Jinja::from_function(join_written), join);
    filter("replace", Jinja::from_function(filters::replace), replace);
    filter("indent", Jinja::from_function(filters::indent), indent);
    filter("format", Jinja::from_function(filters::format), format);
    filter("batch", Jinja::from_function(filters::batch), count);
    filter("slice", Jinja::from_function(filters::slice), count);
    filter("split", Jinja::from_function(filters::split), split);
    filter("list", Jinja::from_function(filters::list), characters);
    for name in ["default", "d"] {
        environment.add_filter(name, default);
    }
    let meter = Arc::clone(meter);
    let original = Jinja::from_function(minijinja::functions::dict);
    environment.add_function("dict", move |state: &mut State, arguments: Rest<ValueOrKwargs>| {
        let result = original.call(state, &arguments.into_values())?;
        meter.part(&result).map(|()| result)
    });
}

/// A value as it is written: the engine's own booleans are those of Python.
fn written(value: Jinja) -> Jinja {
    match bool::try_from(value.clone()) {
        Ok(truth) if value.kind() == ValueKind::Bool => Jinja::from(if truth { "true" } else { "false" }),
        _ => value,
    }
}

/// The engine's own filter, with elements as they are written.
fn join_written(state: &mut State, arguments: Rest<ValueOrKwargs>) -> Result<Jinja, Error> {
    let mut arguments = arguments.into_values();
    if let Some(list) = arguments.first_mut()
        && list.kind() == ValueKind::Seq
    {
        *list = list.try_iter()?.map(written).collect();
    }
    Jinja::from_function(filters::join).call(state, &arguments)
}

/// The engine's own leaves null as it is.
fn default(state: &State, value: &Jinja, arguments: Rest<Jinja>) -> Result<Jinja, Error> {
    let value = if value.is_none() { &Jinja::UNDEFINED } else { value };
    filters::default(state, value, arguments)
}

fn join(meter: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    let Some(list) = arguments.first() else { return Ok(Bound::Bytes(0)) };
    if let Ok(mut items) = list.try_iter() {
        items.try_for_each(|item| not_null(&item))?;
    }
    let between = arguments[1..].iter().map(|argument| text(argument).len()).sum::<usize>();
    let elements = list.len().unwrap_or(0);
    Ok(Bound::Bytes(meter.length(list)?.saturating_add(between.saturating_mul(elements))))
}

fn replace(meter: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    let [text_value, from, to, ..] = arguments else { return Ok(Bound::Bytes(0)) };
    meter.length(text_value)?;
    let (text, from, to) = (text(text_value), text(from), text(to));
    let found = if from.is_empty() { text.len() + 1 } else { text.matches(&*from).count() };
    Ok(Bound::Bytes(text.len().saturating_add(found.saturating_mul(to.len()))))
}

fn indent(meter: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    let [value, rest @ ..] = arguments else { return Ok(Bound::Bytes(0)) };
    meter.length(value)?;
    let named = rest.iter().find_map(|argument| argument.get_attr("width").ok()?.as_usize());
    let width = named.or_else(|| rest.first()?.as_usize()).unwrap_or(4);
    let text = text(value);
    Ok(Bound::Bytes(text.len().saturating_add(width.saturating_mul(text.matches('\n').count() + 1))))
}

/// Widths and precisions are numbers in the format, or arguments where it has a `*`.
fn format(meter: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    let [format, values @ ..] = arguments else { return Ok(Bound::Bytes(0)) };
    let format = text(format);
    let numbers = format.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let widths = numbers.map(|digits| digits.parse().unwrap_or(usize::MAX)).fold(0, usize::saturating_add);
    let mut longest = 0;
    let mut starred = 0;
    for value in values {
        not_null(value)?;
        longest = longest.max(meter.length(value)?.max(64));
        if format.contains('*') {
            starred = value.as_i64().map_or(starred, |n| n.unsigned_abs().max(starred));
        }
    }
    let each = longest.saturating_add(usize::try_from(starred).unwrap_or(usize::MAX));
    let verbs = format.matches(['%', '{']).count();
    Ok(Bound::Bytes(format.len().saturating_add(widths).saturating_add(verbs.saturating_mul(each))))
}

fn count(_: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    Ok(Bound::Elements(arguments.get(1).and_then(Jinja::as_usize).unwrap_or(0)))
}

fn split(_: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    let [value, rest @ ..] = arguments else { return Ok(Bound::Elements(0)) };
    let text = text(value);
    let pieces = match rest.first().and_then(Jinja::as_str).filter(|separator| !separator.is_empty()) {
        Some(separator) => text.matches(separator).count(),
        None => text.split_whitespace().count(),
    };
    Ok(Bound::Elements(pieces))
}

fn characters(_: &Meter, arguments: &[Jinja]) -> Result<Bound, Error> {
    Ok(Bound::Elements(arguments.first().and_then(Jinja::len).unwrap_or(0)))
}

fn text(value: &Jinja) -> Cow<'_, str> {
    value.as_str().map_or_else(|| Cow::Owned(value.to_string()), Cow::Borrowed)
}
