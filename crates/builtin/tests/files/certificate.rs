//! The kind `certificate`: its laws in memory, and real certificates checked with OpenSSL.

use std::process::Command;
use std::time::Duration;

use uphold_builtin::Certificate;
use uphold_model::{Action, Value};
use uphold_resource::{Access, Clock, ErrorKind};
use uphold_testkit::MemoryHost;

use super::driver::{Bench, Block, changed, converge, mode, read, set_mode};

fn list(names: &[&str]) -> Value {
    Value::list(names.iter().map(|name| Value::text(*name)))
}

// Other key types are generated from another random source, and differ in each run.
uphold_testkit::laws! {
    Certificate,
    world: |host| host.directory("/etc", 0o755).user("app", 1000).group("www", 33).file("/etc/junk", "x", 0o644),
    wishes: [
        { "/etc/c", key = "/etc/k", key_type = "ed25519", common_name = "a.example" },
        { "/etc/c", key = "/etc/k", key_type = "ed25519", common_name = "b.example", names = list(&["b", "::1"]) },
        { "/etc/c", key = "/etc/k", key_type = "ed25519", common_name = "CA", is_ca = true, mode = "0600" },
        { "/etc/c", key = "/etc/k", key_type = "ed25519", common_name = "CA", key_mode = "0640", group = "www",
            subject = Value::map([("O", Value::text("Ex, Ltd")), ("C", Value::text("DE"))]) },
        { "/etc/junk", key = "/etc/k", key_type = "ed25519", common_name = "a.example", owner = "app" },
    ],
    drift: [
        |host| host.delete("/etc/k"),
        |host| host.delete("/etc/c"),
        |host| host.tamper("/etc/c", "no certificate"),
        |host| host.change_access("/etc/k", Access { mode: Some(0o644), ..Access::default() }),
    ],
}

/// A certificate `NAME.crt` with the key `NAME.key`.
fn certificate(bench: &Bench, name: &str) -> Block {
    let (path, key) = (bench.name(&format!("{name}.crt")), bench.name(&format!("{name}.key")));
    Block::new("certificate", path).set("key", key).set("common_name", format!("{name}.example.org"))
}

fn authority(bench: &Bench, name: &str) -> Block {
    certificate(bench, name).set("is_ca", true).set("days", 3650)
}

fn signed(bench: &Bench, name: &str, by: &str) -> Block {
    let block = certificate(bench, name).set("signed_by", bench.name(&format!("{by}.crt")));
    block.set("signing_key", bench.name(&format!("{by}.key")))
}

/// The output of OpenSSL, which must be installed for these tests.
#[track_caller]
fn openssl(bench: &Bench, arguments: &str) -> String {
    let command = format!("cd {} && openssl {arguments} 2>&1", bench.name(""));
    let output = Command::new("sh").args(["-c", &command]).output().expect("a shell");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "openssl {arguments}: {printed}");
    printed
}

#[test]
fn openssl_accepts_all_key_types() {
    for kind in ["p256", "p384", "ed25519"] {
        let bench = Bench::new();
        bench.converge(&authority(&bench, "ca").set("key_type", kind)).unwrap();
        let names = list(&["web.example.org", "*.example.org", "192.0.2.7", "2001:db8::7"]);
        let parts = Value::map([("O", Value::text("Example")), ("C", Value::text("DE"))]);
        let web = signed(&bench, "web", "ca").set("key_type", kind).set("names", names).set("subject", parts);
        bench.converge(&web).unwrap();
        assert_eq!(changed(&bench.converge(&web).unwrap()), "", "{kind}");
        openssl(
            &bench,
            "verify -x509_strict -CAfile ca.crt -purpose sslserver -verify_hostname x.example.org web.crt",
        );
        openssl(&bench, "verify -x509_strict -CAfile ca.crt -verify_ip 2001:db8::7 web.crt");
        openssl(&bench, "pkey -in web.key -noout -check");
        let printed =
            openssl(&bench, "x509 -in web.crt -noout -subject -issuer -ext subjectAltName -nameopt RFC2253");
        assert!(
            printed.contains("subject=CN=web.example.org,O=Example,C=DE\nissuer=CN=ca.example.org\n"),
            "{printed}"
        );
        let names =
            "DNS:web.example.org, DNS:*.example.org, IP Address:192.0.2.7, IP Address:2001:DB8:0:0:0:0:0:7";
        assert!(printed.contains(names), "{printed}");
        let half = openssl(&bench, "x509 -in web.crt -noout -pubkey");
        assert_eq!(half, openssl(&bench, "pkey -in web.key -pubout"), "{kind}");
        assert_eq!((mode(&bench.at("web.key")), mode(&bench.at("web.crt"))), (0o600, 0o644));
    }
}

