//! The kind `password`.

use uphold_builtin::Password;
use uphold_model::{Action, Claim, Value};
use uphold_resource::Access;
use uphold_testkit::{MemoryHost, Subject, Wish};

use crate::driver::{Bench, Block, changed, mode, read, set_mode};
use crate::laws::broken_besides;

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
        |host| host.change_access("/etc/there", Access { mode: Some(0o777), ..Access::default() }),
    ],
}

/// A file is written again when it gets another owner, even if its content is right.
#[test]
fn one_that_is_given_away_keeps_every_law_but_that_of_thrift() {
    let named = || Wish::named("there").set("path", "/etc/there");
    let subject = Subject::of::<Password>()
        .world(|host| {
            let host = host.directory("/etc", 0o755).user("app", 1000).group("www", 33);
            host.file("/etc/there", "old secret\n", 0o600)
        })
        .wish(named().set("owner", "app"))
        .wish(named().set("group", "www").set("length", 20))
        .drift(|host| host.tamper("/etc/there", "short"));
    assert_eq!(broken_besides("only_changed_properties_are_touched", &subject), [""; 0]);
}

fn password(bench: &Bench) -> Block {
    Block::new("password", "db").set("path", bench.name("f"))
}

#[test]
fn is_made_once_and_private() {
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
fn is_made_anew_for_other_keepers_and_on_request() {
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
fn is_made_of_what_was_asked_for() {
    let check = |block: fn(Block) -> Block, allowed: &str| {
        let bench = Bench::new();
        bench.converge(&block(password(&bench)).set("length", 200)).unwrap();
        let found: std::collections::BTreeSet<char> = read(&bench.at("f")).chars().collect();
        assert!(found.iter().all(|character| allowed.contains(*character)), "{found:?}");
        // By chance one may be missing, but not a third of them.
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
fn holds_its_file_and_needs_the_directory() {
    let claims = Block::new("password", "db").set("path", "/srv/p").decode(&Action::Converge).claims();
    let paths = |path: &str| vec![Claim::Path(path.into())];
    assert_eq!((claims.holds, claims.needs), (paths("/srv/p"), paths("/srv")));
    let claims = Block::new("password", "db").decode(&Action::Converge).claims();
    let store = "/var/lib/uphold/passwords";
    assert_eq!((claims.holds, claims.needs), (paths(&format!("{store}/db")), paths(store)));
}

#[test]
fn mistakes_are_found_when_decoding() {
    let check = |block: Block, expected: &str| {
        let problems = block.try_decode(&Action::Converge).err().unwrap_or_default();
        assert!(problems.contains(expected), "{problems}");
    };
    check(Block::new("password", "a/b"), "must be a name without slashes");
    check(Block::new("password", "db").set("length", 0), "must be from 1 to 4096");
    check(Block::new("password", "db").set("characters", "a"), "must be two characters or more");
    check(Block::new("password", "db").set("characters", "aba"), "none of them twice");
    check(Block::new("password", "db").set("characters", "ab").set("alphabet", "hex"), "excludes");
}
