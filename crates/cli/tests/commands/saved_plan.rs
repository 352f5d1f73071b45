//! Saved plans: the shown changes are applied, and resources that changed since are skipped.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::{Ran, Sandbox};

/// Saves a plan of `site.hcl` for the machine below `root`.
#[track_caller]
pub(crate) fn plan(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let ran = sandbox.rooted(&[&["plan", "site.hcl", "--out", "plan"], arguments].concat());
    assert!(ran.code == Some(2) || ran.code == Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "The plan was saved. Apply it with: uphold apply plan\n");
    ran.stdout
}

pub(crate) fn apply(sandbox: &Sandbox) -> Ran {
    sandbox.run(&["apply", "plan", "--jobs", "1"])
}

/// The standard error of an applied plan, without the line about its age.
pub(crate) fn printed(ran: &Ran) -> &str {
    ran.stderr.strip_prefix("This plan was made just now.\n").unwrap_or(&ran.stderr)
}

#[test]
fn a_saved_plan_is_applied_as_shown() {
    let sandbox =
        Sandbox::with("file \"/a\" {\n  content = \"${timestamp()} ${param.who}\"\n}\nparam \"who\" {}\n");
    let planned = plan(&sandbox, &["-p", "who=ann"]);
    assert!(planned.contains(" ann\""), "{planned}");
    let before = sandbox.machine();
    assert_eq!(before, Vec::<String>::new());
    let mode = fs::metadata(sandbox.path("plan")).expect("a plan").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    // Neither --root nor the param is passed again, and the time is that of the plan.
    let applied = apply(&sandbox);
    assert_eq!((applied.code, printed(&applied)), (Some(0), ""), "{}", applied.stdout);
    let shown = planned.lines().find(|line| line.contains("content:")).expect("the content");
    assert!(shown.contains(&sandbox.read("root/a")), "{shown}");
    // A second apply has nothing to do, which is fine.
    let again = apply(&sandbox);
    assert_eq!((again.code, printed(&again)), (Some(0), ""));
    assert!(again.stdout.starts_with("No changes."), "{}", again.stdout);
}

const DRIFT: &str = "file \"/created\" { content = \"new\" }\nfile \"/updated\" { content = \"new\" }\n\
                     file \"/fine\" {\n  content = \"new\"\n  mode = \"0600\"\n}\n\
                     file \"/removed\" { action = \"remove\" }\n";

/// Plans on a machine where one file is missing, one differs, one is as declared and one is to be removed; makes a
/// change and applies. `refused` is the resource that is not as planned, and the message about it.
#[track_caller]
fn check(happens: impl Fn(&Sandbox), refused: Option<(&str, &str)>) {
    let sandbox = Sandbox::with(DRIFT);
    sandbox.write("root/updated", "old");
    sandbox.write("root/fine", "new");
    sandbox.write("root/removed", "old");
    let mode = |path: &str, mode| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).expect("ours");
    };
    mode("root/fine", 0o600);
    mode("root/removed", 0o644);
    plan(&sandbox, &[]);
    happens(&sandbox);
    let collect = |path: &str| {
        let about = fs::metadata(sandbox.path(path)).ok().map(|about| about.permissions().mode());
        (fs::read_to_string(sandbox.path(path)).ok(), about)
    };
    let untouched = refused.map(|(name, _)| collect(&format!("root/{name}")));
    let applied = apply(&sandbox);
    let expected = match refused {
        None => String::new(),
        Some((name, why)) => {
            let line = DRIFT.lines().position(|line| line.contains(name)).expect("it is declared") + 1;
            format!(
                "  . file[\"/{name}\"]   (skipped because it differs from the plan: {why}; site.hcl:{line}:1)\n"
            )
        }
    };
    assert_eq!(printed(&applied), expected, "{}", applied.stdout);
    assert_eq!(applied.code, Some(i32::from(refused.is_some())));
    for (name, content) in [("created", Some("new")), ("updated", Some("new")), ("removed", None)] {
        let content = content.map(str::to_owned);
        match refused {
            Some((other, _)) if other == name => {
                assert_eq!(Some(collect(&format!("root/{name}"))), untouched);
            }
            _ => assert_eq!(collect(&format!("root/{name}")).0, content, "{name}"),
        }
    }
}

