//! Definitions and references.

use serde_json::{Value as Json, json};

use super::client::Client;

const OTHERS: &str = "param \"root\" {\n  default = 1\n}\nlocals {\n  size = 5\n}\nfile \"/etc/motd\" {\n  mode = \"0644\"\n}\n";
const CALLS: &str =
    "module \"web\" {\n  source = \"./web\"\n  port   = 1\n}\nkind \"site\" {\n  source = \"./web\"\n}\n";
const WEB: &str = "param \"port\" {}\noutput \"url\" {\n  value = param.port\n}\n";

fn sandbox() -> Client {
    let client = Client::new();
    client.save("others.hcl", OTHERS);
    client.save("calls.hcl", CALLS);
    client.save("web/main.hcl", WEB);
    client
}

/// `file:line:start-end` for each location.
fn shown(client: &Client, places: &Json) -> String {
    let one = |place: &Json| {
        let file =
            place["uri"].as_str().and_then(|uri| uri.strip_prefix(&client.uri(""))).unwrap_or("elsewhere");
        let range = &place["range"];
        format!(
            "{file}:{}:{}-{}",
            range["start"]["line"], range["start"]["character"], range["end"]["character"]
        )
    };
    places.as_array().map_or("nothing".to_owned(), |list| list.iter().map(one).collect::<Vec<_>>().join(" "))
}

fn check(text: &str, expected: &str) {
    let mut client = sandbox();
    let place = client.open_at("main.hcl", text);
    let answer = client.ask_at("textDocument/definition", "main.hcl", &place);
    assert_eq!(shown(&client, &answer), expected, "{text}");
}

fn check_value(value: &str, expected: &str) {
    check(
        &format!(
            "site \"shop\" {{\n  port = 1\n}}\nlog \"x\" {{\n  for_each = [1]\n  message = {value}\n}}\n"
        ),
        expected,
    );
}

#[test]
fn references_lead_to_other_files() {
    check_value("param.ro|ot", "others.hcl:0:6-12");
    check_value("\"${local.si|ze}\"", "others.hcl:4:2-6");
    check_value("file[\"/etc/mo|td\"].sha256", "others.hcl:6:5-16");
    check_value("file[\"/etc/motd\"].sha|256", "others.hcl:6:5-16");
    check_value("file[\"/etc/motd\"].mo|de", "others.hcl:7:2-6");
    check_value("each.val|ue", "main.hcl:4:2-10");
    check_value("module.we|b.url", "calls.hcl:0:7-12");
    check_value("site.sh|op.url", "main.hcl:0:5-11");
    check_value("local.none|", "");
    check_value("host.os.fam|ily", "nothing");
    check_value("up|per(\"a\")", "nothing");
    check("edit \"file\" \"/etc/mo|td\" {}", "others.hcl:6:5-16");
}

#[test]
fn modules_are_entered() {
    check_value("module.web.ur|l", "web/main.hcl:1:7-12");
    check_value("site.shop.ur|l", "web/main.hcl:1:7-12");
    check("module \"m\" {\n  source = \"./we|b\"\n}", "web/main.hcl:0:0-0");
    check("module \"m\" {\n  source = \"./web\"\n  po|rt = 1\n}", "web/main.hcl:0:6-12");
    check("site \"s\" {\n  po|rt = 1\n}", "web/main.hcl:0:6-12");
    check("si|te \"s\" {\n}", "calls.hcl:4:5-11");
    check("module \"m\" {\n  source = \"./no|ne\"\n}", "");
}

#[test]
fn incomplete_text_is_enough() {
    check("log \"x\" {\n  message = param.ro|ot.\n}\n", "others.hcl:0:6-12");
    check("log \"x\" {\n  message = [param.root, local.si|ze", "others.hcl:4:2-6");
}

#[test]
fn all_references_are_found() {
    let mut client = sandbox();
    let text = "edit \"file\" \"/etc/motd\" {}\nlog \"x\" {\n  message = \"${file[\"/etc/mo|td\"].mode} ${param.root}\"\n}\n";
    let place = client.open_at("main.hcl", text);
    let mut ask = |declared: bool| {
        let document = json!({ "uri": client.uri("main.hcl") });
        let context = json!({ "includeDeclaration": declared });
        let parameters = json!({ "textDocument": document, "position": place, "context": context });
        let answer = client.request("textDocument/references", &parameters);
        shown(&client, &answer)
    };
    assert_eq!(ask(false), "main.hcl:2:20-31 main.hcl:0:12-23");
    assert_eq!(ask(true), "others.hcl:6:5-16 main.hcl:2:20-31 main.hcl:0:12-23");
}
