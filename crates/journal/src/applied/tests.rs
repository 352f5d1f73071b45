//! Tests of the last applied values.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use uphold_model::DifferenceCause as Cause;

use super::*;
use crate::resource_key::ResourceKey;
use crate::secret_key::SecretKey;
use crate::storage::{Durability, MemoryStorage, Part, Storage};
use crate::time::Time;

const SITE: &str = "/etc/uphold";

fn open_with_damage(disk: &MemoryStorage) -> crate::failure::Result<(Applied, Vec<crate::line::Damage>)> {
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    Applied::open(&storage, Time(0))
}

fn open(disk: &MemoryStorage) -> Applied {
    let (applied, damage) = open_with_damage(disk).unwrap();
    assert_eq!(damage, []);
    applied
}

fn same(disk: &MemoryStorage, configuration: &str, set: &str) -> bool {
    last_set(disk, configuration).unwrap().is_some_and(|last| last.set == set)
}

fn key(path: &str) -> ResourceKey {
    ResourceKey::new(SITE, "file", path)
}

fn resource(path: &str, mode: &str) -> AppliedResource {
    let property =
        |value: &str| AppliedProperty { observed: Observed::of(value), declared: DeclaredDigest::of(value) };
    let properties = [
        ("mode", mode),
        ("owner", "root"),
        ("content", "a text of more than sixty-four bytes, so that only its digest is kept"),
    ];
    AppliedResource {
        key: key(path),
        address: format!("file[\"{path}\"]"),
        properties: properties.map(|(name, value)| (name, property(value))).into_iter().collect(),
        is_created: true,
        is_left: false,
        on_removal: Some("remove".into()),
        notifies: Vec::new(),
        first_previous: Some((812, 7)),
        run: 812,
        time: Time(1_794_934_931_000),
        dependencies: vec![dependency_digest("directory[\"/etc\"]")],
        declared: BTreeMap::new(),
    }
}

#[test]
fn a_resource_needs_at_most_300_bytes() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    for number in 0..100 {
        applied.put(resource(&format!("/etc/nginx/{number:03}.conf"), "0644"));
    }
    applied.finish(SITE, Some("set"));
    let length = disk.read("applied", Part::All).unwrap().len();
    assert!(length / 100 <= 300, "{} bytes a resource", length / 100);
}

#[test]
fn the_last_set_is_known_from_one_line() {
    let disk = MemoryStorage::default();
    assert!(!same(&disk, SITE, "one"));
    let mut applied = open(&disk);
    applied.put(resource("/etc/motd", "0644"));
    assert!(!same(&disk, SITE, "one"));
    applied.finish(SITE, Some("one"));
    assert!(same(&disk, SITE, "one") && !same(&disk, SITE, "two") && !same(&disk, "/other", "one"));
    applied.finish("/other", Some("two"));
    assert!(same(&disk, SITE, "one") && same(&disk, "/other", "two"));
    applied.put(resource("/etc/motd", "0600"));
    applied.finish(SITE, None);
    assert!(!same(&disk, SITE, "one"), "not everything was visited");
    assert!(same(&disk, "/other", "two"));
    applied.finish(SITE, Some("one"));
    (0..100).for_each(|number| applied.put(resource(&number.to_string(), "0644")));
    applied.finish(SITE, Some("three"));
    assert_eq!(disk.read("applied.log", Part::All).unwrap(), b"");
    assert!(same(&disk, SITE, "three") && same(&disk, "/other", "two"));
}

#[test]
fn a_run_without_changes_writes_nothing() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    applied.put(resource("/etc/motd", "0644"));
    applied.finish(SITE, Some("one"));
    let before = disk.read("applied.log", Part::All).unwrap();
    let mut applied = open(&disk);
    applied.put(AppliedResource { run: 813, ..resource("/etc/motd", "0644") });
    applied.finish(SITE, Some("one"));
    assert_eq!(disk.read("applied.log", Part::All).unwrap(), before);
    assert_eq!(disk.syncs(), 0);
}

#[test]
fn a_renamed_resource_keeps_its_record() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    applied.put(resource("/etc/a", "0644"));
    applied.rename(&key("/etc/a"), key("/etc/b"), "file.b");
    applied.finish(SITE, None);
    let applied = open(&disk);
    assert_eq!(applied.get(&key("/etc/a")), None);
    assert_eq!(applied.get(&key("/etc/b")).unwrap().address, "file.b");
    assert_eq!(applied.of_configuration(SITE).count(), 1);
    assert_eq!(applied.of_configuration("/etc").count(), 0);
}

