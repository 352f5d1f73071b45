//! The kind `firewall`, with a fake `nft` whose kernel is a file.

use std::path::Path;

use uphold_builtin::{Firewall, FirewallWishes};
use uphold_resource::{Access, Desired, ErrorKind, FileEdits, Files, Look, NewFile, Output, Resource, Want};
use uphold_testkit::{Call, MemoryHost};

/// The file of the only table.
const KERNEL: &str = "/kernel";

fn world(host: MemoryHost) -> MemoryHost {
    host.program("unshare", test_ruleset).program("nft", nft)
}

fn stdin(call: &Call<'_>) -> String {
    String::from_utf8(call.command.stdin.clone().unwrap_or_default()).expect("valid UTF-8")
}

/// Lists its input with other indentation; invalid input fails.
fn test_ruleset(call: &Call<'_>) -> Output {
    let text = stdin(call);
    let Some((head, body)) = text.strip_suffix("}\n").and_then(|text| text.split_once(" { ")) else {
        return call.fail(1, "Error: syntax error\n");
    };
    if body.contains("nonsense") {
        return call.fail(1, "/dev/stdin:1:18-25: Error: syntax error, unexpected string\n");
    }
    if body.contains("table inet other {") {
        return call.succeed(format!("{head} {{\n}}\ntable inet other {{\n}}\n"));
    }
    let lines = body.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let inside: String = lines.map(|line| format!("\t{line}\n")).collect();
    call.succeed(format!("{head} {{\n{inside}}}\n"))
}

fn nft(call: &Call<'_>) -> Output {
    let kernel = Path::new(KERNEL);
    if call.command.args.iter().any(|word| word == "list") {
        return match call.host.read(kernel, 0) {
            Ok(listing) => call.succeed(listing),
            Err(_) => call.fail(1, "Error: No such file or directory\n"),
        };
    }
    load(call, kernel).map_or_else(|error| call.fail(1, error.chain()), |()| call.succeed(""))
}

fn load(call: &Call<'_>, kernel: &Path) -> uphold_resource::Result<()> {
    let script = stdin(call);
    let Some(begin) = script.rfind("table inet web {") else { return call.host.remove_file(kernel) };
    let content = &script.as_bytes()[begin..];
    call.host.write(kernel, &NewFile::new(content, Access::default()))
}

mod laws {
    use super::{Firewall, world};

    uphold_testkit::laws! {
        Firewall,
        world: world,
        wishes: [
            { "web", ruleset = "chain input {\n\ttcp dport 22 accept\n}\n" },
            { "web", ruleset = "chain input {\n\ttcp dport 80 accept\n}\n" },
            { "web", ruleset = "" },
        ],
    }
}

fn firewall(ruleset: &str) -> Firewall {
    Firewall { ruleset: Want::of(ruleset), ..Firewall::named("web").expect("a valid name") }
}

/// The error of `prepare`, with its hint.
fn refused(ruleset: &str, host: &MemoryHost) -> (ErrorKind, String) {
    let error =
        firewall(ruleset).prepare(&Look::to(Desired::Present, &host.act())).expect_err("it must be refused");
    (error.kind(), format!("{}; {}", error.chain(), error.advice().unwrap_or_default()))
}

#[test]
fn refuses_rulesets_that_cannot_be_managed() {
    let check = |ruleset: &str, kind: ErrorKind, words: &str| {
        let (found, text) = refused(ruleset, &world(MemoryHost::new()));
        assert!(found == kind && text.contains(words), "{ruleset}: {text}");
    };
    check("nonsense", ErrorKind::Rejected, "unexpected string");
    check("}\ntable inet other {", ErrorKind::Invalid, "it also creates other tables");
    let bans = "set bans {\n\ttype ipv4_addr\n\tflags timeout\n\telements = { 192.0.2.1 }\n}";
    check(bans, ErrorKind::Invalid, "elements of the set `bans`");
}

#[test]
fn reports_missing_privileges() {
    let host = MemoryHost::new()
        .program("unshare", |call| call.fail(1, "unshare: unshare failed: Operation not permitted\n"));
    let (kind, text) = refused("", &host);
    assert!(kind == ErrorKind::Denied && text.contains("CAP_SYS_ADMIN"), "{text}");
}

#[test]
fn refuses_to_run_below_another_root() {
    let host = world(MemoryHost::new()).fact("is_running", false);
    let (kind, text) = refused("", &host);
    assert!(kind == ErrorKind::Unsupported && text.contains("--root"), "{text}");
    assert!(firewall("").load(&Look::to_read(&host.act())).expect("it can be loaded").state().is_none());
}

/// A plan continues: the same run may install the package.
#[test]
fn without_nft_the_ruleset_is_kept_as_declared() {
    let host = MemoryHost::new().program("unshare", |call| call.fail(127, "sh: 1: nft: not found\n"));
    let firewall = firewall("chain a { }");
    let wishes =
        firewall.prepare(&Look::to(Desired::Present, &host.act())).expect("nft is not installed yet");
    assert_eq!(wishes, FirewallWishes::default());
    assert!(firewall.load(&Look::to_read(&host.act())).expect("it can be loaded").state().is_none());
    let reported: Vec<String> = host.said().into_iter().map(|(_, text)| text).collect();
    assert_eq!(reported, ["cannot check the ruleset: nft is not installed yet (package nftables)"]);
}
