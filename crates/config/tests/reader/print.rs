//! Readings printed as text, for tables.

use std::time::Duration;

use uphold_config::{Given, GivenValue, Origin, Reader, Reading};
use uphold_model::{
    ActionGroup, Attribute, Declaration, Diagnostic, Guard, GuardCommand, Handling, Meta, Moment,
    Notification, OnRemoval, Place, Reference, Retry, Sources, Statement, Term, Trigger, Value,
};

use crate::surroundings::InMemory;

/// Reads one text.
pub(crate) fn read_text(text: &str) -> (Sources, Reading) {
    read_files(&[("a.hcl", text)], [])
}

/// Reads files: those with a `/` in their names belong to modules, the others to the configuration.
pub(crate) fn read_files(
    files: &[(&str, &str)],
    given: impl IntoIterator<Item = Given>,
) -> (Sources, Reading) {
    let (inside, own): (Vec<_>, Vec<_>) = files.iter().copied().partition(|(name, _)| name.contains('/'));
    let mut sources = Sources::default();
    let ids: Vec<_> = own.into_iter().map(|(name, text)| sources.add(name, text)).collect();
    let reading = Reader::new(InMemory::with(inside)).given(given).read(&mut sources, &ids);
    (sources, reading)
}

/// `name=value` from the command line.
pub(crate) fn flag(written: &str) -> Given {
    let (name, value) = written.split_once('=').expect("name=value");
    Given { name: name.into(), value: GivenValue::Text(value.into()), origin: Origin::Flag }
}

/// Checks that these files have no problems, and their statements.
#[track_caller]
pub(crate) fn check_files(files: &[(&str, &str)], expected: &str) {
    let (sources, reading) = read_files(files, []);
    assert_eq!(diagnostics(&sources, &reading), "", "{files:?}");
    assert_eq!(statements(&reading), expected.trim(), "{files:?}");
}

/// Checks that this text has no problems, and its statements.
#[track_caller]
pub(crate) fn check(text: &str, expected: &str) {
    check_files(&[("a.hcl", text)], expected);
}

/// One line for each statement, attribute and meta argument, without those of inactive blocks.
pub(crate) fn statements(reading: &Reading) -> String {
    let active = reading.statements.iter().filter(|one| !matches!(one, Statement::Inactive(_)));
    active.map(statement).collect::<Vec<_>>().join("\n")
}

/// The addresses of inactive resources, blocks and module calls.
pub(crate) fn inactive(reading: &Reading) -> Vec<String> {
    let id = |statement: &Statement| match statement {
        Statement::Inactive(block) => Some(block.id.to_string()),
        _ => None,
    };
    reading.statements.iter().filter_map(id).collect()
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Declare(declaration) => declare(declaration),
        Statement::Trigger(trigger) => triggered(trigger),
        Statement::Edit(edit) => format!("edit {}{}", edit.id, attributes(&edit.attributes)),
        Statement::Begin(group) => begin(group),
        Statement::End => "}".into(),
        Statement::Inactive(block) => format!("inactive {}", block.id),
        Statement::Moved(moved) => format!("moved {} to {}", moved.from, moved.to),
        Statement::Removed(removed) => {
            format!("removed {}{}", removed.from, if removed.destroy { " destroy" } else { "" })
        }
        Statement::Settings(settings) => {
            let spans =
                settings.window.iter().map(|window| format!(", {} spans of a window", window.spans.len()));
            format!("settings on_removal {}{}", settings.on_removal.word(), spans.collect::<String>())
        }
        Statement::Output(output) => format!("output {} = {}", output.name, term(&output.value)),
    }
}

/// Calls of modules by their paths; the order, the name and the meta arguments of other groups.
fn begin(group: &ActionGroup) -> String {
    let order = format!("{:?}", group.order).to_lowercase();
    let name = match &group.name {
        Some(path) if path.contains(['.', '[']) => format!("{path} "),
        Some(name) => format!("{order} {name} "),
        None => format!("{order} "),
    };
    let most = group.concurrency.map(|most| format!("concurrency {most}"));
    let lines = most.into_iter().chain(group.handling.iter().flat_map(|handling| handled(handling)));
    format!("{name}{{{}", lines.map(|line| format!("\n  {line}")).collect::<String>())
}

fn triggered(trigger: &Trigger) -> String {
    let mut line = format!("{} {}", trigger.action, trigger.id);
    if !trigger.depends_on.is_empty() {
        line.push_str(&format!(" after {}", references(&trigger.depends_on)));
    }
    line.extend(trigger.when.iter().map(|when| format!(" when {}", term(when))));
    line
}

fn declare(declaration: &Declaration) -> String {
    let id = &declaration.id;
    format!("{id}{}{}", meta(&declaration.meta), attributes(&declaration.attributes))
}

fn attributes(attributes: &[Attribute]) -> String {
    attributes.iter().map(|a| format!("\n  {} = {}", a.name, term(&a.value))).collect()
}

fn meta(meta: &Meta) -> String {
    let mut lines = Vec::new();
    if !meta.depends_on.is_empty() {
        lines.push(format!("depends_on {}", references(&meta.depends_on)));
    }
    lines.extend(meta.when.iter().map(|when| format!("when {}", term(when))));
    lines.extend(meta.sensitive.then(|| "sensitive".into()));
    lines.extend(
        (meta.on_removal != OnRemoval::Keep).then(|| format!("on_removal {}", meta.on_removal.word())),
    );
    lines.extend(meta.always.then(|| "always".into()));
    lines.extend(meta.no_auto_edges.then(|| "no_auto_edges".into()));
    lines.extend(meta.handling.iter().flat_map(|handling| handled(handling)));
    lines.iter().map(|line| format!("\n  {line}")).collect()
}

