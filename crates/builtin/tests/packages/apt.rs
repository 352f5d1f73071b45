//! A fake apt with a real but small database.

use std::path::Path;

use uphold_resource::{Access, FileEdits, Files, NewFile, Output};
use uphold_testkit::{Call, MemoryHost};

pub(crate) const STATUS: &str = "/var/lib/dpkg/status";
pub(crate) const STATES: &str = "/var/lib/apt/extended_states";

/// The available versions; apt prefers the last.
const OFFERS: [(&str, &[&str]); 4] =
    [("nginx", &["1.2", "1.10"]), ("curl", &["7.0"]), ("bad", &["1"]), ("new", &["1"])];

/// A machine with apt, on which curl 7.0 is installed.
pub(crate) fn machine(host: MemoryHost) -> MemoryHost {
    ["/var", "/var/lib", "/var/lib/dpkg", "/var/lib/apt", "/var/lib/apt/lists", "/etc", "/etc/apt"]
        .iter()
        .fold(host, |host, path| host.directory(path, 0o755))
        .directory("/etc/apt/keyrings", 0o755)
        .directory("/etc/apt/sources.list.d", 0o755)
        .file(
            STATUS,
            paragraph("dpkg", "1.21", "install ok installed")
                + &paragraph("curl", "7.0", "install ok installed"),
            0o644,
        )
        .file(STATES, "", 0o644)
        .fact("package_manager", "apt")
        .program("apt-get", apt_get)
        .program("apt-mark", apt_mark)
        .program("apt-cache", apt_cache)
}

/// The number of package changes by apt-get.
pub(crate) fn transactions(host: &MemoryHost) -> usize {
    host.writes().iter().filter(|write| write.path == Path::new("apt-get")).count()
}

pub(crate) fn paragraph(name: &str, version: &str, status: &str) -> String {
    format!("Package: {name}\nStatus: {status}\nArchitecture: amd64\nVersion: {version}\n\n")
}

/// The paragraphs of the database, by name.
fn packages(host: &MemoryHost) -> Vec<(String, String)> {
    let text = String::from_utf8(host.read(Path::new(STATUS), 0).expect("a database")).expect("text");
    let name = |paragraph: &str| {
        paragraph.lines().next().and_then(|line| line.split(": ").nth(1)).unwrap_or("").to_owned()
    };
    text.split_terminator("\n\n").map(|paragraph| (name(paragraph), format!("{paragraph}\n\n"))).collect()
}

fn write(host: &MemoryHost, path: &str, text: &str) {
    let access = Access { mode: Some(0o644), ..Access::default() };
    let file = NewFile::new(text.as_bytes(), access);
    // A cancelled run ends here.
    let _ = FileEdits::write(host, Path::new(path), &file);
}

/// Replaces or removes the paragraph of a package.
fn put(host: &MemoryHost, name: &str, paragraph: Option<String>) {
    let mut all = packages(host);
    all.retain(|(other, _)| other != name);
    all.extend(paragraph.map(|paragraph| (name.to_owned(), paragraph)));
    all.sort();
    write(host, STATUS, &all.into_iter().map(|(_, paragraph)| paragraph).collect::<String>());
}

/// A preferred release has the oldest versions.
fn apt_cache(call: &Call<'_>) -> Output {
    let args = &call.command.args;
    let names = args.iter().skip_while(|arg| *arg != "policy").skip(1);
    let old = args.iter().any(|arg| arg.starts_with("APT::Default-Release="));
    call.succeed(names.map(|name| policy(name, old)).collect::<String>())
}

fn policy(name: &str, old: bool) -> String {
    let Some((_, versions)) = OFFERS.iter().find(|(known, _)| *known == name) else { return String::new() };
    let table: String =
        versions.iter().rev().map(|version| format!("     {version} 500\n        500 x\n")).collect();
    let candidate = if old { versions.first() } else { versions.last() }.expect("a version");
    format!("{name}:\n  Installed: (none)\n  Candidate: {candidate}\n  Version table:\n{table}")
}

fn apt_get(call: &Call<'_>) -> Output {
    let args = &call.command.args;
    let verb =
        args.iter().position(|arg| ["install", "purge", "update"].contains(&arg.as_str())).expect("a verb");
    for word in &args[verb + 1..] {
        match (args[verb].as_str(), word.strip_suffix('-')) {
            ("purge", _) => put(call.host, word, None),
            (_, Some(name)) => put(call.host, name, Some(paragraph(name, "1", "deinstall ok config-files"))),
            (_, None) => {
                let (name, version) = word.split_once('=').unwrap_or((word, ""));
                if name == "bad" {
                    return call.fail(100, "E: it hurts");
                }
                let candidate =
                    OFFERS.iter().find(|(known, _)| *known == name).and_then(|(_, all)| all.last());
                let Some(candidate) = candidate else { return call.fail(100, "E: unable to locate") };
                let version = if version.is_empty() { candidate } else { version };
                put(call.host, name, Some(paragraph(name, version, "install ok installed")));
            }
        }
    }
    call.succeed("")
}

fn apt_mark(call: &Call<'_>) -> Output {
    let (verb, names) = call.command.args.split_first().expect("a verb");
    for name in names {
        let old = packages(call.host).into_iter().find(|(known, _)| known == name);
        let Some((_, old)) = old else { return call.fail(100, "E: unable to locate") };
        match verb.as_str() {
            "hold" => put(call.host, name, Some(old.replace("install ok", "hold ok"))),
            "unhold" => put(call.host, name, Some(old.replace("hold ok", "install ok"))),
            "auto" => write(
                call.host,
                STATES,
                &format!("Package: {name}\nArchitecture: amd64\nAuto-Installed: 1\n"),
            ),
            "manual" => write(call.host, STATES, ""),
            other => return call.fail(100, format!("E: {other}")),
        }
    }
    call.succeed("")
}
