//! Deferred expressions: their values once the scope is known.

use uphold_model::{
    Code, Declaration, Diagnostic, Reference, ResourceId, Scope, Shape, Statement, Term, Value,
};

use crate::print::{read_files, read_text, show};

/// A scope with a value of every type.
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
        fields.at(&reference.path).ok_or_else(|| Diagnostic::new(Code::UnknownField, reference.to_string()))
    }
}

/// The declaration of `k.n`.
fn declared(text: &str) -> Declaration {
    let (_, reading) = read_files(&[("a.hcl", text), ("m/main.hcl", MODULE)], []);
    assert!(reading.diagnostics.is_empty(), "{text}: {:?}", reading.diagnostics);
    let mut declarations = reading.statements.into_iter().filter_map(|statement| match statement {
        Statement::Declare(declaration) => Some(declaration),
        _ => None,
    });
    declarations.find(|declaration| &*declaration.id.kind == "k").expect("a declaration")
}

/// The value of the first attribute of `k.n`, once everything is known.
fn evaluate_in(text: &str) -> Result<Value, Diagnostic> {
    let term = &declared(text).attributes[0].value;
    assert!(matches!(term, Term::Deferred(_)), "{text}");
    term.evaluate(&Known)
}

const MODULE: &str = "param \"in\" {}\nlocals { doubled = \"${param.in}${param.in}\" }\n\
    output \"out\" { value = \"<${local.doubled}>\" }\noutput \"own\" { value = t.inner.number }\nt \"inner\" {}\n";

fn evaluate(body: &str) -> Result<Value, Diagnostic> {
    evaluate_in(&format!("k \"n\" {{\n{body}\n}}\n"))
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
    check("\"a ${t.a.later} ${t.a.text}\"", Value::unknown_of("t.a.later", Some(Shape::Text)));
    check("\"a ${t.a.secret}\"", Value::text("a pw").sensitive());
    check("\"${t.a.secret}${t.a.later}\"", Value::unknown_of("t.a.later", Some(Shape::Text)).sensitive());
    check("\"a ${t.a.hidden_later}\"", Value::unknown_of("t.a.hidden_later", Some(Shape::Text)).sensitive());
    check("[t.a.later, 1]", Value::list([Value::unknown("t.a.later"), Value::Int(1)]));
    check("{ (t.a.text) = t.a.number }", Value::map([("hi", Value::Int(7))]));
    check("{ (t.a.later) = 1 }", Value::unknown("t.a.later"));
    check("{ (t.a.secret) = 1 }", Value::map([("pw", Value::Int(1))]).sensitive());
    check("<<-E\n    x ${t.a.text}\n    E", Value::text("x hi\n"));
}

#[test]
fn computed() {
    let check = |expression: &str, expected: &str| {
        let value = evaluate(&format!("v = {expression}"));
        assert_eq!(value.as_ref().map(show), Ok(expected.to_owned()), "{expression}");
    };
    check("t.a.number * 6", "42");
    check("t.a.number > 5 ? upper(t.a.text) : \"\"", "\"HI\"");
    check("[for x in t.a.list : x + 1]", "[2]");
    check("{ for x in t.a.list : \"k${x}\" => t.a.text }", "{ k1 = \"hi\" }");
    check("t.a.list[*]", "[1]");
    check("t.a.list[t.a.number - 7]", "1");
    check("t.a[t.a.text == \"hi\" ? \"number\" : \"text\"]", "7");
    check("try(t.a.none, \"instead\")", "\"instead\"");
    check("can(t.a.none)", "false");
    check("can(t.a.text)", "true");
    check("\"%{ for x in t.a.list }${x};%{ endfor }\"", "\"1;\"");
    check("t.a.later + 1", "?number(t.a.later)");
    check("t.a.secret == \"pw\"", "secret(true)");
    check("false || t.a.number == 7", "true");
}

