//! Programs, files and archives that try to harm a run.

use std::fs::File;
use std::process::Command;

use super::arena::{Arena, crash, finish};
use super::snapshot::Snapshot;
use super::tally::Tally;
use crate::disk;
use crate::failure::{Failure, Result};
use crate::program;

/// The address space limit: far more than a run needs, far less than the hostile input has.
const MEMORY: &str = "--as=2000000000";
/// Seconds until a run counts as stuck. Its own limits are a second or two; the rest allows for busy machines.
const TIME_LIMIT: &str = "60";

/// A name, and a configuration in which `DIR` stands for the scratch directory.
const CONFIGURATIONS: [(&str, &str); 11] = [
    ("endless output of a query", "query \"x\" {\n query = \"yes\"\n}\n"),
    ("endless errors of a query", "query \"x\" {\n query = \"yes >&2\"\n timeout = \"2s\"\n}\n"),
    (
        "endless output of a task",
        "task \"x\" {\n check = \"false\"\n apply = \"yes\"\n timeout = \"2s\"\n}\n",
    ),
    (
        "a task that ignores SIGTERM",
        "task \"x\" {\n check = \"false\"\n apply = \"trap '' TERM; sleep 300 & wait; sleep 300\"\n timeout = \"1s\"\n}\n",
    ),
    (
        "a daemon that keeps the output open",
        "task \"x\" {\n check = \"test -e DIR/daemon\"\n apply = \"sleep 5 & touch DIR/daemon\"\n timeout = \"20s\"\n}\n",
    ),
    ("a huge sparse file", "file \"x\" {\n path = \"DIR/sparse\"\n content = \"ab\"\n}\n"),
    ("a huge sparse file with a line", "line \"x\" {\n file = \"DIR/sparse\"\n line = \"ab\"\n}\n"),
    ("a huge sparse JSON file", "json_edit \"x\" {\n file = \"DIR/sparse\"\n key = \"a\"\n value = 1\n}\n"),
    (
        "an archive that climbs out",
        "archive \"x\" {\n path = \"DIR/inside\"\n source = \"DIR/climbing.tar\"\n}\n",
    ),
    (
        "an archive through its own link",
        "archive \"x\" {\n path = \"DIR/inside\"\n source = \"DIR/linked.tar\"\n}\n",
    ),
    (
        "an archive of absolute paths",
        "archive \"x\" {\n path = \"DIR/inside\"\n source = \"DIR/absolute.tar\"\n}\n",
    ),
];

/// Every run must end in time, within its memory limit, and change nothing outside its own paths.
pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    let mut tally = Tally::default();
    for (name, text) in CONFIGURATIONS {
        write_fixtures(arena)?;
        let before = Snapshot::take(&arena.path("hostile/outside"))?;
        let text = text.replace("DIR", &arena.path("hostile").display().to_string());
        disk::write(&arena.path("hostile.hcl"), &text)?;
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", TIME_LIMIT, "prlimit", MEMORY]).arg(arena.uphold());
        command.args(["apply", "--quiet"]).arg(arena.path("hostile.hcl"));
        let output = finish(arena.own_state(&mut command))?;
        let stuck = (output.status.code().is_none() || output.status.code() == Some(137))
            .then(|| format!("it was still running after {TIME_LIMIT} s"));
        let changed = Snapshot::take(&arena.path("hostile/outside"))?.differs(&before);
        tally.count(name, crash(&output).or(stuck).or(changed.map(|what| format!("outside, {what}"))));
    }
    Ok(tally)
}

/// Writes the files and archives for the configurations. They try to reach `outside`.
fn write_fixtures(arena: &Arena) -> Result {
    let directory = arena.path("hostile");
    disk::remove_tree(&directory)?;
    disk::write(&directory.join("outside/file"), "root's own\n")?;
    disk::write(&directory.join("evil"), "evil\n")?;
    let sparse = File::create(directory.join("sparse")).and_then(|file| file.set_len(4 << 30));
    sparse.map_err(|error| Failure::new(format!("cannot make a sparse file: {error}")))?;
    let outside = directory.join("outside").display().to_string();
    let script = format!(
        "tar -cf climbing.tar --transform 's,^evil,../outside/evil,' -P evil\n\
         tar -cf absolute.tar --transform 's,^evil,{outside}/evil,' -P evil\n\
         ln -s {outside} way\n\
         tar -cf linked.tar way\n\
         tar -rf linked.tar --transform 's,^evil,way/evil,' evil\n\
         rm way"
    );
    program::output(Command::new("sh").args(["-e", "-c", &script]).current_dir(&directory)).map(drop)
}
