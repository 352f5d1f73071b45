//! Resources that change one path: ordered if one reads what the other writes, refused if they conflict.

use std::fs;

use super::sandbox::{Ran, Sandbox};

/// A machine with the file `/etc/a` of one line.
fn sandbox(configuration: &str) -> Sandbox {
    let sandbox = Sandbox::with(configuration);
    fs::create_dir(sandbox.path("root/etc")).expect("a directory");
    sandbox.write("root/etc/a", "first\n");
    sandbox
}

/// A `line` of `/etc/a` with this name and text.
fn line(name: &str, more: &str) -> String {
    format!("line \"{name}\" {{\n  file = \"/etc/a\"\n  line = \"{name}\"\n{more}}}\n")
}

/// Applies the configuration, then checks that nothing is left to do.
#[track_caller]
fn converges(sandbox: &Sandbox) -> Ran {
    let applied = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    let planned = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(planned.code, Some(0), "{}{}", planned.stdout, planned.stderr);
    applied
}

#[track_caller]
fn is_refused(configuration: &str, expected: &str) {
    let ran = sandbox(configuration).rooted(&["validate", "site.hcl"]);
    assert!(ran.stderr.contains(expected), "{expected}\n---\n{}", ran.stderr);
    assert_eq!(ran.code, Some(1));
}

#[track_caller]
fn is_accepted(configuration: &str) {
    let ran = sandbox(configuration).rooted(&["validate", "site.hcl"]);
    assert_eq!((ran.stderr.as_str(), ran.code), ("", Some(0)), "{configuration}");
}

const COPY: &str = "file \"/copy\" { source = \"/etc/a\" }\n";

#[test]
fn a_copy_depends_on_all_edits_of_its_source() {
    let sandbox = sandbox(&(COPY.to_owned() + &line("x", "") + &line("y", "")));
    drop(converges(&sandbox));
    assert_eq!(sandbox.read("root/copy"), "first\nx\ny\n");
}

#[test]
fn a_copy_depends_on_an_edit_that_removes_a_line() {
    let sandbox = sandbox(&(COPY.to_owned() + &line("first", "  action = \"remove\"\n")));
    drop(converges(&sandbox));
    assert_eq!(sandbox.read("root/copy"), "");
}

/// A failed edit leaves a source that is not as declared.
#[test]
fn a_copy_is_skipped_if_any_edit_of_its_source_fails() {
    let failing = line("x", "  match = \"f|s\"\n");
    let sandbox = sandbox(&(COPY.to_owned() + &failing + &line("y", "")));
    sandbox.write("root/etc/a", "first\nsecond\n");
    let applied = sandbox.rooted(&["apply", "site.hcl"]);
    assert!(applied.stdout.contains("1 failed, 1 skipped"), "{}{}", applied.stdout, applied.stderr);
    assert_eq!(sandbox.read("root/etc/a"), "first\nsecond\ny\n", "edits do not depend on each other");
}

/// An explicit dependency overrides the order that follows from paths.
#[test]
fn an_edit_may_depend_on_a_copy_of_the_old_content() {
    let backup = "file \"/old\" {\n  source = \"/etc/a\"\n  create_if_missing = true\n}\n";
    let edit = line("x", "  depends_on = [file[\"/old\"]]\n");
    let sandbox = sandbox(&(COPY.to_owned() + &edit + backup + &line("y", "")));
    drop(converges(&sandbox));
    assert_eq!(sandbox.read("root/old"), "first\n");
    assert_eq!(sandbox.read("root/copy"), "first\nx\ny\n");
}

#[test]
fn a_copy_of_a_file_with_a_secret_line_is_secret() {
    let secret = "line \"x\" {\n  file = \"/etc/a\"\n  line = sensitive(\"hunter2\")\n}\n";
    let many: String = [line("y", ""), line("z", "")].concat();
    let second = "file \"/second\" { source = \"/etc/a\" }\n";
    let sandbox = sandbox(&(COPY.to_owned() + second + &many + secret));
    let applied = converges(&sandbox);
    assert!(!applied.stdout.contains("hunter2"), "{}", applied.stdout);
    assert!(sandbox.read("root/copy").contains("hunter2"));
}

