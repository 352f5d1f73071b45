//! The rules of the contract, by their numbers.

use serde_json::{Value as Json, json};
use uphold_model::Value;
use uphold_resource::{Act, ErrorKind, Exit, Level, Output};

use super::stage::{Block, KINDS, Stage, input_of, manifest};

#[test]
fn rule_1_a_program_runs_in_the_directory_of_its_manifest() {
    let stage = Stage::printing("{}");
    let kind = stage.kind(&manifest(json!({})));
    Block::of(&kind, "/a").observe(&stage.host.act()).expect("it loads");
    let commands = stage.commands();
    assert_eq!(commands[0].dir.as_deref(), Some(KINDS.as_ref()));
    assert_eq!(commands[0].program, "tool");
    assert!(commands[0].timeout.is_some(), "nothing may hang for ever");
}

#[test]
fn rule_2_arguments_are_made_of_what_is_known() {
    let check = |args: Json, expected: &[&str]| {
        let stage = Stage::printing("{}");
        let get = json!({ "get": { "args": args, "input": null } });
        Block::of(&stage.kind(&manifest(get)), "/a").observe(&stage.host.act()).expect("it loads");
        assert_eq!(stage.commands()[0].args, expected, "{args}");
    };
    check(json!(["a", "b c"]), &["a", "b c"]);
    check(json!([{ "jsonInputArg": "--input" }]), &["--input", r#"{"path":"/a"}"#]);
    check(json!([{ "resourceTypeArg": "-t" }]), &["-t", "Example.Area/Note"]);
    check(json!([{ "resourceVersionArg": "-v" }]), &["-v", "1.2.3"]);
    check(json!([{ "resourcePathArg": "-p" }]), &["-p", "/kinds/note.dsc.resource.json"]);
    let quoted = "\"/kinds/note.dsc.resource.json\"";
    check(json!([{ "resourcePathArg": "-p", "includeQuotes": true }]), &["-p", quoted]);
    check(json!([{ "whatIfArg": "--dry" }, "x"]), &["x"]);
}

#[test]
fn rule_2_no_input_is_no_argument_unless_it_is_mandatory() {
    let check = |argument: Json, expected: &[&str]| {
        let stage = Stage::printing("{}");
        let mut nameless = manifest(json!({ "get": { "args": [argument], "input": null } }));
        nameless["schema"]["embedded"] = json!({ "properties": { "family": { "type": "string" } } });
        Block::of(&stage.kind(&nameless), "this machine").observe(&stage.host.act()).expect("it loads");
        assert_eq!(stage.commands()[0].args, expected);
    };
    check(json!({ "jsonInputArg": "-i" }), &[]);
    check(json!({ "jsonInputArg": "-i", "mandatory": true }), &["-i", "{}"]);
}

#[test]
fn rule_3_input_comes_on_stdin_in_variables_or_not_at_all() {
    let check = |input: Json| {
        let stage = Stage::printing("{}");
        let kind = stage.kind(&manifest(json!({ "get": { "input": input } })));
        let tags = Value::list([Value::text("x"), Value::text("y")]);
        Block::of(&kind, "/a").set("tags", tags).observe(&stage.host.act()).expect("it loads");
        stage.commands().remove(0)
    };
    let stdin = check(json!("stdin"));
    assert_eq!((input_of(&stdin), stdin.env.len()), (json!({ "path": "/a", "tags": ["x", "y"] }), 0));
    let env = check(json!("env"));
    let variables: Vec<_> = env.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!((env.stdin, variables), (None, vec!["path=/a".to_owned(), "tags=x,y".to_owned()]));
    let nothing = check(json!(null));
    assert_eq!((nothing.stdin, nothing.env.len()), (None, 0));
}

#[test]
fn rule_3_null_is_no_variable() {
    let stage = Stage::printing("{}");
    let mut nullable = manifest(json!({ "get": { "input": "env" } }));
    nullable["schema"]["embedded"]["properties"]["text"]["type"] = json!(["string", "null"]);
    let block = Block::of(&stage.kind(&nullable), "/a").set("text", Value::Null);
    block.observe(&stage.host.act()).expect("it loads");
    let variables: Vec<_> = stage.commands()[0].env.keys().cloned().collect();
    assert_eq!(variables, ["path"]);
}

#[test]
fn rule_3_nested_values_have_no_variable() {
    let stage = Stage::printing("{}");
    let mut nested = manifest(json!({ "get": { "input": "env" } }));
    nested["schema"]["embedded"]["properties"]["more"] = json!({ "type": "object" });
    let more = Value::map([("a", Value::Int(1))]);
    let error = Block::of(&stage.kind(&nested), "/a").set("more", more).error(&stage.host.act());
    assert_eq!(error.chain(), "`more` of Example.Area/Note cannot be a variable: it is nested");
    assert_eq!(error.advice(), Some("change the program to take its input from stdin"));
}

fn failing(exit: Exit, stderr: &'static str) -> Stage {
    Stage::new(move |_| Output::new(exit, "", stderr))
}

#[test]
fn rule_4_messages_are_reported_and_other_lines_kept_for_failures() {
    let stage = Stage::new(|call| {
        let stderr =
            "{\"info\":\"hello\"}\nnoise\n{\"level\":\"WARN\",\"fields\":{\"message\":\"careful\"}}\n";
        Output { stderr: stderr.into(), ..call.succeed("{}") }
    });
    Block::of(&stage.kind(&manifest(json!({}))), "/a").observe(&stage.host.act()).expect("it loads");
    let expected = [(Level::Info, "hello".to_owned()), (Level::Warning, "careful".to_owned())];
    assert_eq!(stage.host.said(), expected);
}

#[test]
fn rule_5_only_status_0_is_success() {
    let codes = json!({ "exitCodes": { "0": "fine", "3": "the disk is full" } });
    let check = |exit, stderr, kind, text: &str| {
        let stage = failing(exit, stderr);
        let error = Block::of(&stage.kind(&manifest(codes.clone())), "/a").error(&stage.host.act());
        assert_eq!((error.kind(), error.chain()), (kind, text.to_owned()));
    };
    let ended = "cannot `get` Example.Area/Note: its program exited with status";
    check(Exit::Code(3), "", ErrorKind::Rejected, &format!("{ended} 3: the disk is full"));
    let said = "{\"error\":\"no room\"}\n{\"info\":\"by the way\"}\nat line 5";
    check(
        Exit::Code(3),
        said,
        ErrorKind::Rejected,
        &format!("{ended} 3: the disk is full: no room\nat line 5"),
    );
    check(Exit::Code(7), "oops", ErrorKind::Rejected, &format!("{ended} 7: oops"));
    let killed = "cannot `get` Example.Area/Note: its program was killed by signal 9";
    check(Exit::Signal(9), "", ErrorKind::Failed, killed);
    let slow = "cannot `get` Example.Area/Note: its program timed out and was killed";
    check(Exit::TimedOut, "", ErrorKind::TimedOut, slow);
}

#[test]
fn rule_6_get_prints_one_object() {
    let check = |printed: &str, expected: &str| {
        let stage = Stage::printing(printed);
        let error = Block::of(&stage.kind(&manifest(json!({}))), "/a").error(&stage.host.act());
        assert_eq!((error.kind(), error.chain()), (ErrorKind::Defect, expected.to_owned()));
    };
    let what = "the output of `get` of Example.Area/Note";
    check("", &format!("{what} is not JSON: line 1, column 0: it printed nothing"));
    check("hello", &format!("{what} is not JSON: line 1, column 1: hello"));
    check("[]", &format!("{what} is not an object: []"));
    let wrong = "the output of `get` of Example.Area/Note does not match its schema: `size` = \"big\" must be of type integer".to_string();
    check(r#"{"size": "big"}"#, &wrong);
}

#[test]
fn rule_8_set_gets_all_desired_properties() {
    let stage = Stage::printing(r#"{"path": "/a", "text": "old"}"#);
    let block = Block::of(&stage.kind(&manifest(json!({}))), "/a").set("text", "new");
    block.apply(&stage.host.act()).expect("it changes");
    let commands = stage.commands();
    assert_eq!(input_of(&commands[0]), json!({ "path": "/a", "text": "new" }));
    assert_eq!(input_of(&commands[1]), json!({ "path": "/a", "text": "new", "_exist": true }));
    assert_eq!((&*commands[0].args[0], &*commands[1].args[0]), ("get", "set"));
}

#[test]
fn rule_8_removal_uses_delete() {
    let stage = Stage::printing("{}");
    let delete = json!({ "delete": { "executable": "tool", "args": ["delete"], "input": "stdin" } });
    let block = Block::of(&stage.kind(&manifest(delete.clone())), "/a").removed();
    block.apply(&stage.host.act()).expect("it is removed");
    let commands = stage.commands();
    assert_eq!(commands[1].args, ["delete"]);
    assert_eq!(input_of(&commands[1]), json!({ "path": "/a", "_exist": false }));

    let mut handles = manifest(delete);
    handles["set"]["handlesExist"] = json!(true);
    Block::of(&stage.kind(&handles), "/a").removed().apply(&stage.host.act()).expect("it is removed");
    let commands = stage.commands();
    assert_eq!(commands[1].args, ["set"]);
    assert_eq!(input_of(&commands[1])["_exist"], json!(false));
}

#[test]
fn rule_8_without_set_nothing_can_be_changed() {
    let stage = Stage::printing(r#"{"text": "old"}"#);
    let kind = stage.kind(&manifest(json!({ "set": null })));
    Block::of(&kind, "/a").set("text", "old").apply(&stage.host.act()).expect("nothing has to be set");
    let block = Block::of(&kind, "/a").set("text", "new");
    assert_eq!(block.differing(&stage.host.act()), ["text"]);
    let error = block.apply(&stage.host.act()).expect_err("nothing can be set");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(error.chain(), "Example.Area/Note cannot be changed: its manifest has no `set`");
    assert!(!kind.schema().removable);
}

#[test]
fn rule_9_a_plan_uses_what_if() {
    let check = |more: Json, expected: &[&str]| {
        let stage = Stage::new(|call| match call.command.args.join(" ").as_str() {
            "get" => call.succeed(r#"{"text": "old"}"#),
            "set --dry" | "what" => call.succeed(r#"{"_metadata": {"whatIf": ["write 3 bytes"]}}"#),
            other => call.fail(1, other),
        });
        let block = Block::of(&stage.kind(&manifest(more)), "/a").set("text", "new");
        let overlay = stage.host.machine().overlay();
        let error = block.apply(&Act::new(&overlay, None, &stage.host)).expect_err("nothing runs in a plan");
        assert_eq!(error.kind(), ErrorKind::Unpredictable, "{}", error.chain());
        let said: Vec<String> = stage.host.said().into_iter().map(|(_, text)| text).collect();
        assert_eq!(said, expected);
    };
    check(json!({ "set": { "args": ["set", { "whatIfArg": "--dry" }] } }), &["write 3 bytes"]);
    check(json!({ "whatIf": { "executable": "tool", "args": ["what"] } }), &["write 3 bytes"]);
    let failed = "cannot `whatIf` Example.Area/Note: its program exited with status 1: set --broken";
    check(json!({ "set": { "args": ["set", { "whatIfArg": "--broken" }] } }), &[failed]);
    check(json!({}), &[]);
}

#[test]
fn rule_10_a_program_can_validate_and_describe_itself() {
    let validate = json!({ "validate": { "executable": "tool", "args": ["validate"] } });
    let stage =
        Stage::answering(&[("validate", r#"{"valid": false, "reason": "no such tag"}"#), ("get", "{}")]);
    let kind = stage.kind(&manifest(validate));
    let error = Block::of(&kind, "/a").set("text", "x").error(&stage.host.act());
    assert_eq!(error.chain(), "Example.Area/Note rejects these properties: no such tag");
    assert_eq!(input_of(&stage.commands()[0]), json!({ "path": "/a", "text": "x" }));

    let stage = Stage::answering(&[("schema", r#"{"properties": {"id": {"type": "integer"}}}"#)]);
    let mut asks = manifest(json!({}));
    asks["schema"] = json!({ "command": { "executable": "tool", "args": ["schema"] } });
    let names: Vec<_> = stage.kind(&asks).schema().properties.iter().map(|property| property.name).collect();
    assert_eq!(names, ["id"]);
}

#[test]
fn rule_11_reserved_names_are_no_properties() {
    let printed =
        r#"{"path": "/a", "text": "x", "_exist": true, "_metadata": {"a": 1}, "_name": "n", "other": 1}"#;
    let stage = Stage::printing(printed);
    let kind = stage.kind(&manifest(json!({})));
    let names: Vec<_> = kind.schema().properties.iter().map(|property| property.name).collect();
    assert_eq!(names, ["path", "size", "tags", "text"]);
    assert!(Block::of(&kind, "/a").set("text", "x").observe(&stage.host.act()).expect("it loads").converged);
    let problems = Block::of(&kind, "/a").set("_exist", true).decode().err().expect("it is refused");
    assert_eq!(problems[0].rule, "is not a property of `note`");
}

#[test]
fn rule_11_required_restarts_are_reported() {
    let restarts =
        r#"{"_restartRequired": [{"system": "a"}, {"service": "web"}, {"process": {"name": "p", "id": 1}}]}"#;
    let stage = Stage::printing(restarts);
    let kind = stage.kind(&manifest(json!({ "set": { "return": "state" } })));
    Block::of(&kind, "/a").set("text", "x").apply(&stage.host.act()).expect("it changes");
    let said: Vec<String> = stage.host.said().into_iter().map(|(_, text)| text).collect();
    let expected = ["the machine", "the service web", "the process p"];
    assert_eq!(said, expected.map(|what| format!("{what} has to be restarted for this to take effect")));
}

#[test]
fn rule_11_existence_is_what_the_program_says() {
    let check = |printed: &str, exists: bool| {
        let stage = Stage::printing(printed);
        let seen =
            Block::of(&stage.kind(&manifest(json!({}))), "/a").observe(&stage.host.act()).expect("it loads");
        assert_eq!(seen.exists, exists, "{printed}");
    };
    check(r#"{"_exist": false}"#, false);
    check(r#"{"_exist": true}"#, true);
    check("{}", true);
}

#[test]
fn the_required_user_is_checked_first() {
    let check = |context: &str, uid: u32, expected: Option<&str>| {
        let stage = Stage::printing("{}");
        let kind = stage.kind(&manifest(json!({ "get": { "requireSecurityContext": context } })));
        let host = stage.host.running_as(uid);
        let error = Block::of(&kind, "/a").observe(&host.act()).err().map(|error| error.chain());
        assert_eq!(error.as_deref(), expected, "{context} {uid}");
    };
    check("current", 1000, None);
    check("elevated", 0, None);
    check("elevated", 1000, Some("`get` of Example.Area/Note may be run only by root"));
    check("restricted", 1000, None);
    check("restricted", 0, Some("`get` of Example.Area/Note may be run only by users other than root"));
}
