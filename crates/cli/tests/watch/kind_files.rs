//! Files of kinds are followed like configuration.

use std::fs;
use std::io::Write;
use std::os::unix::fs::chown;

use super::session::Sandbox;
use crate::binary::write_program;

/// A kind for files, which adds this line to the content.
fn note(ending: &str) -> String {
    format!(
        "properties.path = {{ type = \"path\", name = true }}\n\
         properties.text = {{ type = \"text\" }}\n\
         function load_current_value(current)\n  \
         if not fs.exists(path) then current_value_does_not_exist() end\n  \
         current.text = string.gsub(fs.read(path), \"{ending}$\", \"\")\n\
         if not string.match(fs.read(path), \"{ending}$\") then current.text = \"?\" end\nend\n\
         function actions.create()\n  \
         converge_if_changed(function() fs.write(path, text .. \"{ending}\") end)\nend\n"
    )
}

const SITE: &str = "note \"/a\" {\n  text = \"a\"\n}\nfile \"/b\" {\n  content = \"b\"\n}\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(SITE);
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    sandbox.write("kinds/note.luau", &note("1"));
    sandbox
}

#[test]
fn only_resources_of_a_changed_kind_are_visited() {
    let sandbox = sandbox();
    let mut session = sandbox.watching(&[]);
    assert_eq!(sandbox.read("root/a"), "a1");
    sandbox.write("root/a", "drift");
    sandbox.await_content("root/a", "a1");
    sandbox.save("kinds/note.luau", &note("2"));
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because kinds/note.luau changed: 1 new or different, 1 unchanged"), "{line}");
    sandbox.await_content("root/a", "a2");
    // A change of another file does not affect the kind and its resources.
    sandbox.save("site.hcl", &SITE.replace("\"b\"", "\"c\""));
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because ./site.hcl changed: 1 new or different, 1 unchanged"), "{line}");
    sandbox.await_content("root/b", "c");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn kinds_are_added_and_removed() {
    let sandbox = sandbox();
    let mut session = sandbox.watching(&[]);
    sandbox.save("kinds/note.luau", "local x = = 1\n");
    session.await_line("kinds/note.luau:1:");
    session.await_line("the previous configuration stays in force");
    sandbox.write("root/a", "drift");
    sandbox.await_content("root/a", "a1");
    fs::remove_file(sandbox.path("kinds/note.luau")).expect("it existed");
    session.await_line("the previous configuration stays in force");
    sandbox.write("kinds/note.luau", &note("3"));
    sandbox.await_content("root/a", "a3");
    // A new kind can be used as soon as its file exists.
    sandbox.write("kinds/label.luau", &note("!"));
    session.await_line("reloaded because kinds changed");
    sandbox.save("site.hcl", &format!("{SITE}label \"/c\" {{\n  text = \"c\"\n}}\n"));
    sandbox.await_content("root/c", "c!");
}

#[test]
fn a_directory_of_kinds_may_be_created_later() {
    let sandbox = Sandbox::with("file \"/b\" {\n  content = \"b\"\n}\n");
    let mut session = sandbox.watching(&[]);
    sandbox.save("site.hcl", SITE);
    session.await_line("the previous configuration stays in force");
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    sandbox.save("kinds/note.luau", &note("1"));
    sandbox.await_content("root/a", "a1");
}

/// Drift of a nested file is repaired, and its notification is delivered once, in the outer configuration.
#[test]
fn a_nested_resource_notifies_the_outer_configuration() {
    let site = "bell \"/a\" {}\nfile \"/told\" {\n  content = \"told\"\n  action  = \"nothing\"\n}\n";
    let sandbox = Sandbox::with(site);
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    let bell = "properties.path = { type = \"path\", name = true }\n\
                function actions.create()\n  \
                file(path, { content = \"x\", notifies = \"file[\\\"/told\\\"].converge\" })\nend\n";
    sandbox.write("kinds/bell.luau", bell);
    let session = sandbox.watching(&[]);
    sandbox.await_content("root/told", "told");
    fs::remove_file(sandbox.path("root/told")).expect("it was reported");
    sandbox.write("root/a", "drift");
    sandbox.await_content("root/a", "x");
    sandbox.await_content("root/told", "told");
    assert_eq!(session.end().0, Some(0));
}

/// A kind `lamp` whose program logs its runs.
fn plant(sandbox: &Sandbox, directory: &str) {
    let manifest = r#"{ "type": "Example/Lamp", "version": "1.0.0", "get": { "executable": "lamp.sh" },
                        "schema": { "command": { "executable": "lamp.sh" } } }"#;
    sandbox.write(&format!("{directory}/lamp.dsc.resource.json"), manifest);
    let schema = r#"{"properties": {"name": {"type": "string"}}}"#;
    let program = format!("#!/bin/sh\ntouch ran\necho '{schema}'\n");
    write_program(&sandbox.path(&format!("{directory}/lamp.sh")), &program);
}

