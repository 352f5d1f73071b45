//! The kinds that `docs/authoring.md` shows. The guide quotes this file; `guide.rs` sees to it.

#![expect(unreachable_pub, reason = "the guide shows what a library would write")]

mod smallest {
    use uphold_kit::prelude::*;

    /// A note on disk.
    #[derive(Resource)]
    #[resource(kind = "note")]
    pub struct Note {
        /// Its path; the block's label unless set.
        #[name]
        pub path: AbsolutePath,
        /// Its text.
        #[required]
        pub text: Want<String>,
    }

    impl Resource for Note {
        fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
            Ok(regular_file::read_text(&self.path, look)?.map(|text| NoteState { text }).into())
        }

        fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
            match step {
                Step::Create { goal } | Step::Update { goal, .. } => {
                    regular_file::write(&self.path, &goal.text, host)
                }
                Step::Remove { .. } => host.edits().remove_file(&self.path),
            }
        }
    }

    uphold_testkit::laws! {
        Note,
        world: |host| host.directory("/etc", 0o755),
        wishes: [
            { "/etc/motd", text = "hello" },
            { "/etc/motd", text = "bye" },
        ],
        drift: [|host| host.tamper("/etc/motd", "changed by hand")],
    }
}

mod goal {
    use uphold_resource::{Mode, Properties, Resource, UserName, Want};

    /// State properties with the three rules for defaults.
    #[derive(Resource)]
    #[resource(kind = "door")]
    pub struct Door {
        #[name]
        pub name: String,
        /// Unchanged unless set.
        pub owner: Want<UserName>,
        /// The default of a new door; later unchanged unless set.
        #[on_create("0644")]
        pub mode: Want<Mode>,
        /// Enforced, even if it is not set.
        #[enforce(true)]
        pub locked: Want<bool>,
    }

    #[test]
    fn computes_goals() {
        let door = |owner, mode, locked| Door { name: "front".into(), owner, mode, locked };
        let declared = door(Want::Unset, Want::Unset, Want::Unset);
        let current = DoorState { owner: UserName::named("ada"), mode: Mode::new(0o600), locked: false };

        let goal = declared.goal(None); // it will be created
        assert_eq!((goal.owner, goal.mode, goal.locked), (None, Mode::new(0o644), true));

        let goal = declared.goal(Some(&current)); // it exists
        assert_eq!(goal.owner, Some(UserName::named("ada")));
        assert_eq!((goal.mode, goal.locked), (Mode::new(0o600), true));

        let declared = door(Want::Unset, Want::of(Mode::new(0o640)), Want::of(false));
        let goal = declared.goal(Some(&current)); // declared values come first
        assert_eq!((goal.mode, goal.locked), (Mode::new(0o640), false));
    }
}

mod shared_settings {
    use uphold_resource::{
        Act, Command, Error, ErrorKind, Found, Look, Property, Resource, Result, Seen, Step,
    };

    /// How a service is queried.
    #[derive(Clone, Debug, PartialEq, Property)]
    pub struct Asking {
        /// The program that queries it.
        #[default("/usr/bin/ask")]
        pub program: String,
        /// How often a failed query is repeated.
        #[default(3)]
        #[range(0..=10)]
        pub tries: u8,
    }

    /// One account of the service.
    #[derive(Resource)]
    #[resource(kind = "account", permanent)]
    pub struct Account {
        #[name]
        pub name: String,
        /// How the service is queried: `program` and `tries` are properties of an account.
        #[flatten(settings)]
        pub asking: Asking,
        /// Its quota, as the service reports it.
        pub quota: Seen<String>,
    }

    impl Resource for Account {
        fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
            let command = Command::new(&self.asking.program, [&self.name]);
            for _ in 0..=self.asking.tries {
                let output = look.probe(&command)?;
                if output.success() {
                    let quota = String::from_utf8_lossy(&output.stdout).into_owned();
                    return Ok(Found::This(AccountState { quota }));
                }
            }
            Err(Error::new(ErrorKind::Rejected, format!("the service does not know {}", self.name)))
        }

        fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
            Err(Error::new(ErrorKind::Unsupported, "only the service can create an account"))
        }
    }

    uphold_testkit::laws! {
        Account,
        world: |host| host.program("ask", |call| call.succeed("10G")),
        wishes: [{ "ada" }, { "ada", program = "/opt/bin/ask", tries = 0 }],
    }
}

mod composed {
    use super::smallest::Note;
    use uphold_resource::{Access, Act, Found, Look, Mode, Resource, Result, Step, Want, set_access};

    /// A note with permissions.
    #[derive(Resource)]
    #[resource(kind = "sealed_note")]
    pub struct SealedNote {
        /// The properties of a note.
        #[flatten]
        pub note: Note,
        /// Permission bits; read-only unless set otherwise.
        #[enforce("0444")]
        pub mode: Want<Mode>,
    }

    impl Resource for SealedNote {
        fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
            let Found::This(note) = self.note.load(look)? else { return Ok(Found::Absent) };
            let Some(entry) = look.files().look(&self.note.path)? else { return Ok(Found::Absent) };
            Ok(Found::This(SealedNoteState { note, mode: Mode::new(entry.mode) }))
        }

        fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
            // The same step for the note, but only if the note changes.
            let (note, mode) = match step {
                Step::Create { goal } => (true, Some(&goal.mode)),
                Step::Update { change, .. } => {
                    (change.note.text.is_some(), change.mode.as_ref().map(|mode| &mode.to))
                }
                Step::Remove { .. } => (true, None),
            };
            if note {
                self.note.apply(step.part::<Note>(), host)?;
            }
            let Some(mode) = mode else { return Ok(()) };
            let access = Access { mode: Some(mode.bits()), ..Access::default() };
            set_access(&self.note.path, "a regular file", &access, host)
        }
    }

    uphold_testkit::laws! {
        SealedNote,
        world: |host| host.directory("/etc", 0o755),
        wishes: [
            { "/etc/motd", text = "hello" },
            { "/etc/motd", text = "hello", mode = "0400" },
            { "/etc/motd", text = "bye", mode = "a+w" },
        ],
    }
}

mod capable {
    use std::path::PathBuf;

    use uphold_resource::{
        AbsolutePath, Access, Act, Batch, Claim, Claiming, Claims, Command, Described, Error, ErrorKind,
        Found, Interest, Lazy, Level, Look, NewFile, Output, Problem, Produced, Properties, Reading,
        Resource, Result, Step, Verbs, Want, Watching, Wish,
    };
    use uphold_testkit::MemoryHost;

