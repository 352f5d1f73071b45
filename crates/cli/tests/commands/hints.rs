//! Messages that name the cause and give a hint.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::process::Command;

use super::confirmation::terminal;
use super::sandbox::Sandbox;

/// Only root can run a command as another user.
#[test]
fn a_permission_error_names_the_user_and_the_path() {
    let sandbox = Sandbox::with("file \"/etc/uphold-test\" {}\n");
    let mut command = sandbox.command(&["apply", "--jobs", "1"]);
    if fs::metadata(sandbox.path("")).expect("a folder").uid() == 0 {
        chown(sandbox.path(""), Some(65_534), Some(65_534)).expect("root may do so");
        command.uid(65_534).gid(65_534);
    }
    let ran = sandbox.ran(&command.output().expect("the command starts"));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stderr.contains("\n  hint: Uphold runs as "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(": give that user access to /etc/uphold-test, or run Uphold as root\n"),
        "{}",
        ran.stderr
    );
}

/// The path on the machine may well exist; only the one below the root is missing.
#[test]
fn messages_below_a_root_name_its_path() {
    let check = |configuration: &str, expected: &str| {
        let sandbox = Sandbox::with(configuration);
        for command in ["plan", "apply"] {
            let ran = sandbox.rooted(&[command, "site.hcl"]);
            assert!(ran.stderr.starts_with(expected), "{command}: {}", ran.stderr);
        }
    };
    check(
        "file \"/etc/x\" { content = \"x\" }\n",
        "error: file[\"/etc/x\"]: /etc/x cannot be created: FOLDER/root/etc does not exist",
    );
    check(
        "file \"/x\" { source = \"/etc/passwd\" }\n",
        "error: file[\"/x\"]: the source /etc/passwd does not exist below the root directory FOLDER/root",
    );
    check(
        "line \"x\" {\n  file = \"/etc/passwd\"\n  line = \"y\"\n}\n",
        "error: line.x: FOLDER/root/etc/passwd does not exist",
    );
}

#[test]
fn a_service_in_an_image_is_not_started() {
    let sandbox = Sandbox::with(
        "param \"image\" { default = false }\nservice \"web\" {\n  enabled = true\n  \
         running = optional(param.image ? null : true)\n}\n",
    );
    let missing = sandbox.rooted(&["plan", "site.hcl"]).stderr;
    assert!(missing.contains("and none is installed (no systemctl, runsvdir or update-rc.d)"), "{missing}");
    assert!(missing.contains("hint: a root needs a complete system"), "{missing}");
    assert!(!missing.contains("provider"), "{missing}");
    let runit = sandbox.path("root/usr/bin");
    fs::create_dir_all(&runit).expect("a folder");
    fs::create_dir_all(sandbox.path("root/etc/service")).expect("a folder");
    fs::create_dir_all(sandbox.path("root/etc/sv/web")).expect("a folder");
    fs::write(runit.join("runsvdir"), "").expect("a file");
    let started = sandbox.rooted(&["plan", "site.hcl"]).stderr;
    assert!(started.contains("cannot start web.service: no init system is running here"), "{started}");
    assert!(started.contains("remove `running` in an image build"), "{started}");
    // Nothing is started, so the next question is whether it is enabled, which this root has no program to answer.
    let enabled = sandbox.rooted(&["plan", "site.hcl", "--param", "image=true"]).stderr;
    let expected = "error: service.web: cannot run sv: it does not exist in PATH inside the root directory FOLDER/root   \
                    (site.hcl:2:1)\n  hint: commands run inside the root directory and need their programs and a shell in \
                    it: install a system in FOLDER/root first\n";
    assert_eq!(enabled, expected);
}

const MANY: &str = "file \"many\" {
  for_each = toset([for number in range(302) : \"f${number}\"])
  path     = \"/missing/${each.key}\"
}
";

#[test]
fn equal_failures_of_one_block_are_counted() {
    let sandbox = Sandbox::with(MANY);
    let ran = sandbox.rooted(&["plan", "--report", "report.json"]);
    assert_eq!(ran.stderr.matches("\nerror: file.many[").count() + 1, 3, "{}", ran.stderr);
    let last = ran.stderr.lines().last().expect("a line");
    assert!(last.starts_with("error: 299 more of file.many failed in the same way: "), "{last}");
    assert!(last.ends_with("; -v and --report list them all"), "{last}");
    let verbose = sandbox.rooted(&["plan", "-v"]);
    assert_eq!(verbose.stderr.matches("error: file.many[").count(), 302);
    assert_eq!(sandbox.read("report.json").matches("\"verdict\": \"failed\"").count(), 302);
    let json = sandbox.rooted(&["plan", "--json"]);
    assert_eq!(json.stdout.matches("\"verdict\":\"failed\"").count(), 302);
}

#[test]
fn a_broken_kind_file_is_reported_before_unknown_kinds() {
    let sandbox = Sandbox::with("web_site \"a\" {}\n");
    fs::create_dir(sandbox.path("kinds")).expect("a folder");
    sandbox.write("kinds/sites.luau", "local x = = 3\n");
    let printed = sandbox.rooted(&["validate"]).stderr;
    let kind_file = printed.find("E0605").expect("the script is reported");
    assert!(printed.find("E0401").is_none_or(|unknown| kind_file < unknown), "{printed}");
}

/// The machine below `--root` has no host name.
#[test]
fn the_terminal_view_names_the_root() {
    let sandbox = Sandbox::with("file \"/a\" {}\n");
    let (mut output, screen) = terminal();
    let size = screen.try_clone().expect("a terminal");
    let sized = Command::new("stty").args(["rows", "24", "cols", "120"]).stdin(size).status();
    assert!(sized.is_ok_and(|status| status.success()));
    let arguments = ["watch", "--root", "root", "--max-runtime", "1s", "--socket", "none"];
    let mut command = sandbox.command(&arguments);
    command.env("TERM", "xterm").stdin(screen.try_clone().expect("a terminal"));
    command.stdout(screen.try_clone().expect("a terminal")).stderr(screen);
    let mut child = command.spawn().expect("the command starts");
    drop(command);
    let mut shown = Vec::new();
    // Reading fails when the command has closed its end.
    let _ = output.read_to_end(&mut shown);
    assert!(child.wait().expect("it ends").success());
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains(&*sandbox.path("root").to_string_lossy()), "{shown:?}");
    assert!(!shown.contains("null"), "{shown:?}");
}
