//! `on_removal` and `always` for resources of kinds in Luau.

use std::fs;
use std::time::SystemTime;

use super::sandbox::Sandbox;

/// A kind with a loader.
const NOTE: &str = "properties.path = { type = \"path\", name = true }\n\
    properties.text = { type = \"string\", required = true }\n\
    function load_current_value(current)\n\
    if not fs.exists(path) then current_value_does_not_exist() end\n\
    current.text = fs.read(path)\nend\n\
    function actions.create() converge_if_changed(function() fs.write(path, text) end) end\n\
    function actions.remove() fs.remove(path) end\n";

/// A kind without a loader, which declares resources.
const PAIR: &str = "properties.text = { type = \"string\", required = true }\n\
    function actions.create()\nfile(`/etc/{name}.a`, { content = text })\nfile(`/etc/{name}.b`, { content = text })\nend\n\
    function actions.remove()\nfile(`/etc/{name}.b`, { action = \"remove\" })\nfile(`/etc/{name}.a`, { action = \"remove\" })\nend\n";

const KEPT: &str = "file \"/etc/kept\" { content = \"kept\" }\n";

fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::with(text);
    fs::create_dir(sandbox.at("kinds")).unwrap();
    for (kind, text) in [("note", NOTE), ("pair", PAIR)] {
        fs::write(sandbox.at(&format!("kinds/{kind}.luau")), text).unwrap();
    }
    sandbox
}

fn read(sandbox: &Sandbox, name: &str) -> Option<String> {
    fs::read_to_string(sandbox.at(name)).ok()
}

#[track_caller]
fn expect_removed(sandbox: &Sandbox, text: &str, address: &str, files: &[&str]) {
    sandbox.configure(text);
    let plan = sandbox.run(&["plan"]);
    let line = format!("  - {address}   (remove; no longer declared)\n");
    assert!(plan.code == 2 && plan.out.contains(&line), "{}{}", plan.out, plan.err);
    let out = sandbox.apply();
    assert!(out.contains(&format!("  - {address}   (removed; no longer declared)\n")), "{out}");
    assert!(files.iter().all(|file| read(sandbox, file).is_none()), "{address} is left");
    let again = sandbox.apply();
    assert!(again.starts_with("No changes.") && !again.contains("no longer declared"), "{again}");
}

#[test]
fn a_resource_of_a_script_is_removed_when_it_is_no_longer_declared() {
    let settings = format!("settings {{ on_removal = \"remove\" }}\n{KEPT}");
    let sandbox = sandbox(&format!("{settings}note \"/etc/n\" {{ text = \"x\" }}\n"));
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/n").as_deref(), Some("x"));
    expect_removed(&sandbox, &settings, "note[\"/etc/n\"]", &["root/etc/n"]);
}

/// Only a loader knows whether a resource existed before, so one without is removed only on explicit request.
#[test]
fn a_resource_without_a_loader_is_removed_by_a_removed_block() {
    let settings = format!("settings {{ on_removal = \"remove\" }}\n{KEPT}");
    let sandbox = sandbox(&format!("{settings}pair \"p\" {{ text = \"x\" }}\n"));
    sandbox.apply();
    sandbox.configure(&settings);
    let out = sandbox.apply();
    assert!(out.contains("1 resource is no longer declared and was left unchanged: pair.p"), "{out}");
    let files = ["root/etc/p.a", "root/etc/p.b"];
    assert!(files.iter().all(|file| read(&sandbox, file).as_deref() == Some("x")));
    let removed = format!("{settings}removed {{\n  from    = pair.p\n  destroy = true\n}}\n");
    expect_removed(&sandbox, &removed, "pair.p", &files);
}

#[test]
fn a_resource_of_a_script_is_reverted_when_it_is_no_longer_declared() {
    let sandbox = sandbox("");
    fs::write(sandbox.at("root/etc/n"), "before").unwrap();
    sandbox.configure(&format!(
        "{KEPT}note \"/etc/n\" {{\n  text       = \"x\"\n  on_removal = \"revert\"\n}}\n"
    ));
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/n").as_deref(), Some("x"));
    sandbox.configure(KEPT);
    let out = sandbox.apply();
    assert!(out.contains("  ~ note[\"/etc/n\"]   (updated; no longer declared)\n"), "{out}");
    assert_eq!(read(&sandbox, "root/etc/n").as_deref(), Some("before"));
}

/// A day on which the window does not open today or tomorrow.
fn closed() -> &'static str {
    const DAYS: [&str; 7] = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"];
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("a time after 1970");
    DAYS[usize::try_from(since_1970.as_secs() / 86_400 + 3).expect("a small number") % 7]
}

#[test]
fn drift_of_a_script_is_repaired_outside_the_window_only_with_always() {
    let text = |more: &str| {
        let settings = format!("settings {{\n  window = \"{} UTC\"\n}}\n", closed());
        format!("{settings}note \"/etc/n\" {{\n  text   = \"x\"\n  {more}\n}}\n")
    };
    let sandbox = sandbox(&text(""));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/n"), "drift").unwrap();
    let out = sandbox.apply();
    assert!(out.contains("outside the maintenance window"), "{out}");
    assert_eq!(read(&sandbox, "root/etc/n").as_deref(), Some("drift"));
    sandbox.configure(&text("always = true"));
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/n").as_deref(), Some("x"));
}
