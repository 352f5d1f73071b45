//! Properties with a function of their own: `#[load(…)]`.

use uphold_resource::{
    AbsolutePath, Act, Found, Lazy, Look, Properties, Resource, Result, Seen, Step, Value, Want,
};
use uphold_testkit::MemoryHost;

/// A file whose text and length are expensive.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "archive_note")]
struct Note {
    #[name]
    path: AbsolutePath,
    /// Kept unless set.
    #[load(Self::text)]
    text: Want<String>,
    /// A default for a new note.
    #[load(Self::title)]
    #[on_create("untitled")]
    title: Want<String>,
    /// Null if there is none.
    #[load(Self::subtitle)]
    subtitle: Want<Option<String>>,
    /// Its length.
    #[load(Self::length)]
    length: Seen<u64>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let exists = look.files().look(&self.path)?.is_some();
        let unread = || NoteState {
            text: Lazy::UNREAD,
            title: Lazy::UNREAD,
            subtitle: Lazy::UNREAD,
            length: Lazy::UNREAD,
        };
        Ok(exists.then(unread).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Note {
    fn text(&self, _: &NoteState, look: &Look<'_>) -> Result<String> {
        let text = look.files().read(&self.path, 0)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn title(&self, _: &NoteState, look: &Look<'_>) -> Result<String> {
        let title = look.files().read(&self.path.with_extension("title"), 0)?;
        Ok(String::from_utf8_lossy(&title).into_owned())
    }

    fn subtitle(&self, state: &NoteState, look: &Look<'_>) -> Result<Option<String>> {
        self.title(state, look).map(Some)
    }

    /// Uses the text if that was loaded before.
    fn length(&self, state: &NoteState, look: &Look<'_>) -> Result<u64> {
        match state.text.get() {
            Some(text) => Ok(text.len() as u64),
            None => Ok(look.files().look(&self.path)?.map_or(0, |entry| entry.size)),
        }
    }
}

fn machine() -> MemoryHost {
    MemoryHost::new().file("/note", "hello", 0o644).file("/note.title", "found", 0o644)
}

fn note() -> Note {
    Note::named("/note").expect("a name is enough")
}

/// The state of an existing note, if exactly these properties are needed.
fn load(note: &Note, needed: &[&str]) -> NoteState {
    let host = machine();
    let (act, needs) = (host.act(), |property: &str| needed.contains(&property));
    let look = Look::to_read(&act);
    let look = look.needing(&needs);
    note.load_whole(&look).expect("load").state().expect("it exists")
}

#[test]
fn only_needed_properties_are_loaded() {
    let state = load(&note(), &[]);
    assert_eq!((state.text.get(), state.length.get()), (None, None));
    let state = load(&note(), &["length"]);
    assert_eq!((state.text.get(), state.length.get()), (None, Some(&5)));
    let state = load(&note(), &["length", "text"]);
    assert_eq!((state.text.get().map(String::as_str), state.length.get()), (Some("hello"), Some(&5)));
    assert_eq!(note().value("text", Some(&state)), Some("hello".into()));
    assert_eq!(note().value("title", Some(&state)), None);
}

#[test]
fn an_unread_property_has_no_goal_and_no_difference() {
    let (note, unread) = (note(), load(&note(), &[]));
    let goal = note.goal(Some(&unread));
    assert_eq!((goal.text.as_ref(), goal.title.as_ref(), goal.subtitle.as_ref()), (None, None, None));
    assert!(Note::is_empty(&note.change(&goal, &unread)));
    let mut lost = Vec::new();
    Note::losses(&unread, &mut lost);
    assert!(lost.is_empty(), "{lost:?}");
}

#[test]
fn a_new_resource_gets_its_create_default() {
    let goal = note().goal(None);
    assert_eq!((goal.text, goal.title.as_deref(), goal.subtitle), (None, Some("untitled"), None));
}

#[test]
fn a_set_property_is_loaded_and_compared() {
    let declared = Note { title: Want::of("new"), subtitle: Want::Set(None), ..note() };
    let state = load(&declared, &["title", "subtitle"]);
    let goal = declared.goal(Some(&state));
    let change = declared.change(&goal, &state);
    assert_eq!(change.title.map(|title| (title.from, title.to)), Some(("found".into(), "new".into())));
    assert_eq!(change.subtitle.map(|subtitle| subtitle.to), Some(None));
    assert!(declared.wants("title") && !declared.wants("text"));
}

#[test]
fn a_read_loads_everything() {
    let host = machine();
    let read = uphold_resource::Ref::<Note>::to("/note").read(&host.act()).expect("load").expect("it exists");
    assert_eq!(read.text.get().map(String::as_str), Some("hello"));
    assert!(read.title.get().is_some());
    assert_eq!(note().value("length", Some(&read)), Some(Value::Int(5)));
}

#[test]
fn an_unread_property_of_an_existing_resource_is_not_the_one_of_a_new_one() {
    let (declared, unread) = (Note { text: Want::OnCreate("new".to_owned()), ..note() }, load(&note(), &[]));
    assert_eq!(declared.goal(None).text.as_deref(), Some("new"));
    assert_eq!(declared.goal(Some(&unread)).text, None);
    assert_eq!(declared.value("text", Some(&unread)), None);
}