/// Before the run, neither branch of a condition over resources can be rejected or chosen, and both are dependencies.
#[test]
fn the_chosen_branch_decides() {
    let check = |expression: &str, waits_for: &[&str], expected: &str| {
        let text = format!("locals {{ none = [] }}\nk \"n\" {{\nv = {expression}\n}}\n");
        let declared = declared(&text);
        let references = declared.attributes[0].value.references().iter().map(ToString::to_string);
        assert_eq!(references.collect::<Vec<_>>(), waits_for, "{expression}");
        assert_eq!(evaluate_in(&text).as_ref().map(show), Ok(expected.to_owned()), "{expression}");
    };
    check("t.a.number == 8 ? local.none[0] : \"none\"", &["t.a.number"], "\"none\"");
    check("try(t.a.number == 8 ? local.none[0] : \"none\", \"fallback\")", &["t.a.number"], "\"none\"");
    check("try(t.a.number == 7 ? local.none[0] : \"none\", \"fallback\")", &["t.a.number"], "\"fallback\"");
    check("can(t.a.number == 8 ? local.none[0] : \"none\")", &["t.a.number"], "true");
    check("can(t.a.number == 7 ? local.none[0] : \"none\")", &["t.a.number"], "false");
    check("t.a.number == 8 && local.none[0] == \"x\"", &["t.a.number"], "false");
    check("t.a.number == 7 || local.none[0] == \"x\"", &["t.a.number"], "true");
    check("[for x in t.a.list : x > 1 ? local.none[0] : x]", &["t.a.list"], "[1]");
    check("[for x in t.a.list : local.none[0] if x > 1]", &["t.a.list"], "[]");
    check(
        "t.a.number == 8 ? [t.b.text, local.none[0]] : t.c.text",
        &["t.a.number", "t.b.text", "t.c.text"],
        "\"hi\"",
    );
    check("try(t.a.number == 7 ? local.none[0] : 1, t.b.text)", &["t.a.number", "t.b.text"], "\"hi\"");
}

/// Trees are freed by then: deferred expressions are parsed again.
#[test]
fn deferred_expressions_are_parsed_again() {
    let check = |text: &str, expected: &str| {
        assert_eq!(evaluate_in(text).as_ref().map(show), Ok(expected.to_owned()), "{text}");
    };
    check("k \"n\" {\n  v = (\n    t.a.number # one\n    + 1\n  )\n  w = 1\n}", "8");
    check(
        "k \"n\" {\n  b {\n    x = t.a.text\n  }\n  c = 1\n  b {\n    x = 2\n  }\n}",
        "[{ x = \"hi\" }, { x = 2 }]",
    );
    check(
        "k \"n\" {\n  b {\n    c { x = t.a.text }\n    y = \"\\t\"\n  }\n}",
        "{ c = { x = \"hi\" }, y = \"\\t\" }",
    );
    check("sequence {\n  k \"n\" {\n    v = <<-E\n      é ${t.a.text}\n      E\n  }\n}", "\"é hi\\n\"");
    check(
        "t \"a\" {}\nk \"n\" {\n  for_each = {\n    a = t.a.number # 7\n    b = 1\n  }\n  v = each.value\n}",
        "7",
    );
    let when = |text: &str, expected: bool| {
        let when = declared(&format!("k \"n\" {{\n  when = {text}\n}}\n")).meta.when.expect("a condition");
        assert_eq!(when.evaluate(&Known), Ok(Value::Bool(expected)), "{text}");
    };
    when("t.a.number == 7", true);
    when("alltrue([\n    t.a.number\n      > 7,\n    true,\n  ])", false);
    when("contains([t.a.text], <<-E\n    hi\n    E\n  )", false);
}

#[test]
fn through_names() {
    let check = |text: &str, expected: &str| {
        assert_eq!(evaluate_in(text).as_ref().map(show), Ok(expected.to_owned()), "{text}");
    };
    check("locals { x = \"${t.a.text}!\" }\nk \"n\" { v = local.x }", "\"hi!\"");
    check("locals {\n  x = t.a.number\n  y = local.x + local.x\n}\nk \"n\" { v = local.y * 2 }", "28");
    check("param \"p\" { default = [t.a.text] }\nk \"n\" { v = param.p[0] }", "\"hi\"");
    check(
        "t \"a\" {}\nk \"n\" {\n  for_each = { a = t.a.number }\n  v = [each.key, each.value]\n}",
        "[\"a\", 7]",
    );
    check("k \"n\" {\n  for_each = [\"x\"]\n  v = \"${each.key}${t.a.text}\"\n}", "\"xhi\"");
    let module = "module \"m\" {\n  source = \"./m\"\n  in     = t.a.text\n}\n";
    check(&format!("{module}k \"n\" {{ v = module.m.out }}"), "\"<hihi>\"");
    check(&format!("{module}k \"n\" {{ v = module.m.own }}"), "7");
    check(&format!("{module}k \"n\" {{ v = module.m }}"), "{ out = \"<hihi>\", own = 7 }");
    let several = "t \"a\" {}\nmodule \"m\" {\n  source   = \"./m\"\n  for_each = { a = t.a.text, b = \"c\" }\n  in       = each.value\n}\n";
    check(&format!("{several}k \"n\" {{ v = [for m in module.m : m.out] }}"), "[\"<hihi>\", \"<cc>\"]");
    check("t \"s\" { for_each = [\"p\", \"q\"] }\nk \"n\" { v = [for x in t.s : x.number] }", "[7, 7]");
    check("t \"s\" { for_each = [\"hi\", \"q\"] }\nk \"n\" { v = t.s[t.a.text].number }", "7");
}

