//! Kinds for the simulation, on a machine in memory.

use uphold_resource::{
    AbsolutePath, Access, Act, Batch, Command, Error, FileEdits, Files, Found, Look, NewFile, Reading,
    Resource, Result, Seen, Step, Verbs, Want,
};

/// A file; `how` selects how it is written.
#[derive(Resource)]
#[resource(
    kind = "note",
    verbs(
        stamp = "Write a stamp.",
        ring = "Run a command.",
        mend = "Write it by a command.",
        slip = "Fail."
    )
)]
pub(crate) struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    #[one_of("plain", "deed", "load", "apply", "lie")]
    #[default("plain")]
    how: String,
    /// Until this second of the run it is not ready; an action fails.
    #[default(0)]
    ready: u64,
    length: Seen<u64>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let _visit = Visit::begin(&self.path, look)?;
        if self.how == "load" {
            return Err(Error::failed("cannot look"));
        }
        let left = self.ready.saturating_sub(look.clock().elapsed().as_secs());
        if self.how == "plain" && left > 0 {
            return Err(Error::not_yet("its time", std::time::Duration::from_secs(1)));
        }
        let text = read(&self.path, look)?;
        Ok(text.map(|text| NoteState { length: text.len() as u64, text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let _visit = Visit::begin(&self.path, host)?;
        let goal = match step {
            Step::Create { goal } | Step::Update { goal, .. } => goal,
            Step::Remove { .. } => return host.edits().remove_file(&self.path),
        };
        match self.how.as_str() {
            "apply" => Err(Error::failed("cannot change")),
            "lie" => Ok(()),
            "deed" => run(host, "deed", [self.path.to_string(), goal.text.clone(), self.ready.to_string()]),
            _ => write(&self.path, &goal.text, host.edits()),
        }
    }
}

impl Verbs for Note {
    type Verb = NoteVerb;

    fn run(&self, verb: NoteVerb, host: &Act<'_>) -> Result<()> {
        let _visit = Visit::begin(&self.path, host)?;
        match verb {
            NoteVerb::Stamp => append(&format!("{}.stamp", self.path), host.files(), host.edits()),
            NoteVerb::Ring => run(host, "ring", [format!("{}.ring", self.path)]),
            NoteVerb::Mend => {
                let text = self.text.get().cloned().unwrap_or_default();
                run(host, "deed", [self.path.to_string(), text, "0".to_owned()])
            }
            NoteVerb::Slip => Err(Error::failed("it slips")),
        }
    }
}

/// A directory.
#[derive(Resource)]
#[resource(kind = "folder")]
pub(crate) struct Folder {
    #[name]
    path: AbsolutePath,
}

impl Resource for Folder {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let _visit = Visit::begin(&self.path, look)?;
        Ok(look.files().look(&self.path)?.map(|_| FolderState {}).into())
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let _visit = Visit::begin(&self.path, host)?;
        host.edits().make_directory(&self.path, &Access { mode: Some(0o755), ..Access::default() })
    }
}

/// Files that are written in a batch.
#[derive(Resource)]
#[resource(kind = "pack", batch)]
pub(crate) struct Pack {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    #[one_of("plain", "apply")]
    #[default("plain")]
    how: String,
    length: Seen<u64>,
}

impl Resource for Pack {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let _visit = Visit::begin(&self.path, look)?;
        let text = read(&self.path, look)?;
        Ok(text.map(|text| PackState { length: text.len() as u64, text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let _visit = Visit::begin(&self.path, host)?;
        match step {
            Step::Remove { .. } => host.edits().remove_file(&self.path),
            _ if self.how == "apply" => Err(Error::failed("cannot change")),
            Step::Create { goal } | Step::Update { goal, .. } => write(&self.path, &goal.text, host.edits()),
        }
    }
}

impl Batch for Pack {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(pack, step)| pack.apply(*step, host)).collect()
    }
}

/// Reports to the stage that work on a path begins or ends, through a method that the kinds do not use otherwise.
struct Visit<'a> {
    path: &'a AbsolutePath,
    host: &'a Reading<'a>,
}

impl<'a> Visit<'a> {
    fn begin(path: &'a AbsolutePath, host: &'a Reading<'a>) -> Result<Self> {
        host.accounts().user(&format!("+{path}"))?;
        Ok(Self { path, host })
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        // The answer is that there is no such user.
        let _ = self.host.accounts().user(&format!("-{}", self.path));
    }
}

fn read(path: &AbsolutePath, host: &Reading<'_>) -> Result<Option<String>> {
    let Some(entry) = host.files().look(path)? else { return Ok(None) };
    let content = host.files().read(path, entry.size)?;
    Ok(Some(String::from_utf8_lossy(&content).into_owned()))
}

pub(crate) fn write(path: impl AsRef<std::path::Path>, text: &str, edits: &dyn FileEdits) -> Result<()> {
    let access = Access { mode: Some(0o644), ..Access::default() };
    let file = NewFile::new(text.as_bytes(), access);
    edits.write(path.as_ref(), &file)
}

/// Appends one letter, so that runs can be counted.
pub(crate) fn append(path: &str, files: &dyn Files, edits: &dyn FileEdits) -> Result<()> {
    let old = match files.look(path.as_ref())? {
        Some(entry) => files.read(path.as_ref(), entry.size)?,
        None => Vec::new(),
    };
    write(path, &format!("{}x", String::from_utf8_lossy(&old)), edits)
}

fn run(host: &Act<'_>, program: &str, arguments: impl IntoIterator<Item = String>) -> Result<()> {
    let output = host.run(&Command::new(program, arguments))?;
    if output.success() { Ok(()) } else { Err(Error::failed("the command failed")) }
}
