//! Errors of wrong calls, and propagation of unknown and secret values.

use uphold_functions::{Fault, find};
use uphold_model::{Shape, Value};

use crate::expression::shown;
use crate::world::call;

#[test]
fn wrong_arguments_are_named() {
    let check = |text: &str, expected: &str| assert_eq!(shown(text), expected, "{text}");
    check("substr(\"a\")", "`substr` takes 3 arguments, not 1");
    check("upper()", "`upper` takes 1 argument, not 0");
    check("timestamp(1)", "`timestamp` takes no arguments, not 1");
    check("lookup({})", "`lookup` takes 2 or 3 arguments, not 1");
    check("range()", "`range` takes 1 to 3 arguments, not 0");
    check("max()", "`max` takes at least 1 argument, not 0");
    check(
        "split(\",\", [\"a\"])",
        "`text` of `split` must be a string, a number or a bool, not a list (use `join` to make one string of a \
         list)",
    );
    check(
        "abs(\"1\")",
        "`number` of `abs` must be a number, not a string (use `tonumber` to convert a string to a number)",
    );
    check(
        "indent(1.5, \"a\")",
        "`spaces` of `indent` must be a whole number, not a fraction (use `floor` or `ceil` to make it whole)",
    );
    check(
        "max(1, \"2\")",
        "`numbers` of `max` must be a number, not a string (use `tonumber` to convert a string to a number)",
    );
    check("keys(null)", "`map` of `keys` must be a map, not null");
    check(
        "file(1)",
        "`path` of `file` must be a string, not a number (use `tostring` to convert it to a string)",
    );
    check("indent(2.0, \"a\\nb\")", "\"a\\n  b\"");
}

#[test]
fn the_wrong_argument_is_named() {
    let blamed = |name, arguments: &[Value]| call(name, arguments).err().and_then(|fault| fault.argument);
    assert_eq!(blamed("join", &[Value::text(","), Value::Null]), Some(1));
    assert_eq!(blamed("timeadd", &[Value::text("2024-05-01T12:00:00Z"), Value::text("1d")]), Some(1));
    assert_eq!(blamed("upper", &[]), None);
    assert_eq!(
        find("join").and_then(|join| join.parameter(5)).map(|parameter| parameter.name),
        Some("lists")
    );
}

#[test]
fn unknown_arguments_give_unknown_results_of_a_known_shape() {
    let check = |name: &str, arguments: &[Value], expected: Value| {
        assert_eq!(call(name, arguments), Ok(expected), "{name}");
    };
    let later = || Value::unknown("task.a.status.stdout");
    let of = |shape| Value::unknown_of("task.a.status.stdout", Some(shape));
    check("upper", &[later()], of(Shape::Text));
    check("join", &[Value::text(","), Value::list([Value::text("a"), later()])], of(Shape::Text));
    check("element", &[later(), Value::Int(0)], Value::unknown("task.a.status.stdout"));
    check("length", &[Value::list([later()])], Value::Int(1));
    check("element", &[Value::list([later(), Value::Int(1)]), Value::Int(1)], Value::Int(1));
    check("merge", &[Value::map([("a", later())])], Value::map([("a", later())]));
    check("flatten", &[Value::list([Value::list([of(Shape::Text)])])], Value::list([of(Shape::Text)]));
    check("flatten", &[Value::list([later()])], of(Shape::List));
    check("zipmap", &[Value::list([later()]), Value::list([Value::Null])], of(Shape::Map));
    check("nonsensitive", &[later().sensitive()], Value::unknown("task.a.status.stdout"));
    check("upper", &[later().sensitive()], of(Shape::Text).sensitive());
}

#[test]
fn known_parts_can_decide() {
    let check = |name: &str, arguments: &[Value], expected: Value| {
        assert_eq!(call(name, arguments), Ok(expected), "{name}: {arguments:?}");
    };
    let later = || Value::unknown("task.a");
    let bool = || Value::unknown_of("task.a", Some(Shape::Bool));
    let (yes, no, a) = (Value::Bool(true), Value::Bool(false), Value::text("a"));
    let list = |items: Vec<Value>| Value::list(items);
    check("coalesce", &[Value::Null, a.clone(), later()], a.clone());
    check("coalesce", &[Value::unknown_of("task.a", Some(Shape::Text)), a.clone()], later());
    check("coalesce", &[later().sensitive(), a.clone()], later().sensitive());
    check("coalescelist", &[list(vec![a.clone()]), later()], list(vec![a.clone()]));
    check("coalescelist", &[list(vec![]), later()], Value::unknown_of("task.a", Some(Shape::List)));
    check("contains", &[list(vec![later(), a.clone()]), a.clone()], yes.clone());
    check("contains", &[list(vec![later(), a.clone()]), Value::text("b")], bool());
    check("contains", &[list(vec![a.clone()]), later()], bool());
    check("contains", &[list(vec![later(), a.clone().sensitive()]), a.clone()], yes.clone().sensitive());
    check("anytrue", &[list(vec![later(), yes.clone()])], yes.clone());
    check("anytrue", &[list(vec![later(), no.clone()])], bool());
    check("alltrue", &[list(vec![later(), no.clone()])], no.clone());
    check("alltrue", &[list(vec![later(), Value::Null])], no.clone());
    check("alltrue", &[list(vec![bool(), yes.clone()])], bool());
    check("index", &[list(vec![a.clone(), later()]), a.clone()], Value::Int(0));
    check("index", &[list(vec![later(), a.clone()]), a], Value::unknown_of("task.a", Some(Shape::Number)));
    let wrong = call("anytrue", &[list(vec![Value::unknown_of("x.y", Some(Shape::Text))])]);
    assert!(wrong.is_err_and(|fault| fault.message.contains("element 0 must be a bool")));
}