const ONE: &str = "file \"one\" {\n  path = \"/x\"\n  content = \"x\"\n}\n";

fn two(more: &str) -> String {
    format!("{ONE}file \"two\" {{\n  path = \"/x\"\n{more}}}\n")
}

#[test]
fn declaring_and_removing_the_same_path_is_refused() {
    let remove = "  action = \"remove\"\n";
    let ran = sandbox(&two(remove)).rooted(&["validate", "site.hcl"]);
    let expected = "\
error[E0503]: declared and removed
 --> site.hcl:5:1
  |
5 | file \"two\" {
  | ^^^^^^^^^^ file.two removes path /x, which file.one declares
  |
 ::: site.hcl:1:1
  |
1 | file \"one\" {
  | ---------- declared here
  |
  = help: keep one of them, or let a condition decide between them

error: 1 error; nothing was changed
";
    ran.check(1, "", expected);
    let packages = "user \"a\" {\n  name = \"ann\"\n  action = \"remove\"\n}\nuser \"ann\" {}\n";
    is_refused(packages, "user.a removes user ann, which user.ann declares");
}

#[test]
fn conditions_may_choose_between_declaring_and_removing() {
    is_accepted(&two("  action = \"remove\"\n  only_if = \"test -e /y\"\n"));
    is_accepted(&two("  action = \"remove\"\n  when = false\n"));
    is_accepted(&two("  action = \"remove\"\n  audit = true\n"));
    is_accepted("file \"/x\" {\n  content = \"x\"\n  action = [\"remove\", \"converge\"]\n}\n");
    is_accepted(
        &two("  action = \"remove\"\n").replace("content = \"x\"", "action = [\"converge\", \"remove\"]"),
    );
}

#[test]
fn an_edit_of_a_file_with_declared_content_is_refused() {
    let whole = |more: &str| format!("file \"/etc/a\" {{\n  {more}\n}}\n{}", line("x", ""));
    let expected = "line.x changes a part of path /etc/a, and file[\"/etc/a\"] declares all content of it";
    is_refused(&whole("content = \"\""), expected);
    is_refused(&whole("source = \"/b\""), expected);
    let key = "json_edit \"x\" {\n  file = \"/etc/a\"\n  key = \"k\"\n  value = 1\n}\n";
    is_refused(&whole("content = \"\"").replace(&line("x", ""), key), "json_edit.x changes a part");
    is_accepted(&whole("mode = \"0600\""));
    is_accepted(&whole("content = \"\"\n  create_if_missing = true"));
    is_accepted(&whole("content = \"\"\n  when = false"));
    is_accepted(&whole("content = \"\"").replace("line = \"x\"\n", "line = \"x\"\n  action = \"remove\"\n"));
    // This one changes the file only if the file names the host.
    is_accepted("file \"/etc/hosts\" { content = \"\" }\nhostname \"web\" {}\n");
}

#[test]
fn one_match_of_one_file_has_one_line() {
    let both = line("x", "  match = \"^k\"\n") + &line("y", "  match = \"^k\"\n");
    is_refused(&both, "line.x and line.y both manage the line of /etc/a that matches \"^k\"");
    is_refused(
        &(line("x", "  match = \"^k\"\n") + &line("y", "  match = \"^k\"\n  action = \"remove\"\n")),
        "line.y removes the line of /etc/a that matches \"^k\", which line.x declares",
    );
    is_accepted(&both.replacen("^k", "^l", 1));
    is_accepted(&both.replacen("/etc/a", "/etc/b", 1));
    is_accepted(&(line("x", "") + &line("y", "")));
    let secret = both.replace("\"^k\"", "sensitive(\"^hunter2\")");
    let ran = sandbox(&secret).rooted(&["validate", "site.hcl"]);
    assert!(ran.stderr.contains("both manage the (sensitive value)"), "{}", ran.stderr);
    assert!(!ran.stderr.replace("sensitive(\"^hunter2\")", "").contains("hunter2"), "{}", ran.stderr);
}

