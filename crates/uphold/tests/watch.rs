//! A watch of a configuration, without a terminal: real files, a real watcher, this process.

use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use uphold::model::{Diagnostics, Sources};
use uphold::resource::Stop;
use uphold::{
    Configuration, Engine, Error, Event, EventKind, Generation, LocalHost, ReloadTrigger, Steering, Verdict,
    WatchOutcome, WatchReader,
};

/// How long something may take on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(20);

/// Describes the events it receives.
struct Scribe(Sender<String>);

impl Scribe {
    fn note(&self, words: impl Into<String>) {
        // Who ended early does not listen any more.
        let _ = self.0.send(words.into());
    }
}

impl WatchReader for Scribe {
    fn reading(&mut self, occasion: &ReloadTrigger) {
        let occasion = match occasion {
            ReloadTrigger::Changed(what) => format!("changed {}", what.rsplit('/').next().unwrap_or(what)),
            ReloadTrigger::Live(what) => format!("live {what}"),
            other => format!("{other:?}").to_lowercase(),
        };
        self.note(format!("reading: {occasion}"));
    }

    fn checked(&mut self, _: &ReloadTrigger, diagnostics: &Diagnostics, _: &Sources) {
        self.note(if diagnostics.has_errors() { "refused" } else { "sound" });
    }

    fn unreadable(&mut self, _: &ReloadTrigger, _: &Error) {
        self.note("unreadable");
    }

    fn blind(&mut self, because: &str) {
        self.note(format!("blind: {because}"));
    }

    fn event(&mut self, event: &Event, held: &Generation) {
        match &event.kind {
            EventKind::Watching { .. } => self.note("watching"),
            EventKind::Swapped { generation, .. } => {
                assert_eq!(*generation, held.number, "events are about the configuration in force");
                self.note(format!("swapped {generation}"));
            }
            EventKind::Finished { resource, verdict: Verdict::Changed(_), .. } => {
                let set = held.program.set();
                let place = set.find(resource).and_then(|index| set.entry(index).declaration.place);
                let place = place.map(|place| held.outlines.describe(place)).unwrap_or_default();
                let line = place.rsplit(':').nth(1).unwrap_or_default();
                self.note(format!("changed {} of line {line}", resource.name));
            }
            _ => {}
        }
    }
}

/// What can be done while a watch runs.
struct Stage<'a> {
    folder: &'a Path,
    heard: Receiver<String>,
    steering: Steering,
}

impl Stage<'_> {
    /// Replaces a file in one step: a file that is written in place is empty for a moment.
    fn write(&self, name: &str, text: &str) {
        let temporary = self.folder.join("temporary");
        fs::write(&temporary, text).expect("a file");
        fs::rename(temporary, self.folder.join(name)).expect("a file");
    }

    /// The next event.
    #[track_caller]
    fn expect(&self, words: &str) {
        assert_eq!(self.heard.recv_timeout(PATIENCE).as_deref(), Ok(words));
    }

    /// The next thing of this sort.
    #[track_caller]
    fn await_words(&self, words: &str) {
        while self.heard.recv_timeout(PATIENCE).expect(words) != words {}
    }
}

