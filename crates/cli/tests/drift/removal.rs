//! Resources that are no longer declared, and are removed or reverted.

use std::fs;

use super::sandbox::Sandbox;

const ACCOUNTS: [(&str, &str); 2] =
    [("root/etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"), ("root/etc/group", "root:x:0:\n")];

/// A sandbox with the accounts that cron and keys need.
pub(super) fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::with(text);
    for directory in ["root/etc/cron.d", "root/srv"] {
        fs::create_dir_all(sandbox.at(directory)).unwrap();
    }
    ACCOUNTS.iter().for_each(|(path, text)| fs::write(sandbox.at(path), text).unwrap());
    sandbox
}

pub(super) fn read(sandbox: &Sandbox, name: &str) -> Option<String> {
    fs::read_to_string(sandbox.at(name)).ok()
}

/// Applies the new configuration, and expects one removal, planned and made, and nothing after it.
#[track_caller]
fn expect_removed(sandbox: &Sandbox, text: &str, address: &str) {
    sandbox.configure(text);
    let plan = sandbox.run(&["plan"]);
    let line = format!("  - {address}   (remove; no longer declared)\n");
    assert!(plan.code == 2 && plan.out.contains(&line), "{}{}", plan.out, plan.err);
    let out = sandbox.apply();
    assert!(out.contains(&format!("  - {address}   (removed; no longer declared)\n")), "{out}");
    let again = sandbox.apply();
    assert!(again.starts_with("No changes.") && !again.contains("no longer declared"), "{again}");
}

pub(super) const KEPT: &str = "file \"/etc/kept\" { content = \"kept\" }\n";

pub(super) fn with_kept(text: &str) -> String {
    format!("settings {{ on_removal = \"remove\" }}\n{KEPT}{text}")
}

#[test]
fn a_resource_that_is_no_longer_declared_is_removed() {
    let check = |block: &str, address: &str, left: &dyn Fn(&Sandbox) -> bool| {
        let sandbox = sandbox(&with_kept(block));
        sandbox.apply();
        assert!(left(&sandbox), "{block} is there");
        expect_removed(&sandbox, &with_kept(""), address);
        assert!(!left(&sandbox), "{block} is removed");
        assert_eq!(read(&sandbox, "root/etc/kept").as_deref(), Some("kept"));
    };
    let file = |name: &'static str| move |sandbox: &Sandbox| sandbox.at(name).symlink_metadata().is_ok();
    let part = |name: &'static str, part: &'static str| {
        move |sandbox: &Sandbox| read(sandbox, name).is_some_and(|text| text.contains(part))
    };
    check("file \"/etc/a\" { content = \"a\" }\n", "file[\"/etc/a\"]", &file("root/etc/a"));
    let purged = |purge: &str| format!("directory \"/srv/w\" {{ purge = {purge} }}\n");
    check(&purged("true"), "directory[\"/srv/w\"]", &file("root/srv/w"));
    check(&purged("[\"keep\"]"), "directory[\"/srv/w\"]", &file("root/srv/w"));
    check(
        "file \"a\" {\n  path    = \"/etc/a\"\n  content = \"a\"\n}\n",
        "file.a (/etc/a)",
        &file("root/etc/a"),
    );
    check("link \"/etc/l\" { to = \"/etc/kept\" }\n", "link[\"/etc/l\"]", &file("root/etc/l"));
    check(
        "cron \"backup\" {\n  file     = \"jobs\"\n  schedule = \"@daily\"\n  command  = \"true\"\n}\n",
        "cron.backup",
        &part("root/etc/cron.d/jobs", "true"),
    );
    let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3Hh2wR0kq9cKj8yqUj1bT1sQb4mQXvHqv7V2cLcQGq";
    let line =
        format!("line \"bob\" {{\n  file   = \"/etc/keys\"\n  line   = \"{key} bob\"\n  create = true\n}}\n");
    check(&line, "line.bob", &part("root/etc/keys", "bob"));
    let ini = "ini \"x\" {\n  file    = \"/etc/x.ini\"\n  section = \"a\"\n  key     = \"k\"\n  value   = \"v\"\n  \
               create  = true\n}\n";
    check(ini, "ini.x", &part("root/etc/x.ini", "k"));
    let authorized = format!(
        "authorized_key \"bob\" {{\n  user = \"root\"\n  key  = \"{key}\"\n  file = \"/etc/bob\"\n}}\n"
    );
    check(&authorized, "authorized_key.bob", &part("root/etc/bob", "AAAAC3"));
}

