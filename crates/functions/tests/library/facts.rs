//! Facts TPL of Chef's template specs, by id: see `docs/facts-chef.md`.

use uphold_model::{Shape, Value};

use crate::expression::shown;
use crate::world::call;

#[test]
fn tpl_01_values_are_rendered() {
    assert_eq!(shown("templatestring(\"{{ a }}-{{ b }}\", { a = 1, b = \"x\" })"), "\"1-x\"");
}

#[test]
fn tpl_02_a_path_is_local_or_whole() {
    let expected = "\"Welcome to web1\\n-- ops\\n\"";
    assert_eq!(shown("template(\"templates/motd.j2\", { host = \"web1\" })"), expected);
    assert_eq!(shown("template(\"/srv/site/templates/motd.j2\", { host = \"web1\" })"), expected);
}

/// Helpers are macros of the template; included templates see the same values.
#[test]
fn tpl_03_differs_helpers_are_macros() {
    let helper = "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice(host) }}";
    assert_eq!(shown(&format!("templatestring(\"{helper}\", {{ host = \"ab\" }})")), "\"abab\"");
    let partial = "{% include 'wrong/greeting.j2' %}";
    assert_eq!(shown(&format!("templatestring(\"{partial}\", {{ host = \"web1\" }})")), "\"Hello web1\\n\"");
}

/// Line ends are written as they are in the template: there is one platform.
#[test]
fn tpl_04_differs_line_ends_stay_as_they_are() {
    let arguments = [Value::text("a\r\n{{ b }}\n\r\n"), Value::map([("b", Value::text("c\r\n"))])];
    assert_eq!(call("templatestring", &arguments), Ok(Value::text("a\r\nc\r\n\n\r\n")));
}

#[test]
fn tpl_05_unknown_values_make_the_result_unknown() {
    let unknown = Value::unknown("note.a.length");
    let deep = Value::list([Value::map([("c", Value::list([unknown.clone()]))])]);
    for value in [unknown, deep] {
        let arguments = [Value::text("{{ a }}"), Value::map([("a", value)])];
        let Ok(Value::Unknown(later)) = call("templatestring", &arguments) else { panic!("it is known") };
        assert_eq!((&*later.waits_for, later.shape), ("note.a.length", Some(Shape::Text)));
    }
}

#[test]
fn tpl_06_maps_are_values_however_deep() {
    let values = "{ fact = { os = { name = \"debian\" }, cpus = [2, 4] } }";
    let text = "{{ fact.os.name }} {{ fact['cpus'][1] }}";
    assert_eq!(shown(&format!("templatestring(\"{text}\", {values})")), "\"debian 4\"");
}
