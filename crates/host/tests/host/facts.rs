use std::os::unix::fs::symlink;
use std::process::Command;

use uphold_host::LocalHost;
use uphold_resource::{ErrorKind, FACTS, Facts, Type, Value};

use super::ground::{Ground, chmod, skipped};

fn fact(host: &LocalHost, name: &str) -> Value {
    host.fact(name).unwrap_or_else(|error| panic!("{}", error.chain()))
}

/// Whether a value has this type, including nested values.
fn fits(value: &Value, ty: &Type) -> bool {
    let member = |name: &str, ty| value.at(&[name]).is_some_and(|member| fits(&member, ty));
    match (value, ty) {
        (Value::Null, Type::Nullable(_)) => true,
        (value, Type::Nullable(inner)) => fits(value, inner),
        (Value::Text(word), Type::Enum(words)) => words.contains(&&**word),
        (Value::Int(number), Type::Int(min, max)) => (min..=max).contains(&number),
        (Value::List(items), Type::List(inner)) => items.iter().all(|item| fits(item, inner)),
        (Value::Map(map), Type::Map(inner)) => map.values().all(|item| fits(item, inner)),
        (Value::Map(map), Type::Struct(properties)) => {
            map.len() == properties.len()
                && properties.iter().all(|property| member(property.name, property.ty))
        }
        (value, ty) => value.shape().is_some() && value.shape() == ty.shape(),
    }
}

#[test]
fn this_machine_has_every_fact() {
    let host = LocalHost::new();
    for schema in FACTS {
        let value = fact(&host, schema.name);
        assert!(fits(&value, schema.ty), "{} = {value}, not {}", schema.name, schema.ty);
        assert_eq!(fact(&host, schema.name), value, "{}", schema.name);
    }
}

/// The output of a program; `None` if it is not installed.
fn output_of(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success());
    if output.is_none() {
        skipped("facts", &format!("{program} is not installed"));
    }
    Some(String::from_utf8(output?.stdout).unwrap().trim().to_owned())
}

#[test]
fn facts_agree_with_other_programs() {
    let host = LocalHost::new();
    let check = |name: &str, program: &str, args: &[&str]| {
        let value = fact(&host, name);
        let text = match &value {
            Value::Text(text) => text.to_string(),
            value => value.to_string(),
        };
        assert!(output_of(program, args).is_none_or(|output| output == text), "{name} = {value}");
    };
    check("hostname", "uname", &["-n"]);
    check("kernel.name", "uname", &["-s"]);
    check("kernel.release", "uname", &["-r"]);
    check("kernel.version", "uname", &["-v"]);
    check("architecture", "uname", &["-m"]);
    check("cpu.count", "getconf", &["_NPROCESSORS_ONLN"]);
    check("user.uid", "id", &["-u"]);
    check("user.name", "id", &["-un"]);
    check("os.id", "sh", &["-c", ". /etc/os-release && echo $ID"]);
    check("os.pretty_name", "sh", &["-c", ". /etc/os-release && echo \"$PRETTY_NAME\""]);
    check("memory.total", "sh", &["-c", "echo $(($(getconf _PHYS_PAGES) * $(getconf PAGESIZE)))"]);
    let started = "date -u -d @$(awk '/^btime/ { print $2 }' /proc/stat) +%Y-%m-%dT%H:%M:%SZ";
    check("boot_time", "sh", &["-c", started]);
    check("time.date", "date", &["+%F"]);
    check("time.hour", "date", &["+%-H"]);
    check("time.weekday", "sh", &["-c", "LC_ALL=C date +%A | tr A-Z a-z"]);
    check("user.home", "sh", &["-c", "getent passwd $(id -u) | cut -d: -f6"]);
}

