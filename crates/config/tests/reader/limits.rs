//! Large and deep texts: a clear answer, in linear time.

use crate::print::{diagnostics, read_text, statements};

const DEEP: usize = 10_000;

#[track_caller]
fn check(text: &str, expected: &str) {
    let (sources, reading) = read_text(text);
    assert_eq!(diagnostics(&sources, &reading), expected);
}

/// Nanoseconds that this thread has had the processor: other work on the machine does not count.
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn processor_time() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    times.split(' ').next().and_then(|time| time.parse().ok()).expect("a number")
}

/// The lesser of two times that reading takes.
fn cost(text: &str) -> f64 {
    let once = || {
        let start = processor_time();
        let (_, reading) = read_text(text);
        assert!(reading.diagnostics.iter().count() <= 101, "problems are capped");
        processor_time() - start
    };
    (0..2).map(|_| once()).fold(f64::MAX, f64::min)
}

/// Four times the text may cost four times as much, and not sixteen times. The kernel counts in
/// steps of some milliseconds: what costs less is not compared.
#[track_caller]
fn check_linear(text: impl Fn(usize) -> String) {
    let (small, large) = (cost(&text(5_000)), cost(&text(20_000)));
    assert!(large < 9.0 * small.max(5e6), "{:?}: {small} ns, then {large} ns", &text(10)[..20]);
}

fn too_deep(place: &str) -> String {
    format!(
        "{place} nested too deeply | more than 64 blocks, brackets and templates inside one another | \
         split it into several resources or simpler values"
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
        "1:8 unexpected text | a block or an attribute starts with a name, not with `{` | remove it, or write `name = value`",
    );
}

#[test]
fn a_deep_mistake_does_not_hide_the_next() {
    let text = format!("k \"n\" {{\n  v = {}{}\n  w = 0644\n}}\n", "[".repeat(DEEP), "]".repeat(DEEP));
    let zero = "3:7 number with a leading zero | `0644` would be read as decimal | write \"0644\" or 0o644";
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
        "2:7 unclosed string | the line ends before the closing `\"` | add `\"`; for a text of several lines use a heredoc: `<<-END`",
    );
    let (sources, reading) = read_text(&format!("k \"n\" {{\n  v = {long}\n}}\n"));
    assert!(diagnostics(&sources, &reading).len() < 300, "long words are cut in messages");
}

#[test]
fn time_is_linear() {
    let block = |i| format!("file \"/f{i}\" {{\n  a = \"b ${{t.x{i}.y}}\"\n  c {{ d = [1, 2] }}\n}}\n");
    check_linear(|blocks| (0..blocks).map(block).collect());
}

#[test]
fn no_mistake_is_quadratic() {
    check_linear(|many| "k \"n\" {\n".repeat(many));
    check_linear(|many| "}".repeat(many + 20));
    check_linear(|many| "k \"n\" { v = \"\n".repeat(many));
    check_linear(|many| "k \"n\" { v = [\n".repeat(many));
    check_linear(|many| format!("k \"n\" {{\n v = {}\n{}", "[".repeat(many), " \"\n".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n{}}}", "  a = 1\n".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n{}}}", "  a {}\n".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n v = {{ {} }}\n}}", "a = 1, ".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n v = \"{}\"\n}}", "${".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n v = {}1\n}}", "-".repeat(many)));
    check_linear(|many| "<<A\n".repeat(many));
    check_linear(|many| "k \"n\" { v = <<A\n".repeat(many));
    check_linear(|many| "a /* \n".repeat(many));
    check_linear(|many| "a: /*\n".repeat(many));
    check_linear(|many| "- a\nk \"n\" {}\n".repeat(many));
    check_linear(|many| "k \"n\"\n  a = 1\n".repeat(many));
    check_linear(|many| format!("k \"n\" {{\n{}}}", "v = <<A\n${[/*\nA\n".repeat(many)));
    check_linear(|many| format!("k \"n\" {{\n{}}} */", "v = <<A\n${{\nA\n".repeat(many)));
    check_linear(|many| "k 'a".repeat(many));
    check_linear(|many| format!("k \"n\" {{ v = \"${{f({}\n}}", "\\\"".repeat(many)));
}

#[test]
fn problems_are_capped() {
    let (sources, reading) = read_text(&"k {}\n".repeat(250));
    assert_eq!(statements(&reading), "");
    let text = diagnostics(&sources, &reading);
    assert_eq!(text.lines().count(), 101);
    assert_eq!(
        text.lines().last(),
        Some("100:1 too many problems | 150 more are not shown | mend those above first")
    );
}
