//! The floor: the lowest possible cost of the same work. One thread that makes only the necessary system calls.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, chown, fchown};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use super::configuration::{Content, DIRECTORIES, DIRECTORY_MODE, FILE_MODE, directory_path, file_path};
use crate::failure::{Failure, Result};

mod together;
mod watch;

/// `xtask floor write|write-together|check|watch ROOT COUNT`, `xtask floor sleep JOBS COUNT`, or `xtask floor scan FILE TIMES`;
/// used by the benchmarks only.
pub(crate) fn run(words: &[&str]) -> Result {
    let [verb, root, count] = words else {
        return Err(Failure::new(
            "usage: xtask floor write|write-together|check|watch ROOT COUNT, xtask floor sleep JOBS COUNT, \
             xtask floor scan FILE TIMES",
        ));
    };
    let count = count.parse().map_err(|_| Failure::new(format!("`{count}` is not a number of files")))?;
    let done = match *verb {
        "write" => write_all(Path::new(root), count),
        "write-together" => together::write_all(Path::new(root), count),
        "scan" => scan(Path::new(root), count),
        "check" => check_all(Path::new(root), count),
        "watch" => watch::watch(Path::new(root), count),
        "sleep" => sleep_all(root, count),
        _ => return Err(Failure::new(format!("the floor has no verb `{verb}`"))),
    };
    done.map_err(|error| Failure::new(format!("floor {verb} in `{root}`: {error}")))
}

/// User and group of this process, which own everything that it writes.
pub(crate) fn owner() -> io::Result<(u32, u32)> {
    let own = fs::metadata("/proc/self")?;
    Ok((own.uid(), own.gid()))
}

pub(crate) fn below(root: &Path, path: &str) -> PathBuf {
    root.join(&path[1..])
}

fn write_all(root: &Path, count: usize) -> io::Result<()> {
    let owner = owner()?;
    let mut content = Content::new();
    fs::create_dir_all(below(root, "/srv"))?;
    for index in 0..DIRECTORIES {
        write_directory(&below(root, &directory_path(index)), owner)?;
    }
    (0..count).try_for_each(|index| write_file(&below(root, &file_path(index)), content.of(index), owner))
}

fn write_directory(path: &Path, (user, group): (u32, u32)) -> io::Result<()> {
    fs::create_dir(path)?;
    chown(path, Some(user), Some(group))?;
    fs::set_permissions(path, Permissions::from_mode(DIRECTORY_MODE))
}

/// Writes a temporary sibling, renames it into place, and syncs the file and its directory.
fn write_file(path: &Path, content: &str, (user, group): (u32, u32)) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    file.write_all(content.as_bytes())?;
    fchown(&file, Some(user), Some(group))?;
    file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary, path)?;
    File::open(path.parent().unwrap_or(path))?.sync_all()
}

/// Reads a file with read(2), and looks at each byte once.
fn scan(path: &Path, times: usize) -> io::Result<()> {
    for _ in 0..times {
        let mut file = File::open(path)?;
        let mut content = vec![0; file.metadata()?.len() as usize];
        file.read_exact(&mut content)?;
        let lines = content.iter().filter(|byte| **byte == b'\n').count();
        std::hint::black_box(lines);
    }
    Ok(())
}

/// Starts `sleep 0.01` `count` times, `jobs` at a time.
fn sleep_all(jobs: &str, count: usize) -> io::Result<()> {
    let jobs: usize = jobs.parse().map_err(|_| io::Error::other("JOBS is no number"))?;
    let left = AtomicUsize::new(count);
    let work = || -> io::Result<()> {
        while left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() {
            Command::new("sleep").arg("0.01").stdin(Stdio::null()).output()?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| io::Error::other("a thread died"))?)
    })
}

fn check_all(root: &Path, count: usize) -> io::Result<()> {
    let owner = owner()?;
    let mut content = Content::new();
    for index in 0..DIRECTORIES {
        check_metadata(&below(root, &directory_path(index)), DIRECTORY_MODE, owner)?;
    }
    (0..count).try_for_each(|index| check_file(&below(root, &file_path(index)), content.of(index), owner))
}

pub(crate) fn check_file(path: &Path, content: &str, owner: (u32, u32)) -> io::Result<()> {
    check_metadata(path, FILE_MODE, owner)?;
    // One byte more than expected detects a longer file without a second read.
    let mut buffer = [0_u8; 1025];
    let length = File::open(path)?.read(&mut buffer)?;
    if &buffer[..length] == content.as_bytes() { Ok(()) } else { Err(differs(path, "content")) }
}

pub(crate) fn check_metadata(path: &Path, mode: u32, owner: (u32, u32)) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    if found.mode() & 0o7777 != mode {
        return Err(differs(path, "mode"));
    }
    if (found.uid(), found.gid()) == owner { Ok(()) } else { Err(differs(path, "owner or group")) }
}

fn differs(path: &Path, what: &str) -> io::Error {
    io::Error::other(format!("the {what} of `{}` is not as declared", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk;

    #[test]
    fn check_accepts_only_the_written_files() {
        let root = std::env::temp_dir().join(format!("xtask-floor-{}", std::process::id()));
        let name = root.display().to_string();
        for verb in ["write-together", "write"] {
            disk::remove_tree(&root).unwrap();
            disk::make_directory(&root).unwrap();
            run(&[verb, &name, "150"]).unwrap();
            run(&["check", &name, "150"]).unwrap();
        }
        let file = below(&root, &file_path(149));

        let refused = |part: &str| {
            let failure = run(&["check", &name, "150"]).unwrap_err().to_string();
            assert!(failure.contains(part), "{failure}");
        };
        fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        refused("the mode of");
        fs::set_permissions(&file, Permissions::from_mode(FILE_MODE)).unwrap();
        fs::write(&file, format!("{}x", Content::new().of(149))).unwrap();
        refused("the content of");
        fs::remove_file(&file).unwrap();
        refused("No such file");
        disk::remove_tree(&root).unwrap();
    }

    #[test]
    fn words_are_checked() {
        for (words, part) in [
            (&["write"][..], "usage"),
            (&["write", "/x", "many"], "`many` is not a number"),
            (&["fly", "/x", "1"], "no verb `fly`"),
        ] {
            let failure = run(words).unwrap_err().to_string();
            assert!(failure.contains(part), "{failure}");
        }
    }
}
