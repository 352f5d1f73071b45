//! Removals that depend on what earlier runs recorded: killed ones, saved plans, other roots.

use std::fs;
use std::process::Command;

use super::removal::{KEPT, read, sandbox};
use super::sandbox::Sandbox;

/// The record of the run ends where it was killed, and the applied values were not written.
#[test]
fn a_killed_run_counts_for_a_later_removal() {
    let files = "file \"/etc/old\" { content = \"new\" }\nfile \"/etc/made\" { content = \"made\" }\n";
    let revert = format!("settings {{ on_removal = \"revert\" }}\n{KEPT}");
    let sandbox = sandbox(&format!("{revert}{files}"));
    fs::write(sandbox.at("root/etc/old"), "before").unwrap();
    sandbox.apply();
    let record = sandbox.state("runs/000001.jsonl");
    let lines: Vec<&str> = record.lines().collect();
    fs::write(sandbox.at("state/runs/000001.jsonl"), lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    for name in ["applied", "applied.log"] {
        _ = fs::remove_file(sandbox.at("state").join(name));
    }
    sandbox.apply();
    sandbox.configure(&revert);
    sandbox.apply();
    assert_eq!(
        (read(&sandbox, "root/etc/old").as_deref(), read(&sandbox, "root/etc/made")),
        (Some("before"), None)
    );
}

#[test]
fn the_policy_of_the_last_declaration_counts() {
    let file = |policy: &str, rest: &str| {
        format!("{KEPT}file \"/etc/a\" {{\n  content    = \"1\"\n  on_removal = \"{policy}\"\n{rest}}}\n")
    };
    for rest in
        ["  only_if = \"false\"\n", "  audit = true\n", "  verify = \"false {}\"\n  mode = \"0600\"\n"]
    {
        for (first, last, expected) in [("remove", "keep", Some("1")), ("keep", "remove", None)] {
            let sandbox = sandbox(&file(first, ""));
            sandbox.apply();
            sandbox.configure(&file(last, rest));
            sandbox.run(&["apply"]);
            sandbox.configure(KEPT);
            sandbox.apply();
            assert_eq!(read(&sandbox, "root/etc/a").as_deref(), expected, "{first} {last} {rest}");
        }
    }
}

/// A removal of a saved plan is recognized by its resource, and reported if it is not made.
#[test]
fn a_saved_plan_makes_its_removals_or_reports_them() {
    let files = ["b", "c", "d"].map(|name| format!("file \"/etc/{name}\" {{ content = \"{name}\" }}\n"));
    let base = format!("settings {{ on_removal = \"remove\" }}\n{KEPT}");
    let planned = || {
        let sandbox = sandbox(&[&base, &*files.concat()].concat());
        sandbox.apply();
        sandbox.configure(&base);
        let plan = sandbox.at("site.plan").to_str().expect("a plain path").to_owned();
        assert_eq!(sandbox.run(&["plan", "--out", &plan]).code, 2);
        (sandbox, plan)
    };
    let left = |sandbox: &Sandbox| ["b", "c", "d"].map(|name| sandbox.at("root/etc").join(name).exists());
    let (missing, plan) = planned();
    fs::remove_file(missing.at("root/etc/b")).unwrap();
    let run = missing.plain(&["apply", &plan]);
    assert_eq!((run.code, left(&missing)), (0, [false; 3]), "{}{}", run.out, run.err);
    let (edited, plan) = planned();
    fs::write(edited.at("root/etc/b"), "edited").unwrap();
    let run = edited.plain(&["apply", &plan]);
    assert_eq!((run.code, left(&edited)), (1, [true, false, false]), "{}{}", run.out, run.err);
    let reason = "error: file[\"/etc/b\"] is not removed as planned: changed since it was applied\n";
    assert!(run.err.contains(reason), "{}", run.err);
    let (lost, plan) = planned();
    fs::remove_dir_all(lost.at("state")).unwrap();
    let run = lost.plain(&["apply", &plan]);
    assert_eq!((run.code, left(&lost)), (1, [true; 3]), "{}{}", run.out, run.err);
    assert!(
        run.err.contains("file[\"/etc/b\"] is not removed as planned: there is no record of it\n"),
        "{}",
        run.err
    );
    let (unused, plan) = planned();
    assert_eq!((unused.plain(&["apply", "--no-journal", &plan]).code, left(&unused)), (1, [true; 3]));
}

/// The position of a revert depends on how many removals there are, and does not matter.
#[test]
fn a_saved_plan_reverts_a_resource_although_another_one_is_gone() {
    let files = ["b", "c"].map(|name| format!("file \"/etc/{name}\" {{ content = \"new\" }}\n"));
    let base = format!("settings {{ on_removal = \"revert\" }}\n{KEPT}");
    let sandbox = sandbox(&[&base, &*files.concat()].concat());
    fs::write(sandbox.at("root/etc/b"), "before").unwrap();
    fs::write(sandbox.at("root/etc/c"), "before").unwrap();
    sandbox.apply();
    sandbox.configure(&base);
    let plan = sandbox.at("site.plan").to_str().expect("a plain path").to_owned();
    assert_eq!(sandbox.run(&["plan", "--out", &plan]).code, 2);
    for (gone, reverted) in [("b", "c"), ("c", "b")] {
        let (gone, reverted) = (sandbox.at("root/etc").join(gone), sandbox.at("root/etc").join(reverted));
        fs::remove_file(&gone).unwrap();
        let state = sandbox.at("state");
        let saved = sandbox.at("saved");
        assert!(Command::new("cp").arg("-a").args([&state, &saved]).status().unwrap().success());
        let run = sandbox.plain(&["apply", &plan]);
        assert_eq!(fs::read_to_string(&reverted).unwrap(), "before", "{}{}", run.out, run.err);
        fs::write(&gone, "new").unwrap();
        fs::write(&reverted, "new").unwrap();
        fs::remove_dir_all(&state).unwrap();
        fs::rename(&saved, &state).unwrap();
    }
}

/// One state directory for two roots.
#[test]
fn a_resource_of_another_root_stays() {
    let removing = format!("settings {{ on_removal = \"remove\" }}\n{KEPT}");
    let sandbox = sandbox(&format!("{removing}file \"/etc/a\" {{ mode = \"0644\" }}\n"));
    sandbox.apply();
    fs::create_dir_all(sandbox.at("other/etc")).unwrap();
    fs::write(sandbox.at("other/etc/a"), "").unwrap();
    sandbox.configure(&removing);
    let text = |name: &str| sandbox.at(name).to_str().expect("a plain path").to_owned();
    let (other, state, site) = (text("other"), text("state"), text("site.hcl"));
    let run = crate::binary::uphold(["apply", "--root", &other, "--state", &state, &site]);
    assert_eq!((run.code, read(&sandbox, "other/etc/a").as_deref()), (0, Some("")), "{}{}", run.out, run.err);
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/a"), None);
}

/// A kind that edits a part of a file may have one name in two files: each has a record of its own.
#[test]
fn equal_names_of_a_scripted_edit_have_separate_records() {
    let block = |label: &str, file: &str, policy: &str| {
        format!(
            "env_key \"{label}\" {{\n  key        = \"PORT\"\n  file       = \"/etc/{file}\"\n  \
             value      = \"1\"\n  on_removal = \"{policy}\"\n}}\n"
        )
    };
    let blocks = block("b", "b.env", "remove") + &block("a", "a.env", "revert");
    let sandbox = sandbox(&format!("{KEPT}{blocks}"));
    fs::create_dir(sandbox.at("kinds")).unwrap();
    fs::write(sandbox.at("kinds/env_key.luau"), ENV_KEY).unwrap();
    fs::write(sandbox.at("root/etc/a.env"), "PORT=77\n").unwrap();
    fs::write(sandbox.at("root/etc/b.env"), "A=0\n").unwrap();
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/b.env").as_deref(), Some("A=0\nPORT=1\n"));
    sandbox.configure(KEPT);
    sandbox.apply();
    let files = ["root/etc/a.env", "root/etc/b.env"].map(|file| read(&sandbox, file));
    assert_eq!(files.each_ref().map(Option::as_deref), [Some("PORT=77\n"), Some("A=0\n")]);
}

const ENV_KEY: &str = r#"
properties.key = { type = "string", name = true }
properties.file = { type = "path", setting = true, required = true }
properties.value = { type = "string", required = { "converge" } }

function claims() return { edits = { path = file } } end

local function text() return fs.exists(file) and fs.read(file) or "" end
local function line() return key .. "=%w+\n" end

function load_current_value(current)
    current.value = string.match(text(), key .. "=(%w+)\n")
    if not current.value then current_value_does_not_exist() end
end

function actions.create()
    converge_if_changed(function()
        local rest = string.gsub(text(), line(), "")
        fs.write(file, rest .. key .. "=" .. value .. "\n")
    end)
end

function actions.remove()
    local rest = string.gsub(text(), line(), "")
    fs.write(file, rest)
end
"#;
