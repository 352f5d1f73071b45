//! Requests of mgmt's users and admitted weaknesses (section 6 of the reference) that Uphold does better.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{TryRecvError, channel};
use std::thread;

use uphold_testbed::STATE;

use super::folder::Folder;
use super::running_watch::{RunningWatch, visits};

/// The open descriptors of a process, such as `socket:[4711]`.
fn open_descriptors(watch: &RunningWatch<'_>) -> Vec<String> {
    let entries = fs::read_dir(format!("/proc/{}/fd", watch.id())).expect("it runs");
    let target = |entry: fs::DirEntry| fs::read_link(entry.path()).ok()?.into_os_string().into_string().ok();
    entries.filter_map(|entry| target(entry.ok()?)).collect()
}

fn files(count: usize) -> String {
    (0..count).map(|number| format!("file \"DIR/f{number}\" {{ content = \"{number}\" }}\n")).collect()
}

/// In mgmt each path needs an inotify instance, of which a user has 128. Here there is one for all resources, and one
/// for the configuration, and an event causes a visit of only the affected resource.
#[test]
fn a_thousand_files_take_one_inotify_and_an_event_visits_one() {
    let folder = Folder::with(&files(1000));
    let watch = folder.watch();
    assert_eq!(open_descriptors(&watch).iter().filter(|what| what.contains("inotify")).count(), 2);
    for number in [0, 500, 999] {
        folder.delete(&format!("f{number}"));
        watch.repairs(&format!("f{number}"), &number.to_string());
        assert_eq!(watch.visits_until_idle(), [format!("f{number} changed: change_detected")]);
    }
}

/// No store, ports, keys or helper processes: nothing listens, nothing else runs, and only declared files stay on the
/// disk.
#[test]
fn it_starts_without_a_daemon_or_ports() {
    let folder = Folder::with(&files(1));
    let watch = folder.watch();
    let sockets = |table: &str| {
        let text = fs::read_to_string(format!("/proc/{}/net/{table}", watch.id())).unwrap_or_default();
        let inode = |line: &str| line.split_whitespace().nth(9).map(|inode| format!("socket:[{inode}]"));
        text.lines().filter_map(inode).collect::<HashSet<_>>()
    };
    let network: HashSet<String> = ["tcp", "tcp6", "udp", "udp6"].into_iter().flat_map(sockets).collect();
    let open = open_descriptors(&watch);
    assert!(!open.is_empty() && open.iter().all(|what| !network.contains(what)), "{open:?}");
    let tasks = fs::read_dir(format!("/proc/{}/task", watch.id())).expect("it runs");
    let children = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    assert_eq!(children.collect::<String>(), "");
    let names = fs::read_dir(folder.home("")).expect("a directory");
    let names = names.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names.filter(|name| name != STATE).collect();
    names.sort();
    assert_eq!(names, ["dir", "heard", "site.hcl", "told"]);
}

/// Two watches on one machine do not interfere; in mgmt they compete for ports.
#[test]
fn two_watches_do_not_collide() {
    let (one, two) = (Folder::with(&files(1)), Folder::with(&files(1)));
    let (first, second) = (one.watch(), two.watch());
    one.delete("f0");
    two.delete("f0");
    first.repairs("f0", "0");
    second.repairs("f0", "0");
    assert_eq!((first.stop().code, second.stop().code), (0, 0));
}

/// mgmt#369: in mgmt a failed resource is dead until the graph is swapped.
#[test]
fn a_failed_resource_is_still_watched() {
    let folder = Folder::with(
        r#"
file "DIR/none/f" { content = "f" }
file "DIR/after" {
  content    = "after"
  depends_on = [file["DIR/none/f"]]
}
"#,
    );
    let watch = folder.watch();
    assert!(!folder.has("after"));
    folder.make_dir("none");
    watch.repairs("after", "after");
    let visits = watch.visits_until_idle();
    assert!(visits.contains(&"f changed: change_detected".to_owned()), "{visits:?}");
    assert!(visits.contains(&"after changed: dependency_recovered".to_owned()), "{visits:?}");
    folder.delete("none/f");
    watch.repairs("none/f", "f");
    assert_eq!(watch.visits_until_idle(), ["f changed: change_detected"]);
}

/// mgmt#987: a reader of a file during a repair gets the whole old or the whole new content.
#[test]
fn a_reader_never_sees_half_a_file() {
    const FILES: usize = 25;
    let right = "right".repeat(2_000);
    let block = |number| format!("file \"DIR/f{number}\" {{ content = local.right }}\n");
    let blocks: String = (0..FILES).map(block).collect();
    let folder = Folder::with(&format!("locals {{ right = \"{right}\" }}\n{blocks}"));
    let watch = folder.watch();
    let paths: Vec<PathBuf> = (0..FILES).map(|number| folder.at(&format!("f{number}"))).collect();
    let (working, is_working) = channel::<()>();
    let reader = thread::spawn({
        let right = right.clone();
        move || {
            // The other end is closed when the work is done, or has panicked.
            while is_working.try_recv() == Err(TryRecvError::Empty) {
                for path in &paths {
                    let text = fs::read_to_string(path).expect("it is always there");
                    assert!(text == right || text == "wrong", "{} bytes", text.len());
                }
            }
        }
    });
    for _ in 0..8 {
        for number in 0..FILES {
            folder.write("stranger", "wrong");
            folder.rename("stranger", &format!("f{number}"));
        }
        (0..FILES).for_each(|number| watch.repairs(&format!("f{number}"), &right));
        let visits = watch.visits_until_idle();
        assert!(visits.len() == FILES && visits.iter().all(|visit| visit.contains(" changed")), "{visits:?}");
    }
    drop(working);
    reader.join().expect("it saw whole files only");
}

/// In mgmt a notification of a command is lost.
#[test]
fn a_repair_notifies_a_command() {
    let folder = Folder::with(
        r#"
file "DIR/conf" {
  content  = "conf"
  notifies = [task.reload.run]
}
task "reload" {
  apply  = "echo reloaded >> DIR/log"
  action = "nothing"
}
"#,
    );
    let watch = folder.watch();
    assert_eq!(folder.read("log").as_deref(), Some("reloaded\n"));
    folder.delete("conf");
    watch.repairs("log", "reloaded\nreloaded\n");
    assert_eq!(watch.visits_until_idle(), ["conf changed: change_detected", "reload changed: notified"]);
}

/// In mgmt the mode of a directory never matches, and is changed at each check.
#[test]
fn the_mode_of_a_directory_is_stable() {
    const LATER: &str = "d unchanged: polled";
    let folder = Folder::with("directory \"DIR/d\" {\n  mode = \"2750\"\n  poll = \"50ms\"\n}\n");
    let watch = folder.start(&[]);
    watch.await_lines_of("resource_finished", "d", 4);
    assert_eq!(visits(&watch.lines())[..4], ["d changed: declared", LATER, LATER, LATER]);
}

/// In mgmt passwords are stored in plain text. Here they are in no line of the output, also after drift.
#[test]
fn a_secret_is_never_printed() {
    let folder = Folder::with(
        r#"
file "DIR/key" {
  content   = "hush-hush"
  sensitive = true
}
"#,
    );
    let watch = folder.watch();
    folder.write("stranger", "their-secret");
    folder.rename("stranger", "key");
    watch.repairs("key", "hush-hush");
    assert_eq!(watch.visits_until_idle(), ["key changed: change_detected"]);
    let lines: String = watch.lines().iter().map(ToString::to_string).collect();
    assert!(!lines.contains("hush") && !lines.contains("their-secret"), "{lines}");
}