#[test]
fn conditions_and_outputs_are_deferred() {
    let (_, reading) = read_text(
        "t \"x\" {\n  when    = t.a.number == 7\n  only_if = [\"test\", t.a.text]\n}\noutput \"o\" { value = t.a.list }\n",
    );
    let Statement::Declare(declaration) = &reading.statements[0] else { panic!("no declaration") };
    let when = declaration.meta.when.as_ref().expect("a condition");
    assert_eq!(when.evaluate(&Known), Ok(Value::Bool(true)));
    let guard = &declaration.meta.handling.as_ref().expect("a guard").guards[0];
    assert_eq!(guard.condition.evaluate(&Known).as_ref().map(show), Ok("[\"test\", \"hi\"]".into()));
    let Some(Statement::Output(output)) = reading.statements.last() else { panic!("no output") };
    assert_eq!(output.value.evaluate(&Known), Ok(Value::list([Value::Int(1)])));
}

#[test]
fn enclosing_conditions_are_combined() {
    let check = |conditions: [&str; 3], expected: &str| {
        let [a, b, c] = conditions;
        let text = format!(
            "sequence {{\n  when = {a}\n  parallel {{\n    when = {b}\n    t \"x\" {{ when = {c} }}\n  }}\n}}\n"
        );
        let (_, reading) = read_text(&text);
        let declared = reading.statements.iter().find_map(|statement| match statement {
            Statement::Declare(declaration) => declaration.meta.when.clone(),
            _ => None,
        });
        assert_eq!(
            declared.expect("a condition").evaluate(&Known).as_ref().map(show),
            Ok(expected.into()),
            "{text}"
        );
    };
    let (yes, no, later) = ("t.a.number == 7", "t.a.number == 8", "t.a.later == 1");
    check([yes, yes, yes], "true");
    check([yes, no, yes], "false");
    check([later, yes, no], "false");
    check([yes, later, yes], "?bool(t.a.later)");
}

#[test]
fn nested_blocks_are_deferred_as_a_whole() {
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
        assert_eq!(format!("{} | {}", problem.summary(), problem.detail), expected, "{expression}");
    };
    check("\"a${t.a.null}\"", "value cannot be part of a string | null cannot be part of a string");
    check("\"a${t.a.list}\"", "value cannot be part of a string | a list cannot be part of a string");
    check("t.a.number + t.a.text", "operand of the wrong type | `+` adds numbers; this is a string");
    check("t.a.list[3]", "unknown property in a reference | t.a.list.3");
    check("t.a.list[1 + 2]", "index out of range | the list has one element, [0], but no [3]");
    check(
        "upper(t.a.list)",
        "function failed | `upper`: `text` of `upper` must be a string, a number or a bool, not a list",
    );
    check("t.a.text ? 1 : 2", "condition is not a bool | this is a string, not true or false");
    check("{ (t.a.list) = 1 }", "key of the wrong type | a list cannot be a key");
    check("{ (t.a.text) = 1, hi = 2 }", "duplicate key | `hi` is set twice");
    check("t.a.none", "unknown property in a reference | t.a.none");
    check("t.a.number == 7 ? [][0] : 1", "index out of range | the list is empty, so it has no [0]");
    check("t.a.number == 7 && [][0]", "index out of range | the list is empty, so it has no [0]");
}

#[test]
fn references_have_places() {
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