/// `ip` reports the same interfaces and addresses.
#[test]
fn network_facts_agree_with_ip() {
    let host = LocalHost::new();
    let Some(lines) = output_of("ip", &["-o", "addr"]) else { return };
    let interfaces = fact(&host, "network.interfaces");
    for line in lines.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = words[1].split('@').next().unwrap();
        let Some(Value::List(addresses)) = interfaces.at(&[name, "addresses"]) else { panic!("{line}") };
        let address = if words[3].contains('/') { words[3].to_owned() } else { continue };
        assert!(addresses.contains(&Value::from(address)), "{line}: {addresses:?}");
    }
    for line in output_of("ip", &["-o", "link"]).unwrap_or_default().lines() {
        let name = line.split_whitespace().nth(1).unwrap().trim_end_matches(':').split('@').next().unwrap();
        let after = |word: &str| line.split(word).nth(1).and_then(|rest| rest.split_whitespace().next());
        let mtu = Value::Int(after(" mtu ").unwrap().parse().unwrap());
        assert_eq!(interfaces.at(&[name, "mtu"]), Some(mtu), "{line}");
        if let Some(mac) = after("link/ether ") {
            assert_eq!(interfaces.at(&[name, "mac"]), Some(Value::text(mac)), "{line}");
        }
        let up = line.split(['<', '>']).nth(1).unwrap().split(',').any(|flag| flag == "UP");
        assert_eq!(interfaces.at(&[name, "up"]), Some(Value::Bool(up)), "{line}");
    }
    let routes = output_of("ip", &["-o", "-4", "route", "show", "default"]).unwrap_or_default();
    let gateway = routes.split_whitespace().skip_while(|word| *word != "via").nth(1);
    if let Some(gateway) = gateway {
        assert_eq!(fact(&host, "network.gateway"), Value::text(gateway));
    }
    let route = output_of("ip", &["-o", "-4", "route", "get", "192.0.2.200"]).unwrap_or_default();
    let source = route.split_whitespace().skip_while(|word| *word != "src").nth(1);
    if let (Some(source), Some(_)) = (source, gateway) {
        assert_eq!(fact(&host, "network.ipv4"), Value::text(source));
    }
}

#[test]
fn refuses_unknown_facts() {
    let host = LocalHost::new();
    for name in ["", "os", "os.", "os.family.x", "network", "password"] {
        assert_eq!(host.fact(name).unwrap_err().kind(), ErrorKind::Invalid, "{name:?}");
    }
    assert_eq!(host.fact("hostnam").unwrap_err().advice(), Some("did you mean hostname?"));
}

