//! Diagnostics while typing.

use serde_json::{Value as Json, json};

use super::client::Client;

/// `line:column-line:column severity summary`.
fn shown(diagnostics: &Json) -> Vec<String> {
    let one = |diagnostic: &Json| {
        let place = |end: &str| {
            let place = &diagnostic["range"][end];
            format!("{}:{}", place["line"], place["character"])
        };
        let message =
            diagnostic["message"].as_str().and_then(|text| text.split(": ").next()).unwrap_or_default();
        assert_eq!(diagnostic["source"], "uphold");
        format!("{}-{} {} {message}", place("start"), place("end"), diagnostic["severity"])
    };
    diagnostics.as_array().expect("a list").iter().map(one).collect()
}

fn check(text: &str, expected: &[&str]) {
    let mut client = Client::new();
    client.open("main.hcl", text);
    assert_eq!(shown(&client.diagnostics("main.hcl")), expected, "{text}");
}

#[test]
fn a_diagnostic_has_its_code() {
    let mut client = Client::new();
    client.open("main.hcl", "log \"a\" {\n  massage = \"hi\"\n}\n");
    assert_eq!(client.diagnostics("main.hcl")[0]["code"], "E0402");
}

#[test]
fn ranges_are_exact() {
    check("log \"a\" {\n  message = \"hi\"\n}\n", &[]);
    check("log \"a\" {\n  level = 1 +\n}\n", &["1:12-1:13 1 missing value"]);
    check("log \"a\" {\n  massage = \"hi\"\n}\n", &["1:2-1:9 1 unknown property"]);
    check("lgo \"a\" {}\n", &["0:0-0:7 1 unknown kind"]);
}

#[test]
fn columns_are_units_of_utf_16() {
    check("log \"a\" {\n  message = \"𝄞ä${local.b}\"\n}\n", &["1:18-1:25 1 unknown local"]);
}

#[test]
fn a_fixed_text_has_no_diagnostics() {
    let mut client = Client::new();
    client.open("main.hcl", "log \"a\" {\n  massage = \"hi\"\n}\n");
    assert_eq!(client.diagnostics("main.hcl").as_array().map(Vec::len), Some(1));
    let range = json!({ "start": { "line": 1, "character": 3 }, "end": { "line": 1, "character": 4 } });
    client.edit("main.hcl", &json!([{ "range": range, "text": "e" }]));
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    client.change("main.hcl", "log \"a\" {");
    assert_eq!(client.diagnostics("main.hcl").as_array().map(Vec::len), Some(1));
}

#[test]
fn a_directory_is_one_configuration() {
    let mut client = Client::new();
    client.save("locals.hcl", "locals {\n  a = 1\n}\n");
    client.open("main.hcl", "log \"a\" {\n  message = \"${local.a} ${local.b}\"\n}\n");
    assert_eq!(shown(&client.diagnostics("main.hcl")), ["1:26-1:33 1 unknown local"]);
    // Open documents count, saved or not.
    client.open("locals.hcl", "locals {\n  a = 1\n  b = 2\n}\n");
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    client.notify("textDocument/didClose", &json!({ "textDocument": { "uri": client.uri("locals.hcl") } }));
    assert_eq!(client.diagnostics("main.hcl").as_array().map(Vec::len), Some(1));
    // Other files are read again when the editor reports a change.
    client.save("locals.hcl", "locals {\n  a = 1\n  b = 2\n}\n");
    client.notify("workspace/didChangeWatchedFiles", &json!({ "changes": [] }));
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
}

#[test]
fn both_places_of_a_duplicate_are_shown() {
    let mut client = Client::new();
    client.open("b.hcl", "log \"a\" {}\n");
    client.diagnostics("b.hcl");
    client.open("c.hcl", "log \"a\" {}\n");
    let found = client.diagnostics("c.hcl");
    assert_eq!(shown(&found), ["0:0-0:7 1 duplicate resource"]);
    let related = &found[0]["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], client.uri("b.hcl"));
    assert_eq!(related["location"]["range"]["end"], json!({ "line": 0, "character": 7 }));
}

#[test]
fn modules_are_read_with_open_documents() {
    let mut client = Client::new();
    client.save("web/main.hcl", "param \"port\" { type = number }\n");
    client.open("main.hcl", "module \"web\" {\n  source = \"./web\"\n  port   = 1\n}\nlog \"u\" {\n  message = module.web.url\n}\n");
    assert_eq!(shown(&client.diagnostics("main.hcl")), ["5:12-5:26 1 unknown output"]);
    // A module is checked with its caller, which sets its param.
    client.open(
        "web/main.hcl",
        "param \"port\" { type = number }\noutput \"url\" {\n  value = \"http://${param.port}\"\n}\nlog \"x\" {\n  massage = 1\n}\n",
    );
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    assert_eq!(shown(&client.diagnostics("web/main.hcl")), ["5:2-5:9 1 unknown property"]);
}

#[test]
fn a_module_on_its_own_finds_its_caller() {
    let mut client = Client::new();
    client.save("main.hcl", "module \"web\" {\n  source = \"./parts/web\"\n  port   = 1\n}\n");
    client.open(
        "parts/web/main.hcl",
        "param \"port\" {}\nlog \"p\" {\n  message = \"port ${param.port}\"\n}\n",
    );
    assert_eq!(client.diagnostics("parts/web/main.hcl"), json!([]));
}

#[test]
fn a_param_without_a_value_is_no_error() {
    check(
        "param \"port\" {}\nlog \"p\" {\n  message = \"port ${param.port}\"\n}\n",
        &["0:0-0:12 3 missing param"],
    );
    let mut client = Client::new();
    client.open("main.hcl", "param \"port\" {\n  default = 1\n}\n");
    let found = client.diagnostics("main.hcl");
    assert_eq!(shown(&found), ["0:0-0:12 2 unused param"]);
    assert_eq!(found[0]["tags"], json!([1]));
}

#[test]
fn an_unreadable_directory_is_reported() {
    let mut client = Client::new();
    std::fs::write(client.path("other.hcl"), b"\xff").expect("a file");
    client.open("main.hcl", "log \"a\" {}\n");
    let found = shown(&client.diagnostics("main.hcl"));
    assert!(found[0].starts_with("0:0-0:0 1 ") && found[0].contains("other.hcl:1:1"), "{found:?}");
}
