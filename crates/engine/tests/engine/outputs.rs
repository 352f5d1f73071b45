//! Outputs: values that the configuration reports.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::{Term, Value};

use super::check::SharedHost;
use super::expression::{read, secret, template};
use super::script::{Script, block, id, note, output, same};

fn script(by_command: bool) -> Script {
    let a = id("note", "/d/a");
    Script::all([
        output("said", template(&a, "length")),
        output("one", Term::Known(Value::Int(1))),
        output("hidden", secret(&a, "text")),
        output("words", read(&a, "size.words")),
        note("/d/a", "12345").set("by_command", by_command),
    ])
}

#[test]
fn outputs_are_reported_in_declared_order_if_known() {
    let host = SharedHost::new();
    same(
        &script(true).run(&host, Plan),
        r#"
        + note["/d/a"] text: nothing -> "12345"
        said = (known after apply)
        one = 1
        hidden = (sensitive value)
        words = (known after apply)
        0 ok, 1 changed, 0 failed, 0 skipped"#,
    );
    let known = r#"
        + note["/d/a"] text: nothing -> "12345"
        said = "it is 5"
        one = 1
        hidden = (sensitive value)
        words = 1
        0 ok, 1 changed, 0 failed, 0 skipped"#;
    same(&script(false).run(&host, Plan), known);
    same(&script(true).run(&host, Apply), known);
}

/// The run has already failed; there is no second failure for the same reason.
#[test]
fn an_output_that_cannot_be_computed_stays_unknown() {
    let b = id("bad", "b");
    same(
        &block(b.clone()).and(output("good", read(&b, "good"))).run(&SharedHost::new(), Apply),
        r#"
        x bad.b cannot look ["it is dark"] switch on the light
        good = (known after apply)
        0 ok, 0 changed, 1 failed, 0 skipped"#,
    );
}

#[test]
fn outputs_are_checked_before_the_run() {
    let check = |script: Script, expected: &str| same(&script.problems(), expected);
    let one = || Term::Known(Value::Int(1));
    check(
        output("x", one()).and(output("y", one())).and(output("x", one())),
        "@2 duplicate definition: output `x` is declared twice; each name can be declared only once | give one of them another name, or remove it
        @0 first written here",
    );
    check(
        note("/d/a", "x").and(output("x", read(&id("note", "/d/a"), "lenght"))),
        "@900 unknown property in a reference: a note has no property `lenght` | did you mean `length`?",
    );
}
