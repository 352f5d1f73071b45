//! Blocks and first words of references that belong to the language.

/// A block of the language. All of it is static data.
#[derive(Debug)]
pub struct BlockSchema {
    /// Its first word.
    pub name: &'static str,
    /// The whole head, such as `param "name"`.
    pub head: &'static str,
    /// What it says: a sentence, then what is worth knowing.
    pub doc: &'static str,
    /// What may be set in it, besides what the text says.
    pub attributes: &'static [BlockAttribute],
    /// A piece of configuration that shows it. A module that it calls is in `./web`.
    pub example: &'static str,
}

/// An attribute of a block of the language.
#[derive(Debug)]
pub struct BlockAttribute {
    /// How it is written.
    pub name: &'static str,
    /// What it takes, in a few words.
    pub takes: &'static str,
    /// Whether it must be set.
    pub required: bool,
    /// What it means, in one or two sentences.
    pub doc: &'static str,
}

/// The first word of a reference that is no kind. All of it is static data.
#[derive(Debug)]
pub struct RootSchema {
    /// The word.
    pub name: &'static str,
    /// How it goes on, such as `param.name`.
    pub form: &'static str,
    /// What it stands for, in one or two sentences.
    pub doc: &'static str,
}

/// Every block of the language, sorted by name.
pub const BLOCKS: &[BlockSchema] = &[
    BlockSchema {
        name: "declare",
        head: "declare \"kind\" \"name\"",
        doc: "Declares a resource without doing anything with it. A plain block is this and a `trigger`. It takes \
              the properties of its kind and meta arguments.",
        attributes: &[],
        example: "declare \"task\" \"reload\" {\n  apply = \"true\"\n}\n\ntrigger \"task\" \"reload\" {\n  action = \"run\"\n}",
    },
    BlockSchema {
        name: "edit",
        head: "edit \"kind\" \"name\"",
        doc: "Changes a resource that is declared elsewhere in the configuration: what it sets replaces what was set. \
              A third label means one element of a `for_each`; without it, all of them are changed.",
        attributes: &[attribute("when", "a condition", "Whether the change is made.")],
        example: "log \"hello\" {\n  message = \"hello\"\n}\n\nedit \"log\" \"hello\" {\n  level = \"debug\"\n}",
    },
    BlockSchema {
        name: "kind",
        head: "kind \"name\"",
        doc: "Makes a module a kind of its own. Its params become properties, and its outputs can be referred to: \
              `name.label.output`. The meta arguments are those of a module.",
        attributes: &[needed(
            "source",
            "a path in quotes",
            "Where the module is: a directory or an archive.",
        )],
        example: "kind \"site\" {\n  source = \"./web\"\n}\n\nsite \"shop\" {\n  port = 8080\n}",
    },
    BlockSchema {
        name: "locals",
        head: "locals",
        doc: "Gives names to values, each on a line of its own. Elsewhere in the module they are `local.name`. Order \
              does not matter, and there may be several such blocks.",
        attributes: &[],
        example: "locals {\n  root = \"/srv\"\n  logs = \"${local.root}/logs\"\n}\n\nlog \"where\" {\n  message = local.logs\n}",
    },
    BlockSchema {
        name: "module",
        head: "module \"name\"",
        doc: "Uses a module: a directory or an archive of configuration with params, outputs and names of its own. \
              Everything else that is set in the block is a param of the module; `module.name.output` is what it \
              tells.",
        attributes: &[
            needed("source", "a path in quotes", "Where the module is, from the file that says so."),
            attribute("for_each", "a map, a set, or a list of texts", "Calls it once for each element."),
            attribute("when", "a condition", "Whether it is called at all."),
            attribute("depends_on", "a list of resources and modules", "What comes before everything in it."),
        ],
        example: "module \"shop\" {\n  source = \"./web\"\n  port   = 8080\n}\n\nlog \"shop\" {\n  message = module.shop.url\n}",
    },
    BlockSchema {
        name: "output",
        head: "output \"name\"",
        doc: "Tells a value: to whoever calls the module, or at the end of the run.",
        attributes: &[
            needed("value", "any value", "What is told."),
            attribute("description", "plain text", "What it means."),
            attribute(
                "sensitive",
                "true or false",
                "Hides the value. A value that is a secret stays one anyway.",
            ),
        ],
        example: "output \"family\" {\n  description = \"What this machine runs.\"\n  value       = host.os.family\n}",
    },
    BlockSchema {
        name: "parallel",
        head: "parallel",
        doc: "Holds blocks that do not wait for each other, unless they refer to each other. Inside a `sequence` it \
              is one step. A label names it. What is put off to the end of a group, it does before it ends.",
        attributes: PARALLEL,
        example: "sequence {\n  parallel {\n    concurrency = 2\n\n    log \"a\" {}\n    log \"b\" {}\n    log \"c\" {}\n  }\n\n  \
                  log \"after all\" {}\n}",
    },
    BlockSchema {
        name: "param",
        head: "param \"name\"",
        doc: "Takes a value from outside: from `-p name=value`, from `UPHOLD_PARAM_NAME`, from a file named by \
              `--params`, in this order; or, in a module, from whoever calls it. Elsewhere it is `param.name`.",
        attributes: &[
            attribute(
                "type",
                "a type",
                "`string`, `number`, `bool`, `any`, `list(…)`, `set(…)`, `map(…)`, `object({ … })` or `tuple([…])`; \
                 a field of an object may be `optional(type, default)`. Without it, a plain default tells the type.",
            ),
            attribute("default", "a value", "What it is unless it is set."),
            attribute(
                "required",
                "true or false",
                "Whether it must be set; if not, it is null. Without a default it must be, unless this is false.",
            ),
            attribute(
                "sensitive",
                "true or false",
                "Hides the value, and everything that is computed from it.",
            ),
            attribute(
                "validation",
                "a block with `condition` and `message`",
                "What the value must meet, and what is said if it does not. There may be several.",
            ),
            attribute("description", "plain text", "What it means."),
        ],
        example: "param \"port\" {\n  type        = number\n  default     = 8080\n  description = \"Where the site listens.\"\n\n  \
                  validation {\n    condition = param.port > 1023\n    message   = \"choose a port above 1023\"\n  }\n}\n\n\
                  log \"port\" {\n  message = \"port ${param.port}\"\n}",
    },
    BlockSchema {
        name: "sequence",
        head: "sequence",
        doc: "Holds blocks that are done one after the other, as they are written. A label names it. What is put off \
              to the end of a group, it does before it ends.",
        attributes: GROUP,
        example: "sequence \"deploy\" {\n  not_if = \"test -e /srv/frozen\"\n\n  log \"first\" {}\n  log \"second\" {}\n}",
    },
    BlockSchema {
        name: "trigger",
        head: "trigger \"kind\" \"name\"",
        doc: "Does something with a resource that is declared elsewhere, where this block stands. A third label means \
              one element of a `for_each`; without it, all of them.",
        attributes: &[
            attribute(
                "action",
                "an action of the kind, or a list of them",
                "What is done: `converge` unless set.",
            ),
            attribute("depends_on", "a list of resources and modules", "What must be done before."),
            attribute("for_each", "a map, a set, or a list of texts", "Does it once for each element."),
            attribute("when", "a condition", "Whether it is done."),
        ],
        example: "declare \"task\" \"note\" {\n  apply = \"true\"\n}\n\nsequence {\n  trigger \"task\" \"note\" {\n    \
                  action = \"run\"\n  }\n  log \"between\" {}\n  trigger \"task\" \"note\" {\n    action = \"run\"\n  }\n}",
    },
];

