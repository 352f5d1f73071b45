//! A watch does not show paths that come from a secret as the reason of a visit.

use super::session::{Sandbox, Session};

const SECRET: &str = "hunter2SECRETxyz";

const SITE: &str = "param \"s\" {\n  sensitive = true\n}\n\
    task \"t\" {\n  creates = \"FOLDER/a-${param.s}\"\n  apply   = \"touch $PLACE\"\n\
    \x20 env     = { PLACE = \"FOLDER/a-${param.s}\" }\n}\n\
    line \"l\" {\n  file = \"FOLDER/b-${param.s}\"\n  line = \"x\"\n}\n";

/// Starts a watch, causes drift at two paths, and returns everything that was printed.
fn printed(arguments: &[&str], [first, task, line]: [&str; 3]) -> String {
    let sandbox = Sandbox::with("");
    let folder = sandbox.path("").display().to_string();
    sandbox.write("site.hcl", &SITE.replace("FOLDER", folder.trim_end_matches('/')));
    sandbox.write(&format!("b-{SECRET}"), "");
    let mut command = sandbox.command(arguments);
    command.env("UPHOLD_PARAM_S", SECRET);
    let mut session = Session::start(command);
    session.await_line(first);
    std::fs::remove_file(sandbox.path(&format!("a-{SECRET}"))).expect("the task created it");
    session.await_line(task);
    sandbox.write(&format!("b-{SECRET}"), "drift\n");
    session.await_line(line);
    session.printed.join("\n")
}

#[test]
fn a_wake_by_a_path_from_a_secret_is_hidden() {
    let text = printed(&[], ["watching ", "ran task.t", "repaired line.l"]);
    assert!(!text.contains(SECRET), "{text}");
    assert_eq!(text.matches("because (sensitive value) changed").count(), 2, "{text}");
    let text = printed(&["--json"], ["\"type\":\"watching\"", "task.t: ran", "line.l: "]);
    assert!(!text.contains(SECRET), "{text}");
    assert!(text.contains("\"subject\":\"(sensitive value)\""), "{text}");
}
