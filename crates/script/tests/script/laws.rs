//! The laws of kinds, applied to scripted kinds and to deliberately broken ones.

use uphold_model::Action;
use uphold_resource::{Access, Context, Fields, Look, Previous};
use uphold_testkit::laws::{Broken, broken_by};
use uphold_testkit::{Subject, Wish};

use crate::bench::Bench;

const LOADER: &str = r#"
function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.text = fs.read(path)
    current.mode = fs.stat(path).mode
    current.size = #current.text
end
"#;

const ACTIONS: &str = r#"
function actions.create()
    if current == nil then
        fs.write(path, text, { mode = mode })
        return
    end
    converge_if_changed("text", function() fs.write(path, text) end)
    converge_if_changed("mode", function() fs.chmod(path, mode) end)
end
"#;

const REMOVAL: &str = "function actions.remove() fs.remove(path) end\n";

/// A small file kind, built from these parts.
fn note(parts: &[&str]) -> Subject {
    let text = format!(
        "properties.path = {{ type = \"path\", name = true }}\nproperties.text = {{ type = \"text\", default = \"\" }}\n\
         properties.mode = {{ type = \"mode\", default = \"0644\" }}\nproperties.size = {{ type = \"int\", export = true }}\n{}",
        parts.concat()
    );
    tried(subject(&[("note", &text)], "note"))
}

/// A kind among these scripts and the built-in kinds.
fn subject(scripts: &[(&str, &str)], kind: &str) -> Subject {
    Subject::among(&Bench::new(scripts).kinds, kind)
}

fn tried(subject: Subject) -> Subject {
    subject
        .world(|host| host.directory("/srv", 0o755).file("/srv/seen", "", 0o644))
        .wish(Wish::named("/srv/motd").set("text", "hello").set("mode", "0640"))
        .wish(Wish::named("/srv/motd").set("text", "other"))
        .wish(Wish::named("/srv/motd").set("text", "hello").set("mode", "u=rw,go="))
        .wish(Wish::named("/srv/issue").set("text", "welcome"))
        .drift(|host| host.tamper("/srv/motd", "changed"))
        .drift(|host| host.delete("/srv/motd"))
        .drift(|host| {
            host.change_access("/srv/motd", Access { mode: Some(0o777), ..Access::default() });
        })
}

fn describe(broken: &[Broken]) -> String {
    broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n")
}

/// The subject breaks exactly `law`, and the explanation contains `words`.
#[track_caller]
fn breaks(subject: &Subject, law: &str, words: &str) {
    let broken = broken_by(subject);
    let names: Vec<_> = broken.iter().map(|broken| broken.law).collect();
    assert_eq!(names, [law], "{}", describe(&broken));
    assert!(describe(&broken).contains(words), "{}", describe(&broken));
}

#[track_caller]
fn keeps_all(subject: &Subject) {
    let broken = broken_by(subject);
    assert!(broken.is_empty(), "{}", describe(&broken));
}

#[test]
fn a_correct_kind_keeps_all_laws() {
    keeps_all(&note(&[LOADER, ACTIONS, REMOVAL]));
}

#[test]
fn a_kind_that_extends_another_keeps_all_laws() {
    let base = "properties.path = { type = \"path\", name = true }\nproperties.text = { type = \"text\", default = \"\" }\n\
                properties.mode = { type = \"mode\", default = \"0644\" }\n";
    let base = format!("{base}{}{ACTIONS}{REMOVAL}", LOADER.replace("current.size = #current.text", ""));
    let child = "extends \"base\"\nproperties.size = { type = \"int\", export = true }\n\
                 function load_current_value(current, desired)\n    super.load_current_value(current, desired)\n\
                 current.size = #current.text\nend\n";
    keeps_all(&tried(subject(&[("note", child), ("base", &base)], "note")));
}

