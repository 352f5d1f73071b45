//! Hostile scripts: each ends in an error with its line, and the machine is unchanged.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::{Bench, problems};

/// A well-behaved kind, to check that the thread still works.
const GOOD: &str = r#"
properties.path = { type = "path", name = true }
properties.content = { type = "text", default = "good" }
function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.content = fs.read(path)
end
function actions.create()
    converge_if_changed(function() fs.write(path, content) end)
end
"#;

/// An action for a kind that is about something else.
const IDLE: &str = "function actions.create() end\n";

/// The kind is valid; a resource of it fails with this message in a plan and in an apply, and changes nothing.
#[track_caller]
pub(crate) fn ends_with(kinds: &[(&str, &str)], expected: &str) {
    let bench = Bench::new(&[kinds, &[("good", GOOD)]].concat());
    let bench = bench.world(|host| host.directory("/srv", 0o755).file("/srv/a", "a", 0o644));
    let before = bench.host.snapshot();
    // These take long: one mode is enough.
    let takes_long = [LONG, MANY].iter().any(|limit| expected.contains(limit));
    let modes = if takes_long { &[Apply][..] } else { &[Plan, Apply] };
    for &mode in modes {
        let output = bench.run(mode, kinds[0].0, "/srv/x", &[]);
        assert!(output.contains(expected), "{mode:?}: {output}");
    }
    assert_eq!(before.diff(&bench.host.snapshot()), Vec::<String>::new());
    assert_eq!(
        bench.run(Apply, "good", "/srv/good", &[]).lines().next(),
        Some("good[\"/srv/good\"] changed")
    );
}

/// As `ends_with`, for the body of an action.
#[track_caller]
pub(crate) fn body_ends_with(body: &str, expected: &str) {
    ends_with(&[("bad", &format!("function actions.create()\n{body}\nend"))], expected);
}

/// As `ends_with`, for the body of a loader.
#[track_caller]
fn loader_ends_with(body: &str, expected: &str) {
    let text = format!("function load_current_value(current)\n{body}\nend\nfunction actions.create() end");
    ends_with(&[("bad", &text)], expected);
}

/// The kind cannot be defined, and the thread still works.
#[track_caller]
fn file_ends_with(text: &str, expected: &str) {
    let mut kinds = Bench::new(&[]).kinds;
    let output = problems(&[("bad", text)], &mut kinds);
    assert!(output.contains(expected), "{output}");
    let bench = Bench::new(&[("good", GOOD)]);
    assert_eq!(bench.run(Apply, "good", "/good", &[]).lines().next(), Some("good[\"/good\"] changed"));
}

const LONG: &str =
    "the script runs for too long: the limit is 10 million iterations and calls, and 5 seconds";
const LARGE: &str = "the script uses more than 256 MiB of memory";
const MANY: &str = "the script declares more than 10000 resources";
const HEAVY: &str = "the script declares and writes more than 256 MiB";

/// The time of operations of the machine is not counted, so their number and size is limited.
#[test]
fn limits_operations_on_the_machine() {
    let crowd = "parallel(function()\nfor i = 1, 10001 do file(\"/srv/x\" .. i, {}) end\nend)";
    body_ends_with(crowd, MANY);
    body_ends_with(&format!("pcall(function()\n{crowd}\nend)"), MANY);
    let heavy = "local s = string.rep(\"a\", 3e7)\nfor i = 1, 1e9 do";
    body_ends_with(
        &format!("{heavy} fs.write(\"/srv/x\" .. i, s) end"),
        &format!("kinds/bad.luau:3: {HEAVY}"),
    );
    body_ends_with(&format!("{heavy} file(\"/srv/x\" .. i, {{ content = s }}) end"), HEAVY);
    body_ends_with("for i = 1, 1e9 do local there = fs.exists(\"/srv/a\") end", LONG);
}

#[test]
fn ends_endless_loops_in_a_file() {
    file_ends_with("while true do end", &format!("kinds/bad.luau:1:1: script failed: {LONG}"));
    file_ends_with(
        "\nlocal t = setmetatable({}, { __index = function(t, k) return t[k .. k] end })\nlocal x = t.a",
        "",
    );
}

