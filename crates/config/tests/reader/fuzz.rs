//! Fuzz tests of the evaluator: it handles every configuration, when it is read and during the run.

use proptest::prelude::*;
use uphold_model::{Code, Diagnostic, Reference, Scope, Statement, Term, Value};

use crate::print::{diagnostics, read_files};
use crate::processor::cost;

/// A configuration with one of everything.
const MAIN: &str = r#"
param "root" { default = "/srv/www" }
param "ports" {
  type    = list(number)
  default = [80, 443]
  validation {
    condition = length(param.ports) > 0
    message   = "at least one"
  }
}
param "site" {
  type      = object({ name = string, tags = optional(set(string), ["x"]) })
  default   = { name = "a" }
  sensitive = true
}
locals {
  base  = "x-${param.root}"
  sites = { one = { port = 80 }, two = { port = 81 } }
  names = [for name, site in local.sites : upper(name) if site.port > 80]
  late  = { a = task.echo.status.stdout, b = 1 }
}
file "conf" {
  for_each = local.sites
  path     = "/etc/${each.key}.conf"
  content  = "port ${each.value.port} ${host.os.family}"
  depends_on = [task.echo, module.web]
}
file "off" { when = length(param.ports) == 3 }
log "all" {
  message = join(",", [for k, f in file.conf : f.sha256])
  level   = 1 + 2 * 3 == 7 && !false ? "info" : "debug"
  env {
    A = param.site.name
    B = local.sites[*].one.port
  }
}
log "text" {
  message = "%{ for p in param.ports ~} ${p}, %{ endfor }%{ if true }yes%{ else }no%{ endif }"
  body    = <<-END
    Hello ${local.base},
      %{ for n in local.names ~}
      - ${n}
      %{ endfor ~}
  END
}
task "echo" { apply = "echo" }
log "late" {
  for_each   = local.late
  when       = task.echo.status.stdout == each.value
  message    = try(local.sites.three.port, each.value, "none")
  notifies   = [task.echo.run]
  subscribes = { run = [file.conf] }
  retry      = { times = 3, delay = "2s" }
  only_if    = ["test", "-e", each.key]
}
module "web" {
  source   = "./web"
  for_each = ["a", "b"]
  port     = task.echo.status.exitstatus
  more     = max(param.ports...)
}
kind "site" { source = "./web" }
site "main" { port = 5 }
log "kind" { message = site.main.url }
sequence "s" {
  when = task.echo.ok
  trigger task echo { action = "run" }
  parallel {
    log "p1" {}
    log "p2" { action = [remove, converge] }
  }
}
edit "log" "kind" { level = "debug" }
output "o" { value = [module.web["a"].url, local.names, { for k, v in local.sites : v.port => k... }] }
"#;

const WEB: &str = r#"
param "port" { type = number }
param "more" { default = null }
file "/w" { content = "p ${param.port} ${param.more == null ? "" : param.more}" }
output "url" { value = "http://${param.port}" }
"#;

/// A scope with another value for every field.
struct Anything;

impl Scope for Anything {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        let name = reference.to_string();
        Ok(match name.len() % 9 {
            0 => Value::Null,
            1 => Value::Int(i64::MAX),
            2 => Value::Float(0.5),
            3 => Value::text("ä\n"),
            4 => Value::list([Value::Int(1), Value::unknown("t.x.y")]),
            5 => Value::map([("a", Value::text("b").sensitive())]),
            6 => Value::unknown(name),
            7 => return Err(Diagnostic::new(Code::UnknownField, name)),
            _ => Value::Bool(true),
        })
    }
}

fn terms(statement: &Statement) -> Vec<&Term> {
    match statement {
        Statement::Declare(declaration) => {
            let guards = declaration.meta.handling.iter().flat_map(|handling| &handling.guards);
            let guards = guards.map(|guard| &guard.condition);
            let attributes = declaration.attributes.iter().map(|attribute| &attribute.value);
            attributes.chain(guards).chain(declaration.meta.when.as_deref()).collect()
        }
        Statement::Edit(edit) => edit.attributes.iter().map(|attribute| &attribute.value).collect(),
        Statement::Trigger(trigger) => trigger.when.iter().collect(),
        Statement::Output(output) => vec![&output.value],
        Statement::Begin(_)
        | Statement::End
        | Statement::Inactive(_)
        | Statement::Moved(_)
        | Statement::Removed(_)
        | Statement::Settings(_) => Vec::new(),
    }
}

/// Reads it, prints all problems, and evaluates deferred expressions, all in bounded time.
fn answers(main: &str, web: &str) {
    let (time, ()) = cost(|| {
        let (sources, reading) = read_files(&[("a.hcl", main), ("web/main.hcl", web)], []);
        // Slicing panics if a place is not on a character boundary.
        let shown = diagnostics(&sources, &reading);
        assert!(reading.diagnostics.iter().all(|problem| problem.fix.is_some()), "{main}\n{shown}");
        for term in reading.statements.iter().flat_map(terms) {
            let later = term.evaluate(&Anything);
            assert!(later.is_ok_and(|value| value.to_string().len() < 1 << 20) || shown.len() < 1 << 20);
        }
    });
    assert!(time < 20e9, "{time} ns for\n{main}");
}

