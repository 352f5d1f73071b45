//! Facts of a machine in memory.

use uphold_resource::{FACTS, Facts, Result, Value, unknown_fact};

use super::MemoryHost;
use super::state::State;

/// The default facts. The facts about the user follow the accounts instead.
const USUAL: &[(&str, Fixed)] = &[
    ("hostname", Fixed::Text("memory")),
    ("fqdn", Fixed::Text("memory.example.org")),
    ("domain", Fixed::Text("example.org")),
    ("machine_id", Fixed::Text("0123456789abcdef0123456789abcdef")),
    ("timezone", Fixed::Text("UTC")),
    // An hour before the clock starts.
    ("boot_time", Fixed::Text("2023-11-14T21:13:20Z")),
    ("uptime", Fixed::Int(3600)),
    ("time.date", Fixed::Text("2023-11-14")),
    ("time.hour", Fixed::Int(22)),
    ("time.minute", Fixed::Int(13)),
    ("time.weekday", Fixed::Text("tuesday")),
    ("architecture", Fixed::Text("x86_64")),
    ("os.family", Fixed::Text("debian")),
    ("os.id", Fixed::Text("debian")),
    ("os.name", Fixed::Text("Debian GNU/Linux")),
    ("os.version", Fixed::Text("12")),
    ("os.codename", Fixed::Text("bookworm")),
    ("os.pretty_name", Fixed::Text("Debian GNU/Linux 12 (bookworm)")),
    ("kernel.name", Fixed::Text("Linux")),
    ("kernel.release", Fixed::Text("6.1.0-18-amd64")),
    ("kernel.version", Fixed::Text("#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1")),
    ("cpu.count", Fixed::Int(2)),
    ("cpu.model", Fixed::Text("Memory CPU")),
    ("memory.total", Fixed::Int(4 << 30)),
    ("memory.swap", Fixed::Int(0)),
    ("memory.available", Fixed::Int(3 << 30)),
    ("product.vendor", Fixed::Text("Uphold")),
    ("product.name", Fixed::Text("Machine in memory")),
    ("load.one", Fixed::Float(0.5)),
    ("load.five", Fixed::Float(0.25)),
    ("load.fifteen", Fixed::Float(0.125)),
    ("init", Fixed::Text("systemd")),
    ("package_manager", Fixed::Text("apt")),
    ("virtualization", Fixed::Text("none")),
    ("network.ipv4", Fixed::Text("192.0.2.2")),
    ("network.ipv6", Fixed::Text("2001:db8::2")),
    ("network.gateway", Fixed::Text("192.0.2.1")),
    ("network.default_interface", Fixed::Text("eth0")),
];

/// A value that can be a constant.
enum Fixed {
    Text(&'static str),
    Int(i64),
    Float(f64),
}

impl MemoryHost {
    /// Sets a fact. Panics if it does not exist.
    #[must_use]
    pub fn fact(self, name: &str, value: impl Into<Value>) -> Self {
        assert!(is_fact(name), "{}", unknown_fact(name));
        self.lock().facts.insert(name.to_owned(), value.into());
        self
    }
}

impl Facts for MemoryHost {
    fn fact(&self, name: &str) -> Result<Value> {
        let state = self.lock();
        let value = state.facts.get(name).cloned().or_else(|| usual(&state, name));
        value.ok_or_else(|| unknown_fact(name))
    }
}

fn is_fact(name: &str) -> bool {
    FACTS.iter().any(|fact| fact.name == name)
}

fn usual(state: &State, name: &str) -> Option<Value> {
    let user = state.world.users.values().find(|user| user.uid == state.uid);
    let fixed = || USUAL.iter().find(|(fact, _)| *fact == name).map(|(_, fixed)| fixed.value());
    match name {
        "user.uid" => Some(Value::Int(state.uid.into())),
        "user.name" => Some(user.map_or(Value::Null, |user| Value::text(&*user.name))),
        "user.home" => Some(user.map_or(Value::Null, |user| Value::from(user.home.display().to_string()))),
        "is_root" => Some(Value::Bool(state.uid == 0)),
        "users" => Some(users(state)),
        "groups" => Some(groups(state)),
        "disks" => Some(disks()),
        "mounts" => Some(mounts()),
        "environment" => Some(Value::map::<&str>([])),
        "is_running" => Some(Value::Bool(true)),
        "network.interfaces" => Some(interfaces()),
        _ => fixed(),
    }
}

fn users(state: &State) -> Value {
    Value::map(state.world.users.values().map(|user| {
        let about = Value::map([
            ("uid", Value::Int(user.uid.into())),
            ("gid", Value::Int(user.gid.into())),
            ("home", Value::from(user.home.display().to_string())),
            ("shell", Value::from(user.shell.display().to_string())),
        ]);
        (user.name.clone(), about)
    }))
}

fn groups(state: &State) -> Value {
    Value::map(state.world.groups.values().map(|group| {
        let members = Value::list(group.members.iter().map(|name| Value::text(&**name)));
        (group.name.clone(), Value::map([("gid", Value::Int(group.gid.into())), ("members", members)]))
    }))
}

fn disks() -> Value {
    let disk = Value::map([
        ("size", Value::Int(16 << 30)),
        ("model", Value::text("Memory disk")),
        ("rotational", Value::Bool(false)),
        ("removable", Value::Bool(false)),
        ("read_only", Value::Bool(false)),
    ]);
    Value::map([("vda", disk)])
}

fn mounts() -> Value {
    let root = Value::map([
        ("device", Value::text("/dev/vda1")),
        ("type", Value::text("ext4")),
        ("options", Value::list(["rw", "relatime"].map(Value::from))),
    ]);
    Value::map([("/", root)])
}

fn interfaces() -> Value {
    let interface = |mac: Value, mtu, addresses: [&str; 2]| {
        let addresses = Value::list(addresses.map(Value::from));
        Value::map([
            ("mac", mac),
            ("mtu", Value::Int(mtu)),
            ("up", Value::Bool(true)),
            ("addresses", addresses),
        ])
    };
    Value::map([
        ("eth0", interface(Value::text("02:00:00:00:00:01"), 1500, ["192.0.2.2/24", "2001:db8::2/64"])),
        ("lo", interface(Value::Null, 65_536, ["127.0.0.1/8", "::1/128"])),
    ])
}

impl Fixed {
    fn value(&self) -> Value {
        match self {
            Fixed::Text(text) => Value::text(*text),
            Fixed::Int(number) => Value::Int(*number),
            Fixed::Float(number) => Value::Float(*number),
        }
    }
}
