//! Fakes of the tools that change kernel settings and generate locales.

use uphold_resource::{Access, Output, Value};
use uphold_testkit::{Call, MemoryHost};

use super::disk_tools::{end, read, write};

const ARCHIVE: &str = "/usr/lib/locale/locale-archive";

/// A machine with kernel settings, modules, locales and time zones.
pub(crate) fn world(host: MemoryHost) -> MemoryHost {
    let directories = [
        "/etc",
        "/etc/default",
        "/proc",
        "/proc/sys",
        "/proc/sys/net",
        "/proc/sys/kernel",
        "/sys",
        "/sys/module",
        "/usr",
        "/usr/lib",
        "/usr/lib/locale",
        "/usr/share",
        "/usr/share/zoneinfo",
        "/usr/share/zoneinfo/Europe",
    ];
    let host = directories.into_iter().fold(host, |host, path| host.directory(path, 0o755));
    let host = host.file("/proc/sys/net/forward", "0\n", 0o644).file("/proc/sys/net/range", "1\t2\n", 0o644);
    let host = host.file("/proc/sys/kernel/hostname", "old\n", 0o644).file(
        "/etc/hosts",
        "127.0.0.1 localhost\n",
        0o644,
    );
    let host =
        host.file("/usr/share/zoneinfo/UTC", "", 0o644).file("/usr/share/zoneinfo/Europe/Vienna", "", 0o644);
    let host = host.file("/etc/locale.gen", "# de_AT.UTF-8 UTF-8\n# fr_FR.UTF-8 UTF-8\n", 0o644);
    let host = host.file(ARCHIVE, "C\nC.utf8\nPOSIX\n", 0o644);
    let host = host.program("tee", set).program("hostname", rename).program("modprobe", probe);
    let host = host.program("locale", |call| call.succeed(read(call, ARCHIVE)));
    host.program("locale-gen", generate)
}

fn set(call: &Call<'_>) -> Output {
    let value = call.command.stdin.clone().unwrap_or_default();
    write(call, &call.command.args[0], &String::from_utf8_lossy(&value))
}

fn rename(call: &Call<'_>) -> Output {
    write(call, "/proc/sys/kernel/hostname", &format!("{}\n", call.command.args[0]))
}

/// A loaded module has a directory.
fn probe(call: &Call<'_>) -> Output {
    let module = call.command.args.last().expect("a module");
    let path = format!("/sys/module/{module}");
    if call.command.args.len() > 1 {
        return end(call, call.host.act().edits().remove_tree(path.as_ref()));
    }
    match call.host.act().edits().make_directory(path.as_ref(), &Access::default()) {
        Ok(()) => write(call, &format!("{path}/initstate"), "live\n"),
        failed => end(call, failed),
    }
}

fn generate(call: &Call<'_>) -> Output {
    let listed = read(call, "/etc/locale.gen");
    let names =
        listed.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split(' ').next());
    let made: String = names.map(|name| format!("{}\n", name.replace("UTF-8", "utf8"))).collect();
    write(call, ARCHIVE, &format!("C\nC.utf8\nPOSIX\n{made}"))
}

/// A map of strings.
pub(crate) fn map(entries: &[(&str, &str)]) -> Value {
    Value::map(entries.iter().map(|(name, value)| (*name, Value::text(*value))))
}
