//! Modules: their own scope, params and outputs.

use crate::print::check_files;

const WEB: &str = r#"
param "port" { type = number }
param "name" { default = "web" }
locals { url = "http://${param.name}:${param.port}" }
file "conf" { content = local.url }
output "url" { value = local.url }
output "sum" { value = file.conf.sha256 }
"#;

#[track_caller]
fn check(main: &str, expected: &str) {
    check_files(&[("a.hcl", main), ("web/main.hcl", WEB)], expected);
}

/// The statements of one call.
fn web(path: &str, content: &str) -> String {
    format!("{path} {{\n{path}.file.conf\n  content = {content}\nconverge {path}.file.conf\n}}")
}

#[test]
fn params_and_outputs() {
    check(
        "module \"w\" {\n  source = \"./web\"\n  port   = 80\n}\noutput \"o\" { value = module.w.url }",
        &format!("{}\noutput o = \"http://web:80\"", web("module.w", "\"http://web:80\"")),
    );
    check(
        "module \"w\" {\n  source = \"./web\"\n  port   = 80\n}\noutput \"o\" { value = module.w.sum }",
        &format!("{}\noutput o = <module.w.file.conf.sha256>", web("module.w", "\"http://web:80\"")),
    );
    check(
        "module \"w\" {\n  source = \"./web\"\n  port   = 80\n}\noutput \"o\" { value = keys(module.w) }",
        &format!("{}\noutput o = <module.w.file.conf.sha256>", web("module.w", "\"http://web:80\"")),
    );
}

#[test]
fn params_can_depend_on_resources() {
    check(
        "task \"t\" {}\nmodule \"w\" {\n  source = \"./web\"\n  port   = task.t.port\n}\nlog \"l\" { v = module.w.url }",
        &format!(
            "task.t\nconverge task.t\n{}\nlog.l\n  v = <task.t.port>\nconverge log.l",
            web("module.w", "<task.t.port>")
        ),
    );
}

#[test]
fn several_calls() {
    check(
        "module \"w\" {\n  source   = \"./web\"\n  for_each = { a = 1, b = 2 }\n  port     = each.value\n  name     = each.key\n}\n\
         output \"o\" { value = [for m in module.w : m.url] }\noutput \"p\" { value = module.w[\"b\"].url }",
        &format!(
            "{}\n{}\noutput o = <module.w[\"a\"].file.conf.sha256, module.w[\"b\"].file.conf.sha256>\noutput p = \"http://b:2\"",
            web("module.w[\"a\"]", "\"http://a:1\""),
            web("module.w[\"b\"]", "\"http://b:2\"")
        ),
    );
}

#[test]
fn conditions_apply_to_the_whole_module() {
    check("module \"w\" {\n  source = \"./web\"\n  port   = 1\n  when   = false\n}", "");
    check(
        "task \"t\" {}\nmodule \"w\" {\n  source = \"./web\"\n  port   = 1\n  when   = task.t.ok\n}",
        "task.t\nconverge task.t\nmodule.w {\nmodule.w.file.conf\n  when <task.t.ok>\n  content = \"http://web:1\"\n\
         converge module.w.file.conf\n}",
    );
    let off = "module \"w\" {\n  source   = \"./web\"\n  for_each = [\"a\", \"b\"]\n  port     = 1\n  when     = each.key == \"b\"\n}";
    check(off, &web("module.w[\"b\"]", "\"http://web:1\""));
}

#[test]
fn dependencies() {
    check(
        "task \"t\" {}\nmodule \"w\" {\n  source     = \"./web\"\n  port       = 1\n  depends_on = [task.t]\n}\n\
         log \"l\" { depends_on = [module.w] }",
        "task.t\nconverge task.t\nmodule.w {\nmodule.w.file.conf\n  depends_on task.t\n  content = \"http://web:1\"\n\
         converge module.w.file.conf\n}\nlog.l\n  depends_on module.w\nconverge log.l",
    );
}

