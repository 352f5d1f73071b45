//! Dependencies of accounts.

use uphold_builtin::{AuthorizedKey, Cron, Group, Sudo, User};
use uphold_model::{Action, Name, Value};
use uphold_resource::{Claim, Claims, Context, Fields, Resource};

use super::laws::list;

const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";
/// The output of `ssh-keygen -l`.
const FINGERPRINT: &str = "SHA256:EMZE0+0j1zyyade/ZjgIY0FJMPgk2TynOCjeWtcSEnA";

fn claims<R: Resource>(label: &str, values: &[(&str, Value)]) -> Claims {
    let values = values.iter().map(|(name, value)| (Name::from(*name), value.clone())).collect();
    let mut fields = Fields::new(label, values, &Action::Converge, Context::NOTHING);
    let resource = R::decode(&mut fields).expect("it can be decoded");
    let mut claims = Claims::default();
    resource.claims(&mut claims);
    claims
}

fn check(claims: &Claims, holds: &[&str], needs: &[&str], edits: &[&str]) {
    assert_eq!(words(&claims.holds), holds);
    assert_eq!(words(&claims.needs), needs);
    assert_eq!(words(&claims.edits), edits);
}

fn words(claims: &[Claim]) -> Vec<String> {
    claims.iter().map(ToString::to_string).collect()
}

#[test]
fn users() {
    check(&claims::<User>("ann", &[]), &["user ann"], &["group ann", "path /home"], &[]);
    let set = [
        ("group", Value::text("staff")),
        ("groups", list(&["b", "a"])),
        ("shell", Value::text("/bin/zsh")),
        ("home", Value::text("/srv/ann")),
    ];
    let needs = ["group staff", "group a", "group b", "path /bin/zsh", "path /srv"];
    let found = claims::<User>("ann", &set);
    check(&found, &["user ann"], &needs, &[]);
    // A `directory` may manage its other properties.
    assert_eq!(words(&found.provides), ["path /srv/ann"]);
    // A directory that it does not create is not a dependency: it may be a resource that depends on the user.
    let set = [("system", Value::Bool(true)), ("home", Value::text("/srv/app"))];
    check(&claims::<User>("app", &set), &["user app"], &["group app"], &[]);
}

#[test]
fn groups() {
    let found = claims::<Group>("dev", &[("members", list(&["bob", "ann"]))]);
    check(&found, &["group dev"], &["user ann", "user bob"], &[]);
}

#[test]
fn keys_crontabs_and_sudo_rules() {
    let key = [("user", Value::text("ann")), ("key", Value::text(KEY))];
    let held = format!("the key {FINGERPRINT} in keys of ann");
    check(&claims::<AuthorizedKey>("k", &key), &[&held], &["user ann"], &["keys of ann"]);
    let job =
        [("user", Value::text("ann")), ("schedule", Value::text("@daily")), ("command", Value::text("x"))];
    let held = "the entry `c` in crontab of ann";
    check(&claims::<Cron>("c", &job), &[held], &["user ann"], &["crontab of ann"]);
    let job =
        [("file", Value::text("site")), ("schedule", Value::text("@daily")), ("command", Value::text("x"))];
    let held = "the entry `c` in path /etc/cron.d/site";
    check(&claims::<Cron>("c", &job), &[held], &["user root"], &["path /etc/cron.d/site"]);
    let rule = claims::<Sudo>("s", &[("users", list(&["ann"])), ("groups", list(&["%adm"]))]);
    let needs = ["path /etc/sudoers.d", "package sudo", "user ann", "group adm"];
    check(&rule, &["path /etc/sudoers.d/s"], &needs, &[]);
}
