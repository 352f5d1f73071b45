//! Secrets in places that other users can read: arguments, environments, excerpts.

use uphold_testbed::isolate;

use super::sandbox::Sandbox;

const SECRET: &str = "hunter2SECRETxyz";

const PARAM: &str = "param \"token\" {\n  sensitive = true\n}\n";

/// A script that prints the arguments of its shell and of the parent process, which is Uphold or its shell.
const LOOK: &str = "cat /proc/$$/cmdline /proc/$PPID/cmdline | tr '\\\\0' ' '";

fn apply(sandbox: &Sandbox, configuration: &str) -> crate::commands::sandbox::Ran {
    sandbox.write("site.hcl", format!("{PARAM}{configuration}"));
    let output = sandbox.command(&["apply"]).env("UPHOLD_PARAM_TOKEN", SECRET).output();
    sandbox.ran(&output.expect("the command starts"))
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[test]
fn no_command_inherits_params_or_the_service_managers_variables() {
    let sandbox = Sandbox::with(
        "task \"t\" {\n  action = \"run\"\n  apply  = \"env > env.task\"\n}\n\
         query \"q\" {\n  query = \"env | tee env.query\"\n}\n\
         task \"guarded\" {\n  action  = \"run\"\n  apply   = \"true\"\n  only_if = \"env > env.guard\"\n}\n\
         task \"own\" {\n  action = \"run\"\n  apply  = \"env > env.own\"\n  env    = { UPHOLD_PARAM_X = \"asked for\" }\n}\n",
    );
    let mut command = sandbox.command(&["apply"]);
    for name in ["UPHOLD_PARAM_TOKEN", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "OTHER"] {
        command.env(name, SECRET);
    }
    assert_eq!(command.output().expect("the command starts").status.code(), Some(0));
    for name in ["env.task", "env.query", "env.guard"] {
        let env = sandbox.read(name);
        let found: Vec<&str> = env.lines().filter(|line| line.contains(SECRET)).collect();
        assert_eq!(found, [format!("OTHER={SECRET}")], "{name}");
    }
    assert!(sandbox.read("env.own").contains("UPHOLD_PARAM_X=asked for\n"));
}

#[test]
fn a_script_with_a_secret_is_in_no_arguments() {
    let sandbox = Sandbox::new();
    let secret = format!(": ${{param.token}}; {LOOK}");
    let ran = apply(
        &sandbox,
        &format!(
            "task \"t\" {{\n  check = \"{secret} > seen.check; test -e seen.apply\"\n\
             \x20 apply = \"{secret} > seen.apply; cat > stdin; env > env\"\n  stdin = \"for the script\"\n}}\n\
             query \"q\" {{\n  query = \"{secret} | tee seen.query\"\n}}\n\
             file \"{0}/f\" {{\n  content = \"x\"\n  verify  = \"test -e {{}} && {secret} > {0}/seen.verify\"\n}}\n\
             task \"guarded\" {{\n  action  = \"run\"\n  apply   = \"true\"\n  only_if = \"{secret} > seen.guard\"\n}}\n",
            sandbox.path("").display()
        ),
    );
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for name in ["seen.check", "seen.apply", "seen.query", "seen.verify", "seen.guard"] {
        let seen = sandbox.read(name);
        assert!(seen.starts_with("/bin/sh -c ") && seen.contains("uphold apply"), "{name}: {seen}");
        assert!(!seen.contains(SECRET), "{name}: {seen}");
    }
    assert_eq!(sandbox.read("stdin"), "for the script");
    assert!(!sandbox.read("env").contains(SECRET), "what the script starts inherits nothing");
}

#[test]
fn scripts_of_other_users_and_interpreters_are_in_no_arguments() {
    if !is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    let run = |settings: &str, script: &str| {
        let ran = apply(
            &sandbox,
            &format!(
                "query \"q\" {{\n{settings}  query = \"{script}\"\n}}\noutput \"seen\" {{\n  value = nonsensitive(query.q.value)\n}}\n"
            ),
        );
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let secret = format!(": ${{param.token}}; id -un; {LOOK}");
    let seen = run("  user = \"nobody\"\n", &secret);
    assert!(seen.contains("nobody") && seen.contains("/bin/sh -c") && !seen.contains(SECRET), "{seen}");
    let seen = run("  interpreter = \"bash\"\n  flags = [\"-euc\"]\n", &secret);
    assert!(seen.contains("bash -euc") && !seen.contains(SECRET), "{seen}");
    let script = "my $x = '${param.token}'; open(F, '<', '/proc/self/cmdline'); print <F>, 'done'";
    let seen = run("  interpreter = \"perl\"\n  flags = [\"-e\"]\n", script);
    assert!(seen.contains("done") && !seen.contains(SECRET), "{seen}");
}

#[test]
fn a_secret_that_can_only_be_an_argument_is_refused() {
    let sandbox = Sandbox::new();
    let ran = apply(
        &sandbox,
        "query \"q\" {\n  interpreter = \"/bin/echo\"\n  flags = []\n  query = \"${param.token}\"\n}\n\
         task \"t\" {\n  action  = \"run\"\n  apply   = \"true\"\n  only_if = [\"test\", param.token, \"=\", \"x\"]\n}\n\
         query \"fine\" {\n  interpreter = \"/bin/echo\"\n  flags = []\n  query = \"plain\"\n  env = { TOKEN = param.token }\n}\n",
    );
    assert_eq!(ran.code, Some(1));
    assert!(!ran.stderr.contains(SECRET) && !ran.stdout.contains(SECRET));
    let text = ran.stdout + &ran.stderr;
    assert!(text.contains("query.q: a secret would be an argument of a command"), "{text}");
    assert!(text.contains("the command of `only_if` has a secret among its arguments"), "{text}");
    assert!(text.contains("1 ok"), "a secret in `env` is fine: {text}");
}

#[test]
fn an_error_in_a_params_file_shows_no_values() {
    let mistakes = [
        ("p.hcl", format!("token = \"{SECRET}\n")),
        ("p.hcl", format!("token = {SECRET}\n")),
        ("p.hcl", format!("token = {SECRET}.x + 1\n")),
        ("p.hcl", format!("token = upper(\"{SECRET}\"\n")),
        ("p.hcl", format!("token = {SECRET}(1)\n")),
        ("p.hcl", format!("{SECRET} {{}}\n")),
        ("p.hcl", format!("token = \"x\"\ntoken = \"{SECRET}\"\n")),
        ("p.hcl", format!("token = <<EOF\n{SECRET}\n")),
        ("p.hcl", format!("token = tonumber(\"{SECRET}\")\n")),
        ("p.json", format!("{{\"token\": \"{SECRET}}}\n")),
        ("p.json", format!("{{\"token\": {SECRET}}}\n")),
        ("p.yaml", format!("token: \"{SECRET}\n")),
        ("p.yaml", format!("token: [{SECRET}\n")),
    ];
    for (name, text) in mistakes {
        for command in [&["validate"][..], &["plan"], &["plan", "--json"], &["apply"], &["graph"]] {
            let sandbox = Sandbox::with(PARAM);
            std::fs::create_dir(sandbox.path("params")).expect("a folder");
            let name = &format!("params/{name}");
            sandbox.write(name, &text);
            let ran = sandbox.run(&[command, &["--params", name]].concat());
            let shown = ran.stdout + &ran.stderr;
            assert!(!shown.contains("hunter2"), "{command:?} of {text}: {shown}");
            assert_ne!(ran.code, Some(0), "{command:?} of {text}: {shown}");
            assert!(shown.contains(name), "{command:?} of {text}: {shown}");
        }
    }
}

#[test]
fn a_param_that_is_not_declared_is_reported_without_its_value() {
    let sandbox = Sandbox::with("");
    std::fs::create_dir(sandbox.path("params")).expect("a folder");
    sandbox.write("params/p.hcl", format!("tokn = \"{SECRET}\"\n"));
    let ran = sandbox.run(&["validate", "--params", "params/p.hcl"]);
    assert!(ran.stderr.contains("unknown param") && ran.stderr.contains("p.hcl:1:"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
}

/// A secret that other users could read in `/proc` is refused before any process is started, also in a plan.
#[test]
fn no_kind_passes_a_secret_as_an_argument() {
    let sandbox = Sandbox::new();
    let kinds = sandbox.path("kinds");
    std::fs::create_dir(&kinds).expect("a folder");
    sandbox.write(
        "kinds/caller.luau",
        "properties.name = { type = \"text\", name = true }\nproperties.token = { type = \"text\" }\n\
         function actions.create() run({ \"touch\", \"started-\" .. token }) end\n",
    );
    let ran = apply(&sandbox, "caller \"c\" { token = param.token }\n");
    let text = ran.stdout + &ran.stderr;
    assert_eq!(ran.code, Some(1), "{text}");
    assert!(text.contains("a secret would be an argument of a command") && !text.contains(SECRET), "{text}");
    assert!(!sandbox.path(&format!("started-{SECRET}")).exists());
}

#[test]
fn a_recipe_passes_no_secret_as_an_argument() {
    let sandbox = Sandbox::with(PARAM);
    let check = |recipe: &str, expected: Option<i32>| {
        sandbox.write("recipe.luau", recipe);
        let output =
            sandbox.command(&["apply", "recipe.luau", "site.hcl"]).env("UPHOLD_PARAM_TOKEN", SECRET).output();
        let ran = sandbox.ran(&output.expect("the command starts"));
        assert_eq!(ran.code, expected, "{}{}", ran.stdout, ran.stderr);
    };
    let collect = "cat /proc/$$/cmdline > seen; env > env";
    check(&format!("run({{ \"sh\", \"-c\", \"{collect}; : \" .. param.token }})"), Some(1));
    check(&format!("query({{ \"sh\", \"-c\", \"{collect}; : \" .. param.token }})"), Some(1));
    assert!(!sandbox.path("seen").exists());
    check(
        &format!("run({{ \"sh\", \"-c\", \"{collect}\" }}, {{ env = {{ TOKEN = param.token }} }})"),
        Some(0),
    );
    assert!(!sandbox.read("seen").contains(SECRET) && sandbox.read("env").contains(SECRET));
}

/// The `/proc` files of a process that can be traced belong to its user, those of others to root.
#[test]
fn the_memory_of_the_process_is_private_and_that_of_its_commands_is_not() {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    const OTHER_USER: u32 = 12_345;
    if !is_root() {
        return;
    }
    let sandbox = Sandbox::new();
    std::os::unix::fs::chown(sandbox.path(""), Some(OTHER_USER), None).expect("root may do so");
    let program = sandbox.path("uphold");
    std::fs::copy(env!("CARGO_BIN_EXE_uphold"), &program).expect("a copy that everybody may run");
    let mut command = std::process::Command::new(program);
    command.args(["apply", "-"]).uid(OTHER_USER).gid(OTHER_USER);
    isolate(&mut command, &sandbox.path(""));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let owner = || std::fs::metadata(format!("/proc/{}/environ", child.id())).expect("it runs").uid();
    let begin = std::time::Instant::now();
    while owner() != 0 {
        assert!(begin.elapsed() < std::time::Duration::from_secs(60), "its memory is not private");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let text = "task \"t\" {\n  action = \"run\"\n  apply  = \"stat -c %u /proc/$$/environ > owner\"\n}\n";
    std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes()).expect("it listens");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(sandbox.read("owner"), format!("{OTHER_USER}\n"));
}
