use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;
use uphold_journal::{
    ActionEnd, AppliedProperty, AppliedResource, DeclaredDigest, Journal, Location, NewAction,
    NewNotification, NewRun, Observed, Pause, Previous, ResourceKey, RunBounds, RunEnd, RunState, SecretKey,
    Time, cause,
};
use uphold_model::DifferenceCause;

use super::{NOON, action, new_run, notification};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/format1");

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    fs::set_permissions(to, fs::Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn property(observed: Observed, declared: DeclaredDigest) -> AppliedProperty {
    AppliedProperty { observed, declared }
}

pub(crate) fn applied_resource(key: &SecretKey, path: &str) -> AppliedResource {
    let mode = property(Observed::of("0644"), DeclaredDigest::of("0644"));
    let password = property(Observed::secret(key, b"hunter2"), DeclaredDigest::secret(key, b"hunter2"));
    AppliedResource {
        key: ResourceKey::new("/etc/uphold", "file", path),
        address: format!("file[\"{path}\"]"),
        properties: [("mode", mode), ("password", password)].into_iter().collect(),
        is_created: true,
        is_left: false,
        on_removal: Some("remove".into()),
        notifies: Vec::new(),
        first_previous: Some((1, 1)),
        run: 1,
        time: NOON,
        dependencies: vec!["ed1705fc".into()],
        declared: BTreeMap::new(),
    }
}

/// Writes the files of the current format, with `UPHOLD_BLESS=1` after a change that raised it.
fn bless(state: &Path) {
    let journal = Journal::open(Location::Path(state.to_owned())).unwrap();
    let (pending, _) = journal.pending(NOON).unwrap();
    pending.settle(pending.notify(notification("apache")));
    pending.delivered(pending.take_up(&notification("apache").target, "reload"), Some(1));
    for number in 0..9 {
        let notifier = format!("file.site{number}");
        pending.settle(pending.notify(NewNotification { notifier, ..notification("nginx") }));
    }
    let delivery = pending.take_up(&notification("nginx").target, "reload");
    pending.delivery_failed(delivery, "nginx -s reload exited with status 1");

    let records = journal.records().unwrap();
    let run = records.begin_run(new_run(), None);
    let n = run.begin_action(&action("/etc/motd"));
    run.end_action(ActionEnd::new(n, "changed", 3));
    run.end(RunEnd { counts: BTreeMap::from([("as_declared".into(), 9997)]), due: 1, ..RunEnd::at(NOON) });
    let run = records.begin_run(new_run(), None);
    let content = records.objects().keep(&b"0123456789".repeat(1000), NOON).unwrap().unwrap();
    let n = run.begin_action(&NewAction { previous: Previous::File(content), ..action("/etc/large") });
    run.end_action(ActionEnd { error: Some("disk full".into()), ..ActionEnd::new(n, "failed", 3) });
    run.end(RunEnd { time: NOON, due: 1, ..RunEnd::default() });
    records.clean_up(&RunBounds { plain: 1, ..RunBounds::default() }, NOON, true).unwrap();
    let run = records.begin_run(NewRun { commit: Some("4f2c1d9".into()), ..new_run() }, None);
    run.begin_action(&NewAction { address: "package.nginx".into(), ..action("nginx") });

    let key = records.secret_key().unwrap();
    let (mut applied, _) = records.applied(NOON).unwrap();
    for number in 0..40 {
        applied.put(applied_resource(&key, &format!("/etc/{number}")));
    }
    applied.finish("/etc/uphold", Some("5e6"));
    applied.put(AppliedResource { run: 2, ..applied_resource(&key, "/etc/motd") });
    applied.finish("/etc/uphold", Some("5e7"));
    let pause = Pause {
        addresses: vec!["file[\"/etc/nginx/*\"]".into()],
        user: "ann".into(),
        reason: Some("maintenance".into()),
        since: NOON,
        until: Time(NOON.0 + 7_200_000),
    };
    records.pauses().add(pause, NOON).unwrap();
}

/// Later versions must read these files.
#[test]
fn files_of_format_1_are_read() {
    if std::env::var_os("UPHOLD_BLESS").is_some() {
        let _ = fs::remove_dir_all(GOLDEN);
        bless(Path::new(GOLDEN));
        panic!("the golden files are written: run the test again");
    }
    let ground = TempDir::new().unwrap();
    let state = ground.path().join("state");
    copy(Path::new(GOLDEN), &state);
    let journal = Journal::open(Location::Path(state.clone())).unwrap();
    assert!(journal.newer().is_none());
    let pending = journal.read_pending().unwrap();
    assert_eq!((pending.due.len(), pending.damage), (1, None));
    let due = &pending.due[0];
    assert_eq!((due.address.as_str(), due.verb.as_str(), due.n, due.more), ("service.nginx", "reload", 2, 1));
    assert_eq!(due.notifiers.len(), 8);
    assert_eq!(due.error.as_deref(), Some("nginx -s reload exited with status 1"));

    let records = journal.records().unwrap();
    let runs: Vec<_> = records.runs().newest_first().unwrap().map(|run| run.unwrap()).collect();
    assert_eq!(runs.iter().map(|run| run.begin.run).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(runs[0].state, RunState::Interrupted);
    assert_eq!(runs[0].interrupted_during(), Some("package.nginx"));
    assert_eq!(runs[1].actions[0].end.as_ref().unwrap().error.as_deref(), Some("disk full"));
    assert_eq!(runs[2].end.as_ref().unwrap().counts["as_declared"], 9997);
    assert_eq!(records.runs().verify().unwrap(), None);
    let large = &runs[1].actions[0].begin.previous;
    let Previous::File(content) = large else { panic!("{large:?}") };
    assert_eq!(records.objects().get(content).unwrap(), b"0123456789".repeat(1000));

    let (applied, damage) = records.read_applied().unwrap();
    assert_eq!(damage, []);
    assert_eq!(records.last_set("/etc/uphold").unwrap().unwrap().set, "5e7");
    assert_eq!(applied.of_configuration("/etc/uphold").count(), 41);
    let motd = applied.get(&ResourceKey::new("/etc/uphold", "file", "/etc/motd")).unwrap();
    assert_eq!((motd.run, motd.is_created, motd.first_previous), (2, true, Some((1, 1))));
    let declared = DeclaredDigest::of("0644");
    assert_eq!(cause(motd, "mode", &Observed::of("0666"), &declared), DifferenceCause::Drift);
    let key = records.secret_key().unwrap();
    let (secret, declared) = (Observed::secret(&key, b"hunter2"), DeclaredDigest::secret(&key, b"x"));
    assert_eq!(cause(motd, "password", &secret, &declared), DifferenceCause::New);

    let pauses = records.pauses().read(NOON).unwrap();
    let [pause] = &pauses.list[..] else { panic!("{pauses:?}") };
    assert_eq!(pause.addresses, ["file[\"/etc/nginx/*\"]"]);
    assert_eq!((pause.user.as_str(), pause.until), ("ann", Time(NOON.0 + 7_200_000)));
}
