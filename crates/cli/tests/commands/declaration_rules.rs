//! Rules over several properties of a kind: `validate` reports all of them, with their places, without a machine.

use super::sandbox::Sandbox;

const BROKEN: &str = r#"
cron "a" {
  hour        = 3
  command     = "x"
  environment = { A = "b" }
}
ini "b" {
  file  = "/etc/ssh/sshd_config"
  key   = "PermitRootLogin"
  value = false
}
service "c" {
  provider = "systemd"
  running  = true
  masked   = true
  pattern  = "c"
}
route "10.0.0.0/8" {
  type    = "blackhole"
  gateway = "10.0.0.1"
}
network_link "d" { type = "vlan" }
ini "d" {
  file    = "/etc/ssh/sshd_config"
  section = "User ann"
  key     = "X11Forwarding"
  value   = "no"
}
ini "deploy" {
  file    = "/etc/ssh/sshd_config"
  section = "Match deploy"
  key     = "X11Forwarding"
  value   = "no"
}
toml_edit "e" {
  file  = "/e"
  key   = "e"
  value = [null]
}
mount "/f" {
  device   = "/dev/f"
  fstype   = "ext4"
  mounted  = false
  in_fstab = false
}
group "g" {
  members          = ["root"]
  excluded_members = ["root"]
}
gzip "/h" { source = "/h" }
tar "/i" {
  inputs = ["/etc/i", "/srv/i"]
  base   = "/srv"
}
http_request "j" {
  method = "POST"
  url    = "http://example.org/"
}
git "/k" { repository = "ssh://git:hunter2@example.org/k" }
apt_key "l" { content = "no key" }
certificate "/m" {
  key          = "/m.key"
  common_name  = "m"
  days         = 10
  renew_before = "20d"
}
"#;

#[test]
fn validate_reports_all_of_them_at_once() {
    let ran = Sandbox::with(BROKEN).run(&["validate", "site.hcl"]);
    let expected = [
        "cron.a: `minute` is required with a coarser field",
        "cron.a: `environment` cannot be set in a user's crontab",
        "ini.b: `value` is false, which sshd does not read as a bool",
        "service.c: `masked` cannot be true for a service that is running or enabled",
        "service.c: `pattern` is supported by sysvinit only",
        "route[\"10.0.0.0/8\"]: `type` drops packets, but has a gateway or device",
        "network_link.d: `parent` is required for the type vlan",
        "network_link.d: `id` is required for the type vlan",
        "ini.d: `section` is `User ann`, but a section of this file is a whole line",
        "ini.deploy: `section` is `Match deploy`, but `Match` needs a criterion",
        "toml_edit.e: `value` contains null, which TOML does not support",
        "mount[\"/f\"]: `mounted` cannot be false if `in_fstab` is false, too",
        "group.g: `excluded_members` contains `root`, which is in `members`, too",
        "gzip[\"/h\"]: `source` cannot be the path itself",
        "tar[\"/i\"]: `inputs` is refused: /etc/i is not below `base`",
        "http_request.j: `check_url` is required to decide whether the POST request is needed",
        "git[\"/k\"]: `repository` is refused: the address contains a password, which ssh cannot use",
        "apt_key.l: `content` is refused: the content for /etc/apt/keyrings/l.asc is not an OpenPGP public key",
        "certificate[\"/m\"]: `days` is so short that the certificate would be due for renewal",
    ];
    for message in expected {
        assert!(ran.stderr.contains(message), "{message}\n{}", ran.stderr);
    }
    assert!(ran.stderr.contains("--> site.hcl:5:3"), "at the property: {}", ran.stderr);
    assert!(ran.stderr.ends_with(&format!("error: {} errors; nothing was changed\n", expected.len())));
    assert_eq!(ran.code, Some(1));
}

/// A removal and a handler need no complete declaration.
#[test]
fn they_hold_only_for_resources_that_converge() {
    let sandbox = Sandbox::with(
        r#"
cron "a" {
  user    = "root"
  hour    = 3
  command = "x"
  action  = "remove"
}
http_request "j" {
  method = "POST"
  url    = "http://example.org/"
  action = "nothing"
}
log "k" { notifies = [http_request.j.send] }
"#,
    );
    sandbox.run(&["validate", "site.hcl"]).check(0, "The configuration is valid: 3 resources.\n", "");
}

/// The rule is checked as soon as the value is known, and a secret is not shown.
#[test]
fn a_secret_is_not_shown_by_a_rule() {
    let sandbox = Sandbox::with(
        r#"
param "name" {
  default   = "administrator"
  sensitive = true
}
group "g" {
  members          = [param.name]
  excluded_members = [param.name]
}
"#,
    );
    let ran = sandbox.run(&["validate", "site.hcl"]);
    assert!(ran.code == Some(1) && !ran.stderr.contains("`administrator`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("the reason is hidden"), "{}", ran.stderr);
}

#[test]
fn a_key_that_contains_its_value_is_refused_in_a_file_of_ssh() {
    let text = "ini \"x\" {\n  file  = \"/etc/ssh/sshd_config\"\n  key   = \"PermitRootLogin no\"\n  value = \"no\"\n}\n";
    let ran = Sandbox::with(text).run(&["validate", "site.hcl"]);
    let hint = "write `key = \"PermitRootLogin\"`, and the rest in `value`";
    assert!(ran.code == Some(1) && ran.stderr.contains(hint), "{}", ran.stderr);
}

#[test]
fn a_key_that_begins_a_section_of_ssh_is_named_as_section() {
    let text = "ini \"x\" {\n  file  = \"/etc/ssh/sshd_config\"\n  key   = \"Match User bob\"\n  value = \"no\"\n}\n";
    let ran = Sandbox::with(text).run(&["validate", "site.hcl"]);
    let hint = "write `section = \"Match User bob\"`, and a key of this section as `key`";
    assert!(ran.code == Some(1) && ran.stderr.contains(hint), "{}", ran.stderr);
}
