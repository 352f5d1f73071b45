//! `/proc/swaps`: the swap space in use.

use std::path::Path;

use uphold_resource::{Reading, Result};

use super::super::escape::unescaped;

/// The kernel's table.
const SWAPS: &str = "/proc/swaps";

/// The priority of `path`, if it is in use. A priority that the kernel chose is negative.
pub(super) fn priority(path: &Path, host: &Reading<'_>) -> Result<Option<i32>> {
    let table = Path::new(SWAPS);
    match host.files().look(table)? {
        Some(_) => Ok(find(&host.files().read(table, 0)?, path)),
        None => Ok(None),
    }
}

/// Parses lines such as `/swapfile file 1048572 0 -2`, after a header line.
fn find(content: &[u8], path: &Path) -> Option<i32> {
    let lines = content.split(|byte| *byte == b'\n').skip(1);
    let mut rows = lines.map(|line| {
        line.split(u8::is_ascii_whitespace)
            .filter(|field| !field.is_empty())
            .map(unescaped)
            .collect::<Vec<_>>()
    });
    let row = rows.find(|row| row.first().is_some_and(|name| Path::new(name) == path))?;
    row.last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_priorities() {
        let table = b"Filename\t\tType\t\tSize\tUsed\tPriority\n\
            /dev/sda2                               partition\t1048572\t0\t-2\n\
            /a\\040b                               file\t1048572\t0\t10\n";
        let check = |path: &str, expected| assert_eq!(find(table, Path::new(path)), expected, "{path}");
        check("/dev/sda2", Some(-2));
        check("/a b", Some(10));
        check("/dev/sda", None);
        check("Filename", None);
    }
}