#[test]
fn uses_an_existing_key() {
    let bench = Bench::new();
    openssl(&bench, "genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out web.key");
    openssl(&bench, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out ca.key");
    set_mode(&bench.at("web.key"), 0o644);
    bench.converge(&authority(&bench, "ca")).unwrap();
    let key = read(&bench.at("web.key"));
    bench.converge(&signed(&bench, "web", "ca")).unwrap();
    assert_eq!((read(&bench.at("web.key")), mode(&bench.at("web.key"))), (key, 0o600));
    openssl(&bench, "verify -x509_strict -CAfile ca.crt -verify_hostname web.example.org web.crt");
    // An RSA authority can sign, too.
    let bench = Bench::new();
    openssl(
        &bench,
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -subj /O=Ex/CN=Root -days 400",
    );
    bench.converge(&signed(&bench, "web", "ca")).unwrap();
    assert_eq!(changed(&bench.converge(&signed(&bench, "web", "ca")).unwrap()), "");
    openssl(&bench, "verify -CAfile ca.crt web.crt");
}

#[test]
fn issues_an_invalid_certificate_again() {
    let bench = Bench::new();
    bench.converge(&authority(&bench, "ca")).unwrap();
    bench.converge(&authority(&bench, "other")).unwrap();
    let web = || signed(&bench, "web", "ca");
    bench.converge(&web()).unwrap();
    let first = read(&bench.at("web.crt"));
    // Another key.
    openssl(&bench, "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out web.key");
    set_mode(&bench.at("web.key"), 0o600);
    assert_eq!(changed(&bench.converge(&web()).unwrap()), "valid");
    assert_ne!(read(&bench.at("web.crt")), first);
    // Another authority, and none.
    assert_eq!(changed(&bench.converge(&signed(&bench, "web", "other")).unwrap()), "valid");
    openssl(&bench, "verify -CAfile other.crt web.crt");
    assert_eq!(changed(&bench.converge(&certificate(&bench, "web")).unwrap()), "valid");
    openssl(&bench, "verify -CAfile web.crt web.crt");
    // A byte of the signature.
    let text = read(&bench.at("web.crt"));
    let at = text.rfind("\n-----END").unwrap() - 8;
    let broken =
        format!("{}{}{}", &text[..at], if &text[at..=at] == "A" { "B" } else { "A" }, &text[at + 1..]);
    bench.file("web.crt", broken);
    assert_eq!(changed(&bench.converge(&certificate(&bench, "web")).unwrap()), "valid");
    // Other names; undeclared ones stay.
    let named = certificate(&bench, "web").set("names", list(&["a", "b"]));
    assert_eq!(changed(&bench.converge(&named).unwrap()), "names");
    assert_eq!(
        changed(&bench.converge(&certificate(&bench, "web").set("names", list(&["b", "a"]))).unwrap()),
        ""
    );
    assert_eq!(changed(&bench.converge(&certificate(&bench, "web")).unwrap()), "");
}

#[test]
fn renews_in_time() {
    let host = MemoryHost::new().directory("/etc", 0o755);
    let block = || Block::new("certificate", "/etc/c").set("key", "/etc/k").set("common_name", "a.example");
    let block = || block().set("days", 90).set("renew_before", "30d");
    converge(&block(), &host.act()).unwrap();
    let day = Duration::from_secs(24 * 3600);
    host.advance(day * 60 - Duration::from_secs(1));
    assert_eq!(changed(&converge(&block(), &host.act()).unwrap()), "");
    let (key, end) = (
        host.snapshot().content("/etc/k".as_ref()).map(<[u8]>::to_vec),
        block().value("not_after", &host.act()),
    );
    host.advance(Duration::from_secs(1));
    assert_eq!(changed(&converge(&block(), &host.act()).unwrap()), "valid");
    assert_eq!(host.snapshot().content("/etc/k".as_ref()).map(<[u8]>::to_vec), key, "the key stays");
    assert_ne!(block().value("not_after", &host.act()), end);
    host.set_now(host.now() + day * 365 * 30);
    assert_eq!(changed(&converge(&block(), &host.act()).unwrap()), "valid", "after 2050");
    assert_eq!(changed(&converge(&block(), &host.act()).unwrap()), "");
}

#[test]
fn never_outlives_its_signer() {
    let bench = Bench::new();
    bench.converge(&certificate(&bench, "ca").set("is_ca", true).set("days", 100)).unwrap();
    let end = |name: &str| certificate(&bench, name).value("not_after", &bench.host.act());
    bench.converge(&signed(&bench, "web", "ca")).unwrap();
    assert_eq!(end("web"), end("ca"));
    let error = bench.converge(&signed(&bench, "b", "ca").set("renew_before", "200d")).unwrap_err();
    assert!(error.chain().contains("would be due for renewal as soon as it is issued"), "{}", error.chain());
}

#[test]
fn renews_on_request_and_removes_its_key() {
    let bench = Bench::new();
    let web = certificate(&bench, "web");
    bench.converge(&web).unwrap();
    let (text, key) = (read(&bench.at("web.crt")), read(&bench.at("web.key")));
    web.run("renew", &bench.host.act()).unwrap();
    assert_ne!(read(&bench.at("web.crt")), text);
    assert_eq!(read(&bench.at("web.key")), key);
    let shown =
        openssl(&bench, "x509 -in web.crt -noout -fingerprint -sha256").to_lowercase().replace(':', "");
    let Some(Value::Text(fingerprint)) = web.value("fingerprint", &bench.host.act()) else {
        panic!("no fingerprint")
    };
    assert!(shown.trim_end().ends_with(&*fingerprint), "{shown} {fingerprint}");
    bench.remove(&web).unwrap();
    assert_eq!(bench.names(), [""; 0]);
}

#[test]
fn refuses_impossible_certificates() {
    let bench = Bench::new();
    let refused = |block: Block, kind: ErrorKind, why: &str| {
        let error = bench.converge(&block).unwrap_err();
        assert!(error.chain().contains(why), "{}", error.chain());
        assert_eq!(error.kind(), kind);
    };
    bench.file("bad.key", "my notes");
    refused(certificate(&bench, "bad"), ErrorKind::Invalid, "the file is not a supported private key");
    assert_eq!(read(&bench.at("bad.key")), "my notes");
    refused(signed(&bench, "web", "missing"), ErrorKind::Missing, "missing.crt does not exist");
    bench.converge(&certificate(&bench, "leaf")).unwrap();
    refused(signed(&bench, "web", "leaf"), ErrorKind::Invalid, "cannot sign other certificates");
    bench.converge(&authority(&bench, "ca")).unwrap();
    let wrong = certificate(&bench, "web")
        .set("signed_by", bench.name("ca.crt"))
        .set("signing_key", bench.name("leaf.key"));
    refused(wrong, ErrorKind::Invalid, "is not the key of");
    let problems = |block: Block| block.try_decode(&Action::Converge).err().unwrap_or_default();
    let problem = problems(certificate(&bench, "web").set("days", 30));
    assert!(problem.contains("due for renewal as soon as it is issued"), "{problem}");
    let problem = problems(certificate(&bench, "w").set("names", list(&["a b"])));
    assert!(problem.contains("must be host names"), "{problem}");
    let problem =
        problems(certificate(&bench, "w").set("subject", Value::map([("C", Value::text("Germany"))])));
    assert!(problem.contains("two letters"), "{problem}");
    let problem = problems(certificate(&bench, "w").set("signed_by", "/x"));
    assert!(problem.contains("signing_key"), "{problem}");
    let problem = problems(certificate(&bench, "w").set("valid", false));
    assert!(problem.contains("can only be true"), "{problem}");
}
