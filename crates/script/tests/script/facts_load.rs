//! Facts LCV and PRO: the values that loaders see, and when they run.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;
use crate::stage::said;

/// Logs the values that a loader sees.
const SEEN: &str = r#"
properties.name = { name = true }
properties.id = { identity = true, default = "di" }
properties.how = { setting = true }
properties.x = { type = "text" }

function load_current_value(current, desired)
    log.info(`name={name} id={id} how={how} x={x} current.x={current.x} desired.x={desired.x}`)
    current.x = "loaded"
    log.info(`x={x}`)
end

function actions.create()
    converge_if_changed(function() log.info("never") end)
end
"#;

#[test]
fn lcv_01_06_07_12_and_17_a_loader_sees_name_identity_and_settings() {
    let bench = Bench::new(&[("seen", SEEN)]);
    let check = |id: &str, set: &[(&str, Value)], expected: &str| {
        let output = bench.run(Plan, "seen", "blah", &[set, &[("x", Value::text("loaded"))]].concat());
        assert_eq!(said(&output), expected, "{id}: {output}");
    };
    let id = ("id", Value::text("I"));
    let how = ("how", Value::text("H"));
    check("LCV-01", &[], "name=blah id=di how=nil x=nil current.x=nil desired.x=loaded, x=loaded");
    check("LCV-06", &[id, how], "name=blah id=I how=H x=nil current.x=nil desired.x=loaded, x=loaded");
}

#[test]
fn lcv_09_10_and_11_loaders_are_inherited_replaced_or_called_by_super() {
    let check = |id: &str, text: &str, expected: &str| {
        let bench = Bench::new(&[("seen", SEEN), ("more", &format!("extends 'seen'\n{text}"))]);
        let output = bench.run(Plan, "more", "blah", &[]);
        assert_eq!(said(&output), expected, "{id}: {output}");
    };
    let parent = "name=blah id=di how=nil x=nil current.x=nil desired.x=nil, x=loaded";
    check("LCV-09", "properties.y = { type = 'text' }", parent);
    let own = "properties.y = { type = 'text' }\nfunction load_current_value(current, desired)\n";
    check("LCV-10", &format!("{own} log.info(`own x={{x}}`)\n current.y = 'y'\nend"), "own x=nil");
    let with_super =
        format!("{own} super.load_current_value(current, desired)\n log.info(`own x={{x}}`)\nend");
    check("LCV-11", &with_super, &format!("{parent}, own x=loaded"));
}

#[test]
fn lcv_18_a_resource_that_does_not_exist_has_no_current_value() {
    let text = r#"
        properties.path = { type = "path", name = true }
        properties.content = { type = "text", default = "" }
        function load_current_value(current)
            if not fs.exists(path) then current_value_does_not_exist() end
            current.content = fs.read(path)
        end
        function actions.create()
            log.info(`there: {current ~= nil}`)
            converge_if_changed(function() fs.write(path, content) end)
        end
        function actions.remove()
            fs.remove(path)
        end"#;
    let bench = Bench::new(&[("thing", text)]);
    assert_eq!(said(&bench.run(Apply, "thing", "/a", &[])), "there: false");
    let output = bench.act(Apply, "thing", "/a", &[], "remove");
    assert!(output.starts_with("thing[\"/a\"] changed"), "{output}");
    let again = bench.act(Apply, "thing", "/a", &[], "remove");
    assert_eq!(again, "thing[\"/a\"] unchanged\n");
}

#[test]
fn lcv_19_any_other_error_fails_the_action() {
    let text = "function load_current_value() error('no idea') end\nfunction actions.create() end";
    let output = Bench::new(&[("odd", text)]).run(Plan, "odd", "o", &[]);
    assert!(output.starts_with("odd.o failed: kinds/odd.luau:1: no idea"), "{output}");
}

/// Each loader logs that it ran.
const PARTS: &str = r#"
properties.name = { name = true }
properties.a = { type = "text", load = function(current) log.info("a") current.a = "A" end }
properties.b = { type = "text" }
properties.c = { type = "text" }
properties.d = { type = "text" }

function load_current_value(current)
    log.info("all")
    current.d = "D"
end

loads({ "b", "c" }, function(current)
    log.info(`b and c, {current.d}`)
    current.b = "B"
end)

function actions.create()
    converge_if_changed(function() end)
end

function actions.tell()
    inline("tell", function() log.info(`{a}{a} {b}{current.b} {c}{c} {d}`) end)
end
"#;

#[test]
fn pro_18_19_and_20_unneeded_properties_are_not_loaded() {
    let bench = Bench::new(&[("parts", PARTS)]);
    let check = |id: &str, set: &[&str], expected: &str| {
        let set: Vec<(&str, Value)> =
            set.iter().map(|name| (*name, Value::text(name.to_uppercase()))).collect();
        let output = bench.run(Plan, "parts", "p", &set);
        assert_eq!(said(&output), expected, "{id}: {output}");
        assert!(output.contains("parts.p unchanged"), "{id}: {output}");
    };
    check("PRO-18", &[], "all");
    check("PRO-19", &["d"], "all");
    check("PRO-20", &["a"], "all, a");
    check("PRO-20", &["b"], "all, b and c, D");
    check("PRO-20", &["a", "b"], "all, b and c, D, a");
}

/// In an action, the first read of a property runs its loader; later reads do not.
#[test]
fn pro_19_an_action_loads_each_property_once() {
    let output = Bench::new(&[("parts", PARTS)]).act(Apply, "parts", "p", &[], "tell");
    assert_eq!(said(&output), "all, all, a, b and c, D, AA BB nilnil D", "{output}");
}

/// A computed default is computed when it is read, for a new resource.
#[test]
fn prp_21_a_default_can_be_a_function() {
    let text = r#"
        properties.path = { type = "path", name = true }
        properties.content = { type = "text", default = function() log.info("computed") return "default" end }
        function load_current_value(current)
            if not fs.exists(path) then current_value_does_not_exist() end
            current.content = fs.read(path)
        end
        function actions.create()
            converge_if_changed(function() fs.write(path, content) end)
        end"#;
    let bench = Bench::new(&[("thing", text)]);
    let output = bench.run(Apply, "thing", "/a", &[]);
    assert_eq!(bench.content("/a"), "default", "{output}");
    assert_eq!(said(&output), "computed", "{output}");
    let output = bench.run(Apply, "thing", "/b", &[("content", Value::text("own"))]);
    assert_eq!((bench.content("/b").as_str(), said(&output).as_str()), ("own", ""), "{output}");
}

/// A default does not replace an existing value, unless `enforce` is set.
#[test]
fn cic_22_the_seed_wins_in_scripts_too() {
    let text = |role: &str| {
        format!(
            r#"
            properties.path = {{ type = "path", name = true }}
            properties.content = {{ type = "text", default = "default"{role} }}
            function load_current_value(current)
                if not fs.exists(path) then current_value_does_not_exist() end
                current.content = fs.read(path)
            end
            function actions.create()
                converge_if_changed(function() fs.write(path, content) end)
            end"#
        )
    };
    let check = |role: &str, expected: &str| {
        let bench = Bench::new(&[("thing", &text(role))]).world(|host| host.file("/a", "own", 0o644));
        let output = bench.run(Apply, "thing", "/a", &[]);
        assert_eq!(bench.content("/a"), expected, "{output}");
    };
    check("", "own");
    check(", enforce = true", "default");
}