#[test]
fn damage_is_reported_and_the_other_records_are_kept() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    (0..100).for_each(|number| applied.put(resource(&number.to_string(), "0644")));
    applied.finish(SITE, Some("one"));
    let whole = disk.read("applied", Part::All).unwrap();
    let damaged = {
        let mut content = whole.clone();
        content[10_000] ^= 1;
        content
    };
    for (content, least) in [(&damaged[..], 99), (&whole[..whole.len() / 2], 40)] {
        disk.replace("applied", content, Durability::Synced).unwrap();
        let (applied, damage) = open_with_damage(&disk).unwrap();
        assert_eq!(damage[0].copy.as_deref(), Some("applied.damaged-19700101-000000"));
        assert!((least..100).contains(&applied.of_configuration(SITE).count()));
        assert!(!same(&disk, SITE, "one"));
        open(&disk);
    }
}

#[test]
fn causes_follow_the_table() {
    let last = resource("/etc/motd", "0644");
    let check = |property: &str, observed: &str, declared: &str, expected: Cause| {
        let found = cause(&last, property, &Observed::of(observed), &DeclaredDigest::of(declared));
        assert_eq!(found, expected, "{property} {observed} {declared}");
    };
    check("mode", "0644", "0600", Cause::New);
    check("mode", "0666", "0644", Cause::Drift);
    check("mode", "0666", "0600", Cause::Both);
    check("mode", "0644", "0644", Cause::New);
    check("group", "root", "adm", Cause::New);
}

#[test]
fn secrets_are_compared_without_being_stored() {
    let [key, other] = [(); 2].map(|()| SecretKey::open(&MemoryStorage::default()).unwrap());
    let secret = |key: &SecretKey, value: &str| Observed::secret(key, value.as_bytes());
    assert_eq!(secret(&key, "hunter2").is_same(&secret(&key, "hunter2")), Some(true));
    assert_eq!(secret(&key, "hunter2").is_same(&secret(&key, "hunter3")), Some(false));
    assert_eq!(secret(&key, "hunter2").is_same(&secret(&other, "hunter2")), None);
    assert_eq!(secret(&key, "hunter2").is_same(&Observed::of("hunter2")), None);
    assert!(!format!("{:?}", secret(&key, "hunter2")).contains("hunter"));
    assert_ne!(DeclaredDigest::secret(&key, b"a"), DeclaredDigest::of("a"));
    assert_ne!(Observed::of("!x"), secret(&key, "x"));
    assert!(format!("{:?}", Observed::of("#x")).len() > 30, "a text that looks like a digest is digested");
}

#[test]
fn records_that_are_no_longer_declared_are_listed_until_they_are_forgotten() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    ["/a", "/b"].into_iter().for_each(|path| applied.put(resource(path, "0644")));
    let left = |disk: &MemoryStorage| -> Vec<String> {
        let last = last_set(disk, SITE).unwrap().unwrap();
        last.left.into_iter().map(|left| left.identity).collect()
    };
    applied.mark_left(SITE, |record| record.key.identity == "/b");
    applied.finish(SITE, Some("one"));
    assert_eq!(left(&disk), ["/a"]);
    let mut applied = open(&disk);
    assert!(applied.get(&key("/a")).unwrap().is_left && !applied.get(&key("/b")).unwrap().is_left);
    applied.mark_left(SITE, |_| true);
    applied.finish(SITE, Some("one"));
    assert_eq!(left(&disk), [""; 0], "declared again");
    applied.mark_left(SITE, |_| false);
    applied.forget(&key("/b"));
    applied.finish(SITE, Some("one"));
    assert_eq!(left(&disk), ["/a"]);
    (0..200).for_each(|number| applied.put(resource(&number.to_string(), "0644")));
    applied.mark_left(SITE, |_| false);
    applied.finish(SITE, Some("one"));
    assert_eq!(last_set(&disk, SITE).unwrap(), None, "the line would be too long");
}

