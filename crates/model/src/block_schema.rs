//! Schemas of the blocks that belong to the language.

/// A block of the language. All of it is static data.
#[derive(Debug)]
pub struct BlockSchema {
    /// The keyword that starts the block.
    pub name: &'static str,
    /// The block's header, such as `param "name"`.
    pub head: &'static str,
    /// A one-sentence summary, then details.
    pub doc: &'static str,
    /// The attributes it takes, besides those that `doc` describes.
    pub attributes: &'static [BlockAttribute],
    /// An example configuration. A module that it calls is in `./web`.
    pub example: &'static str,
}

impl BlockSchema {
    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&'static BlockAttribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

/// An attribute of a block of the language.
#[derive(Debug)]
pub struct BlockAttribute {
    /// The attribute's name.
    pub name: &'static str,
    /// The accepted values, in a few words.
    pub takes: &'static str,
    /// Whether it must be set.
    pub required: bool,
    /// Its meaning, in one or two sentences.
    pub doc: &'static str,
}

/// Every block of the language, sorted by name.
pub const BLOCKS: &[BlockSchema] = &[
    BlockSchema {
        name: "declare",
        head: "declare \"kind\" \"name\"",
        doc: "Declares a resource without running an action. A plain block is short for `declare` and \
              `trigger`. The block takes the properties of its kind and meta arguments.",
        attributes: &[],
        example: "declare \"task\" \"reload\" {\n  apply = \"true\"\n}\n\ntrigger \"task\" \"reload\" {\n  action = \"run\"\n}",
    },
    BlockSchema {
        name: "edit",
        head: "edit \"kind\" \"name\"",
        doc: "Changes a resource that is declared elsewhere in the configuration: the properties in this block \
              replace those of the declaration. A third label selects one element of a `for_each`; without it, \
              all elements are changed.",
        attributes: &[attribute("when", "a condition", "Whether the edit applies.")],
        example: "log \"hello\" {\n  message = \"hello\"\n}\n\nedit \"log\" \"hello\" {\n  level = \"debug\"\n}",
    },
    BlockSchema {
        name: "kind",
        head: "kind \"name\"",
        doc: "Turns a module into a kind. Its params become properties, and its outputs are read as \
              `name.label.output`. It takes the meta arguments of a module.",
        attributes: &[needed("source", "a path in quotes", "The directory or archive of the module.")],
        example: "kind \"site\" {\n  source = \"./web\"\n}\n\nsite \"shop\" {\n  port = 8080\n}",
    },
    BlockSchema {
        name: "locals",
        head: "locals",
        doc: "Defines named values, one per line, which are read as `local.name` in the same module. Their \
              order does not matter, and a module can have several `locals` blocks.",
        attributes: &[],
        example: "locals {\n  root = \"/srv\"\n  logs = \"${local.root}/logs\"\n}\n\nlog \"where\" {\n  message = local.logs\n}",
    },
    BlockSchema {
        name: "module",
        head: "module \"name\"",
        doc: "Calls a module: a directory or an archive of configuration with its own params, outputs and \
              names. All other attributes of the block are params of the module; its outputs are read as \
              `module.name.output`.",
        attributes: &[
            needed("source", "a path in quotes", "The path of the module, relative to this file."),
            attribute(
                "for_each",
                "a map or an object, or a set or a list of strings or numbers",
                "Calls the module once for each element.",
            ),
            attribute("when", "a condition", "Whether the module is called."),
            attribute("depends_on", "a list of resources and modules", "Dependencies of everything in it."),
            ON_REMOVAL,
            ALWAYS,
        ],
        example: "module \"shop\" {\n  source = \"./web\"\n  port   = 8080\n}\n\nlog \"shop\" {\n  message = module.shop.url\n}",
    },
    BlockSchema {
        name: "moved",
        head: "moved",
        doc: "Says that a resource or a module has another address than before, so that its record follows it. \
              Addresses are relative to the module. Without a key, they cover all elements of a `for_each`.",
        attributes: &[
            needed("from", "an address without quotes", "The previous address, which must not be declared."),
            needed(
                "to",
                "an address without quotes",
                "The current address, or `from` of another `moved` block.",
            ),
        ],
        example: "moved {\n  from = log.hello\n  to   = log.welcome\n}\n\nlog \"welcome\" {}",
    },
    BlockSchema {
        name: "output",
        head: "output \"name\"",
        doc: "Defines a value that the caller of the module can read. An output of the configuration itself is \
              printed at the end of the run.",
        attributes: &[
            needed("value", "any value", "The value."),
            attribute("description", "a plain string", "A description, for documentation."),
            attribute("sensitive", "true or false", "Hides the value. A secret stays secret without it."),
        ],
        example: "output \"family\" {\n  description = \"The distribution family.\"\n  value       = \
                  host.os.family\n}",
    },
    BlockSchema {
        name: "parallel",
        head: "parallel",
        doc: "A group of blocks that run at the same time, as far as their dependencies allow. Inside a \
              `sequence` it is one step. An optional label names it. Delayed notifications between its members \
              are delivered before the group ends; those to a resource outside, at the end of the run.",
        attributes: PARALLEL,
        example: "sequence {\n  parallel {\n    concurrency = 2\n\n    log \"a\" {}\n    log \"b\" {}\n    log \"c\" {}\n  }\n\n  \
                  log \"after all\" {}\n}",
    },
    BlockSchema {
        name: "param",
        head: "param \"name\"",
        doc: "Declares an input value, which is read as `param.name`. It is set by `-p name=value`, \
              `UPHOLD_PARAM_NAME` or a file of `--params`, in this order of precedence; in a module, by the \
              module call.",
        attributes: &[
            attribute(
                "type",
                "a type",
                "`string`, `number`, `bool`, `any`, `list(…)`, `set(…)`, `map(…)`, `object({ … })` or `tuple([…])`; \
                 a field of an object may be `optional(type, default)`. If it is not set, the type of a plain \
                 default applies.",
            ),
            attribute("default", "a value", "The value if the param is not set."),
            attribute(
                "required",
                "true or false",
                "Whether the param must be set. It must be if it has no default, unless this is false; then it \
                 is null.",
            ),
            attribute("sensitive", "true or false", "Hides the value and everything computed from it."),
            attribute(
                "validation",
                "a block with `condition` and `message`",
                "A condition that the value must meet, and the message if it does not. The block can be repeated.",
            ),
            attribute("description", "a plain string", "A description, for documentation."),
        ],
        example: "param \"port\" {\n  type        = number\n  default     = 8080\n  description = \"The port of \
                  the site.\"\n\n  \
                  validation {\n    condition = param.port > 1023\n    message   = \"choose a port above 1023\"\n  }\n}\n\n\
                  log \"port\" {\n  message = \"port ${param.port}\"\n}",
    },
    BlockSchema {
        name: "removed",
        head: "removed",
        doc: "Says that a resource or a module is no longer declared on purpose, so that it is no longer listed. The \
              address is relative to the module. Without a key, it covers all elements of a `for_each`.",
        attributes: &[
            needed("from", "an address without quotes", "The previous address, which must not be declared."),
            attribute(
                "destroy",
                "true or false",
                "Whether the resource is removed from the machine. By default it stays as it is.",
            ),
        ],
        example: "removed {\n  from = cron.backup\n}",
    },
    BlockSchema {
        name: "sequence",
        head: "sequence",
        doc: "A group of blocks that run one after the other, in written order. An optional label names it. \
              Delayed notifications between its members are delivered before the group ends; those to a resource \
              outside, at the end of the run.",
        attributes: GROUP,
        example: "sequence \"deploy\" {\n  not_if = \"test -e /srv/frozen\"\n\n  log \"first\" {}\n  log \"second\" {}\n}",
    },
    BlockSchema {
        name: "settings",
        head: "settings",
        doc: "Settings of the whole configuration. A configuration can have one such block, outside of modules; its \
              values are literals.",
        attributes: &[
            attribute(
                "on_removal",
                "\"keep\", \"remove\" or \"revert\"",
                "What happens to a resource that is no longer declared, unless the resource, its group or its module \
                 call sets it; `keep` by default.",
            ),
            attribute(
                "window",
                "a string such as \"mon-fri 22:00-04:00\", or a list of them",
                "The maintenance window, in local time or `UTC`. Outside it, `watch` changes nothing and `apply` \
                 repairs no drift, except resources with `always = true`.",
            ),
        ],
        example: "settings {\n  on_removal = \"remove\"\n  window     = [\"mon-fri 22:00-04:00\", \"sat,sun\"]\n}",
    },
    BlockSchema {
        name: "trigger",
        head: "trigger \"kind\" \"name\"",
        doc: "Runs an action of a resource that is declared elsewhere, at this position. A third label selects \
              one element of a `for_each`; without it, all elements.",
        attributes: &[
            attribute(
                "action",
                "an action of the kind, or a list of them",
                "The action, `converge` by default.",
            ),
            attribute("depends_on", "a list of resources and modules", "Dependencies of this action."),
            attribute(
                "for_each",
                "a map or an object, or a set or a list of strings or numbers",
                "Runs the action once for each element.",
            ),
            attribute("when", "a condition", "Whether the action runs."),
        ],
        example: "declare \"task\" \"note\" {\n  apply = \"true\"\n}\n\nsequence {\n  trigger \"task\" \"note\" {\n    \
                  action = \"run\"\n  }\n  log \"between\" {}\n  trigger \"task\" \"note\" {\n    action = \"run\"\n  }\n}",
    },
];

const GROUP: &[BlockAttribute] = &[
    WHEN,
    DEPENDS_ON,
    ONLY_IF,
    NOT_IF,
    NOTIFIES,
    SUBSCRIBES,
    VERIFY,
    AUDIT,
    IGNORE_FAILURE,
    ON_REMOVAL,
    ALWAYS,
];

const PARALLEL: &[BlockAttribute] = &[
    CONCURRENCY,
    WHEN,
    DEPENDS_ON,
    ONLY_IF,
    NOT_IF,
    NOTIFIES,
    SUBSCRIBES,
    VERIFY,
    AUDIT,
    IGNORE_FAILURE,
    ON_REMOVAL,
    ALWAYS,
];

const CONCURRENCY: BlockAttribute = attribute(
    "concurrency",
    "a whole number, at least 1",
    "The maximum number of members that run at the same time, started in written order; 1 is the same as a \
     `sequence`. Unlimited by default.",
);
const VERIFY: BlockAttribute = attribute(
    "verify",
    "a shell command",
    "Runs once the members are in place, if one of them changed, and before their notifications are delivered. If it \
     fails, the group fails, the changed members get their previous values back, and nothing is notified. The group \
     needs a label.",
);
const WHEN: BlockAttribute =
    attribute("when", "a condition", "Whether the group and everything in it exists.");
const DEPENDS_ON: BlockAttribute =
    attribute("depends_on", "a list of resources and modules", "What comes before everything in it.");
const ONLY_IF: BlockAttribute = attribute(
    "only_if",
    "the same values as in a resource",
    "Skips the whole group unless this is true right before it starts.",
);
const NOT_IF: BlockAttribute = attribute(
    "not_if",
    "the same values as in a resource",
    "Skips the whole group if this is true right before it starts.",
);
const NOTIFIES: BlockAttribute = attribute(
    "notifies",
    "a list of `kind.name.action`, or a map from moments to such lists",
    "Resources to notify, once, if any member changed. A group cannot use the moment `before`.",
);
const SUBSCRIBES: BlockAttribute = attribute(
    "subscribes",
    "a list of resources",
    "Skips the whole group unless one of these resources has changed before it starts.",
);
const AUDIT: BlockAttribute =
    attribute("audit", "true or false", "Reports what differs in the group, and never changes it.");
const IGNORE_FAILURE: BlockAttribute = attribute(
    "ignore_failure",
    "true or false",
    "A failure of a member is reported, but neither fails the run nor skips dependents of the group.",
);

const ON_REMOVAL: BlockAttribute = attribute(
    "on_removal",
    "\"keep\", \"remove\" or \"revert\"",
    "What happens to a resource in it that is no longer declared, unless something nearer to the resource sets it.",
);

const ALWAYS: BlockAttribute =
    attribute("always", "true or false", "Changes everything in it outside the maintenance window, too.");

/// The names of all blocks of the language, sorted. No kind can have such a name.
pub const RESERVED_BLOCKS: [&str; BLOCKS.len()] = {
    let mut names = [""; BLOCKS.len()];
    let mut i = 0;
    while i < BLOCKS.len() {
        names[i] = BLOCKS[i].name;
        i += 1;
    }
    names
};

const fn attribute(name: &'static str, takes: &'static str, doc: &'static str) -> BlockAttribute {
    BlockAttribute { name, takes, required: false, doc }
}

const fn needed(name: &'static str, takes: &'static str, doc: &'static str) -> BlockAttribute {
    BlockAttribute { name, takes, required: true, doc }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_documented() {
        assert!(RESERVED_BLOCKS.is_sorted());
        for BlockSchema { name, head, doc, attributes, example } in BLOCKS {
            assert!(head.starts_with(name) && example.contains(&format!("{name} ")), "{name}");
            assert!(doc.ends_with('.') && attributes.iter().all(|a| a.doc.ends_with('.')), "{name}: {doc}");
        }
    }
}
