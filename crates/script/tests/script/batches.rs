//! The function `batch`: many resources in one call.

use uphold_engine::Mode::{Apply, Plan};
use uphold_testkit::laws::broken_by;
use uphold_testkit::{Subject, Wish};

use crate::bench::Bench;
use crate::stage::site;

/// Files that one call writes, which counts its calls.
const ENTRY: &str = "properties.path = { type = \"path\", name = true }\n\
    properties.text = { type = \"string\", default = \"none\" }\n\
    function load_current_value(current)\n\
    if not fs.exists(path) then current_value_does_not_exist() end\n\
    current.text = fs.read(path)\nend\n\
    function actions.create() converge_if_changed(function() fs.write(path, text) end) end\n\
    function actions.remove() fs.remove(path) end\n";

const BATCH: &str = "function batch(resources)\n\
    log.info(`a batch of {#resources}`)\n\
    for _, entry in resources do\n\
    if entry.action == \"remove\" then fs.remove(entry.path) else fs.write(entry.path, entry.text) end\n\
    end\nend\n";

fn bench(batch: &str) -> Bench {
    let text = format!("{ENTRY}{batch}");
    Bench::new(&[("entry", &text)]).world(|host| host.directory("/srv", 0o755).file("/srv/old", "old", 0o644))
}

const SITE: &str =
    "entry \"/srv/a\" { text = \"a\" }\nentry \"/srv/b\" {}\nentry \"/srv/old\" { action = \"remove\" }\n";

#[test]
fn one_call_changes_all_resources() {
    let bench = bench(BATCH);
    let plan = site(&bench, Plan, SITE);
    assert!(plan.contains("entry[\"/srv/a\"] would change") && !plan.contains("batch"), "{plan}");
    let output = site(&bench, Apply, SITE);
    assert!(output.contains("a batch of 3\n"), "{output}");
    assert_eq!(output.matches("] changed").count(), 3, "{output}");
    assert_eq!((bench.content("/srv/a"), bench.content("/srv/b")), ("a".to_owned(), "none".to_owned()));
    assert!(bench.content("/srv/old").contains("cannot read"));
    let again = site(&bench, Apply, SITE);
    assert!(!again.contains("batch") && again.matches(" unchanged").count() == 3, "{again}");
}

/// Only resources that differ are in the batch, each with its current state.
#[test]
fn a_batch_has_only_resources_that_differ() {
    let show = "function batch(resources)\nfor _, r in resources do\n\
                log.info(`{r.path}: {r.current and r.current.text} to {r.text}`)\nfs.write(r.path, r.text)\nend\nend\n";
    let bench = bench(show);
    let output =
        site(&bench, Apply, "entry \"/srv/old\" { text = \"new\" }\nentry \"/srv/x\" { text = \"x\" }\n");
    assert!(output.contains("/srv/old: old to new\n") && output.contains("/srv/x: nil to x\n"), "{output}");
    let output =
        site(&bench, Apply, "entry \"/srv/old\" { text = \"newer\" }\nentry \"/srv/x\" { text = \"x\" }\n");
    assert!(output.contains("/srv/old: new to newer\n") && !output.contains("/srv/x: "), "{output}");
}

#[test]
fn a_failed_batch_fails_each_resource() {
    let output = site(&bench("function batch() error(\"no mirror\") end\n"), Apply, SITE);
    assert_eq!(output.matches("] failed: ").count(), 3, "{output}");
    assert_eq!(output.matches("no mirror").count(), 3, "{output}");
    let forgets = "function batch(resources) fs.write(resources[1].path, resources[1].text) end\n";
    let output = site(&bench(forgets), Apply, "entry \"/srv/a\" {}\nentry \"/srv/b\" {}\n");
    assert_eq!(
        (output.matches("] changed").count(), output.matches("] failed: ").count()),
        (1, 1),
        "{output}"
    );
}

#[test]
fn a_bare_property_in_a_batch_is_explained() {
    let output = site(&bench("function batch() fs.write(path, text) end\n"), Apply, SITE);
    let message = "path is a property of each resource; in batch(resources), write resource.path";
    assert!(output.contains(message), "{output}");
}

#[test]
fn a_secret_of_one_resource_hides_the_batch() {
    let text = "properties.password = { type = \"string\", sensitive = true }\n\
                function actions.create() fs.write(`/{name}`, password or \"\") end\n\
                function batch(resources)\nfor _, r in resources do log.info(r.password) fs.write(`/{r.name}`, r.password or \"\") end\nend\n";
    let bench = Bench::new(&[("vault", text)]);
    let output = site(&bench, Apply, "vault \"a\" {}\nvault \"b\" { password = \"hunter2\" }\n");
    assert!(!output.contains("hunter2"), "{output}");
    assert_eq!(bench.content("/b"), "hunter2");
}

#[test]
fn the_laws_compare_a_batch_with_separate_applies() {
    let subject = |batch: &str| {
        Subject::among(&bench(batch).kinds, "entry")
            .world(|host| host.directory("/srv", 0o755))
            .wish(Wish::named("/srv/a").set("text", "a"))
            .wish(Wish::named("/srv/b").set("text", "b"))
    };
    assert!(broken_by(&subject(BATCH)).is_empty());
    let wrong =
        "function batch(resources) for _, r in resources do fs.write(r.path, resources[1].text) end end\n";
    let broken = broken_by(&subject(wrong));
    assert_eq!(
        broken.iter().map(|broken| broken.law).collect::<Vec<_>>(),
        ["a_batch_equals_separate_applies"]
    );
}