    /// A daemon that reloads its configuration on request.
    #[derive(Resource)]
    #[resource(
        kind = "daemon",
        verbs(reload = "Reload the configuration."),
        claims,
        interests,
        batch,
        exclusive(settings, source)
    )]
    pub struct Daemon {
        /// Its name.
        #[name]
        pub name: String,
        /// Its settings; empty for a new daemon, unless set.
        #[on_create("")]
        #[load(Self::settings)]
        pub settings: Want<String>,
        /// A file to take the settings from.
        pub source: Option<AbsolutePath>,
        /// The output of the last command to it.
        pub answer: Produced<Option<String>>,
    }

    impl Verbs for Daemon {
        type Verb = DaemonVerb;

        fn run(&self, verb: DaemonVerb, host: &Act<'_>) -> Result<()> {
            match verb {
                DaemonVerb::Reload => self.control("reload", "", host),
            }
        }
    }

    impl Claiming for Daemon {
        fn add_claims(&self, claims: &mut Claims) {
            claims.provide(Claim::Unit(self.name.as_str().into()));
            claims.need(Claim::Package(self.name.as_str().into()));
        }
    }

    impl Watching for Daemon {
        fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
            interests.push(Interest::Unit(self.name.as_str().into()));
        }
    }

    impl Batch for Daemon {
        fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
            // A real kind would use one transaction. One result for each item, in the same order.
            items.iter().map(|(daemon, step)| daemon.apply(*step, host)).collect()
        }
    }

    impl Daemon {
        fn query(&self, what: &str, host: &Reading<'_>) -> Result<Output> {
            host.probe(&Command::new("daemonctl", [what, &self.name]))
        }

        /// The settings. The query is slow, so it runs only if the value is used.
        fn settings(&self, _: &DaemonState, look: &Look<'_>) -> Result<String> {
            look.report(Level::Debug, "querying the settings");
            Ok(String::from_utf8_lossy(&self.query("show", look)?.stdout).into_owned())
        }

        fn control(&self, what: &str, settings: &str, host: &Act<'_>) -> Result<()> {
            let command = Command::new("daemonctl", [what, &self.name]);
            let output = host.run(&Command { stdin: Some(settings.into()), ..command })?;
            if !output.success() {
                let why = String::from_utf8_lossy(&output.stderr).into_owned();
                let what = format!("cannot {what} the daemon `{}`", self.name);
                return Err(Error::new(ErrorKind::Rejected, what)
                    .because(why)
                    .hint(format!("check `daemonctl status {}`", self.name)));
            }
            self.answer.set(Some(String::from_utf8_lossy(&output.stdout).into_owned()));
            Ok(())
        }
    }

    impl Resource for Daemon {
        fn validate(&self) -> Result<(), Problem> {
            if self.name == "init" && self.source.is_some() {
                let rule = "cannot be set for the daemon `init`, which has no settings";
                return Err(Problem::new(None, rule, "remove the line").inside("source"));
            }
            Ok(())
        }

        fn prepare(&self, look: &Look<'_>) -> Result<DaemonWishes> {
            let Some(source) = &self.source else { return Ok(DaemonWishes::default()) };
            let text = look.files().read(source, 0)?;
            Ok(DaemonWishes { settings: Wish::Set(String::from_utf8_lossy(&text).into_owned()) })
        }

        fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
            if !self.query("status", look)?.success() {
                return Ok(Found::Absent);
            }
            // The settings are loaded by their own function.
            Ok(Found::This(DaemonState { settings: Lazy::UNREAD, answer: self.answer.get().flatten() }))
        }

        fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
            let settings = |goal: &DaemonGoal| goal.settings.clone().unwrap_or_default();
            match step {
                Step::Create { goal } => self.control("create", &settings(goal), host),
                Step::Update { goal, .. } => self.control("set", &settings(goal), host),
                Step::Remove { .. } => self.control("delete", "", host),
            }
        }
    }

    /// A machine whose `daemonctl` stores the settings of each daemon in a file.
    fn machine(host: MemoryHost) -> MemoryHost {
        let host = host.directory("/etc", 0o755).file("/etc/web.conf", "fast", 0o644);
        host.directory("/daemons", 0o755).program("daemonctl", |call| {
            let [what, name] = &call.command.args[..] else { return call.fail(2, "usage") };
            let path = PathBuf::from(format!("/daemons/{name}"));
            let content = call.command.stdin.as_deref().unwrap_or_default();
            let file = NewFile::new(content, Access::default());
            let done = match what.as_str() {
                "create" | "set" => call.host.act().edits().write(&path, &file).map(|()| b"done".to_vec()),
                "delete" => call.host.act().edits().remove_file(&path).map(|()| b"done".to_vec()),
                _ => call.host.act().files().read(&path, 0),
            };
            done.map_or_else(|error| call.fail(1, error.to_string()), |output| call.succeed(output))
        })
    }

    uphold_testkit::laws! {
        Daemon,
        world: machine,
        wishes: [
            { "web" },
            { "web", settings = "slow" },
            { "web", source = "/etc/web.conf" },
            { "mail", settings = "fast" },
        ],
        drift: [|host| host.tamper("/etc/web.conf", "faster")],
    }

    #[test]
    fn a_daemon_is_controlled_and_queried() {
        let host = machine(MemoryHost::new());
        let mut daemon = Daemon::named("web").expect("a name");
        let load = |daemon: &Daemon| daemon.load_whole(&Look::to_read(&host.act())).expect("load").state();
        assert!(load(&daemon).is_none());
        let before = Described::run_verb(&daemon, "reload", &host.act()).expect_err("it does not exist");
        assert_eq!(before.to_string(), "cannot reload the daemon `web`");

        daemon.source = Some(AbsolutePath::new("/etc/web.conf").expect("a path"));
        assert_eq!(daemon.validate(), Ok(()));
        let daemon = daemon.complete(daemon.prepare(&Look::to_read(&host.act())).expect("prepare"));
        let goal = daemon.goal(None);
        daemon.apply(Step::Create { goal: &goal }, &host.act()).expect("create");
        let made = load(&daemon).expect("it was made");
        assert_eq!(
            (made.settings.get().map(String::as_str), made.answer.as_deref()),
            (Some("fast"), Some("done"))
        );

        Described::run_verb(&daemon, "reload", &host.act()).expect("reload");
        let reloaded = load(&daemon).expect("it exists");
        assert_eq!(reloaded.answer.as_deref(), Some("fast"));

        host.need_only(["answer"]);
        let partial = load(&daemon).expect("it exists");
        assert_eq!(partial.settings, Lazy::UNREAD, "it queried settings that are not needed");
    }
}

