//! `user`.

use uphold_testbed::Story;

/// Arbitrary password hashes.
const ANN: &str = r#"
    group "staff2" { gid = 4100 }
    group "dev" {}
    user "ann" {
        uid                = 1500
        group              = "staff2"
        groups             = ["dev", "audio"]
        comment            = "Ann Archer"
        home               = "/srv/ann"
        shell              = "/bin/bash"
        password           = "$6$salt$fyUHPPMnoh8Vm"
        locked             = false
        expires            = "2040-02-29"
        inactive           = 30
        password_min_days  = 1
        password_max_days  = 90
        password_warn_days = null
    }
"#;

#[test]
fn every_property_is_managed() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("users");
    Story::of(&host, "a user with everything")
        .configuration(ANN)
        .holds("test \"$(stat -c %U /srv/ann /srv/ann/.bashrc | uniq)\" = ann")
        .holds("getent shadow ann | grep -q '^ann:$6$salt$fyUHPPMnoh8Vm:'")
        .drift("uid", "usermod -u 1501 ann")
        .drift("group", "usermod -g users ann")
        .drift("groups", "gpasswd -d ann dev")
        .drift("groups", "usermod -G '' ann")
        .drift("comment", "usermod -c 'Ann B' ann")
        .drift("home", "usermod -d /srv/other ann")
        .drift("shell", "chsh -s /bin/sh ann")
        .drift("password", "echo 'ann:$6$salt$other' | chpasswd -e")
        .drift("locked", "passwd -l ann")
        .drift("expires", "chage -E -1 ann")
        .drift("expires", "usermod -e 2040-03-01 ann")
        .drift("inactive", "chage -I -1 ann")
        .drift("password_min_days", "chage -m 0 ann")
        .drift("password_max_days", "chage -M 99999 ann")
        .drift("password_warn_days", "chage -W 7 ann")
        .drift("comment", "sed -i '/^ann:/s/Ann Archer/by hand/' /etc/passwd")
        .drift("home_owned", "chown -R 1501 /srv/ann")
        .missing("userdel -r ann 2>/dev/null")
        .watch()
        .change_to(
            r#"user "ann" { comment = "A" }"#,
            "id ann | grep -q '^uid=1500(ann) gid=4100(staff2)' && getent shadow ann | grep -q ':1:90::30:25626:$'",
        )
        .wrong(r#"user "ann" { uid = -1 }"#, "uid")
        .wrong(r#"user "ann b" {}"#, "must begin with a letter")
        .wrong(r#"user "ann" { uid = 0 }"#, "already used by the user `root`")
        .wrong(r#"user "ann" { group = "nosuch" }"#, "the group `nosuch` of the user")
        .wrong(r#"user "ann" { group = 4242 }"#, "the group with the gid 4242")
        .wrong(r#"user "ann" { groups = ["nosuch"] }"#, "the group `nosuch` of the user")
        .wrong(r#"user "ann" { groups = ["a b"] }"#, "is not a valid account name")
        .wrong(r#"user "ann" { password = "hunter2" }"#, "must be a password hash")
        .wrong(r#"user "ann" { expires = "2040-02-30" }"#, "is not a date")
        .wrong(r#"user "ann" { home = "srv" }"#, "absolute")
        .wrong(r#"user "ann" { comment = "a:b" }"#, "without `:`")
        .wrong(r#"user "ann" { manage_home = true }"#, "create_home")
        .removed_by(
            r#"
            group "staff2" { action = "remove" }
            group "dev" { action = "remove" }
            user "ann" {
                action = "remove"
                group  = "staff2"
            }
            "#,
            "! getent passwd ann && ! getent group dev && test -d /srv/ann",
        )
        .run();
}

#[test]
fn membership_is_some_or_all() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("membership");
    Story::of(&host, "groups that are appended")
        .configuration(r#"user "bob" { groups = ["audio"] }"#)
        .holds("id -nG bob | grep -qw audio")
        .drift("groups", "usermod -G video bob")
        .change_to(r#"user "bob" { groups = ["games"] }"#, "test \"$(id -nG bob)\" = 'bob audio video games'")
        .change_to(
            r#"user "bob" {
                groups     = ["games"]
                membership = "exact"
            }"#,
            "test \"$(id -nG bob)\" = 'bob games'",
        )
        .change_to(
            r#"user "bob" {
                groups     = []
                membership = "exact"
            }"#,
            "test \"$(id -nG bob)\" = bob",
        )
        .run();
    Story::of(&host, "all groups of a user")
        .configuration(
            r#"user "bob" {
                groups     = ["games"]
                membership = "exact"
            }"#,
        )
        .drift("groups", "gpasswd -a bob audio")
        .drift("groups", "gpasswd -d bob games")
        .removed_by(r#"user "bob" { action = "remove" }"#, "! getent passwd bob")
        .run();
}

#[test]
fn homes() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("homes");
    Story::of(&host, "a home directory moves, and goes")
        .configuration(r#"user "cid" {}"#)
        .holds("test -f /home/cid/.bashrc")
        .change_to(
            r#"user "cid" {
                home      = "/srv/cid"
                move_home = true
            }"#,
            "test -f /srv/cid/.bashrc && ! test -e /home/cid",
        )
        .removed_by(
            r#"user "cid" {
                action      = "remove"
                remove_home = true
            }"#,
            "! getent passwd cid && ! test -e /srv/cid && ! getent group cid",
        )
        .run();
    Story::of(&host, "a system account")
        .configuration(
            r#"user "app" {
                system   = true
                shell    = "/usr/sbin/nologin"
                password = "*"
                locked   = true
            }"#,
        )
        .holds("test $(id -u app) -lt 1000 && ! test -e /home/app")
        .drift("locked", "usermod -U app")
        .drift("password", "usermod -p '!!x' app")
        .removed_by(r#"user "app" { action = "remove" }"#, "! getent passwd app")
        .run();
    Story::of(&host, "an account that is unlocked without a password")
        .configuration(r#"user "fay" { locked = false }"#)
        .holds("getent shadow fay | grep -q '^fay:\\*:'")
        .drift("locked", "usermod -L fay")
        .drift("locked", "usermod -p '!' fay")
        .run();
    host.ok("groupadd -g 5000 dan");
    Story::of(&host, "a group of the same name is taken")
        .configuration(
            r#"
            directory "/srv/dan" { owner = "dan" }
            user "dan" {
                uid         = 3000
                home        = "/srv/dan"
                create_home = false
            }
            user "dan2" {
                uid         = 3000
                non_unique  = true
                create_home = false
            }
            "#,
        )
        .holds("test $(id -g dan) = 5000 && test \"$(stat -c %U /srv/dan)\" = dan && test $(id -u dan2) = $(id -u dan)")
        .run();
}

/// Several users in one batch get their IDs in the order of the configuration.
#[test]
fn numbers_are_given_in_written_order() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("numbers");
    Story::of(&host, "many users at once")
        .configuration(
            r#"user "each" {
                for_each    = range(10)
                name        = "u${each.value}"
                create_home = false
            }"#,
        )
        .holds("test \"$(grep ^u[0-9] /etc/passwd | sort -t: -nk3 | cut -d: -f1)\" = \"$(seq -f u%.0f 0 9)\"")
        .run();
}

/// Below another root, the tools of that root change its files; here, it is a second view of the same host.
#[test]
fn below_another_root() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("rooted");
    host.ok("mkdir /srv/root && mount --bind / /srv/root");
    let declared = r#"
        user "ann" {
            groups   = ["audio"]
            password = "$6$salt$hash"
        }
        cron "x" {
            user     = "ann"
            schedule = "@daily"
            command  = "true"
        }
        sudo "ann" { users = ["ann"] }
    "#;
    host.write("/run/uphold-testbed/site/a.hcl", declared);
    let ran = host.uphold(&["apply", "--root", "/srv/root", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    let ran = host.uphold(&["plan", "--root", "/srv/root", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    host.ok("id -nG ann | grep -qw audio && crontab -u ann -l | grep -q @daily && visudo -c");
}

#[test]
fn a_user_in_use_is_not_removed() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("busy");
    host.ok("useradd eve && useradd -M fay && usermod -g eve fay");
    host.ok("setpriv --reuid=$(id -u eve) --regid=$(id -g eve) --clear-groups sleep 1000 >/dev/null 2>&1 &");
    host.write("/run/uphold-testbed/site/a.hcl", r#"user "eve" { action = "remove" }"#);
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert!(
        ran.stderr.contains("stop the user's processes first")
            || ran.stdout.contains("stop the user's processes first"),
        "{ran}"
    );
    assert_eq!(ran.status, 1, "{ran}");
    host.write("/run/uphold-testbed/site/b.hcl", r#"group "eve" { action = "remove" }"#);
    let ran = host.uphold(&["apply", "b.hcl"]);
    assert!(ran.to_string().contains("cannot remove the primary group of user"), "{ran}");
}

/// A secret is neither in the output nor in the arguments of any command.
#[test]
fn passwords_are_not_exposed() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("secrets");
    let hash = "$6$salt$TheSecretHash";
    host.write("/run/uphold-testbed/site/a.hcl", &format!("user \"gus\" {{ password = \"{hash}\" }}"));
    let spy = "#!/bin/sh\necho \"$0 $*\" >>/run/spy\nexec /usr/sbin/$(basename $0).real \"$@\"\n";
    for tool in ["useradd", "usermod", "chpasswd", "chage"] {
        host.ok(&format!("mv /usr/sbin/{tool} /usr/sbin/{tool}.real 2>/dev/null || mv /usr/bin/{tool} /usr/sbin/{tool}.real"));
        host.write(&format!("/usr/sbin/{tool}"), spy);
        host.ok(&format!("chmod 755 /usr/sbin/{tool}"));
    }
    let printed =
        format!("{}{}", host.uphold(&["plan", "a.hcl"]), host.uphold(&["apply", "--json", "a.hcl"]));
    assert!(!printed.contains("TheSecretHash"), "{printed}");
    let seen = host.read("/run/spy");
    assert!(
        seen.contains("chpasswd") && seen.contains("useradd") && !seen.contains("TheSecretHash"),
        "{seen}"
    );
    assert!(host.ok("getent shadow gus").contains(hash));
}

/// Kills Uphold between `useradd` and the password, and `useradd` between the account and its home directory.
#[test]
fn an_interrupted_user_is_finished_by_the_next_run() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("interrupted");
    host.ok("mv /usr/sbin/chpasswd /usr/sbin/chpasswd.real; mv /usr/sbin/useradd /usr/sbin/useradd.real");
    let kill = "#!/bin/sh\nkill -9 $PPID; exit 1\n";
    let pass = |tool: &str| format!("#!/bin/sh\nexec /usr/sbin/{tool}.real \"$@\"\n");
    // Ends as if killed after the account files were written, with leftovers by the first argument.
    let early = |left: &str| {
        format!(
            "#!/bin/sh\nfor a; do test \"$a\" = --create-home && a=--no-create-home; set -- \"$@\" \"$a\"; shift; done\n\
             /usr/sbin/useradd.real \"$@\"\n{left}\nkill -9 $PPID\n"
        )
    };
    let cases = [
        (pass("useradd"), kill.to_owned()),
        (early(""), pass("chpasswd")),
        (early("mkdir -m 700 /home/ann; head -c 9 /etc/skel/.bashrc >/home/ann/.bashrc"), pass("chpasswd")),
        (early("sed -i /^ann:/d /etc/gshadow"), pass("chpasswd")),
        (early("sed -i /^ann:/d /etc/gshadow /etc/group"), pass("chpasswd")),
        (early("sed -i /^ann:/d /etc/gshadow /etc/group /etc/shadow"), pass("chpasswd")),
    ];
    let put = |tool: &str, script: &str| {
        host.write(&format!("/usr/sbin/{tool}"), script);
        host.ok(&format!("chmod 755 /usr/sbin/{tool}"));
    };
    host.write(
        "/run/uphold-testbed/site/a.hcl",
        "user \"ann\" {\n  password = \"$6$salt$hash\"\n  groups = [\"audio\"]\n  home = \"/home/ann\"\n}",
    );
    for (useradd, chpasswd) in &cases {
        put("useradd", useradd);
        put("chpasswd", chpasswd);
        let ran = host.uphold(&["apply", "a.hcl"]);
        assert_ne!(ran.status, 0, "it was killed: {ran}");
        put("useradd", &pass("useradd"));
        put("chpasswd", &pass("chpasswd"));
        host.ok("getent passwd ann");
        let ran = host.uphold(&["apply", "a.hcl"]);
        assert_eq!(ran.status, 0, "{useradd}: {ran}");
        host.ok("getent shadow ann | grep -q '^ann:$6$salt$hash:' && grep -q ^ann: /etc/gshadow && getent group ann");
        host.ok("id -nG ann | grep -qw audio && cmp /etc/skel/.bashrc /home/ann/.bashrc");
        assert_eq!(
            host.ok("stat -c %U:%G /home/ann /home/ann/.bashrc | uniq").trim(),
            "ann:ann",
            "{useradd}"
        );
        host.ok("userdel -r ann 2>/dev/null");
    }
}