#[test]
fn a_tree_is_removed_from_the_inside_and_only_if_it_is_empty() {
    let tree = "directory \"/srv/app\" { recursive = true }\ndirectory \"/srv/app/conf\" {}\n\
                file \"/srv/app/conf/a\" { content = \"a\" }\n";
    let sandbox = sandbox(&with_kept(tree));
    sandbox.apply();
    fs::write(sandbox.at("root/srv/app/data"), "of the application").unwrap();
    sandbox.configure(&with_kept(""));
    let out = sandbox.apply();
    assert!(out.contains("2 removed"), "{out}");
    assert!(out.contains("  directory[\"/srv/app\"]: ") && out.contains("not empty"), "{out}");
    assert!(!sandbox.at("root/srv/app/conf").exists() && sandbox.at("root/srv/app/data").exists());
    fs::remove_file(sandbox.at("root/srv/app/data")).unwrap();
    let out = sandbox.apply();
    assert!(out.contains("  - directory[\"/srv/app\"]   (removed; no longer declared)\n"), "{out}");
    assert!(!sandbox.at("root/srv/app").exists());
}

#[test]
fn a_changed_resource_and_one_from_before_are_left_with_the_reason() {
    let sandbox = sandbox("");
    fs::write(sandbox.at("root/etc/before"), "before").unwrap();
    let own = "file \"/etc/own\" { content = \"own\" }\nfile \"/etc/before\" { content = \"managed\" }\n";
    sandbox.configure(&with_kept(own));
    sandbox.apply();
    fs::write(sandbox.at("root/etc/own"), "edited").unwrap();
    sandbox.configure(&with_kept(""));
    for verb in ["plan", "apply", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(out.contains("  file[\"/etc/own\"]: changed since it was applied\n"), "{out}");
        assert!(out.contains("  file[\"/etc/before\"]: it existed before Uphold managed it\n"), "{out}");
    }
    let line = &sandbox.lines(&["plan"], "no_longer_declared")[0];
    assert_eq!(line["resources"][0]["refusal"], "it existed before Uphold managed it");
    assert_eq!(read(&sandbox, "root/etc/own").as_deref(), Some("edited"));
    let destroy = "removed {\n  from    = file[\"/etc/before\"]\n  destroy = true\n}\n";
    sandbox.configure(&with_kept(destroy));
    assert!(sandbox.apply().contains("  - file[\"/etc/before\"]   (removed; no longer declared)\n"));
    assert_eq!(read(&sandbox, "root/etc/before"), None);
}

#[test]
fn a_reverted_resource_is_as_before() {
    let sandbox = sandbox("");
    fs::write(sandbox.at("root/etc/before"), "before").unwrap();
    sandbox.chmod("root/etc/before", 0o600);
    let managed = |content: &str| {
        format!(
            "settings {{ on_removal = \"revert\" }}\n{KEPT}file \"/etc/before\" {{\n  content = \"{content}\"\n  \
             mode    = \"0644\"\n}}\nfile \"/etc/new\" {{ content = \"new\" }}\n"
        )
    };
    sandbox.configure(&managed("one"));
    sandbox.apply();
    sandbox.configure(&managed("two"));
    sandbox.apply();
    sandbox.configure(&format!("settings {{ on_removal = \"revert\" }}\n{KEPT}"));
    let out = sandbox.apply();
    assert!(out.contains("  ~ file[\"/etc/before\"]   (updated; no longer declared)\n"), "{out}");
    assert!(out.contains("  - file[\"/etc/new\"]   (removed; no longer declared)\n"), "{out}");
    assert_eq!(read(&sandbox, "root/etc/before").as_deref(), Some("before"));
    let again = sandbox.apply();
    assert!(again.starts_with("No changes.") && !again.contains("no longer declared"), "{again}");
}

/// Edits of a part of a file: others have changed the rest of the file since.
#[test]
fn a_reverted_edit_brings_its_value_back_and_no_other_line() {
    let ini = |file: &str| {
        format!(
            "ini \"x11\" {{\n  file  = \"{file}\"\n  key   = \"X11\"\n  value = \"no\"\n  on_removal = \"revert\"\n}}\n"
        )
    };
    let sandbox = sandbox("");
    fs::write(sandbox.at("root/etc/ssh"), "A = 1\nX11 = yes\nB = 2\n").unwrap();
    for (change, expected) in [(false, "A = 1\nX11 = yes\nB = 2\n"), (true, "A = 9\nX11 = yes\nB = 2\n")] {
        sandbox.configure(&format!("{KEPT}{}", ini("/etc/ssh")));
        sandbox.apply();
        assert_eq!(read(&sandbox, "root/etc/ssh").as_deref(), Some("A = 1\nX11 = no\nB = 2\n"));
        if change {
            fs::write(sandbox.at("root/etc/ssh"), "A = 9\nX11 = no\nB = 2\n").unwrap();
        }
        sandbox.configure(KEPT);
        let out = sandbox.apply();
        assert!(out.contains("  ~ ini.x11   (updated; no longer declared)\n"), "{out}");
        assert_eq!(read(&sandbox, "root/etc/ssh").as_deref(), Some(expected));
        assert!(!sandbox.apply().contains("no longer declared"));
    }
}