/// It has no state of its own, so the laws about reading and removal do not apply.
#[test]
fn a_composite_keeps_all_laws() {
    let site = "properties.root = { type = \"path\", name = true }\nproperties.title = { type = \"text\", default = \"untitled\" }\n\
                function actions.create()\n    directory(root, { mode = \"0755\" })\n\
                file(`{root}/index`, { content = title })\nend\n";
    let subject = subject(&[("site", site)], "site").world(|host| host.directory("/srv", 0o755));
    let subject = subject
        .wish(Wish::named("/srv/a").set("title", "hello"))
        .wish(Wish::named("/srv/a").set("title", "other"))
        .drift(|host| host.tamper("/srv/a/index", "changed"));
    keeps_all(&subject);
}

#[test]
fn catches_a_loader_that_writes() {
    let loader = LOADER.replace("    if not", "    query(\"touch /srv/seen\")\n    if not");
    let subject = note(&[&loader, "function watch() return { path } end\n", ACTIONS, REMOVAL]);
    breaks(&subject, "check_writes_nothing", "write /srv/seen (by /bin/sh)");
}

#[test]
fn catches_an_action_that_forgets_a_property() {
    let actions = ACTIONS.replace("fs.chmod(path, mode)", "");
    breaks(
        &note(&[LOADER, &actions, REMOVAL]),
        "apply_then_check_is_converged",
        "mode: \"0777\" -> \"0640\"",
    );
}

#[test]
fn catches_a_default_that_replaces_an_existing_value() {
    let actions = ACTIONS.replace(
        "fs.write(path, text) end",
        "fs.write(path, text, { mode = if is_set(\"mode\") then nil else \"0644\" }) end",
    );
    let words = "`mode` went from \"0640\" to \"0644\"";
    breaks(&note(&[LOADER, &actions, REMOVAL]), "an_unset_property_survives", words);
}

/// Scripts cannot make this mistake: `fs.write` does not write unchanged content.
#[test]
fn content_is_not_written_again_for_a_mode() {
    let actions = ACTIONS.replace("fs.chmod(path, mode)", "fs.write(path, text, { mode = mode })");
    keeps_all(&note(&[LOADER, &actions, REMOVAL]));
}

#[test]
fn catches_a_removal_that_removes_nothing() {
    let removal = "function actions.remove() fs.write(path, \"\") end\n";
    breaks(&note(&[LOADER, ACTIONS, removal]), "load_finds_nothing_after_remove", "still exists");
}

/// A file with a line for each name.
const MEMBER: &str = r#"
properties.file = { type = "path", setting = true, default = "/srv/members" }
properties.role = { type = "string", required = true }
function claims() return { edits = { path = file } } end
local function others(file, name)
    local kept = {}
    for line in string.gmatch(if fs.exists(file) then fs.read(file) else "", "[^\n]+") do
        if string.split(line, "=")[1] ~= name then table.insert(kept, line .. "\n") end
    end
    return kept
end
function load_current_value(current)
    if not fs.exists(file) then current_value_does_not_exist() end
    for line in string.gmatch(fs.read(file), "[^\n]+") do
        local parts = string.split(line, "=")
        if parts[1] == name then current.role = parts[2] end
    end
    if current.role == nil then current_value_does_not_exist() end
end
function actions.create()
    converge_if_changed(function()
        local all = others(file, name)
        table.insert(all, `{name}={role}\n`)
        fs.write(file, table.concat(all))
    end)
end
function actions.remove() fs.write(file, table.concat(others(file, name))) end
"#;

fn member(text: &str) -> Subject {
    subject(&[("member", text)], "member")
        .world(|host| host.directory("/srv", 0o755))
        .wish(Wish::named("ada").set("role", "admin"))
        .wish(Wish::named("ada").set("role", "guest"))
        .wish(Wish::named("bob").set("role", "guest"))
}

#[test]
fn catches_two_resources_that_disturb_each_other() {
    const LAW: &str = "two_resources_do_not_disturb_each_other";
    keeps_all(&member(MEMBER));
    let forgets = MEMBER.replace("local all = others(file, name)", "local all = {}");
    breaks(&member(&forgets), LAW, "was applied, it differs:");
    let removes =
        MEMBER.replace("fs.write(file, table.concat(others(file, name))) end", "fs.remove(file) end");
    breaks(&member(&removes), LAW, "was removed, it differs:");
}