const GROUP: &[BlockAttribute] =
    &[WHEN, DEPENDS_ON, ONLY_IF, NOT_IF, NOTIFIES, SUBSCRIBES, AUDIT, IGNORE_FAILURE];

const PARALLEL: &[BlockAttribute] =
    &[CONCURRENCY, WHEN, DEPENDS_ON, ONLY_IF, NOT_IF, NOTIFIES, SUBSCRIBES, AUDIT, IGNORE_FAILURE];

const CONCURRENCY: BlockAttribute = attribute(
    "concurrency",
    "a number from 1 on",
    "How many of its members are under way at a time, begun as they are written; 1 is a `sequence`. As many as there \
     are unless it is set.",
);
const WHEN: BlockAttribute = attribute("when", "a condition", "Whether everything in it is there at all.");
const DEPENDS_ON: BlockAttribute =
    attribute("depends_on", "a list of resources and modules", "What comes before everything in it.");
const ONLY_IF: BlockAttribute = attribute(
    "only_if",
    "what it takes in a resource",
    "Everything in it is left alone unless this holds when its turn comes.",
);
const NOT_IF: BlockAttribute = attribute(
    "not_if",
    "what it takes in a resource",
    "Everything in it is left alone if this holds when its turn comes.",
);
const NOTIFIES: BlockAttribute = attribute(
    "notifies",
    "a list of `kind.name.verb`, or a map from moments to such lists",
    "Who is told, once, if anything in it changed. A group cannot tell `before`.",
);
const SUBSCRIBES: BlockAttribute = attribute(
    "subscribes",
    "a list of resources",
    "Everything in it is left alone unless one of them has changed by then.",
);
const AUDIT: BlockAttribute = attribute(
    "audit",
    "true or false",
    "Looks at everything in it and tells what differs; never changes it.",
);
const IGNORE_FAILURE: BlockAttribute = attribute(
    "ignore_failure",
    "true or false",
    "A failure in it is told, but it is no failure of the run, and keeps nothing back that stands on the group.",
);

