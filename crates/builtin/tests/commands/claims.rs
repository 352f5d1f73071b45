//! Claims and interests of tasks and queries.

use uphold_model::{Claim, Value};
use uphold_resource::Interest;
use uphold_testkit::MemoryHost;

use super::block::{Block, block};

fn path(path: &str) -> Claim {
    Claim::Path(path.into())
}

#[test]
fn depends_on_its_interpreter_and_provides_what_it_creates() {
    let check = |block: Block, needs: &[Claim], provides: &[Claim]| {
        let claims = block.decode(&MemoryHost::new().act()).expect("sound").claims();
        assert_eq!((claims.needs.as_slice(), claims.provides.as_slice()), (needs, provides));
    };
    let task = || block("task").set("apply", "true").action("run");
    let query = || block("query").set("query", "true");
    check(task(), &[path("/bin/sh")], &[]);
    check(query(), &[path("/bin/sh")], &[]);
    check(task().set("interpreter", "perl"), &[], &[]);
    check(task().set("dir", "/srv"), &[path("/srv"), path("/bin/sh")], &[]);
    check(
        query().set("user", "app").set("group", "web"),
        &[Claim::User("app".into()), Claim::Group("web".into()), path("/bin/sh")],
        &[],
    );
    check(query().set("user", Value::Int(7)), &[path("/bin/sh")], &[]);
    check(
        task().set("creates", "/opt/app/bin"),
        &[path("/bin/sh"), path("/opt/app")],
        &[path("/opt/app/bin")],
    );
}

#[test]
fn watches_the_path_in_creates() {
    let task = block("task").set("apply", "true").set("creates", "/opt/app");
    let interests = task.decode(&MemoryHost::new().act()).expect("sound").interests(&MemoryHost::new().act());
    assert_eq!(interests, [Interest::Path("/opt/app".into())]);
}
