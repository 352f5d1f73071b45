//! Secrets that one resource writes to a file and another copies from it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::ground::Ground;

const SECRET: &str = "hunter2SECRETxyz";

const PARAM: &str = "param \"token\" { sensitive = true }\n";

/// A machine with these files, and a configuration for it.
fn ground(configuration: &str, files: &[&str]) -> Ground {
    let ground = Ground::with(format!("{PARAM}{configuration}"));
    for directory in ["etc/cron.d", "etc/systemd/system", "etc/apt/sources.list.d", "srv"] {
        fs::create_dir_all(ground.path(&format!("root/{directory}"))).expect("a directory");
    }
    ground.write("root/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
    ground.write("root/etc/group", "root:x:0:\n");
    for file in files {
        ground.write(&format!("root/{file}"), "x\n");
        let path = ground.path(&format!("root/{file}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("a mode");
    }
    ground
}

fn mode(ground: &Ground, name: &str) -> u32 {
    fs::metadata(ground.path(&format!("root/{name}"))).expect(name).permissions().mode() & 0o7777
}

/// The output of a command, and the report that it writes.
fn printed(ground: &Ground, arguments: &[&str]) -> String {
    let given = ["--root", "root", "--jobs", "1", "--report", "report.json"];
    let mut command = ground.command(&[arguments, &given].concat());
    let output = command.env("UPHOLD_PARAM_TOKEN", SECRET).output().expect("the command starts");
    let ran = ground.ran(&output);
    assert!(matches!(ran.code, Some(0 | 2)), "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran.stdout + &ran.stderr + &ground.read("report.json")
}

/// Plans, saves and shows the plan, applies twice, in all output formats; fails if the secret is printed. Returns the
/// output of the first apply.
fn converge(ground: &Ground) -> String {
    let check = |arguments: &[&str]| {
        let text = printed(ground, arguments);
        assert!(!text.contains(SECRET), "{arguments:?}: {text}");
        text
    };
    check(&["plan", "-v"]);
    check(&["plan", "--json"]);
    check(&["plan", "--out", "saved.plan"]);
    assert!(!ground.read("saved.plan").contains(SECRET));
    for arguments in [&["show", "saved.plan"][..], &["show", "saved.plan", "--json"]] {
        let shown = ground.run(arguments);
        assert!(!(shown.stdout + &shown.stderr).contains(SECRET), "{arguments:?}");
    }
    let applied = check(&["apply", "-v"]);
    check(&["apply", "--json"]);
    applied
}

#[test]
fn a_copy_of_an_edited_file_is_hidden_and_private() {
    let ground = ground(
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
    std::os::unix::fs::symlink("etc", ground.path("root/link")).expect("a link");
    let applied = converge(&ground);
    for name in ["copy", "copy-of-copy", "through-link", "conf.gz", "etc.tar"] {
        assert_eq!(mode(&ground, &format!("srv/{name}")), 0o600, "{name}");
    }
    assert_eq!((mode(&ground, "srv/wide"), mode(&ground, "srv/other")), (0o640, 0o644));
    assert!(ground.read("root/srv/copy").contains(SECRET));
    assert!(applied.contains("+ x\n"), "the copy of another file is shown: {applied}");
}

/// The edit depends on another resource, so that the copy may come first: content of an earlier run is hidden as well.
#[test]
fn a_copy_is_hidden_before_the_secret_is_known() {
    let ground = ground(
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
    ground.write("root/etc/conf", format!("token={SECRET}\n"));
    converge(&ground);
    assert_eq!(mode(&ground, "srv/copy"), 0o600);
}

/// The old content that a `file` replaces contains the secret that a `line` added.
#[test]
fn a_file_that_another_resource_edits_is_hidden_and_private() {
    let ground = ground(
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
    converge(&ground);
    assert_eq!(mode(&ground, "etc/conf"), 0o600);
}

/// The first of several edits creates the file.
#[test]
fn a_file_is_created_private_if_a_later_edit_puts_a_secret_into_it() {
    let ground = ground(
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
    let applied = converge(&ground);
    assert_eq!(mode(&ground, "etc/conf"), 0o600);
    assert!(applied.contains("line: \"plain\""), "a part without a secret is shown: {applied}");
}

#[test]
fn every_kind_creates_private_files_for_secrets() {
    let ground = ground(
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
    converge(&ground);
    for name in ["srv/content.gz", "etc/cron.d/job", "etc/systemd/system/x.service"] {
        assert_eq!(mode(&ground, name), 0o600, "{name}");
    }
    assert_eq!(mode(&ground, "etc/systemd/system/y.service"), 0o644);
    assert_eq!(mode(&ground, "srv/plain"), 0o755);
}

#[test]
fn a_secret_in_a_file_that_everybody_can_read_is_a_warning() {
    let configuration = "line \"l\" {\n  file = \"/etc/conf\"\n  line = \"token=${param.token}\"\n}\n";
    for (bits, expected) in [(0o644, true), (0o640, false)] {
        let ground = ground(configuration, &["etc/conf"]);
        let path = ground.path("root/etc/conf");
        fs::set_permissions(path, fs::Permissions::from_mode(bits)).expect("a mode");
        let applied = converge(&ground);
        let warned = applied.contains("every local user can read the file that a secret is written to");
        assert_eq!(warned, expected, "{applied}");
        assert_eq!(mode(&ground, "etc/conf"), bits, "an existing file keeps its mode");
    }
}

/// The default of a `mode` in a script is for files without secrets.
#[test]
fn a_kind_in_luau_creates_private_files_for_secrets() {
    let ground =
        ground("note \"/srv/note\" { text = param.token }\nnote \"/srv/plain\" { text = \"x\" }\n", &[]);
    fs::create_dir(ground.path("kinds")).expect("a folder");
    ground.write(
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
    converge(&ground);
    assert_eq!((mode(&ground, "srv/note"), mode(&ground, "srv/plain")), (0o600, 0o644));
}

/// The secrets of a user are not considered part of the home directory.
#[test]
fn a_user_password_does_not_make_the_home_directory_secret() {
    let ground = ground(
        r#"
user "ann" {
  home     = "/srv/ann"
  password = sensitive("*")
}
file "/srv/ann/notes" { content = "plain\n" }
"#,
        &[],
    );
    fs::create_dir(ground.path("root/srv/ann")).expect("a directory");
    let mut command = ground.command(&["plan", "--root", "root"]);
    let output = command.env("UPHOLD_PARAM_TOKEN", SECRET).output().expect("the command starts");
    let ran = ground.ran(&output);
    assert!(ran.stdout.contains("+ plain"), "{}{}", ran.stdout, ran.stderr);
}
