//! Large and deep texts: time and memory are linear in their length.

use crate::format;

/// The length of the largest text here, in bytes.
const LARGE: usize = 10_000_000;

/// The processor time of this thread in nanoseconds: other work on the machine does not count.
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn processor_time() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    times.split(' ').next().and_then(|time| time.parse().ok()).expect("a number")
}

/// The cost of formatting `text`, successful or not. Its length is part of the cost.
fn cost_once(text: &str) -> f64 {
    let start = processor_time();
    let length = format(text).map_or(0, |after| after.len());
    let cost = processor_time() - start;
    assert!(length <= 300 * text.len(), "{length} bytes of {}", text.len());
    cost
}

/// The minimum of three runs.
fn cost(text: &str) -> f64 {
    (0..3).map(|_| cost_once(text)).fold(f64::MAX, f64::min)
}

/// Four times the text may cost four times as much, but not sixteen times. The kernel counts in steps of some
/// milliseconds: smaller costs are not compared.
#[track_caller]
fn check_linear(text: impl Fn(usize) -> String) {
    let (small, large) = (cost(&text(10_000)), cost(&text(40_000)));
    assert!(large < 9.0 * small.max(5e6), "{:?}: {small} ns, then {large} ns", &text(3));
}

#[test]
fn linear_in_every_direction() {
    check_linear(|n| "a = 1 # b\n".repeat(n));
    check_linear(|n| format!("a = [{}]\n", "1 , ".repeat(n)));
    check_linear(|n| format!("{}{}", "a = [\n".repeat(n), "]\n".repeat(n)));
    check_linear(|n| format!("a = {}{}\n", "[(".repeat(n), ")]".repeat(n)));
    check_linear(|n| format!("a = {}1{}\n", "\"${".repeat(n), "}\"".repeat(n)));
    check_linear(|n| format!("a = {}1{}\n", "<<X\n${".repeat(n), "}\nX\n".repeat(n)));
    check_linear(|n| format!("a = <<X\n{}X\n", " XX\n".repeat(n)));
    check_linear(|n| format!("{} = 1\n{}", "w".repeat(n), "a = 1\n".repeat(n)));
    check_linear(|n| format!("a = \"{}\" # b\n{}", "w".repeat(n), "a = 1 # b\n".repeat(n)));
    check_linear(|n| format!("{0} = 1\n{0} = 1\n", "\"é\" ".repeat(n)));
    check_linear(|n| "\n".repeat(n));
    check_linear(|n| "/* a */ ".repeat(n));
    check_linear(|n| format!("a = {}1\n", "- ".repeat(n)));
}

#[test]
fn linear_when_refused() {
    check_linear(|n| "a = [\n".repeat(n));
    check_linear(|n| format!("a = {}", "\"${".repeat(n)));
    check_linear(|n| format!("a = {}", "<<X\n${".repeat(n)));
    check_linear(|n| format!("a = \"{}", "/* ".repeat(n)));
    check_linear(|n| format!("a = {}", "<<X\n".repeat(n)));
    check_linear(|n| format!("{}$", "a = 1\n".repeat(n)));
}

/// Long lines, many lines and deep nesting at once.
#[test]
fn ten_megabytes() {
    let part = |n: usize| {
        let list = "[1, {a=\"${b [ 0 ]}\"}],".repeat(n);
        let lines = "long_name=1 # c\nb =  [2]\n".repeat(n);
        format!("{}a=[{list}]\n{lines}{}", "x {\n".repeat(n), "}\n".repeat(n))
    };
    let count = LARGE / part(1).len();
    let (quarter, whole) = (cost_once(&part(count / 4)), cost_once(&part(count)));
    assert!(whole < 9.0 * quarter, "a quarter of it {quarter} ns, all of it {whole} ns");
}
