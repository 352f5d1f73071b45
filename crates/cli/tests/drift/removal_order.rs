//! When resources are removed, and what follows from that.

use std::fs;

use super::removal::{sandbox, with_kept};

/// The last declaration counts, for targets that are still declared.
#[test]
fn a_removal_sends_the_notifications_of_the_last_declaration() {
    let log =
        |name: &str| format!("log \"{name}\" {{\n  action = \"nothing\"\n  message = \"notified\"\n}}\n");
    let file =
        |notifies: &str| format!("file \"/etc/a\" {{\n  content = \"a\"\n  notifies = [{notifies}]\n}}\n");
    let (reload, gone) = (log("reload"), log("gone"));
    let sandbox = sandbox(&with_kept(&format!("{}{gone}", file("log.gone.converge"))));
    sandbox.apply();
    // A change of `notifies` alone is recorded.
    sandbox
        .configure(&with_kept(&format!("{}{reload}{gone}", file("log.reload.converge, log.gone.converge"))));
    sandbox.apply();
    sandbox.configure(&with_kept(&reload));
    for out in [sandbox.run(&["plan"]).out, sandbox.apply()] {
        assert!(out.contains("  - file[\"/etc/a\"]") && out.contains("  log.reload: notified\n"), "{out}");
    }
    assert!(!sandbox.apply().contains("notified"));
}

/// A module that is a kind: its resources have the same addresses as while they were declared, and so have their targets.
#[test]
fn a_removal_in_a_module_that_is_a_kind_keeps_its_address() {
    let sandbox = sandbox("");
    fs::create_dir(sandbox.at("site")).unwrap();
    let module = |file: &str| {
        let reload = "log \"reload\" {\n  action  = \"nothing\"\n  message = \"notified\"\n}\n";
        fs::write(sandbox.at("site/main.hcl"), format!("{reload}{file}")).unwrap();
    };
    sandbox.configure(&with_kept("kind \"site\" { source = \"./site\" }\nsite \"wiki\" {}\n"));
    module("file \"/etc/wiki\" {\n  content  = \"wiki\"\n  notifies = [log.reload.converge]\n}\n");
    sandbox.apply();
    module("");
    fs::write(sandbox.at("root/etc/wiki"), "changed").unwrap();
    let listed = sandbox.run(&["plan"]).out;
    assert!(listed.contains("  site.wiki.file[\"/etc/wiki\"]: changed since it was applied\n"), "{listed}");
    fs::write(sandbox.at("root/etc/wiki"), "wiki").unwrap();
    for out in [sandbox.run(&["plan"]).out, sandbox.apply()] {
        assert!(out.contains("  - site.wiki.file[\"/etc/wiki\"]   (remove"), "{out}");
        assert!(out.contains("  site.wiki.log.reload: notified\n"), "{out}");
    }
}

/// The dependents of a block with `for_each` do not wait for an element that is gone.
#[test]
fn an_element_is_removed_although_the_others_have_dependents() {
    let block = |kind: &str, label: &str, items: &str, body: &str| {
        let items = if items.is_empty() { String::new() } else { format!("  for_each = [{items}]\n") };
        format!("{kind} \"{label}\" {{\n{items}{body}}}\n")
    };
    let dependent = |on: &str| format!("log \"last\" {{\n  depends_on = [{on}]\n}}\n");
    let files = |items: &str| {
        let body = "  path    = \"/srv/${each.key}\"\n  content = \"x\"\n";
        block("file", "f", items, body) + &dependent("file.f")
    };
    let links = |items: &str| {
        let body = "  path = \"/srv/${each.key}\"\n  to   = \"/etc/kept\"\n";
        block("link", "f", items, body) + &dependent("link.f")
    };
    // A block that had no `for_each` has the address by which others name all its elements.
    let single =
        format!("file \"f\" {{\n  path    = \"/srv/b\"\n  content = \"x\"\n}}\n{}", dependent("file.f"));
    let three = "\"a\", \"b\", \"c\"";
    for (before, after, removed) in [
        (files(three), files("\"a\", \"c\""), "file.f[\"b\"] (/srv/b)"),
        (links(three), links("\"a\", \"c\""), "link.f[\"b\"] (/srv/b)"),
        (single, files("\"a\", \"c\""), "file.f (/srv/b)"),
    ] {
        let sandbox = sandbox(&with_kept(&before));
        sandbox.apply();
        sandbox.configure(&with_kept(&after));
        let plan = sandbox.run(&["plan"]);
        let line = format!("  - {removed}   (remove; no longer declared)\n");
        assert!(plan.code == 2 && plan.out.contains(&line), "{}{}", plan.out, plan.err);
        sandbox.apply();
        assert!(sandbox.at("root/srv/b").symlink_metadata().is_err());
    }
}

#[test]
fn dependents_are_removed_before_their_dependencies() {
    let both = "file \"/etc/base\" { content = \"base\" }\nfile \"/etc/a\" {\n  content    = \"a\"\n  \
                depends_on = [file[\"/etc/base\"]]\n}\n";
    let sandbox = sandbox(&with_kept(both));
    sandbox.apply();
    sandbox.configure(&with_kept(""));
    let out = sandbox.apply();
    let at = |text: &str| out.find(text).unwrap_or_else(|| panic!("{text} in {out}"));
    assert!(at("- file[\"/etc/a\"]") < at("- file[\"/etc/base\"]"), "{out}");
    sandbox.configure(&with_kept(both));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/a"), "edited").unwrap();
    sandbox.configure(&with_kept(""));
    let out = sandbox.apply();
    assert!(out.contains("  file[\"/etc/base\"]: file[\"/etc/a\"] depends on it, and stays\n"), "{out}");
    assert!(sandbox.at("root/etc/base").exists());
}
