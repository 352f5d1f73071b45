//! `cron`.

use uphold_testbed::Story;

#[test]
fn entries_of_a_user() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("crontabs");
    host.ok("useradd -m ann && echo '5 5 * * * mine # kept' | crontab -u ann -");
    Story::of(&host, "an entry beside others")
        .configuration(
            r#"cron "backup" {
                user    = "ann"
                minute  = 30
                hour    = "4"
                weekday = "mon-fri"
                command = "backup --all \"a b\""
            }"#,
        )
        .holds("crontab -u ann -l | grep -qx '30 4 \\* \\* mon-fri backup --all \"a b\"'")
        .holds("crontab -u ann -l | grep -qx '5 5 \\* \\* \\* mine # kept'")
        .holds("test $(grep -c 'DO NOT EDIT' /var/spool/cron/crontabs/ann) -le 1")
        .drift("schedule", "crontab -u ann -l | sed 's/^30 4/31 4/' | crontab -u ann -")
        .drift("command", "crontab -u ann -l | sed 's/--all/--none/' | crontab -u ann -")
        .drift("enabled", "crontab -u ann -l | sed 's/^30 4/#30 4/' | crontab -u ann -")
        .missing("crontab -u ann -l | grep -v -e uphold -e backup | crontab -u ann -")
        .watch()
        .change_to(
            r#"cron "backup" {
                user     = "ann"
                schedule = "@daily"
                command  = "backup"
                enabled  = false
            }"#,
            "crontab -u ann -l | grep -qx '#@daily backup'",
        )
        .wrong(r#"cron "x" { command = "a" }"#, "schedule")
        .wrong("cron \"x\" {\n schedule = \"61 * * * *\"\n command = \"a\"\n}", "is not a schedule")
        .wrong("cron \"x\" {\n schedule = \"@often\"\n command = \"a\"\n}", "@daily")
        .wrong("cron \"x\" {\n minute = 60\n command = \"a\"\n}", "must be from 0 to 59")
        .wrong("cron \"x\" {\n minute = 0\n hour = 24\n command = \"a\"\n}", "must be from 0 to 23")
        .wrong("cron \"x\" {\n minute = 0\n hour = 0\n day = 0\n command = \"a\"\n}", "must be from 1 to 31")
        .wrong(
            "cron \"x\" {\n minute = 0\n hour = 0\n month = \"juli\"\n command = \"a\"\n}",
            "must be from 1 to 12",
        )
        .wrong(
            "cron \"x\" {\n minute = 0\n hour = 0\n weekday = 8\n command = \"a\"\n}",
            "must be from 0 to 7",
        )
        .wrong("cron \"x\" {\n hour = 3\n command = \"a\"\n}", "`minute` is required")
        .wrong("cron \"x\" {\n minute = 3\n day = 3\n command = \"a\"\n}", "`hour` is required")
        .wrong("cron \"x\" {\n schedule = \"@daily\"\n minute = 3\n command = \"a\"\n}", "minute")
        .wrong("cron \"x\" {\n schedule = \"@daily\"\n command = \"a\\nb\"\n}", "must be a single line")
        .wrong(
            "cron \"x\" {\n schedule = \"@daily\"\n command = \"a\"\n user = \"nosuch\"\n}",
            "there is no user",
        )
        .wrong(
            "cron \"x\" {\n schedule = \"@daily\"\n command = \"a\"\n environment = { A = \"b\" }\n}",
            "set `file`",
        )
        .removed_by(
            "cron \"backup\" {\n action = \"remove\"\n user = \"ann\"\n}",
            "test \"$(crontab -u ann -l)\" = '5 5 * * * mine # kept'",
        )
        .run();
    Story::of(&host, "the only entry")
        .configuration("cron \"x\" {\n schedule = \"@reboot\"\n command = \"a\"\n}")
        .missing("crontab -r")
        .removed_by("cron \"x\" { action = \"remove\" }", "! crontab -l")
        .run();
}

#[test]
fn entries_of_the_system() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("cron.d");
    host.ok("useradd ann");
    Story::of(&host, "two entries in one file")
        .configuration(
            r#"
            cron "report" {
                file        = "site"
                user        = "ann"
                schedule    = "0 6 * * *"
                command     = "report"
                environment = { MAILTO = "ops@example.org", NOTE = " a " }
            }
            cron "tidy" {
                file     = "site"
                schedule = "@weekly"
                command  = "tidy"
            }
            "#,
        )
        .holds("grep -qx '0 6 \\* \\* \\* ann report' /etc/cron.d/site && grep -qx 'NOTE=\" a \"' /etc/cron.d/site")
        .holds("grep -qx '@weekly root tidy' /etc/cron.d/site && test \"$(stat -c %U:%a /etc/cron.d/site)\" = root:644")
        .drift("user", "sed -i 's/ ann / root /' /etc/cron.d/site")
        .drift("schedule", "sed -i 's/^0 6/0 7/' /etc/cron.d/site")
        .drift("command", "sed -i 's/ann report/ann other/' /etc/cron.d/site")
        .drift("environment", "sed -i '/^MAILTO/d' /etc/cron.d/site")
        .drift("enabled", "sed -i 's/^@weekly/#@weekly/' /etc/cron.d/site")
        .missing("rm /etc/cron.d/site")
        .watch()
        .wrong("cron \"x\" {\n file = \"a.b\"\n schedule = \"@daily\"\n command = \"a\"\n}", "because `cron` ignores other files")
        .removed_by(
            r#"
            cron "report" {
                action = "remove"
                file   = "site"
            }
            cron "tidy" {
                action = "remove"
                file   = "site"
            }
            "#,
            "! test -e /etc/cron.d/site",
        )
        .run();
}
