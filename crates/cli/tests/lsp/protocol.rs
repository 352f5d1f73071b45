//! Initialization, shutdown, and invalid messages.

use serde_json::{Value as Json, json};

use super::client::Client;

#[test]
fn an_orderly_shutdown() {
    let mut client = Client::new();
    assert_eq!(client.request("shutdown", &Json::Null), Json::Null);
    assert_eq!(client.answer("textDocument/hover", &json!({}))["error"]["code"], -32600);
    client.notify("exit", &Json::Null);
    assert_eq!(client.end(), Some(0));
}

#[test]
fn unexpected_ends() {
    let mut client = Client::new();
    client.notify("exit", &Json::Null);
    assert_eq!(client.end(), Some(1));
    assert_eq!(Client::new().end(), Some(1));
    let mut client = Client::silent();
    client.notify("exit", &Json::Null);
    assert_eq!(client.end(), Some(1));
    let mut client = Client::silent();
    client.send_bytes("x".repeat(20_000).as_bytes());
    assert_eq!(client.end(), Some(1));
}

#[test]
fn nothing_is_answered_before_initialize() {
    let mut client = Client::silent();
    assert_eq!(client.answer("textDocument/hover", &json!({}))["error"]["code"], -32002);
    assert_eq!(client.answer("shutdown", &Json::Null)["error"]["code"], -32002);
    let answer = client.request("initialize", &json!({ "capabilities": {} }));
    assert_eq!(answer["serverInfo"]["name"], "uphold");
    assert_eq!(client.answer("initialize", &json!({}))["error"]["code"], -32600);
}

#[test]
fn malformed_messages_get_errors_and_the_server_continues() {
    let mut client = Client::new();
    let mut check = |content: &str, code: i64| {
        client.send_raw(content);
        let answer = client.wait(|message| message.get("error").is_some());
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Json::Null, &json!(code)), "{content}");
    };
    check("{", -32700);
    check("", -32700);
    check("\"text\"", -32600);
    check("[]", -32600);
    check("{\"jsonrpc\":\"2.0\"}", -32600);
    client.send_bytes(b"Wrong: 1\r\n\r\n");
    assert_eq!(client.wait(|message| message.get("error").is_some())["error"]["code"], -32700);
    client.send_bytes(b"content-type: x\r\nCONTENT-LENGTH:46\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"shutdown\"}");
    assert_eq!(client.wait(|message| message["id"] == "a")["result"], Json::Null);
}

#[test]
fn unknown_methods() {
    let mut client = Client::new();
    assert_eq!(client.answer("textDocument/fly", &json!({}))["error"]["code"], -32601);
    assert_eq!(client.answer("$/fly", &json!({}))["error"]["code"], -32601);
    client.notify("$/cancelRequest", &json!({ "id": 1 }));
    client.notify("workspace/fly", &json!({}));
    client.notify("textDocument/didOpen", &json!({ "textDocument": 5 }));
    client.send(&json!({ "jsonrpc": "2.0", "id": "uphold-1", "result": null }));
    let answer = client.answer("textDocument/hover", &json!({ "textDocument": { "uri": "file:///x" } }));
    assert_eq!(answer["error"]["code"], -32602);
    let position = json!({ "line": 0, "character": 0 });
    for uri in ["file:///x", "untitled:1", "file:///%"] {
        let parameters = json!({ "textDocument": { "uri": uri }, "position": position });
        assert_eq!(client.request("textDocument/hover", &parameters), Json::Null, "{uri}");
    }
}

#[test]
fn an_editor_with_file_watching_gets_a_registration() {
    let watched = json!({ "didChangeWatchedFiles": { "dynamicRegistration": true } });
    let mut client = Client::with(&json!({ "workspace": watched }));
    let asked = client.wait(|message| message["method"] == "client/registerCapability");
    assert_eq!(asked["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
}
