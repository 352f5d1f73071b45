//! `download` and `http_request`, with a web server on the host.

use uphold_testbed::{Bed, Host, Story};

const SERVER: &str = include_str!("server.py");

/// The SHA-256 of `the app` with its newline.
const CHECKSUM: &str =
    r#"checksum = "sha256:d3e65e4280149254adfdacfcf86cae5329a19461490f35a4ac5beef5a4118327""#;

const URL: &str = r#"url = "http://127.0.0.1:8000/app""#;

/// A host with a web server for `/srv/web`.
fn serving(bed: &Bed, name: &str) -> Host {
    let host = bed.plain(name);
    host.write("/srv/server.py", SERVER);
    host.ok("mkdir -p /srv/web /opt/app && useradd ann && printf 'the app\n' >/srv/web/app");
    host.ok("cd /srv/web && { setsid python3 /srv/server.py >/dev/null 2>&1 & }");
    host.ok("for i in $(seq 100); do curl -sf http://127.0.0.1:8000/app && exit; sleep 0.1; done; exit 1");
    host
}

/// A block with these attributes, one on each line.
pub(crate) fn block(head: &str, attributes: &[&str]) -> String {
    format!("{head} {{\n{}\n}}\n", attributes.join("\n"))
}

fn download(attributes: &[&str]) -> String {
    block(r#"download "/opt/app/app""#, attributes)
}

#[test]
fn a_download_with_a_checksum() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = serving(&bed, "checksum");
    Story::of(&host, "a download with a checksum")
        .configuration(&download(&[URL, CHECKSUM, "mode = \"0750\"", "owner = \"ann\"", "group = \"ann\""]))
        .drift("checksum", "echo drifted >/opt/app/app")
        .drift("mode", "chmod 600 /opt/app/app")
        .drift("owner", "chown root /opt/app/app")
        .drift("group", "chgrp root /opt/app/app")
        .missing("rm /opt/app/app")
        .watch()
        .wrong(&download(&["url = \"ftp://127.0.0.1/app\""]), "must begin with http://")
        .wrong(&download(&[URL, "checksum = \"abc\""]), "is not a checksum")
        .wrong(&download(&[URL, "headers = { \"a b\" = \"c\" }"]), "of HTTP headers")
        .wrong(&download(&[URL, "backups = 2000"]), "backups")
        .wrong(&download(&[CHECKSUM]), "url")
        .removed_by(&download(&["action = \"remove\""]), "test -z \"$(ls -A /opt/app)\"")
        .run();
}

#[test]
fn a_download_that_follows_its_server() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = serving(&bed, "refresh");
    Story::of(&host, "a download that follows its server")
        .configuration(&download(&[URL]))
        .drift("copy", "echo drifted >/opt/app/app")
        .drift("copy", "printf 'another app\n' >/srv/web/app; touch -d '2030-01-01' /srv/web/app")
        .drift("copy", "rm /opt/app/.app.uphold-origin")
        .missing("rm /opt/app/app")
        .removed_by(&download(&["action = \"remove\""]), "test -z \"$(ls -A /opt/app)\"")
        .run();
}

#[test]
fn a_request() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = serving(&bed, "request");
    let request = |token: &str| {
        let token = format!("headers = {{ X-Token = \"{token}\" }}");
        let url = r#"url = "http://127.0.0.1:8000/hosts""#;
        let check = r#"check_url = "http://127.0.0.1:8000/hosts/web1""#;
        let about =
            ["method = \"post\"", "body = \"web1\"", "check_contains = \"registered\"", url, check, &token];
        block("http_request \"register\"", &about)
    };
    let wrong = |attributes: &[&str]| block("http_request \"x\"", attributes);
    Story::of(&host, "a request")
        .configuration(&request("secret"))
        .undone("rm /srv/register/web1")
        .wrong(&wrong(&[URL, "method = \"brew\""]), "is not a supported HTTP method")
        .wrong(&wrong(&[URL, "method = \"post\""]), "check_url")
        .wrong(&wrong(&[URL, "returns = [42]"]), "returns")
        .wrong(&wrong(&["url = \"http://127.0.0.1:8000/none\""]), "404")
        .run();
    host.ok("rm /srv/register/web1");
    host.write("/run/uphold-testbed/site/denied.hcl", &request("guess"));
    let ran = host.uphold(&["apply", "denied.hcl"]);
    assert!(
        ran.stderr.contains("returned status 403") || ran.stdout.contains("returned status 403"),
        "{ran}"
    );
    assert!(!ran.stderr.contains("guess") && !ran.stdout.contains("guess"), "{ran}");
    let file = "file \"/opt/copy\" {\n content = http_request.look.answer.body\n}\n";
    host.write("/run/uphold-testbed/site/look.hcl", &(block("http_request \"look\"", &[URL]) + file));
    let ran = host.uphold(&["apply", "look.hcl"]);
    assert_eq!((ran.status, host.read("/opt/copy").as_str()), (0, "the app\n"), "{ran}");
}

/// An archive depends on a download: the plan shows it as unknown, and one apply does both.
#[test]
fn a_download_that_is_unpacked() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = serving(&bed, "unpacked");
    host.ok("mkdir /tmp/site && echo page >/tmp/site/page && tar czf /srv/web/site.tar.gz -C /tmp site");
    let text = block("download \"/opt/site.tar.gz\"", &["url = \"http://127.0.0.1:8000/site.tar.gz\""])
        + &block("archive \"/opt/site\"", &["source = \"/opt/site.tar.gz\"", "strip_components = 1"]);
    host.write("/run/uphold-testbed/site/both.hcl", &text);
    let plan = host.uphold(&["plan", "both.hcl"]);
    assert_eq!(plan.status, 2, "{plan}");
    let applied = host.uphold(&["apply", "both.hcl"]);
    assert_eq!((applied.status, host.read("/opt/site/page").as_str()), (0, "page\n"), "{applied}");
    host.ok("echo new >/tmp/site/page && tar czf /srv/web/site.tar.gz -C /tmp site && touch -d 2030-01-01 /srv/web/site.tar.gz");
    let applied = host.uphold(&["apply", "both.hcl"]);
    assert_eq!((applied.status, host.read("/opt/site/page").as_str()), (0, "new\n"), "{applied}");
}
