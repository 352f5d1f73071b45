//! Files that no run needs any more: temporary files of killed processes, and old copies of damaged files.

use crate::failure::{Attempt, Result};
use crate::storage::{Storage, StoredFile};
use crate::time::Time;

/// A younger temporary file may belong to a process that runs.
const TEMPORARY_DAYS: u32 = 1;
const DAMAGED_DAYS: u32 = 90;

/// Removes those of a folder, whose files the caller has listed.
pub(crate) fn remove_leftovers(
    storage: &dyn Storage,
    folder: &str,
    files: &[StoredFile],
    now: Time,
) -> Result<()> {
    for file in files.iter().filter(|file| is_leftover(file, now)) {
        let name = if folder.is_empty() { file.name.clone() } else { format!("{folder}/{}", file.name) };
        storage.remove(&name).attempt("remove", &name)?;
    }
    Ok(())
}

fn is_leftover(file: &StoredFile, now: Time) -> bool {
    let is_temporary = file.name.starts_with('.') && file.name.ends_with(".tmp");
    let is_damaged = file.name.contains(".damaged-");
    !file.is_folder
        && (is_temporary && file.modified < now.days_before(TEMPORARY_DAYS)
            || is_damaged && file.modified < now.days_before(DAMAGED_DAYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Durability, MemoryStorage};
    use crate::time::DAY;

    #[test]
    fn leftovers_are_removed_when_they_are_old() {
        let disk = MemoryStorage::default();
        let names = [
            ".paused.12-0.tmp",
            "runs/.000001.jsonl.gz.12-1.tmp",
            "pending.damaged-20261117-170211",
            "pending",
        ];
        for name in names {
            disk.replace(name, b"x", Durability::Synced).unwrap();
        }
        let check = |days: i64, left: usize| {
            for folder in ["", "runs"] {
                let files = disk.list(folder).unwrap();
                remove_leftovers(&disk, folder, &files, Time(days * DAY + 1)).unwrap();
            }
            let found = disk.list("").unwrap().len() + disk.list("runs").unwrap().len();
            assert_eq!(found, left, "after {days} days");
        };
        check(0, 5);
        check(1, 2);
        check(90, 1);
    }
}
