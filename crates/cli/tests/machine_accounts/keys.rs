//! `authorized_key`.

use uphold_testbed::Story;

const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

#[test]
fn keys_are_managed_beside_others() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("keys");
    let declared = format!(
        r#"
        user "ann" {{}}
        authorized_key "laptop" {{
            user    = "ann"
            key     = "ssh-ed25519 {KEY} ann@laptop"
            options = ["no-pty", "from=\"10.0.0.0/8,192.0.2.1\""]
        }}"#
    );
    let file = "/home/ann/.ssh/authorized_keys";
    Story::of(&host, "a key with everything")
        .configuration(&declared)
        .holds("test \"$(stat -c %U:%G:%a /home/ann/.ssh)\" = ann:ann:700")
        .holds(&format!("test \"$(stat -c %U:%G:%a {file})\" = ann:ann:600"))
        .holds(&format!("su ann -c 'ssh-keygen -lf {file}'"))
        .drift("options", &format!("sed -i 's/no-pty,//' {file}"))
        .drift("comment", &format!("sed -i 's/ann@laptop/eve@laptop/' {file}"))
        .drift("type", &format!("sed -i 's/ssh-ed25519 /ssh-rsa /' {file}"))
        .drift("options", &format!("echo 'ssh-ed25519 {KEY} ann@laptop' >>{file}"))
        .missing(&format!("sed -i '/{KEY}/d' {file}"))
        .missing("mv /home/ann/.ssh /home/ann/gone.$$")
        .watch()
        .wrong(r#"authorized_key "x" { user = "root" }"#, "key")
        .wrong(&declared.replace("ssh-ed25519", "ssh-rsa"), "the key is not of the given type")
        .wrong(&declared.replace(KEY, "nonsense"), "is not a public key")
        .wrong(&declared.replace("no-pty", "no-pty,x"), "is not a valid key option")
        .wrong(
            &format!("authorized_key \"x\" {{\n user = \"nosuch\"\n key = \"{KEY}\"\n}}"),
            "there is no user `nosuch`",
        )
        .run();
    host.ok(&format!(
        "echo '# mine' >>{file}; echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAA= other' >>{file}"
    ));
    Story::of(&host, "another key, and away with it")
        .configuration(&format!("authorized_key \"root's own\" {{\n user = \"ann\"\n key = \"{}\"\n}}", KEY.replace("b1a", "b1b")))
        .holds(&format!("grep -q '^# mine$' {file} && grep -q ' other$' {file} && tail -n1 {file} | grep -q \"root's own\""))
        .removed_by(
            &format!("authorized_key \"x\" {{\n action = \"remove\"\n user = \"ann\"\n key = \"{KEY}\"\n}}"),
            &format!("! grep {KEY} {file} && grep -q '^# mine$' {file}"),
        )
        .run();
}

/// Links that the user could have planted are not followed.
#[test]
fn links_of_the_user_are_not_followed() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("planted");
    host.ok("useradd -m ann && mkdir -p /srv/keys && echo hers >/srv/keys/authorized_keys");
    let declared = format!("authorized_key \"x\" {{\n user = \"ann\"\n key = \"{KEY}\"\n}}");
    host.write("/run/uphold-testbed/site/a.hcl", &declared);
    for plant in [
        "ln -s /srv/keys /home/ann/.ssh && chown -h ann /home/ann/.ssh",
        "rm /home/ann/.ssh && mkdir /home/ann/.ssh && ln -s /srv/keys/authorized_keys /home/ann/.ssh/ && chown -hR ann /home/ann/.ssh",
    ] {
        host.ok(plant);
        let ran = host.uphold(&["apply", "a.hcl"]);
        assert_eq!(ran.status, 1, "{plant}: {ran}");
        assert_eq!(host.read("/srv/keys/authorized_keys"), "hers\n", "{plant}");
    }
}
