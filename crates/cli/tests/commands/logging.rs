//! Log lines on standard error: `UPHOLD_LOG`.

use super::sandbox::{Ran, Sandbox};

const SECRET: &str = "hunter2-correct-horse";

const SITE: &str = r#"
param "token" { sensitive = true }
param "folder" { default = "/" }
file "secret" {
  path    = "${param.folder}/secret"
  content = param.token
}
task "env" {
  apply = "test -n \"$TOKEN\""
  check = "false; test -z \"$TOKEN\""
  env   = { TOKEN = param.token }
}
task "script" {
  apply = "echo ${param.token} >&2; false"
  check = "false"
}
log "said" { message = "it is ${param.token}" }
output "token" { value = param.token }
"#;

fn run(sandbox: &Sandbox, log: &str, arguments: &[&str]) -> Ran {
    let param = format!("token={SECRET}");
    let mut command = sandbox.command(arguments);
    let folder = format!("folder={}", sandbox.path("root").display());
    command.args(["-p", &param, "-p", &folder, "site.hcl"]).env("UPHOLD_LOG", log);
    sandbox.ran(&command.output().expect("the command starts"))
}

#[test]
fn no_secret_is_logged() {
    let sandbox = Sandbox::with(SITE);
    for arguments in [&["plan"][..], &["apply"], &["watch", "--plain", "--until-converged", "1ms"]] {
        let ran = run(&sandbox, "trace", arguments);
        for line in
            ["configuration read", "run started", "visit started", "command started program=Some(\"sh\")"]
        {
            assert!(ran.stderr.contains(line), "{arguments:?}: {}", ran.stderr);
        }
        assert!(!ran.stderr.contains(SECRET) && !ran.stdout.contains(SECRET), "{}", ran.stderr);
    }
}

#[test]
fn the_variable_chooses_levels_and_crates() {
    let sandbox =
        Sandbox::with("log \"said\" { message = \"x\" }\nparam \"token\" {}\nparam \"folder\" {}\n");
    let check = |log: &str, expected: [bool; 3]| {
        let stderr = run(&sandbox, log, &["plan"]).stderr;
        let lines = ["run started", "visit started", "configuration read"];
        assert_eq!(lines.map(|line| stderr.contains(line)), expected, "{log}: {stderr}");
    };
    check("", [false; 3]);
    check("error", [false; 3]);
    check("info", [true, false, true]);
    check("debug", [true; 3]);
    check("uphold_engine=debug", [true, true, false]);
    check("uphold_engine=debug,uphold=info", [true; 3]);
}

#[test]
fn an_invalid_value_is_refused() {
    let ran = run(&Sandbox::with(SITE), "uphold=loud", &["plan"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("UPHOLD_LOG=uphold=loud is invalid"), "{}", ran.stderr);
}
