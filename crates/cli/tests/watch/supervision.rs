//! Notifications to a service manager over a real socket.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::session::{Ground, Session};

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\n";

struct Manager {
    socket: UnixDatagram,
    address: PathBuf,
}

impl Manager {
    fn of(ground: &Ground) -> Self {
        let address = ground.path("notify");
        let socket = UnixDatagram::bind(&address).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        Self { socket, address }
    }

    fn start(&self, ground: &Ground, variables: &[(&str, &str)]) -> Session {
        let mut command = ground.command(&["--root", "root"]);
        command.env("NOTIFY_SOCKET", &self.address).envs(variables.iter().copied());
        Session::start(command)
    }

    #[track_caller]
    fn received(&self) -> String {
        let mut buffer = [0; 1024];
        let length = self.socket.recv(&mut buffer).expect("a message in time");
        String::from_utf8_lossy(&buffer[..length]).into_owned()
    }

    /// The next message with this beginning.
    #[track_caller]
    fn await_message(&self, beginning: &str) -> String {
        loop {
            let received = self.received();
            if received.starts_with(beginning) {
                return received;
            }
        }
    }
}

#[test]
fn readiness_reloads_and_the_end_are_notified() {
    let ground = Ground::with(SITE);
    let manager = Manager::of(&ground);
    let session = manager.start(&ground, &[]);
    assert_eq!(manager.received(), "STATUS=applying 1 action");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource");
    assert_eq!(ground.read("root/a"), "one\n", "it is ready when everything was visited");
    session.signal("-HUP");
    let reloading = manager.received();
    let since = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").expect(&reloading);
    assert!(since.parse::<u64>().is_ok_and(|since| since > 0), "{since}");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource");
    ground.save("site.hcl", "file \"/a\" {\n");
    manager.await_message("RELOADING=1");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource; the configuration was refused");
    session.signal("-TERM");
    assert_eq!(manager.received(), "STOPPING=1\nSTATUS=stopping");
}

#[test]
fn failures_are_in_the_status() {
    let ground = Ground::with("file \"/none/x\" {}\n");
    let manager = Manager::of(&ground);
    let _session = manager.start(&ground, &[]);
    assert_eq!(manager.await_message("READY=1"), "READY=1\nSTATUS=watching 1 resource, 1 failed");
    std::fs::create_dir(ground.path("root/none")).expect("a folder");
    assert_eq!(manager.await_message("STATUS=watching"), "STATUS=watching 1 resource");
}

#[test]
fn the_watchdog_is_notified() {
    let ground = Ground::with(SITE);
    let manager = Manager::of(&ground);
    // Messages may be received late, so only the time since the start shows that they are not too frequent.
    let begin = Instant::now();
    let _session = manager.start(&ground, &[("WATCHDOG_USEC", "400000")]);
    manager.await_message("READY=1");
    for _ in 0..6 {
        manager.await_message("WATCHDOG=1");
    }
    assert!(begin.elapsed() >= Duration::from_millis(900), "{:?}", begin.elapsed());
}

/// A long-running command must not trigger the watchdog, even if it occupies the only worker.
#[test]
fn long_work_still_notifies_the_watchdog() {
    let ground = with_long_task();
    let manager = Manager::of(&ground);
    let mut command = ground.command(&["--jobs", "1"]);
    command.env("NOTIFY_SOCKET", &manager.address).env("WATCHDOG_USEC", "300000");
    let _session = Session::start(command);
    manager.await_message("READY=1");
    std::fs::remove_file(ground.path("made")).expect("it existed");
    while !ground.path("busy").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..4 {
        manager.await_message("WATCHDOG=1");
    }
    assert!(!ground.path("made").exists(), "it is still at work");
}

/// A watchdog that is set up for another process is ignored.
#[test]
fn the_watchdog_of_another_process_is_not_notified() {
    let ground = Ground::with(SITE);
    let manager = Manager::of(&ground);
    let _session = manager.start(&ground, &[("WATCHDOG_USEC", "100000"), ("WATCHDOG_PID", "1")]);
    manager.await_message("READY=1");
    manager.socket.set_read_timeout(Some(Duration::from_millis(500))).expect("a time");
    assert!(manager.socket.recv(&mut [0; 64]).is_err());
}

/// A watch continues without its service manager.
#[test]
fn a_closed_notify_socket_is_no_failure() {
    let ground = Ground::with(SITE);
    let manager = Manager::of(&ground);
    let mut session = manager.start(&ground, &[]);
    drop(manager);
    session.await_line("watching ");
    ground.write("root/a", "drift");
    session.await_line("repaired");
}

/// A task whose file exists at first, and takes long to create again.
fn with_long_task() -> Ground {
    let ground = Ground::with("");
    let folder = ground.path("").display().to_string();
    let folder = folder.trim_end_matches('/');
    ground.write("made", "");
    ground.write(
        "site.hcl",
        &format!(
            "task \"t\" {{\n  creates = \"{folder}/made\"\n  apply   = \"touch {folder}/busy; sleep 20; touch {folder}/made\"\n}}\n"
        ),
    );
    ground
}
