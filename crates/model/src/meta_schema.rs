//! Schemas of meta arguments, which every kind of resource takes.

/// One meta argument. All of it is static data.
#[derive(Debug)]
pub struct MetaSchema {
    /// The argument's name.
    pub name: &'static str,
    /// The accepted values, in a few words.
    pub takes: &'static str,
    /// A one-sentence summary, then details.
    pub doc: &'static str,
    /// A complete example configuration; a test runs it.
    pub example: &'static str,
}

/// Every meta argument, sorted by name.
pub const META: &[MetaSchema] = &[
    meta(
        "action",
        "an action of the kind, or a list of them",
        "The action to run: `converge` (the default), `remove`, `nothing`, or a verb of the kind. The actions \
         of a list run in order. With `nothing` the resource is declared but does nothing until it is notified \
         or triggered.",
        "file \"/etc/old.conf\" {\n  action = \"remove\"\n}",
    ),
    meta(
        "always",
        "true or false",
        "Changes the resource outside the maintenance window of `settings`, too. The nearest one counts: of the \
         resource, its group, its module call.",
        "settings {\n  window = \"mon-fri 22:00-04:00\"\n}\n\nfile \"/etc/ssh/sshd_config.d/root.conf\" {\n  \
         content = \"PermitRootLogin no\\n\"\n  always  = true\n}",
    ),
    meta(
        "audit",
        "true or false",
        "Reports what differs, and never changes it.",
        "file \"/etc/passwd\" {\n  mode  = \"0644\"\n  audit = true\n}",
    ),
    meta(
        "auto_edges",
        "true or false",
        "Whether the resource automatically depends on the resources it needs, such as its directory or its \
         owner. True by default.",
        "file \"/srv/motd\" {\n  auto_edges = false\n}",
    ),
    meta(
        "depends_on",
        "a list of resources and modules",
        "Resources and modules that run first. It is not needed for a resource whose value is read. If it names \
         a module, everything in the module runs first.",
        "log \"first\" {}\n\nlog \"second\" {\n  depends_on = [log.first]\n}",
    ),
    meta(
        "for_each",
        "a map or an object, or a set or a list of strings or numbers",
        "Declares one resource, or calls the module once, for each element. In the block, `each.key` and \
         `each.value` are the current element; other blocks refer to `kind.name[\"key\"]`. The keys must be \
         known before the run.",
        "file \"page\" {\n  for_each = { home = \"Welcome\", help = \"Contact us\" }\n  path     = \
         \"/srv/${each.key}.txt\"\n  \
         content  = each.value\n}",
    ),
    meta(
        "ignore_failure",
        "true or false",
        "A failure is reported, but neither fails the run nor skips dependents of the resource.",
        "task \"warm up\" {\n  creates        = \"/var/cache/warm\"\n  apply          = \"touch /var/cache/warm\"\n  \
         ignore_failure = true\n}",
    ),
    meta(
        "limit",
        "a map with `times` and `per`",
        "In `watch`: the maximum number of checks of this resource (`times`) in a period (`per`). It has no \
         effect in `plan` and `apply`, which check it once.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  limit   = { times = 10, per = \"1m\" }\n}",
    ),
    meta(
        "lock",
        "a name, a map with `name` and `most`, or a list of those",
        "Resources with the same lock never run at the same time; with `most`, at most that many do. All users \
         of a lock must give the same `most`.",
        "task \"install\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  lock    = \"packages\"\n}\n\n\
         task \"fetch\" {\n  creates = \"/srv/b\"\n  apply   = \"touch /srv/b\"\n  \
         lock    = [\"packages\", { name = \"downloads\", most = 4 }]\n}",
    ),
    meta(
        "not_if",
        "a condition, a command (a string for the shell, or a list of arguments), a map with `command`, or a \
         list of these",
        "Skips the resource if this is true right before it runs: if the condition is true, or if the command \
         exits with status 0. A map sets `dir`, `user`, `env` and `timeout` of the command; a command that \
         times out counts as false. With several conditions, one that is true is enough.",
        "file \"/srv/motd\" {\n  not_if = \"test -e /srv/maintenance\"\n}",
    ),
    meta(
        "not_until",
        "one condition or command as in `only_if`; a map can also have `every`",
        "Waits until this is true before the resource runs; its dependents wait, too. The condition is checked \
         every second, or as often as `every` says. `timeout` limits the wait.",
        "file \"/srv/motd\" {\n  not_until = { command = [\"test\", \"-d\", \"/srv\"], every = \"2s\" }\n  \
         timeout   = \"1m\"\n}",
    ),
    meta(
        "notifies",
        "a list of `kind.name.action`, or a map from moments to such lists",
        "Resources to notify when this resource changes, and the action that each runs then. The moment is \
         `delayed` unless a map names another: `before` the change; `immediately` after it; `delayed` to the \
         end of the innermost group that contains both, once for all notifiers and even if something failed; or \
         `on_success`, which is `delayed` unless the run has failed. A resource in a module is \
         `module.web.service.nginx.reload`, one of the calling module `parent.service.nginx.reload`. \
         When the resource is no longer declared and is removed, its own last `notifies` count, and not \
         those of a group around it.",
        "task \"reload\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n\nfile \"/srv/app.conf\" {\n  \
         notifies = [task.reload.run]\n}\n\nfile \"/srv/app.key\" {\n  notifies = { immediately = [task.reload.run] }\n}",
    ),
    meta(
        "on_removal",
        "\"keep\", \"remove\" or \"revert\"",
        "What happens to the resource on the machine once its block is removed from the configuration: `keep` leaves it \
         as it is and lists it; `remove` removes it if Uphold created it; `revert` restores the values from before \
         Uphold managed it, or removes what Uphold created. The nearest one counts: of the resource, its group, its module call, \
         `settings`; `keep` by default. The removal sends the last `notifies` of the resource; a group around it is neither \
         verified nor sends its own.",
        "file \"/etc/cron.d/report\" {\n  content    = \"0 6 * * * root /usr/local/bin/report\\n\"\n  on_removal = \"remove\"\n}",
    ),
    meta(
        "only_if",
        "a condition, a command (a string for the shell, or a list of arguments), a map with `command`, or a \
         list of these",
        "Skips the resource unless this is true right before it runs: the condition is true, or the command \
         exits with status 0. A map sets `dir`, `user`, `env` and `timeout` of the command; a command that \
         times out counts as false. With several conditions, all must be true.",
        "file \"/srv/motd\" {\n  only_if = [\"test\", \"-d\", \"/srv\"]\n}\n\nfile \"/srv/issue\" {\n  \
         only_if = [\"test -d /srv\", { command = \"test -w .\", dir = \"/srv\", timeout = \"5s\" }]\n}",
    ),
    meta(
        "poll",
        "a duration",
        "In `watch`: the interval of regular checks, even if no change was reported. It has no effect in `plan` \
         and `apply`, which check once.",
        "file \"/srv/motd\" {\n  poll = \"5m\"\n}",
    ),
    meta(
        "retry",
        "a number of retries, or a map",
        "Retries the resource after a failure: `times` retries, 1 by default. `delay` is the wait before the \
         first retry, one second by default; each further wait is `backoff` times as long, up to `max_delay`. \
         `jitter`, from 0 to 1, randomly lengthens or shortens each wait by up to this fraction. `on` lists the \
         kinds of failure to retry: `denied`, `failed`, `missing`, `parent_missing`, `rejected`, `timed_out`, \
         `unsafe_link`, `unsupported` or `wrong_type`; all of them by default.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  \
         retry   = { times = 5, delay = \"2s\", backoff = 2, max_delay = \"1m\", jitter = 0.2, on = [\"failed\", \"timed_out\"] }\n}",
    ),
    meta(
        "sensitive",
        "true or false",
        "Hides all values of the resource and everything computed from them.",
        "file \"/srv/token\" {\n  content   = \"hunter2\"\n  sensitive = true\n}",
    ),
    meta(
        "subscribes",
        "a map from actions to lists of resources, or to maps from moments to such lists",
        "Resources whose change makes this resource run an action. It is the reverse of `notifies`, written on \
         the notified resource.",
        "file \"/srv/app.conf\" {}\n\nfile \"/srv/app.key\" {}\n\ntask \"reload\" {\n  apply      = \"true\"\n  \
         action     = \"nothing\"\n  subscribes = { run = [file[\"/srv/app.conf\"]] }\n}\n\ntask \"restart\" {\n  \
         apply      = \"true\"\n  action     = \"nothing\"\n  \
         subscribes = { run = { immediately = [file[\"/srv/app.key\"]] } }\n}",
    ),
    meta(
        "timeout",
        "a duration",
        "The maximum duration of a run of this resource, including its commands and all waiting. It fails if it \
         takes longer.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  timeout = \"1m30s\"\n}",
    ),
    meta(
        "when",
        "a condition",
        "Whether the block exists. The condition may depend on values that become known only during the run: \
         then the plan shows that the resource may change.",
        "file \"/etc/motd\" {\n  when    = host.os.family == \"debian\"\n  content = \"Debian\\n\"\n}",
    ),
];

/// The names of all meta arguments, sorted. No property can have such a name.
pub const META_ARGUMENTS: [&str; META.len()] = {
    let mut names = [""; META.len()];
    let mut i = 0;
    while i < META.len() {
        names[i] = META[i].name;
        i += 1;
    }
    names
};

const fn meta(
    name: &'static str,
    takes: &'static str,
    doc: &'static str,
    example: &'static str,
) -> MetaSchema {
    MetaSchema { name, takes, doc, example }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_documented() {
        assert!(META_ARGUMENTS.windows(2).all(|pair| pair[0] < pair[1]), "binary search needs sorted names");
        for MetaSchema { name, doc, example, .. } in META {
            assert!(doc.ends_with('.'), "{name}: {doc}");
            assert!(example.contains(&format!("  {name} ")), "{name}: {example}");
        }
    }
}
