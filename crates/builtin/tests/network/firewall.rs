//! `firewall`, with an `nft` whose kernel is a file.

use std::path::Path;

use uphold_builtin::Firewall;
use uphold_resource::{Access, ErrorKind, FileEdits, Files, NewFile, Output, Resource, Want};
use uphold_testkit::{Call, MemoryHost};

/// Where this kernel keeps its only table.
const KERNEL: &str = "/kernel";

fn world(host: MemoryHost) -> MemoryHost {
    host.program("unshare", try_out).program("nft", nft)
}

fn stdin(call: &Call<'_>) -> String {
    String::from_utf8(call.command.stdin.clone().unwrap_or_default()).expect("it is text")
}

/// Lists what it is given, as it is but for its indentation; whoever writes nonsense is told so.
fn try_out(call: &Call<'_>) -> Output {
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
    let done = match call.command.args.iter().any(|word| word == "list") {
        true => match call.host.read(kernel, 0) {
            Ok(listing) => return call.succeed(listing),
            Err(_) => return call.fail(1, "Error: No such file or directory\n"),
        },
        false => load(call, kernel),
    };
    done.map_or_else(|error| call.fail(1, error.chain()), |()| call.succeed(""))
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

fn wish(ruleset: &str) -> Firewall {
    Firewall { ruleset: Want::of(ruleset), ..Firewall::named("web").expect("a table may be called so") }
}

/// What preparing a wish says, with its advice.
fn refused(ruleset: &str, host: &MemoryHost) -> (ErrorKind, String) {
    let error = wish(ruleset).prepare(&host.act()).expect_err("it must be refused");
    (error.kind(), format!("{}; {}", error.chain(), error.advice().unwrap_or_default()))
}

#[test]
fn what_cannot_be_held_is_refused() {
    let check = |ruleset: &str, kind: ErrorKind, words: &str| {
        let (found, text) = refused(ruleset, &world(MemoryHost::new()));
        assert!(found == kind && text.contains(words), "{ruleset}: {text}");
    };
    check("nonsense", ErrorKind::Rejected, "unexpected string");
    check("}\ntable inet other {", ErrorKind::Invalid, "it makes other tables");
    let bans = "set bans {\n\ttype ipv4_addr\n\tflags timeout\n\telements = { 192.0.2.1 }\n}";
    check(bans, ErrorKind::Invalid, "elements of the set `bans`");
}

#[test]
fn who_may_not_try_is_told_so() {
    let host = MemoryHost::new()
        .program("unshare", |call| call.fail(1, "unshare: unshare failed: Operation not permitted\n"));
    let (kind, text) = refused("", &host);
    assert!(kind == ErrorKind::Denied && text.contains("CAP_SYS_ADMIN"), "{text}");
}

#[test]
fn below_another_root_there_is_no_firewall() {
    let host = world(MemoryHost::new()).fact("is_running", false);
    let (kind, text) = refused("", &host);
    assert!(kind == ErrorKind::Unsupported && text.contains("below another root"), "{text}");
    assert!(wish("").load(&host.act()).expect("it can be looked at").is_none());
}

/// A plan goes on: the package may be installed by the same run.
#[test]
fn without_nft_the_wish_stays_as_it_is() {
    let host = MemoryHost::new().program("unshare", |call| call.fail(127, "sh: 1: nft: not found\n"));
    let mut wish = wish("chain a { }");
    wish.prepare(&host.act()).expect("it is not there yet");
    assert_eq!(wish.ruleset.get().expect("it was set").as_str(), "chain a { }");
    assert!(wish.load(&host.act()).expect("it can be looked at").is_none());
    let said: Vec<String> = host.said().into_iter().map(|(_, text)| text).collect();
    assert_eq!(said, ["nft is not there yet: the package nftables has it"]);
}
