//! The laws of the service kinds, on the systemd of a machine in memory.

use uphold_builtin::{Service, SystemdTimer, SystemdUnit};

use uphold_model::Value;
use uphold_resource::{UnitFileState, UnitPhase};
use uphold_testkit::{MemoryHost, MemoryUnit};

/// A machine with a directory for unit files.
fn with_units(host: MemoryHost) -> MemoryHost {
    let host = host.directory("/etc", 0o755).directory("/etc/systemd", 0o755);
    host.directory("/etc/systemd/system", 0o755).with_unit("web.service").with_unit("db.service")
}

fn change(host: &MemoryHost, unit: &str, change: impl Fn(&mut MemoryUnit)) {
    let mut known = host.unit_now(unit).unwrap_or_default();
    change(&mut known);
    host.put_unit(unit, known);
}

mod service {
    use super::{Service, UnitFileState, UnitPhase, change, with_units};

    uphold_testkit::laws! {
        Service,
        world: with_units,
        wishes: [
            { "web", running = true, enabled = true },
            { "web", running = true },
            { "web", enabled = true },
            { "web", running = false },
            { "web", enabled = false },
            // A masked service counts as not enabled, so this is declared together.
            { "db.service", running = true, enabled = false, masked = false },
            { "db.service", running = false, enabled = false, masked = true },
            { "absent", running = false, enabled = false },
        ],
        drift: [
            |host| change(host, "web.service", |unit| unit.phase = UnitPhase::Failed),
            |host| change(host, "web.service", |unit| unit.file_state = UnitFileState::Disabled),
            |host| change(host, "db.service", |unit| unit.file_state = UnitFileState::Masked),
        ],
    }
}

mod systemd_unit {
    use super::{SystemdUnit, Value, with_units};

    fn sections() -> Value {
        Value::map([("Service", Value::map([("ExecStart", Value::text("/bin/true"))]))])
    }

    uphold_testkit::laws! {
        SystemdUnit,
        world: with_units,
        wishes: [
            { "web.service", content = "[Service]\nExecStart=/bin/a\n" },
            { "web.service", content = "[Service]\nExecStart=/bin/b\n", mode = "0600" },
            { "web.service", content = sections(), mode = "0640" },
            { "new.socket", content = "[Socket]\nListenStream=80\n" },
            { "limits", name = "web.service", drop_in = "limits", content = "[Service]\nNice=5\n" },
        ],
        drift: [
            |host| host.tamper("/etc/systemd/system/web.service", "[Service]\n"),
            |host| host.delete("/etc/systemd/system/web.service.d"),
        ],
    }
}

mod systemd_timer {
    use super::{SystemdTimer, UnitFileState, UnitPhase, Value, change, with_units};

    fn env() -> Value {
        Value::map([("A", Value::text("b c"))])
    }

    uphold_testkit::laws! {
        SystemdTimer,
        world: |host| with_units(host).user("ann", 1000).directory("/srv", 0o755),
        wishes: [
            { "backup", on_calendar = "daily", command = "/bin/true" },
            {
                "backup", on_calendar = "weekly", persistent = true, description = "back up",
                command = "/bin/false", user = "ann", dir = "/srv", env = env(), accuracy = "1s", random_delay = "1h",
            },
            {
                "backup", on_boot = "1min", on_startup = "2min", on_active = "3min", on_unit_active = "4min",
                on_unit_inactive = "5min", unit = "web.service", enabled = false, running = false,
            },
            { "other.timer", on_boot = "1min", command = "/bin/true" },
        ],
        drift: [
            |host| host.tamper("/etc/systemd/system/backup.timer", "[Timer]\n"),
            |host| host.tamper("/etc/systemd/system/backup.service", "[Service]\n"),
            |host| change(host, "backup.timer", |unit| unit.phase = UnitPhase::Inactive),
            |host| change(host, "backup.timer", |unit| unit.file_state = UnitFileState::Disabled),
        ],
    }
}
