//! Fakes of the tools that mount, format and swap. Their state is in the files that the real ones use.

use std::path::Path;

use uphold_resource::{Access, Files, NewFile, Output};
use uphold_testkit::MemoryHost;

use uphold_testkit::Call;

const MOUNTINFO: &str = "/proc/self/mountinfo";
const SWAPS: &str = "/proc/swaps";

/// A machine with disks and the fake tools.
pub(crate) fn world(host: MemoryHost) -> MemoryHost {
    let host = host.directory("/proc", 0o755).directory("/proc/self", 0o755);
    let host = host.file(MOUNTINFO, "1 1 8:1 / / rw - ext4 /dev/sda1 rw\n", 0o444);
    let host = host.file(SWAPS, "Filename Type Size Used Priority\n", 0o444);
    let host = host.directory("/etc", 0o755).directory("/srv", 0o755).directory("/dev", 0o755);
    let host = host.file("/etc/fstab", "# the table\n/dev/sda1 / ext4 errors=remount-ro 0 1\n", 0o644);
    let host = host.program("mount", mount).program("umount", unmount);
    let host = host
        .program("blkid", probe)
        .program("mkfs.ext4", format)
        .program("mkfs.xfs", format)
        .program("xfs_admin", tune);
    let host = host.program("tune2fs", tune).program("wipefs", |call| write(call, device(call), ""));
    let host = host.program("fallocate", |call| {
        let size: usize = call.command.args[1].parse().expect("a size");
        write(call, device(call), &"0".repeat(size))
    });
    let host = host.program("mkswap", sign_swap).program("swaplabel", sign_swap).program("mv", rename);
    host.program("swapon", start_swap).program("swapoff", stop_swap)
}

pub(crate) fn read(call: &Call<'_>, path: &str) -> String {
    String::from_utf8_lossy(&call.host.read(Path::new(path), 0).unwrap_or_default()).into_owned()
}

/// Writes the text unless it is already there, and returns the output of the tool.
pub(crate) fn write(call: &Call<'_>, path: &str, text: &str) -> Output {
    if read(call, path) == text && call.host.look(Path::new(path)).is_ok_and(|found| found.is_some()) {
        return call.succeed("");
    }
    let access = Access::default();
    let file = NewFile::new(text.as_bytes(), access);
    end(call, call.host.act().edits().write(Path::new(path), &file))
}

pub(crate) fn end(call: &Call<'_>, result: uphold_resource::Result<()>) -> Output {
    match result {
        Ok(()) => call.succeed(""),
        Err(error) => call.fail(1, error.chain()),
    }
}

/// The last argument.
fn device<'c>(call: &Call<'c>) -> &'c str {
    call.command.args.last().expect("a device")
}

fn after<'c>(call: &Call<'c>, flag: &str) -> Option<&'c str> {
    let at = call.command.args.iter().position(|word| word == flag)?;
    call.command.args.get(at + 1).map(String::as_str)
}

fn without(table: &str, point: &str) -> String {
    let others = table.lines().filter(|line| line.split(' ').nth(4) != Some(point));
    others.map(|line| format!("{line}\n")).collect()
}

fn mount(call: &Call<'_>) -> Output {
    let [.., source, point] = &*call.command.args else { return call.fail(1, "usage") };
    let point = &point.replace(' ', "\\040");
    let table = read(call, MOUNTINFO);
    let options = after(call, "-o").unwrap_or_default();
    let shown = |options: &str| {
        if options.split(',').any(|word| word == "ro") { "ro" } else { "rw" }.to_owned() + "," + options
    };
    let line = match options.strip_prefix("remount,") {
        Some(options) => {
            let old = table.lines().find(|line| line.split(' ').nth(4) == Some(point)).unwrap_or_default();
            let mut fields: Vec<&str> = old.split(' ').collect();
            let options = shown(options);
            fields[5] = &options;
            fields.join(" ")
        }
        None => {
            let fstype = after(call, "-t").unwrap_or("auto");
            format!("2 1 0:9 / {point} {} - {fstype} {source} rw", shown(options))
        }
    };
    write(call, MOUNTINFO, &format!("{}{line}\n", without(&table, point)))
}

fn unmount(call: &Call<'_>) -> Output {
    let table = read(call, MOUNTINFO);
    write(call, MOUNTINFO, &without(&table, &device(call).replace(' ', "\\040")))
}

/// The content of a fake device is its signature: `TYPE=…` and so on.
fn probe(call: &Call<'_>) -> Output {
    match read(call, device(call)) {
        text if text.contains("TYPE=") => call.succeed(text.trim_start_matches('0')),
        _ => call.fail(2, ""),
    }
}

fn format(call: &Call<'_>) -> Output {
    let fstype = call.command.program.trim_start_matches("mkfs.");
    let uuid = after(call, "-U")
        .or_else(|| after(call, "-m")?.strip_prefix("uuid="))
        .unwrap_or("12345678-0000-0000-0000-000000000000");
    let label = after(call, "-L").map(|label| format!("LABEL={label}\n")).unwrap_or_default();
    write(call, device(call), &format!("TYPE={fstype}\nUUID={uuid}\n{label}"))
}

fn tune(call: &Call<'_>) -> Output {
    let old = read(call, device(call));
    let (key, value) = match (after(call, "-L"), after(call, "-U")) {
        (Some(label), _) => ("LABEL=", label),
        (None, uuid) => ("UUID=", uuid.unwrap_or_default()),
    };
    let kept: String =
        old.lines().filter(|line| !line.starts_with(key)).map(|line| format!("{line}\n")).collect();
    write(call, device(call), &format!("{kept}{key}{value}\n"))
}

/// Keeps the size: the signature is at the end.
fn sign_swap(call: &Call<'_>) -> Output {
    let size = read(call, device(call)).len();
    let label = after(call, "--label").map(|label| format!("LABEL={label}\n")).unwrap_or_default();
    let signature = format!("\nTYPE=swap\n{label}");
    write(call, device(call), &format!("{}{signature}", "0".repeat(size.saturating_sub(signature.len()))))
}

fn rename(call: &Call<'_>) -> Output {
    let [.., from, to] = &*call.command.args else { return call.fail(1, "usage") };
    let content = read(call, from);
    match write(call, to, &content) {
        moved if moved.success() => end(call, call.host.act().edits().remove_file(Path::new(from))),
        failed => failed,
    }
}

fn start_swap(call: &Call<'_>) -> Output {
    let priority = after(call, "--priority").unwrap_or("-2");
    let table = read(call, SWAPS);
    write(call, SWAPS, &format!("{table}{} file 1 0 {priority}\n", device(call)))
}

fn stop_swap(call: &Call<'_>) -> Output {
    let table = read(call, SWAPS);
    let others = table.lines().filter(|line| !line.starts_with(&format!("{} ", device(call))));
    write(call, SWAPS, &others.map(|line| format!("{line}\n")).collect::<String>())
}
