//! Values of expressions.

use crate::print::check_expressions;

/// The names that the expressions below refer to.
const AROUND: &str = r#"
param "root" { default = "/srv" }
param "token" {
  default   = "pw"
  sensitive = true
}
locals {
  n     = 3
  list  = ["a", "b", "c"]
  map   = { x = 1, y = 2 }
  sites = [{ name = "a", ports = [80, 443] }, { name = "b", ports = [81] }]
  late  = task.t.out
  mixed = [1, task.t.out]
}
task "t" {}
file "f" { for_each = ["p", "q"] }
log "uses" { message = [param.root, param.token, local.n, local.list, local.map, local.sites, local.late, local.mixed] }
"#;

#[track_caller]
fn check_all(rows: &[(&str, &str)]) {
    check_expressions(AROUND, rows);
}

#[test]
fn a_whole_number_is_an_index_however_it_is_written() {
    check_expressions(
        "",
        &[
            ("[10, 20][1.0]", "20"),
            ("[10, 20][0.5 * 2]", "20"),
            ("{ \"1\" = \"a\" }[1.0]", "\"a\""),
            ("[10, 20][2 / 2]", "20"),
        ],
    );
}

#[test]
fn identifiers_follow_unicode() {
    check_expressions(
        "",
        &[
            ("{ नमस्ते = 1 }", "{ नमस्ते = 1 }"),
            ("{ he\u{301}llo = 1 }.he\u{301}llo", "1"),
            ("[for größe-2 in [1] : größe-2]", "[1]"),
            ("{ _a1 = 1 }._a1", "1"),
        ],
    );
}

#[test]
fn arithmetic() {
    check_all(&[
        ("1 + 2", "3"),
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10 - 4 - 3", "3"),
        ("100 / 10 / 5", "2"),
        ("7 / 2", "3.5"),
        ("6 / 2", "3"),
        ("7 % 4", "3"),
        ("-7 % 4", "-3"),
        ("7.5 % 2", "1.5"),
        ("2 * 3 % 4", "2"),
        ("-2 * -3", "6"),
        ("- -3", "3"),
        ("-local.n", "-3"),
        ("1.5 + 1.5", "3"),
        ("0.1 + 0.2", "0.30000000000000004"),
        ("1e3 + 1", "1001"),
        ("9223372036854775806 + 1", "9223372036854775807"),
        ("1 -1", "0"),
        ("3-local.n", "0"),
    ]);
}

#[test]
fn logic_and_comparison() {
    check_all(&[
        ("1 < 2", "true"),
        ("2 <= 2", "true"),
        ("3 > 2 && 2 >= 2", "true"),
        ("1 == 1.0", "true"),
        ("1 == \"1\"", "false"),
        ("null == null", "true"),
        ("[1, 2] == [1, 2]", "true"),
        ("{ a = 1 } == { a = 2 }", "false"),
        ("{ a = 1 } != { b = 1 }", "true"),
        ("true || false && false", "true"),
        ("(true || false) && false", "false"),
        ("!true || true", "true"),
        ("!(true || true)", "false"),
        ("1 + 1 == 2", "true"),
        ("1 < 2 == true", "true"),
        ("1 == 1 == true", "true"),
        ("false && 1 / 0 == 1", "false"),
        ("true || local.map.nowhere", "true"),
        ("\"a\" == \"a\" ? 1 : 2", "1"),
    ]);
}

#[test]
fn conditionals() {
    check_all(&[
        ("true ? 1 : 2", "1"),
        ("false ? 1 : true ? 2 : 3", "2"),
        ("false ? 1 : false ? 2 : 3", "3"),
        ("true ? false ? 1 : 2 : 3", "2"),
        ("1 > 2 ? \"a\" : [1]", "[1]"),
        ("true ? 1 : 1 / 0", "1"),
        ("local.n > 2 && local.n < 5 ? local.n + 1 : 0", "4"),
        ("(\n  true\n  ? 1\n  : 2\n)", "1"),
    ]);
}

