//! Formats of repository keys.

use uphold_testbed::{Package, Story};

use super::sandbox::Sandbox;

#[test]
fn key_formats_are_recognized() {
    let Some(sandbox) = Sandbox::new("key", &[Package::new("hello", "1.0")]) else { return };
    sandbox.repository.sign(&sandbox.host);
    let shown =
        sandbox.ok("gpg --homedir /run/uphold-testbed/gnupg --with-colons --show-keys /srv/repo/key.asc");
    let fingerprint = shown.lines().find_map(|line| line.strip_prefix("fpr:")).expect("a fingerprint");
    let fingerprint = fingerprint.trim_matches(':');
    sandbox.ok("gpg --homedir /run/uphold-testbed/gnupg --dearmor </srv/repo/key.asc >/srv/key.gpg");
    let key = |more: &str| format!("apt_key \"test\" {{\n source = \"/srv/repo/key.asc\"\n {more}\n}}");
    Story::of(&sandbox, "a key with its fingerprint")
        .configuration(&key(&format!("fingerprint = \"{}\"", fingerprint.to_lowercase())))
        .drift("content", "head -c 100 /srv/repo/key.asc >/etc/apt/keyrings/test.asc")
        .drift("mode", "chmod 640 /etc/apt/keyrings/test.asc")
        .missing("rm /etc/apt/keyrings/test.asc")
        .watch()
        .wrong(&key(&format!("fingerprint = \"{}\"", "0".repeat(40))), "not 0000")
        .wrong(&key("fingerprint = \"abc\""), "40 or 64")
        .wrong("apt_key \"test\" { content = \"hello\" }", "not an OpenPGP public key")
        .wrong("apt_key \"test\" { source = \"/srv/key.gpg\" }", ".gpg")
        .wrong("apt_key \"/etc/apt/test\" { source = \"/srv/repo/key.asc\" }", ".asc or .gpg")
        .wrong("apt_key \"test\" {}", "content")
        .removed_by("apt_key \"test\" { action = \"remove\" }", "! test -e /etc/apt/keyrings/test.asc")
        .run();
    Story::of(&sandbox, "text that is kept as bytes")
        .configuration("apt_key \"test.gpg\" { source = \"/srv/repo/key.asc\" }")
        .drift("content", "cp /srv/repo/key.asc /etc/apt/keyrings/test.gpg")
        .run();
    sandbox.ok("cmp /srv/key.gpg /etc/apt/keyrings/test.gpg");
}