#[test]
fn ends_endless_loops_in_functions() {
    loader_ends_with("while true do end", &format!("kinds/bad.luau:2: {LONG}"));
    body_ends_with("local n = 0\nrepeat n += 1 until false", &format!("kinds/bad.luau:3: {LONG}"));
    ends_with(
        &[("bad", "function check()\nwhile true do end\nend\nfunction actions.create() end")],
        &format!("kinds/bad.luau:2: {LONG}"),
    );
    ends_with(
        &[("bad", "function claims()\nwhile true do end\nend\nfunction actions.create() end")],
        &format!("kinds/bad.luau:2: {LONG}"),
    );
    ends_with(
        &[(
            "bad",
            "properties.a = { default = function()\nwhile true do end\nend }\nfunction actions.create() log.info(a) end",
        )],
        &format!("kinds/bad.luau:2: {LONG}"),
    );
    for word in ["coerce", "check"] {
        let text = format!(
            "properties.name = {{ name = true, {word} = function()\nwhile true do end\nend }}\n{IDLE}"
        );
        ends_with(&[("bad", &text)], &format!("kinds/bad.luau:2: {LONG}"));
    }
    body_ends_with("file(\"/srv/x\", { content = lazy(function()\nwhile true do end\nend) })", LONG);
    body_ends_with(
        "local t = setmetatable({}, { __add = function()\nwhile true do end\nend })\nreturn t + 1",
        &format!("kinds/bad.luau:3: {LONG}"),
    );
    body_ends_with("file(\"/srv/x\", { only_if = function()\nwhile true do end\nend })", LONG);
}

#[test]
fn ends_single_calls_that_take_long() {
    body_ends_with("local s = string.rep(\"a\", 1e9)", LARGE);
    body_ends_with("local s = string.rep(\"a\", 30):find(string.rep(\"a*\", 30) .. \"b\")", LONG);
    let text =
        "local s, p = string.rep(\"a\", 4e6), string.rep(\"a\", 2e6) .. \"b\"\nlocal at = s:find(p, 1, true)";
    body_ends_with(text, "kinds/bad.luau:3: these strings are too long to search one in the other");
    let text =
        "local s, p = string.rep(\"a\", 4e6), string.rep(\"a\", 2e6) .. \"b\"\nlocal at = string.split(s, p)";
    body_ends_with(text, "kinds/bad.luau:3: these strings are too long to search one in the other");
}

/// Each of these would run for minutes without an interruption.
#[test]
fn limits_built_in_functions() {
    let many = "table.move: a table cannot have this many elements";
    body_ends_with("table.move({}, 1, 2147483646, 2)", many);
    body_ends_with("table.move({}, -2147483646, 1, 2, {})", many);
    body_ends_with("table.move(setmetatable({}, { __index = math }), 1, 2147483646, 1, {})", many);
    let class = "local s, p = string.rep(\"a\", 1e6), \"[\" .. string.rep(\"b\", 1e6) .. \"a]*\"\n";
    for call in ["string.find(s, p)", "string.match(s, p)", "s:gsub(p, \"\")", "for x in s:gmatch(p) do end"]
    {
        body_ends_with(&format!("{class}{call}"), "kinds/bad.luau:3: these strings are too long to search");
    }
    let twins = "local s = string.rep(\"a\", 3e7)\nlocal one, two, all = s .. \"1\", s .. \"2\", {}\n\
                 for i = 1, 5e4 do all[i] = if i % 3 == 0 then one else two end\ntable.sort(all)";
    body_ends_with(twins, LONG);
    body_ends_with("string.format(\"%1000000000s\", \"x\")", "kinds/bad.luau:2: invalid format");
    body_ends_with("string.rep(\"\", 2147483647) error(\"done\")", "kinds/bad.luau:2: done");
    body_ends_with("table.concat({}, \"\", 1, 2147483647)", "kinds/bad.luau:2: invalid value");
    body_ends_with("table.unpack({}, 1, 2147483647)", "kinds/bad.luau:2: too many results");
    body_ends_with("utf8.codepoint(string.rep(\"a\", 1e7), 1, -1)", "kinds/bad.luau:2");
    body_ends_with("string.pack(\"c2000000000\", \"x\")", "kinds/bad.luau:2: size specifier is too large");
}

