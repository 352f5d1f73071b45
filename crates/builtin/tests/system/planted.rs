//! Links that another user could have planted do not determine what is formatted.

use uphold_builtin::{Filesystem, Swap};
use uphold_model::Action;
use uphold_resource::{Context, Desired, ErrorKind, Fields, Instance, Look, Registry, Result, Value};
use uphold_testkit::MemoryHost;

use super::disk_tools::world;

fn decode(kind: &str, label: &str, values: &[(&str, Value)]) -> Box<dyn Instance> {
    let mut registry = Registry::default();
    registry.add::<Swap>().expect("the kind is right");
    registry.add::<Filesystem>().expect("the kind is right");
    let values = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let kind = registry.get(kind).expect("it was added");
    let (instance, findings) = kind.decode(Fields::new(label, values, &Action::Converge, Context::NOTHING));
    instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
}

fn visit(declared: Box<dyn Instance>, host: &MemoryHost) -> Result<()> {
    let instance = declared.prepare(&Look::to(Desired::Present, &host.act()))?.unwrap_or(declared);
    let seen = instance.observe(Desired::Present, &host.act())?;
    instance.apply(&seen, &host.act())
}

/// A machine with a directory of this owner and mode, which contains a link to a disk.
fn planted(uid: u32, mode: u32) -> MemoryHost {
    let host = world(MemoryHost::new()).file("/dev/sdb1", "TYPE=ext4\n", 0o600);
    host.directory("/data", mode).link("/data/swap", "/dev/sdb1").owned("/data", uid, uid)
}

#[test]
fn creates_swap_only_where_no_other_user_can_plant_a_link() {
    let swap =
        |label: &str| decode("swap", label, &[("size", Value::text("40K")), ("force", Value::Bool(true))]);
    for (uid, mode) in [(1000, 0o755), (0, 0o777), (0, 0o1777)] {
        // Neither through the link, nor at a missing name, nor below a directory that can be replaced.
        for label in ["/data/swap", "/data/free", "/data/sub/free"] {
            let host = planted(uid, mode);
            let error = visit(swap(label), &host).expect_err("it is refused");
            assert_eq!(error.kind(), ErrorKind::UnsafeLink, "{label} {uid} {mode:o}: {}", error.chain());
            assert!(!error.advice().expect("a hint").contains("/data"));
            let disk = host.act().files().read("/dev/sdb1".as_ref(), 0).expect("it exists");
            assert_eq!(disk, b"TYPE=ext4\n", "{label} {uid} {mode:o}");
        }
    }
    visit(swap("/srv/swap"), &planted(1000, 0o755)).expect("only root can write there");
}

#[test]
fn creates_a_file_system_only_where_no_other_user_can_plant_a_link() {
    for (uid, mode) in [(1000, 0o755), (0, 0o777), (0, 0o1777)] {
        let values = [("fstype", Value::text("ext4")), ("force", Value::Bool(true))];
        let error = visit(decode("filesystem", "/data/swap", &values), &planted(uid, mode));
        assert_eq!(error.expect_err("it is refused").kind(), ErrorKind::UnsafeLink, "{uid} {mode:o}");
    }
}
