//! Time is linear in the text, in the number of resources, and in the number of mistakes.

use crate::print::read_files;
use crate::processor::cost;

/// The minimum cost of reading, of two runs.
fn reading_cost(files: &[(&str, &str)]) -> f64 {
    let once = || {
        let (time, (_, reading)) = cost(|| read_files(files, []));
        assert!(reading.diagnostics.iter().count() <= 101, "problems are capped");
        time
    };
    (0..2).map(|_| once()).fold(f64::MAX, f64::min)
}

/// Four times as much may cost four times as much, but not sixteen times. The kernel counts in steps of some
/// milliseconds: smaller costs are not compared.
#[track_caller]
fn check_files(count: usize, files: impl Fn(usize) -> Vec<(&'static str, String)>) {
    let measure = |count: usize| {
        let files = files(count);
        reading_cost(&files.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>())
    };
    let (small, large) = (measure(count), measure(4 * count));
    let (_, text) = &files(10)[0];
    let head: String = text.chars().take(60).collect();
    assert!(large < 9.0 * small.max(5e6), "{head:?}: {small} ns, then {large} ns");
}

#[track_caller]
fn check(count: usize, text: impl Fn(usize) -> String) {
    check_files(count, |count| vec![("a.hcl", text(count))]);
}

fn repeated(count: usize, one: impl Fn(usize) -> String) -> String {
    (0..count).map(one).collect()
}

#[test]
fn blocks() {
    check(5_000, |n| {
        repeated(n, |i| format!("file \"/f{i}\" {{\n  a = \"b ${{t.x{i}.y}}\"\n  c {{ d = [1, 2] }}\n}}\n"))
    });
    check(2_500, |n| {
        let block = |i| {
            format!("file \"f{i}\" {{\n  a = \"b ${{file.f{}.y}}\"\n  depends_on = [file.f0]\n}}\n", i / 2)
        };
        repeated(n, block)
    });
}

#[test]
fn names() {
    check(2_500, |n| {
        format!("locals {{\n{}}}\n", repeated(n, |i| format!("  l{i} = \"x${{local.l{}}}\"\n", i / 2)))
    });
    check(2_500, |n| {
        let param =
            |i| format!("param \"p{i}\" {{\n  type    = number\n  default = param.p{} + 1\n}}\n", i / 2);
        repeated(n, |i| if i == 0 { "param \"p0\" { default = 1 }\n".into() } else { param(i) })
    });
    check(2_500, |n| repeated(n, |i| format!("output \"o{i}\" {{ value = [{i}] }}\n")));
    // All refer to one.
    check(2_500, |n| {
        let all = repeated(n, |i| format!("log \"l{i}\" {{ message = local.big[{}] }}\n", i % 100));
        format!("locals {{ big = range(100) }}\n{all}")
    });
    check(2_500, |n| {
        let all = repeated(n, |i| format!("log \"l{i}\" {{ message = \"${{local.late}}{i}\" }}\n"));
        format!("task \"t\" {{}}\nlocals {{ late = task.t.out }}\n{all}")
    });
}

#[test]
fn calls_of_functions() {
    check(2_500, |n| {
        repeated(n, |i| format!("log \"l{i}\" {{ message = upper(join(\",\", [\"a\", \"b{i}\"])) }}\n"))
    });
    check(5_000, |n| format!("output \"o\" {{ value = [for i in range({n}) : upper(\"x${{i}}\")] }}\n"));
}

#[test]
fn for_each() {
    let body = "  path = \"/f/${each.key}\"\n  mode = each.value\n";
    check(2_500, |n| format!("file \"f\" {{\n  for_each = range({n})\n{body}}}\n"));
    check(2_500, |n| {
        format!("file \"f\" {{\n  for_each = {{ for i in range({n}) : \"k${{i}}\" => i }}\n{body}}}\n")
    });
    check(2_500, |n| {
        format!(
            "file \"f\" {{\n  for_each = {{ for i in range({n}) : \"k${{i}}\" => t.x.y }}\n{body}}}\nt \"x\" {{}}\n"
        )
    });
    check(2_500, |n| {
        format!("file \"f\" {{ for_each = range({n}) }}\nlog \"l\" {{ v = [for f in file.f : f.size] }}\n")
    });
    check(2_500, |n| {
        let spread = format!("file \"f\" {{ for_each = range({n}) }}\n");
        format!("{spread}log \"l\" {{\n  for_each = range({n})\n  v        = file.f[each.key].size\n}}\n")
    });
}

#[test]
fn modules() {
    let module = "param \"n\" {}\nlocals { path = \"/w/${param.n}\" }\nfile \"w\" { path = local.path }\n\
                  output \"path\" { value = local.path }\n";
    check_files(500, |n| {
        let call = |i| {
            format!(
                "module \"m{i}\" {{\n  source = \"./m\"\n  n      = {i}\n}}\nlog \"l{i}\" {{ v = module.m{i}.path }}\n"
            )
        };
        vec![("a.hcl", repeated(n, call)), ("m/main.hcl", module.into())]
    });
    check_files(500, |n| {
        let calls = format!(
            "module \"m\" {{\n  source   = \"./m\"\n  for_each = range({n})\n  n        = each.value\n}}\n"
        );
        vec![
            ("a.hcl", calls + "output \"all\" { value = [for m in module.m : m.path] }\n"),
            ("m/main.hcl", module.into()),
        ]
    });
    // One call with many params and outputs.
    check_files(1_000, |n| {
        let call = format!(
            "module \"m\" {{\n  source = \"./m\"\n{}}}\n",
            repeated(n, |i| format!("  p{i} = {i}\n"))
        );
        let used = repeated(n, |i| format!("log \"l{i}\" {{ v = module.m.o{i} }}\n"));
        let inside =
            repeated(n, |i| format!("param \"p{i}\" {{}}\noutput \"o{i}\" {{ value = param.p{i} }}\n"));
        vec![("a.hcl", call + &used), ("m/main.hcl", inside)]
    });
}

#[test]
fn mistakes_in_the_text() {
    let many = |text: &'static str| check(5_000, move |n| text.repeat(n));
    many("k \"n\" {\n");
    many("k \"n\" { v = \"\n");
    many("k \"n\" { v = [\n");
    many("<<A\n");
    many("k \"n\" { v = <<A\n");
    many("a /* \n");
    many("a: /*\n");
    many("- a\nk \"n\" {}\n");
    many("k \"n\"\n  a = 1\n");
    many("k 'a");
    check(5_000, |n| "}".repeat(n + 20));
    let inside = |before: &'static str, text: &'static str, after: &'static str| {
        check(5_000, move |n| format!("k \"n\" {{\n{before}{}{after}}}", text.repeat(n)));
    };
    inside("", "  a = 1\n", "");
    inside("", "  a {}\n", "");
    inside(" v = {", "a = 1, ", "}\n");
    inside(" v = \"", "${", "\"\n");
    inside(" v = ", "-", "1\n");
    inside(" v = 1", " + 1", "\n");
    inside(" v = a.b", ".c", "\n");
    inside(" v = a.b", "[0]", "\n");
    inside(" v = a.b", "[*]", "\n");
    inside(" v = \"", "%{ if true }", "\"\n");
    inside(" v = \"", "%{ for x in [1] }", "\"\n");
    inside(" v = ", "f(", "\n");
    inside(" v = ", "true ? 1 : ", "2\n");
    inside(" v = ", "[for x in ", "\n");
    inside(" v = \"", "a ${~ 1 ~} ", "\"\n");
    inside("", "v = <<A\n${[/*\nA\n", "");
    inside(" v = \"${f(", "\\\"", "\n");
    check(5_000, |n| format!("k \"n\" {{\n v = {}\n{}", "[".repeat(n), " \"\n".repeat(n)));
    check(5_000, |n| format!("k \"n\" {{\n{}}} */", "v = <<A\n${{\nA\n".repeat(n)));
}