/// The wrapped functions behave like the original ones.
#[test]
fn limited_functions_work_as_usual() {
    body_ends_with(
        "error(table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), \" \"))",
        "kinds/bad.luau:2: 1 1 2 3",
    );
    body_ends_with("local t = { 3, 1, 2 }\ntable.sort(t)\nerror(table.concat(t))", "kinds/bad.luau:4: 123");
    let down =
        "local t = { 3, 1, 2 }\ntable.sort(t, function(a, b) return a > b end)\nerror(table.concat(t))";
    body_ends_with(down, "kinds/bad.luau:4: 321");
    body_ends_with("error((string.gsub(\"abc\", \"b\", \"x\")))", "kinds/bad.luau:2: axc");
    body_ends_with("error((\"k=v\"):match(\"=(.*)\"))", "kinds/bad.luau:2: v");
}

#[test]
fn limits_memory() {
    body_ends_with("local t = {}\nwhile true do t[#t + 1] = table.create(1e5, 1) end", LARGE);
    body_ends_with("local s = \"a\"\nwhile true do s ..= s end", LARGE);
    body_ends_with("local b = buffer.create(1e9)", LARGE);
    body_ends_with("local t = table.create(3e7, 1)", LARGE);
    loader_ends_with("local t = {}\nwhile true do t[#t + 1] = string.rep(\"a\", 1e6) .. #t end", LARGE);
    file_ends_with("local t = table.create(3e7, 1)", LARGE);
}

/// Each level contains the next one twice: small in the script, but larger than any memory when it is copied.
#[test]
fn limits_the_size_of_copied_values() {
    let text = "local t = \"x\"\nfor i = 1, 50 do t = { t, t } end\nfile(\"/srv/x\", { content = \"x\", owner = t })";
    body_ends_with(text, "kinds/bad.luau");
    let text = "properties.x = {}\nfunction load_current_value(current)\nlocal t = \"x\"\nfor i = 1, 50 do t = { t, t } end\n\
                current.x = t\nend\nfunction actions.create() end";
    ends_with(&[("bad", text)], "a value is larger than 64 MiB");
    let text = "properties.x = {}\nfunction load_current_value(current)\nlocal t = {}\nt.t = t\ncurrent.x = t\nend\n\
                function actions.create() end";
    ends_with(&[("bad", text)], "a table is nested too deeply: does it contain itself?");
    body_ends_with(
        "local t = {}\nt.t = t\nfile(\"/srv/x\", { content = t })",
        "a table is nested too deeply",
    );
}

#[test]
fn ends_endless_recursion() {
    body_ends_with("local function f() return 1 + f() end\nf()", "kinds/bad.luau:2: stack overflow");
    body_ends_with(
        "local function f() return lazy(f) end\nfile(\"/srv/x\", { content = lazy(f) })",
        "kinds/bad.luau:3: a lazy value",
    );
    let deep = "resources are nested too deeply: does one declare itself?";
    ends_with(&[("bad", "function actions.create() bad(name) end")], deep);
    let (one, two) = ("function actions.create() two(name) end", "function actions.create() one(name) end");
    ends_with(&[("one", one), ("two", two)], deep);
    ends_with(&[("bad", "function actions.create() parallel(function() bad(name) end) end")], deep);
}

#[test]
fn a_limit_cannot_be_caught() {
    body_ends_with("while true do pcall(function() while true do end end) end", LONG);
    body_ends_with("pcall(function() while true do end end)\nfs.write(\"/srv/x\", \"x\")", LONG);
    body_ends_with(
        "xpcall(function() while true do end end, function() return 1 end)\nfs.write(\"/srv/x\", \"x\")",
        LONG,
    );
    body_ends_with("pcall(string.rep, \"a\", 1e9)\nfs.write(\"/srv/x\", \"x\")", LARGE);
    body_ends_with("coroutine.wrap(function() while true do end end)()", "coroutine");
}

