//! Behaviour of the service kinds beyond the laws.

use uphold_builtin::{Service, SystemdTimer, SystemdUnit};
use uphold_model::Value;
use uphold_resource::{ErrorKind, Files, Interest, UnitFileState, UnitPhase};
use uphold_testkit::{MemoryHost, MemoryUnit};

use super::stage::{claims, notified, resource, run, visit};

const YES: Value = Value::Bool(true);
const NO: Value = Value::Bool(false);

fn host() -> MemoryHost {
    let host = MemoryHost::new().directory("/etc", 0o755).directory("/etc/systemd", 0o755);
    host.directory("/etc/systemd/system", 0o755).with_unit("web.service")
}

fn service(values: &[(&str, Value)]) -> Box<dyn uphold_resource::Instance> {
    resource::<Service>("web", values)
}

fn phase(host: &MemoryHost) -> UnitPhase {
    host.unit_now("web.service").map_or(UnitPhase::Inactive, |unit| unit.phase)
}

#[test]
fn why_12_a_service_without_a_unit_is_not_running() {
    let host = MemoryHost::new();
    assert!(!visit(&*service(&[("running", NO), ("enabled", NO)]), &host.act()).unwrap());
    // A plan treats it as not running, and cannot predict a start.
    let web = service(&[("running", YES)]);
    let overlay = host.act().overlay();
    let error = visit(&*web, &overlay.act()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unpredictable, "{}", error.chain());
    assert_eq!(visit(&*web, &host.act()).unwrap_err().kind(), ErrorKind::Missing);
}

#[test]
fn reports_how_a_service_died() {
    let host = host();
    host.put_unit("web.service", MemoryUnit { dies: Some(3), ..MemoryUnit::default() });
    let error = visit(&*service(&[("running", YES)]), &host.act()).unwrap_err();
    assert!(error.chain().contains("ended with status 3"), "{}", error.chain());
}

#[test]
fn reports_a_unit_that_cannot_be_enabled() {
    let host = host();
    let unit = MemoryUnit { file_state: UnitFileState::Fixed("static"), ..MemoryUnit::default() };
    host.put_unit("web.service", unit);
    let error = visit(&*service(&[("enabled", YES)]), &host.act()).unwrap_err();
    assert!(error.chain().contains("its unit is static"), "{}", error.chain());
    assert!(error.advice().is_some_and(|advice| advice.contains("[Install]")));
    assert!(!visit(&*service(&[("enabled", NO)]), &host.act()).unwrap(), "it is not enabled");
}

#[test]
fn runs_verbs() {
    let check = |before: UnitPhase, verb: &str, writes: usize, after: UnitPhase| {
        let host = host();
        host.put_unit("web.service", MemoryUnit { phase: before, ..MemoryUnit::default() });
        host.forget();
        let predicted = notified::<Service>("web", verb).predict_verb(verb, &host.act()).unwrap();
        let is_idle = predicted.is_some_and(|effects| effects.differences.is_empty());
        assert_eq!(is_idle, writes == 0, "{verb} of {before:?} is unchanged if it has nothing to do");
        run::<Service>("web", &[], verb, &host.act()).unwrap();
        assert_eq!((host.writes().len(), phase(&host)), (writes, after), "{verb} of {before:?}");
    };
    let (up, down) = (UnitPhase::Active, UnitPhase::Inactive);
    check(down, "start", 1, up);
    check(up, "start", 0, up);
    check(up, "stop", 1, down);
    check(down, "stop", 0, down);
    check(up, "restart", 1, up);
    check(down, "restart", 1, up);
    check(up, "reload", 1, up);
    check(down, "reload", 0, down);
    check(up, "reload_or_restart", 1, up);
    check(down, "reload_or_restart", 0, down);
}

#[test]
fn reloads_a_changed_unit_before_a_start() {
    let host = host();
    host.put_unit("web.service", MemoryUnit { is_stale: true, ..MemoryUnit::default() });
    assert!(visit(&*service(&[("running", YES)]), &host.act()).unwrap());
    assert!(host.unit_now("web.service").is_some_and(|unit| !unit.is_stale));
}

#[test]
fn unmasks_a_service_before_a_start() {
    let host = host();
    let masked = MemoryUnit { file_state: UnitFileState::Masked, ..MemoryUnit::default() };
    host.put_unit("web.service", masked);
    assert!(visit(&*service(&[("running", YES)]), &host.act()).is_err());
    assert!(visit(&*service(&[("running", YES), ("enabled", YES), ("masked", NO)]), &host.act()).unwrap());
}

#[test]
fn dependencies_of_services_and_units() {
    let (needs, provides) = claims(&*service(&[("running", YES)]));
    let expected =
        ["package web", "path /etc/systemd/system/web.service", "unit file web.service"].map(str::to_owned);
    assert_eq!((needs, provides), (expected.to_vec(), vec!["unit web.service".to_owned()]));
    let text = Value::text("[Service]\nExecStart=/bin/true\n");
    let drop_in = [("name", "web.service".into()), ("drop_in", "limits.conf".into()), ("content", text)];
    let (_, provides) = claims(&*resource::<SystemdUnit>("x", &drop_in));
    let expected = ["path /etc/systemd/system/web.service.d/limits.conf", "unit file web.service"];
    assert_eq!(provides, expected);
}

#[test]
fn watches_its_unit() {
    let host = host();
    let instance = service(&[("running", YES)]);
    assert_eq!(instance.interests(&host.act()), [Interest::Unit("web.service".into())]);
}

#[test]
fn removing_a_timer_keeps_unmanaged_files() {
    let host = host();
    host.tamper("/etc/systemd/system/web.service", "[Service]\nExecStart=/bin/true\n");
    let timer = resource::<SystemdTimer>("web", &[("on_calendar", "daily".into())]);
    assert!(visit(&*timer, &host.act()).unwrap());
    let seen = timer.observe(uphold_resource::Desired::Absent, &host.act()).unwrap();
    timer.apply(&seen, &host.act()).unwrap();
    let left = host.snapshot();
    assert!(left.describe("/etc/systemd/system/web.timer".as_ref()).is_none());
    assert!(left.describe("/etc/systemd/system/web.service".as_ref()).is_some());
}

/// Earlier versions wrote another header.
#[test]
fn recognises_timer_files_of_earlier_versions() {
    const FILES: [&str; 2] = ["/etc/systemd/system/job.timer", "/etc/systemd/system/job.service"];
    let old = "# Written by Uphold for a systemd_timer. What is changed here is changed back.\n";
    let host = host();
    let values = [("on_calendar", "daily".into()), ("command", "/bin/true".into())];
    let timer = resource::<SystemdTimer>("job", &values);
    assert!(visit(&*timer, &host.act()).unwrap());
    for file in FILES {
        let text = String::from_utf8(host.read(file.as_ref(), 0).unwrap()).unwrap();
        let (_, rest) = text.split_once('\n').unwrap();
        host.tamper(file, format!("{old}{rest}"));
    }
    assert!(!visit(&*timer, &host.act()).unwrap(), "the header is not a difference");
    let seen = timer.observe(uphold_resource::Desired::Absent, &host.act()).unwrap();
    timer.apply(&seen, &host.act()).unwrap();
    let left = host.snapshot();
    assert!(FILES.iter().all(|file| left.describe(file.as_ref()).is_none()));
}
