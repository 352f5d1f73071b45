//! Statements of valid text.

use uphold_model::Statement;

use crate::print::{check, read_text, statements};

/// Checks the printed value of one attribute.
#[track_caller]
fn value(expression: &str, expected: &str) {
    check(&format!("k \"n\" {{\n  v = {expression}\n}}\n"), &format!("k.n\n  v = {expected}\nconverge k.n"));
}

#[test]
fn blocks() {
    check("", "");
    check("\u{feff}# nothing\n\n", "");
    check("task \"a\" {}", "task.a\nconverge task.a");
    check("task a {\n}\n", "task.a\nconverge task.a");
    check("task \"a\" { check = \"x\" }", "task.a\n  check = \"x\"\nconverge task.a");
    check(
        "file \"/etc/motd\" {\r\n  mode = 1\r\n}\r\n",
        "file[\"/etc/motd\"]\n  mode = 1\nconverge file[\"/etc/motd\"]",
    );
    check("a \"b\" { /* x */ } // y\nc \"d\" { # z\n}", "a.b\nconverge a.b\nc.d\nconverge c.d");
    check("a \"x\\ty\" {}", "a[\"x\\ty\"]\nconverge a[\"x\\ty\"]");
}

#[test]
fn names_are_unicode() {
    // PRP-05: property names of any script.
    check(
        "größe \"ä-1\" {\n  名前 = 1\n  b-c_d = 2\n}",
        "größe.ä-1\n  名前 = 1\n  b-c_d = 2\nconverge größe.ä-1",
    );
}

#[test]
fn nested_blocks_are_maps() {
    check(
        "task \"a\" {\n  env {\n    B = \"c\"\n    A = 1\n  }\n}",
        "task.a\n  env = { A = 1, B = \"c\" }\nconverge task.a",
    );
    check(
        "t \"a\" {\n  r { x = 1 }\n  s = 0\n  r { x = 2 }\n  e {}\n}",
        "t.a\n  r = [{ x = 1 }, { x = 2 }]\n  s = 0\n  e = {}\nconverge t.a",
    );
    check(
        "t \"a\" {\n  o {\n    i { x = 1 }\n    i { x = 2 }\n    action = 3\n  }\n}",
        "t.a\n  o = { action = 3, i = [{ x = 1 }, { x = 2 }] }\nconverge t.a",
    );
}

