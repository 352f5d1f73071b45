//! Kinds for the tests.

use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Command, Error, Found, Level, Look, NewFile, Ref,
    Resource, Result, Seen, Sensitive, Step, Verbs, Want,
};

/// A note on disk.
#[derive(Resource)]
#[resource(kind = "note", verbs(shout = "Say it loudly."))]
pub(crate) struct Note {
    #[name]
    pub(crate) path: AbsolutePath,
    #[required]
    text: Want<String>,
    beside: Option<AbsolutePath>,
    after: Option<Ref<Note>>,
    #[default(1)]
    copies: u8,
    /// Written by a command, so that a plan cannot predict the result.
    #[default(false)]
    by_command: bool,
    secret: Want<Option<Sensitive<String>>>,
    length: Seen<u64>,
    size: Seen<Size>,
}

/// How large it is.
#[derive(Clone, Debug, PartialEq, uphold_resource::Property)]
pub(crate) struct Size {
    #[required]
    words: u32,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let text = String::from_utf8_lossy(&look.files().read(&self.path, entry.size)?).into_owned();
        let secret = self.secret.get().cloned().flatten();
        let size = Size { words: u32::try_from(text.split(' ').count()).unwrap_or(u32::MAX) };
        Ok(Found::This(NoteState { length: text.len() as u64, text, secret, size }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                let access = Access { mode: Some(0o644), ..Access::default() };
                let content = goal.text.as_bytes();
                if self.by_command {
                    let script = format!("printf %s '{}' > {}", goal.text, self.path);
                    return host.run(&Command::new("/bin/sh", ["-c", &script])).map(drop);
                }
                host.edits().write(&self.path, &NewFile::new(content, access))
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

impl Verbs for Note {
    type Verb = NoteVerb;

    fn run(&self, verb: NoteVerb, host: &Act<'_>) -> Result<()> {
        let NoteVerb::Shout = verb;
        host.report(Level::Info, &format!("{}!", self.path));
        Ok(())
    }
}

/// A folder on disk.
#[derive(Resource)]
#[resource(kind = "folder")]
pub(crate) struct Folder {
    #[name]
    path: AbsolutePath,
}

impl Resource for Folder {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.path)?.map(|_| FolderState {}).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Remove { .. } => host.edits().remove_directory(&self.path),
            _ => host.edits().make_directory(&self.path, &Access { mode: Some(0o755), ..Access::default() }),
        }
    }
}

/// Misbehaves as requested.
#[derive(Resource)]
#[resource(kind = "bad", permanent, claims)]
pub(crate) struct Bad {
    #[name]
    name: String,
    #[one_of("load", "apply", "command", "lie", "panic")]
    #[default("load")]
    how: String,
    #[enforce(true)]
    good: Want<bool>,
}

impl Resource for Bad {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        match self.how.as_str() {
            "load" => Err(Error::failed("cannot look").because("it is dark").hint("switch on the light")),
            "panic" => panic!("boo"),
            _ => Ok(Found::This(BadState { good: false })),
        }
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match self.how.as_str() {
            "lie" => Ok(()),
            "command" => host.run(&Command::new("/bin/sh", ["-c", "true"])).map(drop),
            _ => Err(Error::failed("cannot change")),
        }
    }
}

impl Claiming for Bad {
    fn add_claims(&self, claims: &mut Claims) {
        claims.provide(Claim::User(self.name.as_str().into()));
    }
}

/// Needs a user.
#[derive(Resource)]
#[resource(kind = "owned", permanent, claims)]
pub(crate) struct Owned {
    #[name]
    name: String,
    by: Want<uphold_resource::UserName>,
}

impl Claiming for Owned {
    fn add_claims(&self, claims: &mut Claims) {
        claims.edit(Claim::Other("book", "one".into()));
    }
}

impl Resource for Owned {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let by = self.by.get().cloned().unwrap_or_else(|| uphold_resource::UserName::numbered(0));
        by.id(look)?;
        let managed = ["/d/1", "/d/2", "/d/3", "/d/4", "/d/5", "/d"]
            .into_iter()
            .filter(|path| look.manages(path.as_ref()));
        look.report(Level::Debug, &format!("managed: {}", managed.collect::<Vec<_>>().join(" ")));
        Ok(Found::This(OwnedState { by }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}
