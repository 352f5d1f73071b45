//! The custom resource of `docs/from-chef.md`, in Rust.

#[expect(unreachable_pub, reason = "the guide shows what a library would write")]
mod note;

use note::Note;

uphold_testkit::laws! {
    Note,
    world: |host| host.directory("/etc", 0o755),
    wishes: [
        { "/etc/motd", content = "hello" },
        { "/etc/motd", content = "bye" },
    ],
}
