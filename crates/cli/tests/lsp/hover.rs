//! Hover text.

use serde_json::Value as Json;

use super::client::Client;

fn hover(text: &str) -> Json {
    let mut client = Client::new();
    client.save(
        "web/main.hcl",
        "param \"port\" {\n  type        = number\n  description = \"Where it listens.\"\n}\n",
    );
    let place = client.open_at("main.hcl", text);
    client.ask_at("textDocument/hover", "main.hcl", &place)
}

fn explained(name: &str) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_uphold"))
        .args(["explain", name, "--markdown"])
        .output();
    String::from_utf8(output.expect("the binary runs").stdout).expect("output is UTF-8")
}

/// Checks that the hover text is the page of `uphold explain`.
fn check(text: &str, name: &str) {
    let page = explained(name);
    assert!(!page.is_empty(), "{name}");
    assert_eq!(hover(text)["contents"]["value"].as_str(), Some(&*page), "{text}");
}

#[test]
fn the_page_is_the_generated_one() {
    check("fi|le \"x\" {\n}", "file");
    check("|file \"x\" {\n}", "file");
    check("file \"x\" {\n  mode| = \"0644\"\n}", "file.mode");
    check("file \"x\" {\n  for_ea|ch = []\n}", "for_each");
    check("par|am \"x\" {\n}", "param");
    check("sequence {\n  lo|g \"x\" {}\n}", "log");
    check("log \"x\" {\n  message = up|per(\"a\")\n}", "upper");
    check("log \"x\" {\n  message = lo|g(1, 2)\n}", "log()");
    check("log \"x\" {\n  message = host.os.fam|ily\n}", "host.os.family");
    check("file \"a\" {}\nlog \"x\" {\n  message = file.a.sha|256\n}", "file.sha256");
    check("task \"a\" {}\nlog \"x\" {\n  message = task.a.status.std|out\n}", "task.status.stdout");
    check(
        "task \"a\" {\n  for_each = [\"b\"]\n}\nlog \"x\" {\n  message = task.a[\"b\"].status.std|out\n}",
        "task.status.stdout",
    );
}

#[test]
fn declarations_are_shown() {
    let check = |text: &str, expected: &str| {
        assert_eq!(hover(text)["contents"]["value"].as_str(), Some(expected), "{text}");
    };
    check(
        "param \"a\" {\n  default = 5\n  description = \"How many.\"\n}\nlog \"x\" {\n  message = param.a|\n}",
        "```hcl\nparam \"a\" {\n```\n\nHow many.\n- default: `5`",
    );
    check("locals {\n  b = 1 + 2\n}\nlog \"x\" {\n  message = local.b|\n}", "```hcl\nb = 1 + 2\n```");
    check("module \"m\" {\n  source = \"./web\"\n  po|rt = 1\n}", "`port`: number\n\nWhere it listens.");
    check(
        "removed {\n  destr|oy = true\n}",
        "`destroy`: true or false\n\nWhether the resource is removed from the machine. By default it stays as it is.",
    );
    check("param \"a\" {\n  defa|ult = 1\n}", "`default`: a value\n\nThe value if the param is not set.");
}

#[test]
fn words_without_meaning_have_no_page() {
    for text in
        ["log \"x\" {\n  message = \"fi|le\"\n}", "# fi|le", "|", "x|yz \"a\" {}", "log \"x\" { fi|le = 1 }"]
    {
        assert_eq!(hover(text), Json::Null, "{text}");
    }
}

#[test]
fn the_word_is_marked() {
    let answer = hover("log \"ä\" { message = up|per(\"a\") }");
    assert_eq!(answer["range"]["start"]["character"], 20);
    assert_eq!(answer["range"]["end"]["character"], 25);
}
