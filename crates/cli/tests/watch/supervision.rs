//! Notifications to a service manager over a real socket.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::session::{Sandbox, Session};

const SITE: &str = "file \"/a\" {\n  content = \"one\\n\"\n}\n";

struct Manager {
    socket: UnixDatagram,
    address: PathBuf,
}

impl Manager {
    fn of(sandbox: &Sandbox) -> Self {
        let address = sandbox.path("notify");
        let socket = UnixDatagram::bind(&address).expect("a socket");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
        Self { socket, address }
    }

    fn start(&self, sandbox: &Sandbox, variables: &[(&str, &str)]) -> Session {
        let mut command = sandbox.command(&["--root", "root"]);
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
    let sandbox = Sandbox::with(SITE);
    let manager = Manager::of(&sandbox);
    let session = manager.start(&sandbox, &[]);
    assert_eq!(manager.received(), "STATUS=applying 1 action");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource");
    assert_eq!(sandbox.read("root/a"), "one\n", "it is ready when everything was visited");
    session.signal("-HUP");
    let reloading = manager.received();
    let since = reloading.strip_prefix("RELOADING=1\nMONOTONIC_USEC=").expect(&reloading);
    assert!(since.parse::<u64>().is_ok_and(|since| since > 0), "{since}");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource");
    sandbox.save("site.hcl", "file \"/a\" {\n");
    manager.await_message("RELOADING=1");
    assert_eq!(manager.received(), "READY=1\nSTATUS=watching 1 resource; the configuration was refused");
    session.signal("-TERM");
    assert_eq!(manager.received(), "STOPPING=1\nSTATUS=stopping");
}

#[test]
fn failures_are_in_the_status() {
    let sandbox = Sandbox::with("file \"/none/x\" {}\n");
    let manager = Manager::of(&sandbox);
    let _session = manager.start(&sandbox, &[]);
    assert_eq!(manager.await_message("READY=1"), "READY=1\nSTATUS=watching 1 resource, 1 failed");
    std::fs::create_dir(sandbox.path("root/none")).expect("a folder");
    assert_eq!(manager.await_message("STATUS=watching"), "STATUS=watching 1 resource");
}

#[test]
fn the_watchdog_is_notified() {
    let sandbox = Sandbox::with(SITE);
    let manager = Manager::of(&sandbox);
    // Messages may be received late, so only the time since the start shows that they are not too frequent.
    let begin = Instant::now();
    let _session = manager.start(&sandbox, &[("WATCHDOG_USEC", "400000")]);
    manager.await_message("READY=1");
    for _ in 0..6 {
        manager.await_message("WATCHDOG=1");
    }
    assert!(begin.elapsed() >= Duration::from_millis(900), "{:?}", begin.elapsed());
}

/// A long-running command must not trigger the watchdog, even if it occupies the only worker.
#[test]
fn long_work_still_notifies_the_watchdog() {
    let sandbox = with_long_task();
    let manager = Manager::of(&sandbox);
    let mut command = sandbox.command(&["--jobs", "1"]);
    command.env("NOTIFY_SOCKET", &manager.address).env("WATCHDOG_USEC", "300000");
    let _session = Session::start(command);
    manager.await_message("READY=1");
    std::fs::remove_file(sandbox.path("made")).expect("it existed");
    while !sandbox.path("busy").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    for _ in 0..4 {
        manager.await_message("WATCHDOG=1");
    }
    assert!(!sandbox.path("made").exists(), "it is still at work");
}

/// A watchdog that is set up for another process is ignored.
#[test]
fn the_watchdog_of_another_process_is_not_notified() {
    let sandbox = Sandbox::with(SITE);
    let manager = Manager::of(&sandbox);
    let _session = manager.start(&sandbox, &[("WATCHDOG_USEC", "100000"), ("WATCHDOG_PID", "1")]);
    manager.await_message("READY=1");
    manager.socket.set_read_timeout(Some(Duration::from_millis(500))).expect("a time");
    assert!(manager.socket.recv(&mut [0; 64]).is_err());
}

/// A watch continues without its service manager.
#[test]
fn a_closed_notify_socket_is_no_failure() {
    let sandbox = Sandbox::with(SITE);
    let manager = Manager::of(&sandbox);
    let mut session = manager.start(&sandbox, &[]);
    drop(manager);
    session.await_line("watching ");
    sandbox.write("root/a", "drift");
    session.await_line("repaired");
}

/// A task whose file exists at first, and takes long to create again.
fn with_long_task() -> Sandbox {
    let sandbox = Sandbox::with("");
    let folder = sandbox.path("").display().to_string();
    let folder = folder.trim_end_matches('/');
    sandbox.write("made", "");
    sandbox.write(
        "site.hcl",
        &format!(
            "task \"t\" {{\n  creates = \"{folder}/made\"\n  apply   = \"touch {folder}/busy; sleep 20; touch {folder}/made\"\n}}\n"
        ),
    );
    sandbox
}
