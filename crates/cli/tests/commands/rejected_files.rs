//! New content that `verify` of a file or an edit rejected, and that is kept for the user.

use super::sandbox::Sandbox;

/// Two edits of one file: `verify` rejects the first one until `valid` exists.
const SITE: &str = r#"
ini "bad" {
  file   = "${path.cwd}/app.conf"
  key    = "first"
  value  = "1"
  verify = "! grep first {} || test -e ${path.cwd}/valid"
}

ini "good" {
  file   = "${path.cwd}/app.conf"
  key    = "second"
  value  = "2"
  verify = "test -e {}"
}
"#;

/// A later edit of the same file does not remove what the message names; the run that succeeds does.
#[test]
fn rejected_content_stays_until_its_edit_succeeds() {
    let sandbox = Sandbox::with(SITE);
    sandbox.write("app.conf", "");
    let ran = sandbox.run(&["apply"]);
    let kept = ".app.conf.uphold-rejected";
    assert!(ran.stderr.contains(&format!("the rejected file is kept as FOLDER/{kept}")), "{}", ran.stderr);
    assert_eq!(sandbox.read("app.conf"), "second = 2\n");
    assert_eq!(sandbox.read(kept), "first = 1\n");
    sandbox.write("valid", "");
    assert_eq!(sandbox.run(&["apply"]).code, Some(0));
    assert!(!sandbox.path(kept).exists());
}

/// sshd reads neither `true` nor `false`.
#[test]
fn a_bool_in_a_file_of_ssh_is_refused() {
    let check = |file: &str, value: &str, hint: Option<&str>| {
        let sandbox = Sandbox::with(format!(
            "ini \"root\" {{\n  file = \"/{file}\"\n  key = \"PermitRootLogin\"\n  value = {value}\n  create = true\n}}\n"
        ));
        std::fs::create_dir_all(sandbox.path("root/etc/ssh/sshd_config.d")).expect("a directory");
        let ran = sandbox.rooted(&["plan"]);
        assert_eq!(ran.code, Some(if hint.is_some() { 1 } else { 2 }), "{}{}", ran.stdout, ran.stderr);
        if let Some(hint) = hint {
            assert!(ran.stderr.contains("which sshd does not read as a bool"), "{}", ran.stderr);
            assert!(ran.stderr.contains(hint), "{}", ran.stderr);
        }
    };
    check("etc/ssh/sshd_config", "false", Some("help: write `value = \"no\"`"));
    check("etc/ssh/sshd_config.d/10.conf", "[\"x\", true]", Some("help: write `value = \"yes\"`"));
    check("etc/ssh/sshd_config", "\"no\"", None);
    check("etc/app.conf", "false", None);
}
