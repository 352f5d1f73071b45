//! Incomplete and large documents.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Client;

/// Every prefix of a document is answered and does not end the server, because a user types all of them.
#[test]
fn every_prefix_of_a_text_is_answered() {
    let text = "param \"ä\" { default = { a = [1, \"x\"] } }\nfile \"m\" {\n  content = <<-END\n    ${upper(param.ä[\"a\"][0])} %{ if true }y%{ endif }\n  END\n  mode = \"06\\\"44\" # c\n}\nmodule \"w\" { source = \"./${\" }\nlog \"l\" { message = file.m.content[*].x }\n";
    let mut client = Client::new();
    client.open("main.hcl", "");
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        client.change("main.hcl", &text[..end]);
        let line = text[..end].rsplit('\n').next().unwrap_or_default().encode_utf16().count();
        let place = json!({ "line": text[..end].matches('\n').count(), "character": line });
        for method in ["completion", "hover", "definition", "references"] {
            client.ask_at(&format!("textDocument/{method}"), "main.hcl", &place);
        }
        client.ask("textDocument/documentSymbol", "main.hcl");
        client.ask("textDocument/formatting", "main.hcl");
    }
    client.diagnostics("main.hcl");
}

/// The generous limit only detects quadratic growth with the size of the document.
#[test]
fn a_megabyte_is_answered_in_time() {
    const LIMIT: Duration = Duration::from_secs(40);
    let block = |number: usize| {
        format!(
            "log \"block {number}\" {{\n  message = \"${{local.a}} and some text that makes it longer\"\n}}\n"
        )
    };
    let mut text: String = (0..14_000).map(block).collect();
    assert!(text.len() > 1_000_000);
    text.push_str("locals {\n  a = 1\n}\n");
    let mut client = Client::new();
    let began = Instant::now();
    client.open("main.hcl", &text);
    assert_eq!(client.diagnostics("main.hcl"), json!([]));
    // A burst of changes is checked once, and requests in between are answered.
    let lines = text.matches('\n').count();
    for column in 0..20 {
        let place = json!({ "line": lines, "character": column });
        client.edit("main.hcl", &json!([{ "range": { "start": place, "end": place }, "text": "x" }]));
    }
    let place = json!({ "line": lines, "character": 20 });
    let answer = client.ask_at("textDocument/completion", "main.hcl", &place);
    assert!(answer["items"].as_array().is_some_and(|items| items.len() > 5));
    assert_eq!(client.diagnostics("main.hcl").as_array().map(Vec::len), Some(1));
    assert_eq!(client.ask("textDocument/documentSymbol", "main.hcl").as_array().map(Vec::len), Some(14_001));
    client.ask("textDocument/formatting", "main.hcl");
    assert!(began.elapsed() < LIMIT, "{:?}", began.elapsed());
}
