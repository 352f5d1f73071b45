//! The laws of mounts, swap and file systems.

use uphold_builtin::{Filesystem, Mount, Swap};
use uphold_resource::Value;

use super::disk_tools::world;

mod mount {
    use super::*;

    uphold_testkit::laws! {
        Mount,
        world: |host| world(host).file("/dev/sdb1", "TYPE=ext4\n", 0o600).file("/dev/sdc1", "TYPE=ext4\n", 0o600),
        wishes: [
            { "/srv/data", device = "/dev/sdb1", fstype = "ext4", options = "noatime,nodev", dump = 1, pass = 2 },
            { "/srv/data", device = "/dev/sdc1", fstype = "xfs", options = Value::list(["ro".into()]), pass = 1 },
            { "/srv/data", device = "/dev/sdb1", mounted = false },
            { "/srv/other", device = "/dev/sdb1", in_fstab = false, options = "ro" },
            { "/srv/a b", device = "tmpfs", fstype = "tmpfs", options = "size=64m" },
            { "/", device = "/dev/sda1", options = "errors=remount-ro,noatime" },
        ],
        drift: [
            |host| host.tamper("/etc/fstab", ""),
            |host| {
                host.tamper("/proc/self/mountinfo", "");
                // An unmount is noticed at the mount point.
                host.delete("/srv/data");
            },
        ],
        side_effects: ["/proc", "/srv", "/sys"],
    }
}

mod swap {
    use super::*;

    uphold_testkit::laws! {
        Swap,
        world: |host| world(host).file("/srv/empty", "", 0o600),
        wishes: [
            { "/srv/swap", size = "40K", priority = 5, label = "spare" },
            { "/srv/swap", size = "80K", priority = -1 },
            { "/srv/swap", size = "40K", active = false },
            { "/srv/swap", size = "40K", in_fstab = false, label = "other" },
            { "/srv/empty", size = "40K" },
        ],
        drift: [
            |host| host.tamper("/etc/fstab", ""),
            |host| host.delete("/srv/swap"),
        ],
        side_effects: ["/proc", "/srv/.swap.uphold-new", "/srv/.empty.uphold-new"],
    }
}

mod filesystem {
    use super::*;

    uphold_testkit::laws! {
        Filesystem,
        world: |host| {
            let host = world(host).file("/dev/sdb1", "", 0o600);
            host.file("/dev/sdc1", "TYPE=xfs\nLABEL=old\nUUID=1\n", 0o600)
        },
        wishes: [
            { "/dev/sdb1", fstype = "ext4", label = "data", force = true },
            { "/dev/sdb1", fstype = "ext4", uuid = "8f3e2b1c-6d0a-4f57-9a3e-2c1d5b7f9e04", force = true },
            { "/dev/sdb1", fstype = "xfs", label = "other", force = true },
            { "/dev/sdc1", fstype = "ext4", label = "data", force = true },
        ],
        drift: [|host| host.tamper("/dev/sdb1", "TYPE=xfs\n")],
    }
}
