//! Nothing grows without a limit, and nothing hangs.

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
    refused("format", &[text(&"%4096d".repeat(5000))], "the format needs 5000 values");
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
        "64 MiB",
    );
    render("{% for i in range(1000) %}{{ range(100000) | length }}{% endfor %}", "too many elements");
    render("{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "recursion");
    render(&"{% if true %}".repeat(10_000), "syntax error");
    refused("template", &[text("wrong/endless.j2"), empty.clone()], "recursion");
}

#[test]
fn template_bombs_are_rejected_early() {
    let values = Value::map([("big", text(&"x".repeat(1 << 20)))]);
    let render =
        |source: &str, expected: &str| refused("templatestring", &[text(source), values.clone()], expected);
    let doubled = |start: &str, double: &str, times: usize| format!("{start}{}", double.repeat(times));
    let too_large = "line 1 of the template: a value is larger than 16 MiB";
    render(&doubled("{% set ns = namespace(s='x') %}", "{% set ns.s = ns.s ~ ns.s %}", 64), too_large);
    render(&doubled("{% set s = 'x' %}", "{% set s = s ~ s %}", 64), too_large);
    render(&doubled("{% set s = 'x' %}", "{% set s = s + s %}", 64), too_large);
    render(&doubled("{% set s = 'x' %}", "{% set s = s * 3 %}", 64), too_large);
    render(&doubled("{% set s = 'xx' %}", "{% set s = s|replace('x', s) %}", 64), too_large);
    render(&doubled("{% set s = 'x' %}", "{% set s %}{{ s }}{{ s }}{% endset %}", 64), "64 MiB");
    let elements = "a value has more than 1000000 elements";
    render(&doubled("{% set l = [1] %}", "{% set l = l + l %}", 64), elements);
    render(&doubled("{% set l = [1] %}", "{% set l = [l, l] %}", 64), elements);
    render(&doubled("{% set l = [1] %}", "{% set l = l, l %}", 64), elements);
    render(&doubled("{% set l = {} %}", "{% set l = dict(a=l, b=l) %}", 64), elements);
    let spaces = doubled("{% set n = none %}", "{% set n = namespace(a=n, b=n) %}", 64);
    render(&format!("{spaces}{{% set x %}}{{{{ n }}}}{{% endset %}}"), elements);
}

#[test]
fn template_filters_and_captures_are_rejected_early() {
    let values = Value::map([("big", text(&"x".repeat(1 << 20)))]);
    let render =
        |source: &str, expected: &str| refused("templatestring", &[text(source), values.clone()], expected);
    let too_large = "line 1 of the template: a value is larger than 16 MiB";
    let elements = "a value has more than 1000000 elements";
    render("{% macro d(s, n) %}{{ d(s ~ s, n - 1) if n else '' }}{% endmacro %}{{ d('x', 64) }}", "16 MiB");
    render(&format!("{{{{ {} }}}}", vec!["big"; 400].join(" ~ ")), too_large);
    render(&format!("{{{{ {} }}}}", vec!["'x' * 100000000"; 100].join(" ~ ")), "16 MiB");
    render(&format!("{{{{ {} }}}}", vec!["big"; 100_000].join(" ~ ")), "more than 1000 parts");
    render("{{ '%1000000000s'|format('x') }}", too_large);
    render("{{ '%*d'|format(1000000000, 1) }}", too_large);
    render("{{ '%.1000000000f'|format(1.5) }}", too_large);
    render("{{ 'a\\nb'|indent(1000000000) }}", too_large);
    render("{{ 'a\\nb'|indent(width=1000000000) }}", too_large);
    render("{{ range(1000)|join(big) }}", too_large);
    render("{{ [1]|batch(1000000000, 'x') }}", elements);
    render("{{ [1]|slice(1000000000) }}", elements);
    render("{{ (big ~ big)|list }}", elements);
    render("{{ range(1000)|map('replace', '', big)|list }}", "256 MiB");
    let literal = "l".repeat(100_000);
    render(
        &format!("{{% set x %}}{{% for i in range(100000) %}}{literal}{{% endfor %}}{{% endset %}}"),
        "64 MiB",
    );
    render(
        &format!(
            "{{% macro m() %}}{literal}{{% endmacro %}}{{% for i in range(100000) %}}{{% set x = m() %}}{{% endfor %}}"
        ),
        "64 MiB",
    );
}

#[test]
fn ordinary_templates_stay_within_the_limits() {
    let source = "{% set ns = namespace(l=[], s='') %}{% for i in range(2000) %}\
        {% set ns.l = ns.l + ['line ' ~ i] %}{% set ns.s = ns.s ~ 'line ' ~ i %}{% endfor %}\
        {{ ns.l|length }} {{ ns.s|length }}";
    let rendered = call("templatestring", &[text(source), Value::map::<&str>([])]);
    assert_eq!(rendered, Ok(text("2000 16890")));
}

#[test]
fn patterns_end() {
    let many = text(&"a".repeat(20_000));
    assert_eq!(call("regexall", &[text("(a*)*b"), text(&"a".repeat(1000))]), Ok(Value::list([])));
    refused(
        "regex",
        &[text("((a{99}){99}){99}"), many.clone()],
        "the pattern is invalid: compiled regex exceeded",
    );
    refused("regex", &[text("(.?){5000}z"), many], "too complex for a text of this length");
}
