//! How-to guides that need a running system, on a host that systemd has booted: applied, then there is nothing left to do.

use uphold_testbed::{Bed, Host};

const ACCOUNTS: &str = include_str!("../../../docs/how-to/accounts.md");
const PACKAGES: &str = include_str!("../../../docs/how-to/packages.md");
const SYSTEM: &str = include_str!("../../../docs/how-to/system.md");

/// A program that runs until it is stopped.
const PROGRAM: &str = "printf '#!/bin/sh\nexec sleep infinity\n' >/usr/local/bin/app
    chmod 755 /usr/local/bin/app
    ln -s app /usr/local/bin/backup";

/// The files of the guide with this heading.
fn files(page: &'static str, title: &str) -> Vec<(&'static str, &'static str)> {
    let heading = format!("\n## How do I {title}?\n");
    let (_, rest) = page.split_once(&heading).unwrap_or_else(|| panic!("there is no guide \"{title}\""));
    let section = rest.split("\n## ").next().unwrap_or_default();
    let blocks = section.split("```").skip(1).step_by(2).filter_map(|block| block.split_once('\n'));
    let named = blocks.filter_map(|(info, text)| Some((info.split_once(' ')?, text)));
    named.filter(|((language, _), _)| *language != "console").map(|((_, name), text)| (name, text)).collect()
}

/// Applies the guide, then checks that the result holds and that a plan finds no difference.
#[track_caller]
fn apply(host: &Host, page: &'static str, title: &str, result: &str) {
    host.ok(&format!("rm -rf {0} && mkdir {0}", Host::SITE));
    for (name, text) in files(page, title) {
        host.write(&format!("{}/{name}", Host::SITE), text);
    }
    for command in ["apply", "plan"] {
        let ran = host.uphold(&[command, "site.hcl"]);
        assert_eq!(ran.status, 0, "{title}\n{ran}");
    }
    host.ok(result);
}

#[test]
fn guides_for_accounts() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("guide-accounts");
    apply(
        &host,
        ACCOUNTS,
        "create users with their SSH keys",
        "test $(wc -l </home/ann/.ssh/authorized_keys) = 2",
    );
    apply(&host, ACCOUNTS, "allow a group to run some commands with sudo", "sudo -l -U root && visudo -c");
    apply(
        &host,
        ACCOUNTS,
        "harden sshd without locking myself out",
        "sshd -T | grep -qx 'permitrootlogin no'",
    );
    apply(
        &host,
        ACCOUNTS,
        "generate a password once and use it elsewhere",
        "grep -Eqx 'DB_PASSWORD=.{24}' /etc/app.env",
    );
}

#[test]
fn guides_for_services_and_jobs() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("guide-services");
    host.ok(PROGRAM);
    apply(
        &host,
        PACKAGES,
        "run my own program as a service",
        "systemctl is-active app && systemctl is-enabled app",
    );
    apply(&host, PACKAGES, "set up a cron job", "grep -q MAILTO /etc/cron.d/report");
    apply(&host, PACKAGES, "run something at intervals with systemd", "systemctl is-active backup.timer");
}

#[test]
fn guides_for_the_system() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("guide-system");
    apply(&host, SYSTEM, "set up a firewall", "nft list table inet host | grep -q 'policy drop'");
    let names = "set the host name, the time zone and names in /etc/hosts";
    apply(&host, SYSTEM, names, "test $(hostname) = web2.example.org && getent hosts db");
}
