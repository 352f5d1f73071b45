//! Resources that are no longer declared.

use std::fs;

use serde_json::json;

use super::sandbox::Sandbox;

const KEYS: &str = "\
line \"ann\" {
  file   = \"/etc/keys\"
  line   = \"ssh-ed25519 AAAA ann\"
  create = true
}
line \"bob\" {
  file   = \"/etc/keys\"
  line   = \"ssh-ed25519 BBBB bob\"
  create = true
}
";

fn ann() -> &'static str {
    &KEYS[..KEYS.find("line \"bob\"").unwrap()]
}

fn listed(sandbox: &Sandbox) -> String {
    format!(
        "1 resource is no longer declared and was left unchanged: line.bob\n\
         To remove one: a `removed` block with from = line.bob and destroy = true. To stop listing one: {} line.bob\n",
        sandbox.hint("forget")
    )
}

#[test]
fn a_key_that_is_no_longer_declared_is_listed_until_it_is_forgotten() {
    let sandbox = Sandbox::with(KEYS);
    let first = sandbox.apply();
    assert!(!first.contains("no longer declared"), "{first}");
    sandbox.configure(ann());
    for verb in ["plan", "apply", "apply", "plan"] {
        let run = sandbox.run(&[verb]);
        assert_eq!(
            (run.code, run.out.as_str()),
            (0, &*format!("No changes. 1 resource is as declared.\n{}", listed(&sandbox)))
        );
    }
    let line = &sandbox.lines(&["plan"], "no_longer_declared")[0];
    assert_eq!(line["resources"], json!([{ "address": "line.bob", "identity": "line.bob", "kind": "line" }]));
    assert_eq!(sandbox.run(&["plan", "-q"]).out, "");
    let forgotten = sandbox.plain(&["forget", "line.bob"]);
    assert_eq!(
        (forgotten.code, forgotten.err.as_str()),
        (0, "line.bob is forgotten; on the machine it is unchanged\n")
    );
    for verb in ["plan", "apply", "apply"] {
        assert_eq!(sandbox.run(&[verb]).out, "No changes. 1 resource is as declared.\n");
    }
    let keys = fs::read_to_string(sandbox.at("root/etc/keys")).unwrap();
    assert_eq!(keys, "ssh-ed25519 AAAA ann\nssh-ed25519 BBBB bob\n", "the key itself is unchanged");
}

#[test]
fn only_listed_resources_can_be_forgotten() {
    let sandbox = Sandbox::with(KEYS);
    sandbox.apply();
    let check = |address: &str, expected: &str| {
        let run = sandbox.plain(&["forget", address]);
        assert_eq!((run.code, run.err.as_str()), (1, expected));
    };
    check(
        "line.bob",
        "error: cannot forget line.bob: as of the last apply, it is declared\n  hint: remove its block from the configuration, and apply that first\n",
    );
    sandbox.configure(ann());
    sandbox.apply();
    check(
        "line.bobby",
        "error: cannot forget line.bobby: no such resource was applied\n  hint: did you mean line.bob?\n",
    );
    check(
        "service.x",
        "error: cannot forget service.x: no such resource was applied\n  hint: a plan of the configuration lists the resources that are no longer declared\n",
    );
}

#[test]
fn a_run_of_selected_resources_lists_nothing_and_forgets_nothing() {
    let sandbox = Sandbox::with(KEYS);
    sandbox.apply();
    sandbox.configure(&format!("{}file \"/etc/new\" {{ content = \"x\" }}\n", ann()));
    for verb in ["plan", "apply"] {
        let run = sandbox.run(&[verb, "--target", "file[\"/etc/new\"]"]);
        assert!(!run.out.contains("no longer declared"), "{}", run.out);
    }
    let invalid = sandbox.at("site.hcl");
    let text = fs::read_to_string(&invalid).unwrap();
    fs::write(&invalid, "file {").unwrap();
    assert!(!sandbox.run(&["apply"]).out.contains("no longer declared"));
    fs::write(&invalid, text).unwrap();
    assert!(sandbox.apply().ends_with(&listed(&sandbox)));
}

