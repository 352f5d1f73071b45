//! Routes of both protocols: replaced atomically, watched through `ip monitor`.

use uphold_testbed::{Bed, Story};

#[test]
fn routes_are_managed() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("routes");
    host.ok("for n in 0 1; do ip link add br$n type bridge; ip link set br$n up; done");
    host.ok("ip address add 192.0.2.1/24 dev br0; ip address add 192.0.2.2/24 dev br0");
    host.ok("ip address add 198.51.100.1/24 dev br1; ip address add 2001:db8::1/64 dev br0 nodad");
    host.ok("ip route add default via 192.0.2.99 metric 77");
    Story::of(&host, "routes of all sorts")
        .configuration(
            r#"
            route "default" { gateway = "192.0.2.254" }

            route "203.0.113.0/24" {
              gateway = "192.0.2.9"
              device  = "br0"
              source  = "192.0.2.2"
              metric  = 50
              table   = "100"
            }

            route "203.0.113.128/25" { device = "br1" }
            route "10.0.0.0/8" { type = "blackhole" }

            route "six" {
              destination = "default"
              gateway     = "2001:db8::fe"
            }

            route "2001:db8:5::/48" { type = "unreachable" }
            "#,
        )
        .holds("ip route show | grep -q 'default via 192.0.2.99 dev br0 metric 77'")
        .drift("gateway", "ip route replace default via 192.0.2.253")
        .drift("gateway", "ip -6 route replace default via 2001:db8::fd")
        .drift("device", "ip route replace 203.0.113.128/25 dev br0")
        .drift("source", "ip route replace 203.0.113.0/24 via 192.0.2.9 metric 50 table 100")
        .drift("type", "ip route replace unreachable 10.0.0.0/8")
        .drift("type", "ip route replace 10.0.0.0/8 dev br1")
        .missing("ip route delete 203.0.113.0/24 table 100")
        .missing("ip -6 route delete default")
        .missing("ip -6 route delete unreachable 2001:db8:5::/48")
        .missing("ip link set br1 down; ip link set br1 up")
        .watch()
        .change_to(
            r#"
            route "default" { gateway = "198.51.100.254" }
            route "10.0.0.0/8" {
              type    = "unicast"
              gateway = "192.0.2.9"
            }
            "#,
            "ip route show exact default | grep -q 'via 198.51.100.254 dev br1'",
        )
        .wrong(r#"route "192.0.2.1/24" { device = "br0" }"#, "192.0.2.0/24")
        .wrong(r#"route "nowhere" { device = "br0" }"#, "is not a network")
        .wrong(r#"route "192.0.3.0/24" {}"#, "has no gateway and no device")
        .wrong(r#"route "192.0.3.0/24" { gateway = "192.0.2.1/24" }"#, "is not an IP address")
        .wrong(
            r#"route "192.0.3.0/24" {
              type    = "blackhole"
              gateway = "192.0.2.9"
            }"#,
            "drops packets, but has a gateway",
        )
        .removed_by(
            r#"
            route "default" { action = "remove" }
            route "::/0" { action = "remove" }
            route "10.0.0.0/8" { action = "remove" }
            route "203.0.113.0/24" {
              metric = 50
              table  = "100"
              action = "remove"
            }
            route "2001:db8:5::/48" { action = "remove" }
            route "203.0.113.128/25" { action = "remove" }
            "#,
            "test \"$(ip route show table all | grep -c -e 203.0.113 -e '^default' -e 10.0.0.0)\" = 1 && \
             ! ip -6 route show table main | grep -q -e default -e 2001:db8:5",
        )
        .run();
}

/// Implicit dependencies: a route depends on its device and on the network of its gateway, one end of a pair on the
/// other.
#[test]
fn the_order_is_implicit() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("order");
    Story::of(&host, "a network, written from its end")
        .configuration(
            r#"
            route "default" { gateway = "192.0.2.254" }
            route "203.0.113.0/24" { device = "end1" }
            network_link "end1" { up = true }
            network_link "end0" {
              type      = "veth"
              peer      = "end1"
              master    = "br0"
            }
            network_link "br0" {
              type      = "bridge"
              addresses = ["192.0.2.1/24"]
            }
            "#,
        )
        .missing("ip link delete br0")
        .watch()
        .run();
}
