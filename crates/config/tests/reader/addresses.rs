//! References into modules and to their callers.

use crate::print::check_files;

/// A module with a service, a file with `for_each`, and another module.
const WEB: &str =
    "service \"nginx\" {}\nfile \"x\" { for_each = [\"a\", \"b\"] }\nmodule \"in\" { source = \"../in\" }";

/// The statements of one call of it.
fn web(path: &str) -> String {
    let one = |id: &str| format!("{path}.{id}\nconverge {path}.{id}\n");
    let inner = format!("{path}.module.in");
    let [service, a, b] = ["service.nginx", "file.x[\"a\"]", "file.x[\"b\"]"].map(one);
    format!("{path} {{\n{service}{a}{b}{inner} {{\n{inner}.log.l\nconverge {inner}.log.l\n}}\n}}")
}

#[track_caller]
fn check_inwards(call: &str, paths: &[&str], argument: &str, expected: &str) {
    let calls: Vec<String> = paths.iter().map(|path| web(path)).collect();
    check_files(
        &[
            (
                "a.hcl",
                &format!("module \"web\" {{\n  source = \"./web\"\n{call}}}\nt \"a\" {{ {argument} }}"),
            ),
            ("web/main.hcl", WEB),
            ("in/main.hcl", "log \"l\" {}"),
        ],
        &format!("{}\nt.a\n  {expected}\nconverge t.a", calls.join("\n")),
    );
}

#[test]
fn inwards() {
    let one = |argument: &str, expected: &str| check_inwards("", &["module.web"], argument, expected);
    one("notifies = [module.web.service.nginx.reload]", "notifies module.web.service.nginx reload");
    one(
        "notifies = { before = [module[\"web\"].service[\"nginx\"].stop] }",
        "notifies module.web.service.nginx stop before",
    );
    one("notifies = [module.web.file.x[\"b\"].run]", "notifies module.web.file.x[\"b\"] run");
    one(
        "notifies = [module.web.file.x.run]",
        "notifies module.web.file.x[\"a\"] run\n  notifies module.web.file.x[\"b\"] run",
    );
    one("subscribes = { run = [module.web.file.x[\"a\"]] }", "subscribes module.web.file.x[\"a\"] run");
    one(
        "depends_on = [module.web.module.in.log.l, module.web.module.in, module.web.file.x]",
        "depends_on module.web.module.in.log.l, module.web.module.in, module.web.file.x",
    );
    // The engine, which knows all resources, reports undeclared ones.
    one("notifies = [module.web.service.ngnix.reload]", "notifies module.web.service.ngnix reload");
}

#[test]
fn inwards_by_key() {
    let call = "  for_each = [\"a\", \"b\"]\n";
    let many = |argument: &str, expected: &str| {
        check_inwards(call, &["module.web[\"a\"]", "module.web[\"b\"]"], argument, expected);
    };
    many(
        "notifies = [module.web[\"a\"].service.nginx.reload]",
        "notifies module.web[\"a\"].service.nginx reload",
    );
    many(
        "notifies = [module.web.service.nginx.reload]",
        "notifies module.web[\"a\"].service.nginx reload\n  notifies module.web[\"b\"].service.nginx reload",
    );
    many("depends_on = [module.web[\"b\"].file.x]", "depends_on module.web[\"b\"].file.x");
    many("depends_on = [module.web]", "depends_on module.web[\"a\"], module.web[\"b\"]");
}

#[test]
fn outwards() {
    check_files(
        &[
            (
                "a.hcl",
                "service \"nginx\" {}\nmodule \"out\" { source = \"./out\" }\nmodule \"next\" { source = \"./next\" }",
            ),
            ("out/main.hcl", "t \"mid\" {}\nmodule \"in\" { source = \"../in\" }"),
            (
                "in/main.hcl",
                "t \"a\" {\n  notifies   = [parent.parent.service.nginx.reload, parent.t.mid.run]\n  \
                 subscribes = { run = [parent.parent.module.next.log.l] }\n  depends_on = [parent.t.mid]\n}",
            ),
            ("next/main.hcl", "log \"l\" {}"),
        ],
        "service.nginx\nconverge service.nginx\nmodule.out {\nmodule.out.t.mid\nconverge module.out.t.mid\n\
         module.out.module.in {\nmodule.out.module.in.t.a\n  depends_on module.out.t.mid\n  \
         notifies service.nginx reload\n  notifies module.out.t.mid run\n  subscribes module.next.log.l run\n\
         converge module.out.module.in.t.a\n}\n}\nmodule.next {\nmodule.next.log.l\nconverge module.next.log.l\n}",
    );
}

#[test]
fn into_modules_that_are_kinds() {
    check_files(
        &[
            (
                "a.hcl",
                "kind \"site\" { source = \"./m\" }\nsite \"shop\" {}\nt \"a\" { notifies = [site.shop.t.b.run] }",
            ),
            ("m/main.hcl", "t \"b\" {}"),
        ],
        "site.shop {\nsite.shop.t.b\nconverge site.shop.t.b\n}\nt.a\n  notifies site.shop.t.b run\nconverge t.a",
    );
}

#[test]
fn disabled_resources_are_not_notified() {
    check_files(
        &[
            (
                "a.hcl",
                "module \"m\" {\n  source = \"./m\"\n  when   = false\n}\nt \"a\" {\n  notifies   = [module.m.t.b.run]\n  depends_on = [module.m.t.b]\n}",
            ),
            ("m/main.hcl", "t \"b\" {}"),
        ],
        "t.a\nconverge t.a",
    );
}
