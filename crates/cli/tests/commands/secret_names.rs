//! Secrets in paths, names and loaded values are shown in no message, graph or plan.

use super::sandbox::{Ran, Sandbox};

const SECRET: &str = "hunter2SECRETxyz";

const PARAM: &str = "param \"s\" {\n  sensitive = true\n}\n";

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    let output = sandbox.command(arguments).env("UPHOLD_PARAM_S", SECRET).output();
    sandbox.ran(&output.expect("the command starts"))
}

/// Checks that all commands show `expected` in place of the secret.
#[track_caller]
fn check(configuration: &str, commands: &[&[&str]], expected: &str) {
    let sandbox = Sandbox::with(format!("{PARAM}{configuration}"));
    for arguments in commands {
        let ran = run(&sandbox, arguments);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains(SECRET), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

const STATIC: &[&[&str]] =
    &[&["validate"], &["validate", "--json"], &["plan"], &["plan", "--json"], &["apply"]];

#[test]
fn a_conflict_shows_no_claim_of_a_secret() {
    let ini = "ini \"NAME\" {\n  file  = \"/x/${param.s}\"\n  key   = \"k\"\n  value = \"1\"\n}\n";
    let twice = ini.replace("NAME", "a") + &ini.replace("NAME", "b");
    check(&twice, STATIC, "both manage key (sensitive value)");
    let file = "file \"NAME\" {\n  path = \"/x/${param.s}\"\n  content = \"c\"\n}\n";
    let twice = file.replace("NAME", "a") + &file.replace("NAME", "b");
    check(&twice, STATIC, "both manage path (sensitive value)");
    let edited = file.replace("NAME", "a") + &ini.replace("NAME", "b");
    check(&edited, STATIC, "path (sensitive value)");
}

const TASKS: &str = "task \"t\" {\n  creates = \"/x/${param.s}\"\n  apply   = \"true\"\nMORE}\n\
    task \"u\" {\n  action = \"run\"\n  dir   = \"/x/${param.s}\"\n  apply = \"true\"\n}\n";

#[test]
fn a_cycle_shows_no_claim_of_a_secret() {
    check(
        &TASKS.replace("MORE", "  depends_on = [task.u]\n"),
        STATIC,
        "waits for task.t (path (sensitive value))",
    );
}

#[test]
fn a_graph_shows_no_claim_of_a_secret() {
    let commands: &[&[&str]] =
        &[&["graph"], &["graph", "--format", "dot"], &["graph", "--format", "mermaid"]];
    check(&TASKS.replace("MORE", ""), commands, "path (sensitive value)");
}

#[test]
fn a_claim_without_a_secret_is_shown() {
    let file = "file \"NAME\" {\n  path = \"/x/plain\"\n  content = param.s\n}\n";
    let twice = file.replace("NAME", "a") + &file.replace("NAME", "b");
    check(&twice, STATIC, "both manage path /x/plain");
}

#[test]
fn values_loaded_with_a_secret_are_hidden() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("kinds")).expect("a folder");
    sandbox.write(
        "kinds/conf.luau",
        "properties.path = { type = \"path\", name = true }\n\
         properties.text = { type = \"text\" }\n\
         properties.token = { type = \"text\", sensitive = true, setting = true }\n\
         function load_current_value(current) current.text = fs.read(path) end\n\
         function actions.create() file(path, { content = text }) end\n",
    );
    let conf = sandbox.path("conf");
    sandbox.write("conf", "pw=oldSECRETpw\n");
    sandbox.write(
        "site.hcl",
        format!(
            "{PARAM}conf \"{0}\" {{\n  text  = \"new\"\n  token = \"literalTOKEN\"\n}}\n\
             output \"text\" {{\n  value = conf[\"{0}\"].text\n}}\n",
            conf.display()
        ),
    );
    for arguments in [&["plan"][..], &["plan", "--json"], &["plan", "--out", "saved"], &["apply", "--json"]] {
        let ran = run(&sandbox, arguments);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains("oldSECRETpw") && !text.contains("literalTOKEN"), "{arguments:?}: {text}");
        assert!(text.contains("sensitive"), "{arguments:?}: {text}");
    }
    assert!(!sandbox.read("saved").contains("oldSECRETpw"));
}

#[test]
fn a_test_shows_no_unknown_command_with_a_secret() {
    let sandbox = Sandbox::with(format!(
        "{PARAM}task \"t\" {{\n  action = \"run\"\n  apply  = \"deploy --token ${{param.s}}\"\n}}\n"
    ));
    sandbox.write(
        "t.test.hcl",
        "params = { s = \"hunter2\" }\ntest \"a\" {}\n\
         test \"b\" {\n  expect {\n    ran = [\"other ${param.s}\"]\n  }\n}\n"
            .replace("\"hunter2\"", "join(\"\", [\"hunter2\", \"SECRETxyz\"])"),
    );
    for arguments in [&["test"][..], &["test", "--json"]] {
        let ran = run(&sandbox, arguments);
        let text = ran.stdout + &ran.stderr;
        assert!(!text.contains(SECRET), "{arguments:?}: {text}");
        assert!(text.contains("does not know a command with a secret"), "{arguments:?}: {text}");
        assert!(text.contains("(sensitive value)"), "{arguments:?}: {text}");
    }
}
