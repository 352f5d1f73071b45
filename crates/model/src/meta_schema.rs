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
    /// Whether a run acts on it. What is not in force is checked, and a run that would ignore it is refused.
    pub in_force: bool,
}

/// Every meta argument, sorted by name.
pub const META: &[MetaSchema] = &[
    in_force(
        "action",
        "an action of the kind, or a list of them",
        "What is done with the resource: `converge` unless it is set, `remove`, `nothing`, or a verb of its kind. A \
         list is done in order. With `nothing` it is declared and left alone.",
        "file \"/etc/old.conf\" {\n  action = \"remove\"\n}",
    ),
    later(
        "audit",
        "true or false",
        "Looks and tells what differs, and never changes it.",
        "file \"/etc/passwd\" {\n  mode  = \"0644\"\n  audit = true\n}",
    ),
    in_force(
        "auto_edges",
        "true or false",
        "Whether the resource waits by itself for what it stands on, such as its directory or its owner. It does \
         unless this is false.",
        "file \"/srv/motd\" {\n  auto_edges = false\n}",
    ),
    in_force(
        "depends_on",
        "a list of resources and modules",
        "What must be done before. A value that is read from another resource makes this needless. Of a module, \
         everything in it comes before.",
        "log \"first\" {}\n\nlog \"second\" {\n  depends_on = [log.first]\n}",
    ),
    in_force(
        "for_each",
        "a map, a set, or a list of texts",
        "Makes one resource, or one call of a module, for each element. Inside, `each.key` and `each.value` tell \
         which it is; outside, `kind.name[\"key\"]` does. The keys must be known before the run.",
        "file \"page\" {\n  for_each = { home = \"Welcome\", help = \"Ask us\" }\n  path     = \"/srv/${each.key}.txt\"\n  \
         content  = each.value\n}",
    ),
    later(
        "ignore_failure",
        "true or false",
        "A failure is told, and keeps nothing back that stands on the resource.",
        "task \"warm up\" {\n  creates        = \"/var/cache/warm\"\n  apply          = \"touch /var/cache/warm\"\n  \
         ignore_failure = true\n}",
    ),
    later(
        "limit",
        "a map with `name` and `most`",
        "At most so many of the resources with the same name of a limit are visited at a time.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  limit   = { name = \"downloads\", most = 2 }\n}",
    ),
    later(
        "lock",
        "a name",
        "No two resources with the same lock are visited at a time.",
        "task \"install\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  lock    = \"packages\"\n}",
    ),
    later(
        "not_if",
        "a condition, or a command as text or as a list of its words",
        "The resource is left alone if this holds when its turn comes: if the condition is true, or if the command \
         ends with status 0.",
        "file \"/srv/motd\" {\n  not_if = \"test -e /srv/maintenance\"\n}",
    ),
    later(
        "notifies",
        "a list of `kind.name.verb`",
        "Who is told when this resource changed, and what it does then.",
        "task \"reload\" {\n  apply  = \"true\"\n  action = \"nothing\"\n}\n\nfile \"/srv/app.conf\" {\n  \
         notifies = [task.reload.run]\n}",
    ),
    later(
        "on_removal",
        "`keep` or `remove`",
        "What happens to the thing when the block is gone from the configuration: it is kept, unless this is \
         `remove`.",
        "file \"/srv/motd\" {\n  on_removal = \"remove\"\n}",
    ),
    later(
        "only_if",
        "a condition, or a command as text or as a list of its words",
        "The resource is left alone unless this holds when its turn comes: unless the condition is true, or the \
         command ends with status 0.",
        "file \"/srv/motd\" {\n  only_if = [\"test\", \"-d\", \"/srv\"]\n}",
    ),
    later(
        "poll",
        "a span of time",
        "How often the resource is looked at although nothing reported a change.",
        "file \"/srv/motd\" {\n  poll = \"5m\"\n}",
    ),
    later(
        "retry",
        "how many times, or a map with `times` and `delay`",
        "How often a failed visit is tried again, and how long to wait before each. The delay is one second unless \
         it is set.",
        "task \"fetch\" {\n  creates = \"/srv/a\"\n  apply   = \"touch /srv/a\"\n  retry   = { times = 3, delay = \"2s\" }\n}",
    ),
    in_force(
        "sensitive",
        "true or false",
        "Hides all values of the resource, and everything that is computed from them.",
        "file \"/srv/token\" {\n  content   = \"hunter2\"\n  sensitive = true\n}",
    ),
    later(
        "subscribes",
        "a map from verbs to lists of resources",
        "Whose change makes this resource act, and what it does then. It is `notifies`, told by the other side.",
        "file \"/srv/app.conf\" {}\n\ntask \"reload\" {\n  apply      = \"true\"\n  action     = \"nothing\"\n  \
         subscribes = { run = [file[\"/srv/app.conf\"]] }\n}",
    ),
    in_force(
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

const fn in_force(
    name: &'static str,
    takes: &'static str,
    doc: &'static str,
    example: &'static str,
) -> MetaSchema {
    MetaSchema { name, takes, doc, example, in_force: true }
}

const fn later(
    name: &'static str,
    takes: &'static str,
    doc: &'static str,
    example: &'static str,
) -> MetaSchema {
    MetaSchema { in_force: false, ..in_force(name, takes, doc, example) }
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
