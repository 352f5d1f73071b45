use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use uphold_host::LocalHost;
use uphold_resource::{
    Accounts, Command, Commands, ErrorKind, Excess, Exit, Output, Probes, STDERR_LIMIT, STDOUT_LIMIT,
};

use super::ground::{Ground, OTHER_USER, is_root, refused};

fn sh(script: &str) -> Output {
    LocalHost::new().run(&Command::shell(script)).unwrap()
}

fn limited(script: &str, milliseconds: u64) -> (Output, Duration) {
    let timeout = Some(Duration::from_millis(milliseconds));
    let command = Command { timeout, excess: Excess::Drop, ..Command::shell(script) };
    let start = Instant::now();
    (LocalHost::new().run(&command).unwrap(), start.elapsed())
}

#[test]
fn returns_output_and_exit() {
    let check = |script: &str, exit: Exit, stdout: &str, stderr: &str| {
        let expected = Output::new(exit, stdout, stderr);
        assert_eq!(sh(script), expected, "{script}");
    };
    check("true", Exit::Code(0), "", "");
    check("echo out; echo err >&2; exit 3", Exit::Code(3), "out\n", "err\n");
    check("kill -9 $$", Exit::Signal(9), "", "");
    check("cat", Exit::Code(0), "", "");
}

#[test]
fn passes_settings_to_the_command() {
    let ground = Ground::new();
    let command = Command {
        dir: Some(ground.path("")),
        env: [("GREETING".to_owned(), "hello".to_owned())].into(),
        stdin: Some(b"from stdin".to_vec()),
        ..Command::shell("echo $GREETING; pwd; test -n \"$PATH\" && cat")
    };
    let output = ground.host.probe(&command).unwrap();
    let dir = ground.path("").canonicalize().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("hello\n{}\nfrom stdin", dir.display()));
}

#[test]
fn full_pipes_do_not_block() {
    let input = vec![b'i'; 1 << 20];
    let script = "head -c 1048576 /dev/zero >&2; cat; head -c 1048576 /dev/zero | tr '\\0' o";
    let command = Command { stdin: Some(input.clone()), ..Command::shell(script) };
    let output = LocalHost::new().run(&command).unwrap();
    assert_eq!((output.exit, output.stderr.len()), (Exit::Code(0), 1 << 20));
    assert!(output.stdout[..1 << 20] == input && output.stdout[1 << 20..] == vec![b'o'; 1 << 20]);
}

#[test]
fn a_command_may_ignore_its_input() {
    let command = Command { stdin: Some(vec![0; 1 << 20]), ..Command::shell("exec <&-; echo fine") };
    let output = LocalHost::new().run(&command).unwrap();
    assert_eq!((output.exit, output.stdout), (Exit::Code(0), b"fine\n".to_vec()));
}

#[test]
fn exe_07_a_timeout_kills_and_keeps_the_output() {
    let (output, took) = limited("echo early; sleep 60; echo late", 100);
    assert_eq!((output.exit, output.stdout), (Exit::TimedOut, b"early\n".to_vec()));
    assert!(took < Duration::from_secs(2), "{took:?}");
    let (output, _) = limited("trap 'echo decent; exit 0' TERM; sleep 60 & wait", 300);
    assert_eq!((output.exit, output.stdout), (Exit::TimedOut, b"decent\n".to_vec()));
    let (output, took) = limited("trap '' TERM; while :; do sleep 1; done", 100);
    assert_eq!(output.exit, Exit::TimedOut);
    assert!(took < Duration::from_secs(3), "{took:?}");
    let (output, took) = limited("yes", 100);
    assert!(output.exit == Exit::TimedOut && output.stdout.starts_with(b"y\ny\n"));
    assert!(took < Duration::from_secs(3), "{took:?}");
    assert_eq!(limited("echo fast", 60_000).0.exit, Exit::Code(0));
}

#[test]
fn a_timeout_kills_grandchildren() {
    let ground = Ground::new();
    let file = ground.path("pids");
    let script = format!(
        "sh -c 'trap \"\" TERM; echo $$ >> {0}; while :; do sleep 1; done' & \
        echo $! >> {0}; wait",
        file.display()
    );
    let (output, _) = limited(&script, 400);
    assert_eq!(output.exit, Exit::TimedOut);
    let pids = std::fs::read_to_string(&file).unwrap();
    assert!(pids.lines().count() >= 2);
    pids.lines().for_each(assert_gone);
}

