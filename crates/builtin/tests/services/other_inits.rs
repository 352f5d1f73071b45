//! Services under runit and sysvinit, with fake tools.

use uphold_builtin::Service;
use uphold_model::Value;
use uphold_resource::Output;
use uphold_testkit::{Call, MemoryHost};

use super::stage::{resource, visit};

/// The content of a file of the machine.
fn text(call: &Call<'_>, path: &str) -> String {
    let bytes = uphold_resource::Files::read(call.host, path.as_ref(), 0).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A fake `sv`: the state of a service is in its status file.
fn sv(call: &Call<'_>) -> Output {
    let args: Vec<&str> = call.command.args.iter().map(String::as_str).collect();
    let [.., verb, directory] = args[..] else { return call.fail(1, "usage") };
    let status = format!("{directory}/supervise/status");
    let now = text(call, &status);
    match (verb, &*now) {
        ("status", "up") => call.succeed(format!("run: {directory}: (pid 7) 1s\n")),
        ("status", _) => call.succeed(format!("down: {directory}: 1s\n")),
        (_, "broken") => call.succeed("ok: run\n"),
        ("stop", _) => {
            call.host.tamper(&status, "down");
            call.succeed("ok: down\n")
        }
        _ => {
            call.host.tamper(&status, "up");
            call.succeed("ok: run\n")
        }
    }
}

/// `web` is defined and supervised, `idle` only defined, and `broken` never stays up.
fn with_runit(host: MemoryHost) -> MemoryHost {
    let mut host = host.fact("init", "runit").program("sv", sv).program("sleep", |call| call.succeed(""));
    for directory in ["/etc", "/etc/service", "/etc/sv"] {
        host = host.directory(directory, 0o755);
    }
    for (service, status) in [("web", "down"), ("idle", "down"), ("broken", "broken")] {
        let directory = format!("/etc/sv/{service}");
        host = host.directory(&directory, 0o755).directory(format!("{directory}/supervise"), 0o755);
        host = host.file(format!("{directory}/supervise/status"), status, 0o644);
    }
    host.link("/etc/service/web", "/etc/sv/web").link("/etc/service/broken", "/etc/sv/broken")
}

/// Disabling is not tested here: without its link the service is not supervised, so it stops, too, and no law about
/// unset properties can be kept. `machine_services` tests it for real.
mod runit {
    use super::{Service, with_runit};

    uphold_testkit::laws! {
        Service,
        world: with_runit,
        wishes: [
            { "web", running = true },
            { "web", running = true, enabled = true },
            { "web", running = false },
            { "idle", enabled = true, running = true },
        ],
        drift: [
            |host| host.tamper("/etc/sv/web/supervise/status", "down"),
            |host| host.delete("/etc/service/idle"),
        ],
    }
}

/// A fake `service`: a running service has a file in /run.
fn service(call: &Call<'_>) -> Output {
    let [name, verb] = &call.command.args[..] else { return call.fail(1, "usage") };
    let file = format!("/run/{name}");
    let is_up = text(call, &file) == "up";
    match (&**verb, is_up) {
        ("status", true) => call.succeed(""),
        ("status", false) => call.fail(3, ""),
        (verb, _) => {
            call.host.tamper(&file, if verb == "stop" { "down" } else { "up" });
            call.succeed("")
        }
    }
}

fn update_rc(call: &Call<'_>) -> Output {
    let [name, verb] = &call.command.args[..] else { return call.fail(1, "usage") };
    let link = format!("/etc/rc2.d/S01{name}");
    match &**verb {
        "enable" => call.host.tamper(link, ""),
        "disable" => call.host.delete(link),
        _ => {}
    }
    call.succeed("")
}

fn with_sysvinit(host: MemoryHost) -> MemoryHost {
    let mut host =
        host.fact("init", "sysvinit").program("service", service).program("update-rc.d", update_rc);
    for directory in ["/etc", "/etc/init.d", "/etc/rc2.d", "/run"] {
        host = host.directory(directory, 0o755);
    }
    host = host.program("sleep", |call| call.succeed("")).program("pgrep", |call| call.fail(1, ""));
    host.file("/etc/init.d/web", "#!/bin/sh\n", 0o755)
}

mod sysvinit {
    use super::{Service, with_sysvinit};

    uphold_testkit::laws! {
        Service,
        world: with_sysvinit,
        wishes: [
            { "web", running = true },
            { "web", running = true, enabled = true },
            { "web", running = false, enabled = false },
            { "web", running = true, status_command = "test -s /run/own", start_command = "echo x > /run/own" },
            { "absent", running = false },
        ],
        drift: [|host| host.delete("/etc/rc2.d/S01web")],
    }
}

#[test]
fn reports_failures() {
    let (runit, sysvinit) = (with_runit as fn(MemoryHost) -> MemoryHost, with_sysvinit as fn(_) -> _);
    let check =
        |world: fn(MemoryHost) -> MemoryHost, name: &str, property: &str, value: Value, expected: &str| {
            let host = world(MemoryHost::new());
            let error = visit(&*resource::<Service>(name, &[(property, value)]), &host.act()).unwrap_err();
            assert!(error.chain().contains(expected), "{name}.{property}: {}", error.chain());
        };
    let yes = || Value::Bool(true);
    check(runit, "idle", "running", yes(), "/etc/service/idle does not exist");
    check(runit, "absent", "enabled", yes(), "the service absent does not exist");
    check(runit, "broken", "running", yes(), "did not stay up");
    check(runit, "web", "masked", yes(), "only systemd can do that");
    check(sysvinit, "absent", "running", yes(), "the service absent does not exist");
    check(sysvinit, "absent", "enabled", yes(), "the service absent does not exist");
    check(sysvinit, "web", "masked", yes(), "only systemd can do that");
    check(|host| host.fact("init", "none"), "web", "running", yes(), "none is installed");
    check(
        |host| {
            with_sysvinit(host)
                .fact("init", "none")
                .directory("/usr", 0o755)
                .directory("/usr/sbin", 0o755)
                .file("/usr/sbin/update-rc.d", "", 0o755)
        },
        "web",
        "running",
        yes(),
        "no init system is running here",
    );
    check(|host| host.fact("init", "openrc"), "web", "running", yes(), "is not supported");
    check(|host| host.fact("init", "runit"), "web", "running", yes(), "none of /etc/service");
}

/// A chroot or an image build: the installed init system counts.
#[test]
fn the_installed_init_system_enables_services_if_none_is_running() {
    let host = with_sysvinit(MemoryHost::new()).fact("init", "none");
    let host = host.directory("/usr", 0o755).directory("/usr/sbin", 0o755);
    let host = host.file("/usr/sbin/update-rc.d", "", 0o755);
    assert!(visit(&*resource::<Service>("web", &[("enabled", Value::Bool(true))]), &host.act()).unwrap());
    assert!(host.act().files().look("/etc/rc2.d/S01web".as_ref()).unwrap().is_some());
}
