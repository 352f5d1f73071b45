//! Secrets are visible to the program only.

use serde_json::json;
use uphold_model::Value;
use uphold_resource::{Exit, Output};

use super::stage::{Block, Stage, input_of, manifest};

const SECRET: &str = "hunter2-hunter2";

fn secret() -> Value {
    Value::text(SECRET).sensitive()
}

#[test]
fn a_secret_is_no_argument() {
    let stage = Stage::printing("{}");
    let with_argument = json!({ "set": { "args": ["set", { "jsonInputArg": "-i" }], "input": null } });
    let kind = stage.kind(&manifest(with_argument));
    let problems = Block::of(&kind, "/a").set("text", secret()).decode().err().expect("it is refused");
    let expected = "`text` is a secret, but the program takes its input as an argument, which every user of the \
                    machine can see; change Example.Area/Note to take its input from stdin";
    assert_eq!(problems[0].to_string(), expected);
    assert!(Block::of(&kind, "/a").set("text", "open").decode().is_ok());
}

#[test]
fn a_property_can_be_secret_by_its_schema() {
    let stage = Stage::printing("{}");
    let mut secretive = manifest(json!({ "get": { "args": [{ "jsonInputArg": "-i" }], "input": null } }));
    secretive["schema"]["embedded"]["properties"]["text"]["format"] = json!("password");
    let kind = stage.kind(&secretive);
    assert!(Block::of(&kind, "/a").set("text", SECRET).decode().is_err());
}

#[test]
fn output_is_hidden_if_the_input_has_a_secret() {
    let check = |exit: Exit, stdout: &'static str| {
        let stage = Stage::new(move |_| {
            let stderr = format!("{{\"info\":\"{SECRET}\"}}\n{SECRET}\n");
            Output::new(exit, stdout, stderr)
        });
        let error =
            Block::of(&stage.kind(&manifest(json!({}))), "/a").set("text", secret()).error(&stage.host.act());
        assert!(!format!("{error:?} {}", error.chain()).contains(SECRET));
        assert!(stage.host.said().is_empty());
        assert_eq!(input_of(&stage.commands()[0])["text"], json!(SECRET));
    };
    check(Exit::Code(1), "");
    check(Exit::Code(0), "hunter2-hunter2");
}

#[test]
fn a_difference_of_a_secret_is_hidden() {
    let stage = Stage::printing(r#"{"text": "old-secret"}"#);
    let block = Block::of(&stage.kind(&manifest(json!({}))), "/a").set("text", secret());
    let seen = block.observe(&stage.host.act()).expect("it loads");
    assert!(seen.differences[0].is_sensitive());
    assert!(!format!("{:?}", seen.differences).contains("secret\""));
}

#[test]
fn a_property_with_a_password_inside_is_hidden_as_a_whole() {
    let stage = Stage::printing(r#"{"login": {"user": "a", "password": "old-secret"}}"#);
    let mut secretive = manifest(json!({}));
    secretive["schema"]["embedded"]["properties"]["login"] = json!({
        "type": "object",
        "properties": { "user": { "type": "string" }, "password": { "type": "string", "format": "password" } }
    });
    let login = Value::map([("user", Value::text("a")), ("password", Value::text(SECRET))]);
    let block = Block::of(&stage.kind(&secretive), "/a").set("login", login);
    let seen = block.observe(&stage.host.act()).expect("it loads");
    assert!(seen.differences[0].is_sensitive());
    assert!(!format!("{:?}", seen.differences).contains("secret\""));
}
