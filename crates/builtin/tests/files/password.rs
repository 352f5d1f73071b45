//! The kind `password`.

use std::path::Path;

use uphold_builtin::Password;
use uphold_model::{Action, Claim, Value};
use uphold_resource::Access;
use uphold_testkit::{MemoryHost, Subject, Wish};

use super::driver::{Bench, Block, changed, converge, mode, read, set_mode};
use super::laws::broken_except;

fn keepers(value: &str) -> Value {
    Value::map([("release", Value::text(value))])
}

uphold_testkit::laws! {
    Password,
    world: |host| {
        let host = host.directory("/var", 0o755).directory("/var/lib", 0o755).directory("/etc", 0o755);
        let host = host.user("app", 1000).group("www", 33);
        host.file("/etc/there", "old secret\n", 0o644).file("/etc/empty", "", 0o600)
    },
    wishes: [
        { "db" },
        { "db", length = 12, keepers = keepers("1") },
        { "db", length = 12, keepers = keepers("2"), mode = "0640" },
        { "db", keepers = Value::map::<&str>([]) },
        { "there", path = "/etc/there" },
        { "there", path = "/etc/there", length = 20, alphabet = "hex" },
        { "there", path = "/etc/there", length = 20, characters = "ab" },
        { "empty", path = "/etc/empty", length = 40, alphabet = "printable" },
    ],
    drift: [
        |host| host.delete("/var/lib/uphold/passwords/db"),
        |host| host.delete("/var/lib/uphold/passwords/db.keepers"),
        |host| host.tamper("/etc/there", "short"),
        |host| host.change_access("/etc/there", Access { mode: Some(0o755), ..Access::default() }),
    ],
}

/// A file is written again when its owner or group changes, even if its content is right.
#[test]
fn a_password_with_a_new_owner_keeps_all_laws_but_minimal_changes() {
    let named = || Wish::named("there").set("path", "/etc/there");
    let subject = || {
        Subject::of::<Password>()
            .world(|host| {
                let host = host.directory("/etc", 0o755).user("app", 1000).group("www", 33);
                host.file("/etc/there", "old secret\n", 0o600)
            })
            .drift(|host| host.tamper("/etc/there", "short"))
    };
    const LAW: &str = "only_changed_properties_are_touched";
    let by_group = subject().wish(named().set("group", "www")).wish(named().set("length", 20));
    assert_eq!(broken_except(LAW, &by_group), [""; 0]);
    // Without `owner`, a file of another user is refused, so no property can be omitted.
    let by_owner = subject().wish(named().set("owner", "app").set("length", 20));
    let broken = broken_except(LAW, &by_owner);
    assert!(broken.iter().all(|broken| broken.contains("add a second one")), "{broken:?}");
}

fn password(bench: &Bench) -> Block {
    Block::new("password", "db").set("path", bench.name("f"))
}

#[test]
fn is_generated_once_and_private() {
    let bench = Bench::new();
    bench.converge(&password(&bench)).unwrap();
    let first = read(&bench.at("f"));
    assert_eq!((first.len(), mode(&bench.at("f"))), (32, 0o600));
    assert!(first.chars().all(|character| character.is_ascii_alphanumeric()), "{first}");
    assert_eq!(changed(&bench.converge(&password(&bench)).unwrap()), "");
    set_mode(&bench.at("f"), 0o644);
    assert_eq!(changed(&bench.converge(&password(&bench)).unwrap()), "mode");
    assert_eq!((read(&bench.at("f")), mode(&bench.at("f"))), (first.clone(), 0o600));
    assert_eq!(changed(&bench.converge(&password(&bench).set("length", 8)).unwrap()), "length");
    assert_ne!(read(&bench.at("f")), first[..8]);
}

