//! A changed configuration is followed.

use std::fs;
use std::time::Duration;

use super::session::{Sandbox, Session};

fn site(a: &str) -> String {
    format!("file \"/a\" {{\n  content = \"{a}\\n\"\n}}\nfile \"/b\" {{\n  content = \"b\\n\"\n}}\n")
}

#[test]
fn a_saved_configuration_is_followed() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&["site.hcl"]);
    sandbox.save("site.hcl", &site("two"));
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because site.hcl changed: 1 new or different, 1 unchanged"), "{line}");
    session.await_line("changed file[\"/a\"]: content, because site.hcl changed");
    assert_eq!(sandbox.read("root/a"), "two\n");
    // The same when written in place.
    sandbox.write("site.hcl", &site("three"));
    sandbox.await_content("root/a", "three\n");
}

#[test]
fn an_invalid_configuration_is_reported_and_the_previous_one_stays_in_force() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&[]);
    sandbox.save("site.hcl", "file \"/a\" {\n  contents = 1\n}\n");
    session.await_line("site.hcl:2:3");
    let line = session.await_line("cannot reload the configuration");
    assert!(line.contains("site.hcl changed): 1 error; the previous configuration stays in force"), "{line}");
    sandbox.write("root/a", "drift");
    session.await_line("repaired file[\"/a\"]");
    sandbox.save("site.hcl", &site("two"));
    session.await_line("reloaded because ");
    sandbox.await_content("root/a", "two\n");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_removed_configuration_is_waited_for() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&["site.hcl"]);
    fs::remove_file(sandbox.path("site.hcl")).expect("it existed");
    session.await_line("it cannot be read; the previous configuration stays in force");
    sandbox.write("root/a", "drift");
    session.await_line("repaired file[\"/a\"]");
    sandbox.write("site.hcl", &site("two"));
    sandbox.await_content("root/a", "two\n");
}

/// A deployment may replace the files of a directory one by one.
#[test]
fn a_missing_file_of_a_directory_is_waited_for() {
    let block = |name: &str, text: &str| format!("file \"/{name}\" {{\n  content = \"{text}\\n\"\n}}\n");
    let sandbox = Sandbox::with(&format!("settings {{ on_removal = \"remove\" }}\n{}", block("a", "a")));
    sandbox.write("b.hcl", &block("b", "one"));
    let mut session = sandbox.watching(&[]);
    fs::remove_file(sandbox.path("b.hcl")).expect("it existed");
    session.await_line("b.hcl is missing; the configuration is reloaded without it in 10 seconds");
    session.await_line("it cannot be read; the previous configuration stays in force");
    sandbox.write("root/b", "drift");
    session.await_line("repaired file[\"/b\"]");
    sandbox.write("b.hcl", &block("b", "two"));
    sandbox.await_content("root/b", "two\n");
    fs::remove_file(sandbox.path("b.hcl")).expect("it existed");
    session.await_line("removed file[\"/b\"]: no longer declared");
    let printed = |part: &str| session.printed.iter().filter(|line| line.contains(part)).count();
    assert_eq!((printed("removed file"), printed("is missing")), (1, 2), "{:#?}", session.printed);
    fs::write(sandbox.path("b.hcl"), block("b", "three")).expect("a file");
    sandbox.await_content("root/b", "three\n");
    fs::remove_file(sandbox.path("b.hcl")).expect("it existed");
    session.await_line("is missing");
    session.signal("-HUP");
    session.await_line("removed file[\"/b\"]: no longer declared");
}