#[test]
fn a_manifest_added_by_another_user_is_not_run() {
    let sandbox = Sandbox::with("file \"/b\" {\n  content = \"b\"\n}\n");
    fs::create_dir(sandbox.path("theirs")).expect("a directory");
    plant(&sandbox, "theirs");
    if chown(sandbox.path("theirs"), Some(12_345), Some(12_345)).is_err() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: only root can give files away");
        return;
    }
    let mut session = sandbox.watching(&[]);
    fs::rename(sandbox.path("theirs"), sandbox.path("kinds")).expect("it exists");
    sandbox.save("site.hcl", "lamp \"x\" {}\n");
    session.await_line("kinds is not trusted: it belongs to uid 12345");
    session.await_line("the previous configuration stays in force");
    sandbox.save("site.hcl", "file \"/b\" {\n  content = \"c\"\n}\n");
    sandbox.await_content("root/b", "c");
    assert!(!sandbox.path("kinds/ran").exists());
}

#[test]
fn a_fixed_program_is_run_again() {
    let sandbox = Sandbox::with("file \"/b\" {\n  content = \"b\"\n}\n");
    fs::create_dir(sandbox.path("kinds")).expect("a directory");
    plant(&sandbox, "kinds");
    let right = sandbox.read("kinds/lamp.sh");
    sandbox.write("kinds/lamp.sh", "#!/bin/sh\nexit 3\n");
    let mut session = sandbox.watching(&[]);
    let with_lamp = |content: &str| {
        format!("file \"/b\" {{\n  content = \"{content}\"\n}}\nlamp \"x\" {{\n  action = \"nothing\"\n}}\n")
    };
    sandbox.save("site.hcl", &with_lamp("c"));
    session.await_line("its program exited with status 3");
    sandbox.write("kinds/lamp.sh", &right);
    sandbox.save("site.hcl", &with_lamp("d"));
    sandbox.await_content("root/b", "d");
}

/// A changed file that a kind requires is a change of the kind.
#[test]
fn a_required_file_is_followed_like_its_kind() {
    let sandbox = Sandbox::with(SITE);
    fs::create_dir_all(sandbox.path("kinds/lib")).expect("a directory");
    let kind = "local ending = require(\"lib/ending\")\nproperties.path = { type = \"path\", name = true }\n\
                properties.text = { type = \"string\" }\n\
                function actions.create() fs.write(path, text .. ending.text) end\n";
    sandbox.write("kinds/note.luau", kind);
    sandbox.write("kinds/lib/ending.luau", "return { text = \"1\" }\n");
    let mut session = sandbox.watching(&[]);
    assert_eq!(sandbox.read("root/a"), "a1");
    sandbox.save("kinds/lib/ending.luau", "return { text = \"2\" }\n");
    let line = session.await_line("reloaded");
    assert!(
        line.ends_with("because kinds/lib/ending.luau changed: 1 new or different, 1 unchanged"),
        "{line}"
    );
    sandbox.await_content("root/a", "a2");
    fs::remove_file(sandbox.path("kinds/lib/ending.luau")).expect("it existed");
    session.await_line("the previous configuration stays in force");
    assert_eq!(session.end().0, Some(0));
}
