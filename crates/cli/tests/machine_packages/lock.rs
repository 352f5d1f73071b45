//! Concurrent installations by another program.

use uphold_testbed::Package;

use super::sandbox::Sandbox;

/// Holds a lock like dpkg and apt for some seconds.
fn hold(sandbox: &Sandbox, path: &str, seconds: u32) {
    let script = format!(
        "import fcntl,time\nf=open('{path}','w')\nfcntl.lockf(f,fcntl.LOCK_EX)\nopen('/tmp/held','w')\ntime.sleep({seconds})"
    );
    sandbox.write("/tmp/hold.py", &script);
    sandbox.ok("rm -f /tmp/held; python3 /tmp/hold.py >/dev/null 2>&1 & until test -e /tmp/held; do sleep 0.02; done");
}

#[test]
fn the_dpkg_lock_is_waited_for() {
    let packages = [Package::new("one", "1"), Package::new("two", "1")];
    let Some(sandbox) = Sandbox::new("lock", &packages) else { return };
    let frontend = "/var/lib/dpkg/lock-frontend";
    hold(&sandbox, frontend, 2);
    let (code, printed) = sandbox.apply(r#"package "one" {}"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "1"), "{printed}");
    hold(&sandbox, frontend, 2);
    let (code, printed) = sandbox.apply(r#"package "one" { hold = true }"#);
    assert_eq!(code, 0, "{printed}");
    hold(&sandbox, frontend, 4);
    let (code, printed) = sandbox.apply(r#"package "two" { lock_timeout = "1s" }"#);
    assert_eq!((code, sandbox.version("two").as_str()), (1, ""), "{printed}");
    assert!(printed.contains("lock"), "{printed}");
}

#[test]
fn the_lock_of_the_lists_is_waited_for() {
    let Some(sandbox) = Sandbox::new("lists-lock", &[Package::new("one", "1")]) else { return };
    sandbox.ok("rm -rf /var/lib/apt/lists/*_Packages; touch -d '1 hour ago' /var/lib/apt/lists; rm -f /var/lib/apt/periodic/*");
    hold(&sandbox, "/var/lib/apt/lists/lock", 2);
    let (code, printed) = sandbox.apply(r#"package "one" {}"#);
    assert_eq!((code, sandbox.version("one").as_str()), (0, "1"), "{printed}");
}