#[test]
fn a_renamed_job_leaves_no_double() {
    let job = |name: &str| {
        format!(
            "cron \"{name}\" {{\n  file     = \"jobs\"\n  schedule = \"@daily\"\n  command  = \"true\"\n}}\n"
        )
    };
    let moved = "moved {\n  from = cron.old\n  to   = cron.new\n}\n";
    let sandbox = sandbox(&job("old"));
    sandbox.apply();
    sandbox.configure(&job("new"));
    let out = sandbox.apply();
    assert!(out.contains("1 resource is no longer declared and was left unchanged: cron.old"), "{out}");
    sandbox.configure(&(job("new") + moved));
    let saved = sandbox.at("saved.plan");
    let saved = saved.to_str().unwrap();
    let line = "  - cron.old   (remove; moved to cron.new)\n";
    let plan = sandbox.run(&["plan", "--out", saved]).out;
    assert!(plan.contains(line), "{plan}");
    let shown = sandbox.plain(&["show", saved]).out;
    assert!(shown.contains(line), "{shown}");
    let planned = sandbox.lines(&["plan"], "resource_finished");
    let moved_to = planned.iter().map(|line| &line["moved_to"]["address"]).find(|to| !to.is_null());
    assert_eq!(moved_to, Some(&"cron.new".into()), "{planned:?}");
    let out = sandbox.apply();
    assert!(out.contains("  - cron.old   (removed; moved to cron.new)\n"), "{out}");
    let history = sandbox.plain(&["history", "3"]).out;
    assert!(history.contains("because it moved to cron.new"), "{history}");
    let jobs = read(&sandbox, "root/etc/cron.d/jobs").unwrap();
    assert_eq!(jobs.matches("true").count(), 1, "{jobs}");
    assert!(jobs.contains("uphold: new"), "{jobs}");
    let again = sandbox.apply();
    assert!(again.starts_with("No changes.") && !again.contains("no longer declared"), "{again}");
}

#[test]
fn a_new_name_of_the_same_thing_removes_nothing() {
    let line = |name: &str| {
        with_kept(&format!(
            "line \"{name}\" {{\n  file   = \"/etc/keys\"\n  line   = \"x\"\n  create = true\n}}\n"
        ))
    };
    let sandbox = sandbox(&line("one"));
    sandbox.apply();
    sandbox.configure(&line("two"));
    for _ in 0..2 {
        let out = sandbox.apply();
        assert!(out.starts_with("No changes.") && !out.contains("no longer declared"), "{out}");
        assert_eq!(read(&sandbox, "root/etc/keys").as_deref(), Some("x\n"));
    }
}

#[test]
fn another_kind_takes_the_place() {
    let sandbox = sandbox(&with_kept("file \"/etc/x\" { content = \"x\" }\n"));
    sandbox.apply();
    sandbox.configure(&with_kept("link \"/etc/x\" { to = \"/etc/kept\" }\n"));
    let plan = sandbox.run(&["plan"]);
    assert_eq!(plan.code, 2, "{}{}", plan.out, plan.err);
    let out = sandbox.apply();
    assert!(out.contains("1 added, 0 changed, 1 removed"), "{out}");
    assert!(sandbox.at("root/etc/x").is_symlink());
}

#[test]
fn a_directory_with_declared_content_stays() {
    let sandbox = sandbox(&with_kept("directory \"/srv/app\" {}\n"));
    sandbox.apply();
    sandbox.configure(&with_kept("file \"/srv/app/a\" { content = \"a\" }\n"));
    let out = sandbox.apply();
    assert!(out.contains("  directory[\"/srv/app\"]: file[\"/srv/app/a\"] "), "{out}");
    assert_eq!(read(&sandbox, "root/srv/app/a").as_deref(), Some("a"));
}

