//! Expressions that wait: what they are once the scope knows.

use uphold_model::{Diagnostic, Reference, ResourceId, Scope, Statement, Term, Value};

use crate::print::read_text;

/// A scope with a value of every sort.
struct Known;

impl Scope for Known {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        let fields = Value::map([
            ("text", Value::text("hi")),
            ("number", Value::Int(7)),
            ("null", Value::Null),
            ("list", Value::list([Value::Int(1)])),
            ("secret", Value::text("pw").sensitive()),
            ("later", Value::unknown("t.a.later")),
            ("hidden_later", Value::unknown("t.a.hidden_later").sensitive()),
        ]);
        if reference.path.is_empty() {
            return Ok(Value::Reference(ResourceId::clone(&reference.target).into()));
        }
        fields.at(&reference.path).ok_or_else(|| Diagnostic::error("no such field", reference.to_string()))
    }
}

fn evaluate(body: &str) -> Result<Value, Diagnostic> {
    let (_, reading) = read_text(&format!("k \"n\" {{\n{body}\n}}\n"));
    assert!(reading.diagnostics.is_empty(), "{body}: {:?}", reading.diagnostics);
    let Statement::Declare(declaration) = &reading.statements[0] else { panic!("no declaration") };
    let term = &declaration.attributes[0].value;
    assert!(matches!(term, Term::Deferred(_)), "{body}");
    term.evaluate(&Known)
}

#[test]
fn values() {
    let check = |expression: &str, expected: Value| {
        assert_eq!(evaluate(&format!("v = {expression}")).as_ref(), Ok(&expected), "{expression}");
    };
    check("t.a.text", Value::text("hi"));
    check("(t.a.text)", Value::text("hi"));
    check("t.a", Value::Reference(ResourceId::new("t", "a").into()));
    check("\"${t.a.number}\"", Value::Int(7));
    check("\"${t.a.list}\"", Value::list([Value::Int(1)]));
    check("\"<${t.a.text}-${t.a.number}>\"", Value::text("<hi-7>"));
    check("\"a ${t.a.later} ${t.a.text}\"", Value::unknown("t.a.later"));
    check("\"a ${t.a.secret}\"", Value::text("a pw").sensitive());
    check("\"${t.a.secret}${t.a.later}\"", Value::unknown("t.a.later").sensitive());
    check("\"a ${t.a.hidden_later}\"", Value::unknown("t.a.hidden_later").sensitive());
    check("[t.a.later, 1]", Value::list([Value::unknown("t.a.later"), Value::Int(1)]));
    check("{ (t.a.text) = t.a.number }", Value::map([("hi", Value::Int(7))]));
    check("{ (t.a.later) = 1 }", Value::unknown("t.a.later"));
    check("{ (t.a.secret) = 1 }", Value::map([("pw", Value::Int(1))]).sensitive());
    check("<<-E\n    x ${t.a.text}\n    E", Value::text("x hi\n"));
}

#[test]
fn nested_blocks_wait_as_a_whole() {
    let one = evaluate("env {\n  A = t.a.text\n  B = 1\n}");
    assert_eq!(one, Ok(Value::map([("A", Value::text("hi")), ("B", Value::Int(1))])));
    let two = evaluate("env { A = t.a.text }\nenv { A = 1 }");
    let expected = Value::list([Value::map([("A", Value::text("hi"))]), Value::map([("A", Value::Int(1))])]);
    assert_eq!(two, Ok(expected));
}

#[test]
fn mistakes() {
    let check = |expression: &str, expected: &str| {
        let problem = evaluate(&format!("v = {expression}")).expect_err(expression);
        assert_eq!(format!("{} | {}", problem.summary, problem.detail), expected, "{expression}");
    };
    check("\"a${t.a.null}\"", "cannot be written as text | null cannot be part of a text");
    check("\"a${t.a.list}\"", "cannot be written as text | a list cannot be part of a text");
    check("\"a${t.a}\"", "cannot be written as text | a resource cannot be part of a text");
    check("{ (t.a.list) = 1 }", "key is not text | a list cannot be a key");
    check("{ (t.a.text) = 1, hi = 2 }", "duplicate key | `hi` is set twice");
    check("t.a.none", "no such field | t.a.none");
}

#[test]
fn references_know_their_place() {
    let (sources, reading) = read_text("k \"n\" {\n  v = \"x${t.a.b}\"\n}\n");
    let Statement::Declare(declaration) = &reading.statements[0] else { panic!("no declaration") };
    let references = declaration.attributes[0].value.references();
    assert_eq!(
        references.iter().map(|r| sources.text(r.place.expect("written"))).collect::<Vec<_>>(),
        ["t.a.b"]
    );
}

#[test]
fn literals_do_not_show_in_debug_output() {
    let (_, reading) = read_text("k \"n\" {\n  v = \"hunter2 ${t.a.b}\"\n}\n");
    let shown = format!("{:?}", reading.statements);
    assert!(shown.contains("t.a.b") && !shown.contains("hunter2"), "{shown}");
}