#[test]
fn is_generated_again_for_other_keepers_and_on_request() {
    let bench = Bench::new();
    let of = |release: &str| password(&bench).set("keepers", keepers(release));
    bench.converge(&of("1")).unwrap();
    let first = read(&bench.at("f"));
    assert_eq!(
        (bench.names(), mode(&bench.at("f.keepers"))),
        (vec!["f".to_owned(), "f.keepers".to_owned()], 0o600)
    );
    assert_eq!(changed(&bench.converge(&of("1")).unwrap()), "");
    assert_eq!(changed(&bench.converge(&of("2")).unwrap()), "keepers");
    let second = read(&bench.at("f"));
    assert_ne!(first, second);
    of("2").run("regenerate", &bench.host.act()).unwrap();
    assert_ne!(read(&bench.at("f")), second);
    assert_eq!(changed(&bench.converge(&of("2")).unwrap()), "");
    bench.remove(&password(&bench)).unwrap();
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn uses_the_declared_characters() {
    let check = |block: fn(Block) -> Block, allowed: &str| {
        let bench = Bench::new();
        bench.converge(&block(password(&bench)).set("length", 200)).unwrap();
        let found: std::collections::BTreeSet<char> = read(&bench.at("f")).chars().collect();
        assert!(found.iter().all(|character| allowed.contains(*character)), "{found:?}");
        // One may be missing by chance, but not a third of them.
        assert!(found.len() * 3 > allowed.len() * 2, "{found:?}");
    };
    check(|block| block.set("alphabet", "hex"), "0123456789abcdef");
    check(|block| block.set("alphabet", "digits"), "0123456789");
    check(|block| block.set("characters", "aé-"), "aé-");
}

#[test]
fn its_value_is_a_secret() {
    let host = MemoryHost::new().directory("/etc", 0o755).file("/etc/p", "hunter2\n", 0o600);
    let block = Block::new("password", "db").set("path", "/etc/p");
    assert_eq!(block.value("value", &host.act()), Some(Value::text("hunter2").sensitive()));
    let (_, seen) = block.set("length", 9).look(&host.act()).unwrap();
    assert!(!format!("{:?}", seen.differences).contains("hunter"));
}

#[test]
fn claims_its_file_and_depends_on_the_directory() {
    let claims = Block::new("password", "db").set("path", "/srv/p").decode(&Action::Converge).claims();
    let paths = |path: &str| vec![Claim::Path(path.into())];
    assert_eq!((claims.holds, claims.needs), (paths("/srv/p"), paths("/srv")));
    let claims = Block::new("password", "db").decode(&Action::Converge).claims();
    let store = "/var/lib/uphold/passwords";
    assert_eq!((claims.holds, claims.needs), (paths(&format!("{store}/db")), paths(store)));
}

#[test]
fn refuses_a_password_that_another_user_could_have_chosen() {
    let access = |mode: u32, uid: u32| Access { mode: Some(mode), uid: Some(uid), gid: None };
    let world = || {
        let host = MemoryHost::new().directory("/srv", 0o755).directory("/srv/d", 0o755);
        host.user("app", 1000).file("/srv/d/p", "hunter2", 0o600)
    };
    let check = |change: &dyn Fn(&MemoryHost), owner: Option<&str>, refused: Option<&str>| {
        let host = world();
        change(&host);
        let block = Block::new("password", "db").set("path", "/srv/d/p").set("length", 7);
        let block = owner.map_or(block.clone(), |owner| block.set("owner", owner));
        let found = converge(&block, &host.act()).err().map(|error| error.to_string());
        let reason = found.as_deref().map(|found| found.rsplit(": ").next().unwrap_or_default());
        assert_eq!(reason, refused, "{found:?}");
    };
    check(&|_| {}, None, None);
    let given = |host: &MemoryHost| host.change_access("/srv/d/p", access(0o600, 1000));
    check(&given, None, Some("/srv/d/p belongs to app"));
    check(&given, Some("app"), None);
    let open = |host: &MemoryHost| host.change_access("/srv/d/p", access(0o666, 0));
    check(&open, None, Some("others can write /srv/d/p"));
    let directory = |host: &MemoryHost| host.change_access("/srv/d", access(0o755, 1000));
    check(&directory, None, Some("/srv/d belongs to app"));
    check(&directory, Some("app"), None);
    let missing = |host: &MemoryHost| {
        host.change_access("/srv/d", access(0o777, 0));
        host.delete("/srv/d/p");
    };
    check(&missing, None, Some("others can write /srv/d"));
    let keepers = |host: &MemoryHost| {
        host.change_access("/srv/d", access(0o1777, 0));
        host.tamper("/srv/d/p.keepers", "{}");
        host.change_access("/srv/d/p.keepers", access(0o600, 1000));
    };
    check(&keepers, None, Some("/srv/d/p.keepers belongs to app"));
    // A new one is not read from the file.
    let host = world();
    given(&host);
    Block::new("password", "db").set("path", "/srv/d/p").run("regenerate", &host.act()).unwrap();
    assert!(!host.act().files().read(Path::new("/srv/d/p"), 0).unwrap().starts_with(b"hunter2"));
}

#[test]
fn decoding_reports_mistakes() {
    let check = |block: Block, expected: &str| {
        let problems = block.try_decode(&Action::Converge).err().unwrap_or_default();
        assert!(problems.contains(expected), "{problems}");
    };
    check(Block::new("password", "a/b"), "must not contain slashes");
    check(Block::new("password", "db").set("length", 0), "must be from 1 to 4096");
    check(Block::new("password", "db").set("characters", "a"), "must have 2 to 256 different characters");
    check(Block::new("password", "db").set("characters", "aba"), "must have 2 to 256 different characters");
    check(Block::new("password", "db").set("characters", "ab").set("alphabet", "hex"), "excludes");
}