/// A killed process may be a zombie until its new parent reaps it.
fn assert_gone(pid: &str) {
    let deadline = Instant::now() + Duration::from_secs(50);
    while Instant::now() < deadline {
        match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
            Ok(stat) if !stat.contains(") Z ") => std::thread::sleep(Duration::from_millis(10)),
            _ => return,
        }
    }
    panic!("process {pid} is alive");
}

#[test]
fn a_grandchild_with_our_pipe_does_not_block() {
    let start = Instant::now();
    let output = sh("sleep 60 & echo $!");
    assert_eq!(output.exit, Exit::Code(0));
    assert!(start.elapsed() < Duration::from_secs(50), "{:?}", start.elapsed());
    assert_gone(String::from_utf8(output.stdout).unwrap().trim());
}

#[test]
fn reads_late_output_of_a_grandchild() {
    assert_eq!(sh("(sleep 0.2; echo late) & echo early").stdout, b"early\nlate\n");
}

#[test]
fn a_daemon_without_our_pipes_lives_on() {
    let start = Instant::now();
    let output = sh("sleep 60 >/dev/null 2>&1 </dev/null & echo $!");
    let pid = String::from_utf8(output.stdout).unwrap().trim().to_owned();
    assert!(start.elapsed() < Duration::from_secs(50));
    std::thread::sleep(Duration::from_millis(100));
    assert!(!std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap().contains(") Z "));
    let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[test]
fn explains_why_a_command_cannot_start() {
    let ground = Ground::new();
    let check = |command: Command, kind: ErrorKind, words: &str| {
        let error = refused(ground.host.run(&command), kind);
        assert!(error.chain().contains(words), "{}", error.chain());
    };
    let none = [""; 0];
    check(
        Command::new("no-such-program", none),
        ErrorKind::Missing,
        "no-such-program: no such program in PATH",
    );
    check(Command::new("/no/such/program", none), ErrorKind::Missing, "/no/such/program: it does not exist");
    let dir = Some(PathBuf::from("/no/such/dir"));
    check(
        Command { dir, ..Command::shell("true") },
        ErrorKind::Missing,
        "directory /no/such/dir does not exist",
    );
    let script = ground.file("script", "#!/no/such/interpreter\n", 0o755);
    check(Command::new(script.to_str().unwrap(), none), ErrorKind::Missing, "interpreter");
    let plain = ground.file("plain", "", 0o644);
    check(Command::new(plain.to_str().unwrap(), none), ErrorKind::Denied, "cannot run");
}

#[test]
fn runs_as_another_user() {
    let command = Command {
        run_as: Some((OTHER_USER, OTHER_USER)),
        ..Command::shell("echo $(id -u):$(id -g):$(id -G)")
    };
    if is_root("runs_as_another_user") {
        assert_eq!(LocalHost::new().run(&command).unwrap().stdout, b"12345:12345:12345\n");
    } else {
        let error = refused(LocalHost::new().run(&command), ErrorKind::Denied);
        assert_eq!(error.advice(), Some("run Uphold as root"));
    }
}

/// The variables of a command.
fn variables(command: &Command) -> BTreeMap<String, String> {
    let output = LocalHost::new().run(command).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| line.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect()
}

#[test]
fn another_user_gets_its_own_environment() {
    if !is_root("another_user_gets_its_own_environment") {
        return;
    }
    let env = || [("DECLARED".to_owned(), "yes".to_owned())].into();
    let nobody = LocalHost::new().user("nobody").unwrap().unwrap();
    let run_as = Some((nobody.uid, nobody.gid));
    let found = variables(&Command { run_as, env: env(), ..Command::new("env", [""; 0]) });
    let home = nobody.home.to_str().unwrap();
    let shell = nobody.shell.to_str().unwrap();
    let account = [("HOME", home), ("USER", "nobody"), ("LOGNAME", "nobody"), ("SHELL", shell)];
    for (name, value) in account.into_iter().chain([("DECLARED", "yes")]) {
        assert_eq!(found.get(name).map(String::as_str), Some(value), "{name}");
    }
    assert_eq!(found.get("PATH"), std::env::var("PATH").ok().as_ref());
    // Cargo sets these for its tests.
    assert!(!found.keys().any(|name| name.starts_with("CARGO")), "{found:?}");
    let unknown = Command { run_as: Some((OTHER_USER, OTHER_USER)), ..Command::new("env", [""; 0]) };
    let found = variables(&unknown);
    assert_eq!((found.get("HOME").map(String::as_str), found.get("USER")), (Some("/"), None));
}

#[test]
fn the_own_user_keeps_the_environment() {
    let own = (rustix::process::getuid().as_raw(), rustix::process::getgid().as_raw());
    for run_as in [None, Some(own).filter(|(uid, _)| *uid == 0)] {
        let found = variables(&Command { run_as, ..Command::new("env", [""; 0]) });
        assert!(found.keys().any(|name| name.starts_with("CARGO")), "{found:?}");
    }
}

#[test]
fn a_stopped_run_ends_its_commands_gracefully() {
    let stop = uphold_resource::Stop::default();
    let host = LocalHost::new().stopped_by(stop.clone());
    let command = Command::shell("trap 'echo bye; exit 3' TERM; echo begun; sleep 60 & wait");
    let output = std::thread::scope(|scope| {
        let running = scope.spawn(|| host.run(&command).unwrap());
        std::thread::sleep(Duration::from_millis(300));
        stop.request();
        running.join().unwrap()
    });
    assert_eq!((output.exit, &*output.stdout), (Exit::Code(3), &b"begun\nbye\n"[..]));
}

#[test]
fn counts_output_beyond_the_limit() {
    let script = format!(
        "head -c {} /dev/zero; echo end; head -c {} /dev/zero >&2; echo why >&2; exit 3",
        3 * STDOUT_LIMIT,
        2 * STDERR_LIMIT
    );
    let command = Command { excess: Excess::Drop, ..Command::shell(script) };
    let output = LocalHost::new().run(&command).unwrap();
    assert_eq!(output.exit, Exit::Code(3));
    assert_eq!((output.stdout.len() as u64, output.stderr.len() as u64), (STDOUT_LIMIT, STDERR_LIMIT));
    assert!(output.stdout.ends_with(b"\0end\n") && output.stderr.ends_with(b"\0why\n"));
    assert_eq!(output.dropped, 2 * STDOUT_LIMIT + 4 + STDERR_LIMIT + 4);
}

#[test]
fn data_beyond_the_limit_is_an_error() {
    let host = LocalHost::new();
    let command = Command::shell(format!("head -c {} /dev/zero", STDOUT_LIMIT + 1));
    for result in [host.run(&command), host.probe(&command)] {
        let error = refused(result, ErrorKind::Rejected);
        assert_eq!(error.chain(), "/bin/sh wrote more than 16 MiB to standard output");
    }
    let whole = sh(&format!("head -c {STDOUT_LIMIT} /dev/zero; head -c {} /dev/zero >&2", STDERR_LIMIT + 5));
    assert_eq!((whole.stdout.len() as u64, whole.stderr.len() as u64), (STDOUT_LIMIT, STDERR_LIMIT));
    assert_eq!(whole.dropped, 5, "standard error is never data");
}

#[test]
fn an_endless_command_uses_limited_memory() {
    let (output, _) = limited("yes & yes >&2", 1500);
    assert_eq!(output.exit, Exit::TimedOut);
    assert!(output.stdout.capacity() as u64 <= 2 * STDOUT_LIMIT, "{}", output.stdout.capacity());
    assert!(output.stderr.capacity() as u64 <= 2 * STDERR_LIMIT, "{}", output.stderr.capacity());
}

#[test]
fn endless_data_ends_the_command_before_its_timeout() {
    // The timeout is a guard against hanging, and would be another error.
    let timeout = Some(Duration::from_secs(120));
    for script in ["yes", "yes & yes >&2 & wait", "yes &", "trap '' TERM; yes"] {
        let command = Command { timeout, ..Command::shell(script) };
        let error = refused(LocalHost::new().probe(&command), ErrorKind::Rejected);
        assert_eq!(error.chain(), "/bin/sh wrote more than 16 MiB to standard output", "{script}");
    }
}

/// Reads the fields of `stat` after the name: state, parent, group, session, terminal.
#[test]
fn a_command_leads_a_session_without_a_terminal() {
    let output = sh("read -r _ _ _ _ group session terminal _ < /proc/$$/stat
         test \"$group $session $terminal\" = \"$$ $$ 0\"");
    assert_eq!(output.exit, Exit::Code(0), "{output:?}");
}
