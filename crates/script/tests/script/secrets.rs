//! Secrets are never shown, whatever a script does with them.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;
use crate::stage::play_with;

const SECRET: &str = "hunter2";

/// Runs a body that uses a secret, and checks that no plan and no apply shows it. The result is what they show.
#[track_caller]
fn hides(body: &str, more: &[(&str, &str)]) -> String {
    let text = format!(
        "properties.password = {{ type = \"text\", sensitive = true }}\nproperties.plain = {{ type = \"text\" }}\n\
         function actions.create()\n{body}\nend"
    );
    let bench = Bench::new(&[more, &[("vault", &text)]].concat()).world(|host| host.directory("/srv", 0o755));
    let mut all = String::new();
    let tainted = Value::text(SECRET).sensitive();
    for set in [[("password", Value::text(SECRET))], [("plain", tainted)]] {
        for mode in [Plan, Apply] {
            let output = bench.run(mode, "vault", "x", &set);
            assert!(!output.contains(SECRET) && !output.contains("HUNTER2"), "{mode:?} of {body}: {output}");
            all += &output;
        }
    }
    all
}

#[test]
fn hides_secrets() {
    let own = "local secret = password or plain\n";
    let all = |body: &str| hides(&format!("{own}{body}"), &[]);
    assert!(all("error(`no: {secret}`)").contains("failed"));
    assert!(all("error({ secret })").contains("failed"));
    assert!(all("local x = nil + secret").contains("failed"));
    assert!(all("fs.read(`/{secret}`)").contains("failed"));
    assert!(
        all("fs.write(\"/srv/x\", string.upper(secret)) log.info(string.upper(secret))").contains("changed")
    );
    assert!(all("fs.write(`/srv/{secret}`, \"x\")").contains("changed"));
    assert!(all("run(`false {secret}`)").contains("failed"));
    assert!(all("inline(`with {secret}`, function() error(secret) end)").contains("failed"));
    assert!(all("file(\"/srv/x\", { content = secret })").contains("changed"));
    assert!(all("file(`/srv/{secret}/none/x`, { content = secret })").contains("failed"));
    assert!(all("file(\"/srv/x\", { no_such = secret })").contains("failed"));
    assert!(all("pcall(error, secret) error(select(2, pcall(error, secret)))").contains("failed"));
}

#[test]
fn hides_secrets_that_are_passed_to_a_nested_resource() {
    let inner = "properties.text = { type = \"text\", check = function(v) return #v > 3, `is too short: {v}` end }\n\
                 function actions.create()\nlog.info(text)\nfs.write(\"/srv/inner\", text)\nif text == \"hunter2\" then error(text) end\nend";
    let output = hides("inner(\"i\", { text = password or plain })", &[("inner", inner)]);
    assert!(output.contains("failed"), "{output}");
}

/// The diagnostics of a resource with an invalid sensitive property.
#[track_caller]
fn refusal(property: &str, more: &str) -> String {
    let text = format!(
        "properties.password = {{ type = \"text\", sensitive = true{property} }}\n{more}\nfunction actions.create() end"
    );
    let output =
        Bench::new(&[("vault", &text)]).run(Plan, "vault", "x", &[("password", Value::text(SECRET))]);
    assert!(!output.to_lowercase().contains(&SECRET[..5]) && output.contains("hidden"), "{output}");
    output
}

#[test]
fn a_refusal_hides_messages_computed_from_a_secret() {
    let output = refusal(", check = function(v) return false, `is weak: {string.upper(v)}` end", "");
    assert!(output.contains("the reason is hidden, because the value is sensitive"), "{output}");
    refusal(", check = function(v) return false, string.sub(v, 1, 5) end", "");
    refusal(", check = function(v) error(string.upper(v)) end", "");
    refusal(", coerce = function(v) error(string.upper(v)) end", "");
    refusal("", "function check() return `is weak: {string.upper(password)}` end");
    refusal("", "function check() error(string.upper(password)) end");
    refusal("", "function claims() return { [string.upper(password)] = { path = \"/x\" } } end");
    refusal("", "function watch() return { { [string.upper(password)] = \"/x\" } } end");
}

/// The property itself is not sensitive, only its value.
#[test]
fn a_refusal_hides_a_sensitive_value_of_a_plain_property() {
    let text = "properties.plain = { type = \"text\", check = function(v) return false, string.upper(v) end }\n\
                function actions.create() end";
    let tainted = Value::text(SECRET).sensitive();
    let output = Bench::new(&[("vault", text)]).run(Plan, "vault", "x", &[("plain", tainted)]);
    assert!(output.contains("hidden") && !output.contains("HUNTER2"), "{output}");
}

