//! The kind `filesystem`, in images.

use uphold_testbed::{Bed, Story};

use super::hcl;

const UUID: &str = "8f3e2b1c-6d0a-4f57-9a3e-2c1d5b7f9e04";
const OTHER: &str = "11111111-6d0a-4f57-9a3e-2c1d5b7f9e04";

#[test]
fn a_blank_image_is_formatted_once() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("filesystem");
    host.ok("truncate -s 16M /srv/a.img /srv/table.img; truncate -s 320M /srv/b.img");
    host.ok("echo start=2048 | sfdisk -q /srv/table.img");
    Story::of(&host, "ext4 in an image")
        .wrong(r#"filesystem "/srv/nothing.img" { fstype = "ext4" }"#, "does not exist")
        .wrong(r#"filesystem "/srv/a.img" {}"#, "`fstype`")
        .wrong(&hcl(r#"filesystem "/srv/a.img" { fstype = "ext4"; uuid = "1" }"#), "`uuid`")
        .wrong(r#"filesystem "/srv/table.img" { fstype = "ext4" }"#, "a partition table (dos)")
        .configuration(&hcl(&format!(
            r#"filesystem "/srv/a.img" {{ fstype = "ext4"; label = "data"; uuid = "{UUID}"; options = ["-m", "0"] }}"#
        )))
        .drift("label", "tune2fs -L other /srv/a.img")
        .drift("uuid", &format!("tune2fs -f -U {OTHER} /srv/a.img"))
        .missing("wipefs -aq /srv/a.img")
        .watch()
        .run();
    host.ok("mount -o loop /srv/a.img /mnt && echo precious >/mnt/data && umount /mnt");
    Story::of(&host, "it stays what it is until force says otherwise")
        .wrong(r#"filesystem "/srv/a.img" { fstype = "xfs" }"#, "contains a file system of type ext4")
        .configuration(&hcl(r#"filesystem "/srv/a.img" { fstype = "ext2"; force = true }"#))
        .drift("fstype", "mkfs.ext4 -qF /srv/a.img")
        .removed_by(
            &hcl(r#"filesystem "/srv/a.img" { action = "remove"; force = true }"#),
            "! blkid -p /srv/a.img",
        )
        .run();
    Story::of(&host, "xfs, and a mount by its identifier")
        .configuration(
            r#"
            mount "/srv/data" {
              device = "UUID=${filesystem["/srv/b.img"].uuid}"
              fstype = "xfs"
              mounted = false
            }
            filesystem "/srv/b.img" {
              fstype = "xfs"
              label  = "data"
            }
            "#,
        )
        .drift("label", "xfs_admin -L other /srv/b.img")
        .run();
    host.ok("grep -q \"UUID=$(blkid -ps UUID -o value /srv/b.img)\" /etc/fstab");
}