#[test]
fn new_files_modules_params_and_templates_are_followed() {
    let text = "param \"x\" {}\nmodule \"m\" { source = \"./m\" }\n\
                file \"/p\" { content = param.x }\nfile \"/t\" { content = file(\"t.txt\") }\n";
    let sandbox = Sandbox::with(text);
    fs::create_dir(sandbox.path("m")).expect("a folder");
    sandbox.write("m/main.hcl", "file \"/m\" { content = \"m1\" }\n");
    sandbox.write("params.json", "{\"x\": \"p1\"}");
    sandbox.write("t.txt", "t1");
    let _session = sandbox.watching(&["--params", "params.json"]);
    sandbox.save("m/main.hcl", "file \"/m\" { content = \"m2\" }\n");
    sandbox.await_content("root/m", "m2");
    sandbox.save("params.json", "{\"x\": \"p2\"}");
    sandbox.await_content("root/p", "p2");
    sandbox.write("t.txt", "t2");
    sandbox.await_content("root/t", "t2");
    sandbox.write("more.hcl", "file \"/new\" { content = \"n\" }\n");
    sandbox.await_content("root/new", "n");
}

#[test]
fn an_equivalent_configuration_causes_no_reload() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&[]);
    sandbox.save("site.hcl", &format!("# a comment\n{}", site("one")));
    session.expect_silence(Duration::from_millis(700));
    sandbox.write(".site.hcl.swp", "an editor's own");
    session.expect_silence(Duration::from_millis(300));
}

#[test]
fn a_removed_block_is_no_longer_managed() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&[]);
    sandbox.save("site.hcl", "file \"/b\" {\n  content = \"b\\n\"\n}\n");
    let line = session.await_line("reloaded");
    assert!(line.ends_with(": 0 new or different, 1 unchanged, 1 no longer declared"), "{line}");
    sandbox.write("root/a", "free");
    session.expect_silence(Duration::from_millis(300));
    assert_eq!(sandbox.read("root/a"), "free");
}

#[test]
fn sighup_reloads_and_does_not_end() {
    let sandbox = Sandbox::with(&site("one"));
    let mut session = sandbox.watching(&[]);
    session.signal("-HUP");
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because a reload was requested: no differences"), "{line}");
    sandbox.write("root/a", "drift");
    session.await_line("repaired");
    assert_eq!(session.end().0, Some(0));
}

/// Standard input can be read only once; a reload must not treat its end as an empty configuration.
#[test]
fn a_configuration_from_standard_input_is_kept() {
    use std::io::Write;
    let sandbox = Sandbox::with("");
    sandbox.write("t.txt", "t1");
    let mut command = sandbox.command(&["--root", "root", "-"]);
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(b"file \"/t\" { content = file(\"t.txt\") }\n").expect("it fits");
    drop(writer);
    command.stdin(reader);
    let mut child = Session::start(command);
    child.await_line("watching 1 resource");
    sandbox.write("t.txt", "t2");
    sandbox.await_content("root/t", "t2");
    child.signal("-HUP");
    child.await_line("no differences");
}

/// Switching a release by a link changes the configuration.
#[test]
fn a_changed_link_to_the_configuration_is_followed() {
    let sandbox = Sandbox::with("");
    for (release, text) in [("one", site("one")), ("two", site("two"))] {
        fs::create_dir(sandbox.path(release)).expect("a folder");
        sandbox.write(&format!("{release}/main.hcl"), &text);
    }
    let switch = |release: &str| {
        std::os::unix::fs::symlink(release, sandbox.path("next")).expect("a link");
        fs::rename(sandbox.path("next"), sandbox.path("current")).expect("the same folder");
    };
    switch("one");
    let _session = sandbox.watching(&["current"]);
    switch("two");
    sandbox.await_content("root/a", "two\n");
    sandbox.write("two/main.hcl", &site("three"));
    sandbox.await_content("root/a", "three\n");
}

/// A file that never stops changing is still read periodically.
#[test]
fn a_constantly_written_configuration_is_still_read() {
    let sandbox = Sandbox::with(&site("one"));
    let _session = sandbox.watching(&[]);
    let until = std::time::Instant::now() + Duration::from_secs(2);
    sandbox.save("site.hcl", &site("two"));
    while std::time::Instant::now() < until && sandbox.read("root/a") != "two\n" {
        sandbox.write("notes.hcl", "# still writing\n");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(sandbox.read("root/a"), "two\n");
}