#[test]
fn loops() {
    check_all(&[
        ("[for x in local.list : \"${x}!\"]", r#"["a!", "b!", "c!"]"#),
        ("[for i, x in local.list : \"${i}${x}\"]", r#"["0a", "1b", "2c"]"#),
        ("[for x in local.list : x if x != \"b\"]", r#"["a", "c"]"#),
        ("[for k, v in local.map : \"${k}=${v}\"]", r#"["x=1", "y=2"]"#),
        ("[for v in local.map : v * 2]", "[2, 4]"),
        ("{ for k, v in local.map : v => k }", r#"{ 1 = "x", 2 = "y" }"#),
        ("{ for i, x in local.list : x => i if i > 0 }", "{ b = 1, c = 2 }"),
        (
            "{ for x in [\"ab\", \"ac\", \"b\"] : substr(x, 0, 1) => x... }",
            r#"{ a = ["ab", "ac"], b = ["b"] }"#,
        ),
        ("[for x in [] : x]", "[]"),
        ("{ for x in [] : x => x }", "{}"),
        (
            "[for s in local.sites : [for p in s.ports : \"${s.name}:${p}\"]]",
            r#"[["a:80", "a:443"], ["b:81"]]"#,
        ),
        ("[for x in [1, 2] : [for x in [x * 10] : x]]", "[[10], [20]]"),
        ("[\n  for x in local.list :\n  x\n  if true\n]", r#"["a", "b", "c"]"#),
        ("[for local_ in [1] : local_]", "[1]"),
        ("[for f in file.f : f.sha256]", r#"[?(file.f["p"].sha256), ?(file.f["q"].sha256)]"#),
        ("[for k, f in file.f : k]", r#"["p", "q"]"#),
    ]);
}

#[test]
fn splats() {
    check_all(&[
        ("local.sites[*].name", r#"["a", "b"]"#),
        ("local.sites.*.name", r#"["a", "b"]"#),
        ("local.sites[*].ports[0]", "[80, 81]"),
        // The legacy splat takes fields only: the index applies to the resulting list.
        ("local.sites.*.ports[0]", "[80, 443]"),
        ("local.list[*]", r#"["a", "b", "c"]"#),
        ("local.n[*]", "[3]"),
        ("null[*]", "[]"),
        ("local.map[*].x", "[1]"),
        ("[][*].anything", "[]"),
        ("[[1], [2]][*][0]", "[1, 2]"),
        ("values(file.f)[*].size", r#"[?(file.f["p"].size), ?(file.f["q"].size)]"#),
    ]);
}

#[test]
fn members() {
    check_all(&[
        ("local.list[0]", "\"a\""),
        ("local.list[local.n - 1]", "\"c\""),
        ("local.list.1", "\"b\""),
        ("local.map.x", "1"),
        ("local.map[\"y\"]", "2"),
        ("local.sites[1].ports[0]", "81"),
        ("local.sites.0.ports.1", "443"),
        ("[1, 2][1]", "2"),
        ("{ a = { b = [5] } }.a.b[0]", "5"),
        ("(local.map).x", "1"),
        ("local[\"n\"]", "3"),
        ("{ 1 = \"one\" }[1]", "\"one\""),
        ("keys(local.map)[0]", "\"x\""),
    ]);
}

#[test]
fn templates() {
    check_all(&[
        (r#""a${local.n}b""#, "\"a3b\""),
        (r#""${local.list}""#, r#"["a", "b", "c"]"#),
        (r#""%{ if local.n > 2 }big%{ else }small%{ endif }""#, "\"big\""),
        (r#""%{ if false }x%{ endif }""#, "\"\""),
        (r#""%{ for x in local.list }${x},%{ endfor }""#, "\"a,b,c,\""),
        (r#""%{ for i, x in local.list }${i}=${x};%{ endfor }""#, "\"0=a;1=b;2=c;\""),
        (r#""a %{ for x in [] }x%{ endfor } b""#, "\"a  b\""),
        (r#""a  ${~ local.n ~}  b""#, "\"a3b\""),
        (r#""a %{~ if true ~} x %{~ endif ~} b""#, "\"axb\""),
        (r#""%{ for x in [1, 2] }%{ if x > 1 }${x}%{ endif }%{ endfor }""#, "\"2\""),
        (r#""$${local.n} %%{ if }""#, "\"$${local.n} %%{ if }\""),
        (r#""\u00e9\t\"${"\"q\""}""#, "\"é\\t\\\"\\\"q\\\"\""),
        ("<<E\na ${local.n}\n  b\nE\n", "\"a 3\\n  b\\n\""),
        ("<<-E\n    a\n      ${local.n}\n    E\n", "\"a\\n  3\\n\""),
        ("<<-E\n  %{ for x in local.list ~}\n  - ${x}\n  %{ endfor ~}\n  E\n", "\"- a\\n- b\\n- c\\n\""),
        ("<<-E\n  x\n  %{ if local.n > 2 ~}\n  y\n  %{ endif ~}\n  z\n  E\n", "\"x\\ny\\nz\\n\""),
    ]);
}

#[test]
fn functions() {
    check_all(&[
        ("upper(\"a\")", "\"A\""),
        ("max(1, 5, 3)", "5"),
        ("max([1, 5, 3]...)", "5"),
        ("max(9, [1, 5]...)", "9"),
        ("join(\"-\", [for x in local.list : upper(x)])", "\"A-B-C\""),
        ("try(local.map.z, \"none\")", "\"none\""),
        ("try(local.map.x, \"none\")", "1"),
        ("try(local.map.z, local.map.w, 5)", "5"),
        ("can(local.map.x)", "true"),
        ("can(local.map.z)", "false"),
        ("can(1 / 0)", "false"),
        ("length(\n  local.list,\n)", "3"),
        ("merge(local.map, { x = 9 })", "{ x = 9, y = 2 }"),
        ("env(\"HOME\")", "\"/root\""),
    ]);
}

#[test]
fn facts_and_paths() {
    check_all(&[
        ("host.hostname", "\"web1\""),
        ("host.os.family == \"debian\"", "true"),
        ("host[\"os\"][\"family\"]", "\"debian\""),
        ("host.cpu.count * 2", "4"),
        ("host.os", "{ family = \"debian\", version = null }"),
        ("try(host.os.version, \"?\")", "\"?\""),
        ("path.module", "\".\""),
        ("path.root", "\".\""),
        ("path.cwd", "\"/here\""),
    ]);
}

/// Mistakes in the console have places in the typed text.
#[test]
fn mistakes_in_the_console() {
    check_all(&[
        (
            "1 +",
            "E0113 console:1:3 missing value\n  expected a value after `+`, found the end of the file\n  fix: write a value after it, or remove it",
        ),
        (
            "1 2",
            "E0128 console:1:3 unexpected token\n  unexpected `2` after the expression\n  fix: write one expression, and no more",
        ),
        (
            "param.roof",
            "E0204 console:1:1 unknown param\n  there is no param `roof`\n  fix: did you mean `param.root`?",
        ),
        (
            "uper(1)",
            "E0214 console:1:1 unknown function\n  there is no function `uper`\n  fix: did you mean `upper`?",
        ),
        ("local.map.z", "E0209 console:1:1 unknown member\n  the map has no `z`\n  fix: did you mean `x`?"),
        (
            "each.key",
            "E0211 console:1:1 `each` without `for_each`\n  `each.key` is used in a block without `for_each`\n  \
          fix: add `for_each = …` to the block, or write the value itself",
        ),
    ]);
}
