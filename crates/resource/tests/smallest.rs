//! The smallest resource, and one that uses every role.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Access, Act, Found, Look, Mode, NewFile, Property, Resource, Result, Seen, Step, UserName,
    Want,
};

/// A note on disk.
#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    /// Its path.
    #[name]
    path: AbsolutePath,
    /// Its text.
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let text = look.files().read(&self.path, entry.size)?;
        Ok(Found::This(NoteState { text: String::from_utf8_lossy(&text).into_owned() }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => write(&self.path, &goal.text, host),
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

fn write(path: &Path, text: &str, host: &Act<'_>) -> Result<()> {
    let access = Access { mode: Some(0o644), ..Access::default() };
    let file = NewFile::new(text.as_bytes(), access);
    host.edits().write(path, &file)
}

/// How loud.
#[derive(Clone, Debug, PartialEq, Property)]
enum Volume {
    Low,
    VeryHigh,
}

/// Every role.
#[derive(Resource)]
#[resource(kind = "radio", verbs(restart = "Start again."), claims, exclusive(mode, owner))]
struct Radio {
    #[name]
    name: String,
    #[identity]
    band: String,
    #[identity(loaded)]
    station: String,
    #[on_create("0644")]
    mode: Want<Mode>,
    owner: Want<UserName>,
    comment: Want<Option<String>>,
    #[enforce(Volume::Low)]
    volume: Want<Volume>,
    #[range(1..=10)]
    #[default(3)]
    tries: u8,
    dir: Option<AbsolutePath>,
    #[relative_to(dir)]
    #[default("config.rb")]
    config: AbsolutePath,
    heard: Seen<String>,
}

impl uphold_resource::Verbs for Radio {
    type Verb = RadioVerb;
    fn run(&self, verb: RadioVerb, _: &Act<'_>) -> Result<()> {
        match verb {
            RadioVerb::Restart => Ok(()),
        }
    }
}

impl uphold_resource::Claiming for Radio {
    fn add_claims(&self, _: &mut uphold_resource::Claims) {}
}

impl Resource for Radio {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(RadioState {
            station: "one".into(),
            mode: Mode::new(0o600),
            owner: UserName::numbered(0),
            comment: None,
            volume: Volume::VeryHigh,
            heard: "noise".into(),
        }))
    }
    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

#[test]
fn schema_is_complete() {
    use uphold_resource::Properties;
    let names: Vec<_> =
        Radio::SCHEMA.all().iter().map(|p| format!("{}: {}", p.name, p.role.word())).collect();
    assert_eq!(
        names.join(", "),
        "name: name, band: identity, station: identity, mode: state, owner: state, comment: state, \
         volume: state, enforced, tries: setting, dir: setting, config: setting, heard: export"
    );
    let note = Note::named("/tmp/x").unwrap();
    assert!(!note.text.is_set());
}
