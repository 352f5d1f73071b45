//! `archive`, `tar` and `gzip`.

use uphold_testbed::{Bed, Story};

use super::servers::block;

#[test]
fn archives_of_every_format() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("formats");
    host.ok("mkdir -p /srv/app-1.0/bin /srv/app-1.0/doc && cd /srv && printf '#!/bin/sh\n' >app-1.0/bin/app \
             && chmod 755 app-1.0/bin/app && ln -s bin/app app-1.0/link && head -c 300000 /dev/urandom >app-1.0/doc/big");
    host.ok("cd /srv && tar cf a.tar app-1.0 && tar czf a.tar.gz app-1.0 && tar cJf a.tar.xz app-1.0 \
             && tar cjf a.tar.bz2 app-1.0 && tar --zstd -cf a.tar.zst app-1.0 \
             && python3 -c \"import shutil; shutil.make_archive('a', 'zip', '.', 'app-1.0')\"");
    for format in ["tar", "tar.gz", "tar.xz", "tar.bz2", "tar.zst", "zip"] {
        host.ok("rm -rf /opt/app");
        let source = format!("source = \"/srv/a.{format}\"");
        let text = block("archive \"/opt/app\"", &[&source, "strip_components = 1", "exclude = [\"link\"]"]);
        host.write("/run/uphold-testbed/site/format.hcl", &text);
        let ran = host.uphold(&["apply", "format.hcl"]);
        assert_eq!(ran.status, 0, "{format}: {ran}");
        host.ok("diff -r --no-dereference -x link /srv/app-1.0 /opt/app && test -x /opt/app/bin/app");
        let ran = host.uphold(&["plan", "format.hcl"]);
        assert_eq!(ran.status, 0, "{format}: {ran}");
    }
}

#[test]
fn an_archive_is_kept_as_declared() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("archive");
    host.ok("useradd ann; mkdir -p /srv/app-1.0/bin && cd /srv && echo app >app-1.0/bin/app && chmod 755 app-1.0/bin/app \
             && ln -s bin/app app-1.0/link && ln app-1.0/bin/app app-1.0/bin/other && tar czf a.tar.gz app-1.0 \
             && mkdir two && echo two >two/app && tar czf b.tar.gz two && mknod pipe p && tar cf pipe.tar pipe");
    let archive = |source: &str, more: &[&str]| {
        let source = format!("source = \"/srv/{source}\"");
        block("archive \"/opt/app\"", &[&[source.as_str(), "strip_components = 1"], more].concat())
    };
    let plain = |attributes: &[&str]| block("archive \"/opt/app\"", attributes);
    let (source, creates) = ("source = \"/srv/a.tar.gz\"", "creates = \"app-1.0/bin/app\"");
    Story::of(&host, "an archive that stays")
        .configuration(&archive("a.tar.gz", &["owner = \"ann\"", "group = \"ann\"", "purge = true"]))
        .drift("differing", "echo drifted >/opt/app/bin/app")
        .drift("differing", "chmod 700 /opt/app/bin/app")
        .drift("differing", "chown root /opt/app/bin/app")
        .drift("differing", "chgrp root /opt/app/bin")
        .drift("differing", "rm /opt/app/link")
        .drift("differing", "ln -s /etc/passwd /opt/made && mv -T /opt/made /opt/app/link")
        .drift("differing", "cp -p /opt/app/bin/app /opt/made && mv /opt/made /opt/app/bin/other")
        .drift("differing", "mkdir -p /opt/made/x && mv /opt/made /opt/app/strange")
        .drift("differing", "mv /opt/app/bin /opt/old && rm -r /opt/old")
        .missing("mv /opt/app /opt/old && rm -r /opt/old")
        .watch()
        .holds("test \"$(cat /opt/app/link)\" = app && test /opt/app/bin/app -ef /opt/app/bin/other")
        .wrong(&archive("none.tar", &[]), "does not exist")
        .wrong(&plain(&["source = \"/srv/pipe.tar\""]), "named pipe")
        .wrong(&plain(&["source = \"/etc/passwd\""]), "not an archive")
        .wrong(&archive("a.tar.gz", &["exclude = [\"/x\"]"]), "begins with a slash")
        .wrong(&archive("a.tar.gz", &["max_size = 1"]), "max_size")
        .wrong(&archive("a.tar.gz", &["max_entries = 1"]), "max_entries")
        .change_to(
            &archive("b.tar.gz", &["purge = true", "file_mode = \"0600\"", "directory_mode = \"0700\""]),
            "test \"$(ls -A /opt/app)\" = app && test \"$(stat -c %a /opt/app/app)\" = 600",
        )
        .removed_by(&archive("b.tar.gz", &["action = \"remove\""]), "! test -e /opt/app")
        .run();
    Story::of(&host, "an archive that creates something")
        .configuration(&plain(&[source, creates]))
        .missing("rm /opt/app/app-1.0/bin/app")
        .removed_by(&plain(&[source, creates, "action = \"remove\""]), "! test -e /opt/app")
        .run();
}