#[test]
fn catches_an_export_that_changes_at_each_load() {
    let loader = LOADER.replace("#current.text", "math.random(1e9)");
    let broken = broken_by(&note(&[&loader, ACTIONS, REMOVAL]));
    assert!(broken.iter().any(|broken| broken.law == "exports_are_stable"), "{}", describe(&broken));
}

/// A crash between the two operations leaves an undeclared mode.
#[test]
fn catches_a_write_that_no_check_covers() {
    let actions = ACTIONS.replace(
        "        fs.write(path, text, { mode = mode })",
        "        fs.write(path, text, { mode = \"0600\" })\n        fs.chmod(path, mode)",
    );
    let words = "`set the permissions of /srv/motd` was reverted to a regular file 0600";
    breaks(&note(&[LOADER, &actions, REMOVAL]), "check_detects_a_reverted_write", words);
}

/// A scripted kind watches everything that it reads, unless it has `watch()`.
#[test]
fn catches_an_unwatched_path() {
    let loader = LOADER.replace("    if not", "    local policy = fs.exists(\"/srv/policy\")\n    if not");
    keeps_all(&note(&[&loader, ACTIONS, REMOVAL]));
    let subject = note(&[&loader, "function watch() return { path } end\n", ACTIONS, REMOVAL]);
    breaks(&subject, "an_outside_change_wakes_it", "load reads /srv/policy");
}

#[test]
fn catches_a_file_that_is_written_in_two_steps() {
    let actions = ACTIONS.replace(
        "        fs.write(path, text, { mode = mode })",
        "        fs.write(path, string.sub(text, 1, #text // 2), { mode = mode })\n        fs.write(path, text)",
    );
    let law = "the_run_after_an_interruption_converges";
    breaks(&note(&[LOADER, &actions, REMOVAL]), law, "/srv/motd was half-written");
}

#[test]
fn catches_a_lock_that_outlives_its_run() {
    let actions = ACTIONS.replace(
        "    if current == nil then",
        "    if current == nil and fs.exists(\"/srv/lock\") then error(\"another run is active\") end\n    if current == nil then\n\
         converge_if_changed(function() fs.write(\"/srv/lock\", \"\") end)",
    );
    let actions = actions.replace("        return\n", "        fs.remove(\"/srv/lock\")\n        return\n");
    let subject = note(&[LOADER, &actions, REMOVAL]).side_effect("/srv/lock");
    let broken = broken_by(&subject);
    let law = "the_run_after_an_interruption_converges";
    assert!(broken.iter().any(|broken| broken.law == law), "{}", describe(&broken));
}

#[test]
fn catches_a_loader_that_returns_the_desired_value() {
    let loader = LOADER.replace(
        "current.text = fs.read(path)",
        "current.text = fs.read(path)\n    if desired.text and string.upper(desired.text) == current.text then current.text = desired.text end",
    );
    let loader = loader.replace("(current)", "(current, desired)");
    let actions = ACTIONS.replace("fs.write(path, text", "fs.write(path, string.upper(text)");
    let words = "`text`: \"hello\" was applied, \"HELLO\" is read";
    breaks(&note(&[&loader, &actions, REMOVAL]), "load_returns_the_applied_values", words);
    keeps_all(&note(&[&loader, &actions, REMOVAL]).unreadable("text"));
}

/// The law about inverses covers kinds with a loader; one without it must say why it cannot be undone.
#[test]
fn a_kind_without_a_loader_says_why_it_cannot_be_undone() {
    let text = "properties.path = { type = \"path\", name = true }\n\
                function actions.create() fs.write(path, \"x\") end\n";
    let bench = Bench::new(&[("stamp", text)]).world(|host| host.directory("/srv", 0o755));
    let fields = Fields::new("/srv/a", Vec::new(), &Action::Converge, Context::NOTHING);
    let (instance, _) = bench.kinds.get("stamp").expect("it was defined").decode(fields);
    let instance = instance.expect("it is valid");
    let seen = instance.look(&Look::to_read(&bench.host.act())).expect("nothing is loaded");
    let Previous::None(reason) = instance.previous(&seen) else { panic!("it cannot be undone") };
    assert!(reason.contains("`load_current_value`"), "{reason}");
}
