//! HCL's functions and JSON in scripts.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};
use crate::stage::{play, show};

/// The value of an expression, written to a file.
#[track_caller]
fn gives(value: &str, expected: &str) {
    let bench = Bench::new(&[("show", &show(&format!("fs.write(\"/x\", tostring({value}))")))]);
    let output = bench.act(Apply, "show", "it", &[], "go");
    assert_eq!(bench.content("/x"), expected, "{output}");
}

/// A body fails with this message.
#[track_caller]
fn fails(body: &str, expected: &str) {
    let output = play(Apply, body);
    assert!(output.contains(&format!("failed: kinds/show.luau:3: {expected} |")), "{output}");
}

#[test]
fn json_is_encoded_and_decoded() {
    gives(r#"json.encode({ a = 1, b = { 1.5, "x", true } })"#, r#"{"a":1,"b":[1.5,"x",true]}"#);
    gives(r#"json.decode('{"a":[1,2]}').a[2]"#, "2");
    gives("json.encode(nil)", "null");
    gives("json.encode({})", "[]");
    gives("json.encode(json.object())", "{}");
    gives("json.decode('null')", "nil");
}

/// A kind can edit a part of a document: the rest stays as it is.
#[test]
fn decoded_json_is_encoded_as_it_was() {
    let document = r#"{"a":null,"b":{},"c":[],"d":[null,{"name":"n"}],"e":{"f":0.5}}"#;
    gives(&format!("json.encode(json.decode('{document}'))"), document);
    gives("(function() local d = json.decode('{\"x\":1}') d.x = nil return json.encode(d) end)()", "{}");
    gives("tostring(json.decode('{\"a\":null}').a == json.null)", "true");
    let nested = "inner(\"i\", { data = json.decode('{\"name\":\"n\",\"e\":{}}') })";
    let inner = "properties.data = {}\nfunction actions.create() fs.write(\"/x\", json.encode(data)) end";
    let bench = Bench::new(&[("inner", inner)]);
    let output = bench.recipe(Apply, nested);
    assert_eq!(bench.content("/x"), r#"{"e":{},"name":"n"}"#, "{output}");
}

#[test]
fn misuse_of_json_is_explained() {
    fails("json.decode('{a}')", "json.decode: this is not JSON: key must be a string at line 1 column 2");
    fails(
        "json.decode(7)",
        "json.decode: `text` of `jsondecode` must be a string, not a number; use `tostring` to convert it to a string",
    );
    fails("json.encode()", "json.encode: `jsonencode` takes 1 argument, not 0");
    fails("json.encode({ print })", "a function cannot be the value of a property");
    fails(
        "json.decode('[9007199254740993]')",
        "9007199254740993 is too large for Luau, which would round it",
    );
    fails("json.object(file)", "json.object takes a plain table");
    fails("json.parse('')", "there is no json.parse; use json.decode");
    fails("local t = {} t.t = t json.encode(t)", "a table is nested too deeply: does it contain itself?");
}

#[test]
fn functions_of_hcl_have_the_same_results() {
    gives("hcl.base64encode('uphold')", "dXBob2xk");
    gives("hcl.sha256('')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    gives("hcl.join('-', hcl.regexall('[0-9]+', 'a1b22'))", "1-22");
    gives("hcl.yamldecode('a: {b: [1, 2]}').a.b[2]", "2");
    gives("json.encode(hcl.merge({}, { a = 1 }))", r#"{"a":1}"#);
    gives("hcl.cidrhost('10.0.0.0/8', 2)", "10.0.0.2");
    gives("(hcl.lookup({ a = 1 }, 'b', nil))", "nil");
}

/// They need no machine, so a file, `coerce` and `check` can use them.
#[test]
fn functions_of_hcl_can_be_used_everywhere() {
    let text = "local port = hcl.max(80, 79)\n\
                properties.x = { type = \"string\", coerce = hcl.trimspace, check = function(v) return hcl.startswith(v, \"a\"), \"must start with a\" end }\n\
                function actions.create() fs.write(\"/x\", `{x}{port}`) end";
    let bench = Bench::new(&[("p", text)]);
    bench.run(Apply, "p", "p", &[("x", Value::text(" abc "))]);
    assert_eq!(bench.content("/x"), "abc80");
    assert!(bench.run(Plan, "p", "p", &[("x", Value::text("b"))]).contains("must start with a"));
}

#[test]
fn misuse_of_functions_of_hcl_is_explained() {
    fails("hcl.uper('x')", &format!("there is no hcl.uper; did you mean hcl.upper? hcl has {}", all()));
    fails("hcl.timestamp()", "there is no hcl.timestamp; use clock.timestamp()");
    fails("hcl.file('x')", "there is no hcl.file; use fs, which reads files of the machine");
    fails("hcl.upper()", "hcl.upper: `upper` takes 1 argument, not 0");
    let kinds = &mut Bench::new(&[]).kinds;
    let output = problems(&[("p", "\nlocal x = hcl.floor('1')\nfunction actions.create() end")], kinds);
    assert!(output.starts_with("kinds/p.luau:2:1: script failed: hcl.floor: "), "{output}");
}

fn all() -> String {
    let output = play(Apply, "hcl.no_such_function_at_all()");
    let (_, names) = output.split_once("hcl has ").expect("names");
    names.split_once(" |").expect("an end").0.to_owned()
}

/// Each call costs as much as its work.
#[test]
fn functions_of_hcl_count_against_the_limits() {
    let output = play(Apply, "local t = string.rep('a', 1e6) while true do hcl.sha256(t) end");
    assert!(output.contains("the script runs for too long"), "{output}");
    let output = play(Apply, "hcl.join(string.rep('x', 1e5), hcl.range(1e3))");
    assert!(output.contains("hcl.join: the result would be longer than 16 MiB"), "{output}");
}

#[test]
fn what_is_made_of_a_secret_is_hidden() {
    let text = "properties.password = { type = \"string\", sensitive = true }\n\
                function actions.create()\nlocal made = json.encode({ password })\nlog.info(made, hcl.base64encode(password))\n\
                fs.write(\"/x\", made)\nhcl.parseint(password, 10)\nend";
    let bench = Bench::new(&[("vault", text)]);
    for mode in [Plan, Apply] {
        let output = bench.run(mode, "vault", "v", &[("password", Value::text("hunter2"))]);
        assert!(output.contains("hidden"), "{output}");
        assert!(!output.contains("hunter2") && !output.contains("aHVudGVyMg"), "{output}");
    }
}

#[test]
fn api_names_have_their_declarations() {
    let names = uphold_script::api_names();
    let check = |name: &str, declaration: &str, doc: &str| {
        let found: Vec<_> = names.iter().filter(|one| one.name == name).collect();
        let [found] = found[..] else { panic!("{name}: {found:?}") };
        assert_eq!(found.declaration, declaration);
        assert!(found.doc.starts_with(doc) && found.doc.is_empty() == doc.is_empty(), "{found:?}");
    };
    check("fs.copy", "fs.copy: (path: string, from: string) -> boolean", "");
    check("clock.now", "clock.now: () -> number", "The time of the machine: in seconds");
    check("json.null", "json.null: any", "Data as JSON. A decoded null");
    check("is_set", "function is_set(property: string): boolean", "Whether the declaration sets a");
    check("lazy", "function lazy(work: () -> any): any", "A value that is computed");
    check("default_action", "default_action: string?", "The action of a resource that names none");
    check("log.info", "log.info: (...any) -> ()", "");
    let definitions = uphold_script::definitions(&uphold_resource::Registry::default());
    let declared = definitions.lines().filter(|line| line.starts_with("declare ")).count();
    // The functions of HCL are not in the fixed part, and have pages of their own.
    assert_eq!(names.iter().filter(|one| !one.name.contains('.')).count(), declared - 1);
}