fn handled(handling: &Handling) -> Vec<String> {
    let span = |span: Duration| format!("{span:?}");
    let mut lines = Vec::new();
    lines.extend(handling.notifies.iter().map(|n| format!("notifies {}", notification(n))));
    lines.extend(handling.subscribes.iter().map(|n| format!("subscribes {}", notification(n))));
    lines.extend(handling.guards.iter().map(|guard| format!("{} {}", guard.word(), guarded(guard))));
    lines.extend(
        handling.not_until.iter().map(|n| format!("not_until {} every {}", guarded(&n.guard), span(n.every))),
    );
    lines.extend(handling.retry.iter().map(retried));
    lines.extend(handling.timeout.map(|timeout| format!("timeout {}", span(timeout))));
    lines.extend(handling.poll.map(|poll| format!("poll {}", span(poll))));
    lines.extend(handling.limit.iter().map(|limit| format!("limit {} per {}", limit.times, span(limit.per))));
    lines.extend(handling.locks.iter().map(|lock| format!("lock {} {}", lock.name, lock.most)));
    lines.extend(handling.audit.then(|| "audit".into()));
    lines.extend(handling.ignore_failure.then(|| "ignore_failure".into()));
    lines
}

/// The resource, the action, and the moment unless it is delayed.
fn notification(Notification { other, action, moment }: &Notification) -> String {
    match moment {
        Moment::Delayed => format!("{other} {action}"),
        moment => format!("{other} {action} {}", moment.word()),
    }
}

fn guarded(guard: &Guard) -> String {
    let GuardCommand { dir, user, env, timeout } = &guard.command;
    let mut text = term(&guard.condition);
    text.extend(dir.iter().map(|dir| format!(" in {dir}")));
    text.extend(user.iter().map(|user| format!(" as {user}")));
    text.extend(env.iter().map(|(name, value)| format!(" {name}={value}")));
    text.extend(timeout.iter().map(|timeout| format!(" within {timeout:?}")));
    text
}

/// Values other than the defaults only.
fn retried(retry: &Retry) -> String {
    let mut text = format!("retry {} after {:?}", retry.times, retry.delay);
    if *retry != (Retry { delay: retry.delay, ..Retry::times(retry.times) }) {
        let Retry { backoff, longest, jitter, on, .. } = retry;
        text += &format!(" backoff {backoff} longest {longest:?} jitter {jitter} on [{}]", on.join(", "));
    }
    text
}

/// A known value, or `<references>`.
pub(crate) fn term(term: &Term) -> String {
    match term {
        Term::Known(value) => show(value),
        Term::Deferred(_) => format!("<{}>", references(term.references())),
    }
}

/// A value with its parts: `?text(t.a.b)` for an unknown one, `secret(…)` for a secret.
pub(crate) fn show(value: &Value) -> String {
    match value {
        Value::Sensitive(inner) => format!("secret({})", show(inner)),
        Value::Unknown(unknown) => {
            let shape = unknown.shape.map_or(String::new(), |shape| format!("{shape:?}").to_lowercase());
            format!("?{shape}({})", unknown.waits_for)
        }
        Value::List(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Map(map) if map.is_empty() => "{}".into(),
        Value::Map(map) => {
            let entries = map.iter().map(|(key, value)| format!("{key} = {}", show(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn references(list: &[Reference]) -> String {
    list.iter().map(Reference::to_string).collect::<Vec<_>>().join(", ")
}

/// The code, the place and the summary, then one line each for the detail, the hint and related places.
pub(crate) fn diagnostic(sources: &Sources, problem: &Diagnostic) -> String {
    let place = problem.place.map_or("nowhere".into(), |place| place_in(sources, place));
    let mut text = format!("{} {place} {}\n  {}", problem.code, problem.summary(), problem.detail);
    text.extend(problem.fix.iter().map(|fix| format!("\n  fix: {fix}")));
    for related in &problem.related {
        text.push_str(&format!("\n  see {}: {}", place_in(sources, related.place), related.label));
    }
    text
}

/// All problems.
pub(crate) fn problems<'d>(sources: &Sources, problems: impl IntoIterator<Item = &'d Diagnostic>) -> String {
    problems.into_iter().map(|problem| diagnostic(sources, problem)).collect::<Vec<_>>().join("\n")
}

/// All problems of a reading.
pub(crate) fn diagnostics(sources: &Sources, reading: &Reading) -> String {
    problems(sources, reading.diagnostics.iter())
}

/// `line:column` in `a.hcl`; with its name in other sources.
fn place_in(sources: &Sources, place: Place) -> String {
    let at = sources.line_column(place);
    let name = &sources.get(place.source).name;
    let name = if name == "a.hcl" { String::new() } else { format!("{name}:") };
    format!("{name}{}:{}", at.line, at.column)
}

/// Checks that each expression has this value or these problems, in this configuration.
#[track_caller]
pub(crate) fn check_expressions(around: &str, rows: &[(&str, &str)]) {
    let (mut sources, reading) = read_text(around);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    for (expression, expected) in rows {
        let found = match reading.console.evaluate(&mut sources, expression) {
            Ok(value) => show(&value),
            Err(found) => problems(&sources, found.iter()),
        };
        assert_eq!(&found, expected, "{expression}");
    }
}
