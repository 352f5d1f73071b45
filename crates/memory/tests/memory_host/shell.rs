//! Commands of the shell.

use std::path::Path;

use uphold_resource::{Command, Commands, ErrorKind, Exit, Files, Probes};

use super::{at, machine, refused};

#[track_caller]
fn check(script: &str, status: i32, stdout: &str) {
    let host = machine().program("app", |call| call.succeed(format!("app {}", call.command.args.join(" "))));
    let mut command = Command::shell(script);
    command.env.insert("NAME".to_owned(), "a  b".to_owned());
    let output = host.probe(&command).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.exit, Exit::Code(status), "{script}: {stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{script}: {stderr}");
}

#[test]
fn runs_operators_and_quotes() {
    check("", 0, "");
    check("true && echo a || echo b; echo c\necho d", 0, "a\nc\nd\n");
    check("false && echo a || echo b", 0, "b\n");
    check("true &&\n echo a # not this", 0, "a\n");
    check("! false && ! true || echo a", 0, "a\n");
    check("exit 3; echo a", 3, "");
    check("! exit 3", 3, "");
    check("false; echo $?", 0, "1\n");
    check(r#"echo "$NAME" '$NAME' ${NAME}x \$NAME $NONE "" end"#, 0, "a  b $NAME a  bx $NAME  end\n");
    check(r#"printf '%s=%d\n' a 1 b 2"#, 0, "a=1\nb=2\n");
    check("echo -n a; printf 'b%%'", 0, "ab%");
    check("app one 'two three'", 0, "app one two three");
}

#[test]
fn tests_and_changes_files() {
    check("test -f /etc/motd && test -e /etc/link && test -d /etc && test -f /etc/link", 0, "");
    check("test -x /etc/motd", 1, "");
    check("test ! -e /missing && [ -L /etc/link ] && [ -s /etc/motd ]", 0, "");
    check("test -z '' && test -n a && test a = a && test a != b", 0, "");
    check("touch /a && test -f /a && rm -f /a /b && test -e /a", 1, "");
    check("rm /missing", 1, "");
    check("mkdir -p /a/b/c /a/b && test -d /a/b/c", 0, "");
    check("mkdir /a/b", 1, "");
    check("echo a > /a; echo b >> /a; cat /a /etc/link", 0, "a\nb\nhello");
    check("echo a > /missing/a", 1, "");
    check("nothing > /dev/null 2>&1 || echo a", 0, "a\n");
    check("nothing 2>/err; cat /err", 0, "sh: nothing: not found\n");
    check("rm -rf /etc && test -d /etc", 1, "");
}

#[test]
fn an_unknown_construct_exits_with_127() {
    for script in ["nothing", "echo a | cat", "echo $(true)", "sleep 1 &", "echo 'a", "echo a &&", "cat < /x"]
    {
        check(script, 127, "");
    }
}

#[test]
fn reads_a_script_from_an_argument_input_or_file() {
    let host = machine().file("/script", "echo file", 0o755);
    let check = |args: &[&str], stdin: &str, expected: &str| {
        let mut command = Command::new("/bin/sh", args.iter().copied());
        command.stdin = Some(stdin.as_bytes().to_vec());
        assert_eq!(String::from_utf8_lossy(&host.probe(&command).unwrap().stdout), expected, "{args:?}");
    };
    check(&["-c", "cat"], "input", "input");
    check(&["-ec", "false; echo a"], "", "");
    check(&["-e", "-c", "false || echo a"], "", "a\n");
    check(&[], "echo input", "input\n");
    check(&["-s"], "echo input", "input\n");
    check(&["/script"], "", "file\n");
}

#[test]
fn a_command_has_a_directory_and_an_owner() {
    let host = machine();
    let mut command = Command::shell("echo x > new; mkdir dir; cat motd");
    command.dir = Some("/etc".into());
    command.run_as = Some((1000, 7));
    assert_eq!(host.run(&command).unwrap().stdout, b"hello");
    assert_eq!(at(&host, "/etc/new"), "a regular file 0644 1000:7 \"x\\n\"");
    assert_eq!(at(&host, "/etc/dir"), "a directory 0755 1000:7");
    command.dir = Some("/missing".into());
    refused(host.run(&command), ErrorKind::Missing);
    refused(host.run(&Command::new("/bin/missing", ["x"])), ErrorKind::Missing);
}

#[test]
fn a_program_is_found_by_path_before_name_and_may_use_the_machine() {
    let host = machine()
        .program("apt", |call| {
            call.host.tamper("/etc/installed", call.command.args.join(" "));
            call.succeed("done")
        })
        .program("/opt/apt", |call| call.fail(3, "broken"))
        .program("sh", |call| call.succeed("mine"));
    assert_eq!(host.run(&Command::new("/usr/bin/apt", ["install", "x"])).unwrap().stdout, b"done");
    assert_eq!(host.read(Path::new("/etc/installed"), 0).unwrap(), b"install x");
    assert_eq!(host.run(&Command::new("/opt/apt", ["x"])).unwrap().exit, Exit::Code(3));
    assert_eq!(host.run(&Command::shell("true")).unwrap().stdout, b"mine");
}

#[test]
fn a_shell_writes_through_a_link_in_place() {
    let host = machine();
    host.run(&Command::shell("echo more >> /etc/link")).unwrap();
    assert_eq!(at(&host, "/etc/link"), "a symbolic link 0777 0:0 -> motd");
    assert_eq!(host.read(Path::new("/etc/issue"), 0).unwrap(), b"hellomore\n");
}