/// Every first word of a reference that is no kind, sorted by name.
pub const ROOTS: &[RootSchema] = &[
    RootSchema {
        name: "each",
        form: "each.key, each.value",
        doc: "The element of `for_each` that a block is made for. Of a set or a list, both are the same.",
    },
    RootSchema {
        name: "host",
        form: "host.os.family",
        doc: "A fact about the machine. It is found out when it is first asked for.",
    },
    RootSchema { name: "local", form: "local.name", doc: "A name that `locals` gives, in the same module." },
    RootSchema {
        name: "module",
        form: "module.name.output",
        doc: "What a module tells; `module.name[\"key\"].output` if it is called with `for_each`. To wait for a \
              resource in it, or to tell it something: `module.name.kind.name`.",
    },
    RootSchema { name: "param", form: "param.name", doc: "The value of a param of the same module." },
    RootSchema {
        name: "parent",
        form: "parent.kind.name",
        doc: "A resource of whoever calls the module: to wait for it, or to tell it something. Values come in as \
              params.",
    },
    RootSchema {
        name: "path",
        form: "path.module, path.root, path.cwd",
        doc: "Directories: of the file that says so, of the whole configuration, and where Uphold was started.",
    },
];

/// The names of all blocks of the language, sorted. No kind has such a name.
pub const RESERVED_BLOCKS: [&str; BLOCKS.len()] = {
    let mut names = [""; BLOCKS.len()];
    let mut i = 0;
    while i < BLOCKS.len() {
        names[i] = BLOCKS[i].name;
        i += 1;
    }
    names
};

/// First words of references that are no kinds, sorted. No kind has such a name.
pub const RESERVED_ROOTS: [&str; ROOTS.len()] = {
    let mut names = [""; ROOTS.len()];
    let mut i = 0;
    while i < ROOTS.len() {
        names[i] = ROOTS[i].name;
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
        assert!(RESERVED_BLOCKS.is_sorted() && RESERVED_ROOTS.is_sorted());
        for BlockSchema { name, head, doc, attributes, example } in BLOCKS {
            assert!(head.starts_with(name) && example.contains(&format!("{name} ")), "{name}");
            assert!(doc.ends_with('.') && attributes.iter().all(|a| a.doc.ends_with('.')), "{name}: {doc}");
        }
        for RootSchema { name, form, doc } in ROOTS {
            assert!(form.starts_with(&format!("{name}.")) && doc.ends_with('.'), "{name}: {form}");
        }
    }
}
