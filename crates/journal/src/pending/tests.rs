//! Tests of pending notifications, among them the write-ahead rule under a simulated power loss.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::resource_key::ResourceKey;
use crate::storage::{AppendFile, Creation, Durability, MemoryStorage, Part, Storage};
use crate::time::Time;

fn open(disk: &MemoryStorage) -> Pending {
    Pending::open(Arc::new(disk.clone()), "pending", Time(0)).unwrap().0
}

fn target(number: usize) -> ResourceKey {
    ResourceKey::new("/etc/uphold", "service", format!("nginx{number}"))
}

fn notification(to: usize, notifier: &str) -> NewNotification {
    NewNotification {
        target: target(to),
        address: "service.nginx".into(),
        verb: "reload".into(),
        moment: "delayed".into(),
        notifier: notifier.into(),
        run: Some(812),
        time: Time(1_794_934_931_000),
        parent: None,
    }
}

#[test]
fn ten_thousand_notifiers_of_one_handler_need_one_sync() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    for number in 0..10_000 {
        let ticket = pending.notify(notification(0, &format!("file.f{number}")));
        pending.wait(&ticket).unwrap();
        pending.settle(ticket);
    }
    assert_eq!(disk.syncs(), 1);
    let due = pending.due();
    assert_eq!((due.len(), due[0].notifiers.len(), due[0].more), (1, 8, 9992));
    let length = disk.read("pending", Part::All).unwrap().len();
    assert!(length < 4096, "{length} bytes");
    let seen = PendingView::read(&disk, "pending").unwrap();
    assert_eq!((seen.due[0].more, seen.damage), (8192, None));
}

#[test]
fn a_delivered_notification_is_not_due_and_the_file_is_emptied() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    let ticket = pending.notify(notification(0, "file.a"));
    pending.settle(ticket);
    pending.delivered(pending.take_up(&target(0), "reload"), Some(812));
    assert_eq!(pending.due(), []);
    assert!(!disk.read("pending", Part::All).unwrap().is_empty());
    pending.compact();
    assert!(disk.read("pending", Part::All).unwrap().is_empty());
    assert_eq!(disk.syncs(), 0);
}

#[test]
fn a_failed_delivery_stays_due_with_its_error_and_can_be_dropped() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    pending.settle(pending.notify(notification(0, "file.a")));
    pending.delivery_failed(pending.take_up(&target(0), "reload"), "exited with status 1");
    pending.settle(pending.notify(notification(0, "file.b")));
    let due = open(&disk).due();
    assert_eq!(due[0].error.as_deref(), Some("exited with status 1"));
    assert_eq!(due[0].notifiers, ["file.a", "file.b"]);
    pending.drop_due(due[0].n, "ann");
    assert_eq!(open(&disk).due(), []);
}

#[test]
fn a_notifier_after_take_up_is_due_again() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    pending.settle(pending.notify(notification(0, "file.a")));
    let delivery = pending.take_up(&target(0), "reload");
    let ticket = pending.notify(notification(0, "file.b"));
    pending.wait(&ticket).unwrap();
    pending.settle(ticket);
    pending.delivered(delivery, None);
    assert_eq!(open(&disk).due()[0].notifiers, ["file.b"]);
}

#[test]
fn a_full_disk_keeps_notifications_in_memory() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    disk.fail_writes(Some(std::io::ErrorKind::StorageFull));
    let ticket = pending.notify(notification(0, "file.a"));
    assert!(pending.wait(&ticket).is_err());
    pending.settle(ticket);
    assert_eq!(pending.failure().unwrap().kind(), std::io::ErrorKind::StorageFull);
    assert_eq!(pending.due().len(), 1);
    pending.delivered(pending.take_up(&target(0), "reload"), None);
    assert_eq!(pending.due(), []);
}

#[test]
fn a_long_file_is_rewritten_with_what_is_due() {
    let disk = MemoryStorage::default();
    let pending = open(&disk);
    for number in 0..1000 {
        pending.settle(pending.notify(notification(number, "file.a")));
        if number > 0 {
            pending.delivered(pending.take_up(&target(number), "reload"), None);
        }
    }
    pending.compact();
    assert!(disk.read("pending", Part::All).unwrap().len() < 1000);
    pending.settle(pending.notify(notification(7, "file.b")));
    assert_eq!(open(&disk).due().len(), 2);
}

/// A storage whose syncs wait until the test allows them.
struct SlowDisk(MemoryStorage, Arc<std::sync::Barrier>);
struct SlowFile(Box<dyn AppendFile>, Arc<std::sync::Barrier>);

