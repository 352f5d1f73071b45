//! Machines with missing parts or limits.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use uphold_testbed::isolate;

use super::sandbox::{Ran, Sandbox};

/// Runs a shell script in its own mount namespace, with the command as `$0`; none if that needs root.
fn apart(sandbox: &Sandbox, script: &str) -> Option<Ran> {
    let unshare = || {
        let mut unshare = Command::new("unshare");
        unshare.args(["--mount", "--propagation", "private", "sh", "-ec"]);
        unshare
    };
    if !unshare().arg("true").output().is_ok_and(|output| output.status.success()) {
        let _ = writeln!(std::io::stderr(), "SKIPPED {script}: no mount namespace can be made");
        return None;
    }
    let mut command = unshare();
    command.arg(script).arg(env!("CARGO_BIN_EXE_uphold"));
    Some(sandbox.ran(&isolate(&mut command, &sandbox.path("")).output().expect("it starts")))
}

fn mode(sandbox: &Sandbox, name: &str) -> u32 {
    fs::metadata(sandbox.path(name)).expect(name).permissions().mode() & 0o7777
}

#[test]
fn modes_are_set_where_proc_is_not_mounted() {
    let sandbox = Sandbox::with(
        "directory \"/d\" { mode = \"0711\" }\n\
         file \"/f\" { mode = \"0640\" }\n\
         file \"/new\" { content = \"x\" }\n",
    );
    fs::create_dir(sandbox.path("root/d")).expect("a directory");
    sandbox.write("root/f", "");
    let Some(ran) = apart(&sandbox, "umount -l /proc; exec \"$0\" apply site.hcl --root root") else {
        return;
    };
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((mode(&sandbox, "root/d"), mode(&sandbox, "root/f")), (0o711, 0o640));
    assert_eq!(sandbox.read("root/new"), "x");
}

#[test]
fn a_file_that_is_a_mount_point_is_written_in_place() {
    let sandbox = Sandbox::with(
        "file \"/hosts\" {\n  content = \"new\\n\"\n  mode    = \"0600\"\n}\n\
         line \"l\" {\n  file = \"/hosts2\"\n  line = \"added\"\n}\n",
    );
    for name in ["hosts", "hosts2"] {
        sandbox.write(name, "a much longer old content\n");
        sandbox.write(&format!("root/{name}"), "");
    }
    let script = "mount --bind hosts root/hosts; mount --bind hosts2 root/hosts2; \"$0\" apply site.hcl --root root; \
                  exec \"$0\" apply site.hcl --root root";
    let Some(ran) = apart(&sandbox, script) else { return };
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("No changes."), "{}", ran.stdout);
    assert_eq!((sandbox.read("hosts"), mode(&sandbox, "hosts")), ("new\n".to_owned(), 0o600));
    assert_eq!(sandbox.read("hosts2"), "a much longer old content\nadded\n");
    let left: Vec<_> = fs::read_dir(sandbox.path("root")).expect("a directory").collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_file_over_the_limit_fails_alone() {
    let sandbox = Sandbox::with(format!(
        "file \"/large\" {{ content = \"{}\" }}\nfile \"/small\" {{ content = \"x\" }}\n",
        "x".repeat(60_000)
    ));
    let script = "ulimit -f 10; exec \"$0\" apply site.hcl --root root --jobs 1";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_uphold")]);
    let ran = sandbox.ran(&isolate(&mut command, &sandbox.path("")).output().expect("it starts"));
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr.contains("File too large") || ran.stdout.contains("File too large"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(sandbox.read("root/small"), "x");
    assert!(!sandbox.path("root/large").exists());
}

/// Slow file systems return EINTR; here every second one of these calls does.
#[test]
fn interrupted_system_calls_are_retried() {
    let sandbox = Sandbox::with(
        "directory \"/d\" { mode = \"0711\" }\n\
         file \"/f\" {\n  content = \"new\"\n  mode    = \"0640\"\n  backups = 1\n}\n\
         file \"/dir\" {\n  content = \"x\"\n  force   = true\n}\n\
         link \"/l\" { to = \"f\" }\n",
    );
    fs::create_dir_all(sandbox.path("root/dir/sub")).expect("a directory");
    sandbox.write("root/f", "old");
    sandbox.write("root/l", "old");
    let calls =
        "fsync,fchmod,fchown,fchmodat,fchownat,renameat,renameat2,linkat,symlinkat,mkdirat,unlinkat,flock";
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={calls}")]);
    command.args(["-e", &format!("inject={calls}:error=EINTR:when=1+2"), env!("CARGO_BIN_EXE_uphold")]);
    command.args(["apply", "site.hcl", "--root", "root"]);
    let Ok(output) = isolate(&mut command, &sandbox.path("")).output() else {
        let _ =
            writeln!(std::io::stderr(), "SKIPPED interrupted_system_calls_are_retried: there is no strace");
        return;
    };
    let ran = sandbox.ran(&output);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((sandbox.read("root/f"), sandbox.read("root/dir")), ("new".to_owned(), "x".to_owned()));
}

/// The first call of each sort on the configuration and its kinds returns EINTR.
#[test]
fn interrupted_reads_of_the_configuration_are_retried() {
    let sandbox = Sandbox::with("log \"a\" {}\n");
    fs::create_dir_all(sandbox.path("kinds")).expect("a directory");
    for call in ["openat", "statx", "newfstatat", "getdents64"] {
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-P", "site.hcl", "-P", "kinds"]);
        command.args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:error=EINTR:when=1")]);
        command.args([env!("CARGO_BIN_EXE_uphold"), "apply", "site.hcl", "--root", "root"]);
        let Ok(output) = isolate(&mut command, &sandbox.path("")).output() else {
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED interrupted_reads_of_the_configuration_are_retried: there is no strace"
            );
            return;
        };
        let ran = sandbox.ran(&output);
        assert_eq!(ran.code, Some(0), "{call}: {}{}", ran.stdout, ran.stderr);
    }
}
