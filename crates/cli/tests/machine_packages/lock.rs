//! Concurrent installations by another program.

use uphold_testbed::Package;

use crate::ground::Ground;

/// Holds a lock like dpkg and apt for some seconds.
fn hold(ground: &Ground, path: &str, seconds: u32) {
    let script = format!(
        "import fcntl,time\nf=open('{path}','w')\nfcntl.lockf(f,fcntl.LOCK_EX)\nopen('/tmp/held','w')\ntime.sleep({seconds})"
    );
    ground.write("/tmp/hold.py", &script);
    ground.ok("rm -f /tmp/held; python3 /tmp/hold.py >/dev/null 2>&1 & until test -e /tmp/held; do sleep 0.02; done");
}

#[test]
fn the_dpkg_lock_is_waited_for() {
    let packages = [Package::new("one", "1"), Package::new("two", "1")];
    let Some(ground) = Ground::new("lock", &packages) else { return };
    let frontend = "/var/lib/dpkg/lock-frontend";
    hold(&ground, frontend, 2);
    let (code, said) = ground.apply(r#"package "one" {}"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "1"), "{said}");
    hold(&ground, frontend, 2);
    let (code, said) = ground.apply(r#"package "one" { hold = true }"#);
    assert_eq!(code, 0, "{said}");
    hold(&ground, frontend, 4);
    let (code, said) = ground.apply(r#"package "two" { lock_timeout = "1s" }"#);
    assert_eq!((code, ground.version("two").as_str()), (1, ""), "{said}");
    assert!(said.contains("lock"), "{said}");
}

#[test]
fn the_lock_of_the_lists_is_waited_for() {
    let Some(ground) = Ground::new("lists-lock", &[Package::new("one", "1")]) else { return };
    ground.ok("rm -rf /var/lib/apt/lists/*_Packages; touch -d '1 hour ago' /var/lib/apt/lists; rm -f /var/lib/apt/periodic/*");
    hold(&ground, "/var/lib/apt/lists/lock", 2);
    let (code, said) = ground.apply(r#"package "one" {}"#);
    assert_eq!((code, ground.version("one").as_str()), (0, "1"), "{said}");
}
