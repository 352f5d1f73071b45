//! Nothing grows without a bound, and nothing hangs.

use uphold_model::Value;

use crate::world::call;

#[track_caller]
fn refused(name: &str, arguments: &[Value], expected: &str) {
    let message = call(name, arguments).err().map(|fault| fault.message).unwrap_or_default();
    assert!(message.contains(expected), "{name}: {message:?}");
}

fn text(text: &str) -> Value {
    Value::text(text)
}

#[test]
fn texts_do_not_blow_up() {
    let (long, long_list) = (text(&"x".repeat(1 << 20)), Value::list(vec![Value::Int(1); 1000]));
    refused("indent", &[Value::Int(i64::MAX), text("a\nb")], "16 MiB");
    refused("join", &[long.clone(), long_list.clone()], "16 MiB");
    refused("replace", &[long.clone(), text("x"), text("yyyyyyyyyyyyyyyyyyyyyyyy")], "16 MiB");
    refused("replace", &[long.clone(), text("/.*/"), text(&"$0".repeat(20))], "16 MiB");
    refused("formatlist", &[text("%s%s"), long.clone(), long_list], "16 MiB");
    refused("format", &[text(&"%4096d".repeat(5000))], "the format asks for 5000 values");
    refused("jsonencode", &[Value::list(vec![long; 17])], "16 MiB");
}

#[test]
fn lists_do_not_blow_up() {
    let thousand = Value::list(vec![Value::Int(1); 1000]);
    refused("range", &[Value::Int(i64::MAX)], "more than 1000000 elements");
    refused("setproduct", &vec![thousand.clone(); 30], "more than 1000000 elements");
    refused("split", &[text(""), text(&"x".repeat(1_000_001))], "more than 1000000 elements");
    refused("regexall", &[text("x"), text(&"x".repeat(1_000_001))], "more than 1000000 elements");
    refused("concat", &vec![thousand; 1001], "more than 1000000 elements");
    let header: Vec<String> = (0..1001).map(|i| i.to_string()).collect();
    let csv = (header.join(",") + "\n") + &(",".repeat(1000) + "\n").repeat(1000);
    refused("csvdecode", &[text(&csv)], "more than 1000000 elements");
}

#[test]
fn nested_data_does_not_overflow_the_stack() {
    let abyss = (0..10_000).fold(Value::Null, |inner, _| Value::list([inner]));
    refused("flatten", std::slice::from_ref(&abyss), "levels deep");
    refused("jsonencode", std::slice::from_ref(&abyss), "levels deep");
    refused("issensitive", std::slice::from_ref(&abyss), "levels deep");
    assert_eq!(call("length", std::slice::from_ref(&abyss)), Ok(Value::Int(1)));
    let laughs = (0..64).fold(Value::Int(1), |inner, _| Value::list(vec![inner; 8]));
    refused("flatten", std::slice::from_ref(&laughs), "more than 1000000 elements");
    refused("yamlencode", &[laughs], "parts");
    refused("jsondecode", &[text(&"[".repeat(1 << 20))], "not JSON");
    refused("yamldecode", &[text(&"[".repeat(1 << 20))], "YAML");
    refused("yamldecode", &[text(&"? ".repeat(1 << 16))], "levels deep");
}

#[test]
fn templates_end() {
    let empty = Value::map::<&str>([]);
    let render =
        |source: &str, expected: &str| refused("templatestring", &[text(source), empty.clone()], expected);
    let nested = "{% for a in range(100000) %}".repeat(3) + &"{% endfor %}".repeat(3);
    render(&nested, "takes too long");
    render("{% for a in range(100000) %}{{ 'x' * 1000 }}{% endfor %}", "longer than 16 MiB");
    render(
        "{% set x = 'x' * 1000000 %}{% set a %}{% for i in range(99) %}{{ x }}{% endfor %}{% endset %}",
        "16 MiB",
    );
    render("{% for i in range(1000) %}{{ range(100000) | length }}{% endfor %}", "too many elements");
    render("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "recursion");
    render(&"{% if true %}".repeat(10_000), "syntax error");
    refused("template", &[text("wrong/endless.j2"), empty.clone()], "recursion");
}

#[test]
fn patterns_end() {
    let many = text(&"a".repeat(20_000));
    assert_eq!(call("regexall", &[text("(a*)*b"), text(&"a".repeat(1000))]), Ok(Value::list([])));
    refused(
        "regex",
        &[text("((a{99}){99}){99}"), many.clone()],
        "the pattern is wrong: compiled regex exceeded",
    );
    refused("regex", &[text("(.?){5000}z"), many], "too complex for a text of this length");
}
