//! What a script knows of a secret is never shown, whatever it does with it.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;

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

#[test]
fn a_refusal_does_not_quote_a_secret() {
    let text = "properties.password = { type = \"text\", sensitive = true, check = function(v) return false, `is weak: {v}` end }\n\
                function actions.create() end";
    let bench = Bench::new(&[("vault", text)]);
    let told = bench.run(Plan, "vault", "x", &[("password", Value::text(SECRET))]);
    assert!(told.contains("is weak: (sensitive value)") && !told.contains(SECRET), "{told}");
    let text = "properties.password = { type = \"text\", sensitive = true }\n\
                function check() return `is weak: {password}` end\nfunction actions.create() end";
    let bench = Bench::new(&[("vault", text)]);
    let told = bench.run(Plan, "vault", "x", &[("password", Value::text(SECRET))]);
    assert!(told.contains("is weak: (sensitive value)") && !told.contains(SECRET), "{told}");
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
            told.contains("failed: kinds/reader.luau:4: it failed, and what it said is hidden"),
            "{told}"
        );
        assert!(!told.contains(SECRET), "{told}");
    }
}
