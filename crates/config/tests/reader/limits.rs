//! Large and deep texts: a clear answer, in linear time.

use std::time::{Duration, Instant};

use uphold_config::Reading;
use uphold_model::Sources;

use crate::print::{diagnostics, read_text, statements};

const DEEP: usize = 10_000;

#[track_caller]
fn check(text: &str, expected: &str) {
    let ((sources, reading), time) = timed(text);
    assert_eq!(diagnostics(&sources, &reading), expected);
    assert!(time < Duration::from_secs(2), "took {time:?}");
}

#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn timed(text: &str) -> ((Sources, Reading), Duration) {
    let start = Instant::now();
    let answer = read_text(text);
    (answer, start.elapsed())
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
    let time = |blocks: usize| {
        let text: String = (0..blocks)
            .map(|i| format!("file \"/f{i}\" {{\n  a = \"b ${{t.x{i}.y}}\"\n  c {{ d = [1, 2] }}\n}}\n"))
            .collect();
        let ((_, reading), time) = timed(&text);
        assert_eq!(reading.statements.len(), 2 * blocks);
        time.as_secs_f64()
    };
    let best = |blocks: usize| (0..3).map(|_| time(blocks)).fold(f64::MAX, f64::min);
    let (small, large) = (best(10_000), best(20_000));
    assert!(large < 4.0 * small, "10,000 blocks: {small} s, 20,000 blocks: {large} s");
}

#[test]
fn no_mistake_is_quadratic() {
    let many = 50_000;
    let texts = [
        "k \"n\" {\n".repeat(many),
        "}".repeat(many),
        "k \"n\" { v = \"\n".repeat(many),
        "k \"n\" { v = [\n".repeat(many),
        format!("k \"n\" {{\n v = {}\n{}", "[".repeat(many), " \"\n".repeat(many)),
        format!("k \"n\" {{\n{}}}", "  a = 1\n".repeat(many)),
        format!("k \"n\" {{\n{}}}", "  a {}\n".repeat(many)),
        format!("k \"n\" {{\n v = {{ {} }}\n}}", "a = 1, ".repeat(many)),
        format!("k \"n\" {{\n v = \"{}\"\n}}", "${".repeat(many)),
        format!("k \"n\" {{\n v = {}1\n}}", "-".repeat(many)),
        "<<A\n".repeat(many),
        "k \"n\" { v = <<A\n".repeat(many),
        "a /* \n".repeat(many),
    ];
    for text in texts {
        let ((_, reading), time) = timed(&text);
        assert!(reading.diagnostics.iter().count() <= 101, "problems are capped");
        assert!(time < Duration::from_secs(3), "{:?}: {time:?}", &text[..20]);
    }
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
