//! Large and deep texts: a clear message, in linear time.

use crate::print::{diagnostics, read_text, statements};

const DEEP: usize = 10_000;

#[track_caller]
fn check(text: &str, expected: &str) {
    let (sources, reading) = read_text(text);
    assert_eq!(diagnostics(&sources, &reading), expected);
}

fn too_deep(place: &str) -> String {
    format!(
        "E0801 {place} nested too deeply\n  blocks, brackets and templates are nested more than 64 levels deep\n  \
         fix: split it into several resources or simpler values"
    )
}

#[test]
fn deep_nesting_is_one_problem() {
    let around = |open: &str, inner: &str, close: &str| {
        format!("k \"n\" {{\n  v = {}{inner}{}\n}}\n", open.repeat(DEEP), close.repeat(DEEP))
    };
    check(&around("[", "", "]"), &too_deep("2:70"));
    check(&around("(", "1", ")"), &too_deep("2:70"));
    check(&around("{a=", "1", "}"), &too_deep("2:196"));
    check(&around("\"${", "1", "}\""), &too_deep("2:101"));
    check(&around("[\"${", "1", "}\"]"), &too_deep("2:91"));
    check(&format!("k \"n\" {{\n{}{}}}\n", "a {\n".repeat(DEEP), "}\n".repeat(DEEP)), &too_deep("65:3"));
}

#[test]
fn deep_nesting_that_never_ends_is_one_problem() {
    let opened = |open: &str| format!("k \"n\" {{\n  v = {}", open.repeat(DEEP));
    check(&opened("["), &too_deep("2:70"));
    check(&opened("("), &too_deep("2:70"));
    check(&opened("{a="), &too_deep("2:196"));
    check(&opened("\"${"), &too_deep("2:101"));
    check(&opened("[<<A\n${"), &too_deep("23:3"));
    check(&format!("k \"n\" {{\n{}", "a {\n".repeat(DEEP)), &too_deep("65:3"));
    check(
        &format!("k \"n\" {}", "{".repeat(DEEP)),
        "E0128 1:8 unexpected token\n  a block or an attribute starts with a name, not with `{`\n  fix: remove it, or write `name = value`",
    );
}

#[test]
fn a_deep_mistake_does_not_hide_the_next() {
    let text = format!("k \"n\" {{\n  v = {}{}\n  w = 0644\n}}\n", "[".repeat(DEEP), "]".repeat(DEEP));
    let zero = "E0112 3:7 number with a leading zero\n  `0644` would be read as decimal\n  fix: write \"0644\" or 0o644";
    check(&text, &format!("{}\n{zero}", too_deep("2:70")));
}

#[test]
fn sixty_levels_are_fine() {
    let text = format!("k \"n\" {{\n  v = {}{}\n}}\n", "[".repeat(60), "]".repeat(60));
    check(&text, "");
}

#[test]
fn a_line_of_ten_megabytes() {
    let long = "x".repeat(10 << 20);
    check(&format!("k \"n\" {{\n  v = \"{long}\"\n}}\n"), "");
    check(&format!("k \"n\" {{\n  # {long}\n}}\n"), "");
    check(
        &format!("k \"n\" {{\n  v = \"{long}\n}}\n"),
        "E0101 2:7 unclosed string\n  the line ends before the closing `\"`\n  fix: add `\"`; for a string of \
         several lines use a heredoc: `<<-END`",
    );
    let (sources, reading) = read_text(&format!("k \"n\" {{\n  v = {long}\n}}\n"));
    assert!(diagnostics(&sources, &reading).len() < 300, "long words are cut in messages");
}

#[test]
fn problems_are_capped() {
    let (sources, reading) = read_text(&"k {}\n".repeat(250));
    assert_eq!(statements(&reading), "");
    assert_eq!(reading.diagnostics.iter().count(), 101);
    let last = reading.diagnostics.iter().last().map(|problem| crate::print::diagnostic(&sources, problem));
    let expected =
        "E0807 100:1 too many problems\n  150 more are not shown\n  fix: fix the problems above first";
    assert_eq!(last.as_deref(), Some(expected));
}

#[test]
fn a_warning_never_displaces_an_error() {
    let locals: String = (0..200).map(|i| format!("  unused{i} = 1\n")).collect();
    let (sources, reading) =
        read_text(&format!("locals {{\n{locals}}}\nlog \"l\" {{ v = local.nowhere }}\n"));
    let expected =
        "E0203 203:15 unknown local\n  there is no local `nowhere`\n  fix: set it: `locals { nowhere = … }`";
    assert_eq!(diagnostics(&sources, &reading), expected);
}
