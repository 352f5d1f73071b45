//! Dependencies of the system kinds.

use uphold_builtin::{Filesystem, Mount, Timezone};
use uphold_resource::{Claim, Claims, Properties, Resource, Want};

fn claims<R: Resource>(resource: &R) -> Claims {
    let mut claims = Claims::default();
    Properties::claims(resource, &mut claims);
    claims
}

fn path(path: &str) -> Claim {
    Claim::Path(path.into())
}

#[test]
fn a_mount_depends_on_its_device_and_file_system() {
    let named = Mount::named("/srv/data").expect("a mount");
    let found = claims(&Mount { device: Want::of("/dev/sdb1"), ..named });
    let fs = Claim::Other("file system on", "/dev/sdb1".into());
    assert_eq!(found.needs, [path("/srv/data"), path("/srv"), fs.clone(), path("/dev/sdb1")]);
    assert_eq!(found.provides, [path("/srv/data")]);
    assert_eq!(found.holds, [Claim::Other("mount point", "/srv/data".into())]);
    assert_eq!(found.edits, [path("/etc/fstab")]);
    let found = claims(&Filesystem::named("/dev/sdb1").expect("a file system"));
    assert_eq!(found.holds, [fs]);
    assert_eq!(found.needs, [path("/dev/sdb1")]);
}

#[test]
fn a_virtual_file_system_needs_no_device() {
    let named = Mount::named("/srv/data").expect("a mount");
    let found = claims(&Mount { device: Want::of("tmpfs"), ..named });
    assert_eq!(found.needs, [path("/srv/data"), path("/srv")]);
}

#[test]
fn only_one_time_zone_can_be_declared() {
    let found = claims(&Timezone::named("UTC").expect("a zone"));
    assert!(found.holds.contains(&Claim::Other("the", "time zone".into())));
}
