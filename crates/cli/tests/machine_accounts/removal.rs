//! Renamed and removed jobs, rules and keys, with the real `crontab` and `visudo`: nothing is doubled, nothing is left.

use uphold_testbed::Host;

const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";
const KEYS: &str = "/home/ann/.ssh/authorized_keys";

/// The three resources with these names. The key is another one for each name.
fn site(job: &str, rule: &str, key: &str) -> String {
    let public = KEY.replace("b1a", key);
    format!(
        r#"
file "/etc/kept" {{}}
cron "{job}" {{
  user     = "ann"
  schedule = "@daily"
  command  = "backup"
}}
sudo "{rule}" {{
  users    = ["ann"]
  commands = ["/usr/bin/id"]
  nopasswd = true
}}
authorized_key "{key}" {{
  user = "ann"
  key  = "ssh-ed25519 {public}"
}}
"#
    )
}

const REMOVE: &str = "settings { on_removal = \"remove\" }\n";

fn apply(host: &Host, text: &str) -> String {
    host.write("/run/uphold-testbed/site/removal.hcl", text);
    let ran = host.uphold(&["apply", "removal.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    ran.to_string()
}

/// Exactly these are there, beside the entries of the user.
#[track_caller]
fn expect(host: &Host, job: Option<&str>, rule: Option<&str>, key: Option<&str>) {
    let crontab = host.ok("crontab -u ann -l");
    assert!(crontab.contains("5 5 * * * mine"), "{crontab}");
    assert_eq!(crontab.matches("@daily backup").count(), usize::from(job.is_some()), "{crontab}");
    assert_eq!(crontab.matches("uphold: ").count(), usize::from(job.is_some()), "{crontab}");
    assert!(job.is_none_or(|job| crontab.contains(&format!("uphold: {job}"))), "{crontab}");
    host.ok("visudo -c");
    let rules = host.ok("ls /etc/sudoers.d");
    let rules: Vec<&str> = rules.lines().filter(|name| *name != "README").collect();
    assert_eq!(rules, rule.into_iter().collect::<Vec<_>>());
    let keys = host.read(KEYS);
    let ends: Vec<&str> =
        keys.lines().filter_map(|line| line.split(' ').nth(1)?.get(KEY.len() - 3..)).collect();
    assert_eq!(ends, ["own"].into_iter().chain(key).collect::<Vec<_>>(), "{keys}");
}

/// The second apply finds nothing to do, and lists nothing.
#[track_caller]
fn expect_settled(host: &Host) {
    let again = host.uphold(&["apply", "removal.hcl"]).to_string();
    assert!(again.contains("No changes.") && !again.contains("no longer declared"), "{again}");
}

fn prepared(host: &Host) {
    let own = KEY.replace("b1a", "own");
    host.ok("useradd -m ann && echo '5 5 * * * mine' | crontab -u ann -");
    host.ok(&format!("install -d -o ann -m 700 /home/ann/.ssh && echo 'ssh-ed25519 {own} mine' >{KEYS}"));
    host.ok(&format!("chown ann: {KEYS} && chmod 600 {KEYS}"));
}

#[test]
fn a_renamed_or_removed_block_leaves_nothing_behind() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("removal");
    prepared(&host);
    apply(&host, &(REMOVE.to_owned() + &site("backup", "deploy", "b1a")));
    expect(&host, Some("backup"), Some("deploy"), Some("b1a"));
    let out = apply(&host, &(REMOVE.to_owned() + &site("nightly", "release", "b1c")));
    assert_eq!(out.matches("(removed; no longer declared)").count(), 3, "{out}");
    expect(&host, Some("nightly"), Some("release"), Some("b1c"));
    expect_settled(&host);
    apply(&host, &format!("{REMOVE}file \"/etc/kept\" {{}}\n"));
    expect(&host, None, None, None);
    expect_settled(&host);
}

#[test]
fn a_moved_block_leaves_nothing_behind() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("moved");
    prepared(&host);
    apply(&host, &site("backup", "deploy", "b1a"));
    let moved = |kind: &str, from: &str, to: &str| {
        format!("moved {{\n  from = {kind}.{from}\n  to   = {kind}.{to}\n}}\n")
    };
    let blocks = moved("cron", "backup", "nightly")
        + &moved("sudo", "deploy", "release")
        + &moved("authorized_key", "b1a", "b1c");
    let out = apply(&host, &(site("nightly", "release", "b1c") + &blocks));
    assert!(out.contains("(removed; moved to cron.nightly)"), "{out}");
    expect(&host, Some("nightly"), Some("release"), Some("b1c"));
    expect_settled(&host);
    apply(&host, &site("nightly", "release", "b1c"));
    expect(&host, Some("nightly"), Some("release"), Some("b1c"));
    // Another label of the same key is the same key.
    let relabelled = site("nightly", "release", "b1c").replace("\"b1c\" {", "\"laptop\" {");
    let out = apply(&host, &(relabelled + &moved("authorized_key", "b1c", "laptop")));
    assert!(!out.contains("removed"), "{out}");
    expect(&host, Some("nightly"), Some("release"), Some("b1c"));
}
