//! What a script knows of a secret is never shown, whatever it does with it.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;
use crate::stage::play_with;

const SECRET: &str = "hunter2";

/// A kind that does this with its password shows it neither in a plan nor in an apply; what was shown.
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
            let told = bench.run(mode, "vault", "x", &set);
            assert!(!told.contains(SECRET) && !told.contains("HUNTER2"), "{mode:?} of {body}: {told}");
            all += &told;
        }
    }
    all
}

#[test]
fn secrets_are_not_told() {
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
fn what_is_declared_with_a_secret_knows_one() {
    let inner = "properties.text = { type = \"text\", check = function(v) return #v > 3, `is too short: {v}` end }\n\
                 function actions.create()\nlog.info(text)\nfs.write(\"/srv/inner\", text)\nif text == \"hunter2\" then error(text) end\nend";
    let told = hides("inner(\"i\", { text = password or plain })", &[("inner", inner)]);
    assert!(told.contains("failed"), "{told}");
}

/// A kind with a sensitive property, and what a configuration that sets it is refused with.
#[track_caller]
fn refusal(property: &str, more: &str) -> String {
    let text = format!(
        "properties.password = {{ type = \"text\", sensitive = true{property} }}\n{more}\nfunction actions.create() end"
    );
    let told = Bench::new(&[("vault", &text)]).run(Plan, "vault", "x", &[("password", Value::text(SECRET))]);
    assert!(!told.to_lowercase().contains(&SECRET[..5]) && told.contains("hidden"), "{told}");
    told
}

#[test]
fn a_refusal_tells_nothing_that_was_computed_from_a_secret() {
    let told = refusal(", check = function(v) return false, `is weak: {string.upper(v)}` end", "");
    assert!(told.contains("the reason is hidden, because the value is sensitive"), "{told}");
    refusal(", check = function(v) return false, string.sub(v, 1, 5) end", "");
    refusal(", check = function(v) error(string.upper(v)) end", "");
    refusal(", coerce = function(v) error(string.upper(v)) end", "");
    refusal("", "function check() return `is weak: {string.upper(password)}` end");
    refusal("", "function check() error(string.upper(password)) end");
    refusal("", "function claims() return { [string.upper(password)] = { path = \"/x\" } } end");
    refusal("", "function watch() return { { [string.upper(password)] = \"/x\" } } end");
}

/// A property that is sensitive by its value alone.
#[test]
fn a_refusal_hides_a_value_that_was_computed_from_a_secret() {
    let text = "properties.plain = { type = \"text\", check = function(v) return false, string.upper(v) end }\n\
                function actions.create() end";
    let tainted = Value::text(SECRET).sensitive();
    let told = Bench::new(&[("vault", text)]).run(Plan, "vault", "x", &[("plain", tainted)]);
    assert!(told.contains("hidden") && !told.contains("HUNTER2"), "{told}");
}

/// A script can write any place into its message; places come from the stack.
#[test]
fn the_place_of_an_error_tells_nothing() {
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
        let told = bench.run(Apply, "reader", "r", &[]);
        assert!(told.contains("hidden") && told.contains("kinds/reader.luau:3"), "{told}");
        assert!(!told.contains("HUNTER2") && !told.contains("777"), "{told}");
    }
}

/// What a loader has read is known to the action.
#[test]
fn a_secret_that_was_loaded_is_one() {
    let text = "properties.path = { type = \"path\", name = true }\n\
                properties.password = { type = \"text\", sensitive = true }\n\
                properties.other = { type = \"text\" }\n\
                function load_current_value(current)\ncurrent.password = fs.read(path)\nLOADS\nend\n\
                function actions.create()\nACTS\nend";
    let check = |loads: &str, acts: &str| {
        let text = text.replace("LOADS", loads).replace("ACTS", acts);
        let bench = Bench::new(&[("vault", &text)]).world(|host| host.file("/secret", SECRET, 0o600));
        let told = bench.run(Apply, "vault", "/secret", &[]);
        assert!(!told.to_lowercase().contains(SECRET), "{loads} {acts}: {told}");
    };
    check("log.info(current.password)", "");
    check("error(string.upper(current.password))", "");
    check("", "log.info(string.upper(current.password))");
    check("", "log.info(string.upper(password))");
    check("", "error(current.password)");
    check("", "file(\"/copy\", { content = password })");
}

/// Names are shown, unless a part of a secret stands in them.
#[test]
fn names_show_no_part_of_a_secret() {
    let own = "local secret = password or plain\n";
    hides(&format!("{own}fs.write(`/srv/{{string.upper(secret)}}`, \"x\")"), &[]);
    hides(&format!("{own}file(`/srv/{{string.upper(secret)}}`, {{ content = \"x\" }})"), &[]);
    let told = hides(&format!("{own}file(\"/srv/x\", {{ content = secret }})"), &[]);
    assert!(told.contains("file[\"/srv/x\"].content: - -> (sensitive value)"), "{told}");
}

/// A body that is told something by one that knows a secret knows one.
#[test]
fn a_secret_that_is_handed_out_is_one_there() {
    let inner = "properties.password = { type = \"text\", sensitive = true }\n\
                 function actions.create()\nouter.edit(\"file\", \"/copy\", { content = password })\nend";
    let body = "declare(\"file\", \"/copy\", {})\ninner(\"i\", { password = \"hunter2\" })\n\
                trigger(\"file\", \"/copy\", \"converge\")";
    for mode in [Plan, Apply] {
        let told = play_with(&[("inner", inner)], mode, body);
        assert!(!told.contains(SECRET), "{mode:?}: {told}");
    }
}

/// What another resource keeps secret is one for whoever reads it.
#[test]
fn a_secret_that_was_read_is_one() {
    let vault = "properties.path = { type = \"path\", name = true }\n\
                 properties.password = { type = \"text\", sensitive = true }\n\
                 function load_current_value(current) current.password = fs.read(path) end\nfunction actions.create() end";
    let reader = "function actions.create()\nlocal all = read(\"vault\", \"/secret\")\n\
                  fs.write(\"/copy\", all.password)\nerror(all.password)\nend";
    let bench = Bench::new(&[("vault", vault), ("reader", reader)]);
    let bench = bench.world(|host| host.file("/secret", SECRET, 0o600));
    for mode in [Plan, Apply] {
        let told = bench.run(mode, "reader", "r", &[]);
        assert!(
            told.contains(
                "failed: kinds/reader.luau:4: the message is hidden, because the script knows a secret"
            ),
            "{told}"
        );
        assert!(!told.contains(SECRET), "{told}");
    }
}
