//! `sudo`.

use uphold_testbed::Story;

#[test]
fn rules_are_validated_before_they_are_installed() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("sudo");
    host.ok("useradd ann && useradd bob");
    Story::of(&host, "a rule from its parts")
        .configuration(
            r#"sudo "deploy" {
                users    = ["ann"]
                groups   = ["bob"]
                run_as   = "root"
                commands = ["/usr/bin/id", "/usr/bin/env a\\,b"]
                nopasswd = true
                setenv   = true
                defaults = ["!lecture"]
            }"#,
        )
        .holds("test \"$(stat -c %U:%G:%a /etc/sudoers.d/deploy)\" = root:root:440 && visudo -c")
        .holds("su ann -s /bin/sh -c 'sudo -n /usr/bin/id -u' | grep -qx 0 && ! su ann -s /bin/sh -c 'sudo -n /bin/ls'")
        .drift("content", "sed -i s/ann/bob/ /etc/sudoers.d/deploy")
        .drift("mode", "chmod 644 /etc/sudoers.d/deploy")
        .drift("owner", "chown ann /etc/sudoers.d/deploy")
        .drift("group", "chgrp ann /etc/sudoers.d/deploy")
        .missing("rm /etc/sudoers.d/deploy")
        .watch()
        .change_to(
            r#"sudo "deploy" { content = "bob ALL=(ALL) NOPASSWD: /usr/bin/id\n" }"#,
            "su bob -s /bin/sh -c 'sudo -n /usr/bin/id -u' | grep -qx 0",
        )
        .wrong(r#"sudo "a.b" { users = ["ann"] }"#, "ignores files with a dot")
        .wrong(r#"sudo "a" {}"#, "users")
        .wrong(r#"sudo "a" { users = ["ann ALL=(ALL) ALL"] }"#, "must be a list of names")
        .wrong("sudo \"a\" {\n users = [\"ann\"]\n commands = [\"/bin/a, /bin/b\"]\n}", "a comma in a command")
        .wrong("sudo \"a\" {\n content = \"x\"\n users = [\"ann\"]\n}", "content")
        .removed_by(r#"sudo "deploy" { action = "remove" }"#, "! test -e /etc/sudoers.d/deploy")
        .run();
    host.write("/run/uphold-testbed/site/bad.hcl", r#"sudo "bad" { content = "ann ALL=(ALL\n" }"#);
    let ran = host.uphold(&["apply", "bad.hcl"]);
    assert_eq!(ran.status, 1, "{ran}");
    assert!(
        ran.to_string().contains("verification of the new /etc/sudoers.d/bad with visudo failed"),
        "{ran}"
    );
    assert_ne!(host.run("test -e /etc/sudoers.d/bad").status, 0);
    host.ok("visudo -c");
}