/// Runs a watch of `site.hcl`, and `act` beside it; then ends it.
fn watch(site: &str, act: impl FnOnce(&Stage<'_>) + Send) -> WatchOutcome {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("root")).expect("a folder");
    fs::write(folder.path().join("site.hcl"), site).expect("a file");
    let (stop, root) = (Stop::default(), folder.path().join("root"));
    let host = LocalHost::rooted(&root).expect("a root").stopped_by(stop.clone());
    let engine = Engine::on(host).stop(stop.clone()).build();
    let watch = Configuration::reader(&engine).watch([folder.path().join("site.hcl")]);
    let watch = watch.expect("a watcher").refresh(Duration::from_millis(200));
    let (sender, heard) = channel();
    let stage = Stage { folder: folder.path(), heard, steering: watch.steering() };
    std::thread::scope(|scope| {
        let acting = scope.spawn(move || {
            let _end = End(stop);
            act(&stage);
        });
        let outcome = watch.run(&mut Scribe(sender)).expect("it can be watched");
        acting.join().expect("what was expected");
        outcome
    })
}

/// Ends the watch however the test ends.
struct End(Stop);

impl Drop for End {
    fn drop(&mut self) {
        self.0.request();
    }
}

fn is_success(outcome: WatchOutcome) -> bool {
    matches!(outcome, WatchOutcome::Ended(summary) if summary.is_success())
}

#[test]
fn a_changed_configuration_is_reloaded_with_its_places() {
    let outcome = watch("file \"/a\" { content = \"1\" }\n", |stage| {
        stage.expect("sound");
        stage.expect("changed /a of line 1");
        stage.expect("watching");
        stage.write("site.hcl", "\nfile \"/a\" { content = \"2\" }\n");
        stage.expect("reading: changed site.hcl");
        stage.expect("sound");
        stage.expect("swapped 1");
        stage.expect("changed /a of line 2");
        stage.expect("watching");
        stage.write("site.hcl", "file \"/a\" {");
        stage.expect("reading: changed site.hcl");
        stage.expect("refused");
        stage.write("root/a", "drift");
        stage.expect("changed /a of line 2");
        stage.write("site.hcl", "file \"/a\" { content = \"3\" }\n");
        stage.expect("reading: changed site.hcl");
        stage.expect("sound");
        stage.expect("swapped 2");
        stage.expect("changed /a of line 1");
    });
    assert!(is_success(outcome), "{outcome:?}");
}

#[test]
fn a_watch_can_be_controlled() {
    watch("file \"/a\" { content = \"1\" }\n", |stage| {
        stage.await_words("watching");
        stage.steering.reload();
        stage.expect("reading: asked");
        stage.expect("sound");
        stage.expect("swapped 1");
        stage.expect("watching");
        fs::remove_file(stage.folder.join("site.hcl")).expect("it was there");
        stage.await_words("unreadable");
        stage.steering.recheck();
        stage.write("site.hcl", "file \"/a\" { content = \"2\" }\n");
        stage.await_words("changed /a of line 1");
    });
}

/// What is evaluated when its turn comes reads files then; those are followed, too.
#[test]
fn late_inputs_are_watched() {
    let site = "file \"/a\" { content = \"1\" }\n\
                file \"/b\" { content = file(\"note-${file[\"/a\"].size}.txt\") }\n";
    let outcome = watch(site, |stage| {
        stage.await_words("watching");
        // It failed, because the file does not exist. Only the watch notices that it does now.
        stage.write("note-1.txt", "early");
        stage.await_words("changed /b of line 2");
        stage.write("note-1.txt", "late");
        stage.await_words("reading: changed note-1.txt");
        stage.await_words("changed /b of line 2");
        assert_eq!(fs::read_to_string(stage.folder.join("root/b")).expect("a file"), "late");
    });
    assert!(is_success(outcome), "{outcome:?}");
}

#[test]
fn facts_are_polled() {
    watch("file \"/motd\" { content = host.hostname == null ? \"\" : host.hostname }\n", |stage| {
        stage.await_words("watching");
        fs::create_dir(stage.folder.join("root/etc")).expect("a folder");
        stage.write("root/etc/hostname", "web1\n");
        stage.await_words("reading: live host.hostname");
        stage.await_words("changed /motd of line 1");
        assert_eq!(fs::read_to_string(stage.folder.join("root/motd")).expect("a file"), "web1");
    });
}

#[test]
fn an_invalid_configuration_does_not_start() {
    let outcome = watch("file \"/a\" {", |stage| stage.expect("refused"));
    assert_eq!(outcome, WatchOutcome::Refused);
}

/// The end comes while the configuration's reader waits for a save to be over; nothing else wakes it afterwards.
#[test]
fn a_save_without_a_change_does_not_delay_the_end() {
    let site = "file \"/a\" { content = \"1\" }\n";
    for _ in 0..5 {
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            watch(site, |stage| {
                stage.await_words("watching");
                stage.write("site.hcl", site);
                std::thread::sleep(Duration::from_millis(10));
            });
            let _ = sender.send(());
        });
        ended.recv_timeout(PATIENCE).expect("it ends");
    }
}
