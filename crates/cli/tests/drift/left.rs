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
         To remove line.bob: a `removed` block with from = line.bob and destroy = true. To stop listing it: {} line.bob\n",
        sandbox.hint("forget")
    )
}

#[test]
fn a_key_that_is_no_longer_declared_is_listed_until_it_is_forgotten() {
    let sandbox = Sandbox::with(KEYS);
    let first = sandbox.apply();
    assert!(!first.contains("no longer declared"), "{first}");
    sandbox.configure(ann());
    let unapplied = listed(&sandbox).replace("listing it:", "listing it, after an apply:");
    for (verb, list) in [("plan", unapplied), ("apply", listed(&sandbox)), ("plan", listed(&sandbox))] {
        let run = sandbox.run(&[verb]);
        let expected = format!("No changes. 1 resource is as declared.\n{list}");
        assert_eq!((run.code, run.out.as_str()), (0, &*expected));
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

/// The files of a directory are removed before it, and only what a block would remove is proposed.
#[test]
fn proposes_the_removal_of_a_resource_that_can_be_removed() {
    let kept = "file \"/etc/kept\" { content = \"x\" }\n";
    let app = "directory \"/etc/app\" {}\nfile \"/etc/app/a\" { content = \"a\" }\n";
    let named = |path: &str| format!("file \"named\" {{\n  path    = \"{path}\"\n  content = \"n\"\n}}\n");
    let sandbox = Sandbox::with(&format!("{kept}{app}{}", named("/etc/one")));
    sandbox.apply();
    let now = format!("{kept}{}", named("/etc/two"));
    sandbox.configure(&now);
    for verb in ["plan", "apply", "plan", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(out.contains("with from = file[\"/etc/app/a\"] and destroy = true"), "{out}");
        let obstacle = "  file.named (/etc/one): no `removed` block would remove it: another resource has its address now\n";
        assert!(out.contains(obstacle), "{out}");
    }
    let block = |from: &str| format!("removed {{\n  from    = {from}\n  destroy = true\n}}\n");
    let blocks = block("file[\"/etc/app/a\"]") + &block("directory[\"/etc/app\"]");
    sandbox.configure(&(now + &blocks));
    for verb in ["plan", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(!out.contains("To remove ") && out.contains("To stop listing one"), "{out}");
    }
    assert!(!sandbox.at("root/etc/app").exists());
}

#[test]
fn a_block_that_is_refused_is_not_proposed_again() {
    let sandbox = Sandbox::with(KEYS);
    sandbox.apply();
    fs::write(sandbox.at("root/etc/keys"), "ssh-ed25519 AAAA ann\n").unwrap();
    sandbox.configure("directory \"/etc\" {}\nfile \"/etc/x\" { content = \"x\" }\n");
    sandbox.apply();
    sandbox.configure("removed {\n  from    = file[\"/etc/x\"]\n  destroy = true\n}\n");
    fs::write(sandbox.at("root/etc/x"), "changed").unwrap();
    let out = sandbox.run(&["plan"]).out;
    assert!(out.contains("  file[\"/etc/x\"]: changed since it was applied\n"), "{out}");
    assert!(!out.contains("from = file[\"/etc/x\"]"), "{out}");
}

/// `sensitive = true` hides the path in the record; the resource is the same with and without it.
#[test]
fn a_resource_that_becomes_sensitive_or_public_stays_declared() {
    let block = |sensitive: &str, policy: &str| {
        format!(
            "file \"/etc/a\" {{\n  content = \"a\"\n{sensitive}{policy}}}\nfile \"/etc/b\" {{\n  content = \"b\"\n}}\n"
        )
    };
    let policies = ["", "  on_removal = \"remove\"\n"];
    let (hidden, public) = ("  sensitive = true\n", "");
    for (first, then, policy) in
        [(hidden, public, policies[0]), (public, hidden, policies[0]), (hidden, public, policies[1])]
    {
        let sandbox = Sandbox::with(&block(first, policy));
        sandbox.apply();
        sandbox.configure(&block(then, policy));
        for command in ["plan", "apply", "plan"] {
            let run = sandbox.run(&[command]);
            assert!(run.code == 0 && !run.out.contains("no longer declared"), "{}{}", run.out, run.err);
        }
        sandbox.configure("file \"/etc/b\" { content = \"b\" }\n");
        let left = sandbox.lines(&["apply"], "no_longer_declared");
        assert_eq!(left.len(), 1, "the resource has one record: {left:?}");
    }
}
