//! Unknown values of a known type, which are checked before the run.

use uphold_model::{Term, Value};

use super::expression::{read, template};
use super::script::{Script, block, id, note, same};

fn with(property: &str, value: Term) -> Script {
    let b = block(id("note", "/d/b"));
    let b = if property == "text" { b } else { b.set("text", "x") };
    note("/d/a", "12345").set("secret", "s").and(b.with(property, value))
}

#[test]
fn an_unknown_value_of_a_wrong_type_is_refused_before_the_run() {
    let check = |property: &str, path: &str, expected: &str| {
        let transcript = with(property, read(&id("note", "/d/a"), path)).problems();
        same(&transcript, &format!("@800 invalid property: note[\"/d/b\"]: `{property}` = {expected}"));
    };
    check(
        "text",
        "length",
        "(known after apply) must be a string, but will be a number | convert it: tostring(…)",
    );
    check(
        "text",
        "size.words",
        "(known after apply) must be a string, but will be a number | convert it: tostring(…)",
    );
    check(
        "copies",
        "size",
        "(known after apply) must be a whole number, but will be a map | use a whole number",
    );
    check(
        "secret",
        "length",
        "(sensitive value) must be a string, but will be a number | convert it: tostring(…)",
    );
}

#[test]
fn an_unknown_value_that_may_be_valid_is_accepted() {
    let a = id("note", "/d/a");
    let check = |property: &str, value: Term| same(&with(property, value).problems(), "");
    check("text", template(&a, "length"));
    check("text", read(&a, "text"));
    check("text", read(&a, "secret"));
    check("secret", read(&a, "text"));
    check("secret", read(&a, "secret"));
    check("copies", read(&a, "length"));
    check("copies", read(&a, "text"));
    check("beside", read(&a, "length"));
    check("after", read(&a, "text"));
    check("text", Term::Known(Value::unknown("something")));
}
