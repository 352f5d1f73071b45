//! Kinds whose work is done by commands of the machine, so that a test defines it in a closure.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Access, Act, Batch, Command, Error, ErrorKind, Exit, Found, Level, Look, NewFile, Output,
    Reading, Resource, Result, Step, Verbs, Want,
};

/// Runs one command to check whether it is done, and another one if it is not.
#[derive(Resource)]
#[resource(kind = "tool", permanent, verbs(run = "Run what makes it done, done or not."))]
pub(crate) struct Tool {
    #[name]
    name: String,
    /// Status 0: done; 1: not done; 75: not ready; any other is a failure.
    #[default("true")]
    check: String,
    #[default("true")]
    make: String,
    #[enforce(true)]
    done: Want<bool>,
}

impl Resource for Tool {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let output = look.probe(&shell(&self.check))?;
        match output.exit {
            Exit::Code(status @ (0 | 1)) => Ok(Found::This(ToolState { done: status == 0 })),
            _ => Err(failure(&output)),
        }
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.make(host)
    }
}

impl Verbs for Tool {
    type Verb = ToolVerb;

    fn run(&self, ToolVerb::Run: ToolVerb, host: &Act<'_>) -> Result<()> {
        self.make(host)
    }
}

impl Tool {
    fn make(&self, host: &Act<'_>) -> Result<()> {
        let output = host.run(&shell(&self.make))?;
        String::from_utf8_lossy(&output.stdout).lines().for_each(|line| host.report(Level::Info, line));
        if output.success() { Ok(()) } else { Err(failure(&output)) }
    }
}

fn shell(script: &str) -> Command {
    Command::new("/bin/sh", ["-c", script])
}

/// The kind of failure is the status.
fn failure(output: &Output) -> Error {
    let kind = match output.exit {
        Exit::Code(75) => return Error::not_yet("the tool", Duration::from_secs(2)),
        Exit::Code(3) => ErrorKind::Denied,
        Exit::Code(4) => ErrorKind::Invalid,
        Exit::TimedOut => ErrorKind::TimedOut,
        _ => ErrorKind::Failed,
    };
    Error::new(kind, format!("the tool says {}", kind.word()))
}

/// Files that one command, `pack`, writes together; it gets their paths.
#[derive(Resource)]
#[resource(kind = "parcel", batch)]
pub(crate) struct Parcel {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    /// A program that is called while loading: it takes its time.
    look: Option<String>,
}

impl Resource for Parcel {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if let Some(query) = &self.look {
            look.probe(&Command::new(query.as_str(), [""; 0]))?;
        }
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let text = String::from_utf8_lossy(&look.files().read(&self.path, entry.size)?).into_owned();
        Ok(Found::This(ParcelState { text }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.take(&step, host)
    }
}

impl Parcel {
    fn take(&self, step: &Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                let access = Access { mode: Some(0o644), ..Access::default() };
                let content = goal.text.as_bytes();
                host.edits().write(&self.path, &NewFile::new(content, access))
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

impl Batch for Parcel {
    /// One call of `pack` first; a member whose parent directory is missing fails alone.
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        assert!(!items.is_empty(), "nothing is no transaction");
        if items.iter().any(|(parcel, _)| parcel.path.ends_with("loud")) {
            host.report(Level::Info, &format!("{} parcels", items.len()));
        }
        let paths = items.iter().map(|(parcel, _)| parcel.path.to_string());
        if let Err(error) = host.run(&Command::new("pack", paths)) {
            return items.iter().map(|_| Err(Error::failed(error.chain()))).collect();
        }
        items.iter().map(|(parcel, step)| parcel.take(step, host)).collect()
    }
}

/// A file with the content of another one.
#[derive(Resource)]
#[resource(kind = "copy")]
pub(crate) struct Copy {
    #[name]
    path: AbsolutePath,
    #[required]
    from: AbsolutePath,
    #[enforce(true)]
    same: Want<bool>,
}

impl Copy {
    fn content(&self, host: &Reading<'_>) -> Result<Vec<u8>> {
        host.files().read(&self.from, 0)
    }
}

impl Resource for Copy {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let same = look.files().read(&self.path, entry.size)? == self.content(look)?;
        Ok(Found::This(CopyState { same }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if let Step::Remove { .. } = step {
            return host.edits().remove_file(&self.path);
        }
        let access = Access { mode: Some(0o644), ..Access::default() };
        let content = &self.content(host)?;
        host.edits().write(&self.path, &NewFile::new(content, access))
    }
}
