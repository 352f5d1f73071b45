//! The kinds that edit part of a file, on the real file system.

use uphold_model::{Action, Claim, Value};
use uphold_resource::ErrorKind;

use super::driver::{Bench, Block, changed, mode, read};
use super::edit_laws::{KEY, OTHER_KEY};
use super::spy::Spy;

/// Converges `block` on `before`, which must become `after`; then removes it, which must leave `removed`.
#[track_caller]
fn check(block: impl Fn(&Bench) -> Block, before: &str, after: &str, removed: &str) {
    let bench = Bench::new();
    let path = bench.file("f", before);
    let block = block(&bench).set("file", bench.name("f"));
    bench.converge(&block).unwrap();
    assert_eq!(read(&path), after, "{before:?}");
    assert_eq!(changed(&bench.converge(&block).unwrap()), "");
    bench.remove(&block).unwrap();
    assert_eq!(read(&path), removed, "{before:?}");
}

/// Checks that `block` is refused on `before`, which is not changed.
#[track_caller]
fn refused(block: Block, before: &str, kind: ErrorKind, why: &str) {
    let bench = Bench::new();
    let path = bench.file("f", before);
    let error = bench.converge(&block.set("file", bench.name("f"))).unwrap_err();
    assert!(error.chain().contains(why), "{}", error.chain());
    assert_eq!((error.kind(), &*read(&path)), (kind, before));
}

pub(crate) fn keyed(kind: &'static str, key: &str) -> Block {
    Block::new(kind, "x").set("key", key)
}

#[test]
fn changes_one_value_and_keeps_the_rest() {
    let json = |_: &Bench| keyed("json_edit", "a.b").set("value", 2);
    check(json, "{\"a\": {\"x\": 1}}", "{\"a\": {\"x\": 1, \"b\": 2}}", "{\"a\": {\"x\": 1}}");
    let yaml = |_: &Bench| keyed("yaml_edit", "a.b").set("value", 2);
    check(yaml, "# top\na:\n  x: 1\n", "# top\na:\n  x: 1\n  b: 2\n", "# top\na:\n  x: 1\n");
    let toml = |_: &Bench| keyed("toml_edit", "a.b").set("value", 2);
    check(toml, "# top\n[a]\nx = 1\n", "# top\n[a]\nx = 1\nb = 2\n", "# top\n[a]\nx = 1\n");
    let ini = |_: &Bench| keyed("ini", "b").set("section", "a").set("value", 2);
    check(ini, "# top\n[a]\nx=1\n", "# top\n[a]\nx=1\nb=2\n", "# top\n[a]\nx=1\n");
}

/// Each edit of `before` is verified: the candidate is complete, and a rejected one changes nothing.
#[test]
fn verifies_the_edited_file_before_it_is_put_in_place() {
    let check = |block: Block, before: &str, new: &str| {
        let bench = Bench::new();
        let path = bench.file("f", before);
        let block = block.set("file", bench.name("f"));
        let error =
            bench.converge(&block.clone().set("verify", format!("! grep -q '{new}' {{}}"))).unwrap_err();
        assert_eq!((error.kind(), &*read(&path)), (ErrorKind::Rejected, before), "{}", error.chain());
        let expected = format!("verification of the new {} failed: `verify` exited", path.display());
        assert!(error.chain().starts_with(&expected), "{}", error.chain());
        assert_eq!(bench.names(), [".f.uphold-rejected", "f"]);
        let kept = read(&bench.at(".f.uphold-rejected"));
        assert!(kept.contains(new), "{kept}");
        bench.converge(&block.set("verify", format!("grep -q '{new}' {{}}"))).unwrap();
        assert_eq!((read(&path), bench.names()), (kept, vec!["f".to_owned()]));
    };
    check(keyed("json_edit", "a").set("value", 2), "{\"a\": 1}", "\"a\": 2");
    check(keyed("yaml_edit", "a").set("value", 2), "a: 1\n", "a: 2");
    check(keyed("toml_edit", "a").set("value", 2), "a = 1\n", "a = 2");
    check(keyed("ini", "a").set("value", 2), "a=1\n", "a=2");
    check(Block::new("line", "x").set("line", "b"), "a\n", "b");
    check(Block::new("hosts_entry", "db").set("ip", "192.0.2.7"), "# none\n", "192.0.2.7");
    check(Block::new("ssh_known_host", "db").set("key", KEY), "# none\n", "db ");
}

