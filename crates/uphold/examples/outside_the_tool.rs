//! Resources without a configuration: read the current state, and apply one resource.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::builtin::File;
use uphold::prelude::*;
use uphold::resource::Mode;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("/etc/passwd has mode {}", File::read("/etc/passwd")?.mode);

    let folder = tempfile::tempdir()?;
    let path = folder.path().join("motd");
    let motd = File {
        content: Want::of("welcome\n"),
        mode: Want::of(Mode::new(0o600)),
        ..File::named(&path.to_string_lossy())?
    };
    let first = uphold::converge(&motd)?;
    let second = uphold::converge(&motd)?;
    println!("{} changed, then {} changed", first.changed, second.changed);
    assert_eq!((first.changed, second.changed), (1, 0));

    let missing = File::read(&folder.path().join("missing").to_string_lossy()).err();
    println!("{}", missing.map(|error| error.chain()).unwrap_or_default());
    Ok(())
}