/// The text with tokens removed, inserted, doubled or swapped.
fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let more = [
        "",
        "",
        "\"",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        "\n",
        ",",
        "=",
        ".",
        "${",
        "%{",
        "null",
        "-",
        "!",
        "1",
        "0",
        "x",
        "true",
        "local.base",
        "param.ports",
        "task.echo.out",
        "each.key",
        "local.sites",
        "[*]",
        "...",
        "==",
        "+",
        "?",
        ":",
        "for",
        "in",
        "=>",
        "file.conf",
        "module.web",
        "keys",
        "try",
        "sensitive",
        "when",
        "for_each",
        "depends_on",
        "999999999999",
        "\"a\"",
        "[]",
        "{}",
        "range(3)",
        "#",
        "~",
    ];
    let change = (any::<prop::sample::Index>(), 0u8..4, prop::sample::select(more.to_vec()));
    prop::collection::vec(change, 1..5).prop_map(move |changes| {
        let mut words = split(text);
        for (at, what, word) in changes {
            let at = at.index(words.len());
            match what {
                0 => words[at] = word.into(),
                1 => words.insert(at, word.into()),
                2 => words.insert(at, words[words.len() - 1 - at].clone()),
                _ => _ = words.remove(at),
            }
        }
        words.concat()
    })
}

/// Words, blanks and other characters.
fn split(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for character in text.chars() {
        let sort = character.is_alphanumeric() || character == '_';
        match words.last_mut() {
            Some(word) if sort && before == Some(true) => word.push(character),
            _ => words.push(character.into()),
        }
        before = Some(sort);
    }
    words
}

/// Expressions of all types, most of them invalid.
fn expression() -> impl Strategy<Value = String> {
    let leaves = [
        "1",
        "-0.5",
        "9223372036854775807",
        "true",
        "null",
        "\"a\"",
        "\"\"",
        "[]",
        "{}",
        "local.sites",
        "local.late",
        "param.ports",
        "param.site",
        "task.echo.out",
        "file.conf",
        "file.conf[\"one\"].size",
        "module.web",
        "module.web[\"a\"].url",
        "host.os",
        "site.main",
        "x",
        "path.module",
        "\"a ${task.echo.out}\"",
        "[1, 2]",
        "{ a = 1 }",
        "sensitive(1)",
        "task.echo",
        "each.key",
    ];
    prop::sample::select(leaves.to_vec()).prop_map(str::to_owned).prop_recursive(5, 40, 3, |inner| {
        let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", ">=", "&&", "||"];
        let functions = [
            "upper",
            "length",
            "keys",
            "values",
            "join",
            "merge",
            "concat",
            "flatten",
            "jsonencode",
            "try",
            "can",
            "range",
            "format",
            "lookup",
            "max",
            "toset",
            "sort",
            "element",
            "slice",
            "sum",
            "split",
            "replace",
            "regex",
            "cidrhost",
            "tonumber",
            "yamldecode",
            "setproduct",
            "zipmap",
        ];
        prop_oneof![
            (inner.clone(), prop::sample::select(operators.to_vec()), inner.clone())
                .prop_map(|(a, o, b)| format!("({a}) {o} ({b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a}) ? ({b}) : ({c})")),
            (
                prop::sample::select(functions.to_vec()),
                prop::collection::vec(inner.clone(), 0..4),
                any::<bool>()
            )
                .prop_map(|(f, a, spread)| format!(
                    "{f}({}{})",
                    a.join(", "),
                    if spread && !a.is_empty() { "..." } else { "" }
                )),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[for x in {a} : {b}]")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("{{ for k, x in {a} : {b} => {c}... if x == k }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            inner.clone().prop_map(|a| format!("({a}).a")),
            inner.clone().prop_map(|a| format!("({a})[*].a")),
            inner.clone().prop_map(|a| format!("\"a ${{{a}}}\"")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("\"%{{ for x in {a} }}${{{b}}}%{{ endfor }}\"")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{ ({a}) = {b}, c = 1 }}")),
            inner.prop_map(|a| format!("!({a})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_change_of_a_configuration(main in mutated(MAIN)) {
        answers(&main, WEB);
    }

    #[test]
    fn any_change_of_a_module(web in mutated(WEB)) {
        answers(MAIN, &web);
    }

    #[test]
    fn any_expression(value in expression()) {
        answers(&format!("{MAIN}\nlog \"fuzz\" {{\n  v = {value}\n}}\nlocals {{ fuzz = {value} }}\noutput \"fuzz\" {{ value = local.fuzz }}\n"), WEB);
    }

    #[test]
    fn any_loop_or_condition(value in expression()) {
        answers(&format!("{MAIN}\nlog \"fuzz\" {{\n  for_each = {value}\n  v = each.value\n}}\nlog \"w\" {{ when = {value} }}\n"), WEB);
    }

    #[test]
    fn any_meta_argument(value in expression(), argument in prop::sample::select(uphold_model::META_ARGUMENTS.to_vec())) {
        answers(&format!("{MAIN}\nlog \"fuzz\" {{\n  {argument} = {value}\n}}\n"), WEB);
    }

    #[test]
    fn any_param(value in expression(), kind in prop::sample::select(vec!["string", "number", "list(string)", "set(any)", "map(number)", "object({ a = optional(number, 1) })", "tuple([any, bool])"])) {
        answers(&format!("{MAIN}\nparam \"fuzz\" {{\n  type = {kind}\n  default = {value}\n}}\noutput \"fuzz\" {{ value = param.fuzz }}\n"), WEB);
    }
}

#[test]
fn the_configuration_is_fine() {
    let (sources, reading) = read_files(&[("a.hcl", MAIN), ("web/main.hcl", WEB)], []);
    assert_eq!(diagnostics(&sources, &reading), "");
    assert!(reading.statements.len() > 30, "{}", reading.statements.len());
}
