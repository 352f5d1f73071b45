//! Network links: created, changed, recreated, watched through netlink.

use uphold_testbed::{Bed, Host, Story};

const OFFICE: &str = r#"
    network_link "br0" {
      type      = "bridge"
      up        = true
      mac       = "02:00:00:00:00:0A"
      addresses = ["192.0.2.1/24", "192.0.2.2/24", "2001:db8::1/64"]
    }

    network_link "port0" {
      type   = "veth"
      peer   = "port1"
      master = "br0"
      mtu    = 1400
    }
"#;

#[test]
fn links_are_managed() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("links");
    Story::of(&host, "a bridge and its port")
        .configuration(OFFICE)
        .holds("test \"$(ip -j address show dev br0 | jq '[.[0].addr_info[] | select(.scope == \"global\")] | length')\" = 3")
        .drift("up", "ip link set br0 down")
        .drift("mtu", "ip link set port0 mtu 1300")
        .drift("mac", "ip link set br0 address 02:00:00:00:00:0b")
        .drift("master", "ip link set port0 nomaster")
        .drift("addresses", "ip address add 192.0.2.9/24 dev br0")
        // Removing the primary address of a network also removes the secondary ones.
        .drift("addresses", "ip address delete 192.0.2.1/24 dev br0")
        .drift("addresses", "ip address delete 2001:db8::1/64 dev br0")
        .missing("ip link delete port1")
        .watch()
        .change_to(
            r#"network_link "port0" {
              master = null
              up     = false
            }"#,
            "! ip link show dev port0 | grep -qw -e UP -e master",
        )
        .wrong(r#"network_link "eth9" { mtu = 1400 }"#, "the network link eth9 does not exist")
        .wrong(r#"network_link "x0" { type = "vlan" }"#, "`parent` is required for the type vlan")
        .wrong(r#"network_link "x0" { type = "veth" }"#, "`peer` is required for the type veth")
        .wrong(r#"network_link "x0" { type = "tunnel" }"#, "bridge")
        .wrong(r#"network_link "much-too-long-a-name" { type = "bridge" }"#, "name")
        .wrong(r#"network_link "x0" { addresses = ["192.0.2.1/33"] }"#, "addresses[0]")
        .wrong(r#"network_link "x0" { mac = "02:00" }"#, "is not a MAC address")
        .wrong(r#"network_link "x0" { mtu = 10 }"#, "mtu")
        .removed_by(
            r#"
            network_link "port0" { action = "remove" }
            network_link "br0" { action = "remove" }
            "#,
            "! ip link show dev br0 && ! ip link show dev port1",
        )
        .run();
}

#[test]
fn immutable_properties_recreate_the_link() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("anew");
    host.ok("ip link add low0 type bridge; ip link add low1 type bridge");
    Story::of(&host, "links that stand on others")
        .configuration(
            r#"
            network_link "over" {
              type      = "macvlan"
              parent    = "low0"
              addresses = ["192.0.2.1/24"]
            }

            network_link "vx" {
              type = "vxlan"
              id   = 9
              up   = false
            }
            "#,
        )
        .drift("parent", "ip link delete over; ip link add link low1 name over type macvlan")
        .drift("id", "ip link delete vx; ip link add vx type vxlan id 8 dstport 4789")
        .drift("type", "ip link delete vx; ip link add vx type bridge")
        .drift("up", "ip link set vx up")
        // Undeclared settings are kept when the link is recreated.
        .change_to(
            r#"network_link "over" {
              type   = "macvlan"
              parent = "low1"
            }"#,
            "ip address show dev over | grep -q 192.0.2.1/24",
        )
        .removed_by(
            r#"
            network_link "over" { action = "remove" }
            network_link "vx" { action = "remove" }
            "#,
            "! ip link show dev over && ! ip link show dev vx",
        )
        .run();
}

#[test]
fn unmanaged_addresses_can_be_kept() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("append");
    host.ok("ip link add br0 type bridge; ip address add 198.51.100.1/24 dev br0");
    host.ok("ip address add fe80::7/64 dev br0; ip address add 203.0.113.2/24 dev br0 valid_lft 3600 preferred_lft 3600");
    let one = "network_link \"br0\" {\n  append    = true\n  addresses = [\"192.0.2.1/24\"]\n}";
    Story::of(&host, "one address of several")
        .configuration(one)
        .holds("ip address show dev br0 | grep -q 198.51.100.1/24")
        .drift("addresses", "ip address delete 192.0.2.1/24 dev br0")
        // Addresses with a lease stay, manually added ones are removed.
        .change_to(
            &one.replace("append    = true", ""),
            "ip address show dev br0 | grep -q 203.0.113.2/24 && ip address show dev br0 | grep -q fe80::7/64 &&
            ! ip address show dev br0 | grep -q 198.51.100.1/24",
        )
        .run();
    let ran = apply(&host, r#"network_link "lo" { action = "remove" }"#);
    assert!(ran.contains("cannot remove the network link lo"), "{ran}");
}

/// The error of an apply that must fail.
fn apply(host: &Host, text: &str) -> String {
    host.write(&format!("{}/a.hcl", Host::SITE), text);
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert_ne!(ran.status, 0, "{ran}");
    ran.to_string()
}
