//! What an overlay passes on, and what it refuses.

use std::path::Path;
use std::time::Duration;

use uphold_memory::{MemoryHost, Overlay};
use uphold_resource::{
    Access, Command, Commands, Context, Error, ErrorKind, FileEdits, Files, Flow, Level, NewFile, Place,
    Property, Request, Url, Value,
};

#[test]
fn commands_are_not_run() {
    let host = MemoryHost::new();
    let overlay = host.act().overlay();
    let error = overlay.act().run(&Command::shell("touch /x")).expect_err("it cannot be told");
    assert_eq!(error.kind(), ErrorKind::Unpredictable);
    assert_eq!(error.to_string(), "only running /bin/sh can tell what it does");
    assert!(host.writes().is_empty());
}

#[test]
fn requests_are_not_sent() {
    let host = MemoryHost::new().page("https://example.org/a", "text");
    let overlay = host.act().overlay();
    let url = Url::from_value(&Value::text("https://ada:secret@example.org/a?b"), &Context::NOTHING);
    let request = Request::new("GET", url.expect("a URL"));
    let error = overlay.act().send(&request, &mut |_, _| Ok(Flow::More)).expect_err("it cannot be told");
    assert_eq!(error.kind(), ErrorKind::Unpredictable);
    assert_eq!(error.to_string(), "only asking https://example.org/a can tell what it answers");
    assert!(host.writes().is_empty());
}

#[test]
fn what_comes_piece_by_piece_is_held_as_far_as_there_is_room() {
    let host = MemoryHost::new().file("/below", "below", 0o600);
    let overlay = host.act().overlay();
    let path = Path::new("/large");
    let mut receiver = overlay.edits.receive(path).expect("it can be received");
    receiver.append(b"some").expect("there is room");
    receiver.put(&Place::default()).expect("it is put");
    let read = |path: &str| {
        let mut text = String::new();
        let mut file = overlay.files.open(path.as_ref()).expect("it can be opened");
        std::io::Read::read_to_string(&mut file, &mut text).map(|_| text).expect("it is text")
    };
    assert_eq!((read("/large").as_str(), read("/below").as_str()), ("some", "below"));
    let mut receiver = overlay.edits.receive(path).expect("it can be received");
    let piece = vec![0; 64 * 1024 * 1024];
    let filled =
        (0..5).find_map(|_| receiver.append(&piece).err()).expect("there is not room for everything");
    assert_eq!(filled.kind(), ErrorKind::Unpredictable);
    assert!(host.writes().is_empty());
}

#[test]
fn the_check_of_a_new_file_is_not_called() {
    let host = MemoryHost::new();
    let overlay = host.act().overlay();
    let verify = |_: &Path| -> Result<(), Error> { panic!("there is nothing to look at") };
    let file =
        NewFile { content: b"x", access: Access::default(), verify: Some(&verify), replace_other: false };
    overlay.edits.write(Path::new("/x"), &file).expect("nobody refuses it");
    assert_eq!(overlay.files.read(Path::new("/x"), 0).expect("it is there"), b"x");
}

#[test]
fn all_else_is_the_machine_below() {
    let host = MemoryHost::new().user("app", 1000).running_as(1000).managing("/m").listening("db", 5432);
    let host = host.program("ask", |call| call.succeed("answer"));
    host.need_only(["content"]);
    let overlay = host.act().overlay();
    assert_eq!(overlay.accounts.user("app").ok().flatten().map(|user| user.uid), Some(1000));
    assert_eq!(overlay.facts.fact("user.uid").ok(), Some(Value::Int(1000)));
    assert_eq!(overlay.clock.now(), host.act().clock().now());
    let output = overlay.act().probe(&Command::new("ask", [""; 0])).expect("it can be run");
    assert_eq!(output.stdout, b"answer");
    assert_eq!(overlay.act().listens("db", 5432, Duration::ZERO).ok(), Some(true));
    assert_eq!(overlay.act().listens("db", 5433, Duration::ZERO).ok(), Some(false));
    let trial = host.act().trial(&overlay);
    assert!(trial.needs("content") && !trial.needs("mode"));
    assert!(trial.manages(Path::new("/m")) && !trial.manages(Path::new("/n")));
    trial.report(Level::Info, "hello");
    trial.report(Level::Warning, "look");
    assert_eq!(host.said(), [(Level::Warning, "look".to_owned())], "of a trial only warnings are reported");
    overlay.edits.make_directory(Path::new("/d"), &Access::default()).expect("there is room");
    let made = overlay.files.look(Path::new("/d")).expect("it can be looked at").expect("it is there");
    assert_eq!((made.mode, made.uid, made.gid), (0o700, 1000, 1000));
}

#[test]
fn what_cannot_be_looked_at_below_is_an_error_here() {
    let host = MemoryHost::new().link("/loop", "/loop").directory("/d", 0o755);
    let overlay = Overlay::new(host.machine(), 0, 0);
    let kind = |path: &str| overlay.look(Path::new(path)).map(drop).map_err(|error| error.kind());
    assert_eq!(kind("/loop"), Ok(()));
    assert_eq!(kind("/loop/x"), Err(ErrorKind::Failed));
    assert_eq!(kind("/d/x"), Ok(()));
    let command = Command::new("reboot", [""; 0]);
    assert!(overlay.run(&command).is_err());
    assert_eq!(overlay.remove_file(Path::new("/")).map_err(|error| error.kind()), Err(ErrorKind::Invalid));
}
