//! Facts about reading that tests of other systems pin down, by id: see `docs/facts-chef.md`.

use crate::print::{check, diagnostics, read_text};

/// Checks the first problem of a block with this argument.
#[track_caller]
fn refused(argument: &str, summary: &str) {
    let (sources, reading) = read_text(&format!("t \"a\" {{ {argument} }}"));
    let said = diagnostics(&sources, &reading);
    assert!(
        said.starts_with('E') && said.lines().next().is_some_and(|line| line.ends_with(summary)),
        "{said}"
    );
}

#[track_caller]
fn check_notified(notifies: &str, expected: &str) {
    check(
        &format!("t \"a\" {{ notifies = {notifies} }}"),
        &format!("t.a\n  notifies {expected}\nconverge t.a"),
    );
}

#[test]
fn not_25_the_notified_resource_can_be_a_value() {
    check(
        "locals { check_notified = t.b }\nt \"a\" { notifies = [local.check_notified.run] }",
        "t.a\n  notifies t.b run\nconverge t.a",
    );
}

#[test]
fn not_31_an_unknown_moment_is_rejected() {
    refused("notifies = { later = [t.b.run] }", "unknown moment");
    refused("subscribes = { run = { later = [t.b] } }", "unknown moment");
}

#[test]
fn not_34_without_a_moment_it_is_delayed() {
    check_notified("[t.b.run]", "t.b run");
    check_notified("{ delayed = [t.b.run] }", "t.b run");
}

#[test]
fn not_35_immediate_is_immediately() {
    check_notified("{ immediate = [t.b.run] }", "t.b run immediately");
    check_notified("{ immediately = [t.b.run] }", "t.b run immediately");
}

#[test]
fn grd_15_a_guard_is_a_command_or_a_condition() {
    for empty in ["\"\"", "\" \"", "[]", "{}", "{ dir = \"/\" }"] {
        refused(&format!("only_if = {empty}"), "invalid guard");
    }
    refused("not_if = null", "invalid meta argument");
}

#[test]
fn grd_16_a_command_is_a_string() {
    refused("only_if = 5", "invalid meta argument");
    refused("only_if = { command = 5 }", "invalid meta argument");
    refused("only_if = { command = [\"test\", 5] }", "invalid meta argument");
}

#[test]
fn grd_25_a_constant_is_not_a_guard() {
    for constant in ["true", "false"] {
        refused(&format!("only_if = {constant}"), "guard is constant");
        refused(&format!("not_if = {constant}"), "guard is constant");
        refused(&format!("not_until = {constant}"), "guard is constant");
    }
    check(
        "param \"on\" { default = false }\nt \"a\" { only_if = param.on }",
        "t.a\n  only_if false\nconverge t.a",
    );
}
