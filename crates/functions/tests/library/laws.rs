//! Invariants of every function and every argument.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use uphold_functions::{Accepts, Body, Function, all};
use uphold_model::{ResourceId, Shape, Value};

use crate::world::call;

/// The content of a secret, so that it is recognised wherever it appears.
const MARK: &str = "s3cr3t";

/// Strings with a special meaning to some function.
const TEXTS: &[&str] = &[
    "",
    "a",
    "a,b\n1,2",
    "/(a*)*b?/",
    "(a)|(?:b)",
    "(?<x>.)",
    "%d%[1]s%-08.3f%%",
    "%v",
    "10.0.0.0/8",
    "fd00::/48",
    "::1",
    "2024-05-01T12:00:00+02:00",
    "YYYY'x'ZZZ",
    "1h30m",
    "hello.txt",
    "templates/motd.j2",
    "**/*.txt",
    "{{ x }}{% if y %}",
    "[1, {\"a\": null}]",
    "a: &x [1]\nb: *x\n<<: {c: d}",
    "SGVsbG8=",
    "%41+",
    "~/x",
    "../..",
    "dns",
    "HOME",
    "true",
    "1.5e3",
    "héllo wörld\r\n",
    "🤔\u{301}\u{0}",
    "-9223372036854775808",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![2 => select(TEXTS).prop_map(str::to_owned), 1 => ".{0,12}", 1 => "[a-c/.,:%{}\\[\\]*0-9 \n-]{0,12}"]
}

fn number() -> impl Strategy<Value = Value> {
    let floats = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
    prop_oneof![
        4 => (-3_i64..40).prop_map(Value::Int),
        1 => select(&[i64::MIN, i64::MAX, 1 << 53, 1_000_000, -1_000_000]).prop_map(Value::Int),
        1 => any::<i64>().prop_map(Value::Int),
        1 => floats.prop_map(|x| comparable(&Value::Float(x))),
        1 => select(&[0.5, -2.5, 1e300, 9.3e18]).prop_map(Value::Float),
    ]
}

fn known() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        2 => number(),
        4 => text().prop_map(Value::text),
        1 => Just(Value::Bytes([0xff, 0].into())),
        1 => Just(Value::Reference(ResourceId::new("file", "/a").into())),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            list_of(inner.clone()),
            prop::collection::btree_map(text(), inner, 0..4).prop_map(Value::map)
        ]
    })
}

fn list_of(item: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec(item, 0..4).prop_map(Value::list)
}

/// A value that is likely to be accepted.
fn fitting(accepts: Accepts) -> BoxedStrategy<Value> {
    let texts = || text().prop_map(Value::text);
    match accepts {
        Accepts::Any => known().boxed(),
        Accepts::Text | Accepts::Data => texts().boxed(),
        Accepts::Writable => prop_oneof![3 => texts(), 1 => number()].boxed(),
        Accepts::Number => number().boxed(),
        Accepts::Integer => {
            prop_oneof![(-3_i64..40).prop_map(Value::Int), any::<i64>().prop_map(Value::Int)].boxed()
        }
        Accepts::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Accepts::List => prop_oneof![list_of(known()), list_of(texts()), list_of(number())].boxed(),
        Accepts::Map | Accepts::Collection => {
            prop::collection::btree_map(text(), known(), 0..4).prop_map(Value::map).boxed()
        }
    }
}

/// A function with mostly suitable arguments.
fn calls() -> impl Strategy<Value = (&'static Function, Vec<Value>)> {
    (any::<Index>(), 0..3_usize).prop_flat_map(|(index, more)| {
        let function: &'static Function = all()[index.index(all().len())];
        let count = function.parameters.len() + if function.rest.is_some() { more } else { 0 };
        let parameters = (0..count).filter_map(|i| function.parameter(i));
        let arguments: Vec<_> = parameters
            .map(|parameter| prop_oneof![12 => fitting(parameter.accepts), 1 => known().boxed()])
            .collect();
        arguments.prop_map(move |arguments| (function, arguments))
    })
}

/// The value with `planted` in one of its parts, or in its place.
fn hidden(value: &Value, planted: Value, deep: bool) -> Value {
    match value {
        Value::List(items) if deep => Value::list(items.iter().cloned().chain([planted])),
        Value::Map(map) if deep => {
            Value::map(map.iter().map(|(k, v)| (k.clone(), v.clone())).chain([("planted".into(), planted)]))
        }
        _ => planted,
    }
}

