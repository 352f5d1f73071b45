//! Files that come with a package whose name does not show it.

use uphold_engine::Mode::{Apply, Plan};
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Command, Error, ErrorKind, Found, Look, NewFile,
    Resource, Result, Step, Want,
};

use super::check::SharedHost;
use super::reading::run;

/// Creates a file by a command, and claims it only if `names` is set.
#[derive(Resource)]
#[resource(kind = "pack", claims)]
pub(crate) struct Pack {
    #[name]
    name: String,
    #[default("/d/brought")]
    makes: String,
    #[default(false)]
    names: bool,
    #[enforce(true)]
    installed: Want<bool>,
}

impl Claiming for Pack {
    fn add_claims(&self, claims: &mut Claims) {
        claims.brings_more = true;
        if self.names {
            claims.provide(Claim::Path(self.makes.as_str().into()));
        }
    }
}

impl Resource for Pack {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let mark = format!("/d/{}.installed", self.name);
        let installed = look.files().look(mark.as_ref())?.is_some();
        Ok(Found::This(PackState { installed }))
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let script = format!("printf x > {}; printf x > /d/{}.installed", self.makes, self.name);
        host.run(&Command::shell(&script)).map(drop)
    }
}

/// Edits an existing file.
#[derive(Resource)]
#[resource(kind = "part")]
pub(crate) struct Part {
    #[name]
    name: String,
    #[required]
    file: AbsolutePath,
    #[enforce(true)]
    found: Want<bool>,
}

impl Resource for Part {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        match look.files().look(&self.file)? {
            Some(_) => Ok(Found::This(PartState { found: true })),
            None => Err(Error::new(ErrorKind::Missing, format!("{} does not exist", self.file))),
        }
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

/// Edits a file, and creates it if no package brings it.
#[derive(Resource)]
#[resource(kind = "bit", claims)]
pub(crate) struct Bit {
    #[name]
    name: String,
    #[required]
    file: AbsolutePath,
    #[enforce(true)]
    found: Want<bool>,
}

impl Claiming for Bit {
    fn add_claims(&self, claims: &mut Claims) {
        claims.edit(Claim::Path(self.file.to_path_buf()));
        claims.creates_edited = true;
    }
}

impl Resource for Bit {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.file)?.map(|_| BitState { found: true }).into())
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        host.edits().write(&self.file, &NewFile::new(b"mine", Access::default()))
    }
}

#[test]
fn a_file_that_an_edit_would_create_is_left_to_the_packages() {
    let text = "bit \"a\" { file = \"/d/brought\" }\npack \"b\" {}\n";
    for jobs in [1, 4] {
        let host = SharedHost::new();
        let transcript = run(&host, Apply, jobs, text);
        assert!(
            transcript.contains("= bit.a") && transcript.contains("1 ok, 1 changed, 0 failed"),
            "{transcript}"
        );
        assert_eq!(host.text("/d/brought").as_deref(), Some("x"));
    }
}

#[test]
fn a_file_that_no_package_brings_is_created() {
    let text = "bit \"a\" { file = \"/d/mine\" }\npack \"b\" {}\n";
    let host = SharedHost::new();
    let transcript = run(&host, Apply, 1, text);
    assert!(transcript.contains("2 changed, 0 failed"), "{transcript}");
    assert_eq!(host.text("/d/mine").as_deref(), Some("mine"));
    let needed = "bit \"a\" { file = \"/d/mine\" }\npack \"b\" {\n  depends_on = [bit.a]\n}\n";
    let transcript = run(&SharedHost::new(), Apply, 1, needed);
    assert!(transcript.contains("2 changed, 0 failed"), "{transcript}");
}

#[test]
fn a_plan_does_not_predict_a_file_that_a_package_may_bring() {
    let text = "bit \"a\" { file = \"/d/brought\" }\npack \"b\" {}\n";
    let host = SharedHost::new();
    let transcript = run(&host, Plan, 1, text);
    assert!(transcript.contains("? bit.a waits for pack.b"), "{transcript}");
    let alone = run(&host, Plan, 1, "bit \"a\" { file = \"/d/brought\" }\n");
    assert!(alone.contains("+ bit.a"), "{alone}");
}

const BOTH: &str = "part \"a\" { file = \"/d/brought\" }\npack \"b\" {}\n";

#[test]
fn a_missing_file_is_loaded_again_after_the_packages() {
    let transcript = run(&SharedHost::new(), Apply, 1, BOTH);
    assert!(
        transcript.contains("= part.a") && transcript.contains("1 ok, 1 changed, 0 failed"),
        "{transcript}"
    );
    let nowhere = BOTH.replace("\"/d/brought\" }", "\"/d/nowhere\" }");
    let transcript = run(&SharedHost::new(), Apply, 1, &nowhere);
    assert!(
        transcript.contains("x part.a /d/nowhere does not exist") && transcript.contains("1 failed"),
        "{transcript}"
    );
}

#[test]
fn a_plan_shows_that_a_package_may_bring_the_file() {
    let host = SharedHost::new();
    let transcript = run(&host, Plan, 1, BOTH);
    assert!(transcript.contains("? part.a waits for pack.b"), "{transcript}");
    run(&host, Apply, 1, BOTH);
    let nowhere = BOTH.replace("\"/d/brought\" }", "\"/d/nowhere\" }");
    let transcript = run(&host, Plan, 1, &nowhere);
    assert!(transcript.contains("x part.a /d/nowhere does not exist"), "{transcript}");
}

/// There is no edge, so a dependency cannot contradict it.
#[test]
fn a_package_that_depends_on_the_missing_file_is_not_waited_for() {
    let text = "part \"a\" { file = \"/d/brought\" }\npack \"b\" {\n  depends_on = [part.a]\n}\n";
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    assert!(transcript.contains("x part.a") && transcript.contains("1 failed, 1 skipped"), "{transcript}");
}

const REMOVED: &str = "note \"/d/brought\" { action = \"remove\" }\n";

#[test]
fn a_file_that_a_package_brings_is_removed_in_the_same_run() {
    for named in ["", "names = true"] {
        let host = SharedHost::new();
        let text = format!("{REMOVED}pack \"b\" {{\n{named}\n}}\n");
        let transcript = run(&host, Apply, 1, &text);
        assert!(transcript.contains("2 changed, 0 failed"), "{transcript}");
        assert_eq!(host.text("/d/brought"), None);
    }
}

#[test]
fn a_plan_shows_the_removal_of_a_file_that_a_package_claims() {
    let text = format!("{REMOVED}pack \"b\" {{\n  names = true\n}}\n");
    let transcript = run(&SharedHost::new(), Plan, 1, &text);
    assert!(transcript.contains("? note[\"/d/brought\"] waits for pack.b"), "{transcript}");
}
