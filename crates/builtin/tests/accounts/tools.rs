//! Fakes of the system's tools. They support only the options that the kinds use; the real ones are tested on
//! disposable hosts.

use std::path::Path;

use uphold_resource::{Access, FileEdits, Files, NewFile, Output};
use uphold_testkit::{Call, MemoryHost};

use super::options::Options;
use super::rows::Rows;

pub(crate) const PASSWD: &str = "/etc/passwd";
pub(crate) const GROUP: &str = "/etc/group";
pub(crate) const SHADOW: &str = "/etc/shadow";

const SPOOL: &str = "/var/spool/cron/crontabs";

/// A machine with account databases and the fake tools.
pub(crate) fn equipped(host: MemoryHost) -> MemoryHost {
    let host = host
        .directory("/etc", 0o755)
        .file(PASSWD, "root:x:0:0:root:/root:/bin/bash\nold:x:1000:100::/home/old:/bin/sh\n", 0o644)
        .file(GROUP, "root:x:0:\nusers:x:100:\ndev:x:200:old\nwheel:x:201:\nmixed:x:202:old,root\n", 0o644)
        .file(SHADOW, "root:*:20000:0:99999:7:::\nold:!:20000:0:99999:7:::\n", 0o640);
    host.program("useradd", |call| done(call, useradd(call)))
        .program("usermod", |call| done(call, usermod(call)))
        .program("userdel", |call| done(call, userdel(call)))
        .program("chage", |call| done(call, chage(call)))
        .program("chpasswd", |call| done(call, chpasswd(call)))
        .program("groupadd", |call| done(call, groupadd(call)))
        .program("groupmod", |call| done(call, groupmod(call)))
        .program("groupdel", |call| done(call, groupdel(call)))
        .program("gpasswd", |call| done(call, gpasswd(call)))
        .program("crontab", |call| done(call, crontab(call)))
        .program("visudo", |call| done(call, visudo(call)))
}

fn done(call: &Call<'_>, well: bool) -> Output {
    if well { call.succeed("") } else { call.fail(1, "no") }
}

/// Days since 1970, for the dates of the tests only.
fn day(date: &str) -> String {
    match date {
        "2040-02-29" => "25626".to_owned(),
        "2030-01-02" => "21916".to_owned(),
        other => other.to_owned(),
    }
}

/// A negative number means no limit.
fn limit(days: &str) -> String {
    if days == "-1" { String::new() } else { days.to_owned() }
}

fn gid(groups: &mut Rows, group: &str) -> String {
    groups.named(group).map_or_else(|| group.to_owned(), |row| row[2].clone())
}

fn join(groups: &mut Rows, user: &str, wanted: &str) {
    let wanted: Vec<&str> = wanted.split(',').collect();
    for row in &mut groups.rows {
        let mut members: Vec<&str> =
            row[3].split(',').filter(|name| !name.is_empty() && *name != user).collect();
        if wanted.contains(&row[0].as_str()) {
            members.push(user);
        }
        row[3] = members.join(",");
    }
}

fn useradd(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let (mut passwd, mut groups) = (Rows::of(call.host, PASSWD), Rows::of(call.host, GROUP));
    if passwd.named(options.name).is_some()
        || (options.has("--user-group") && groups.named(options.name).is_some())
    {
        return false;
    }
    let uid = options.value("--uid").map_or_else(|| passwd.free().to_string(), str::to_owned);
    if options.has("--user-group") {
        let gid = groups.free().to_string();
        groups.named_or_new(options.name, 4)[1..3].clone_from_slice(&["x".to_owned(), gid]);
    }
    let gid = gid(&mut groups, options.value("--gid").unwrap_or(options.name));
    options.value("--groups").iter().for_each(|wanted| join(&mut groups, options.name, wanted));
    let home = format!("/home/{}", options.name);
    let fields = [
        "x",
        &uid,
        &gid,
        options.value("--comment").unwrap_or_default(),
        options.value("--home-dir").unwrap_or(&home),
        options.value("--shell").unwrap_or("/bin/sh"),
    ];
    passwd.named_or_new(options.name, 7)[1..].clone_from_slice(&fields.map(str::to_owned));
    let mut shadow = Rows::of(call.host, SHADOW);
    let inactive = limit(options.value("--inactive").unwrap_or_default());
    let expires = day(options.value("--expiredate").unwrap_or_default());
    let field = options.value("--password").unwrap_or("!");
    let fields = [field, "20000", "0", "99999", "7", &inactive, &expires, ""];
    shadow.named_or_new(options.name, 9)[1..].clone_from_slice(&fields.map(str::to_owned));
    groups.save(call.host) && passwd.save(call.host) && shadow.save(call.host)
}

