//! From a text to a run, as programs use it.

use std::time::Duration;

use uphold::{Configuration, Control, Engine, Error, ErrorKind, Rejected, WatchRequest};
use uphold_memory::MemoryHost;

fn checked(machine: &MemoryHost, text: &str) -> Result<uphold::Checked, Rejected> {
    let engine = Engine::on(machine.machine()).build();
    Configuration::from_text(&engine, "site.hcl", text).expect("there is a directory").check()
}

#[test]
fn facts_kinds_and_changes_are_of_one_machine() {
    let machine = MemoryHost::new().fact("hostname", "web1");
    let site = checked(&machine, "file \"/name\" { content = host.hostname }\n").expect("it is valid");
    assert_eq!(site.plan(&mut |_| {}).expect("it can be planned").created, 1);
    assert_eq!(machine.machine().files.look(std::path::Path::new("/name")).expect("it can be read"), None);
    assert_eq!(site.apply(&mut |_| {}).expect("it can be applied").created, 1);
    assert_eq!(machine.machine().files.read(std::path::Path::new("/name"), 4).expect("a file"), b"web1");
}

#[test]
fn errors_of_reading_and_of_checking_are_shown_together_with_excerpts() {
    let text = "file \"/a\" {\n  content = local.nothing\n}\nfile \"/b\" {\n  contents = \"x\"\n}\n";
    let rejected = checked(&MemoryHost::new(), text).err().expect("it is not valid");
    let shown = "\
error[E0203]: unknown local
 --> site.hcl:2:13
  |
2 |   content = local.nothing
  |             ^^^^^^^^^^^^^ there is no local `nothing`
  |
  = help: set it: `locals { nothing = … }`

error[E0402]: unknown property
 --> site.hcl:5:3
  |
5 |   contents = \"x\"
  |   ^^^^^^^^ file[\"/b\"]: `contents` = \"x\" is not a property of `file`
  |
  = help: did you mean `content`?";
    assert_eq!(rejected.to_string(), shown);
    assert_eq!(format!("{rejected:?}"), shown);
    assert_eq!(rejected.diagnostics.iter().count(), 2);
    let error = Error::from(rejected);
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().starts_with("site.hcl:2:13: "), "{error}");
}

#[test]
fn a_failed_run_is_an_error_that_names_the_resource() {
    let site = checked(&MemoryHost::new(), "file \"/missing/a\" {}\n").expect("it is valid");
    let error = site.apply(&mut |_| {}).expect_err("there is no directory");
    assert!(error.chain().starts_with("file[\"/missing/a\"]: "), "{}", error.chain());
    assert_eq!(site.run(uphold::Mode::Apply, &mut |_| {}).failed, 1);
}

#[test]
fn a_checked_configuration_can_be_watched() {
    let machine = MemoryHost::new();
    let site = checked(&machine, "file \"/a\" { content = \"x\" }\n").expect("it is valid");
    let request = WatchRequest { until_converged: Some(Duration::ZERO), ..WatchRequest::default() };
    let summary = site.watch(&request, &Control::default(), &mut |_| {}).expect("it can be watched");
    assert_eq!((summary.created, summary.failed), (1, 0));
}