#[test]
fn refuses_invalid_documents() {
    let invalid = ErrorKind::Invalid;
    refused(
        keyed("json_edit", "a").set("value", 2),
        "{\n  a\n}",
        invalid,
        "not valid JSON: line 2, column 3",
    );
    refused(keyed("yaml_edit", "a").set("value", 2), "a: [\n", invalid, "not valid YAML: line 2");
    refused(keyed("toml_edit", "a").set("value", 2), "a = \n", invalid, "not valid TOML: line 1");
    refused(keyed("json_edit", "a").set("value", 2), "[1]", invalid, "the whole document is a list");
    let anchored = "a: &x 1\nb: *x\n";
    refused(
        keyed("yaml_edit", "a").set("value", 2),
        anchored,
        ErrorKind::Unsupported,
        "cannot edit `a` safely",
    );
}

#[test]
fn creates_a_missing_file_only_with_create() {
    for kind in ["json_edit", "yaml_edit", "toml_edit", "ini"] {
        let bench = Bench::new();
        let block = keyed(kind, "a").set("value", 1).set("file", bench.name("f"));
        let error = bench.converge(&block).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Missing, "{kind}");
        assert!(error.advice().is_some_and(|advice| advice.contains("create = true")), "{kind}");
        bench.converge(&block.set("create", true)).unwrap();
        assert_eq!(mode(&bench.at("f")), 0o644, "{kind}");
    }
}

#[test]
fn claims_one_key_and_shares_the_file() {
    let check = |block: Block, held: &str| {
        let claims = block.set("file", "/etc/f").decode(&Action::Converge).claims();
        let file = vec![Claim::Path("/etc/f".into())];
        assert_eq!((claims.needs, claims.edits), (file.clone(), file));
        assert_eq!(claims.holds.iter().map(ToString::to_string).collect::<Vec<_>>(), [held]);
    };
    check(keyed("json_edit", "a.b").set("value", 1), "key a.b of /etc/f");
    check(keyed("yaml_edit", "a").set("value", 1).set("document", 1), "key a of document 1 of /etc/f");
    check(keyed("ini", "k").set("section", "s").set("value", 1), "key [s] k of /etc/f");
    let host = Block::new("hosts_entry", "db").set("ip", "::1");
    check(host, "the IPv6 address of db in /etc/f");
    let known = Block::new("ssh_known_host", "Git").set("port", 2222).set("key", KEY);
    check(known, "the ssh-ed25519 key of [git]:2222 in /etc/f");
}

#[test]
fn hosts_entry_keeps_undeclared_properties() {
    let db = |_: &Bench| Block::new("hosts_entry", "db").set("ip", "10.0.0.1");
    check(
        db,
        "::1 localhost\n10.9.9.9  db a # why\n",
        "::1 localhost\n10.0.0.1  db a # why\n",
        "::1 localhost\n",
    );
    check(db, "", "10.0.0.1\tdb\n", "");
    check(db, "# 10.0.0.1 db", "# 10.0.0.1 db\n10.0.0.1\tdb", "# 10.0.0.1 db");
    check(db, "10.0.0.1 other db\n", "10.0.0.1 other db\n10.0.0.1\tdb\n", "10.0.0.1 other db\n");
    let named = |bench: &Bench| db(bench).set("aliases", Value::list(["b".into(), "a".into()]));
    check(named, "10.0.0.1 db a b\n", "10.0.0.1 db a b\n", "");
    check(named, "10.0.0.1 db a\n", "10.0.0.1 db b a\n", "");
}

#[test]
fn finds_host_keys_by_name_and_type() {
    let git = |_: &Bench| Block::new("ssh_known_host", "git").set("key", KEY);
    let (right, wrong) = (format!("ssh-ed25519 {KEY}"), format!("ssh-ed25519 {OTHER_KEY}"));
    check(git, "", &format!("git {right}\n"), "");
    check(git, &format!("a,Git {wrong} me\n"), &format!("git,a {right} me\n"), &format!("a {right} me\n"));
    let marked = format!("@revoked git {wrong}\n*.git {wrong}\n");
    check(git, &marked, &format!("{marked}git {right}\n"), &marked);
    // Created with `ssh-keygen -H` for web.example.org.
    let hashed = "|1|GVUaABQrAppqa/U5eUGycX06JzY=|RFcSJvffhP5WpI6ohTL6kkuejj8=";
    let web = |_: &Bench| Block::new("ssh_known_host", "web.example.org").set("key", KEY);
    check(web, &format!("{hashed} {wrong}\n"), &format!("{hashed} {right}\n"), "");
    let plain = |bench: &Bench| web(bench).set("hashed", false);
    check(plain, &format!("{hashed} {right}\n"), &format!("web.example.org {right}\n"), "");
}

