//! The template engine, configured for configuration files: strict about undefined variables, without escaping, and
//! bounded.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value as Jinja;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, escape_formatter};

use super::filters::{self, written};
use super::guard::Guarded;
use super::meter::{Meter, Output, not_null};
use super::rewriting::{ADDEND, PART, RAW, TEXT};
use crate::paths::clean;

/// The maximum number of instructions of one rendering: about a second's worth.
const FUEL: u64 = 10_000_000;

/// The engine's nesting limit: a block is one level, an include about ten.
const DEEPEST_TEMPLATE: usize = 200;

/// Templates by path; none for those that cannot be read.
#[derive(Default)]
pub(super) struct TemplateCache {
    pub(super) sources: BTreeMap<String, Option<Guarded>>,
    /// Requested templates that are not loaded yet.
    pub(super) requested: Vec<String>,
}

pub(super) fn lock(cache: &Mutex<TemplateCache>) -> MutexGuard<'_, TemplateCache> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An engine that takes its templates from the cache.
pub(super) fn environment(cache: &Arc<Mutex<TemplateCache>>) -> Environment<'static> {
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
    filters::bound(&mut environment, &meter);
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
pub(super) fn syntax() -> SyntaxConfig {
    SyntaxConfig::builder().keep_trailing_newline(true).build().unwrap_or_default()
}

/// The path of a template that another one names.
fn relative_to(parent: &str, name: &str) -> String {
    let directory = Path::new(parent).parent().unwrap_or(Path::new(""));
    clean(&directory.join(name).to_string_lossy())
}

/// Renders a template once, and adds the number of its instructions to `used`.
pub(super) fn attempt(
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
