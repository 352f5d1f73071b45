//! Runs every Luau block of docs/scripting.md.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;

const PAGE: &str = include_str!("../../../../docs/scripting.md");

/// The kinds that the page defines, by name, and its recipes.
fn blocks() -> (Vec<(&'static str, &'static str)>, Vec<&'static str>) {
    let blocks = PAGE.split("```lua\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0));
    let (mut kinds, mut recipes) = (Vec::new(), Vec::new());
    for block in blocks {
        match block.strip_prefix("-- kinds/").and_then(|rest| rest.split_once(".luau\n")) {
            Some((name, _)) => kinds.push((name, block)),
            None => recipes.push(block),
        }
    }
    (kinds, recipes)
}

#[test]
fn each_recipe_is_planned_and_applied_and_then_unchanged() {
    let (kinds, recipes) = blocks();
    assert!(kinds.len() > 5 && recipes.len() > 3, "{} kinds, {} recipes", kinds.len(), recipes.len());
    for recipe in recipes {
        let bench = Bench::new(&kinds).world(|host| host.directory("/etc", 0o755));
        let planned = bench.recipe(Plan, recipe);
        let would = "recipe[\"site.luau\"] would change";
        assert!(planned.contains(would), "{recipe}\n{planned}");
        let applied = bench.recipe(Apply, recipe);
        // An apply may print messages besides, and the order within a parallel group is free.
        let applied = applied.replace(" changed", " would change");
        let is_applied = |line: &str| applied.lines().any(|other| other == line);
        assert!(planned.lines().all(is_applied), "{recipe}\n{planned}\n{applied}");
        let again = bench.recipe(Apply, recipe);
        assert!(again.ends_with(" unchanged\n"), "{recipe}\n{again}");
    }
}

/// A newcomer reads the first block as a whole.
#[test]
fn the_smallest_kind_has_at_most_ten_lines() {
    let (kinds, _) = blocks();
    let (name, text) = kinds[0];
    assert!(text.lines().count() <= 10, "{text}");
    let bench = Bench::new(&[(name, text)]).world(|host| host.directory("/etc", 0o755));
    let run = |mode, text: &str| bench.run(mode, name, "motd", &[("text", Value::text(text))]);
    assert!(run(Plan, "hello").contains("motto.motd would change"));
    assert!(run(Apply, "hello").contains("motto.motd changed"));
    assert_eq!(bench.content("/etc/motd"), "hello\n");
    assert_eq!(run(Apply, "hello"), "motto.motd unchanged\n");
    assert!(bench.run(Plan, name, "motd", &[]).contains("`text` is required"));
}

/// Each kind is used with its required properties.
#[test]
fn each_kind_can_be_applied() {
    let (kinds, _) = blocks();
    let bench = Bench::new(&kinds).world(|host| host.directory("/www", 0o755));
    for (kind, name, set) in [
        ("note", "/n", "{ text = \"hello\" }"),
        ("listener", "web", "{ port = 8080, host = \"LOCALHOST\" }"),
        ("page", "/p", "{ text = \"two words\" }"),
        ("site", "/s", "{}"),
        ("site_page", "about", "{ site = \"/www\" }"),
        ("signed_note", "/g", "{ text = \"hello\" }"),
        ("pool", "web", "{ servers = { { host = \"a\" } } }"),
        ("font", "sans.otf", "{}"),
        ("port", "http", "{}"),
        ("banner", "/banner", "{ text = \"hello\" }"),
        ("env_key", "LANG", "{ file = \"/env\", value = \"C\" }"),
        ("env_key", "TZ", "{ file = \"/env\", value = \"UTC\" }"),
        ("endpoint", "front", "{ address = \"10.0.0.1\" }"),
    ] {
        assert!(kinds.iter().any(|(other, _)| *other == kind), "the page defines no {kind}");
        let recipe = format!("{kind}(\"{name}\", {set})");
        let output = bench.recipe(Apply, &recipe);
        assert!(output.contains("] changed\n"), "{output}");
        assert!(bench.recipe(Apply, &recipe).ends_with(" unchanged\n"), "{kind}");
    }
    assert_eq!(bench.content("/env"), "LANG=C\nTZ=UTC\n");
    assert_eq!(bench.content("/web.conf"), "localhost:8080\n");
    assert_eq!(bench.content("/g.by"), "ada");
    assert_eq!(bench.content("/web.pool"), "server a:80\n");
    assert_eq!(bench.content("/fonts.index"), "sans.otf");
    assert_eq!(bench.content("/http.port"), "http 80/tcp\n");
    let refused = bench.recipe(Apply, "listener(\"web\", { port = 80 })");
    assert!(refused.contains("must be one that anybody may use"), "{refused}");
    let refused = bench.recipe(Apply, "listener(\"web\", { port = 8080, host = \"0.0.0.0\" })");
    assert!(refused.contains("needs a password there"), "{refused}");
    let words = bench.recipe(Apply, "file(\"/words\", { content = tostring(read(\"page\", \"/p\").words) })");
    assert_eq!(bench.content("/words"), "2", "{words}");
}