#[test]
fn resources_changed_since_the_plan_are_skipped_and_the_rest_is_applied() {
    let chmod = |sandbox: &Sandbox, path: &str, mode| {
        fs::set_permissions(sandbox.path(path), fs::Permissions::from_mode(mode)).expect("ours");
    };
    let remove = |sandbox: &Sandbox, path: &str| fs::remove_file(sandbox.path(path)).expect("it existed");
    check(|_| {}, None);
    let there = "it was to be created, but exists now: content \"theirs\"";
    check(|sandbox| sandbox.write("root/created", "theirs"), Some(("created", there)));
    check(
        |sandbox| remove(sandbox, "root/updated"),
        Some(("updated", "it was to be changed, but does not exist")),
    );
    let other = "content was \"old\" at the time of the plan, and is \"theirs\" now";
    check(|sandbox| sandbox.write("root/updated", "theirs"), Some(("updated", other)));
    // A removal shows no content, so the mode is compared.
    let stricter = "mode was \"0644\" at the time of the plan, and is \"0600\" now";
    check(|sandbox| chmod(sandbox, "root/removed", 0o600), Some(("removed", stricter)));
    let mode = "it was as declared, but is not now: mode \"0640\"";
    check(|sandbox| chmod(sandbox, "root/fine", 0o640), Some(("fine", mode)));
    check(|sandbox| remove(sandbox, "root/fine"), Some(("fine", "it was as declared, but does not exist")));
}

#[test]
fn resources_that_converged_since_the_plan_are_fine() {
    check(|sandbox| sandbox.write("root/created", "new"), None);
    check(|sandbox| sandbox.write("root/updated", "new"), None);
    check(|sandbox| fs::remove_file(sandbox.path("root/removed")).expect("it existed"), None);
    // The mode is not declared, so that it may differ.
    let mode = fs::Permissions::from_mode(0o611);
    check(|sandbox| fs::set_permissions(sandbox.path("root/updated"), mode.clone()).expect("ours"), None);
}

/// A configuration that reads a module, a template, a file of params, a variable and a fact.
fn many_files() -> Sandbox {
    let sandbox = Sandbox::with(
        "param \"p\" {}\nmodule \"m\" { source = \"./m\" }\n\
         file \"/t\" { content = template(\"t.j2\", { p = param.p }) }\n\
         file \"/e\" { content = env(\"WHO\", \"\") }\nfile \"/f\" { content = host.hostname }\n",
    );
    fs::create_dir(sandbox.path("m")).expect("a folder");
    sandbox.write("m/main.hcl", "file \"/m\" { content = \"m\" }\n");
    sandbox.write("t.j2", "p is {{ p }}");
    sandbox.write("params.yaml", "p: a\n");
    fs::create_dir(sandbox.path("root/etc")).expect("a folder");
    sandbox.write("root/etc/hostname", "web1\n");
    sandbox
}

#[test]
fn another_configuration_is_refused_as_a_whole() {
    let check = |happens: &dyn Fn(&Sandbox), expected: &str| {
        let sandbox = many_files();
        let arguments = ["plan", "site.hcl", "--params", "params.yaml", "--root", "root", "--out", "plan"];
        let planned = sandbox.command(&arguments).env("WHO", "ann").output().expect("the command starts");
        let planned = sandbox.ran(&planned);
        assert_eq!(planned.code, Some(2), "{}", planned.stderr);
        happens(&sandbox);
        let before = sandbox.machine();
        let applied = sandbox.command(&["apply", "plan"]).env("WHO", "ann").output().expect("it starts");
        let applied = sandbox.ran(&applied);
        assert_eq!(printed(&applied), expected, "{}", applied.stdout);
        assert_eq!((applied.code, sandbox.machine()), (Some(1), before));
    };
    let changed = |what: &str| {
        format!(
            "error: the configuration has changed since the plan was made: {what} has changed\n  \
                 hint: review the changes, and make a new plan\n"
        )
    };
    for path in ["site.hcl", "m/main.hcl", "t.j2", "params.yaml"] {
        let append = |sandbox: &Sandbox| sandbox.write(path, sandbox.read(path) + "\n");
        check(&append, &changed(path));
    }
    check(&|sandbox| sandbox.write("root/etc/hostname", "web2\n"), &changed("the fact hostname"));
}