fn is_computed(function: &Function) -> bool {
    !matches!(function.body, Body::Try | Body::Can | Body::Optional)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_call_panics_and_results_have_their_shape((function, arguments) in calls()) {
        if let Ok(value) = call(function.name, &arguments) {
            if let Some(shape) = function.gives {
                prop_assert_eq!(value.shape(), Some(shape), "{}: {}", function.name, value);
            }
            prop_assert!(!value.to_string().contains("NaN") || arguments.iter().any(|a| a.to_string().contains("NaN")));
            // Equal numbers must have the same form.
            if let Value::Float(x) = value {
                prop_assert!(x.fract() != 0.0 || x.abs() >= 9.2e18, "{}: {x}", function.name);
            }
        }
    }

    #[test]
    fn unknown_values_stay_unknown((function, mut arguments) in calls(), at in any::<Index>(), deep: bool) {
        prop_assume!(!arguments.is_empty() && is_computed(function));
        let at = at.index(arguments.len());
        arguments[at] = hidden(&arguments[at], Value::unknown("task.a"), deep);
        let whole = matches!(function.body, Body::Whole(_));
        // A function that returns the first suitable argument does not read the rest.
        let itself = matches!(arguments[at], Value::Unknown(_)) && !matches!(function.body, Body::First(_));
        if let Ok(value) = call(function.name, &arguments) && (whole || itself) {
            prop_assert!(matches!(value, Value::Unknown(_)), "{}: {}", function.name, value);
        }
    }

    #[test]
    fn secrets_are_never_shown((function, mut arguments) in calls(), at in any::<Index>(), deep: bool, t in text()) {
        prop_assume!(!arguments.is_empty() && is_computed(function));
        let at = at.index(arguments.len());
        // The caller's own plain text need not be hidden.
        prop_assume!(!format!("{arguments:?}").contains(MARK));
        let secret = Value::text(format!("{MARK}{t}")).sensitive();
        arguments[at] = hidden(&arguments[at], secret, deep);
        let result = call(function.name, &arguments);
        if function.name != "nonsensitive" {
            prop_assert!(!format!("{result:?}").contains(MARK), "{}: {:?}", function.name, result);
        }
        if let (Ok(value), Body::Whole(_) | Body::Deciding(_)) = (&result, function.body) {
            prop_assert!(matches!(value, Value::Sensitive(_)), "{}: {}", function.name, value);
        }
        if let (Ok(value), Body::Parts(_) | Body::First(_), Value::Sensitive(_)) = (&result, function.body, &arguments[at]) {
            prop_assert!(matches!(value, Value::Sensitive(_)), "{}: {}", function.name, value);
        }
    }

    #[test]
    fn encodings_round_trip(value in known()) {
        for (encode, decode) in [("jsonencode", "jsondecode"), ("yamlencode", "yamldecode")] {
            let Ok(text) = call(encode, std::slice::from_ref(&value)) else { continue };
            let read = call(decode, std::slice::from_ref(&text));
            prop_assert_eq!(read.map(|v| comparable(&v)), Ok(comparable(&value)), "{}", text);
        }
    }

    #[test]
    fn parsers_handle_any_text(text in "[-:?!&*|>%@`\"'#{}\\[\\], ~\\\\a-c0-2\n\t]{0,60}") {
        for name in ["yamldecode", "jsondecode", "csvdecode", "urldecode", "base64decode"] {
            let _ = call(name, &[Value::text(text.as_str())]);
        }
        let _ = call("templatestring", &[Value::text(format!("{{{{{text}}}}}")), Value::map::<&str>([])]);
        let _ = call("regexall", &[Value::text(text.as_str()), Value::text(text.as_str())]);
        let _ = call("fileset", &[Value::text("."), Value::text(text.as_str())]);
    }
}

/// Whole floats and integers are the same number.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 9.2e18 => Value::Int(*x as i64),
        Value::List(items) => Value::list(items.iter().map(comparable)),
        Value::Map(map) => Value::map(map.iter().map(|(key, item)| (key.clone(), comparable(item)))),
        other => other.clone(),
    }
}

#[test]
fn declared_shapes_are_known_in_advance() {
    let later = Value::unknown("task.a");
    let text = call("sha256", &[later]).map(|value| value.shape());
    assert_eq!(text, Ok(Some(Shape::Text)));
}
