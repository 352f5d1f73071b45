//! Files, directories and links on a disposable host, from plan to removal.

use uphold_testbed::{Bed, Story};

#[test]
fn files() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("files");
    host.ok("useradd ann");
    Story::of(&host, "a file with everything")
        .configuration(
            r#"file "/etc/motd" {
            content = "hi\n"
            mode    = "0640"
            owner   = "ann"
            group   = "ann"
        }"#,
        )
        .drift("content", "echo drifted >/etc/motd")
        .drift("mode", "chmod 600 /etc/motd")
        .drift("owner", "chown root /etc/motd")
        .drift("group", "chgrp root /etc/motd")
        .missing("rm /etc/motd")
        .watch()
        .change_to(r#"file "/etc/motd" { content = "ho\n" }"#, "grep -q ho /etc/motd")
        .wrong(r#"file "/etc/motd" { mode = "rw" }"#, "mode")
        .removed_by(r#"file "/etc/motd" { action = "remove" }"#, "! test -e /etc/motd")
        .run();
}

#[test]
fn directories_and_links() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("directories");
    Story::of(&host, "a directory and a link to it")
        .configuration(
            r#"
            directory "/srv/site" { mode = "0750" }
            link "/srv/current" { to = "/srv/site" }
        "#,
        )
        .drift("mode", "chmod 700 /srv/site")
        .drift("to", "ln -sfn /etc /srv/current")
        .missing("rm /srv/current")
        .watch()
        .removed_by(
            r#"
            directory "/srv/site" { action = "remove" }
            link "/srv/current" { action = "remove" }
            "#,
            "! test -e /srv/site && ! test -L /srv/current",
        )
        .run();
}