#[test]
fn names_are_hashed_one_by_one() {
    let bench = Bench::new();
    let path = bench.file("f", format!("git,a ssh-ed25519 {KEY}\n"));
    let block = Block::new("ssh_known_host", "git").set("file", bench.name("f")).set("key", KEY);
    bench.converge(&block.clone().set("hashed", true)).unwrap();
    let text = read(&path);
    let names: Vec<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(
        names.len() == 2 && names.iter().all(|name| name.starts_with("|1|")) && names[0] != names[1],
        "{text}"
    );
    let a = Block::new("ssh_known_host", "a").set("file", bench.name("f")).set("key", KEY);
    assert_eq!(changed(&bench.converge(&a).unwrap()), "");
}

#[test]
fn decoding_reports_mistakes() {
    let check = |block: Block, expected: &str| {
        let problems = block.try_decode(&Action::Converge).err().unwrap_or_default();
        assert!(problems.contains(expected), "{problems}");
    };
    check(Block::new("json_edit", "x").set("value", 1), "`file` is required");
    check(keyed("json_edit", "").set("file", "/f").set("value", 1), "is not a key path");
    check(keyed("json_edit", "a").set("file", "/f"), "`value` is required");
    let null = keyed("toml_edit", "a").set("value", Value::list([Value::Null]));
    check(null.set("file", "/f"), "which TOML does not support");
    let ini = |key: &str| keyed("ini", key).set("file", "/f");
    check(ini("a=b").set("value", 1), "must be a single line without `=`");
    check(ini("k").set("value", "a\nb"), "must be a single line");
    check(ini("k").set("value", " a"), "begin or end with white space");
    check(ini("k").set("value", Value::list([])), "at least one item");
    check(ini("k").set("value", Value::map::<&str>([])), "not a map");
    check(ini("k").set("value", 1).set("section", "[s]"), "without brackets");
    check(ini("k").set("value", 1).set("separator", "->"), "must be `=`, `:` or white space");
    check(Block::new("hosts_entry", "db").set("ip", "10.0.0"), "is not an IP address");
    check(Block::new("hosts_entry", "d b").set("ip", "10.0.0.1"), "must not contain white space");
    let known = |key: &str| Block::new("ssh_known_host", "git").set("key", key);
    check(known("ssh-ed25519 AAAA"), "is not a public key");
    check(known(&format!("ssh-rsa {KEY}")), "not of the given type");
    let aliases = Value::list(["a".into()]);
    let both = known(KEY).set("hashed", true).set("aliases", aliases).set("type", "ssh-rsa");
    check(both.clone(), "cannot be read back");
    check(both, "is ssh-rsa, but the key itself is of type ssh-ed25519");
}

#[test]
fn secrets_are_hidden() {
    let bench = Bench::new();
    bench.file("f", "{\"password\": \"hunter1\"}");
    let block = keyed("json_edit", "password").set("file", bench.name("f"));
    let block = block.set("value", Value::text("hunter2").sensitive());
    let (_, seen) = block.look(&bench.host.act()).unwrap();
    assert!(!format!("{:?}", seen.differences).contains("hunter"));
    bench.converge(&block).unwrap();
    assert_eq!(read(&bench.at("f")), "{\"password\": \"hunter2\"}");
}

#[test]
fn a_shared_file_is_read_once() {
    let bench = Bench::new();
    let known: String = (0..9).map(|i| format!("host{i} ssh-ed25519 {KEY}\n")).collect();
    let hosts: String = (0..9).map(|i| format!("10.0.0.{i} host{i}\n")).collect();
    let yaml: String = (0..9).map(|i| format!("key{i}: {i}\n")).collect();
    let ini = yaml.replace(": ", " = ");
    let blocks = |i: i64| {
        let named = |kind| Block::new(kind, format!("host{i}"));
        let keyed =
            |kind, file: &str| keyed(kind, &format!("key{i}")).set("file", bench.name(file)).set("value", i);
        [
            named("ssh_known_host").set("file", bench.name("known")).set("key", KEY),
            named("hosts_entry").set("file", bench.name("hosts")).set("ip", format!("10.0.0.{i}")),
            keyed("yaml_edit", "yaml"),
            keyed("ini", "ini"),
            keyed("toml_edit", "ini"),
        ]
    };
    for (name, content) in [("known", known), ("hosts", hosts), ("yaml", yaml), ("ini", ini)] {
        bench.file(name, content);
    }
    // A file that just changed may change again unnoticed, so it is not cached.
    std::thread::sleep(std::time::Duration::from_millis(50));
    let spy = Spy::new(&bench.host, &["value"]);
    for block in (0..9).flat_map(blocks) {
        let (_, seen) = block.look(&spy.act()).unwrap();
        assert!(seen.converged, "{:?}", seen.differences);
    }
    assert_eq!(spy.counts().1, 5, "one for each file and format");
}
