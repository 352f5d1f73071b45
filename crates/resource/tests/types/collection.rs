//! Lists, maps and null.

use std::collections::BTreeMap;

use uphold_resource::{Context, Mode, Port, Property, Value};

use super::reading::{refuses, takes};

fn list<const N: usize>(items: [Value; N]) -> Value {
    Value::list(items)
}

#[test]
fn reads_lists() {
    takes::<Vec<u8>>(list([]), "[]");
    takes::<Vec<u8>>(list([1.into(), "2".into()]), "[1, 2]");
    takes::<Vec<Vec<bool>>>(list([list([true.into()])]), "[[true]]");
    refuses::<Vec<u8>>(1, "1 must be a list, not a number; put it in brackets: [ … ]");
    refuses::<Vec<u8>>(Value::Null, "null cannot be null; leave it out, or give it a value");
}

#[test]
fn reads_maps() {
    takes::<BTreeMap<String, Mode>>(Value::map([("a", Value::text("644"))]), r#"{ a = "0644" }"#);
    takes::<BTreeMap<String, Mode>>(Value::map::<&str>([]), "{}");
    refuses::<BTreeMap<String, u8>>(
        "x",
        r#""x" must be a map, not a string; put it in braces: { key = value }"#,
    );
}

#[test]
fn null_is_a_value_where_the_type_says_so() {
    takes::<Option<u8>>(Value::Null, "null");
    takes::<Option<u8>>(3, "3");
    takes::<Vec<Option<u8>>>(list([Value::Null, 1.into()]), "[null, 1]");
    refuses::<Option<u8>>(300, "300 must be from 0 to 255; choose a number in that range");
    let inner = Vec::<u8>::from_value(&list([Value::Null]), &Context::NOTHING).expect_err("null inside");
    assert_eq!(inner.property, "[0]");
}

#[test]
fn a_problem_contains_its_position() {
    type Deep = BTreeMap<String, Vec<Port>>;
    let value = Value::map([("web", list([80.into(), 0.into()]))]);
    let problem = Deep::from_value(&value, &Context::NOTHING).expect_err("0 is no port").inside("ports");
    assert_eq!(problem.to_string(), "`ports.web[1]` = 0 is not a port; write a number from 1 to 65535");
}

#[test]
fn reports_every_invalid_member() {
    let list = Value::list([Value::Int(1), Value::text("x"), Value::Int(2), Value::Bool(true)]);
    let problem = Vec::<u8>::from_value(&list, &Context::NOTHING).expect_err("two are wrong");
    let all: Vec<String> = problem.inside("sizes").into_all().iter().map(|p| p.property.clone()).collect();
    assert_eq!(all, ["sizes[1]", "sizes[3]"]);
    let map = Value::map([("A", Value::Int(5)), ("B", Value::text("fine")), ("C", Value::Bool(true))]);
    let problem = BTreeMap::<String, String>::from_value(&map, &Context::NOTHING).expect_err("two are wrong");
    let all: Vec<String> = problem.inside("env").into_all().iter().map(|p| p.property.clone()).collect();
    assert_eq!(all, ["env.A", "env.C"]);
}
