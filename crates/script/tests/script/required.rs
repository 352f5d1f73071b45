//! Files that kinds require.

use uphold_engine::Mode::Apply;
use uphold_resource::Registry;

use crate::bench::{Bench, problems};

const KIND: &str = "local ports = require(\"lib/ports\")\n\
    properties.service = { type = \"string\", required = true }\n\
    function actions.create() fs.write(`/{name}`, `{ports.of(service)} {ports.count()}`) end";

const PORTS: &str = "local all = require(\"./lib/table\")\nlocal count = 0\nlocal ports = {}\n\
    function ports.of(name) count += 1 return all[name] or hcl.max(1024, 8080) end\n\
    function ports.count() return count end\nreturn ports";

const TABLE: &str = "return { http = 80 }";

/// A kind, and the files that it requires.
fn bench(ports: &str) -> Bench {
    Bench::new(&[("web", KIND), ("lib/ports", ports), ("lib/table", TABLE)])
}

#[test]
fn kinds_share_functions() {
    let bench = bench(PORTS);
    bench.run(Apply, "web", "a", &[("service", "http".into())]);
    bench.run(Apply, "web", "b", &[("service", "other".into())]);
    assert!(bench.content("/a").starts_with("80 ") && bench.content("/b").starts_with("8080 "));
}

/// A function of a required file can use the machine of the action that calls it, but no bare property.
#[test]
fn a_required_function_runs_in_the_action_that_calls_it() {
    let kind = "local conf = require(\"lib/conf\")\nproperties.text = { type = \"string\" }\n\
                function actions.create() conf.write(`/{name}`, text) end";
    let conf = "local conf = {}\nfunction conf.write(path, content)\nfile(path, { content = content })\nend\nreturn conf";
    let bench = Bench::new(&[("p", kind), ("lib/conf", conf)]);
    let output = bench.run(Apply, "p", "x", &[("text", "hello".into())]);
    assert_eq!(bench.content("/x"), "hello", "{output}");
    let bare = conf.replace("content = content", "content = text");
    let output =
        Bench::new(&[("p", kind), ("lib/conf", &bare)]).run(Apply, "p", "x", &[("text", "h".into())]);
    assert!(output.contains("kinds/lib/conf.luau:3: there is no text"), "{output}");
}

/// A watch visits the resources of a kind again when a file that it requires has changed.
#[test]
fn a_changed_required_file_changes_the_kind() {
    let kind = |kinds: &Registry| kinds.get("web").expect("a kind").clone();
    let (first, same, other) = (bench(PORTS), bench(PORTS), bench(&PORTS.replace("8080", "8081")));
    assert!(kind(&first.kinds).is(&kind(&same.kinds)));
    assert!(!kind(&first.kinds).is(&kind(&other.kinds)));
    other.run(Apply, "web", "b", &[("service", "other".into())]);
    assert!(other.content("/b").starts_with("8081 "));
}

#[test]
fn misuse_of_require_is_explained() {
    let check = |files: &[(&str, &str)], expected: &str| {
        let output = problems(files, &mut Bench::new(&[]).kinds);
        assert!(output.starts_with(expected), "{output}");
    };
    let kind = |line: &str| format!("\n{line}\nfunction actions.create() end");
    let outside = "kinds/p.luau:2:1: invalid kind definition: require takes a file below the folder of the kind, \
                   without extension: require(\"lib/ports\"), not \"../x/y\"";
    check(&[("p", &kind("require(\"../x/y\")"))], outside);
    let beside = "kinds/p.luau:2:1: invalid kind definition: ports.luau beside the kinds is a kind; move shared code \
                  to a folder: require(\"lib/ports\")";
    check(&[("p", &kind("require(\"ports\")"))], beside);
    let missing = "kinds/p.luau:2:1: invalid kind definition: `lib/x` cannot be required: kinds/lib/x.luau does not exist";
    check(&[("p", &kind("require(\"lib/x\")"))], missing);
    let computed = "kinds/p.luau:2:1: script failed: require takes a string that is written in the call";
    check(
        &[("p", &kind("require(\"lib/\" .. \"x\")")), ("lib/x", "return {}")],
        "kinds/p.luau:2:1: invalid kind definition",
    );
    check(&[("p", &kind("local n = \"lib/x\" require(n)")), ("lib/x", "return {}")], computed);
    let required = kind("require(\"lib/x\")");
    check(
        &[("p", &required), ("lib/x", "local x = 1")],
        "kinds/p.luau:2:1: script failed: lib/x returns nothing",
    );
    check(
        &[("p", &required), ("lib/x", "return require(\"lib/x\")")],
        "kinds/p.luau:2:1: script failed: kinds/lib/x.luau:1: lib/x requires itself",
    );
    check(
        &[("p", &required), ("lib/x", "\nreturn nil + 1")],
        "kinds/p.luau:2:1: script failed: kinds/lib/x.luau:2: attempt to perform arithmetic",
    );
    check(&[("p", &required), ("lib/x", "return {")], "kinds/lib/x.luau:1:");
    let output = Bench::new(&[]).recipe(Apply, "require(\"lib/x\")");
    assert!(output.contains("there is no require; only a kind can require files of its folder"), "{output}");
}