impl Storage for SlowDisk {
    fn read(&self, name: &str, part: Part) -> std::io::Result<Vec<u8>> {
        self.0.read(name, part)
    }
    fn append_to(&self, name: &str, creation: Creation) -> std::io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(SlowFile(self.0.append_to(name, creation)?, self.1.clone())))
    }
    fn replace(&self, name: &str, content: &[u8], durability: Durability) -> std::io::Result<()> {
        self.0.replace(name, content, durability)
    }
    fn remove(&self, name: &str) -> std::io::Result<()> {
        self.0.remove(name)
    }
    fn list(&self, folder: &str) -> std::io::Result<Vec<crate::storage::StoredFile>> {
        self.0.list(folder)
    }
}

impl AppendFile for SlowFile {
    fn length(&self) -> std::io::Result<u64> {
        self.0.length()
    }
    fn append(&self, bytes: &[u8]) -> std::io::Result<()> {
        self.0.append(bytes)
    }
    fn cut(&self, length: u64) -> std::io::Result<()> {
        self.0.cut(length)
    }
    fn sync(&self) -> std::io::Result<()> {
        self.1.wait();
        self.0.sync()
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test needs callers at the same time")]
fn callers_at_the_same_time_share_one_sync() {
    let disk = MemoryStorage::default();
    // The first caller syncs; it waits there until all lines are written.
    let barrier = Arc::new(std::sync::Barrier::new(2));
    let storage = Arc::new(SlowDisk(disk.clone(), barrier.clone()));
    let pending = &Pending::open(storage, "pending", Time(0)).unwrap().0;
    let tickets: Vec<Ticket> = (0..8).map(|number| pending.notify(notification(number, "file.a"))).collect();
    std::thread::scope(|scope| {
        for ticket in &tickets {
            scope.spawn(move || pending.wait(ticket).unwrap());
        }
        barrier.wait();
    });
    assert_eq!(disk.syncs(), 1);
}

#[derive(Clone, Copy, Debug)]
enum Move {
    Notify(usize),
    Effect,
    Settle,
    TakeUp(usize),
    Delivered,
    Compact,
    Kill,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (0_usize..2).prop_map(Move::Notify),
        4 => Just(Move::Effect),
        3 => Just(Move::Settle),
        3 => (0_usize..2).prop_map(Move::TakeUp),
        3 => Just(Move::Delivered),
        1 => Just(Move::Compact),
        1 => Just(Move::Kill),
    ];
    proptest::collection::vec(one, 0..40)
}

/// The engine, as far as notifications go: each change notifies, waits, takes effect and settles.
#[derive(Default)]
struct Model {
    /// Tickets, with their targets: before the effect, and after it.
    before: Vec<(usize, Ticket)>,
    after: Vec<Ticket>,
    deliveries: Vec<Delivery>,
    /// Whether the target has an effect that no later delivery covered.
    owes: [bool; 2],
}

impl Model {
    fn step(&mut self, pending: &mut Pending, disk: &MemoryStorage, step: Move) {
        match step {
            Move::Notify(to) => self.before.push((to, pending.notify(notification(to, "file.a")))),
            Move::Effect if !self.before.is_empty() => {
                let (to, ticket) = self.before.remove(0);
                pending.wait(&ticket).unwrap();
                self.owes[to] = true;
                self.after.push(ticket);
            }
            Move::Settle if !self.after.is_empty() => pending.settle(self.after.remove(0)),
            Move::TakeUp(to) => {
                self.deliveries.push(pending.take_up(&target(to), "reload"));
                self.owes[to] = false;
            }
            Move::Delivered if !self.deliveries.is_empty() => {
                pending.delivered(self.deliveries.remove(0), None);
            }
            Move::Compact => pending.compact(),
            Move::Kill => {
                *pending = open(disk);
                *self = Self { owes: self.owes, ..Self::default() };
            }
            Move::Effect | Move::Settle | Move::Delivered => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// After a power loss at any step that drops any subset of unsynced writes, each effect was followed by a delivery, or
    /// its notification is due.
    #[test]
    fn no_power_loss_loses_a_notification(moves in moves(), fates in proptest::collection::vec(0_usize..200, 64)) {
        let disk = MemoryStorage::default();
        let mut pending = open(&disk);
        let mut model = Model::default();
        for step in moves {
            model.step(&mut pending, &disk, step);
            let mut fate = fates.iter().cycle();
            let after = disk.after_power_loss(|| match fate.next() {
                Some(kept) if kept % 3 == 0 => None,
                Some(kept) if kept % 3 == 1 => Some(usize::MAX),
                kept => kept.copied(),
            });
            let due = open(&after).due();
            for (to, owes) in model.owes.iter().enumerate() {
                prop_assert!(!owes || due.iter().any(|due| due.target == target(to)), "{step:?}: {due:?}");
            }
        }
    }
}