mod typed {
    use uphold_resource::{Context, Problem, Property, Type, Value};

    /// An enum is one of several words: "no", "on-failure", "always".
    #[derive(Clone, Debug, PartialEq, Property)]
    pub enum Restart {
        No,
        OnFailure,
        Always,
    }

    /// A newtype adds rules to another type.
    #[derive(Clone, Debug, PartialEq, Property)]
    #[pattern("^[a-z][a-z0-9-]*$")]
    pub struct HostName(pub String);

    /// A struct is a nested block or map.
    #[derive(Clone, Debug, PartialEq, Property)]
    pub struct Listen {
        #[required]
        pub host: HostName,
        #[range(1..=65535)]
        #[default(80)]
        pub port: u16,
    }

    /// Implemented by hand, for a type with its own syntax: `"3:4"`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Ratio(pub u32, pub u32);

    impl Property for Ratio {
        const TYPE: &'static Type = &Type::Named { name: "ratio", doc: "two numbers", example: r#""3:4""# };

        fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
            let text = String::from_value(value, context)?;
            let numbers =
                text.split_once(':').and_then(|(a, b)| Some(Ratio(a.parse().ok()?, b.parse().ok()?)));
            numbers.ok_or_else(|| Problem::new(Some(value), "is not a ratio", r#"write it as in "3:4""#))
        }

        fn to_value(&self) -> Value {
            Value::text(format!("{}:{}", self.0, self.1))
        }
    }

    #[test]
    fn own_types_read_values() {
        fn check<T: Property>(value: &Value, expected: &str) {
            let read = T::from_value(value, &Context::NOTHING).unwrap_or_else(|problem| panic!("{problem}"));
            assert_eq!(read.to_value().to_string(), expected);
        }
        check::<Restart>(&"on-failure".into(), r#""on-failure""#);
        check::<HostName>(&"web-1".into(), r#""web-1""#);
        check::<Listen>(&Value::map([("host", "web".into())]), r#"{ host = "web", port = 80 }"#);
        check::<Ratio>(&"3:4".into(), r#""3:4""#);
    }
}

mod registered {
    use uphold_resource::{KindError, Look, Registry, Resource, Result, Want};
    use uphold_testkit::MemoryHost;

    use super::{capable::Daemon, composed::SealedNote, smallest::Note};

    /// The kinds of this program.
    pub fn register(registry: &mut Registry) -> Result<(), KindError> {
        registry.add::<Note>()?;
        registry.add::<SealedNote>()?;
        registry.add::<Daemon>()
    }

    /// A resource declared by a program: properties that are not named are unset.
    pub fn note() -> Result<Note> {
        Ok(Note { text: Want::of("hello"), ..Note::named("/etc/motd")? })
    }

    #[test]
    fn registers_all_kinds() {
        let mut registry = Registry::default();
        register(&mut registry).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(registry.iter().count(), 3);
        assert_eq!(registry.suggest("notes"), Some("note"));
        let note = note().expect("a path");
        assert!(note.load(&Look::to_read(&MemoryHost::new().act())).expect("load").state().is_none());
    }
}
