//! How often the databases are read.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use uphold_builtin::{Group, User};
use uphold_resource::{Act, Desired, Entry, Files, Look, Machine, Properties, Resource, Result, Want};
use uphold_testkit::MemoryHost;

use super::tools::{GROUP, PASSWD, SHADOW, equipped};

/// The files of a machine, with a count of reads.
struct Counting {
    inner: Arc<dyn Files>,
    reads: Mutex<BTreeMap<PathBuf, usize>>,
}

impl Counting {
    fn of(host: &MemoryHost) -> (Arc<Self>, Machine) {
        let mut machine = host.machine().clone();
        let counting = Arc::new(Self { inner: machine.files, reads: Mutex::default() });
        machine.files = counting.clone();
        (counting, machine)
    }

    fn reads(&self) -> Vec<(String, usize)> {
        let reads = self.reads.lock().expect("not poisoned");
        reads.iter().map(|(path, count)| (path.display().to_string(), *count)).collect()
    }
}

impl Files for Counting {
    fn look(&self, path: &Path) -> Result<Option<Entry>> {
        self.inner.look(path)
    }
    fn read_within(&self, path: &Path, size: u64, limit: u64) -> Result<Vec<u8>> {
        *self.reads.lock().expect("not poisoned").entry(path.to_owned()).or_default() += 1;
        self.inner.read_within(path, size, limit)
    }
    fn list(&self, path: &Path) -> Result<Vec<OsString>> {
        self.inner.list(path)
    }
}

/// A run over a thousand users and groups without changes.
#[test]
fn each_database_is_read_once() {
    let names: Vec<String> = (0..1000).map(|number| format!("u{number}")).collect();
    let lines = |line: fn(usize, &String) -> String| -> String {
        names.iter().enumerate().map(|(at, name)| line(at + 2000, name)).collect()
    };
    let inner = equipped(MemoryHost::new());
    inner.tamper(PASSWD, lines(|id, name| format!("{name}:x:{id}:{id}::/home/{name}:/bin/sh\n")));
    inner.tamper(
        GROUP,
        lines(|id, name| format!("{name}:x:{id}:\n")) + "dev:x:200:" + &names.join(",") + "\n",
    );
    inner.tamper(SHADOW, lines(|_, name| format!("{name}:!:20000:0:99999:7:::\n")));
    inner.advance(Duration::from_secs(1));
    let (counting, machine) = Counting::of(&inner);
    let host = machine.act();
    for name in &names {
        let user = User { locked: Want::Set(true), ..User::named(name).expect("a good name") };
        let user = user.complete(user.prepare(&Look::to(Desired::Present, &host)).expect("valid"));
        assert!(
            user.load(&Look::to_read(&host))
                .expect("it can be loaded")
                .state()
                .is_some_and(|state| state.locked)
        );
        let group = Group::named(name).expect("a good name");
        let group = group.complete(group.prepare(&Look::to(Desired::Present, &host)).expect("valid"));
        assert!(group.load(&Look::to_read(&host)).expect("it can be loaded").state().is_some());
    }
    assert_eq!(counting.reads(), [GROUP, PASSWD, SHADOW].map(|path| (path.to_owned(), 1)));
}

/// Properties outside `shadow` can be loaded without root.
#[test]
fn reads_shadow_on_demand_only() {
    let inner = equipped(MemoryHost::new());
    inner.need_only(["comment"]);
    let (counting, machine) = Counting::of(&inner);
    let host = Act::new(&machine, None, &inner);
    let user = User::named("old").expect("a good name");
    assert!(user.load(&Look::to_read(&host)).expect("it can be loaded").state().is_some());
    assert!(counting.reads().iter().all(|(path, _)| path != SHADOW), "{:?}", counting.reads());
}
