//! `verify` of a group: dependents outside it wait for the verification.

use super::sandbox::Sandbox;

/// A group of two files whose verification accepts `good`, and blocks outside. Each task writes its name into `order`.
fn site(a: &str, more: &str) -> Sandbox {
    let sandbox = Sandbox::with(
        r#"
parallel "site" {
  verify = "echo verified >> FOLDER/order; grep -q good FOLDER/a.conf"

  file "a" {
    path    = "FOLDER/a.conf"
    content = "CONTENT\n"
  }
  task "slow" {
    check = "test -e FOLDER/slow"
    apply = "sleep 0.2; echo slow >> FOLDER/order; touch FOLDER/slow"
  }
}
MORE
"#
        .replace("CONTENT", a)
        .replace("MORE", more),
    );
    let folder = sandbox.path("").to_string_lossy().trim_end_matches('/').to_owned();
    sandbox.write("site.hcl", sandbox.read("site.hcl").replace("FOLDER", &folder));
    sandbox
}

const DEPENDENTS: &[&str] = &[
    "task \"start\" {\n  depends_on = [file.a]\n  check = \"false\"\n  apply = \"echo start >> FOLDER/order\"\n}\n",
    "task \"start\" {\n  depends_on = [task[\"verify site\"]]\n  check = \"false\"\n  apply = \"echo start >> FOLDER/order\"\n}\n",
    "task \"start\" {\n  check = \"false\"\n  apply = \"echo start >> FOLDER/order; : ${file.a.path}\"\n}\n",
];

fn lines(sandbox: &Sandbox) -> Vec<String> {
    sandbox.read("order").lines().map(str::to_owned).collect()
}

#[test]
fn a_dependent_of_a_member_waits_for_the_verification() {
    for dependent in DEPENDENTS {
        // It never is as declared; that it ran counts.
        let sandbox = site("good", dependent);
        drop(sandbox.run(&["apply"]));
        assert_eq!(lines(&sandbox), ["slow", "verified", "start"], "{dependent}");
    }
}

#[test]
fn a_dependent_of_a_member_is_skipped_after_a_failed_verification() {
    for dependent in DEPENDENTS {
        let sandbox = site("bad", dependent);
        let ran = sandbox.run(&["apply"]);
        assert_eq!(ran.code, Some(1), "{}\n{}", ran.stdout, ran.stderr);
        assert_eq!(lines(&sandbox), ["slow", "verified"], "{dependent}");
        assert!(ran.stdout.contains("1 failed, 1 skipped"), "{}\n{}", ran.stdout, ran.stderr);
    }
}

/// A failed member skips its own dependents only.
#[test]
fn a_dependent_of_a_member_does_not_depend_on_the_others() {
    let sandbox = site("good", DEPENDENTS[0]);
    sandbox.write("site.hcl", sandbox.read("site.hcl").replace("sleep 0.2", "exit 1"));
    drop(sandbox.run(&["apply"]));
    assert_eq!(lines(&sandbox), ["verified", "start"]);
}

#[test]
fn a_file_inside_a_directory_of_the_group_waits() {
    let sandbox = site("bad", "file \"FOLDER/d/x\" { content = \"x\" }\n");
    let directory = format!("  directory \"{}\" {{}}\n  task \"slow\"", sandbox.path("d").display());
    let with_directory = sandbox.read("site.hcl").replacen("  task \"slow\"", &directory, 1);
    sandbox.write("site.hcl", with_directory);
    let ran = sandbox.run(&["apply"]);
    assert!(!sandbox.path("d").exists(), "{}\n{}", ran.stdout, ran.stderr);
}

/// Its change was put back, so that the group has nothing to run for.
#[test]
fn a_group_that_subscribes_to_a_member_waits() {
    let more = "sequence \"after\" {\n  subscribes = [file.a]\n\n  task \"start\" {\n    check = \"false\"\n    apply = \"echo start >> FOLDER/order\"\n  }\n}\n";
    let good = site("good", more);
    drop(good.run(&["apply"]));
    assert_eq!(lines(&good), ["slow", "verified", "start"]);
    let bad = site("bad", more);
    drop(bad.run(&["apply"]));
    assert_eq!(lines(&bad), ["slow", "verified"]);
}

/// The resource comes after its notifier, and so after the verification; if that fails, with the previous content.
#[test]
fn a_notified_resource_outside_waits() {
    let more = "task \"start\" {\n  check = \"false\"\n  apply = \"cat FOLDER/a.conf >> FOLDER/order\"\n}\n";
    let sandbox = site("bad", more);
    let notifying = sandbox.read("site.hcl").replacen(
        "content = \"bad\\n\"\n",
        "content = \"bad\\n\"\n    notifies = [task.start.run]\n",
        1,
    );
    sandbox.write("site.hcl", notifying);
    sandbox.write("a.conf", "previous\n");
    drop(sandbox.run(&["apply"]));
    assert_eq!(lines(&sandbox), ["slow", "verified", "previous"]);
}

#[test]
fn a_member_that_depends_on_such_a_dependent_is_a_cycle() {
    let sandbox = site("good", DEPENDENTS[0]);
    let circular = sandbox.read("site.hcl").replacen(
        "    check = \"test",
        "    depends_on = [task.start]\n    check = \"test",
        1,
    );
    sandbox.write("site.hcl", circular);
    let ran = sandbox.run(&["plan"]);
    assert_eq!(ran.code, Some(1));
    for words in [
        "task.start waits for task[\"verify site\"] (depends_on)",
        "task[\"verify site\"] waits for task.slow (verifies it)",
        "task.slow waits for task.start (depends_on)",
        "site.hcl:10:19",
        "site.hcl:16:17",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.stderr);
    }
}

#[test]
fn a_member_cannot_depend_on_its_own_verification() {
    let sandbox = site("good", "");
    let circular = sandbox.read("site.hcl").replacen(
        "    check = \"test",
        "    depends_on = [task[\"verify site\"]]\n    check = \"test",
        1,
    );
    sandbox.write("site.hcl", circular);
    let ran = sandbox.run(&["plan"]);
    assert!(ran.stderr.contains("task.slow waits for task[\"verify site\"] (depends_on)"), "{}", ran.stderr);
}

/// The inner group is outside for the next member of the outer one, which does not wait for its own verification.
#[test]
fn members_of_nested_groups_wait_for_the_inner_verification_only() {
    let sandbox = Sandbox::with(
        r#"
parallel "outer" {
  verify = "echo outer >> ${path.cwd}/order"

  parallel "inner" {
    verify = "echo inner >> ${path.cwd}/order"

    file "a" { path = "${path.cwd}/a" }
  }
  task "member" {
    depends_on = [file.a]
    check      = "test -e ${path.cwd}/member"
    apply      = "echo member >> ${path.cwd}/order; touch ${path.cwd}/member"
  }
}

task "outside" {
  depends_on = [file.a]
  check      = "test -e ${path.cwd}/outside"
  apply      = "echo outside >> ${path.cwd}/order; touch ${path.cwd}/outside"
}
"#,
    );
    let planned = sandbox.run(&["plan"]);
    assert_eq!(planned.code, Some(2), "{}", planned.stderr);
    let ran = sandbox.run(&["apply"]);
    assert_eq!(ran.code, Some(0), "{}\n{}", ran.stdout, ran.stderr);
    assert_eq!(lines(&sandbox), ["inner", "member", "outer", "outside"]);
}
