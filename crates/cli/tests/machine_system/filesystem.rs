//! The kind `filesystem`, in images.

use uphold_testbed::{Bed, Story};

use crate::hcl;

const UUID: &str = "8f3e2b1c-6d0a-4f57-9a3e-2c1d5b7f9e04";
const OTHER: &str = "11111111-6d0a-4f57-9a3e-2c1d5b7f9e04";

#[test]
fn a_blank_image_is_formatted_once() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("filesystem");
    host.ok("truncate -s 16M /tmp/a.img /tmp/table.img; truncate -s 320M /tmp/b.img");
    host.ok("echo start=2048 | sfdisk -q /tmp/table.img");
    Story::of(&host, "ext4 in an image")
        .wrong(r#"filesystem "/tmp/nothing.img" { fstype = "ext4" }"#, "does not exist")
        .wrong(r#"filesystem "/tmp/a.img" {}"#, "`fstype`")
        .wrong(&hcl(r#"filesystem "/tmp/a.img" { fstype = "ext4"; uuid = "1" }"#), "`uuid`")
        .wrong(r#"filesystem "/tmp/table.img" { fstype = "ext4" }"#, "a table of partitions (dos)")
        .configuration(&hcl(&format!(
            r#"filesystem "/tmp/a.img" {{ fstype = "ext4"; label = "data"; uuid = "{UUID}"; options = ["-m", "0"] }}"#
        )))
        .drift("label", "tune2fs -L other /tmp/a.img")
        .drift("uuid", &format!("tune2fs -f -U {OTHER} /tmp/a.img"))
        .missing("wipefs -aq /tmp/a.img")
        .watch()
        .tell();
    host.ok("mount -o loop /tmp/a.img /mnt && echo precious >/mnt/data && umount /mnt");
    Story::of(&host, "it stays what it is until force says otherwise")
        .wrong(r#"filesystem "/tmp/a.img" { fstype = "xfs" }"#, "holds a file system of type ext4")
        .configuration(&hcl(r#"filesystem "/tmp/a.img" { fstype = "ext2"; force = true }"#))
        .drift("fstype", "mkfs.ext4 -qF /tmp/a.img")
        .removed_by(
            &hcl(r#"filesystem "/tmp/a.img" { action = "remove"; force = true }"#),
            "! blkid -p /tmp/a.img",
        )
        .tell();
    Story::of(&host, "xfs, and a mount by its identifier")
        .configuration(
            r#"
            mount "/srv/data" {
              device = "UUID=${filesystem["/tmp/b.img"].uuid}"
              fstype = "xfs"
              mounted = false
            }
            filesystem "/tmp/b.img" {
              fstype = "xfs"
              label  = "data"
            }
            "#,
        )
        .drift("label", "xfs_admin -L other /tmp/b.img")
        .tell();
    host.ok("grep -q \"UUID=$(blkid -ps UUID -o value /tmp/b.img)\" /etc/fstab");
}