#[test]
fn a_module_is_a_kind() {
    check(
        "kind \"site\" { source = \"./web\" }\nsite \"main\" { port = 5 }\nsite \"x y\" { port = 6 }\n\
         log \"l\" { v = [site.main.url, site[\"x y\"].url] }\nlog \"m\" { depends_on = [site.main] }",
        &format!(
            "{}\n{}\nlog.l\n  v = [\"http://web:5\", \"http://web:6\"]\nconverge log.l\nlog.m\n  depends_on site.main\nconverge log.m",
            web("site.main", "\"http://web:5\""),
            web("site[\"x y\"]", "\"http://web:6\"")
        ),
    );
    check(
        "kind \"site\" { source = \"./web\" }\nsite \"s\" {\n  for_each = { a = 1 }\n  port     = each.value\n}\noutput \"o\" { value = site.s[\"a\"].url }",
        &format!("{}\noutput o = \"http://web:1\"", web("site.s[\"a\"]", "\"http://web:1\"")),
    );
}

#[test]
fn modules_in_modules() {
    let outer = "param \"n\" {}\nmodule \"in\" {\n  source   = \"../web\"\n  for_each = range(param.n)\n  port     = each.value\n}\n\
                 output \"urls\" { value = [for m in module.in : m.url] }";
    check_files(
        &[
            (
                "a.hcl",
                "module \"out\" {\n  source = \"./outer\"\n  n      = 2\n}\noutput \"o\" { value = module.out.urls[1] }",
            ),
            ("outer/main.hcl", outer),
            ("web/main.hcl", WEB),
        ],
        &format!(
            "module.out {{\n{}\n{}\n}}\noutput o = <module.out.module.in[\"0\"].file.conf.sha256, module.out.module.in[\"1\"].file.conf.sha256>",
            web("module.out.module.in[\"0\"]", "\"http://web:0\""),
            web("module.out.module.in[\"1\"]", "\"http://web:1\"")
        ),
    );
}

#[test]
fn names_belong_to_their_module() {
    // The same names, inside and outside.
    check(
        "param \"port\" { default = 9 }\nlocals { url = \"mine\" }\nfile \"conf\" { content = \"${local.url}${param.port}\" }\n\
         module \"w\" {\n  source = \"./web\"\n  port   = 1\n}",
        &format!(
            "file.conf\n  content = \"mine9\"\nconverge file.conf\n{}",
            web("module.w", "\"http://web:1\"")
        ),
    );
    check_files(
        &[
            ("a.hcl", "module \"m\" { source = \"./m\" }\nfile \"f\" {}"),
            (
                "m/main.hcl",
                "log \"l\" { v = [file.f.size, path.module, path.root, file(\"t.txt\")] }\nfile \"f\" {}",
            ),
            ("m/more.hcl", "log \"k\" {}"),
            ("m/t.txt", "hi"),
        ],
        "module.m {\nmodule.m.log.l\n  v = <module.m.file.f.size>\nconverge module.m.log.l\nmodule.m.file.f\nconverge module.m.file.f\n\
         module.m.log.k\nconverge module.m.log.k\n}\nfile.f\nconverge file.f",
    );
}

#[test]
fn a_file_can_be_a_module() {
    check_files(
        &[("a.hcl", "module \"m\" { source = \"./lib/one.hcl\" }"), ("lib/one.hcl", "log \"l\" {}")],
        "module.m {\nmodule.m.log.l\nconverge module.m.log.l\n}",
    );
}

#[test]
fn secret_outputs_stay_secret() {
    check_files(
        &[
            (
                "a.hcl",
                "module \"m\" {\n  source = \"./m\"\n  pw     = \"x\"\n}\noutput \"o\" { value = module.m.shown }\noutput \"p\" { value = module.m.hidden }",
            ),
            (
                "m/main.hcl",
                "param \"pw\" { sensitive = true }\noutput \"shown\" { value = \"a${param.pw}\" }\noutput \"hidden\" {\n  value     = 1\n  sensitive = true\n}",
            ),
        ],
        "output o = secret(\"ax\")\noutput p = secret(1)",
    );
}