#[test]
fn literals() {
    value("true", "true");
    value("null", "null");
    value("-5", "-5");
    value("(1)", "1");
    value("1.5", "1.5");
    value("1e3", "1000");
    value("0o644", "\"0o644\"");
    value("9223372036854775807", "9223372036854775807");
    value(r#""a\n\r\t\"\\\u00e9\U0001F600""#, r#""a\n\r\t\"\\é😀""#);
    // Printed as it is written.
    value(r#""$${a} %%{b} $5 100% $$ %""#, r#""$${a} %%{b} $5 100% $$ %""#);
    value(r#""""#, r#""""#);
}

#[test]
fn collections() {
    value("[]", "[]");
    value("[1, \"b\",]", "[1, \"b\"]");
    value("[\n  1, # one\n\n  2\n  ,\n  [3],\n]", "[1, 2, [3]]");
    value("{}", "{}");
    value("{ a = 1, \"b c\" = 2, c : 3 }", "{ a = 1, b c = 2, c = 3 }");
    value("{\n  a = 1\n  b = 2,\n\n  for = 3\n}", "{ a = 1, b = 2, for = 3 }");
    value("{ 1 = 2, (true) = 3, \"x${4}\" = 5 }", "{ 1 = 2, true = 3, x4 = 5 }");
    value("(\n  [\n    { a = (2) }\n  ]\n)", "[{ a = 2 }]");
}

#[test]
fn heredocs() {
    value("<<END\na\n  \"b\" \\n $x\nEND", r#""a\n  \"b\" \\n $x\n""#);
    value("<<-END\n    a\n\n      b\n    END", r#""a\n\n  b\n""#);
    value("<<-END\n  a\n b\n\tEND", r#"" a\nb\n""#);
    value("<<END\nEND", r#""""#);
    value("<<END\nENDS\n END \n", r#""ENDS\n""#);
    value("<<-END\n  ${1}\n    x $${y}\n  END", r#""1\n  x $${y}\n""#);
    value("<<-END\n${1}\n  x\n  END", r#""1\n  x\n""#);
    value("[<<A\nx\nA\n, 2]", r#"["x\n", 2]"#);
}

#[test]
fn templates() {
    value(r#""a ${1} b ${true}${"c"}""#, r#""a 1 b truec""#);
    value(r#""${1}""#, "1");
    value(r#""${[1]}""#, "[1]");
    value(r#""${null}""#, "null");
    value("\"a${\n  1\n}b\"", r#""a1b""#);
    value(r#""x${"y${"z"}"}""#, r#""xyz""#);
    value(r#""${1.50}%""#, r#""1.5%""#);
    value(r#""${-5}\n""#, r#""-5\n""#);
}

#[test]
fn references_defer() {
    value("task.a.status.stdout", "<task.a.status.stdout>");
    value("file[\"/etc/motd\"].sha256", "<file[\"/etc/motd\"].sha256>");
    value("task.a.env[\"x y\"]", "<task.a.env.x y>");
    value("task.a.list[0].b", "<task.a.list.0.b>");
    value("task.a.list.0", "<task.a.list.0>");
    value("\"${task.a.b} and ${task.c.d}\"", "<task.a.b, task.c.d>");
    value("task.a", "<task.a>");
    value("task[\"any name\"]", "<task[\"any name\"]>");
    value("task.a[\"b-c\"].d", "<task.a.b-c.d>");
    value("task.a.list[1 + 1].b", "<task.a.list>");
    value("task.a[task.b.which]", "<task.b.which, task.a, task.b.which>");
    value("[1, { a = task.x.y }]", "<task.x.y>");
    value("<<X\n${a.b.c}\nX", "<a.b.c>");
    check(
        "t \"a\" {\n  env {\n    A = t.b.c\n  }\n  x = 1\n  env {\n    B = t.d.e\n  }\n}",
        "t.a\n  env = <t.b.c, t.d.e>\n  x = 1\nconverge t.a",
    );
}

#[test]
fn meta_arguments() {
    check("t \"a\" { action = \"remove\" }", "t.a\nremove t.a");
    check("t \"a\" { action = remove }", "t.a\nremove t.a");
    check("t \"a\" { action = nothing }", "t.a");
    check("t \"a\" { action = [\"converge\", restart] }", "t.a\nconverge t.a\nrestart t.a");
    check(
        "t \"a\" {\n  depends_on = [t.b, file[\"/x\"]]\n  sensitive = true\n  auto_edges = false\n  timeout = 3\n}",
        "t.a\n  depends_on t.b, file[\"/x\"]\n  sensitive\n  no_auto_edges\n  timeout 3s\nconverge t.a",
    );
    check("t \"a\" { sensitive = false }", "t.a\nconverge t.a");
}

#[test]
fn places_are_exact() {
    let text = "task \"ä\" {\n  check = [\n    1\n  ]\n  env { A = 1 }\n  action = [run, \"remove\"]\n}\n";
    let (sources, reading) = read_text(text);
    let shown = |place: Option<uphold_model::Place>| sources.text(place.expect("written")).to_owned();
    let [Statement::Declare(task), Statement::Trigger(run), Statement::Trigger(remove)] =
        &reading.statements[..]
    else {
        panic!("{:?}", reading.statements)
    };
    assert_eq!(shown(task.place), "task \"ä\"");
    assert_eq!(shown(task.attributes[0].place), "check");
    assert_eq!(shown(task.attributes[0].value_place), "[\n    1\n  ]");
    assert_eq!(shown(task.attributes[1].place), "env");
    assert_eq!(shown(task.attributes[1].value_place), "{ A = 1 }");
    assert_eq!((shown(run.place), shown(remove.place)), ("run".into(), "\"remove\"".into()));
}

#[test]
fn locals_and_outputs() {
    check(
        "locals { a = 1 }\noutput \"o\" { value = local.a + local.b }\nlocals {\n  b = local.a * 2\n}",
        "output o = 3",
    );
    check(
        "task \"t\" {}\nlocals { x = \"a ${task.t.out}\" }\nlog \"l\" { v = [local.x, local.x] }\noutput \"o\" { value = local.x }",
        "task.t\nconverge task.t\nlog.l\n  v = <task.t.out, task.t.out>\nconverge log.l\noutput o = <task.t.out>",
    );
    check("output \"o\" {\n  value       = [1]\n  description = \"x\"\n}", "output o = [1]");
}

#[test]
fn sources_are_one_configuration() {
    let mut sources = uphold_model::Sources::default();
    let ids = [sources.add("a.hcl", "a \"b\" {}\n"), sources.add("b.hcl", "c \"d\" {}\ne\n")];
    let reading =
        uphold_config::Reader::new(crate::surroundings::InMemory::with([])).read(&mut sources, &ids);
    assert_eq!(statements(&reading), "a.b\nconverge a.b\nc.d\nconverge c.d");
    let problem = reading.diagnostics.iter().next().and_then(|problem| problem.place).expect("a place");
    assert_eq!(sources.describe(problem), "b.hcl:2:2");
}

/// Enough blocks of literals that their attributes do not fit into one list; the last one has none.
#[test]
fn many_blocks_of_literals_keep_their_attributes() {
    let block = |name: usize| format!("a \"{name}\" {{\n  b = {name}\n  c = \"x{name}\\n\"\n}}\n");
    let expected =
        |name: usize| format!("a[\"{name}\"]\n  b = {name}\n  c = \"x{name}\\n\"\nconverge a[\"{name}\"]\n");
    let text = |names: std::ops::Range<usize>, last: &str| {
        names.map(block).collect::<String>() + &format!("a \"{last}\" {{\n}}\n")
    };
    let mut sources = uphold_model::Sources::default();
    let ids = [sources.add("a.hcl", text(0..700, "e")), sources.add("b.hcl", text(700..1400, "f"))];
    let reading =
        uphold_config::Reader::new(crate::surroundings::InMemory::with([])).read(&mut sources, &ids);
    let of = |names: std::ops::Range<usize>| names.map(expected).collect::<String>();
    let all = format!("{}a.e\nconverge a.e\n{}a.f\nconverge a.f", of(0..700), of(700..1400));
    assert_eq!(statements(&reading), all);
}

#[test]
fn valid_statements_survive_mistakes() {
    let text =
        "k \"n\" {\n  a = [\n  b = 1\n  c = 0644\n  e {\n    d = 'x'\n    f = 2\n  }\n  g = 1 / 0\n}\n";
    let (_, reading) = read_text(text);
    let unknown = "?(a mistake in the configuration)";
    let expected = format!(
        "k.n\n  a = {unknown}\n  c = {unknown}\n  e = {{ d = {unknown}, f = 2 }}\n  g = {unknown}\nconverge k.n"
    );
    assert_eq!(statements(&reading), expected);
}

/// The underlined text.
#[test]
fn mistakes_underline_the_whole_expression() {
    let check = |text: &str, expected: &[&str]| {
        let (sources, reading) = read_text(text);
        let shown = reading.diagnostics.iter().map(|problem| sources.text(problem.place.expect("written")));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    };
    check("directory \"${local.base}\" {\n}", &["\"${local.base}\""]);
    check("file 'a b' {}", &["'a b'"]);
    check("k \"n\" {\n  v = „hi“\n}", &["„hi“"]);
    check("k \"n\" {\n  v = [\n    param.x\n  ]\n}", &["param.x"]);
    check("k \"n\" {\n  depends_on = [\n    \"x\"\n  ]\n}", &["\"x\""]);
    check("k \"n\" { v = [1, 2 + \"a\", 3] }", &["\"a\""]);
    check("k \"n\" { v = { a = 1 }.b.c }", &["{ a = 1 }.b"]);
    check("k \"n\" { v = upper([1]) }", &["[1]"]);
    check("k \"n\" { for_each = 5 + 5 }", &["5 + 5"]);
    check("param \"p\" { type = list(strin) }", &["strin"]);
    check("file \"a\"", &[""]);
}
