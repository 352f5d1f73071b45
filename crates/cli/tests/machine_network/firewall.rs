//! Tables of nftables: validated in a separate network namespace, replaced atomically, watched through `nft monitor`.

use uphold_testbed::{Bed, Host, Story};

const WEB: &str = r#"firewall "web" {
    ruleset = <<-NFT
      set bans { type ipv4_addr; flags dynamic,timeout; timeout 1h; }
      set office { typeof ip saddr; flags interval; elements = { 192.0.2.0/24, 198.51.100.1 } }
      chain input {
          type filter hook input priority 0; policy drop;
          iif lo accept   # a comment
          ip saddr @bans drop
          ct state related,established counter accept
          tcp dport { 8080, 22, 80 } accept
          ip saddr @office accept
      }
    NFT
}"#;

#[test]
fn a_table_is_managed() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("firewall");
    host.ok("nft add table inet other");
    Story::of(&host, "a table of nftables")
        .configuration(WEB)
        .holds("nft list ruleset | grep -q 'table inet other'")
        .holds("nft list table inet web | grep -q 'tcp dport { 22, 80, 8080 } accept'")
        .drift("ruleset", "nft add rule inet web input tcp dport 23 accept")
        .drift("ruleset", "nft flush chain inet web input")
        .drift("ruleset", "nft chain inet web input '{ policy accept; }'")
        .drift("ruleset", "nft add element inet web office '{ 203.0.113.7 }'")
        .drift("ruleset", "nft add chain inet web more")
        .missing("nft delete table inet web")
        .missing("nft flush ruleset; nft add table inet other")
        .watch()
        .change_to(
            r#"firewall "web" { ruleset = "chain output { type filter hook output priority 5; }" }"#,
            "! nft list table inet web | grep -q input",
        )
        .change_to(r#"firewall "web" { ruleset = "" }"#, "test \"$(nft list table inet web | wc -l)\" = 2")
        .wrong(r#"firewall "web" { ruleset = "chain a { bogus }" }"#, "the ruleset of the table inet web")
        .wrong(r#"firewall "web" { ruleset = "chain a { iif \"eth9\" accept; }" }"#, "iifname")
        .wrong(r#"firewall "web" { ruleset = "table inet web { }" }"#, "is not the content of a table")
        .wrong(r#"firewall "web" { ruleset = "}\ntable inet b {" }"#, "it also creates other tables")
        .wrong(r#"firewall "web" {}"#, "ruleset")
        .wrong(
            r#"
            firewall "web" { ruleset = "" }
            firewall "again" {
              table   = "web"
              ruleset = ""
            }
            "#,
            "managed by two resources",
        )
        .wrong(r#"firewall "a b" { ruleset = "" }"#, "table")
        .wrong(
            r#"firewall "web" {
                family  = "ipx"
                ruleset = ""
            }"#,
            "inet",
        )
        .removed_by(r#"firewall "web" { action = "remove" }"#, "! nft list table inet web")
        .run();
}

#[test]
fn families_links_and_files() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("families");
    host.ok("ip link add outer0 type bridge");
    Story::of(&host, "a table of a device, kept in a file")
        .configuration(
            r#"
            firewall "early" {
              family  = "netdev"
              ruleset = <<-NFT
                chain in {
                  type filter hook ingress device outer0 priority 0;
                  iif outer0 ip saddr 192.0.2.1 drop
                }
              NFT
            }

            firewall "nat" {
              family  = "ip"
              table   = "source_nat"
              ruleset = "chain out { type nat hook postrouting priority 100; oif \"outer0\" masquerade; }"
            }

            file "/etc/nat.nft" { content = firewall.nat.script }
            "#,
        )
        .holds("nft list table netdev early | grep -q 'iif \"outer0\" ip saddr 192.0.2.1 drop'")
        .holds("nft -f /etc/nat.nft && test \"$(nft list table ip source_nat | grep -c masquerade)\" = 1")
        .missing("nft delete table netdev early")
        .drift("ruleset", "nft add rule ip source_nat out accept")
        .removed_by(
            r#"
            firewall "early" {
              family = "netdev"
              action = "remove"
            }

            firewall "source_nat" {
              family = "ip"
              action = "remove"
            }

            file "/etc/nat.nft" { action = "remove" }
            "#,
            "test -z \"$(nft list ruleset)\"",
        )
        .run();
}

/// Dynamic set elements and counters are kept when another rule changes, and are no difference.
#[test]
fn runtime_state_of_rules_is_kept() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("bans");
    let check = |host: &Host, text: &str, command: &str, status: i32| {
        host.write(&format!("{}/a.hcl", Host::SITE), text);
        let ran = host.uphold(&[command, "a.hcl"]);
        assert_eq!(ran.status, status, "{ran}");
    };
    check(&host, WEB, "apply", 0);
    host.ok("nft add element inet web bans '{ 192.0.2.9, 192.0.2.8 timeout 2h }'; ip link set lo up; ping -c1 -q 127.0.0.1");
    check(&host, WEB, "plan", 0);
    // A plan validates the rules without changing those of the kernel.
    let other = WEB.replace("8080", "8443");
    let (look, before) =
        ("ip -brief link; nft -s list ruleset", host.ok("ip -brief link; nft -s list ruleset"));
    check(&host, &other, "plan", 2);
    assert_eq!(host.ok(look), before);
    check(&host, &other, "apply", 0);
    let listed = host.ok("nft list table inet web");
    for words in ["8443", "192.0.2.9 expires", "192.0.2.8 timeout 2h expires"] {
        assert!(listed.contains(words), "{words} is not in\n{listed}");
    }
}