#[test]
fn loaders_and_checks_cannot_write() {
    let output = "kinds/bad.luau:2 | fs.write changes the machine, which is not allowed in a loader";
    loader_ends_with("fs.write(\"/srv/x\", \"x\")", output);
    loader_ends_with(
        "run(\"touch /srv/x\")",
        "kinds/bad.luau:2 | run changes the machine, which is not allowed in a loader",
    );
    loader_ends_with("file(\"/srv/x\", {})", "kinds/bad.luau:2");
    for function in ["check", "claims", "watch"] {
        for (call, output) in
            [("fs.write(\"/srv/x\", \"x\")", "fs.write changes"), ("run(\"touch /srv/x\")", "run changes")]
        {
            let text = format!("function {function}()\n{call}\nend\nfunction actions.create() end");
            ends_with(&[("bad", &text)], output);
        }
    }
    let output = "this can be called only in a loader, a check or an action";
    for word in ["coerce", "check"] {
        let text = format!(
            "properties.name = {{ name = true, {word} = function()\nfs.write(\"/srv/x\", \"x\")\nend }}\n{IDLE}"
        );
        ends_with(&[("bad", &text)], output);
    }
    file_ends_with("fs.write(\"/srv/x\", \"x\")", output);
}

/// Each thread loads a file again. It must not see the action that has caused this.
#[test]
#[expect(clippy::disallowed_methods, reason = "another thread has another state, which is what is tested")]
fn a_file_that_is_loaded_during_an_action_does_not_see_it() {
    let inner = "properties.a = { coerce = function(v) return `{v}{tostring((pcall(function() return secret end)))}` end }\n\
                 seen = tostring(pcall(fs.write, \"/srv/x\", \"x\")) .. tostring((pcall(function() return secret end)))\n\
                 function actions.create() fs.write(\"/srv/told\", `{seen} {a}`) end";
    let outer = "properties.secret = { setting = true, default = \"hunter2\" }\n\
                 function actions.create() inner(\"i\", { a = \"a\" }) end";
    let bench = Bench::new(&[("inner", inner), ("outer", outer)]).world(|host| host.directory("/srv", 0o755));
    let run = || bench.run(Apply, "outer", "o", &[]);
    let there = std::thread::scope(|scope| scope.spawn(run).join()).expect("no panic");
    assert_eq!(bench.content("/srv/told"), "falsefalse afalse", "{there}");
    assert_eq!(run(), "outer.o unchanged\n");
    assert!(bench.content("/srv/x").contains("cannot read /srv/x"), "it was not written");
}

#[test]
fn shared_tables_are_read_only() {
    let readonly = "attempt to modify a readonly table";
    for line in [
        "string.format = nil",
        "fs.write = function() end",
        "rawset(fs, \"read\", nil)",
        "table.insert(fs, 1)",
        "log.info = nil",
        "root.edit = nil",
        "math.huge = 1",
        "facts.x = 1",
        "param.x = 1",
    ] {
        body_ends_with(line, &format!("kinds/bad.luau:2: {readonly}"));
        file_ends_with(line, &format!("kinds/bad.luau:1:1: script failed: {readonly}"));
    }
    body_ends_with("setmetatable(fs, {})", "kinds/bad.luau:2");
    body_ends_with("getmetatable(\"\").__index = nil", "kinds/bad.luau:2");
    body_ends_with("getmetatable(log).__call = nil", "kinds/bad.luau:2");
    body_ends_with("getmetatable(find(\"bad\", name)).__index = nil", "kinds/bad.luau:2");
    for line in [
        "getfenv()",
        "_G.x = 1",
        "setfenv(1, {})",
        "loadstring(\"\")",
        "io.open(\"/\")",
        "os.execute(\"\")",
        "debug.info(1, \"s\")",
        "collectgarbage()",
        "newproxy()",
    ] {
        body_ends_with(line, "kinds/bad.luau:2: ");
    }
}

#[test]
fn reports_errors_that_are_not_strings() {
    body_ends_with("error({ code = 3 })", "kinds/bad.luau");
    body_ends_with("error(nil)", "failed: ");
    body_ends_with("error(fs)", "failed: ");
    body_ends_with("error(\"\")", "kinds/bad.luau:2");
    body_ends_with("error(\"broken\\n\\nin lines\")", "kinds/bad.luau:2: broken");
    body_ends_with(
        "local ok, why = pcall(fs.read, \"/none\")\nerror(`so: {why}`)",
        "kinds/bad.luau:3: so: cannot read /none",
    );
    body_ends_with("local ok, why = pcall(error, { 1 })\nerror(type(why))", "kinds/bad.luau:3: table");
}

