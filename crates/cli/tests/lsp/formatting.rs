//! Formatting and symbols.

use serde_json::{Value as Json, json};

use super::client::Client;

const OPTIONS: &str = "textDocument/formatting";

#[test]
fn a_text_is_formatted() {
    let mut client = Client::new();
    let text = "log \"ä\" {\nmessage=\"hi\"\n  level = \"info\"\n}\n";
    client.open("main.hcl", text);
    let answer = client.ask(OPTIONS, "main.hcl");
    let edits = answer.as_array().expect("a list");
    assert_eq!(edits.len(), 1);
    // Applying the edits in the server shows that both sides count positions alike.
    client.edit("main.hcl", &json!([{ "range": edits[0]["range"], "text": edits[0]["newText"] }]));
    assert_eq!(client.ask(OPTIONS, "main.hcl"), json!([]));
    let symbols = client.ask("textDocument/documentSymbol", "main.hcl");
    assert_eq!(symbols[0]["range"]["end"], json!({ "line": 3, "character": 1 }));
}

#[test]
fn unformattable_text_is_left_unchanged() {
    let mut client = Client::new();
    client.open("main.hcl", "log \"x\" {\n  message = \"\n");
    assert_eq!(client.ask(OPTIONS, "main.hcl"), Json::Null);
    assert_eq!(client.ask(OPTIONS, "unopened.hcl"), Json::Null);
}

fn names(symbols: &Json, depth: usize) -> Vec<String> {
    let list = symbols.as_array().into_iter().flatten();
    list.flat_map(|symbol| {
        let name = symbol["name"].as_str().unwrap_or_default();
        let own = format!("{}{name}", "  ".repeat(depth));
        std::iter::once(own).chain(names(&symbol["children"], depth + 1))
    })
    .collect()
}

#[test]
fn symbols_are_a_tree() {
    let mut client = Client::new();
    client.open(
        "main.hcl",
        "param \"a\" {}\nlocals {\n  b = 1\n  c = 2\n}\nsequence {\n  log \"one\" {}\n  parallel {\n    log \"two\" {}\n    log \"three\" {}\n  }\n}\nfile \"/x\" {\n",
    );
    let symbols = client.ask("textDocument/documentSymbol", "main.hcl");
    let expected = [
        "param a",
        "locals",
        "  b",
        "  c",
        "sequence",
        "  log one",
        "  parallel",
        "    log two",
        "    log three",
        "file /x",
    ];
    assert_eq!(names(&symbols, 0), expected);
    assert_eq!(symbols[0]["selectionRange"]["end"], json!({ "line": 0, "character": 9 }));
}