#[test]
fn mistakes_in_meaning() {
    // Each is similar to many names.
    let locals = |n: usize| format!("locals {{\n{}}}\n", repeated(n, |i| format!("  name{i:05} = 1\n")));
    let attributes =
        |n: usize, one: &dyn Fn(usize) -> String| format!("k \"n\" {{\n{}}}\n", repeated(n, one));
    check(1_000, |n| locals(n) + &attributes(n, &|i| format!("  v{i} = local.nama{i:05}\n")));
    check(1_000, |n| attributes(n, &|i| format!("  v{i} = uper({i})\n")));
    check(1_000, |n| attributes(n, &|i| format!("  v{i} = 1 + \"a\"\n")));
    check(1_000, |n| {
        let map = format!("locals {{ m = {{ for i in range({n}) : \"name${{i}}\" => 1 }} }}\n");
        map + &attributes(n, &|i| format!("  v{i} = local.m.nama{i}\n"))
    });
    check_files(500, |n| {
        let call = format!(
            "module \"m\" {{\n  source = \"./m\"\n{}}}\n",
            repeated(n, |i| format!("  nama{i} = {i}\n"))
        );
        vec![("a.hcl", call), ("m/main.hcl", repeated(n, |i| format!("param \"name{i}\" {{}}\n")))]
    });
    check(1_000, |n| repeated(n, |i| format!("file \"f{i}\" {{ for_each = t.x.y }}\n")));
    check(1_000, |n| repeated(n, |i| format!("param \"p{i}\" {{}}\n")));
}
