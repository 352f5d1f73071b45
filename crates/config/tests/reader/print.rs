//! Statements and diagnostics as text, for tables.

use uphold_config::{Reading, read};
use uphold_model::{Declaration, Diagnostic, Place, Reference, Sources, Statement, Term};

/// Reads one text.
pub(crate) fn read_text(text: &str) -> (Sources, Reading) {
    let mut sources = Sources::default();
    let id = sources.add("a.hcl", text);
    let reading = read(&sources, &[id]);
    (sources, reading)
}

/// One line for each statement, attribute and meta argument.
pub(crate) fn statements(reading: &Reading) -> String {
    reading.statements.iter().map(statement).collect::<Vec<_>>().join("\n")
}

fn statement(statement: &Statement) -> String {
    match statement {
        Statement::Declare(declaration) => declare(declaration),
        Statement::Trigger(trigger) => format!("{} {}", trigger.action, trigger.id),
        Statement::Edit(edit) => format!("edit {}", edit.id),
    }
}

fn declare(declaration: &Declaration) -> String {
    let mut lines = vec![format!("{}", declaration.id)];
    let meta = &declaration.meta;
    if !meta.depends_on.is_empty() {
        lines.push(format!("  depends_on {}", references(&meta.depends_on)));
    }
    if meta.sensitive {
        lines.push("  sensitive".into());
    }
    if meta.no_auto_edges {
        lines.push("  no_auto_edges".into());
    }
    for attribute in &declaration.attributes {
        lines.push(format!("  {} = {}", attribute.name, term(&attribute.value)));
    }
    lines.join("\n")
}

fn term(term: &Term) -> String {
    match term {
        Term::Known(value) => value.to_string(),
        Term::Deferred(_) => format!("<{}>", references(term.references())),
    }
}

fn references(list: &[Reference]) -> String {
    list.iter().map(Reference::to_string).collect::<Vec<_>>().join(", ")
}

/// `line:col summary | detail | fix`, and related places.
pub(crate) fn diagnostic(sources: &Sources, problem: &Diagnostic) -> String {
    let mut line = format!(
        "{} {} | {} | {}",
        problem.place.map_or("-".into(), |place| line_column(sources, place)),
        problem.summary,
        problem.detail,
        problem.fix.as_deref().unwrap_or("-"),
    );
    for related in &problem.related {
        line.push_str(&format!(" | {} {}", line_column(sources, related.place), related.label));
    }
    line
}

/// All diagnostics, a line each.
pub(crate) fn diagnostics(sources: &Sources, reading: &Reading) -> String {
    reading.diagnostics.iter().map(|problem| diagnostic(sources, problem)).collect::<Vec<_>>().join("\n")
}

fn line_column(sources: &Sources, place: Place) -> String {
    let at = sources.line_column(place);
    format!("{}:{}", at.line, at.column)
}

/// The text has these problems and no others.
#[track_caller]
pub(crate) fn check_diagnostics(text: &str, expected: &[&str]) {
    let (sources, reading) = read_text(text);
    assert_eq!(diagnostics(&sources, &reading), expected.join("\n"), "{text}");
}