#[test]
fn the_configurations_that_were_applied_least_recently_are_forgotten() {
    let disk = MemoryStorage::default();
    let mut applied = open(&disk);
    for number in 0..=100 {
        let name = format!("/{number}");
        let key = ResourceKey { configuration: name.clone(), ..key("/etc/motd") };
        applied.put(AppliedResource { key, time: Time(number), ..resource("/etc/motd", "0644") });
        applied.finish(&name, Some("set"));
    }
    assert_eq!(open(&disk).all().count(), 75);
    assert!(!same(&disk, "/25", "set") && same(&disk, "/26", "set") && same(&disk, "/100", "set"));
}

#[test]
fn one_record_is_found_without_the_others() {
    let disk = MemoryStorage::default();
    let storage: Arc<dyn Storage> = Arc::new(disk.clone());
    let find = |path: &str| find(&storage, &key(path)).unwrap();
    assert_eq!(find("/a"), None);
    let mut applied = open(&disk);
    (0..100).for_each(|number| applied.put(resource(&format!("/{number}"), "0644")));
    applied.finish(SITE, Some("one"));
    let mut applied = open(&disk);
    applied.put(resource("/7", "0600"));
    applied.put(resource("/\"quoted\"", "0600"));
    applied.forget(&key("/8"));
    applied.finish(SITE, Some("two"));
    for path in ["/7", "/8", "/9", "/\"quoted\"", "/"] {
        assert_eq!(find(path).as_ref(), applied.get(&key(path)), "{path}");
    }
}

#[test]
fn dependents_are_removed_before_their_dependencies() {
    let with = |path: &str, dependencies: &[&str]| AppliedResource {
        dependencies: dependencies.iter().map(|address| dependency_digest(address)).collect(),
        address: format!("module.m.file.{path}"),
        ..resource(path, "0644")
    };
    let covering = |address: &str| vec!["module.m".to_owned(), address.to_owned()];
    let [a, b] = ["module.m.file.a", "module.m.file.b"];
    let all = [with("a", &[]), with("b", &[a]), with("c", &[b, a]), with("kept", &[])];
    let is_declared = |resource: &AppliedResource| resource.key.identity == "kept";
    let removed = no_longer_declared(all.iter(), is_declared, covering);
    let names: Vec<&str> = removed.iter().map(|resource| &*resource.key.identity).collect();
    assert_eq!(names, ["c", "b", "a"]);
    let cycle = [with("a", &[b]), with("b", &[a])];
    assert_eq!(no_longer_declared(cycle.iter(), is_declared, covering).len(), 2);
    let outside = AppliedResource {
        address: "task.x".into(),
        dependencies: vec![dependency_digest("module.m")],
        ..resource("x", "0644")
    };
    let all = [with("a", &[]), with("b", &[a]), outside];
    let is_covering = |address: &str| match address {
        "task.x" => vec![address.to_owned()],
        address => covering(address),
    };
    let removed = no_longer_declared(all.iter(), is_declared, is_covering);
    assert_eq!(removed[0].address, "task.x", "it depends on the whole module");
}

#[test]
fn removals_that_look_like_a_mistake_are_refused() {
    let all: Vec<AppliedResource> = (0..60)
        .map(|number| AppliedResource {
            address: format!("{}file.{number}", if number < 3 { "module.web." } else { "" }),
            ..resource(&number.to_string(), "0644")
        })
        .collect();
    let module = |address: &str| address.starts_with("module.").then(|| "web".to_owned());
    let check = |removed: std::ops::Range<usize>, expected: Result<(), TooManyRemovals>| {
        let removed: Vec<&AppliedResource> = all[removed].iter().collect();
        assert_eq!(check_removals(all.iter(), &removed, module), expected);
    };
    check(10..22, Ok(()));
    check(10..23, Err(TooManyRemovals::Share { removed: 13, of: 60 }));
    check(1..4, Ok(()));
    check(0..3, Err(TooManyRemovals::Module("web".into())));
    let all = &all[20..23];
    let everything: Vec<&AppliedResource> = all.iter().collect();
    let refused = Err(TooManyRemovals::Share { removed: 3, of: 3 });
    assert_eq!(check_removals(all.iter(), &everything, module), refused);
    assert_eq!(check_removals(all[..2].iter(), &everything[..2], module), Ok(()));
}