#[test]
fn a_removal_is_recorded_and_can_be_undone() {
    let sandbox = sandbox(&with_kept("file \"/etc/a\" {\n  content = \"a\"\n  mode    = \"0600\"\n}\n"));
    sandbox.apply();
    sandbox.configure(&with_kept(""));
    sandbox.apply();
    let history = sandbox.plain(&["history", "2"]).out;
    assert!(
        history.contains("- file[\"/etc/a\"]") && history.contains("it is no longer declared"),
        "{history}"
    );
    let undo = sandbox.plain(&["undo", "2", "--yes"]);
    assert_eq!(undo.code, 0, "{}{}", undo.out, undo.err);
    assert!(undo.err.contains("no longer declared: the next apply lists or removes again"), "{}", undo.err);
    assert!(!undo.err.contains("still declares this"), "{}", undo.err);
    assert_eq!(read(&sandbox, "root/etc/a").as_deref(), Some("a"));
    let plan = sandbox.run(&["plan"]).out;
    assert!(plan.contains("  - file[\"/etc/a\"]   (remove; no longer declared)\n"), "{plan}");
    fs::write(sandbox.at("root/etc/a"), "edited").unwrap();
    let plan = sandbox.run(&["plan"]).out;
    assert!(plan.contains("  file[\"/etc/a\"]: changed since it was applied\n"), "{plan}");
    fs::write(sandbox.at("root/etc/a"), "a").unwrap();
    let undo = sandbox.plain(&["undo", "3", "--yes"]);
    assert_eq!((undo.code, read(&sandbox, "root/etc/a")), (0, None), "{}", undo.err);
    let out = sandbox.apply();
    assert!(out.starts_with("No changes.") && !out.contains("no longer declared"), "{out}");
}

/// With a `removed` block that was deleted since, it is listed as before.
#[test]
fn an_undone_removal_is_listed_again() {
    let sandbox = sandbox(&format!("{KEPT}file \"/etc/a\" {{ content = \"a\" }}\n"));
    sandbox.apply();
    sandbox.configure(&format!("{KEPT}removed {{\n  from    = file[\"/etc/a\"]\n  destroy = true\n}}\n"));
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/etc/a"), None);
    assert_eq!(sandbox.plain(&["undo", "--yes"]).code, 0);
    sandbox.configure(KEPT);
    for verb in ["plan", "apply", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(
            out.contains("no longer declared and was left unchanged: file[\"/etc/a\"]\n"),
            "{verb}: {out}"
        );
    }
}

#[test]
fn a_removed_block_ends_the_listing() {
    let sandbox = sandbox(&format!("{KEPT}file \"/etc/a\" {{ content = \"a\" }}\n"));
    sandbox.apply();
    sandbox.configure(KEPT);
    assert!(sandbox.apply().contains("no longer declared"));
    sandbox.configure(&format!("{KEPT}removed {{\n  from = file[\"/etc/a\"]\n}}\n"));
    for verb in ["plan", "apply", "apply"] {
        let out = sandbox.run(&[verb]).out;
        assert!(!out.contains("no longer declared"), "{verb}: {out}");
    }
    sandbox.configure(KEPT);
    assert!(!sandbox.apply().contains("no longer declared"));
    assert_eq!(read(&sandbox, "root/etc/a").as_deref(), Some("a"));
}

/// The last declaration counts, even if its condition is false.
#[test]
fn the_policy_of_a_block_with_a_false_condition_counts() {
    let block = |policy: &str, more: &str| {
        format!("{KEPT}file \"/etc/a\" {{\n  content    = \"a\"\n  on_removal = \"{policy}\"\n{more}}}\n")
    };
    let group = |policy: &str| {
        let inside = block("remove", "").replace(KEPT, "").replace("  on_removal = \"remove\"\n", "");
        format!("{KEPT}sequence {{\n  when       = false\n  on_removal = \"{policy}\"\n{inside}}}\n")
    };
    for (first, last, is_kept) in [
        ("remove", block("keep", "  when = false\n"), true),
        ("keep", block("remove", "  when = false\n"), false),
        ("remove", group("keep"), true),
        ("keep", group("remove"), false),
    ] {
        let sandbox = sandbox(&block(first, ""));
        sandbox.apply();
        sandbox.configure(&last);
        sandbox.apply();
        assert_eq!(read(&sandbox, "root/etc/a").as_deref(), Some("a"), "a false condition removes nothing");
        sandbox.configure(KEPT);
        sandbox.apply();
        assert_eq!(read(&sandbox, "root/etc/a").is_some(), is_kept, "{first}, then {last}");
    }
}