/// A script can write any file and line into its message, so they are taken from the stack.
#[test]
fn the_place_of_an_error_hides_secrets() {
    let vault = "properties.path = { type = \"path\", name = true }\n\
                 properties.password = { type = \"text\", sensitive = true }\n\
                 function load_current_value(current) current.password = fs.read(path) end\nfunction actions.create() end";
    for raised in [
        "error(`{string.upper(secret)}:7: x`, 0)",
        "error(`x\\nstack traceback:\\n{string.upper(secret)}:7: x`, 0)",
        "error(`kinds/reader.luau:{#secret}77: x`, 0)",
        "fs.read(`/{string.upper(secret)}`)",
        "run({ string.upper(secret) })",
    ] {
        let reader = format!(
            "function actions.create()\nlocal secret = read(\"vault\", \"/secret\").password\n{raised}\nend"
        );
        let bench = Bench::new(&[("vault", vault), ("reader", &reader)]);
        let bench = bench.world(|host| host.file("/secret", SECRET, 0o600));
        let output = bench.run(Apply, "reader", "r", &[]);
        assert!(output.contains("hidden") && output.contains("kinds/reader.luau:3"), "{output}");
        assert!(!output.contains("HUNTER2") && !output.contains("777"), "{output}");
    }
}

/// The action can use secrets that the loader has read.
#[test]
fn hides_secrets_from_a_loader() {
    let text = "properties.path = { type = \"path\", name = true }\n\
                properties.password = { type = \"text\", sensitive = true }\n\
                properties.other = { type = \"text\" }\n\
                function load_current_value(current)\ncurrent.password = fs.read(path)\nLOADS\nend\n\
                function actions.create()\nACTS\nend";
    let check = |loads: &str, acts: &str| {
        let text = text.replace("LOADS", loads).replace("ACTS", acts);
        let bench = Bench::new(&[("vault", &text)]).world(|host| host.file("/secret", SECRET, 0o600));
        let output = bench.run(Apply, "vault", "/secret", &[]);
        assert!(!output.to_lowercase().contains(SECRET), "{loads} {acts}: {output}");
    };
    check("log.info(current.password)", "");
    check("error(string.upper(current.password))", "");
    check("", "log.info(string.upper(current.password))");
    check("", "log.info(string.upper(password))");
    check("", "error(current.password)");
    check("", "file(\"/copy\", { content = password })");
}

/// Names are shown, unless they contain a part of a secret.
#[test]
fn hides_names_that_contain_a_part_of_a_secret() {
    let own = "local secret = password or plain\n";
    hides(&format!("{own}fs.write(`/srv/{{string.upper(secret)}}`, \"x\")"), &[]);
    hides(&format!("{own}file(`/srv/{{string.upper(secret)}}`, {{ content = \"x\" }})"), &[]);
    let output = hides(&format!("{own}file(\"/srv/x\", {{ content = secret }})"), &[]);
    assert!(output.contains("file[\"/srv/x\"].content: - -> (sensitive value)"), "{output}");
}

/// A body becomes secret if a body that has read a secret changes its resources.
#[test]
fn hides_secrets_that_are_passed_to_an_outer_body() {
    let inner = "properties.password = { type = \"text\", sensitive = true }\n\
                 function actions.create()\nouter.edit(\"file\", \"/copy\", { content = password })\nend";
    let body = "declare(\"file\", \"/copy\", {})\ninner(\"i\", { password = \"hunter2\" })\n\
                trigger(\"file\", \"/copy\", \"converge\")";
    for mode in [Plan, Apply] {
        let output = play_with(&[("inner", inner)], mode, body);
        assert!(!output.contains(SECRET), "{mode:?}: {output}");
    }
}

/// A sensitive property of another resource is a secret for its readers.
#[test]
fn hides_secrets_read_from_another_resource() {
    let vault = "properties.path = { type = \"path\", name = true }\n\
                 properties.password = { type = \"text\", sensitive = true }\n\
                 function load_current_value(current) current.password = fs.read(path) end\nfunction actions.create() end";
    let reader = "function actions.create()\nlocal all = read(\"vault\", \"/secret\")\n\
                  fs.write(\"/copy\", all.password)\nerror(all.password)\nend";
    let bench = Bench::new(&[("vault", vault), ("reader", reader)]);
    let bench = bench.world(|host| host.file("/secret", SECRET, 0o600));
    for mode in [Plan, Apply] {
        let output = bench.run(mode, "reader", "r", &[]);
        assert!(
            output.contains(
                "failed: kinds/reader.luau:4: the message is hidden because the script has read a secret"
            ),
            "{output}"
        );
        assert!(!output.contains(SECRET), "{output}");
    }
}
