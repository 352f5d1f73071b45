//! Completion.

use serde_json::{Value as Json, json};

use super::client::Client;

const OTHERS: &str = "
param \"root\" {\n  type        = string\n  default     = \"/srv\"\n  description = \"Where it is.\"\n}
locals {\n  size = 5\n}
file \"motd\" {\n  path = \"/etc/motd\"\n}
file \"/etc/hosts\" {}
task \"reload\" {\n  apply = \"true\"\n}
module \"web\" {\n  source = \"./web\"\n  port = 1\n}
module \"many\" {\n  source = \"./web\"\n  for_each = [\"a\"]\n  port = 1\n}
kind \"site\" {\n  source = \"./web\"\n}
site \"shop\" {\n  port = 1\n}
";

const WEB: &str = "param \"port\" {\n  type = number\n}\noutput \"url\" {\n  value = \"x\"\n}\n";

fn items(text: &str) -> Vec<Json> {
    let mut client = Client::new();
    client.save("others.hcl", OTHERS);
    client.save("web/main.hcl", WEB);
    let place = client.open_at("main.hcl", text);
    let mut answer = client.ask_at("textDocument/completion", "main.hcl", &place);
    match answer["items"].take() {
        Json::Array(items) => items,
        other => panic!("{other}"),
    }
}

fn labels(text: &str) -> Vec<String> {
    items(text).iter().filter_map(|item| item["label"].as_str()).map(str::to_owned).collect()
}

/// Checks that all of `offered` are offered, and none of `not`.
fn check(text: &str, offered: &[&str], not: &[&str]) {
    let labels = labels(text);
    for word in offered {
        assert!(labels.iter().any(|label| label == word), "{text}: no {word} in {labels:?}");
    }
    for word in not {
        assert!(!labels.iter().any(|label| label == word), "{text}: {word} is in {labels:?}");
    }
}

/// Checks that exactly these are offered.
fn check_all(text: &str, expected: &[&str]) {
    let mut labels = labels(text);
    labels.sort();
    assert_eq!(labels, expected, "{text}");
}

#[test]
fn blocks() {
    check("|", &["file", "param", "module", "moved", "removed", "settings", "sequence"], &["mode", "when"]);
    check("fi|", &["file"], &[]);
    check(
        "sequence {\n  |\n}",
        &["file", "site", "parallel", "when", "depends_on"],
        &["param", "locals", "kind", "moved", "settings"],
    );
    check("# |", &[], &["file"]);
}

#[test]
fn properties_that_are_not_set() {
    check(
        "file \"x\" {\n  mode = \"0644\"\n  |\n}",
        &["content", "owner", "for_each", "depends_on"],
        &["mode", "sha256", "file"],
    );
    check("file \"x\" {\n  mo|\n  content = \"\"\n}", &["mode"], &["content"]);
    check("file \"x\" {\n  |", &["content"], &[]);
    check("declare \"file\" \"x\" {\n  |\n}", &["content"], &[]);
    check_all(
        "param \"x\" {\n  type = any\n  |\n}",
        &["default", "description", "required", "sensitive", "validation"],
    );
    check_all("param \"x\" {\n  validation {\n    |\n  }\n}", &["condition", "message"]);
    check_all("locals {\n  |\n}", &[]);
    let call = ["always", "depends_on", "for_each", "on_removal", "port", "when"];
    check_all("module \"m\" {\n  source = \"./web\"\n  |\n}", &call);
    check_all("site \"s\" {\n  |\n}", &call);
    check_all("settings {\n  |\n}", &["on_removal", "window"]);
    check_all("moved {\n  from = log.a\n  |\n}", &["to"]);
    check_all("removed {\n  |\n}", &["destroy", "from"]);
    check_all("trigger \"task\" \"reload\" {\n  |\n}", &["action", "depends_on", "for_each", "when"]);
}

#[test]
fn labels_of_resources_in_other_files() {
    check_all("edit \"fi|\"", &["file", "site", "task"]);
    check_all("trigger \"file\" \"|\" {}", &["/etc/hosts", "motd"]);
    check_all("file \"|\"", &[]);
}

