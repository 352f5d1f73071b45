//! `settings`, `on_removal`, `moved` and `removed`.

use crate::print::{check, check_files};

#[test]
fn the_nearest_on_removal_counts() {
    check(
        "settings { on_removal = \"remove\" }
log \"plain\" {}
log \"own\" { on_removal = \"keep\" }
sequence {
  on_removal = \"revert\"
  log \"grouped\" {}
  parallel {
    log \"inner\" { on_removal = \"remove\" }
  }
}",
        "settings on_removal remove
log.plain
  on_removal remove
converge log.plain
log.own
converge log.own
sequence {
log.grouped
  on_removal revert
converge log.grouped
parallel {
log.inner
  on_removal remove
converge log.inner
}
}",
    );
    check(
        "param \"p\" { default = \"revert\" }\nlog \"a\" { on_removal = param.p }",
        "log.a\n  on_removal revert\nconverge log.a",
    );
}

#[test]
fn modules_inherit_on_removal() {
    let inner = "log \"a\" {}\nlog \"b\" { on_removal = \"keep\" }";
    let web = "log \"c\" {}\nmodule \"inner\" {\n  source = \"../inner\"\n  on_removal = \"revert\"\n}";
    check_files(
        &[
            ("a.hcl", "module \"web\" {\n  source = \"./web\"\n  on_removal = \"remove\"\n}"),
            ("web/main.hcl", web),
            ("inner/main.hcl", inner),
        ],
        "module.web {
module.web.log.c
  on_removal remove
converge module.web.log.c
module.web.module.inner {
module.web.module.inner.log.a
  on_removal revert
converge module.web.module.inner.log.a
module.web.module.inner.log.b
converge module.web.module.inner.log.b
}
}",
    );
}

#[test]
fn always_is_inherited() {
    check(
        "settings { window = [\"mon-fri 22:00-04:00\", \"sat,sun\"] }
sequence {
  always = true
  log \"a\" {}
  log \"b\" { always = false }
}",
        "settings on_removal keep, 2 spans of a window
sequence {
log.a
  always
converge log.a
log.b
converge log.b
}",
    );
    check_files(
        &[
            ("a.hcl", "module \"web\" {\n  source = \"./web\"\n  always = true\n}"),
            ("web/main.hcl", "log \"a\" {}"),
        ],
        "module.web {\nmodule.web.log.a\n  always\nconverge module.web.log.a\n}",
    );
}

#[test]
fn addresses_are_canonical() {
    let check = |written: &str, expected: &str| {
        check(&format!("removed {{\n  from = {written}\n}}"), &format!("removed {expected}"));
    };
    check("cron.backup", "cron.backup");
    check("cron[\"backup\"]", "cron.backup");
    check("file[\"/etc/x\"]", "file[\"/etc/x\"]");
    check("cron.job[\"a\"]", "cron.job[\"a\"]");
    check("cron.job[0]", "cron.job[\"0\"]");
    check("module.web", "module.web");
    check("module.web[\"a\"]", "module.web[\"a\"]");
    check("module.web.file.site", "module.web.file.site");
    check(
        "module.web[\"a\"].module.db.file[\"/x\"][\"k\"]",
        "module.web[\"a\"].module.db.file[\"/x\"][\"k\"]",
    );
    check("site.shop.file.page", "site.shop.file.page");
}

#[test]
fn addresses_are_relative_to_their_module() {
    check_files(
        &[
            ("a.hcl", "module \"web\" {\n  source = \"./web\"\n  for_each = [\"x\", \"y\"]\n}"),
            (
                "web/main.hcl",
                "moved {\n  from = log.a\n  to = log.b\n}\nremoved {\n  from = log.c\n  destroy = true\n}",
            ),
        ],
        "moved module.web[\"x\"].log.a to module.web[\"x\"].log.b
removed module.web[\"x\"].log.c destroy
moved module.web[\"y\"].log.a to module.web[\"y\"].log.b
removed module.web[\"y\"].log.c destroy",
    );
}