#[test]
fn unknown_values_of_a_wrong_shape_are_rejected() {
    let list = Value::unknown_of("x.y", Some(Shape::List));
    let fault = call("upper", &[list.sensitive()]).err();
    let message = "`text` of `upper` must be a string, a number or a bool, not a list";
    assert_eq!(fault.map(|fault| fault.message).as_deref(), Some(message));
    let number = Value::unknown_of("x.y", Some(Shape::Number));
    assert_eq!(call("upper", &[number]), Ok(Value::unknown_of("x.y", Some(Shape::Text))));
}

#[test]
fn secrets_stay_secret() {
    let secret = || Value::text("hunter2").sensitive();
    let is_secret = |name: &str, arguments: &[Value]| {
        let result = call(name, arguments);
        assert!(matches!(result, Ok(Value::Sensitive(_))), "{name}: {result:?}");
    };
    is_secret("upper", &[secret()]);
    is_secret("jsonencode", &[Value::map([("password", secret())])]);
    is_secret("length", &[secret()]);
    is_secret("contains", &[Value::list([secret()]), Value::text("a")]);
    is_secret("lookup", &[Value::map([("a", Value::Int(1))]), Value::text("a").sensitive()]);
    is_secret("zipmap", &[Value::list([secret()]), Value::list([Value::Int(1)])]);
    is_secret("templatestring", &[Value::text("{{ a }}"), Value::map([("a", secret())])]);
    let kept = |name: &str, arguments: &[Value], expected: &str| {
        assert_eq!(call(name, arguments).map(|value| value.to_string()).as_deref(), Ok(expected), "{name}");
    };
    kept("flatten", &[Value::list([Value::list([Value::Int(1)]).sensitive()])], "(sensitive value)");
    kept("values", &[Value::map([("a", secret())])], "[(sensitive value)]");
    kept("keys", &[Value::map([("a", secret())])], "[\"a\"]");
}

#[test]
fn faults_do_not_quote_secrets() {
    let check = |name: &str, arguments: &[Value], expected: &str| {
        let fault = call(name, arguments).err();
        assert_eq!(
            fault,
            Some(Fault { argument: Some(0), message: expected.to_owned(), fix: None }),
            "{name}"
        );
    };
    let secret = Value::text("hunter2").sensitive();
    let why = "the reason is hidden because an argument is secret";
    check("tonumber", std::slice::from_ref(&secret), &format!("`value` of `tonumber` is invalid; {why}"));
    check("file", std::slice::from_ref(&secret), &format!("`path` of `file` is invalid; {why}"));
    let arguments = [Value::text("{{ a"), Value::map([("b", secret)])];
    check("templatestring", &arguments, &format!("`text` of `templatestring` is invalid; {why}"));
}

/// Those that the page of `template` lists exist.
#[test]
fn unknown_filters_get_a_suggestion() {
    let hint = |filter: &str| {
        let text = Value::text(format!("{{{{ a | {filter} }}}}"));
        call("templatestring", &[text, Value::map([("a", Value::text("1"))])])
            .err()
            .and_then(|fault| fault.fix)
    };
    assert_eq!(hint("uper").as_deref(), Some("did you mean `upper`?"));
    assert_eq!(hint("to_json").as_deref(), Some("pass the value as a string: `{ name = jsonencode(…) }`"));
    let list = "`uphold explain 'template()'` lists the filters";
    assert_eq!(hint("nosuchthing").as_deref(), Some(list));
    let doc = find("template").expect("a function").doc;
    let (_, filters) = doc.split_once("Filters: ").expect("a list");
    for name in filters.split(['`', ',', ' ', '.']).filter(|name| !name.is_empty()) {
        assert_ne!(hint(name).as_deref(), Some(list), "{name}");
    }
}
