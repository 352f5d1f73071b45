//! The state directory: what is written, and what is not.

use std::fs;
use std::path::Path;

use super::sandbox::Sandbox;

const SECRET: &str = "\
param \"password\" {
  default   = \"hunter2\"
  sensitive = true
}
file \"/etc/secret\" { content = \"password=${param.password}\" }
file \"/etc/motd\" { content = \"one\" }
file \"/etc/copy\" { content = file[\"/etc/motd\"].sha256 }
";

fn contents(directory: &Path, all: &mut String) {
    for entry in fs::read_dir(directory).expect("the state directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            contents(&path, all);
        } else {
            *all += &String::from_utf8_lossy(&fs::read(&path).expect("a file of the journal"));
        }
    }
}

#[test]
fn a_run_without_changes_writes_no_values() {
    let sandbox = Sandbox::with(SECRET);
    sandbox.apply();
    let before = (sandbox.state("applied"), sandbox.state("applied.log"));
    assert!(before.1.contains("/etc/motd"), "{}", before.1);
    sandbox.apply();
    assert_eq!((sandbox.state("applied"), sandbox.state("applied.log")), before);
}

#[test]
fn a_repair_is_remembered_like_the_first_apply() {
    let sandbox = Sandbox::with(SECRET);
    sandbox.apply();
    for content in ["drift", "drift again"] {
        fs::write(sandbox.at("root/etc/motd"), content).unwrap();
        assert!(sandbox.apply().contains("(updated; drift; "));
    }
}

#[test]
fn secrets_are_compared_and_not_stored() {
    let sandbox = Sandbox::with(SECRET);
    sandbox.apply();
    fs::write(sandbox.at("root/etc/secret"), "password=changed").unwrap();
    let drift = sandbox.run(&["drift"]);
    assert!(drift.code == 2 && drift.out.contains("file[\"/etc/secret\"]"), "{}{}", drift.out, drift.err);
    let new = sandbox.run(&["plan", "-v", "-p", "password=hunter3"]);
    assert!(
        new.out.contains("; drift; new; ") || new.out.contains("drift: content; new: content"),
        "{}",
        new.out
    );
    sandbox.apply();
    let mut all = String::new();
    contents(&sandbox.at("state"), &mut all);
    assert!(all.contains("/etc/secret") && !all.contains("hunter") && !all.contains("password="), "{all}");
}

#[test]
fn a_lost_state_directory_costs_only_information() {
    let sandbox = Sandbox::with(SECRET);
    sandbox.apply();
    fs::write(sandbox.at("root/etc/motd"), "drift").unwrap();
    fs::remove_dir_all(sandbox.at("state")).unwrap();
    let plan = sandbox.run(&["plan"]);
    assert!(
        plan.code == 2 && plan.out.contains("(update; /") && !plan.out.contains("drift;"),
        "{}",
        plan.out
    );
    assert!(!sandbox.at("state").exists(), "a plan writes nothing");
    sandbox.apply();
    assert_eq!(fs::read_to_string(sandbox.at("root/etc/motd")).unwrap(), "one");
    assert_eq!(sandbox.run(&["drift"]).code, 0);
}

#[test]
fn standard_input_has_no_records() {
    let sandbox = Sandbox::with("");
    let run = |text: &str| {
        sandbox.configure(text);
        let command = format!(
            "exec {} apply - {} < {}",
            env!("CARGO_BIN_EXE_uphold"),
            sandbox.places().join(" "),
            sandbox.at("site.hcl").display()
        );
        let output = std::process::Command::new("sh").args(["-c", &command]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run("file \"/etc/a\" { content = \"a\" }\n").contains("1 added"));
    let other = run("file \"/etc/b\" { content = \"b\" }\n");
    assert!(other.contains("1 added") && !other.contains("no longer declared"), "{other}");
    assert_eq!(sandbox.state("applied.log"), "");
}

/// The machine still has the secret, when its declaration has none any more.
#[test]
fn a_value_that_was_applied_as_a_secret_stays_hidden() {
    for sensitive in ["", "\n  sensitive = true\n"] {
        let param = if sensitive.is_empty() { "param.password" } else { "\"hunter2\"" };
        let sandbox = Sandbox::with(&format!(
            "{SECRET}file \"/etc/a\" {{\n  content = {param}\n  mode    = \"0600\"{sensitive}\n}}\n"
        ));
        sandbox.apply();
        for arguments in [&["read", "file", "/etc/a"][..], &["read", "file", "/etc/a", "content"]] {
            let read = sandbox.plain(arguments);
            assert!(
                !read.out.contains("hunter2") && read.out.contains("sensitive"),
                "{}{}",
                read.out,
                read.err
            );
        }
        sandbox.configure("file \"/etc/a\" {\n  content = \"plain\\n\"\n  mode    = \"0644\"\n}\n");
        let plan = sandbox.at("site.plan");
        let out = ["plan", "--out", plan.to_str().expect("a plain path")];
        for arguments in [&out[..], &["plan", "--json"], &["drift", "--json"], &["apply", "--json"]] {
            let run = sandbox.run(arguments);
            assert!(!run.out.contains("hunter2") && !run.err.contains("hunter2"), "{}", run.out);
        }
        assert!(!fs::read_to_string(plan).expect("a plan").contains("hunter2"));
        sandbox.configure("file \"/etc/a\" { content = \"other\\n\" }\n");
        assert!(sandbox.run(&["plan"]).out.contains("- plain"), "a new value is no secret");
    }
}

/// A directory and its only file are one configuration, however it is spelled.
#[test]
fn a_directory_and_all_of_its_files_are_one_configuration() {
    let sandbox = Sandbox::with("");
    let conf = sandbox.at("conf");
    fs::create_dir(&conf).unwrap();
    fs::write(conf.join("main.hcl"), "file \"/etc/a\" { content = \"a\" }\n").unwrap();
    let (directory, file) = (conf.to_str().unwrap().to_owned(), conf.join("main.hcl"));
    let file = file.to_str().unwrap();
    assert_eq!(sandbox.plain(&["apply", &directory]).code, 0);
    let drift = sandbox.plain(&["drift", file]);
    assert!(drift.out.starts_with("Nothing was changed outside Uphold since"), "{}", drift.out);
    let changed = "settings { on_removal = \"remove\" }\nfile \"/etc/a\" { content = \"b\" }\n";
    fs::write(file, changed).unwrap();
    assert_eq!(sandbox.plain(&["apply", file]).code, 0);
    fs::write(file, "file \"/etc/b\" { content = \"b\" }\n").unwrap();
    let removed = sandbox.plain(&["apply", &directory]);
    assert!(removed.out.contains("- file[\"/etc/a\"]   (removed; no longer declared)"), "{}", removed.out);
    fs::write(conf.join("more.hcl"), "file \"/etc/c\" { content = \"c\" }\n").unwrap();
    let other = sandbox.plain(&["drift", file]);
    let conf = conf.canonicalize().unwrap();
    let expected = format!("No apply of exactly these files is recorded, but one of {}.", conf.display());
    assert!(other.code == 0 && other.out.starts_with(&expected), "{}", other.out);
}