#[derive(Clone, Debug)]
enum Move {
    Put(u8, u8),
    Forget(u8),
    Finish,
    Reopen,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Lookups equal those of a map, whatever is folded and reopened in between.
    #[test]
    fn equals_a_map(moves in proptest::collection::vec(
        prop_oneof![
            8 => (0_u8..30, 0_u8..8).prop_map(|(path, mode)| Move::Put(path, mode)),
            2 => (0_u8..30).prop_map(Move::Forget),
            1 => Just(Move::Finish),
            1 => Just(Move::Reopen),
        ], 0..120)) {
        let disk = MemoryStorage::default();
        let mut applied = open(&disk);
        let mut model: BTreeMap<ResourceKey, AppliedResource> = BTreeMap::new();
        for step in moves {
            match step {
                Move::Put(path, mode) => {
                    let resource = resource(&path.to_string(), &mode.to_string());
                    model.insert(resource.key.clone(), resource.clone());
                    applied.put(resource);
                }
                Move::Forget(path) => {
                    let key = key(&path.to_string());
                    prop_assert_eq!(applied.forget(&key), model.remove(&key).is_some());
                }
                Move::Finish => {
                    applied.finish(SITE, Some("set"));
                    prop_assert!(same(&disk, SITE, "set"));
                }
                Move::Reopen => {
                    applied.finish(SITE, None);
                    applied = open(&disk);
                }
            }
            prop_assert!(applied.of_configuration(SITE).eq(model.values()));
        }
        applied.finish(SITE, None);
        prop_assert!(open(&disk).of_configuration(SITE).eq(model.values()));
    }

    /// A power loss at any time leaves records that were put at some time, and never an unreadable file.
    #[test]
    fn a_power_loss_leaves_whole_records(puts in proptest::collection::vec((0_u8..40, 0_u8..8), 1..80), fates in proptest::collection::vec(0_usize..400, 64)) {
        let disk = MemoryStorage::default();
        let mut applied = open(&disk);
        for (index, (path, mode)) in puts.iter().enumerate() {
            applied.put(resource(&path.to_string(), &mode.to_string()));
            if index % 20 == 19 {
                applied.finish(SITE, Some("set"));
            }
        }
        let mut fate = fates.iter().cycle();
        let after = disk.after_power_loss(|| fate.next().filter(|kept| *kept % 3 > 0).copied());
        let (found, _) = open_with_damage(&after).unwrap();
        for record in found.of_configuration(SITE) {
            let was_put = puts.iter().any(|(path, mode)| resource(&path.to_string(), &mode.to_string()) == *record);
            prop_assert!(was_put);
        }
        open(&after);
    }
}

#[test]
fn a_first_run_writes_the_same_records_from_lines() {
    let disks = [MemoryStorage::default(), MemoryStorage::default()];
    for disk in &disks {
        let mut other = open(disk);
        for number in 0..50 {
            let key = ResourceKey::new("/etc/other", "file", format!("/srv/{number}"));
            other.put(AppliedResource { key, ..resource("/srv", "0644") });
        }
        other.finish("/etc/other", Some("other"));
    }
    let records: Vec<AppliedResource> = (0..50)
        .map(|number| AppliedResource {
            key: ResourceKey::new(SITE, ["link", "file"][number % 2], format!("/etc/{}", 50 - number)),
            ..resource("/etc", "0644")
        })
        .collect();
    let mut applied = open(&disks[0]);
    records.iter().cloned().for_each(|record| applied.put(record));
    applied.finish(SITE, Some("set"));
    let applied = open(&disks[1]);
    let number = applied.number_of(SITE);
    let lines: Vec<SealedRecord> = records.iter().map(|one| SealedRecord::new(number, one)).collect();
    assert_eq!(applied.finish_first(SITE, Some("set"), &lines).map(|failure| failure.to_string()), None);
    let sorted = |disk: &MemoryStorage| {
        let text = String::from_utf8(disk.read("applied", Part::All).unwrap()).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Its digest depends on the order.
        assert!(lines.pop().is_some_and(|last| last.starts_with("{\"end\":")));
        lines.sort();
        lines
    };
    assert_eq!(sorted(&disks[0]), sorted(&disks[1]));
    assert!(same(&disks[1], SITE, "set") && same(&disks[1], "/etc/other", "other"));
    assert_eq!(open(&disks[1]).of_configuration(SITE).count(), 50);
}

#[test]
fn lines_with_another_number_are_learned_again() {
    let disk = MemoryStorage::default();
    let line = SealedRecord::new(7, &resource("/etc/motd", "0644"));
    assert!(open(&disk).finish_first(SITE, Some("set"), &[line]).is_none());
    assert!(!same(&disk, SITE, "set"));
    assert_eq!(open(&disk).all().count(), 0);
}
