//! A changed configuration is followed.

use std::fs;
use std::time::Duration;

use crate::session::{Ground, Session};

fn site(a: &str) -> String {
    format!("file \"/a\" {{\n  content = \"{a}\\n\"\n}}\nfile \"/b\" {{\n  content = \"b\\n\"\n}}\n")
}

#[test]
fn a_saved_configuration_is_followed() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&["site.hcl"]);
    ground.save("site.hcl", &site("two"));
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because site.hcl changed: 1 new or different, 1 unchanged"), "{line}");
    session.await_line("changed file[\"/a\"]: content, because site.hcl changed");
    assert_eq!(ground.read("root/a"), "two\n");
    // The same when written in place.
    ground.write("site.hcl", &site("three"));
    ground.await_content("root/a", "three\n");
}

#[test]
fn an_invalid_configuration_is_reported_and_the_previous_one_stays_in_force() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&[]);
    ground.save("site.hcl", "file \"/a\" {\n  contents = 1\n}\n");
    session.await_line("site.hcl:2:3");
    let line = session.await_line("cannot reload the configuration");
    assert!(line.contains("site.hcl changed): 1 error; the previous configuration stays in force"), "{line}");
    ground.write("root/a", "drift");
    session.await_line("repaired file[\"/a\"]");
    ground.save("site.hcl", &site("two"));
    session.await_line("reloaded because ");
    ground.await_content("root/a", "two\n");
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn a_removed_configuration_is_waited_for() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&["site.hcl"]);
    fs::remove_file(ground.path("site.hcl")).expect("it existed");
    session.await_line("it cannot be read; the previous configuration stays in force");
    ground.write("root/a", "drift");
    session.await_line("repaired file[\"/a\"]");
    ground.write("site.hcl", &site("two"));
    ground.await_content("root/a", "two\n");
}

#[test]
fn new_files_modules_params_and_templates_are_followed() {
    let text = "param \"x\" {}\nmodule \"m\" { source = \"./m\" }\n\
                file \"/p\" { content = param.x }\nfile \"/t\" { content = file(\"t.txt\") }\n";
    let ground = Ground::with(text);
    fs::create_dir(ground.path("m")).expect("a folder");
    ground.write("m/main.hcl", "file \"/m\" { content = \"m1\" }\n");
    ground.write("params.json", "{\"x\": \"p1\"}");
    ground.write("t.txt", "t1");
    let _session = ground.watching(&["--params", "params.json"]);
    ground.save("m/main.hcl", "file \"/m\" { content = \"m2\" }\n");
    ground.await_content("root/m", "m2");
    ground.save("params.json", "{\"x\": \"p2\"}");
    ground.await_content("root/p", "p2");
    ground.write("t.txt", "t2");
    ground.await_content("root/t", "t2");
    ground.write("more.hcl", "file \"/new\" { content = \"n\" }\n");
    ground.await_content("root/new", "n");
}

#[test]
fn an_equivalent_configuration_causes_no_reload() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&[]);
    ground.save("site.hcl", &format!("# a comment\n{}", site("one")));
    session.expect_silence(Duration::from_millis(700));
    ground.write(".site.hcl.swp", "an editor's own");
    session.expect_silence(Duration::from_millis(300));
}

#[test]
fn a_removed_block_is_no_longer_managed() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&[]);
    ground.save("site.hcl", "file \"/b\" {\n  content = \"b\\n\"\n}\n");
    let line = session.await_line("reloaded");
    assert!(line.ends_with(": 0 new or different, 1 unchanged, 1 no longer declared"), "{line}");
    ground.write("root/a", "free");
    session.expect_silence(Duration::from_millis(300));
    assert_eq!(ground.read("root/a"), "free");
}

#[test]
fn sighup_reloads_and_does_not_end() {
    let ground = Ground::with(&site("one"));
    let mut session = ground.watching(&[]);
    session.signal("-HUP");
    let line = session.await_line("reloaded");
    assert!(line.ends_with("because somebody asked for it: no differences"), "{line}");
    ground.write("root/a", "drift");
    session.await_line("repaired");
    assert_eq!(session.end().0, Some(0));
}

/// Standard input can be read only once; a reload must not treat its end as an empty configuration.
#[test]
fn a_configuration_from_standard_input_is_kept() {
    use std::io::Write;
    let ground = Ground::with("");
    ground.write("t.txt", "t1");
    let mut command = ground.command(&["--root", "root", "-"]);
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    writer.write_all(b"file \"/t\" { content = file(\"t.txt\") }\n").expect("it fits");
    drop(writer);
    command.stdin(reader);
    let mut child = Session::start(command);
    child.await_line("watching 1 resource");
    ground.write("t.txt", "t2");
    ground.await_content("root/t", "t2");
    child.signal("-HUP");
    child.await_line("no differences");
}

/// Switching a release by a link changes the configuration.
#[test]
fn a_changed_link_to_the_configuration_is_followed() {
    let ground = Ground::with("");
    for (release, text) in [("one", site("one")), ("two", site("two"))] {
        fs::create_dir(ground.path(release)).expect("a folder");
        ground.write(&format!("{release}/main.hcl"), &text);
    }
    let switch = |release: &str| {
        std::os::unix::fs::symlink(release, ground.path("next")).expect("a link");
        fs::rename(ground.path("next"), ground.path("current")).expect("the same folder");
    };
    switch("one");
    let _session = ground.watching(&["current"]);
    switch("two");
    ground.await_content("root/a", "two\n");
    ground.write("two/main.hcl", &site("three"));
    ground.await_content("root/a", "three\n");
}

/// A file that never stops changing is still read periodically.
#[test]
fn a_constantly_written_configuration_is_still_read() {
    let ground = Ground::with(&site("one"));
    let _session = ground.watching(&[]);
    let until = std::time::Instant::now() + Duration::from_secs(2);
    ground.save("site.hcl", &site("two"));
    while std::time::Instant::now() < until && ground.read("root/a") != "two\n" {
        ground.write("notes.hcl", "# still writing\n");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(ground.read("root/a"), "two\n");
}