/// Only a part of a message is shown, and a fake stack in it costs nothing.
#[test]
fn shortens_long_messages() {
    let body = "error(string.rep(\"x\", 1e6))";
    body_ends_with(body, &format!("kinds/bad.luau:2: {}… |", "x".repeat(2000)));
    let stack = "local t = table.create(2e5)\nfor i = 1, 2e5 do t[i] = `a:{i}` end\n\
                 error(\"x\\nstack traceback:\\n\" .. table.concat(t, \"\\n\"))";
    body_ends_with(stack, "kinds/bad.luau:4: x |");
}

#[test]
fn refuses_invalid_values() {
    body_ends_with("fs.write(\"/srv/a\\0b\", \"x\")", "kinds/bad.luau:2");
    body_ends_with("fs.read(\"srv\")", "fs.read takes an absolute path, not \"srv\"");
    body_ends_with("fs.read({})", "kinds/bad.luau");
    body_ends_with("fs.read()", "fs.read takes an absolute path");
    body_ends_with("self.title = 1", "there is no self; a property is written by its name alone");
    body_ends_with("fs.write(\"/srv/x\", fs)", "fs.write takes a string, not table");
    body_ends_with("file(\"/srv/x\", { content = 0 / 0 })", "`content`");
    body_ends_with(
        "file(\"/srv/x\", { content = print })",
        "`content`: a function cannot be the value of a property",
    );
    body_ends_with("file(\"/srv/x\", { 1, content = \"x\" })", "kinds/bad.luau");
    body_ends_with(
        "fs.write(\"/srv/x\", \"x\", \"0600\")",
        "`access` of fs.write must be { mode: string?, owner: (string | number)?, group: (string | number)? }, not a string",
    );
    body_ends_with("fs.link(\"/srv/x\", {})", "`target` of fs.link must be string, not a table");
    let properties = "file \"/srv/x\" takes a table of properties, such as { content = … }, not a string";
    for call in
        ["file(\"/srv/x\", name)", "declare(\"file\", \"/srv/x\", name)", "read(\"file\", \"/srv/x\", name)"]
    {
        body_ends_with(call, properties);
    }
    body_ends_with("file(3)", "the kind and the name of a resource must be strings");
    body_ends_with("no_such_kind(\"x\")", "kinds/bad.luau:2");
    body_ends_with("file(\"/srv/x\", { content = \"x\", no_such = 1 })", "no_such");
    body_ends_with("actions = nil\nactions.x()", "kinds/bad.luau");
}

#[test]
fn checks_numbers_at_their_limits() {
    let text = "properties.n = { type = \"int\" }\nfunction actions.create() end";
    let bench = Bench::new(&[("bad", text)]);
    let run = |name: &str, value: Value| bench.run(Plan, "bad", "x", &[(name, value)]);
    assert_eq!(run("n", Value::Int(i64::MAX)), "bad.x unchanged\n");
    let load = |value: &str, expected: &str| {
        let text = format!(
            "properties.n = {{ type = \"int\" }}\nfunction load_current_value(current)\ncurrent.n = {value}\nend\nfunction actions.create() end"
        );
        ends_with(&[("bad", &text)], expected);
    };
    load("0 / 0", "NaN cannot be the value of a property");
    load("-math.huge", "-inf cannot be the value of a property");
    load("2 ^ 70", "`bad` loaded an invalid value: `n`");
    load("0.5", "`bad` loaded an invalid value: `n`");
}

#[test]
fn a_property_can_have_a_name_of_the_api() {
    let text = "properties.fs = { type = \"text\" }\nproperties.name = { name = true }\n\
                function check() return if fs == \"mine\" then nil else \"is not mine\" end\n\
                function actions.create() end";
    let bench = Bench::new(&[("odd", text)]);
    assert_eq!(bench.run(Apply, "odd", "x", &[("fs", Value::text("mine"))]), "odd.x unchanged\n");
}
