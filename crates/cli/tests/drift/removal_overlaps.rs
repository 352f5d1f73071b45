//! Removals that would take away something that is declared, or data of others.

use std::fs;
use std::os::unix::fs::symlink;

use super::sandbox::Sandbox;

const REMOVE: &str = "settings { on_removal = \"remove\" }\nlog \"x\" {}\n";

fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::with(&format!("{REMOVE}{text}"));
    fs::create_dir_all(sandbox.at("root/srv")).unwrap();
    sandbox
}

fn read(sandbox: &Sandbox, name: &str) -> Option<String> {
    fs::read_to_string(sandbox.at(name)).ok()
}

#[test]
fn a_moved_resource_stays_until_the_new_one_exists() {
    for condition in ["audit = true", "only_if = \"false\"", "action = \"nothing\""] {
        let sandbox = sandbox("file \"/srv/a\" { content = \"precious\" }\n");
        sandbox.apply();
        let new = |condition: &str| {
            format!(
                "file \"/srv/b\" {{\n  content = \"precious\"\n  {condition}\n}}\n\
                 moved {{\n  from = file[\"/srv/a\"]\n  to   = file[\"/srv/b\"]\n}}\n"
            )
        };
        sandbox.configure(&new(condition));
        let out = sandbox.run(&["apply"]).out;
        assert!(
            out.contains("file[\"/srv/b\"], which replaces it, does not exist yet"),
            "{condition}: {out}"
        );
        assert_eq!(read(&sandbox, "root/srv/a").as_deref(), Some("precious"), "{condition}");
        sandbox.configure(&new(""));
        sandbox.apply();
        assert_eq!(read(&sandbox, "root/srv/a"), None, "{condition}");
        assert_eq!(read(&sandbox, "root/srv/b").as_deref(), Some("precious"), "{condition}");
    }
}

#[test]
fn a_moved_resource_stays_while_the_new_one_is_paused() {
    let sandbox = sandbox("file \"/srv/a\" { content = \"precious\" }\n");
    sandbox.apply();
    let pause = sandbox.plain(&["pause", "file[\"/srv/b\"]"]);
    assert_eq!(pause.code, 0, "{}", pause.err);
    sandbox.configure(
        "file \"/srv/b\" { content = \"precious\" }\n\
         moved {\n  from = file[\"/srv/a\"]\n  to   = file[\"/srv/b\"]\n}\n",
    );
    let out = sandbox.run(&["apply"]).out;
    assert!(out.contains("which replaces it, does not exist yet"), "{out}");
    assert_eq!(read(&sandbox, "root/srv/a").as_deref(), Some("precious"));
}

#[test]
fn another_spelling_of_a_path_is_the_same_file() {
    let declare = |path: &str| format!("{REMOVE}file \"{path}\" {{ content = \"1\" }}\n");
    let line = "line \"q\" {\n  file = \"/srv/usr/bin/tool\"\n  line = \"2\"\n}\n";
    let moved = "moved {\n  from = file[\"/srv/bin/tool\"]\n  to   = file[\"/srv/usr/bin/tool\"]\n}\n";
    let new = declare("/srv/usr/bin/tool");
    for text in [new.clone(), format!("{new}{moved}"), format!("{REMOVE}{line}")] {
        let sandbox = Sandbox::with(&declare("/srv/bin/tool"));
        fs::create_dir_all(sandbox.at("root/srv/usr/bin")).unwrap();
        symlink("usr/bin", sandbox.at("root/srv/bin")).unwrap();
        sandbox.apply();
        sandbox.configure(&text);
        sandbox.apply();
        assert!(read(&sandbox, "root/srv/usr/bin/tool").is_some_and(|text| text.starts_with('1')), "{text}");
        assert_eq!(sandbox.run(&["plan"]).code, 0, "{text}");
    }
}

#[test]
fn a_resource_that_another_configuration_declares_stays() {
    let sandbox = sandbox("file \"/srv/a\" { content = \"1\" }\n");
    sandbox.apply();
    let text = fs::read_to_string(sandbox.at("site.hcl")).unwrap();
    fs::write(sandbox.at("other.hcl"), &text).unwrap();
    let other = sandbox.at("other.hcl");
    let apply = sandbox.plain(&["apply", other.to_str().unwrap()]);
    assert_eq!(apply.code, 0, "{}", apply.err);
    sandbox.configure(REMOVE);
    let out = sandbox.apply();
    assert!(!out.contains("no longer declared"), "{out}");
    assert_eq!(read(&sandbox, "root/srv/a").as_deref(), Some("1"));
}

#[test]
fn a_setting_that_another_kind_declares_stays() {
    let sandbox = sandbox(
        "line \"p\" {\n  file   = \"/srv/sshd_config\"\n  line   = \"PermitRootLogin no\"\n  create = true\n}\n",
    );
    sandbox.apply();
    sandbox.configure(&format!(
        "{REMOVE}ini \"q\" {{\n  file  = \"/srv/sshd_config\"\n  key   = \"PermitRootLogin\"\n  value = \"no\"\n}}\n"
    ));
    sandbox.apply();
    assert_eq!(read(&sandbox, "root/srv/sshd_config").as_deref(), Some("PermitRootLogin no\n"));
    assert_eq!(sandbox.run(&["plan"]).code, 0);
}

/// A program fills the file that Uphold created empty: a log, or a database.
#[test]
fn a_file_that_others_filled_stays() {
    let empty = "file \"/srv/db\" {\n  mode       = \"0600\"\n  on_removal = \"remove\"\n}\n";
    let destroy = "removed {\n  from    = file[\"/srv/db\"]\n  destroy = true\n}\n";
    for how in ["on_removal", "removed", "undo"] {
        let sandbox = sandbox(empty);
        sandbox.apply();
        fs::write(sandbox.at("root/srv/db"), "data of a program").unwrap();
        sandbox.apply();
        let run = match how {
            "undo" => sandbox.plain(&["undo", "1", "--yes"]),
            _ => {
                sandbox.configure(&format!("{REMOVE}{}", if how == "removed" { destroy } else { "" }));
                sandbox.run(&["apply"])
            }
        };
        assert!(format!("{}{}", run.out, run.err).contains("changed since"), "{how}: {}{}", run.out, run.err);
        assert_eq!(read(&sandbox, "root/srv/db").as_deref(), Some("data of a program"), "{how}");
    }
}