/// Applies the configuration, which must fail with this message.
#[track_caller]
fn fails(sandbox: &Sandbox, expected: &str) {
    let applied = sandbox.rooted(&["apply", "site.hcl"]);
    assert!(applied.stderr.contains(expected), "{expected}\n---\n{}{}", applied.stdout, applied.stderr);
    assert_eq!(applied.code, Some(1));
}

#[test]
fn a_resource_that_another_one_changed_again_has_failed() {
    let sandbox = sandbox(&(line("x", "") + &line("x", "  action = \"remove\"\n").replacen("x", "y", 1)));
    fails(&sandbox, "error: line.x: it was changed again by line.y");
    fails(&sandbox, "error: line.x: it was changed again by line.y");
}

/// The names of one file share its mode.
#[test]
fn hard_links_with_different_modes_conflict() {
    let file = |name: &str, mode: &str| format!("file \"/etc/{name}\" {{ mode = \"{mode}\" }}\n");
    let sandbox = sandbox(&(file("a", "0600") + &file("b", "0640")));
    fs::hard_link(sandbox.path("root/etc/a"), sandbox.path("root/etc/b")).expect("a link");
    fails(&sandbox, "error: file[\"/etc/a\"]: it was changed again by file[\"/etc/b\"]");
    fails(&sandbox, "error: file[\"/etc/a\"]: it was changed again by file[\"/etc/b\"]");
    sandbox.write("site.hcl", file("a", "0600") + &file("b", "0600"));
    drop(converges(&sandbox));
}

#[test]
fn an_archive_and_a_file_inside_it_conflict() {
    let sandbox = sandbox("tar \"/a.tar\" { inputs = [\"/etc/a\"] }\n");
    drop(converges(&sandbox));
    let archive = "archive \"/y\" { source = \"/a.tar\" }\n";
    let inside = sandbox.read("root/etc/a");
    for (name, content, conflicts) in [("a", "other", true), ("a", &*inside, false), ("b", "other", false)] {
        let content = content.replace('\n', "\\n");
        sandbox.write("site.hcl", format!("{archive}file \"/y/{name}\" {{ content = \"{content}\" }}\n"));
        if conflicts {
            fails(&sandbox, "error: archive[\"/y\"]: it was changed again by file[\"/y/a\"]");
        } else {
            drop(converges(&sandbox));
        }
    }
}

#[test]
fn a_failure_at_the_end_of_the_run_can_be_ignored() {
    let ignored = line("x", "  ignore_failure = true\n");
    let sandbox = sandbox(&(ignored + &line("x", "  action = \"remove\"\n").replacen("x", "y", 1)));
    let applied = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
}

/// The declared order makes it valid: the file is created, edited, and then left unchanged.
#[test]
fn chained_changes_are_no_conflict() {
    let parts = "\
file \"/etc/a\" {
  content           = \"k 0\\n\"
  create_if_missing = true
  mode              = \"0600\"
}
file \"/etc/c\" {
  content = \"c\"
  action  = [\"remove\", \"converge\"]
}
file \"/etc/d\" {
  content  = \"d\"
  notifies = [file[\"/etc/c\"].touch]
}
directory \"/etc/e\" { mode = \"0700\" }
file \"/etc/e/f\" { content = \"f\" }
";
    let sandbox = sandbox(&(parts.to_owned() + &line("k 1", "  match = \"^k\"\n") + &line("x", "")));
    let applied = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
}

/// A file is replaced, not written in place, so that hard links become separate files.
#[test]
fn hard_links_with_different_contents_become_two_files() {
    let sandbox = sandbox("file \"/etc/a\" { content = \"1\" }\nfile \"/etc/b\" { content = \"2\" }\n");
    fs::hard_link(sandbox.path("root/etc/a"), sandbox.path("root/etc/b")).expect("a second name");
    drop(converges(&sandbox));
    assert_eq!((sandbox.read("root/etc/a"), sandbox.read("root/etc/b")), ("1".to_owned(), "2".to_owned()));
}
