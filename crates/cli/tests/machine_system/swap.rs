//! The kind `swap`, on a small file. The kernel is the machine's own: nothing may stay in use.

use uphold_testbed::{Bed, Host, Story};

use crate::hcl;

/// Ends the use of all swap files of the test, whatever became of it.
struct Unused<'a>(&'a Host);

impl Drop for Unused<'_> {
    fn drop(&mut self) {
        self.0.run("for i in /tmp/room/swap*; do swapoff $i; done");
    }
}

/// A file system for the files: the kernel does not swap to memory.
const ROOM: &str = "truncate -s 64M /tmp/room.img && mkfs.ext4 -q /tmp/room.img && mkdir /tmp/room && \
    mount -o loop /tmp/room.img /tmp/room";

#[test]
fn a_swap_file() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("swap");
    host.ok(ROOM);
    let _unused = Unused(&host);
    host.ok("echo precious >/tmp/room/data");
    Story::of(&host, "a swap file")
        .wrong(r#"swap "/tmp/room/swap" {}"#, "set `size`")
        .wrong(r#"swap "/tmp/room/swap" { size = "1K" }"#, "40 KiB")
        .wrong(&hcl(r#"swap "/tmp/room/swap" { size = "1M"; priority = 40000 }"#), "priority")
        .wrong(r#"swap "/tmp/room/data" { size = "1M" }"#, "not free for swap")
        .wrong(r#"swap "/tmp/room.img" { size = "1M" }"#, "a file system of type ext4")
        .configuration(&hcl(r#"swap "/tmp/room/swap" { size = "8M"; priority = 7; label = "spare" }"#))
        .drift("active", "swapoff /tmp/room/swap")
        .drift("priority", "swapoff /tmp/room/swap && swapon -p 9 /tmp/room/swap")
        .drift("priority", "sed -i s/pri=7/pri=9/ /etc/fstab")
        .drift("label", "swapoff /tmp/room/swap && swaplabel -L other /tmp/room/swap")
        .drift("in_fstab", "sed -i /swap/d /etc/fstab")
        .drift(
            "size",
            "fallocate -l 4M /tmp/room/new && chmod 600 /tmp/room/new && \
            mkswap -q -L spare /tmp/room/new && swapoff /tmp/room/swap && mv /tmp/room/new /tmp/room/swap",
        )
        .missing("swapoff /tmp/room/swap; rm /tmp/room/swap; sed -i /swap/d /etc/fstab")
        .watch()
        .change_to(
            r#"swap "/tmp/room/swap" { size = "4M" }"#,
            "test $(stat -c %s,%a /tmp/room/swap) = 4194304,600",
        )
        .change_to(r#"swap "/tmp/room/swap" { priority = -1 }"#, "! grep -q pri= /etc/fstab")
        .change_to(r#"swap "/tmp/room/swap" { active = false }"#, "! grep -q room/swap /proc/swaps")
        .removed_by(
            r#"swap "/tmp/room/swap" { action = "remove" }"#,
            "! test -e /tmp/room/swap && ! grep -q swap /etc/fstab && grep -q precious /tmp/room/data",
        )
        .tell();
}
