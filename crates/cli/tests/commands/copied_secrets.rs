//! Secrets that one resource writes to a file and another copies from it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::Sandbox;

const SECRET: &str = "hunter2SECRETxyz";

const PARAM: &str = "param \"token\" { sensitive = true }\n";

/// A machine with these files, and a configuration for it.
fn sandbox(configuration: &str, files: &[&str]) -> Sandbox {
    let sandbox = Sandbox::with(format!("{PARAM}{configuration}"));
    for directory in ["etc/cron.d", "etc/systemd/system", "etc/apt/sources.list.d", "srv"] {
        fs::create_dir_all(sandbox.path(&format!("root/{directory}"))).expect("a directory");
    }
    sandbox.write("root/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
    sandbox.write("root/etc/group", "root:x:0:\n");
    for file in files {
        sandbox.write(&format!("root/{file}"), "x\n");
        let path = sandbox.path(&format!("root/{file}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("a mode");
    }
    sandbox
}

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(&format!("root/{name}"))).expect(name).permissions().mode() & 0o7777
}

/// The output of a command, and the report that it writes.
fn printed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let given = ["--root", "root", "--jobs", "1", "--report", "report.json"];
    let mut command = sandbox.command(&[arguments, &given].concat());
    let output = command.env("UPHOLD_PARAM_TOKEN", SECRET).output().expect("the command starts");
    let ran = sandbox.ran(&output);
    assert!(matches!(ran.code, Some(0 | 2)), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran.stdout + &ran.stderr + &sandbox.read("report.json")
}

/// Plans, saves and shows the plan, applies twice, in all output formats; fails if the secret is printed. Returns the
/// output of the first apply.
fn converge(sandbox: &Sandbox) -> String {
    let check = |arguments: &[&str]| {
        let text = printed(sandbox, arguments);
        assert!(!text.contains(SECRET), "{arguments:?}: {text}");
        text
    };
    check(&["plan", "-v"]);
    check(&["plan", "--json"]);
    check(&["plan", "--out", "saved.plan"]);
    assert!(!sandbox.read("saved.plan").contains(SECRET));
    for arguments in [&["show", "saved.plan"][..], &["show", "saved.plan", "--json"]] {
        let shown = sandbox.run(arguments);
        assert!(!(shown.stdout + &shown.stderr).contains(SECRET), "{arguments:?}");
    }
    let applied = check(&["apply", "-v"]);
    check(&["apply", "--json"]);
    applied
}

#[test]
fn a_copy_of_an_edited_file_is_hidden_and_private() {
    let sandbox = sandbox(
        r#"
line "l" {
  file = "/etc/conf"
  line = "token=${param.token}"
}
file "/srv/copy" { source = "/etc/conf" }
file "/srv/copy-of-copy" { source = "/srv/copy" }
file "/srv/through-link" { source = "/link/conf" }
file "/srv/wide" {
  source = "/etc/conf"
  mode   = "0640"
}
gzip "/srv/conf.gz" { source = "/etc/conf" }
tar "/srv/etc.tar" { inputs = ["/etc"] }
file "/srv/other" { source = "/etc/other" }
"#,
        &["etc/conf", "etc/other"],
    );
    std::os::unix::fs::symlink("etc", sandbox.path("root/link")).expect("a link");
    let applied = converge(&sandbox);
    for name in ["copy", "copy-of-copy", "through-link", "conf.gz", "etc.tar"] {
        assert_eq!(mode(&sandbox, &format!("srv/{name}")), 0o600, "{name}");
    }
    assert_eq!((mode(&sandbox, "srv/wide"), mode(&sandbox, "srv/other")), (0o640, 0o644));
    assert!(sandbox.read("root/srv/copy").contains(SECRET));
    assert!(applied.contains("+ x\n"), "the copy of another file is shown: {applied}");
}

/// The edit depends on another resource, so that the copy may come first: content of an earlier run is hidden as well.
#[test]
fn a_copy_is_hidden_before_the_secret_is_known() {
    let sandbox = sandbox(
        r#"
file "/srv/copy" { source = "/etc/conf" }
file "/etc/late" { content = param.token }
line "l" {
  file = "/etc/conf"
  line = "token=${file["/etc/late"].content}"
}
"#,
        &["etc/conf"],
    );
    sandbox.write("root/etc/conf", format!("token={SECRET}\n"));
    converge(&sandbox);
    assert_eq!(mode(&sandbox, "srv/copy"), 0o600);
}

/// The old content that a `file` replaces contains the secret that a `line` added.
#[test]
fn a_file_that_another_resource_edits_is_hidden_and_private() {
    let sandbox = sandbox(
        r#"
file "/etc/conf" {
  content           = "x\n"
  create_if_missing = true
}
line "l" {
  file = "/etc/conf"
  line = "token=${param.token}"
}
"#,
        &[],
    );
    converge(&sandbox);
    assert_eq!(mode(&sandbox, "etc/conf"), 0o600);
}

/// The first of several edits creates the file.
#[test]
fn a_file_is_created_private_if_a_later_edit_puts_a_secret_into_it() {
    let sandbox = sandbox(
        r#"
line "plain" {
  file   = "/etc/conf"
  line   = "plain"
  create = true
}
line "secret" {
  file   = "/etc/conf"
  line   = "token=${param.token}"
  create = true
}
"#,
        &[],
    );
    let applied = converge(&sandbox);
    assert_eq!(mode(&sandbox, "etc/conf"), 0o600);
    assert!(applied.contains("line: \"plain\""), "a part without a secret is shown: {applied}");
}

#[test]
fn every_kind_creates_private_files_for_secrets() {
    let sandbox = sandbox(
        r#"
gzip "/srv/content.gz" { content = param.token }
cron "c" {
  file     = "job"
  user     = "root"
  schedule = "@daily"
  command  = "curl ${param.token}"
}
systemd_unit "x.service" { content = "[Service]\nExecStart=/bin/echo ${param.token}\n" }
systemd_unit "y.service" {
  content = "[Service]\nExecStart=/bin/echo ${param.token}\n"
  mode    = "0644"
}
directory "/srv/plain" { owner = nonsensitive(0) }
"#,
        &[],
    );
    converge(&sandbox);
    for name in ["srv/content.gz", "etc/cron.d/job", "etc/systemd/system/x.service"] {
        assert_eq!(mode(&sandbox, name), 0o600, "{name}");
    }
    assert_eq!(mode(&sandbox, "etc/systemd/system/y.service"), 0o644);
    assert_eq!(mode(&sandbox, "srv/plain"), 0o755);
}

#[test]
fn a_secret_in_a_file_that_everybody_can_read_is_a_warning() {
    let configuration = "line \"l\" {\n  file = \"/etc/conf\"\n  line = \"token=${param.token}\"\n}\n";
    for (bits, expected) in [(0o644, true), (0o640, false)] {
        let sandbox = sandbox(configuration, &["etc/conf"]);
        let path = sandbox.path("root/etc/conf");
        fs::set_permissions(path, fs::Permissions::from_mode(bits)).expect("a mode");
        let applied = converge(&sandbox);
        let warned = applied.contains("every local user can read the file that a secret is written to");
        assert_eq!(warned, expected, "{applied}");
        assert_eq!(mode(&sandbox, "etc/conf"), bits, "an existing file keeps its mode");
    }
}

/// The default of a `mode` in a script is for files without secrets.
#[test]
fn a_kind_in_luau_creates_private_files_for_secrets() {
    let sandbox =
        sandbox("note \"/srv/note\" { text = param.token }\nnote \"/srv/plain\" { text = \"x\" }\n", &[]);
    fs::create_dir(sandbox.path("kinds")).expect("a folder");
    sandbox.write(
        "kinds/note.luau",
        "properties.path = { type = \"path\", name = true }\n\
         properties.text = { type = \"text\", required = true }\n\
         properties.mode = { type = \"mode\", default = \"0644\" }\n\
         function load_current_value(current)\n\
         \x20   if not fs.exists(path) then current_value_does_not_exist() end\n\
         \x20   current.text = fs.read(path)\n\
         \x20   current.mode = fs.stat(path).mode\n\
         end\n\
         function actions.create()\n\
         \x20   converge_if_changed(function() fs.write(path, text, { mode = mode }) end)\n\
         end\n",
    );
    converge(&sandbox);
    assert_eq!((mode(&sandbox, "srv/note"), mode(&sandbox, "srv/plain")), (0o600, 0o644));
}

/// The secrets of a user are not considered part of the home directory.
#[test]
fn a_user_password_does_not_make_the_home_directory_secret() {
    let sandbox = sandbox(
        r#"
user "ann" {
  home     = "/srv/ann"
  password = sensitive("*")
}
file "/srv/ann/notes" { content = "plain\n" }
"#,
        &[],
    );
    fs::create_dir(sandbox.path("root/srv/ann")).expect("a directory");
    let mut command = sandbox.command(&["plan", "--root", "root"]);
    let output = command.env("UPHOLD_PARAM_TOKEN", SECRET).output().expect("the command starts");
    let ran = sandbox.ran(&output);
    assert!(ran.stdout.contains("+ plain"), "{}{}", ran.stdout, ran.stderr);
}
