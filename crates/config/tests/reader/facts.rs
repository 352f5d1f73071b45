//! Facts about reading that other systems' tests pin down, by their ids: see `docs/facts-chef.md`.

use crate::print::{check, diagnostics, read_text};

/// The first thing that is said about a block with this argument.
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
fn told(notifies: &str, expected: &str) {
    check(
        &format!("t \"a\" {{ notifies = {notifies} }}"),
        &format!("t.a\n  notifies {expected}\nconverge t.a"),
    );
}

#[test]
fn not_25_who_is_told_may_be_a_value() {
    check(
        "locals { told = t.b }\nt \"a\" { notifies = [local.told.run] }",
        "t.a\n  notifies t.b run\nconverge t.a",
    );
}

#[test]
fn not_31_an_unknown_moment_is_refused() {
    refused("notifies = { later = [t.b.run] }", "unknown moment");
    refused("subscribes = { run = { later = [t.b] } }", "unknown moment");
}

#[test]
fn not_34_without_a_moment_it_is_delayed() {
    told("[t.b.run]", "t.b run");
    told("{ delayed = [t.b.run] }", "t.b run");
}

#[test]
fn not_35_immediate_is_immediately() {
    told("{ immediate = [t.b.run] }", "t.b run immediately");
    told("{ immediately = [t.b.run] }", "t.b run immediately");
}

#[test]
fn grd_15_a_guard_is_a_command_or_a_condition() {
    for empty in ["\"\"", "\" \"", "[]", "{}", "{ dir = \"/\" }"] {
        refused(&format!("only_if = {empty}"), "invalid guard");
    }
    refused("not_if = null", "invalid meta argument");
}

#[test]
fn grd_16_a_command_is_text() {
    refused("only_if = 5", "invalid meta argument");
    refused("only_if = { command = 5 }", "invalid meta argument");
    refused("only_if = { command = [\"test\", 5] }", "invalid meta argument");
}

#[test]
fn grd_25_a_constant_is_no_guard() {
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