fn usermod(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let (mut passwd, mut groups) = (Rows::of(call.host, PASSWD), Rows::of(call.host, GROUP));
    let mut shadow = Rows::of(call.host, SHADOW);
    let Some(row) = passwd.named(options.name) else { return false };
    for (at, option) in [(2, "--uid"), (4, "--comment"), (5, "--home"), (6, "--shell")] {
        options.value(option).iter().for_each(|value| (*value).clone_into(&mut row[at]));
    }
    options.value("--gid").iter().for_each(|group| row[3] = gid(&mut groups, group));
    options.value("--groups").iter().for_each(|wanted| join(&mut groups, options.name, wanted));
    let hidden = ["--expiredate", "--inactive", "--lock", "--unlock"];
    if hidden.iter().any(|option| options.has(option)) {
        let row = shadow.named_or_new(options.name, 9);
        options.value("--expiredate").iter().for_each(|date| row[7] = day(date));
        options.value("--inactive").iter().for_each(|days| row[6] = limit(days));
        if options.has("--lock") {
            row[1] = format!("!{}", row[1]);
        }
        if options.has("--unlock") {
            row[1] = row[1].trim_start_matches('!').to_owned();
        }
    }
    groups.save(call.host) && passwd.save(call.host) && shadow.save(call.host)
}

fn userdel(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut groups = Rows::of(call.host, GROUP);
    join(&mut groups, options.name, "");
    groups.rows.retain(|row| row[0] != options.name);
    let without = |path| {
        let mut rows = Rows::of(call.host, path);
        rows.rows.retain(|row| row[0] != options.name);
        rows.save(call.host)
    };
    without(PASSWD) && without(SHADOW) && groups.save(call.host)
}

fn chage(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut shadow = Rows::of(call.host, SHADOW);
    let row = shadow.named_or_new(options.name, 9);
    for (at, option) in [(3, "--mindays"), (4, "--maxdays"), (5, "--warndays")] {
        options.value(option).iter().for_each(|days| row[at] = limit(days));
    }
    shadow.save(call.host)
}

fn chpasswd(call: &Call<'_>) -> bool {
    let lines =
        String::from_utf8(call.command.stdin.clone().unwrap_or_default()).expect("the kind writes text");
    let mut shadow = Rows::of(call.host, SHADOW);
    for line in lines.lines() {
        let (name, hash) = line.split_once(':').expect("a name and a hash");
        hash.clone_into(&mut shadow.named_or_new(name, 9)[1]);
    }
    call.command.args == ["--encrypted"] && shadow.save(call.host)
}

fn groupadd(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut groups = Rows::of(call.host, GROUP);
    let gid = options.value("--gid").map_or_else(|| groups.free().to_string(), str::to_owned);
    groups.named_or_new(options.name, 4)[1..3].clone_from_slice(&["x".to_owned(), gid]);
    groups.save(call.host)
}

fn groupmod(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut groups = Rows::of(call.host, GROUP);
    let (Some(row), Some(gid)) = (groups.named(options.name), options.value("--gid")) else { return false };
    gid.clone_into(&mut row[2]);
    groups.save(call.host)
}

fn groupdel(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut groups = Rows::of(call.host, GROUP);
    groups.rows.retain(|row| row[0] != options.name);
    groups.save(call.host)
}

fn gpasswd(call: &Call<'_>) -> bool {
    let options = Options::of(&call.command.args);
    let mut groups = Rows::of(call.host, GROUP);
    let (Some(row), Some(members)) = (groups.named(options.name), options.value("--members")) else {
        return false;
    };
    members.clone_into(&mut row[3]);
    groups.save(call.host)
}

fn crontab(call: &Call<'_>) -> bool {
    let [_, user, what] = &call.command.args[..] else { return false };
    let path = Path::new(SPOOL).join(user);
    if what == "-r" {
        return call.host.remove_file(&path).is_ok();
    }
    let head = "# DO NOT EDIT THIS FILE - edit the master and reinstall.\n# (- installed on Mon)\n# (Cron version -- 1)\n";
    let content = [head.as_bytes(), call.command.stdin.as_deref().unwrap_or_default()].concat();
    let access = Access { mode: Some(0o600), ..Access::default() };
    call.host.write(&path, &NewFile::new(&content, access)).is_ok()
}

fn visudo(call: &Call<'_>) -> bool {
    let [_, _, candidate] = &call.command.args[..] else { return false };
    call.host.read(Path::new(candidate), 0).is_ok_and(|content| content.contains(&b'='))
}
