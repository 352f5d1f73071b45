//! Kinds that are defined in files beside the configuration.

use serde_json::{Value as Json, json};

use super::client::Client;

const NOTE: &str = "doc = \"A note on disk.\"\n\
                    properties.path = { type = \"path\", name = true }\n\
                    properties.text = { type = \"text\", doc = \"What it says.\" }\n\
                    function actions.create() end\n";

fn client() -> Client {
    let client = Client::new();
    client.save("kinds/note.luau", NOTE);
    client
}

fn labels(client: &mut Client, text: &str) -> Vec<String> {
    let place = client.open_at("main.hcl", text);
    let answer = client.ask_at("textDocument/completion", "main.hcl", &place);
    let items = answer["items"].as_array().expect("a list");
    items.iter().filter_map(|item| item["label"].as_str()).map(str::to_owned).collect()
}

fn messages(diagnostics: &Json) -> Vec<String> {
    let all = diagnostics.as_array().expect("a list").iter();
    all.filter_map(|one| one["message"].as_str()?.split(": ").next()).map(str::to_owned).collect()
}

#[test]
fn kinds_of_files_are_completed_and_explained() {
    let mut client = client();
    assert!(labels(&mut client, "no|").contains(&"note".to_owned()));
    assert!(labels(&mut client, "note \"/a\" {\n  |\n}\n").contains(&"text".to_owned()));
    let place = client.open_at("main.hcl", "no|te \"/a\" {\n}\n");
    let hover = client.ask_at("textDocument/hover", "main.hcl", &place);
    let page = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(page.starts_with("# note\n\nA note on disk.\n"), "{page}");
    // A module can use the kinds of the configuration that contains it.
    client.save("m/main.hcl", "");
    let place = client.open_at("m/main.hcl", "no|te \"/a\" {\n}\n");
    assert!(client.ask_at("textDocument/hover", "m/main.hcl", &place).is_object());
}

#[test]
fn blocks_of_kind_files_are_checked() {
    let mut client = client();
    client.open("main.hcl", "note \"/a\" {\n  txt = \"hi\"\n}\n");
    assert_eq!(messages(&client.diagnostics("main.hcl")), ["unknown property"]);
    client.change("main.hcl", "note \"/a\" {\n  text = \"hi\"\n}\n");
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    // A file that changed on the disk is read again when the editor reports it.
    client.save("kinds/note.luau", &NOTE.replace("properties.text", "properties.words"));
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    assert_eq!(messages(&client.diagnostics("main.hcl")), ["unknown property"]);
}

#[test]
fn errors_in_kind_files_are_reported_in_their_files() {
    let mut client = client();
    client.open("main.hcl", "note \"/a\" {\n  text = \"hi\"\n}\n");
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    client.open("kinds/note.luau", "local x = = 1\n");
    assert_eq!(messages(&client.diagnostics("kinds/note.luau")).len(), 1);
    // Blocks of the kind get no error.
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    client.change("kinds/note.luau", NOTE);
    assert_eq!(client.diagnostics("kinds/note.luau"), json!([]));
    // Without a configuration as well.
    let mut alone = Client::new();
    alone.open("kinds/note.luau", "local x = = 1\n");
    assert_eq!(messages(&alone.diagnostics("kinds/note.luau")).len(), 1);
}

#[test]
fn no_program_of_a_kind_is_run() {
    let mut client = Client::new();
    let manifest = r#"{ "type": "Example/Lamp", "version": "1.0.0", "get": { "executable": "lamp.sh" },
                        "schema": { "command": { "executable": "lamp.sh" } } }"#;
    client.save("kinds/lamp.dsc.resource.json", manifest);
    client.save("kinds/lamp.sh", "#!/bin/sh\ntouch ran\necho '{\"properties\": {}}'\n");
    let program = client.path("kinds/lamp.sh");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, mode).expect("it is ours");
    client.open("main.hcl", "lamp \"x\" {\n  odd = 1\n}\n");
    assert_eq!(messages(&client.diagnostics("main.hcl")), ["properties are not checked"]);
    assert!(labels(&mut client, "la|").contains(&"lamp".to_owned()));
    assert!(!program.with_file_name("ran").exists());
}
