//! Single values in existing files: JSON, YAML, TOML and INI.

use uphold_testbed::{Bed, Story};

const FILES: &str = r#"
    mkdir -p /etc/app
    printf '{\n  // kept\n  "log": {"level": "info"},\n  "list": [1]\n}\n' >/etc/app/a.json
    printf '# kept\nnetwork:\n  version: 2 # two\n  ethernets: {}\n' >/etc/app/a.yaml
    printf '# kept\ntitle = "x"\n\n[server]\nport = 80 # web\n' >/etc/app/a.toml
    printf '# kept\n[Journal]\n#SystemMaxUse=\nStorage=auto\n' >/etc/app/a.conf
"#;

#[test]
fn documents() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("documents");
    host.ok(FILES);
    Story::of(&host, "one value in each of four formats")
        .wrong(r#"json_edit "x" { value = 1 }"#, "`file` is required")
        .wrong(
            r#"json_edit "x" {
                file  = "/etc/app/a.yaml"
                key   = "a"
                value = 1
            }"#,
            "the file is not valid JSON: line 1, column 1",
        )
        .wrong(
            r#"yaml_edit "x" {
                file  = "/etc/app/none.yaml"
                key   = "a"
                value = 1
            }"#,
            "create = true",
        )
        .wrong(
            r#"
            ini "a" {
                file  = "/etc/app/a.conf"
                key   = "k"
                value = 1
            }
            ini "b" {
                file  = "/etc/app/a.conf"
                key   = "k"
                value = 2
            }
            "#,
            "both manage key k of /etc/app/a.conf",
        )
        .configuration(CONFIGURATION)
        .drift("value", r#"sed -i 's/"debug"/"error"/' /etc/app/a.json"#)
        .drift("value", "sed -i 's/dhcp4: true/dhcp4: false/' /etc/app/a.yaml")
        .drift("value", "sed -i 's/8080/8081/' /etc/app/a.toml")
        .drift("value", "sed -i 's/^SystemMaxUse=1G/SystemMaxUse=2G/' /etc/app/a.conf")
        .missing("sed -i '/SystemMaxUse=1G/d' /etc/app/a.conf")
        .missing("rm /etc/app/new.json")
        .watch()
        .change_to(&CONFIGURATION.replace("8080", "9090"), "grep -q 'port = 9090 # web' /etc/app/a.toml")
        .removed_by(
            &CONFIGURATION.replace("value ", "action = \"remove\"\n value "),
            "! grep -q SystemMaxUse=1G /etc/app/a.conf",
        )
        .run();
    assert_eq!(host.ok("cat /etc/app/a.*"), AFTERWARDS);
}

/// The initial documents without the removed keys.
const AFTERWARDS: &str = r#"# kept
[Journal]
#SystemMaxUse=
Storage=auto

[Extra]
{
  // kept
  "log": {},
  "list": [1]
}
# kept
title = "x"

[server]
# kept
network:
  version: 2 # two
  ethernets: {eth0: {}}
"#;

const CONFIGURATION: &str = r#"
    json_edit "log level" {
        file  = "/etc/app/a.json"
        key   = "log.level"
        value = "debug"
    }
    json_edit "second" {
        file  = "/etc/app/a.json"
        key   = "list[1]"
        value = { a = [true, null] }
    }
    json_edit "new file" {
        file   = "/etc/app/new.json"
        key    = ["a.b", "c"]
        value  = 1.5
        create = true
    }
    yaml_edit "dhcp" {
        file  = "/etc/app/a.yaml"
        key   = "network.ethernets.eth0.dhcp4"
        value = true
    }
    toml_edit "port" {
        file  = "/etc/app/a.toml"
        key   = "server.port"
        value = 8080
    }
    ini "size" {
        file    = "/etc/app/a.conf"
        section = "Journal"
        key     = "SystemMaxUse"
        value   = "1G"
    }
    ini "several" {
        file    = "/etc/app/a.conf"
        section = "Extra"
        key     = "Name"
        value   = ["a", "b"]
    }
"#;
