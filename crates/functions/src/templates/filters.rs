//! Filters that differ from the engine's own: results far larger than their input are rejected before the engine builds
//! them, null is never written, and booleans are written as in HCL.

use std::borrow::Cow;
use std::sync::Arc;

use minijinja::value::{Rest, Value as Jinja, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, State, filters, functions};

use super::meter::{self, Meter};

/// An upper bound of the result's size.
type Size = fn(&Meter, &[Jinja]) -> Result<Bound, Error>;

/// The size of a result.
enum Bound {
    Bytes(usize),
    Elements(usize),
}

/// Wraps the filters of `environment` with size checks.
pub(super) fn bound(environment: &mut Environment<'_>, meter: &Arc<Meter>) {
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
    let original = Jinja::from_function(functions::dict);
    environment.add_function("dict", move |state: &mut State, arguments: Rest<ValueOrKwargs>| {
        let result = original.call(state, &arguments.into_values())?;
        meter.part(&result).map(|()| result)
    });
}

/// A value as it is written: the engine's own booleans are those of Python.
pub(super) fn written(value: Jinja) -> Jinja {
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
        items.try_for_each(|item| meter::not_null(&item))?;
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
        meter::not_null(value)?;
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