#[test]
fn a_variable_counts_as_configuration() {
    let sandbox = Sandbox::with("file \"/e\" { content = env(\"WHO\") }\n");
    let run = |arguments: &[&str], who: &str| {
        sandbox.ran(&sandbox.command(arguments).env("WHO", who).output().expect("the command starts"))
    };
    let planned = run(&["plan", "--root", "root", "--out", "plan"], "ann");
    assert_eq!(planned.code, Some(2), "{}", planned.stderr);
    let applied = run(&["apply", "plan"], "bob");
    let expected = "error: the configuration has changed since the plan was made: the variable WHO has changed\n  \
                    hint: review the changes, and make a new plan\n";
    assert_eq!((applied.code, printed(&applied)), (Some(1), expected));
    assert_eq!(run(&["apply", "plan"], "ann").code, Some(0));
    assert_eq!(sandbox.read("root/e"), "ann");
}

#[test]
fn a_file_that_is_new_in_the_folder_is_refused() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    assert_eq!(sandbox.rooted(&["plan", "--out", "plan"]).code, Some(2));
    sandbox.write("more.hcl", "file \"/b\" {}\n");
    let applied = apply(&sandbox);
    assert!(printed(&applied).contains("more.hcl was not read by the plan"), "{}", applied.stderr);
    assert_eq!((applied.code, sandbox.machine().len()), (Some(1), 0));
}

#[test]
fn another_directory_or_host_is_refused() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    plan(&sandbox, &[]);
    fs::create_dir(sandbox.path("other")).expect("a folder");
    sandbox.run(&["apply", "plan", "--root", "other"]).check(
        1,
        "",
        "error: the plan cannot be applied here: it is for the root FOLDER/root, not for the root \
         FOLDER/other\n  hint: omit --root: the plan has its own\n",
    );
    let mut command = sandbox.command(&["apply", "../plan"]);
    let ran = sandbox.ran(&command.current_dir(sandbox.path("other")).output().expect("the command starts"));
    ran.check(
        1,
        "",
        "error: the plan cannot be applied here: it was made in FOLDER, and this is FOLDER/other\n  \
         hint: change the directory: cd FOLDER\n",
    );
    assert_eq!(sandbox.machine().len(), 0);
    assert_eq!(sandbox.run(&["apply", "plan", "--root", "root"]).code, Some(0));
}

#[test]
fn flags_that_would_change_a_plan_are_refused() {
    let sandbox = Sandbox::with("param \"p\" { default = \"x\" }\nfile \"/a\" { content = param.p }\n");
    plan(&sandbox, &["-p", "p=y"]);
    let check = |arguments: &[&str], expected: &str| {
        let ran = sandbox.run(&[&["apply", "plan"], arguments].concat());
        assert!(printed(&ran).contains(expected), "{}", ran.stderr);
        assert_eq!((ran.code, sandbox.machine().len()), (Some(1), 0));
    };
    check(&["--target", "file[\"/a\"]"], "--target cannot be used with a saved plan");
    check(&["--exclude", "file[\"/a\"]"], "--exclude cannot be used with a saved plan");
    check(&["--params", "x.yaml"], "--params cannot be used with a saved plan");
    check(&["-p", "p=z"], "the plan contains its params, so `p` cannot be set");
    // A variable that was not set during the plan is ignored now.
    let ran = sandbox.command(&["apply", "plan"]).env("UPHOLD_PARAM_P", "z").output().expect("it starts");
    assert_eq!((sandbox.ran(&ran).code, sandbox.read("root/a")), (Some(0), "y".to_owned()));
}

#[test]
fn a_plan_of_targets_applies_only_the_targets() {
    let sandbox = Sandbox::with("file \"/a\" {}\nfile \"/b\" {}\n");
    plan(&sandbox, &["--target", "file[\"/b\"]"]);
    let applied = apply(&sandbox);
    assert_eq!((applied.code, printed(&applied)), (Some(0), ""));
    assert!(sandbox.path("root/b").exists() && !sandbox.path("root/a").exists());
}

#[test]
fn unknown_values_and_notifications_are_applied_as_shown() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("root").display().to_string();
    sandbox.write(
        "site.hcl",
        format!(
            "task \"count\" {{\n  check = \"test -f {folder}/done\"\n  apply = \"touch {folder}/done; echo 7\"\n}}\n\
             file \"{folder}/c\" {{\n  content = task.count.status.stdout\n  notifies = [task.tell.run]\n}}\n\
             task \"tell\" {{\n  action = \"nothing\"\n  check = \"false\"\n  apply = \"echo told >> {folder}/told\"\n}}\n"
        ),
    );
    sandbox.write("root/c", "old");
    let planned = sandbox.run(&["plan", "--out", "plan"]);
    assert!(planned.stdout.contains("2 may change"), "{}", planned.stdout);
    let applied = apply(&sandbox);
    assert_eq!((applied.code, printed(&applied)), (Some(0), ""), "{}", applied.stdout);
    assert_eq!((sandbox.read("root/c"), sandbox.read("root/told")), ("7\n".to_owned(), "told\n".to_owned()));
}

