//! Kinds that ask the stage before, during and after their work, so that each test can decide what happens then.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Access, Act, Batch, Command, Error, Exit, Found, Interest, Look, NewFile, Output, Reading,
    Resource, Result, Seen, Step, Verbs, Want, Watching,
};

/// A file.
#[derive(Resource)]
#[resource(kind = "note", verbs(shout = "Say it loudly."))]
pub(crate) struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    length: Seen<u64>,
    content: Seen<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let text = text_at(&self.path, look)?;
        Ok(text.map(|text| NoteState { length: text.len() as u64, content: text.clone(), text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => change(&self.path, Some(&goal.text), host),
            Step::Remove { .. } => change(&self.path, None, host),
        }
    }
}

impl Verbs for Note {
    type Verb = NoteVerb;

    fn run(&self, verb: NoteVerb, host: &Act<'_>) -> Result<()> {
        let NoteVerb::Shout = verb;
        act(host, "shout", &self.path.to_string())
    }
}

/// A file; several are written in one batch.
#[derive(Resource)]
#[resource(kind = "pack", batch)]
pub(crate) struct Pack {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    content: Seen<String>,
}

impl Resource for Pack {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let text = text_at(&self.path, look)?;
        Ok(text.map(|text| PackState { content: text.clone(), text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => change(&self.path, Some(&goal.text), host),
            Step::Remove { .. } => change(&self.path, None, host),
        }
    }
}

impl Batch for Pack {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(pack, step)| pack.apply(*step, host)).collect()
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
        ask(look, "look", &self.path.to_string())?;
        Ok(look.files().look(&self.path)?.map(|_| FolderState {}).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Remove { .. } => host.edits().remove_directory(&self.path),
            _ => host.edits().make_directory(&self.path, &Access { mode: Some(0o755), ..Access::default() }),
        }
    }
}

/// A resource without a file: it is lit if `look` reports so, and `write` lights it.
#[derive(Resource)]
#[resource(kind = "lamp", permanent, interests)]
pub(crate) struct Lamp {
    #[name]
    name: String,
    /// Interval of its checks, in seconds.
    every: Option<u64>,
    #[enforce(true)]
    lit: Want<bool>,
    /// Output of `look`.
    colour: Seen<String>,
}

impl Resource for Lamp {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let output = look.probe(&command("look", &self.name))?;
        let lit = match output.exit {
            Exit::Code(status @ (0 | 1)) => status == 0,
            _ => return Err(failure(&output)),
        };
        let colour = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(Found::This(LampState { lit, colour }))
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        act(host, "write", &self.name)
    }
}

impl Watching for Lamp {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Unit(self.name.as_str().into()));
        interests.extend(self.every.map(|seconds| Interest::Interval(Duration::from_secs(seconds))));
    }
}

/// The content of a file.
pub(crate) fn text_at(path: &AbsolutePath, host: &Reading<'_>) -> Result<Option<String>> {
    let name = path.to_string();
    ask(host, "look", &name)?;
    let text = match host.files().look(path)? {
        Some(entry) => Some(host.files().read(path, entry.size)?),
        None => None,
    };
    ask(host, "looked", &name)?;
    Ok(text.map(|text| String::from_utf8_lossy(&text).into_owned()))
}

/// Writes a file, or removes it.
pub(crate) fn change(path: &AbsolutePath, text: Option<&str>, host: &Act<'_>) -> Result<()> {
    let name = path.to_string();
    act(host, "write", &name)?;
    match text {
        Some(text) => {
            let access = Access { mode: Some(0o644), ..Access::default() };
            let file = NewFile::new(text.as_bytes(), access);
            host.edits().write(path, &file)?;
        }
        None => host.edits().remove_file(path)?,
    }
    act(host, "wrote", &name)
}

fn ask(host: &Reading<'_>, word: &str, name: &str) -> Result<()> {
    done(&host.probe(&command(word, name))?)
}

fn act(host: &Act<'_>, word: &str, name: &str) -> Result<()> {
    done(&host.run(&command(word, name))?)
}

fn command(word: &str, name: &str) -> Command {
    Command::new(word, [name])
}

fn done(output: &Output) -> Result<()> {
    if output.success() { Ok(()) } else { Err(failure(output)) }
}

fn failure(output: &Output) -> Error {
    match output.exit {
        Exit::Code(75) => Error::not_yet("its time", Duration::from_secs(2)),
        _ => Error::failed(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
