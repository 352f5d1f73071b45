//! Names and keys of other hosts, checked with the system's own programs.

use uphold_testbed::{Bed, Story};

const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIISuksGi8IZJKdQjbVjxRyhk0/sR+ttQ3RJ96GMbYr7u";
const OTHER_KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIMz8fQVpydkE2A3bFGiG/5vGTSDulPTRYunlTrxPD1fh";

#[test]
fn hosts() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("names");
    host.write("/etc/hosts", "127.0.0.1 localhost # kept\n");
    Story::of(&host, "an address that getent finds")
        .wrong(r#"hosts_entry "db" { ip = "10.0.0" }"#, "is not an IP address")
        .configuration(
            r#"hosts_entry "db.example.org" {
                ip      = "192.0.2.7"
                aliases = ["db"]
                comment = "the database"
            }"#,
        )
        .drift("ip", "sed -i s/192.0.2.7/192.0.2.8/ /etc/hosts")
        .drift("aliases", "sed -i 's/org db/org dd/' /etc/hosts")
        .drift("comment", "sed -i 's/the database/a database/' /etc/hosts")
        .missing("sed -i /192.0.2.7/d /etc/hosts")
        .watch()
        .change_to(
            r#"hosts_entry "db.example.org" { ip = "192.0.2.9" }"#,
            "getent hosts db | grep -q '^192.0.2.9 '",
        )
        .removed_by(r#"hosts_entry "db.example.org" { action = "remove" }"#, "! getent hosts db")
        .run();
    assert_eq!(host.read("/etc/hosts"), "127.0.0.1 localhost # kept\n");
}

#[test]
fn known_hosts() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("known");
    let file = "/etc/ssh/ssh_known_hosts";
    host.write(file, &format!("# kept\nother ssh-ed25519 {OTHER_KEY}\n"));
    let before = host.read(file);
    let find = |name: &str| format!("ssh-keygen -F {name} -f {file} | grep -q {KEY}");
    Story::of(&host, "a key that ssh-keygen finds")
        .wrong(r#"ssh_known_host "git" { key = "ssh-rsa AAAA" }"#, "is not a public key")
        .configuration(&format!(
            r#"ssh_known_host "git.example.org" {{
                key     = "ssh-ed25519 {KEY}"
                aliases = ["git"]
                hashed  = false
            }}"#
        ))
        .drift("key", &format!("sed -i '/^git/s#{KEY}#{OTHER_KEY}#' {file}"))
        .drift("aliases", &format!("sed -i s/,git// {file}"))
        .drift("hashed", &format!("sed -i s/,git// {file} && ssh-keygen -q -H -f {file} && rm {file}.old"))
        .missing(&format!("sed -i /^git/d {file}"))
        .watch()
        .change_to(
            &format!(
                r#"ssh_known_host "git.example.org" {{
                key     = "{KEY}"
                aliases = ["git2"]
            }}"#
            ),
            &find("git2"),
        )
        .removed_by(
            r#"ssh_known_host "git.example.org" { action = "remove" }"#,
            &format!("! {}", find("git.example.org")),
        )
        .run();
    assert!(host.read(file).starts_with("# kept\n"), "{}", host.read(file));
    host.write(file, &before);
    Story::of(&host, "a hashed name at another port")
        .configuration(&format!(
            r#"ssh_known_host "secret" {{
                key    = "{KEY}"
                port   = 2222
                hashed = true
            }}"#
        ))
        .drift("hashed", &format!("sed -i 's#^|1|[^ ]* #[secret]:2222 #' {file}"))
        .watch()
        .removed_by(
            r#"ssh_known_host "secret" {
            port   = 2222
            action = "remove"
        }"#,
            &format!("! {}", find("[secret]:2222")),
        )
        .run();
    assert_eq!(host.read(file), before);
}
