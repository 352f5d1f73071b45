//! The kind `mount` with real mounts: images on loop devices, tmpfs and directories.

use uphold_testbed::{Bed, Story};

use super::{LoopDevice, hcl};

/// Images are in `/tmp`, so that the kernel's own writes to them are no change of the host.
const IMAGES: &str = "for i in a b; do truncate -s 16M /tmp/$i.img && mkfs.ext4 -q /tmp/$i.img; done";

#[test]
fn an_image_is_mounted_and_stays_mounted() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("mount");
    host.ok(IMAGES);
    host.ok("printf '# static\\nproc\\t/proc proc defaults 0 0\\n# end\\n' >/etc/fstab");
    Story::of(&host, "an image on /srv/data")
        .wrong(r#"mount "/srv/data" {}"#, "`device` is required")
        .wrong(
            &hcl(r#"mount "/srv/data" { device = "x"; mounted = false; in_fstab = false }"#),
            "`mounted` cannot be false if `in_fstab` is false",
        )
        .wrong(r#"mount "srv" { device = "tmpfs" }"#, "absolute path")
        .configuration(
            r#"mount "/srv/data" {
                device  = "/tmp/a.img"
                fstype  = "ext4"
                options = ["loop", "noatime", "nodev"]
                dump    = 1
                pass    = 2
            }"#,
        )
        .drift("mounted", "umount /srv/data")
        .drift("options", "mount --options-source=disable -o remount,relatime,nodev /srv/data")
        .drift("options", "mount --options-source=disable -o remount,ro,noexec,noatime,nodev /srv/data")
        .drift("options", "sed -i s/nodev/noexec/ /etc/fstab")
        .drift("device", "sed -i s/a.img/b.img/ /etc/fstab")
        .drift("device", "umount /srv/data && mount -o loop,noatime,nodev /tmp/b.img /srv/data")
        .drift("fstype", "sed -i s/ext4/ext3/ /etc/fstab")
        .drift("fstype", "umount /srv/data && mount -t tmpfs -o noatime,nodev /tmp/a.img /srv/data")
        .drift("dump", "sed -i '/data/s/1\\t2$/0\\t2/' /etc/fstab")
        .drift("pass", "sed -i '/data/s/2$/1/' /etc/fstab")
        .drift("in_fstab", "sed -i /data/d /etc/fstab")
        .missing("umount /srv/data && sed -i /data/d /etc/fstab")
        .watch()
        .change_to(
            &hcl(r#"mount "/srv/data" { device = "/tmp/a.img"; options = ["loop"] }"#),
            "findmnt -no OPTIONS /srv/data | grep -q 'rw,relatime'",
        )
        .change_to(
            &hcl(r#"mount "/srv/data" { device = "/tmp/a.img"; mounted = false }"#),
            "! mountpoint -q /srv/data && grep -q data /etc/fstab && head -1 /etc/fstab | grep -q static",
        )
        .change_to(
            &hcl(r#"mount "/srv/data" { device = "/tmp/a.img"; in_fstab = false }"#),
            "mountpoint -q /srv/data && ! grep -q data /etc/fstab && test $(wc -l </etc/fstab) = 3",
        )
        .removed_by(r#"mount "/srv/data" { action = "remove" }"#, "! mountpoint -q /srv/data")
        .run();
}

#[test]
fn every_sort_of_mount() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("mounts");
    host.ok(IMAGES);
    host.ok("tune2fs -U b2a7c9d4-15e8-4c0b-8a6f-73d1e0f4b592 -L data /tmp/a.img");
    let disk = LoopDevice::of("/tmp/a.img", &host);
    Story::of(&host, "a device by its identifier")
        .configuration(
            &hcl(r#"mount "/srv/by uuid" { device = "UUID=b2a7c9d4-15e8-4c0b-8a6f-73d1e0f4b592"; fstype = "ext4" }"#),
        )
        .drift("mounted", "umount '/srv/by uuid'")
        .drift("device", "umount '/srv/by uuid' && mount -o loop /tmp/b.img '/srv/by uuid'")
        .change(r#"mount "/srv/by uuid" { device = "LABEL=data" }"#)
        .removed_by(r#"mount "/srv/by uuid" { action = "remove" }"#, "! grep -q uuid /etc/fstab")
        .run();
    drop(disk);
    Story::of(&host, "memory, and what is below it")
        .configuration(
            &hcl(
                r#"
                file "/srv/cache/deep/hello" { content = "hi" }
                directory "/srv/cache/deep" {}
                mount "/srv/cache/deep" { device = "deep"; fstype = "tmpfs" }
                mount "/srv/cache" { device = "tmpfs"; fstype = "tmpfs"; options = "size=1m,mode=0750"; in_fstab = false }
                directory "/srv/cache" {}
                "#,
            ),
        )
        .drift("options", "mount -o remount,size=2m /srv/cache")
        .drift("mounted", "umount /srv/cache/deep")
        .change_to(
            &hcl(r#"mount "/srv/cache" { device = "tmpfs"; in_fstab = false; options = ["size=2m", "mode=0750"] }"#),
            "findmnt -no OPTIONS /srv/cache | grep -q size=2048k",
        )
        .run();
    Story::of(&host, "a directory elsewhere")
        .configuration(&hcl(
            r#"mount "/srv/bound" { device = "/usr/share"; fstype = "none"; options = ["bind", "ro"] }"#,
        ))
        .drift("device", "umount /srv/bound && mount -o bind,ro /usr/lib /srv/bound")
        .drift("options", "mount -o remount,bind,rw /srv/bound")
        .removed_by(r#"mount "/srv/bound" { action = "remove" }"#, "! mountpoint -q /srv/bound")
        .run();
}

#[test]
fn a_failed_mount_is_not_in_fstab() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("unmountable");
    host.write(
        "/run/uphold-testbed/site/a.hcl",
        &hcl(r#"mount "/srv/x" { device = "/dev/nothing"; fstype = "ext4" }"#),
    );
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert!(ran.status == 1 && ran.to_string().contains("cannot mount /dev/nothing on /srv/x"), "{ran}");
    assert!(!host.read("/etc/fstab").contains("nothing"));
}

/// Systemd creates units from fstab, and must not undo our mounts.
#[test]
fn under_systemd() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.systemd("mountd");
    Story::of(&host, "memory under systemd")
        .configuration(&hcl(
            r#"mount "/srv/data" { device = "tmpfs"; fstype = "tmpfs"; options = ["size=1m"] }"#,
        ))
        // A repair that is quicker than the command cancels its job.
        .drift("mounted", "systemctl stop srv-data.mount || true")
        .drift("mounted", "umount /srv/data")
        .drift("in_fstab", "sed -i /data/d /etc/fstab")
        .watch()
        .removed_by(r#"mount "/srv/data" { action = "remove" }"#, "! mountpoint -q /srv/data")
        .run();
}
