//! `fs.walk`.

use uphold_engine::Mode::{Apply, Plan};
use uphold_memory::MemoryHost;
use uphold_model::Action;
use uphold_resource::{Context, Fields, Interest};

use crate::bench::Bench;
use crate::stage::show;

const WALK: &str = "local all = {} for i, e in fs.walk(\"/srv\") do all[i] = `{e.path}:{e.type}:{e.mode}` end\n\
                    fs.write(\"/x\", table.concat(all, \" \"))";

fn tree(host: MemoryHost) -> MemoryHost {
    let host = host.directory("/etc", 0o755).file("/etc/secret", "x", 0o600).directory("/srv", 0o755);
    let host = host.directory("/srv/a", 0o750).file("/srv/a/z", "1", 0o644).file("/srv/a.txt", "22", 0o600);
    host.link("/srv/etc", "/etc").link("/srv/loop", "/srv")
}

#[test]
fn a_walk_does_not_follow_links() {
    let bench = Bench::new(&[("show", &show(WALK))]).world(tree);
    let output = bench.act(Apply, "show", "it", &[], "go");
    let all = "/srv/a:directory:0750 /srv/a/z:file:0644 /srv/a.txt:file:0600 /srv/etc:link:0777 /srv/loop:link:0777";
    assert_eq!(bench.content("/x"), all, "{output}");
}

/// A dry run sees files that its body has written.
#[test]
fn a_walk_sees_earlier_lines_of_its_body() {
    let bench =
        Bench::new(&[("show", &show(&format!("fs.write(\"/srv/a/new\", \"\")\n{WALK}")))]).world(tree);
    let output = bench.act(Plan, "show", "it", &[], "go");
    assert!(output.contains("/srv/a/new:file:0644"), "{output}");
}

#[test]
fn a_watch_is_woken_by_the_whole_tree() {
    let text = format!("function actions.create()\n{WALK}\nend");
    let bench = Bench::new(&[("show", &text)]).world(tree);
    let fields = Fields::new("x", Vec::new(), &Action::Converge, Context::NOTHING);
    let (instance, _) = bench.kinds.get("show").expect("it was defined").decode(fields);
    let interests = instance.expect("it is valid").interests(&bench.host.reading());
    assert!(interests.contains(&Interest::Tree("/srv".into())), "{interests:?}");
}

#[test]
fn misuse_of_a_walk_is_explained() {
    let check = |body: &str, expected: &str| {
        let bench = Bench::new(&[("show", &show(body))]).world(tree);
        let output = bench.act(Apply, "show", "it", &[], "go");
        assert!(output.contains(expected), "{output}");
    };
    check("fs.walk(\"/none\")", "cannot walk /none: it does not exist");
    check("fs.walk(\"/srv/etc\")", "/srv/etc is a symbolic link, not a directory");
    check("fs.walk(\"srv\")", "fs.walk takes an absolute path, not \"srv\"");
}
