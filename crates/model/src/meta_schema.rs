//! Meta arguments: what means something in every block, whatever its kind.

/// One meta argument. All of it is static data.
#[derive(Debug)]
pub struct MetaSchema {
    /// How it is written.
    pub name: &'static str,
    /// What it takes, in a few words.
    pub takes: &'static str,
    /// What it does: a sentence, then what is worth knowing.
    pub doc: &'static str,
    /// A whole configuration that shows it; a test runs it.
    pub example: &'static str,
}

/// Every meta argument, sorted by name.
pub const META: &[MetaSchema] = &[
    meta(
        "action",
        "an action of the kind, or a list of them",
        "What is done with the resource: `converge` unless it is set, `remove`, `nothing`, or a verb of its kind. A \
         list is done in order. With `nothing` it is declared and left alone.",
        "file \"/etc/old.conf\" {\n  action = \"remove\"\n}",
    ),
    meta(
        "audit",
        "true or false",
        "Looks and tells what differs, and never changes it.",
        "file \"/etc/passwd\" {\n  mode  = \"0644\"\n  audit = true\n}",
    ),
    meta(
        "auto_edges",
        "true or false",
        "Whether the resource waits by itself for what it stands on, such as its directory or its owner. It does \
         unless this is false.",
        "file \"/srv/motd\" {\n  auto_edges = false\n}",
    ),
    meta(
        "depends_on",
        "a list of resources and modules",
        "What must be done before. A value that is read from another resource makes this needless. Of a module, \
         everything in it comes before.",
        "log \"first\" {}\n\nlog \"second\" {\n  depends_on = [log.first]\n}",
    ),
    meta(
        "for_each",
        "a map, a set, or a list of texts",
        "Makes one resource, or one call of a module, for each element. Inside, `each.key` and `each.value` tell \
         which it is; outside, `kind.name[\"key\"]` does. The keys must be known before the run.",
        "file \"page\" {\n  for_each = { home = \"Welcome\", help = \"Ask us\" }\n  path     = \"/srv/${each.key}.txt\"\n  \
         content  = each.value\n}",
    ),
    meta(
        "ignore_failure",
        "true or false",
        "A failure is told, but it is no failure of the run, and keeps nothing back that stands on the resource.",
        "task \"warm up\" {\n  creates        = \"/var/cache/warm\"\n  apply          = \"touch /var/cache/warm\"\n  \
         ignore_failure = true\n}",
    ),
    meta(
        "limit",
        "a map with `times` and `per`",
        "In `watch`: the resource is visited at most so many times in that span. It means nothing in `plan` and \
         `apply`, which visit it once.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  limit   = { times = 10, per = \"1m\" }\n}",
    ),
    meta(
        "lock",
        "a name, a map with `name` and `most`, or a list of those",
        "No two resources with the same lock are visited at a time; with `most`, no more than so many. All that share \
         a lock must agree on how many.",
        "task \"install\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  lock    = \"packages\"\n}\n\n\
         task \"fetch\" {\n  creates = \"/srv/b\"\n  apply   = \"touch /srv/b\"\n  \
         lock    = [\"packages\", { name = \"downloads\", most = 4 }]\n}",
    ),
    meta(
        "not_if",
        "a condition, a command as text or as a list of its words, a map with `command`, or a list of those",
        "The resource is left alone if this holds when its turn comes: if the condition is true, or if the command \
         ends with status 0. A map says how the command is run: with `dir`, `user`, `env` and `timeout`; one that \
         takes too long counts as false. Of several, one is enough.",
        "file \"/srv/motd\" {\n  not_if = \"test -e /srv/maintenance\"\n}",
    ),
    meta(
        "not_until",
        "what `only_if` takes, but one; in a map also `every`",
        "The resource waits until this holds: it is looked at again and again, `every` second unless that is set, and \
         what stands on the resource waits, too. `timeout` says for how long at most.",
        "file \"/srv/motd\" {\n  not_until = { command = [\"test\", \"-d\", \"/srv\"], every = \"2s\" }\n  \
         timeout   = \"1m\"\n}",
    ),
    meta(
        "notifies",
        "a list of `kind.name.verb`, or a map from moments to such lists",
        "Who is told when this resource changes, and what it does then. The moment is `delayed` unless a map says \
         another: `before` the change, `immediately` after it, `delayed` to the end of the group that holds both, once \
         for all who asked and even if something failed; or `on_success`, which is the same unless the run has failed. \
         Paths lead into modules, `module.web.service.nginx.reload`, and out of them, `parent.service.nginx.reload`.",
        "task \"reload\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n\nfile \"/srv/app.conf\" {\n  \
         notifies = [task.reload.run]\n}\n\nfile \"/srv/app.key\" {\n  notifies = { immediately = [task.reload.run] }\n}",
    ),
    meta(
        "only_if",
        "a condition, a command as text or as a list of its words, a map with `command`, or a list of those",
        "The resource is left alone unless this holds when its turn comes: unless the condition is true, or the \
         command ends with status 0. A map says how the command is run: with `dir`, `user`, `env` and `timeout`; one \
         that takes too long counts as false. Of several, all must hold.",
        "file \"/srv/motd\" {\n  only_if = [\"test\", \"-d\", \"/srv\"]\n}\n\nfile \"/srv/issue\" {\n  \
         only_if = [\"test -d /srv\", { command = \"test -w .\", dir = \"/srv\", timeout = \"5s\" }]\n}",
    ),
    meta(
        "poll",
        "a span of time",
        "In `watch`: how often the resource is looked at although nothing reported a change. It means nothing in \
         `plan` and `apply`, which look once.",
        "file \"/srv/motd\" {\n  poll = \"5m\"\n}",
    ),
    meta(
        "retry",
        "how many times, or a map",
        "How often a failed visit is tried again: `times`, 1 unless it is set. It waits for `delay` before the first of \
         them, one second unless set, and `backoff` times as long before each next one, but never longer than \
         `max_delay`. `jitter`, from 0 to 1, is by which part a wait is made longer or shorter at random. `on` lists \
         the sorts of failure that count: `denied`, `failed`, `missing`, `parent_missing`, `rejected`, `timed_out`, \
         `unsafe_link`, `unsupported` or `wrong_type`; all of them unless it is set.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  \
         retry   = { times = 5, delay = \"2s\", backoff = 2, max_delay = \"1m\", jitter = 0.2, on = [\"failed\", \"timed_out\"] }\n}",
    ),
    meta(
        "sensitive",
        "true or false",
        "Hides all values of the resource, and everything that is computed from them.",
        "file \"/srv/token\" {\n  content   = \"hunter2\"\n  sensitive = true\n}",
    ),
    meta(
        "subscribes",
        "a map from verbs to lists of resources, or to maps from moments to such lists",
        "Whose change makes this resource act, and what it does then. It is `notifies`, told by the other side.",
        "file \"/srv/app.conf\" {}\n\nfile \"/srv/app.key\" {}\n\ntask \"reload\" {\n  apply      = \"true\"\n  \
         action     = \"nothing\"\n  subscribes = { run = [file[\"/srv/app.conf\"]] }\n}\n\ntask \"restart\" {\n  \
         apply      = \"true\"\n  action     = \"nothing\"\n  \
         subscribes = { run = { immediately = [file[\"/srv/app.key\"]] } }\n}",
    ),
    meta(
        "timeout",
        "a span of time",
        "How long a visit may take, with all its commands and all waiting. What takes longer has failed.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  timeout = \"1m30s\"\n}",
    ),
    meta(
        "when",
        "a condition",
        "Whether the block is there at all. It may stand on what only the run tells: then the plan says that it may \
         change.",
        "file \"/etc/motd\" {\n  when    = host.os.family == \"debian\"\n  content = \"Debian\\n\"\n}",
    ),
];

/// The names of all meta arguments, sorted. No property has such a name.
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
        assert!(META_ARGUMENTS.windows(2).all(|pair| pair[0] < pair[1]), "they are searched by halves");
        for MetaSchema { name, doc, example, .. } in META {
            assert!(doc.ends_with('.'), "{name}: {doc}");
            assert!(example.contains(&format!("  {name} ")), "{name}: {example}");
        }
    }
}
