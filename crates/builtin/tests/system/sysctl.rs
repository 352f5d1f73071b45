//! Kernel settings of which only the runtime or the file is declared, which the laws do not cover.

use uphold_builtin::Sysctl;
use uphold_model::Action;
use uphold_resource::{Act, Context, Desired, Fields, Instance, Look, Registry, Value};
use uphold_testkit::MemoryHost;

use super::system_tools::world;

fn decode(values: &[(&str, Value)], action: &Action) -> Box<dyn Instance> {
    let mut registry = Registry::default();
    registry.add::<Sysctl>().expect("the kind is right");
    let values = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let kind = registry.get("sysctl").expect("it was added");
    let (instance, findings) = kind.decode(Fields::new("net.forward", values, action, Context::NOTHING));
    instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
}

/// Returns whether anything differed; nothing may differ afterwards.
fn visit(values: &[(&str, Value)], desired: Desired, host: &Act<'_>) -> bool {
    let action = if desired == Desired::Present { Action::Converge } else { Action::Remove };
    let declared = decode(values, &action);
    let completed = match desired {
        Desired::Present => declared.prepare(&Look::to(desired, host)).expect("it can be prepared"),
        Desired::Absent => None,
    };
    let instance = completed.unwrap_or(declared);
    let seen = instance.observe(desired, host).expect("it loads");
    if !seen.converged {
        instance.apply(&seen, host).expect("it can be applied");
    }
    let after = instance.observe(desired, host).expect("it loads");
    assert!(after.converged, "{desired:?} {values:?}: {:?}", after.differences);
    !seen.converged
}

#[test]
fn converges_and_removes_each_half() {
    let check = |values: &[(&str, Value)], changes: bool, live: &str| {
        let host = world(MemoryHost::new());
        assert_eq!(visit(values, Desired::Present, &host.act()), changes, "{values:?}");
        assert!(!visit(values, Desired::Present, &host.act()), "{values:?}");
        let has_line = values.iter().any(|(name, value)| *name != "runtime" && *value != Value::Null);
        assert_eq!(visit(values, Desired::Absent, &host.act()), has_line, "{values:?}");
        let found = host.act().files().read("/proc/sys/net/forward".as_ref(), 0).expect("it exists");
        assert_eq!(String::from_utf8_lossy(&found), live, "{values:?}");
    };
    check(&[("runtime", Value::Int(3))], true, "3\n");
    check(&[("runtime", Value::Int(0))], false, "0\n");
    check(&[("persistent", Value::Int(3))], true, "0\n");
    check(&[("persistent", Value::Null)], false, "0\n");
    check(&[("runtime", Value::Int(3)), ("persistent", Value::Null)], true, "3\n");
    check(&[("runtime", Value::Int(3)), ("persistent", Value::Int(4))], true, "3\n");
    check(&[("value", Value::Int(3))], true, "3\n");
}

#[test]
fn reads_the_kernel_without_a_line_in_the_file() {
    let host = world(MemoryHost::new());
    let mut registry = Registry::default();
    registry.add::<Sysctl>().expect("the kind is right");
    let kind = registry.get("sysctl").expect("it was added");
    let (instance, _) = kind.decode(Fields::for_reading("net.forward", Vec::new(), Context::NOTHING));
    let instance = instance.expect("a name is enough");
    let seen = instance.look(&Look::to_read(&host.act())).expect("it loads");
    assert!(seen.exists);
    assert_eq!(instance.value("runtime", Some(&seen)), Some(Value::text("0")));
    assert_eq!(instance.value("persistent", Some(&seen)), Some(Value::Null));
}

#[test]
fn reports_that_proc_sys_is_not_mounted() {
    let instance = decode(&[("value", Value::Int(3))], &Action::Converge);
    let prepared = instance.prepare(&Look::to(Desired::Present, &MemoryHost::new().act()));
    let error = prepared.map(drop).expect_err("nothing is mounted").chain();
    assert!(error.contains("/proc/sys is not mounted"), "{error}");
}
