//! Rule 7: who decides whether a resource is in its desired state.

use serde_json::json;
use uphold_model::Value;

use super::stage::{Block, Stage, input_of, manifest};

fn tested(returns: &str) -> serde_json::Value {
    let mut test = json!({ "executable": "tool", "args": ["test"], "input": "stdin" });
    if !returns.is_empty() {
        test["return"] = json!(returns);
    }
    manifest(json!({ "test": test }))
}

#[test]
fn rule_7_without_test_the_engine_compares() {
    let stage = Stage::printing(r#"{"path": "/a", "text": "x", "tags": ["b", "a"]}"#);
    let kind = stage.kind(&manifest(json!({})));
    let tags = |tags: &[&str]| Value::list(tags.iter().map(|&tag| Value::text(tag)));
    let block = || Block::of(&kind, "/a");
    assert!(block().differing(&stage.host.act()).is_empty());
    assert!(block().set("text", "x").set("tags", tags(&["a", "b"])).differing(&stage.host.act()).is_empty());
    assert_eq!(block().set("text", "y").differing(&stage.host.act()), ["text"]);
    assert_eq!(block().set("tags", tags(&["a"])).differing(&stage.host.act()), ["tags"]);
    assert_eq!(stage.operations(), ["get"; 4]);
}

#[test]
fn rule_7_a_default_stands_for_what_is_not_printed() {
    let stage = Stage::printing("{}");
    let mut defaulted = manifest(json!({}));
    defaulted["schema"]["embedded"]["properties"]["text"]["default"] = json!("usual");
    let kind = stage.kind(&defaulted);
    assert!(Block::of(&kind, "/a").set("text", "usual").differing(&stage.host.act()).is_empty());
    assert_eq!(Block::of(&kind, "/a").set("text", "other").differing(&stage.host.act()), ["text"]);
}

#[test]
fn rule_7_write_only_properties_are_passed_but_not_compared() {
    let stage = Stage::printing(r#"{"path": "/a"}"#);
    let mut hidden = manifest(json!({}));
    hidden["schema"]["embedded"]["properties"]["text"]["writeOnly"] = json!(true);
    let block = Block::of(&stage.kind(&hidden), "/a").set("text", "x");
    assert!(block.observe(&stage.host.act()).expect("it loads").converged);
    assert_eq!(input_of(&stage.commands()[0]), json!({ "path": "/a", "text": "x" }));
}

#[test]
fn rule_7_test_that_returns_the_state_is_compared() {
    let stage = Stage::answering(&[("test", r#"{"text": "x"}"#)]);
    let kind = stage.kind(&tested("state"));
    assert!(Block::of(&kind, "/a").set("text", "x").differing(&stage.host.act()).is_empty());
    assert_eq!(input_of(&stage.commands()[0]), json!({ "path": "/a", "text": "x", "_exist": true }));
    assert_eq!(Block::of(&kind, "/a").set("text", "y").differing(&stage.host.act()), ["text"]);
}

#[test]
fn rule_7_the_verdict_of_the_program_wins() {
    let check = |answer: &'static str, wanted: &str, expected: &[&str]| {
        let stage = Stage::new(move |call| call.succeed(answer));
        let block = Block::of(&stage.kind(&tested("state")), "/a").set("text", wanted);
        assert_eq!(block.differing(&stage.host.act()), expected, "{answer} {wanted}");
        assert_eq!(stage.operations(), ["test"]);
    };
    check(r#"{"text": "X", "_inDesiredState": true}"#, "x", &[]);
    check(r#"{"text": "X", "_inDesiredState": false}"#, "x", &["text"]);
    check(r#"{"text": "x", "_inDesiredState": false}"#, "x", &["_inDesiredState"]);
}

#[test]
fn rule_7_names_that_differ_are_believed() {
    let check = |answer: &'static str, wanted: &str, expected: &[&str]| {
        let stage = Stage::new(move |call| call.succeed(answer));
        let block = Block::of(&stage.kind(&tested("stateAndDiff")), "/a").set("text", wanted);
        assert_eq!(block.differing(&stage.host.act()), expected, "{answer} {wanted}");
    };
    check("{\"text\": \"x\"}\n[\"text\"]\n", "x", &["text"]);
    check("{\"text\": \"y\"}\n[]\n", "x", &[]);
    check("{\"text\": \"y\"}\n[\"tags\"]\n", "x", &["_inDesiredState"]);
    check("{\"text\": \"y\", \"_inDesiredState\": true}\n[\"text\"]\n", "x", &[]);
    let stage = Stage::printing("{}\n");
    let error =
        Block::of(&stage.kind(&tested("stateAndDiff")), "/a").set("text", "x").error(&stage.host.act());
    let expected = "the output of `test` of Example.Area/Note has no list of differing properties in its second line: \
                    it printed nothing";
    assert_eq!(error.chain(), expected);
}

#[test]
fn rule_7_a_test_that_returns_nothing_is_followed_by_get() {
    let stage = Stage::answering(&[("test", "whatever"), ("get", r#"{"text": "x"}"#)]);
    let kind = stage.kind(&tested(""));
    assert!(Block::of(&kind, "/a").set("text", "x").differing(&stage.host.act()).is_empty());
    assert_eq!(stage.operations(), ["test", "get"]);
}

#[test]
fn without_properties_only_get_runs() {
    let stage = Stage::answering(&[("get", "{}")]);
    assert!(
        Block::of(&stage.kind(&tested("state")), "/a")
            .observe(&stage.host.act())
            .expect("it loads")
            .converged
    );
}

#[test]
fn removal_needs_no_test() {
    let stage = Stage::answering(&[("test", r#"{"text": "x", "_inDesiredState": false}"#)]);
    let mut removable = tested("state");
    removable["delete"] = json!({ "executable": "tool", "args": ["delete"] });
    let block = Block::of(&stage.kind(&removable), "/a").set("text", "x").removed();
    let seen = block.observe(&stage.host.act()).expect("it loads");
    assert!(seen.exists && !seen.converged);
    assert_eq!(block.differing(&stage.host.act()), ["text"], "what is lost, and nothing else");
}

#[test]
fn a_test_that_returns_the_state_is_enough() {
    let stage = Stage::answering(&[("test", r#"{"text": "x"}"#)]);
    let mut only = tested("state");
    only["get"] = json!(null);
    let kind = stage.kind(&only);
    assert!(Block::of(&kind, "/a").observe(&stage.host.act()).expect("it loads").converged);
    assert_eq!(Block::of(&kind, "/a").set("text", "y").differing(&stage.host.act()), ["text"]);
}

#[test]
fn uncompared_properties_are_still_tested() {
    let stage = Stage::answering(&[("test", r#"{"_inDesiredState": false}"#), ("set", "")]);
    let mut script = tested("state");
    script["schema"]["embedded"]["properties"]["text"]["writeOnly"] = json!(true);
    let block = Block::of(&stage.kind(&script), "/a").set("text", "make it so");
    assert_eq!(block.differing(&stage.host.act()), ["_inDesiredState"]);
    block.apply(&stage.host.act()).expect("it is set");
    assert_eq!(stage.operations(), ["test", "test", "set"]);
}
