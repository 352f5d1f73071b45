//! The kinds `hostname`, `locale` and `timezone`.

use uphold_testbed::{Bed, Story};

use super::hcl;

#[test]
fn the_name_of_a_machine() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("hostname");
    Story::of(&host, "a name in all places")
        .wrong(r#"hostname "a_b" {}"#, "is not a valid host name")
        .wrong("hostname \"a\" {}\nhostname \"b\" {}\n", "both manage the host name")
        .wrong(r#"hostname "a" { action = "remove" }"#, "remove")
        .configuration(&hcl(r#"hostname "web1.example.org" { pretty = "The Web"; in_hosts = true }"#))
        .drift("runtime", "hostname other")
        .drift("persistent", "echo other >/etc/hostname")
        .drift("persistent", "rm /etc/hostname")
        .drift("pretty", "sed -i s/Web/Net/ /etc/machine-info")
        .drift("in_hosts", "sed -i /127.0.1.1/d /etc/hosts")
        .watch()
        .change_to(
            &hcl(r#"hostname "web2" { persistent = "web3"; pretty = null }"#),
            "test $(hostname) = web2 && test $(cat /etc/hostname) = web3 && ! test -e /etc/machine-info",
        )
        .change_to(
            &hcl(r#"hostname "web1.example.org" { in_hosts = false }"#),
            "! grep -q 127.0.1.1 /etc/hosts",
        )
        .run();
}

#[test]
fn the_time_zone_of_a_machine() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("timezone");
    host.ok("ln -sfn /usr/share/zoneinfo/Etc/UTC /etc/localtime; echo Etc/UTC >/etc/timezone");
    Story::of(&host, "a zone")
        .wrong(r#"timezone "Europe/Viena" {}"#, "did you mean Europe/Vienna?")
        .wrong(r#"timezone "Europe/../x" {}"#, "not the name of a time zone")
        .wrong("timezone \"UTC\" {}\ntimezone \"Europe/Vienna\" {}\n", "both manage the time zone")
        .wrong("timezone \"UTC\" {}\nlink \"/etc/localtime\" { to = \"/x\" }\n", "managed by two resources")
        .configuration(r#"timezone "Europe/Vienna" {}"#)
        .drift("localtime", "ln -sfn /usr/share/zoneinfo/UTC /etc/localtime")
        .drift("localtime", "cp /usr/share/zoneinfo/UTC /etc/.copy && mv /etc/.copy /etc/localtime")
        .drift("localtime", "rm /etc/localtime")
        .drift("etc_timezone", "echo UTC >/etc/timezone")
        .drift("etc_timezone", "rm /etc/timezone")
        .watch()
        .change_to(
            r#"timezone "Asia/Tokyo" {}"#,
            "test $(date +%Z) = JST && test $(cat /etc/timezone) = Asia/Tokyo",
        )
        .change_to(r#"timezone "UTC" { localtime = null }"#, "! test -e /etc/localtime")
        .run();
}

#[test]
fn the_language_of_a_machine() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("locale");
    let conf = "/etc/default/locale";
    Story::of(&host, "a locale that has to be made")
        .wrong(r#"locale "de_AU.UTF-8" {}"#, "did you mean")
        .wrong(r#"locale "de AT" {}"#, "not the name of a locale")
        .wrong(&hcl(r#"locale "C.UTF-8" { lc = { TIME = "C" } }"#), "names such as LC_TIME")
        .wrong("locale \"C\" {}\nlocale \"C.UTF-8\" {}\n", "both manage the locale")
        .configuration(&hcl(
            r#"locale "C.UTF-8" { language = "de:en"; lc = { LC_TIME = "de_AT.UTF-8", LC_PAPER = "C" } }"#,
        ))
        .drift("lang", &format!("sed -i s/^LANG=.*/LANG=C/ {conf}"))
        .drift("language", &format!("sed -i /LANGUAGE/d {conf}"))
        .drift("lc", &format!("sed -i s/^LC_TIME=.*/LC_TIME=C/ {conf}"))
        .drift("lc", &format!("echo LC_ALL=C >>{conf}"))
        .drift("generated", "sed -i 's/^de_AT/# de_AT/' /etc/locale.gen")
        .watch()
        .change_to(
            &hcl(r#"locale "C.UTF-8" { language = null; lc = {} }"#),
            &format!("test \"$(grep -v '^#' {conf})\" = LANG=C.UTF-8"),
        )
        .run();
    host.ok("locale -a | grep -q de_AT.utf8");
}
