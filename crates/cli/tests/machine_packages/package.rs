//! One package through its life.

use uphold_testbed::{Bed, Package, Repository, Story};

#[test]
fn one_package() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let mut repository = Repository::new(&bed);
    let hello = |version: &str| Package::new("hello", version).conffile("/etc/hello.conf", "v=1\n");
    repository.add(&[hello("1.0"), hello("1.1"), hello("1.2"), Package::new("app", "1.0").depends("hello")]);
    let host = bed.host("package").bind(repository.directory(), Repository::PATH).plain();
    host.write("/etc/apt/sources.list", Repository::SOURCE);
    host.ok("apt-get update");
    Story::of(&host, "a version that is held")
        .configuration(r#"package "hello" { version = "1.1", hold = true }"#)
        .drift("version", "apt-get install -y --allow-change-held-packages hello=1.2")
        .tell();
}