#[test]
fn files_that_are_packed() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = bed.plain("packed");
    host.ok("useradd ann; mkdir -p /srv/site/cache /srv/other/site && echo page >/srv/site/page && ln -s page /srv/site/link && touch /srv/site/cache/x");
    let access = ["mode = \"0640\"", "owner = \"ann\"", "group = \"ann\""];
    let tar = |more: &[&str]| block("tar \"/opt/site.tar.gz\"", more);
    Story::of(&host, "a tar archive")
        .configuration(&tar(&[
            &["inputs = [\"/srv/site\"]", "exclude = [\"site/cache\"]"],
            access.as_slice(),
        ]
        .concat()))
        .drift("copy", "echo drifted >/srv/site/page")
        .drift("copy", "touch /srv/site/new")
        .drift("copy", "rm /srv/site/link")
        .drift("copy", "echo drifted >/opt/site.tar.gz")
        .drift("mode", "chmod 600 /opt/site.tar.gz")
        .drift("owner", "chown root /opt/site.tar.gz")
        .drift("group", "chgrp root /opt/site.tar.gz")
        .missing("rm /opt/site.tar.gz")
        .holds("tar tzf /opt/site.tar.gz | grep -qx site/page && ! tar tzf /opt/site.tar.gz | grep cache")
        .wrong(&tar(&["inputs = []"]), "must have at least one path")
        .wrong(&tar(&["inputs = [\"/srv/none\"]"]), "does not exist")
        .wrong(&tar(&["inputs = [\"/srv/site\"]", "base = \"/opt\""]), "base")
        .wrong(&tar(&["inputs = [\"/srv/site\", \"/srv/other/site\"]"]), "would both be site")
        .change_to(
            &tar(&["inputs = [\"/srv/site/page\"]", "base = \"/srv\"", "compression = \"none\""]),
            "test \"$(tar tf /opt/site.tar.gz)\" = site/page",
        )
        .removed_by(&tar(&["action = \"remove\""]), "! test -e /opt/site.tar.gz")
        .run();
    let gzip = |more: &[&str]| block("gzip \"/opt/page.gz\"", more);
    Story::of(&host, "a compressed file")
        .configuration(&gzip(&[&["source = \"/srv/site/page\"", "level = 9"], access.as_slice()].concat()))
        .drift("copy", "echo again >/srv/site/page")
        .drift("copy", "echo drifted >/opt/page.gz")
        .drift("mode", "chmod 600 /opt/page.gz")
        .drift("owner", "chown root /opt/page.gz")
        .drift("group", "chgrp root /opt/page.gz")
        .missing("rm /opt/page.gz")
        .holds("gunzip -c /opt/page.gz | cmp - /srv/site/page || test \"$(zcat /opt/page.gz)\" = text")
        .wrong(&gzip(&[]), "source")
        .wrong(&gzip(&["content = \"x\"", "level = 10"]), "level")
        .change_to(&gzip(&["content = \"text\\n\""]), "test \"$(zcat /opt/page.gz)\" = text")
        .removed_by(&gzip(&["action = \"remove\""]), "! test -e /opt/page.gz")
        .run();
}
