//! New files with secret content.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::sandbox::Sandbox;

const SITE: &str = r#"
param "token" { sensitive = true }
file "/secret" { content = "token=${param.token}\n" }
file "/declared" {
  content   = "x"
  sensitive = true
}
file "/wide" {
  content = param.token
  mode    = "0640"
}
file "/there" { content = param.token }
file "/plain" { content = "x" }
line "l" {
  file   = "/line"
  line   = "token ${param.token}"
  create = true
}
ini "i" {
  file    = "/ini"
  section = "a"
  key     = "token"
  value   = param.token
  create  = true
}
json_edit "j" {
  file   = "/json"
  key    = "token"
  value  = param.token
  create = true
}
line "p" {
  file   = "/plain-line"
  line   = "x"
  create = true
}
"#;

#[test]
fn new_files_with_secrets_are_private_unless_declared_otherwise() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("root/there", "old");
    let mode = |name: &str| {
        let metadata = fs::metadata(sandbox.path(&format!("root/{name}"))).expect(name);
        metadata.permissions().mode() & 0o7777
    };
    let permit = |name: &str, mode: u32| {
        let path = sandbox.path(&format!("root/{name}"));
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect(name);
    };
    permit("there", 0o644);
    let arguments = ["site.hcl", "-p", "token=hunter2"];
    let planned = sandbox.rooted(&[&["plan"], &arguments[..]].concat());
    assert!(planned.stdout.contains("\"0600\""), "{}{}", planned.stdout, planned.stderr);
    let applied = sandbox.rooted(&[&["apply"], &arguments[..]].concat());
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    for name in ["secret", "declared", "line", "ini", "json"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
    for (name, expected) in [("wide", 0o640), ("there", 0o644), ("plain", 0o644), ("plain-line", 0o644)] {
        assert_eq!(mode(name), expected, "{name}");
    }
    // The private mode applies to new files only; that of an existing file is not changed.
    permit("secret", 0o644);
    let again = sandbox.rooted(&[&["apply"], &arguments[..]].concat());
    assert!(again.stdout.starts_with("No changes."), "{}", again.stdout);
    assert_eq!(mode("secret"), 0o644);
}

/// A kind may copy a secret into another property, which is exported as well.
#[test]
fn a_secret_that_a_kind_carries_over_is_hidden() {
    let sandbox = Sandbox::with(
        r#"
param "token" { sensitive = true }
sysctl "a.b" { value = param.token }
log "read" { message = "it is ${sysctl["a.b"].persistent}" }
"#,
    );
    fs::create_dir_all(sandbox.path("root/etc/sysctl.d")).expect("a directory");
    for verb in [&["plan", "-v"][..], &["plan", "--json"], &["apply", "-v"]] {
        let ran = sandbox.rooted(&[verb, &["site.hcl", "-p", "token=hunter2"]].concat());
        let printed = ran.stdout + &ran.stderr;
        assert!(printed.contains("persistent") && !printed.contains("hunter2"), "{printed}");
    }
}
