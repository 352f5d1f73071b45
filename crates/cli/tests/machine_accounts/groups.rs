//! `group`.

use uphold_testbed::Story;

#[test]
fn members_are_some_or_all() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("groups");
    host.ok("useradd ann && useradd bob && useradd cid");
    Story::of(&host, "a group with everything")
        .configuration(
            r#"group "ops" {
                gid              = 4200
                members          = ["ann"]
                excluded_members = ["cid"]
            }"#,
        )
        .drift("gid", "groupmod -g 4201 ops")
        .drift("members", "gpasswd -d ann ops")
        .drift("members", "gpasswd -a cid ops")
        .drift("gid", "sed -i '/^ops:/s/4200/4299/' /etc/group")
        .missing("groupdel ops")
        .watch()
        .change_to(r#"group "ops" { members = ["bob"] }"#, "getent group ops | grep -q ':4200:ann,bob$'")
        .change_to(r#"group "ops" { excluded_members = ["ann"] }"#, "getent group ops | grep -q ':4200:bob$'")
        .change_to(
            r#"group "ops" {
                members    = ["ann", "cid"]
                membership = "exact"
            }"#,
            "getent group ops | grep -q ':4200:ann,cid$'",
        )
        .change_to(
            r#"group "ops" {
                members    = []
                membership = "exact"
            }"#,
            "getent group ops | grep -q ':4200:$'",
        )
        .wrong(r#"group "ops" { gid = 0 }"#, "already used by the group `root`")
        .wrong(r#"group "o ps" {}"#, "must begin with a letter")
        .wrong(r#"group "ops" { members = ["nosuch"] }"#, "the user `nosuch`")
        .wrong(
            r#"group "ops" {
                members          = ["ann"]
                excluded_members = ["ann"]
            }"#,
            "contains `ann`, which is in `members`",
        )
        .wrong(r#"group "ops" { append = true }"#, "membership")
        .run();
    Story::of(&host, "all members of a group")
        .configuration(
            r#"group "ops" {
                members    = ["ann"]
                membership = "exact"
            }"#,
        )
        .drift("members", "gpasswd -a bob ops")
        .drift("members", "gpasswd -d ann ops")
        .removed_by(r#"group "ops" { action = "remove" }"#, "! getent group ops")
        .run();
    Story::of(&host, "a system group that shares its number")
        .configuration(
            r#"
            group "low" { system = true }
            group "too" {
                gid        = 0
                non_unique = true
            }
            "#,
        )
        .holds("test $(getent group low | cut -d: -f3) -lt 1000 && grep -q '^too:x:0:' /etc/group")
        .run();
    // A removed user is still listed; the other members can still be changed.
    host.ok("groupadd old && sed -i '/^old:/s/$/ghost/' /etc/group");
    Story::of(&host, "a member who is gone")
        .configuration(r#"group "old" { members = ["ann"] }"#)
        .holds("getent group old | grep -q ':ghost,ann$'")
        .change_to(r#"group "old" { excluded_members = ["ghost"] }"#, "getent group old | grep -q ':ann$'")
        .run();
}

/// Independent of the order of the blocks: groups, then users, then members.
#[test]
fn users_and_groups_wait_for_each_other() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("order");
    Story::of(&host, "members who are made in the same run")
        .configuration(
            r#"
            group "late" { members = ["hal", "ivy"] }
            user "hal" { group = "early" }
            user "ivy" { groups = ["early"] }
            group "early" {}
            user "jon" {}
            group "jon" { gid = 4300 }
            "#,
        )
        .holds("id hal | grep -q 'early.*late' && id ivy | grep -q early && test $(id -g jon) = 4300")
        .removed_by(
            r#"
            group "early" { action = "remove" }
            user "hal" {
                action = "remove"
                group  = "early"
            }
            user "ivy" { action = "remove" }
            "#,
            "! getent passwd hal && ! getent group early",
        )
        .run();
    host.write(
        "/run/uphold-testbed/site/loop.hcl",
        "user \"kim\" { group = \"ring\" }\ngroup \"ring\" { members = [\"kim\"] }\n",
    );
    let ran = host.uphold(&["plan", "loop.hcl"]);
    assert_eq!(ran.status, 1, "{ran}");
    assert!(ran.to_string().contains("ring") && ran.to_string().contains("kim"), "{ran}");
}