#[test]
fn a_plan_that_fails_is_not_saved() {
    let sandbox = Sandbox::with("file \"/none/x\" {}\n");
    let ran = sandbox.rooted(&["plan", "--out", "plan"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stderr.ends_with("The plan was not saved, because something failed or was skipped.\n"),
        "{}",
        ran.stderr
    );
    assert!(!sandbox.path("plan").exists());
}

#[test]
fn a_plan_with_an_unwritable_output_is_not_started() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    let check = |arguments: &[&str], expected: &str| {
        let ran = sandbox.rooted(arguments);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!((ran.code, &*ran.stdout), (Some(1), ""));
    };
    check(&["plan", "-", "--out", "plan"], "cannot save a plan of standard input");
    check(&["plan", "--out", "none/plan"], "cannot write the plan none/plan: its directory does not exist");
    check(&["plan", "--out", "root"], "cannot write the plan root: it is a directory");
    check(&["plan", "--demo", "--out", "plan"], "cannot be used with");
}

#[test]
fn a_plan_is_recognized_by_its_content_and_a_configuration_by_its_name() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    plan(&sandbox, &[]);
    fs::rename(sandbox.path("plan"), sandbox.path("plan.json")).expect("ours");
    std::os::unix::fs::symlink("plan.json", sandbox.path("latest")).expect("a link");
    fs::copy(sandbox.path("plan.json"), sandbox.path("plan.hcl")).expect("ours");
    assert_eq!(sandbox.run(&["apply", "latest"]).code, Some(0));
    assert_eq!(sandbox.run(&["apply", "plan.json"]).code, Some(0));
    let configuration = sandbox.rooted(&["apply", "plan.hcl"]);
    assert!(configuration.stderr.contains("--> plan.hcl:1:1"), "{}", configuration.stderr);
}

/// A "before" notification is delivered only if the change itself may be made.
#[test]
fn a_refused_change_notifies_nothing() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("root").display().to_string();
    sandbox.write(
        "site.hcl",
        format!(
            "file \"{folder}/c\" {{\n  content = \"new\"\n  notifies = {{ before = [task.stop.run] }}\n}}\n\
             task \"stop\" {{\n  action = \"nothing\"\n  check = \"false\"\n  apply = \"echo >> {folder}/stopped\"\n}}\n"
        ),
    );
    sandbox.write("root/c", "old");
    assert_eq!(sandbox.run(&["plan", "--out", "plan"]).code, Some(2));
    sandbox.write("root/c", "theirs");
    let applied = apply(&sandbox);
    assert!(printed(&applied).contains("and is \"theirs\" now"), "{}", applied.stderr);
    assert_eq!((applied.code, sandbox.path("root/stopped").exists()), (Some(1), false));
}

/// No output file may replace a configuration.
#[test]
fn no_output_replaces_a_configuration() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    for arguments in [["plan", "--out", "site.hcl"], ["plan", "--report", "site.hcl"]] {
        let ran = sandbox.rooted(&arguments);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(ran.stderr.contains("*.hcl files are configuration"), "{}", ran.stderr);
        assert_eq!(sandbox.read("site.hcl"), "file \"/a\" {}\n");
    }
}

/// The planned purge of a file does not permit removing a tree.
#[test]
fn directory_in_the_place_of_a_purged_file_stays() {
    let sandbox = Sandbox::with("directory \"/d\" {\n  purge = true\n}\n");
    fs::create_dir_all(sandbox.path("root/d/tree")).expect("a directory");
    sandbox.write("root/d/x", "old");
    let planned = plan(&sandbox, &[]);
    assert!(planned.contains("\"tree/\"") && planned.contains("\"x\""), "{planned}");
    fs::remove_file(sandbox.path("root/d/x")).expect("a file");
    fs::create_dir(sandbox.path("root/d/x")).expect("a directory");
    sandbox.write("root/d/x/precious", "");
    let applied = apply(&sandbox);
    assert_ne!(applied.code, Some(0));
    assert!(applied.stdout.contains("\"x/\"") || applied.stderr.contains("\"x/\""), "{}", applied.stdout);
    assert!(sandbox.path("root/d/x/precious").exists());
    assert!(sandbox.path("root/d/tree").exists());
}
