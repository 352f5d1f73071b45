//! The laws of links and routes.

use uphold_builtin::{NetworkLink, Route};
use uphold_resource::{Desired, ErrorKind, Look, Resource, Value};
use uphold_testkit::MemoryHost;

use super::ip::world;

mod network_link {
    use super::{NetworkLink, Value, world};

    uphold_testkit::laws! {
        NetworkLink,
        world: world,
        wishes: [
            { "br0", type = "bridge" },
            { "br0", type = "bridge", mtu = Value::Int(1400), addresses = addresses(&["10.0.0.1/8"]) },
            { "br0", type = "bridge", addresses = addresses(&["10.0.0.1/8", "10.0.0.2/8"]), up = false },
            { "br0", type = "dummy", mac = "02:00:00:00:00:09", master = "br1" },
            { "br0", type = "bridge", master = Value::Null },
            { "v0", type = "vlan", parent = "eth0", id = Value::Int(7) },
            { "v0", type = "vlan", parent = "eth1", id = Value::Int(8), mtu = Value::Int(1300) },
            { "p0", type = "veth", peer = "p1" },
        ],
    }

    fn addresses(texts: &[&str]) -> Value {
        Value::list(texts.iter().map(|text| Value::text(*text)))
    }
}

mod route {
    use super::{Route, Value, world};

    uphold_testkit::laws! {
        Route,
        world: world,
        wishes: [
            { "default", gateway = "192.0.2.1" },
            { "default", gateway = "192.0.2.2", source = "192.0.2.7" },
            { "default", gateway = "192.0.2.2", device = "eth0" },
            { "10.0.0.0/8", type = "blackhole" },
            { "10.0.0.0/8", type = "prohibit", source = Value::Null },
            { "198.51.100.0/24", device = "eth0", metric = Value::Int(5), table = "100" },
            { "2001:db8::/32", device = "eth0" },
        ],
    }
}

/// Below another root, the running kernel must not be used.
#[test]
fn refuses_to_run_below_another_root() {
    let host = MemoryHost::new().fact("is_running", false);
    let check = |result: uphold_resource::Result<()>| {
        let error = result.expect_err("it must be refused");
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{}", error.chain());
    };
    let (link, route) = (NetworkLink::named("eth0").expect("fine"), Route::named("::/0").expect("fine"));
    check(link.prepare(&Look::to(Desired::Present, &host.act())).map(drop));
    check(route.prepare(&Look::to(Desired::Present, &host.act())).map(drop));
    assert!(
        link.load(&Look::to_read(&host.act())).expect("fine").state().is_none()
            && route.load(&Look::to_read(&host.act())).expect("fine").state().is_none()
    );
}

#[test]
fn a_hardware_link_cannot_be_removed() {
    let host = world(MemoryHost::new());
    let link = NetworkLink::named("eth0").expect("fine");
    let current = link.load(&Look::to_read(&host.act())).expect("fine").state().expect("it exists");
    let error =
        link.apply(uphold_resource::Step::Remove { current: &current }, &host.act()).expect_err("it stays");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(
        error.chain().contains("cannot remove the network link eth0: it is hardware"),
        "{}",
        error.chain()
    );
}

#[test]
fn missing_ip_has_a_hint() {
    let link = NetworkLink::named("eth0").expect("fine");
    let error = link.load(&Look::to_read(&MemoryHost::new().act())).map(drop).expect_err("ip is missing");
    assert_eq!((error.kind(), error.advice()), (ErrorKind::Missing, Some("install the package iproute2")));
}
