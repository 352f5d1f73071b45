//! The kind `swap` on a small file. The kernel is that of the real machine, so no swap may stay in use.

use uphold_testbed::{Bed, Host, Story};

use super::{LoopDevice, hcl};

/// Ends the use of all swap files of the test, even if it fails.
struct Unused<'a>(&'a Host);

impl Drop for Unused<'_> {
    fn drop(&mut self) {
        self.0.run("for i in /srv/room/swap*; do swapoff $i; done");
    }
}

/// A file system for the files, because the kernel does not swap to tmpfs. Its image is in /run, which is not part of
/// a host's digest, because the kernel writes to it.
const ROOM: &str = "truncate -s 64M /run/room.img && mkfs.ext4 -q /run/room.img && mkdir /srv/room && \
    mount -o loop /run/room.img /srv/room";

/// Retries, because a watch may enable the file again in between.
fn until_done(shell: &str) -> String {
    format!("cd /srv/room && until {{ {shell}; }} 2>/dev/null; do sleep 0.05; done")
}

/// Replaces the active swap file by another one.
fn exchanged(size: &str, label: &str) -> String {
    let make = format!("fallocate -l {size} new && chmod 600 new && mkswap -q -L {label} new");
    format!("cd /srv/room && {make} && {}", until_done("swapoff swap; mv -f new swap"))
}

#[test]
fn a_swap_file() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("swap");
    host.ok(ROOM);
    let _unused = Unused(&host);
    host.ok("echo precious >/srv/room/data && ln -s data /srv/room/link");
    Story::of(&host, "a swap file")
        .wrong(r#"swap "/srv/room/swap" {}"#, "set `size`")
        .wrong(r#"swap "/srv/room/swap" { size = "1K" }"#, "40 KiB")
        .wrong(&hcl(r#"swap "/srv/room/swap" { size = "1M"; priority = 40000 }"#), "priority")
        .wrong(r#"swap "/srv/room/data" { size = "1M" }"#, "cannot be used for swap")
        .wrong(r#"swap "/srv/room/link" { size = "1M" }"#, "a file by its own name")
        .wrong(r#"swap "/run/room.img" { size = "1M" }"#, "a file system of type ext4")
        .configuration(&hcl(r#"swap "/srv/room/swap" { size = "8M"; priority = 7; label = "spare" }"#))
        .drift("active", "swapoff /srv/room/swap")
        .drift("priority", &until_done("swapoff swap; swapon -p 9 swap"))
        .drift("priority", "sed -i s/pri=7/pri=9/ /etc/fstab")
        .drift("label", &exchanged("8M", "other"))
        .drift("in_fstab", "sed -i /swap/d /etc/fstab")
        .drift("size", &exchanged("4M", "spare"))
        .missing("swapoff /srv/room/swap; rm /srv/room/swap; sed -i /swap/d /etc/fstab")
        .watch()
        .change_to(
            r#"swap "/srv/room/swap" { size = "4M" }"#,
            "test $(stat -c %s,%a /srv/room/swap) = 4194304,600",
        )
        .change_to(r#"swap "/srv/room/swap" { priority = -1 }"#, "! grep -q pri= /etc/fstab")
        .change_to(r#"swap "/srv/room/swap" { active = false }"#, "! grep -q room/swap /proc/swaps")
        .removed_by(
            r#"swap "/srv/room/swap" { action = "remove" }"#,
            "! test -e /srv/room/swap && ! grep -q swap /etc/fstab && grep -q precious /srv/room/data",
        )
        .run();
}

#[test]
fn a_swap_device() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("swapdev");
    host.ok("truncate -s 8M /run/disk.img");
    let disk = LoopDevice::of("/run/disk.img", &host);
    let device = &disk.path;
    // A name like those of udev; the kernel uses another one.
    host.ok(&format!("mkdir /dev/disk && ln -s ..{} /dev/disk/spare", device.trim_start_matches("/dev")));
    let swap = |more: &str| hcl(&format!(r#"swap "/dev/disk/spare" {{ {more} }}"#));
    Story::of(&host, "a device")
        .wrong(&swap(r#"size = "1M""#), "so its size cannot be set")
        .configuration(&swap(r#"label = "spare""#))
        .holds(&format!("grep -q ^{device} /proc/swaps"))
        .drift("active", &format!("swapoff {device}"))
        .drift("in_fstab", "sed -i /spare/d /etc/fstab")
        .removed_by(
            &swap(r#"action = "remove""#),
            &format!("! grep -q ^{device} /proc/swaps && blkid -p {device}"),
        )
        .run();
    host.ok(&format!("wipefs -aq {device} && mkfs.ext4 -q {device}"));
    Story::of(&host, "a device that holds something")
        .wrong(r#"swap "/dev/disk/spare" {}"#, "a file system of type ext4")
        .configuration(&swap("force = true"))
        .removed_by(&swap(r#"action = "remove""#), "true")
        .run();
}
