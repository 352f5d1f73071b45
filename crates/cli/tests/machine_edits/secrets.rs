//! Passwords and certificates: generated once, kept, and verified with OpenSSL.

use uphold_testbed::{Bed, Story};

#[test]
fn passwords() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("passwords");
    host.ok("useradd ann");
    let file = "/var/lib/uphold/passwords/db";
    let configuration = |release: u32| {
        format!(
            r#"
            password "db" {{
                length  = 20
                keepers = {{ release = "{release}" }}
                owner   = "ann"
                group   = "ann"
            }}
            file "/etc/app.conf" {{
                content = "password=${{password.db.value}}\n"
                mode    = "0600"
            }}
            "#
        )
    };
    Story::of(&host, "a password that a file holds, too")
        .wrong(r#"password "db" { length = 0 }"#, "must be from 1 to 4096")
        .configuration(&configuration(1))
        .drift("length", &format!("printf short >{file}"))
        .drift("keepers", &format!("rm {file}.keepers"))
        .drift("mode", &format!("chmod 644 {file}"))
        .drift("owner", &format!("chown root {file}"))
        .drift("group", &format!("chgrp root {file}"))
        .missing(&format!("rm {file}"))
        .watch()
        .change_to(&configuration(2), &format!("test \"password=$(cat {file})\" = \"$(cat /etc/app.conf)\""))
        .removed_by(
            r#"
            password "db" { action = "remove" }
            file "/etc/app.conf" { action = "remove" }
            "#,
            &format!("! test -e {file} && ! test -e {file}.keepers"),
        )
        .run();
}

#[test]
fn a_password_is_never_shown() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("hidden");
    host.write(
        "/run/uphold-testbed/site/a.hcl",
        r#"
        password "db" { path = "/etc/secret" }
        file "/etc/app.conf" { content = "p=${password.db.value}" }
    "#,
    );
    let plan = host.uphold(&["plan", "a.hcl"]);
    let apply = host.uphold(&["apply", "--json", "a.hcl"]);
    let password = host.read("/etc/secret");
    assert_eq!((password.len(), host.read("/etc/app.conf")), (32, format!("p={password}")));
    let again = host.uphold(&["apply", "a.hcl"]);
    let read = host.uphold(&["read", "password", "db", "path=/etc/secret"]);
    for ran in [plan, apply, again, read] {
        assert!(!ran.to_string().contains(&password), "{ran}");
    }
}

#[test]
fn certificates() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("certificates");
    host.ok("useradd ann && mkdir -p /etc/tls");
    let verify = "openssl verify -x509_strict -CAfile /etc/tls/ca.crt -verify_hostname www.example.org /etc/tls/web.crt";
    let openssl = |arguments: &str| {
        format!("openssl req -x509 -newkey ed25519 -nodes -days 99 {arguments} 2>/dev/null")
    };
    Story::of(&host, "an authority and what it signs")
        .wrong(&CONFIGURATION.replace("days = 90", "days = 20"), "due for renewal as soon as it is issued")
        .wrong(&CONFIGURATION.replace("\"www.example.org\"]", "\"w w\"]"), "must be host names")
        .configuration(CONFIGURATION)
        .drift("common_name", "cp -p /etc/tls/ca.crt /etc/tls/web.crt")
        .drift("subject", &openssl("-subj /CN=www.example.org/O=Other -keyout /dev/null -out /etc/tls/web.crt"))
        .drift("names", &openssl("-subj /CN=www.example.org -keyout /dev/null -out /etc/tls/web.crt"))
        .drift("is_ca", &openssl("-subj /CN=CA -addext basicConstraints=critical,CA:FALSE -keyout /dev/null -out /etc/tls/ca.crt"))
        .drift("valid", "rm /etc/tls/web.key")
        .drift("mode", "chmod 600 /etc/tls/web.crt")
        .drift("key_mode", "chmod 644 /etc/tls/web.key")
        .drift("owner", "chown root /etc/tls/web.key")
        .drift("group", "chgrp root /etc/tls/web.crt")
        .missing("rm /etc/tls/web.crt")
        .watch()
        .change_to(&CONFIGURATION.replace("Example\"", "Another\""), verify)
        .removed_by(REMOVED, "test -z \"$(ls /etc/tls)\"")
        .run();
}

const CONFIGURATION: &str = r#"
    certificate "/etc/tls/ca.crt" {
        key         = "/etc/tls/ca.key"
        common_name = "CA"
        is_ca       = true
        days        = 3650
    }
    certificate "/etc/tls/web.crt" {
        key         = "/etc/tls/web.key"
        common_name = "www.example.org"
        subject     = { O = "Example" }
        names       = ["example.org", "192.0.2.7", "www.example.org"]
        signed_by   = certificate["/etc/tls/ca.crt"].path
        signing_key = certificate["/etc/tls/ca.crt"].key
        days = 90
        mode        = "0644"
        owner       = "ann"
        group       = "ann"
    }
"#;

const REMOVED: &str = r#"
    certificate "/etc/tls/web.crt" {
        key    = "/etc/tls/web.key"
        action = "remove"
    }
    certificate "/etc/tls/ca.crt" {
        key    = "/etc/tls/ca.key"
        action = "remove"
    }
"#;
