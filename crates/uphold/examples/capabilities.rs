//! Verbs, claims, interests and batch: opted into, and then demanded by the compiler.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::Duration;

use uphold::resource::{
    AbsolutePath, Access, Act, Batch, Claim, Claiming, Claims, Interest, Level, Reading, Resource, Result,
    Step, Verbs, Want, Watching,
};
use uphold::{Configuration, Engine, EventKind, Keep, LocalHost, Mode};

/// A mailbox: a folder that belongs to somebody.
#[derive(Resource)]
#[resource(kind = "mailbox", verbs(ring = "Tell that there is mail."), claims, interests, batch)]
struct Mailbox {
    /// Where it stands.
    #[name]
    path: AbsolutePath,
    /// Whether the flag is up.
    #[on_create(false)]
    flag: Want<bool>,
}

impl Mailbox {
    fn flag_path(&self) -> std::path::PathBuf {
        self.path.join("flag")
    }
}

impl Resource for Mailbox {
    fn load(&self, host: &Reading<'_>) -> Result<Option<MailboxState>> {
        if host.files().look(&self.path)?.is_none() {
            return Ok(None);
        }
        Ok(Some(MailboxState { flag: host.files().look(&self.flag_path())?.is_some() }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let access = Access { mode: Some(0o755), ..Access::default() };
        let flag = match step {
            Step::Remove { .. } => return host.edits().remove_tree(&self.path),
            Step::Create { goal } => {
                host.edits().make_directory(&self.path, &access)?;
                goal.flag
            }
            Step::Update { goal, .. } => goal.flag,
        };
        if flag {
            host.edits().make_directory(&self.flag_path(), &access)
        } else {
            host.edits().remove_tree(&self.flag_path())
        }
    }
}

impl Verbs for Mailbox {
    type Verb = MailboxVerb;

    fn run(&self, verb: MailboxVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            MailboxVerb::Ring => host.report(Level::Info, "you have mail"),
        }
        Ok(())
    }
}

impl Claiming for Mailbox {
    fn add_claims(&self, claims: &mut Claims) {
        claims.provide(Claim::Other("address", self.path.to_string_lossy().into()));
    }
}

impl Watching for Mailbox {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Tree(self.path.to_path_buf()));
        interests.push(Interest::Interval(Duration::from_secs(60)));
    }
}

impl Batch for Mailbox {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(mailbox, step)| mailbox.apply(*step, host)).collect()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::builder().host(LocalHost::rooted(root.path())?).kind::<Mailbox>()?.build();
    let text = "mailbox \"/box\" {\n  flag   = true\n  action = [\"converge\", \"ring\"]\n}\n";
    let configuration = Configuration::from_texts([("box.hcl".to_owned(), text.to_owned())])?;
    let (program, diagnostics) = engine.check(configuration.statements, Keep::All);
    let program = program.ok_or_else(|| format!("{diagnostics:?}"))?;
    let mut said = String::new();
    let summary = engine.run(&program, Mode::Apply, &mut |event| {
        if let EventKind::Message { text, .. } = &event.kind {
            said.clone_from(text);
        }
    });
    println!("{} created, {} ran: {said}", summary.created, summary.ran);
    assert_eq!((summary.created, summary.ran, said.as_str()), (1, 1, "you have mail"));
    Ok(())
}
