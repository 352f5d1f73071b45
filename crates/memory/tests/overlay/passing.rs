//! Operations that an overlay passes on, and those that it refuses.

use std::path::Path;
use std::time::Duration;

use uphold_memory::{MemoryHost, Overlay};
use uphold_resource::{
    Access, Command, Commands, Context, Error, ErrorKind, FileEdits, Files, Flow, Level, Look, NewFile,
    Place, Property, Request, Url, Value,
};

#[test]
fn does_not_run_commands() {
    let host = MemoryHost::new();
    let overlay = host.act().overlay();
    let error = overlay.act().run(&Command::shell("touch /x")).expect_err("it is unpredictable");
    assert_eq!(error.kind(), ErrorKind::Unpredictable);
    assert_eq!(error.to_string(), "the effects of /bin/sh cannot be predicted");
    assert!(host.writes().is_empty());
}

#[test]
fn does_not_send_requests() {
    let host = MemoryHost::new().page("https://example.org/a", "text");
    let overlay = host.act().overlay();
    let url = Url::from_value(&Value::text("https://ada:secret@example.org/a?b"), &Context::NOTHING);
    let request = Request::new("GET", url.expect("a URL"));
    let error = overlay.act().send(&request, &mut |_, _| Ok(Flow::More)).expect_err("it is unpredictable");
    assert_eq!(error.kind(), ErrorKind::Unpredictable);
    assert_eq!(error.to_string(), "the response of https://example.org/a cannot be predicted");
    assert!(host.writes().is_empty());
}

#[test]
fn stores_received_files_within_a_limit() {
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
fn does_not_verify_new_files() {
    let host = MemoryHost::new();
    let overlay = host.act().overlay();
    let verify = |_: &Path| -> Result<(), Error> { panic!("the file does not really exist") };
    let file = NewFile { verify: Some(&verify), ..NewFile::new(b"x", Access::default()) };
    overlay.edits.write(Path::new("/x"), &file).expect("it is not verified");
    assert_eq!(overlay.files.read(Path::new("/x"), 0).expect("it exists"), b"x");
}

#[test]
fn passes_everything_else_to_the_base() {
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
    let look = Look::to_read(&trial);
    assert!(look.needs("content") && !look.needs("mode"));
    assert!(trial.manages(Path::new("/m")) && !trial.manages(Path::new("/n")));
    trial.report(Level::Info, "hello");
    trial.report(Level::Warning, "look");
    assert_eq!(host.said(), [(Level::Warning, "look".to_owned())], "of a trial only warnings are reported");
    overlay.edits.make_directory(Path::new("/d"), &Access::default()).expect("there is room");
    let made = overlay.files.look(Path::new("/d")).expect("it can be read").expect("it exists");
    assert_eq!((made.mode, made.uid, made.gid), (0o700, 1000, 1000));
}

#[test]
fn passes_on_errors_of_the_base() {
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
