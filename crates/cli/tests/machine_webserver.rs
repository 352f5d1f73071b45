//! The web server example on a host booted with systemd: applied, changed in all its parts, repaired by `apply` and
//! by `watch`.

use uphold_testbed::{Bed, Host, Package, Repository, Story};

/// The files of the example.
const FILES: [(&str, &str); 3] = [
    ("main.hcl", include_str!("../../../examples/webserver/main.hcl")),
    ("index.html.j2", include_str!("../../../examples/webserver/index.html.j2")),
    ("site.conf.j2", include_str!("../../../examples/webserver/site.conf.j2")),
];

/// Ten changes at once, to every part of the server.
const WRECKED: &str = "usermod -s /bin/bash web
    apt-get -qy remove tinyweb
    systemctl disable -q --now tinyweb
    rm /etc/systemd/system/tinyweb.service /etc/apt/sources.list.d/site.sources
    rm -r /srv/www
    chmod 600 /etc/tinyweb/site.conf
    echo '[site]' >/etc/tinyweb/site.conf
    crontab -u web -r
    nft flush ruleset";

/// A shell condition: the server serves its page on this port under this name. It reloads its settings with a delay.
fn serves(port: u16, name: &str) -> String {
    format!(
        "for i in $(seq 50); do
            curl -si --max-time 5 http://localhost:{port}/ | tr -d '\\r' >/tmp/answer
            grep -qx 'X-Site: {name}' /tmp/answer && grep -qx '<h1>Welcome to {name}</h1>' /tmp/answer && exit 0
            sleep 0.1
        done; cat /tmp/answer; exit 1"
    )
}

/// A repository with the server package.
fn repository(bed: &Bed) -> Repository {
    let mut repository = Repository::new(bed);
    let server = Package::new("tinyweb", "1.0")
        .depends("python3")
        .program("/usr/sbin/tinyweb", include_str!("machine_webserver/tinyweb.py"))
        .file("/etc/tinyweb/README", "Settings of tinyweb.\n");
    repository.add(&[server]);
    repository
}

/// A host with systemd and the example, which is not applied yet.
fn host(bed: &Bed, repository: &Repository, name: &str) -> Host {
    let host = bed.host(name).bind(repository.directory(), Repository::PATH).systemd();
    repository.sign(&host);
    // The caches of apt are large, and a story reads all files that a host has written many times.
    host.write("/etc/apt/apt.conf.d/no-cache", "Dir::Cache { pkgcache \"\"; srcpkgcache \"\"; };\n");
    FILES.iter().for_each(|(name, text)| host.write(&format!("{}/{name}", Host::SITE), text));
    host
}

#[test]
fn the_example_is_applied_and_watched() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let repository = repository(&bed);
    let host = host(&bed, &repository, "webserver");
    Story::of(&host, "examples/webserver")
        .wrong(&FILES[0].1.replace("8080", "80800"), "a port is a number from 1 to 65535")
        .configuration(FILES[0].1)
        .holds(&serves(8080, "www.example.org"))
        .holds("systemctl is-active -q tinyweb && systemctl is-enabled -q tinyweb")
        .holds("crontab -u web -l | grep -q localhost:8080 && nft list table inet web | grep -q 8080")
        .drift("shell", "usermod -s /bin/bash web")
        .drift("comment", "usermod -c Mallory web")
        .drift("content", "echo >>/etc/apt/keyrings/site.asc")
        .drift("uris", "sed -i s,srv/repo,srv/other, /etc/apt/sources.list.d/site.sources")
        .missing("apt-get -qy remove tinyweb")
        .drift("mode", "chmod 777 /srv/www")
        .drift("owner", "chown root /srv/www/index.html")
        .drift("content", "echo defaced >/srv/www/index.html")
        .missing("rm /srv/www/index.html")
        .drift("purge", "echo '<?php' >/srv/www/shell.php")
        .drift("content", "sed -i s/example/evil/ /etc/tinyweb/site.conf && systemctl reload tinyweb")
        .drift("mode", "chmod 600 /etc/tinyweb/site.conf")
        .drift("content", "sed -i '/^User=/d' /etc/systemd/system/tinyweb.service")
        // A repair that is quicker than the command cancels its job.
        .drift("running", "systemctl stop tinyweb || true")
        .drift("enabled", "systemctl disable -q tinyweb")
        .drift("schedule", "crontab -u web -l | sed 's,[*]/5,*/50,' | crontab -u web -")
        .missing("crontab -u web -r")
        .drift("ruleset", "nft add rule inet web input tcp dport 23 accept")
        .missing("nft flush ruleset")
        .missing(WRECKED)
        .watch()
        .run();
}

/// Another name or port reloads the server without a restart; everything else that uses the port follows.
#[test]
fn a_param_reaches_all_that_depends_on_it() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let repository = repository(&bed);
    let host = host(&bed, &repository, "webserver-params");
    let apply = |params: &[&str]| {
        let ran = host.uphold(&[&["apply", "."], params].concat());
        assert_eq!(ran.status, 0, "{ran}");
        (host.ok("systemctl show -P MainPID tinyweb"), ran.stdout)
    };
    let (pid, _) = apply(&[]);
    host.ok(&serves(8080, "www.example.org"));
    assert_eq!(apply(&["--param", "name=new.example.org"]).0, pid, "it is reloaded, not restarted");
    host.ok(&serves(8080, "new.example.org"));
    let (same, printed) = apply(&["--param", "port=8081"]);
    assert_eq!(same, pid, "it is reloaded, not restarted");
    assert!(printed.contains("http://www.example.org:8081/"), "{printed}");
    host.ok(&serves(8081, "www.example.org"));
    host.ok("crontab -u web -l | grep -q localhost:8081 && nft list table inet web | grep -q 8081");
}