#[test]
fn a_false_condition_still_declares() {
    let site = "\
param \"on\" { default = true }
file \"/etc/a\" {
  content = \"a\"
  when    = param.on
}
sequence {
  when = param.on
  file \"/etc/b\" { content = \"b\" }
}
";
    let sandbox = Sandbox::with(site);
    sandbox.apply();
    for verb in ["plan", "apply", "apply"] {
        let run = sandbox.run(&[verb, "-p", "on=false"]);
        assert!(run.code == 0 && !run.out.contains("no longer declared"), "{}{}", run.out, run.err);
    }
    sandbox.chmod("root/etc/a", 0o600);
    fs::write(sandbox.at("root/etc/a"), "drift").unwrap();
    assert!(sandbox.run(&["plan"]).out.contains("drift"), "its values are kept");
}

#[test]
fn a_new_label_is_the_same_resource_and_a_new_path_is_another_one() {
    let sandbox = Sandbox::with("file \"one\" {\n  path = \"/etc/a\"\n  content = \"a\"\n}\n");
    sandbox.apply();
    sandbox.configure("file \"two\" {\n  path = \"/etc/a\"\n  content = \"a\"\n}\n");
    assert!(!sandbox.apply().contains("no longer declared"));
    sandbox.configure("file \"two\" {\n  path = \"/etc/b\"\n  content = \"a\"\n}\n");
    let listed = "1 resource is no longer declared and was left unchanged: file.two (/etc/a)\n";
    for verb in ["plan", "apply", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(out.contains(listed), "{out}");
    }
    assert_eq!(sandbox.plain(&["forget", "file.two"]).code, 0);
    assert!(!sandbox.apply().contains("no longer declared"));
}

/// Edits have no name on the machine: two modules may use the same label.
#[test]
fn edits_with_equal_labels_in_two_modules_are_two_resources() {
    let sandbox = Sandbox::with("");
    for name in ["one", "two"] {
        fs::create_dir(sandbox.at(name)).unwrap();
        let line = format!(
            "line \"x\" {{\n  file   = \"/etc/{name}\"\n  line   = \"x of {name}\"\n  create = true\n}}\n"
        );
        fs::write(sandbox.at(name).join("main.hcl"), line).unwrap();
    }
    let call = |name: &str| format!("module \"{name}\" {{ source = \"./{name}\" }}\n");
    let settings = "settings { on_removal = \"remove\" }\nfile \"/etc/kept\" {}\n".to_owned();
    sandbox.configure(&(settings.clone() + &call("one") + &call("two")));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/one"), "").unwrap();
    let plan = sandbox.run(&["plan"]).out;
    assert!(plan.contains("module.one.line.x") && plan.contains("drift"), "{plan}");
    sandbox.apply();
    sandbox.configure(&(settings + &call("two")));
    let out = sandbox.apply();
    assert!(out.contains("  - module.one.line.x   (removed; no longer declared)\n"), "{out}");
    let read = |name: &str| fs::read_to_string(sandbox.at(name)).unwrap();
    assert_eq!((&*read("root/etc/one"), &*read("root/etc/two")), ("", "x of two\n"));
}

#[test]
fn a_removed_resource_is_not_listed() {
    let sandbox = Sandbox::with(KEYS);
    sandbox.apply();
    let removal = KEYS.replace("BBBB bob\"\n", "BBBB bob\"\n  action = \"remove\"\n");
    sandbox.configure(&removal);
    sandbox.apply();
    sandbox.configure(ann());
    for verb in ["plan", "apply", "plan"] {
        assert_eq!(sandbox.run(&[verb]).out, "No changes. 1 resource is as declared.\n");
    }
}

#[test]
fn two_configurations_do_not_see_each_other() {
    let sandbox = Sandbox::with(KEYS);
    sandbox.apply();
    let other = sandbox.at("other.hcl");
    fs::write(&other, "file \"/etc/other\" { content = \"x\" }\n").unwrap();
    let run = sandbox.plain(&["apply", other.to_str().unwrap()]);
    assert!(run.code == 0 && !run.out.contains("no longer declared"), "{}{}", run.out, run.err);
    assert_eq!(sandbox.run(&["plan"]).out, "No changes. 2 resources are as declared.\n");
}