#[test]
fn values() {
    check(
        "log \"x\" {\n  level = |\n}",
        &["\"info\"", "\"warning\"", "upper", "param", "local", "file", "host"],
        &["each", "true"],
    );
    check_all("log \"x\" {\n  level = \"|\"\n}", &["debug", "info", "warning"]);
    check("log \"x\" {\n  sensitive = |\n}", &["true", "false"], &[]);
    check("log \"x\" {\n  on_removal = |\n}", &["\"keep\"", "\"remove\"", "\"revert\""], &[]);
    check("removed {\n  destroy = |\n}", &["true", "false"], &[]);
    check("task \"x\" {\n  action = |\n}", &["\"run\"", "\"converge\"", "\"nothing\""], &[]);
    check(
        "log \"x\" {\n  for_each = [\"a\"]\n  message = \"${|}\"\n}",
        &["each", "upper", "param"],
        &["\"info\""],
    );
    check("log \"x\" {\n  depends_on = [|]\n}", &["file", "module", "site"], &[]);
    check("log \"x\" {\n  message = \"plain |\"\n}", &[], &["file", "upper"]);
}

#[test]
fn references() {
    let check = |path: &str, expected: &[&str]| {
        check_all(&format!("log \"x\" {{\n  message = {path}\n  level = \"info\"\n}}\n"), expected);
    };
    check("param.|", &["root"]);
    check("local.|", &["size"]);
    check("each.|", &["key", "value"]);
    check("path.|", &["cwd", "module", "root"]);
    check("module.|", &["many", "web"]);
    check("module.web.|", &["url"]);
    check("module.many[\"a\"].|", &["url"]);
    check("module.many.|", &["url"]);
    check("site.shop.|", &["url"]);
    check("file.|", &["/etc/hosts", "motd"]);
    check("file[\"|\"]", &["/etc/hosts", "motd"]);
    check("\"${host.os.f|}\"", &["codename", "family", "id", "name", "pretty_name", "version"]);
    check("task.reload.status.|", &["exitstatus", "stderr", "stdout"]);
    check("nothing.|", &[]);
    let fields = labels("log \"x\" {\n  message = file.motd.|\n}");
    assert!(
        ["mode", "sha256", "content"].iter().all(|field| fields.iter().any(|label| label == field)),
        "{fields:?}"
    );
    check_all("log \"x\" {\n  notifies = [task.reload.|]\n}", &["converge", "run"]);
}

#[test]
fn insertions() {
    let edit = |text: &str, label: &str| {
        let items = items(text);
        let item = items.into_iter().find(|item| item["label"] == label).expect("it is offered");
        let range = &item["textEdit"]["range"];
        (
            item["textEdit"]["newText"].clone(),
            range["start"]["character"].clone(),
            range["end"]["character"].clone(),
        )
    };
    let check = |text: &str, label: &str, new: &str, start: u32, end: u32| {
        assert_eq!(edit(text, label), (json!(new), json!(start), json!(end)), "{text}");
    };
    check("file \"x\" {\n  mo|\n}", "mode", "mode = ", 2, 4);
    check("file \"x\" {\n  mo| = 1\n}", "mode", "mode", 2, 4);
    check("log \"x\" {\n  message = up|\n}", "upper", "upper(", 12, 14);
    check("log \"x\" {\n  message = file.|\n}", "/etc/hosts", "[\"/etc/hosts\"]", 16, 17);
    check("log \"x\" {\n  message = file.mo|\n}", "motd", "motd", 17, 19);
    check("edit file |", "motd", "\"motd\"", 10, 10);
}

#[test]
fn snippets_are_for_editors_that_know_them() {
    let completion = json!({ "completionItem": { "snippetSupport": true } });
    let mut client = Client::with(&json!({ "textDocument": { "completion": completion } }));
    let place = client.open_at("main.hcl", "lo|");
    let answer = client.ask_at("textDocument/completion", "main.hcl", &place);
    let items = answer["items"].as_array().expect("a list");
    let item = items.iter().find(|item| item["label"] == "log").expect("it is offered");
    assert_eq!(item["insertTextFormat"], 2);
    assert_eq!(item["textEdit"]["newText"], "log \"${1:name}\" {\n  $0\n}");
}