#[test]
fn many_threads_get_the_same_values() {
    let host = LocalHost::new();
    let all = || FACTS.iter().map(|schema| fact(&host, schema.name)).collect::<Vec<_>>();
    let answers = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(all)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

/// A root with an Alpine system.
fn alpine() -> Ground {
    let ground = Ground::new();
    for directory in ["etc", "sbin", "usr/share/zoneinfo/Asia", "bin"] {
        ground.directory(directory, 0o755);
    }
    ground.file("etc/os-release", "ID=alpine\nNAME=\"Alpine Linux\"\nVERSION_ID=3.20.1\n", 0o644);
    ground.file("etc/hostname", "edge\n", 0o644);
    ground.file("etc/hosts", "127.0.0.1 localhost\n127.0.1.1 edge.example.net edge\n", 0o644);
    ground.file("etc/machine-id", "00112233445566778899aabbccddeeff\n", 0o444);
    ground.file("etc/passwd", "superuser:x:0:0::/superuser:/bin/sh\n", 0o644);
    symlink("/usr/share/zoneinfo/Asia/Tokyo", ground.path("etc/localtime")).unwrap();
    ground.file("bin/busybox", "", 0o755);
    symlink("/bin/busybox", ground.path("sbin/init")).unwrap();
    ground.file("sbin/openrc", "", 0o755);
    ground.file("sbin/apk", "", 0o755);
    ground
}

fn rooted(ground: &Ground) -> LocalHost {
    LocalHost::rooted(&ground.path("")).unwrap()
}

#[test]
fn facts_of_a_root_come_from_its_files() {
    let ground = alpine();
    let host = rooted(&ground);
    let check = |name: &str, expected: Value| assert_eq!(fact(&host, name), expected, "{name}");
    check("hostname", Value::text("edge"));
    check("fqdn", Value::text("edge.example.net"));
    check("domain", Value::text("example.net"));
    check("machine_id", Value::text("00112233445566778899aabbccddeeff"));
    check("timezone", Value::text("Asia/Tokyo"));
    check("os.family", Value::text("alpine"));
    check("os.name", Value::text("Alpine Linux"));
    check("os.version", Value::text("3.20.1"));
    check("os.codename", Value::Null);
    check("os.pretty_name", Value::text("Linux"));
    check("init", Value::text("openrc"));
    check("package_manager", Value::text("apk"));
    for kernels in ["kernel.release", "cpu.count", "memory.total", "network.interfaces", "virtualization"] {
        check(kernels, fact(&LocalHost::new(), kernels));
    }
}

#[test]
fn an_empty_root_reports_missing_files() {
    let ground = Ground::new();
    let host = rooted(&ground);
    for name in ["hostname", "fqdn", "domain", "machine_id", "package_manager", "user.name", "user.home"] {
        assert_eq!(fact(&host, name), Value::Null, "{name}");
    }
    assert_eq!(fact(&host, "timezone"), Value::text("UTC"));
    assert_eq!(fact(&host, "init"), Value::text("none"));
    let error = host.fact("os.family").unwrap_err();
    let expected = "cannot determine os.family: neither /etc/os-release nor /usr/lib/os-release exists";
    assert_eq!((error.kind(), error.chain().as_str()), (ErrorKind::Missing, expected));
    assert_eq!(host.fact("os.family").unwrap_err().chain(), expected, "asked again");
}

#[test]
fn reads_a_fact_once() {
    let ground = alpine();
    let host = rooted(&ground);
    assert_eq!(fact(&host, "hostname"), Value::text("edge"));
    assert_eq!(fact(&host, "os.id"), Value::text("alpine"));
    ground.file("etc/hostname", "other\n", 0o644);
    ground.file("etc/os-release", "ID=void\nNAME=Void\n", 0o644);
    assert_eq!(fact(&host, "hostname"), Value::text("edge"));
    assert_eq!(fact(&host, "os.name"), Value::text("Alpine Linux"), "facts of one file agree");
    assert_eq!(fact(&rooted(&ground), "hostname"), Value::text("other"));
}

#[test]
fn recognises_init_systems_and_package_managers() {
    let check = |files: &[&str], init_is: &str, init: &str, manager: Value| {
        let ground = Ground::new();
        for file in files {
            let path = ground.path(file);
            ground.directory(path.parent().unwrap().to_str().unwrap(), 0o755);
            ground.file(file, "", 0o755);
        }
        ground.directory("sbin", 0o755);
        if !init_is.is_empty() {
            symlink(init_is, ground.path("sbin/init")).unwrap();
        }
        let host = rooted(&ground);
        assert_eq!(fact(&host, "init"), Value::text(init), "{files:?}");
        assert_eq!(fact(&host, "package_manager"), manager, "{files:?}");
    };
    let systemd = "../lib/systemd/systemd";
    check(&["lib/systemd/systemd", "usr/bin/apt-get"], systemd, "systemd", Value::text("apt"));
    check(&["usr/bin/dnf", "usr/bin/yum"], systemd, "systemd", Value::text("dnf"));
    check(&["usr/bin/zypper", "sbin/init"], "", "sysvinit", Value::text("zypper"));
    check(&["bin/busybox"], "/bin/busybox", "busybox", Value::Null);
    check(&["usr/bin/xbps-install", "sbin/runit-init"], "runit-init", "runit", Value::text("xbps"));
}

/// The distribution's own package manager comes first, and a file that is no program does not count.
#[test]
fn prefers_the_own_package_manager() {
    let ground = alpine();
    ground.directory("usr/bin", 0o755);
    ground.file("usr/bin/apt-get", "", 0o755);
    assert_eq!(fact(&rooted(&ground), "package_manager"), Value::text("apk"));
    chmod(&ground.path("sbin/apk"), 0o644);
    assert_eq!(fact(&rooted(&ground), "package_manager"), Value::text("apt"));
}

#[test]
fn time_zones() {
    let check = |prepare: &dyn Fn(&Ground), expected: Option<&str>| {
        let ground = Ground::new();
        ground.directory("etc", 0o755);
        prepare(&ground);
        let zone = rooted(&ground).fact("timezone").ok();
        assert_eq!(zone, expected.map(Value::from));
    };
    let link =
        |target: &'static str| move |ground: &Ground| symlink(target, ground.path("etc/localtime")).unwrap();
    check(&link("../usr/share/zoneinfo/Etc/UTC"), Some("Etc/UTC"));
    check(&|ground| drop(ground.file("etc/timezone", "Europe/Rome\n", 0o644)), Some("Europe/Rome"));
    check(&|ground| drop(ground.file("etc/localtime", "TZif2", 0o644)), None);
}

/// The rules of the zone are the root's own; without any it is UTC.
#[test]
fn the_time_of_day_is_that_of_the_zone() {
    let ground = Ground::new();
    ground.directory("etc", 0o755);
    let hour = |ground: &Ground| rooted(ground).fact("time.hour");
    let utc = |offset: i64| {
        let output_of = output_of("date", &["-u", "+%-H"]).and_then(|hour| hour.parse::<i64>().ok())?;
        Some(Value::Int((output_of + offset).rem_euclid(24)))
    };
    assert!(utc(0).is_none_or(|expected| hour(&ground).unwrap() == expected));
    ground.file("etc/localtime", "no zone", 0o644);
    assert_eq!(hour(&ground).unwrap_err().kind(), ErrorKind::Failed);
    let footer = b"\nFIV-5\n";
    let header = |version: &[u8]| [b"TZif", version, &[0; 15], &[0; 16], &[0, 0, 0, 1, 0, 0, 0, 4]].concat();
    let body = [&18000_i32.to_be_bytes()[..], &[0, 0], b"FIV\0"].concat();
    let zone = [header(b"2"), body.clone(), header(b"2"), body, footer.to_vec()].concat();
    ground.file("etc/localtime", &String::from_utf8(zone).unwrap(), 0o644);
    assert!(utc(5).is_none_or(|expected| hour(&ground).unwrap() == expected));
}
