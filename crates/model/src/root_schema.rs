//! Schemas of the reserved first words of references.

/// A reserved first word of a reference, which no kind can have as its name. All of it is static data.
#[derive(Debug)]
pub struct RootSchema {
    /// The reserved word.
    pub name: &'static str,
    /// A complete reference, such as `param.name`.
    pub form: &'static str,
    /// Its meaning, in one or two sentences.
    pub doc: &'static str,
}

/// Every reserved first word of a reference, sorted by name.
pub const ROOTS: &[RootSchema] = &[
    RootSchema {
        name: "each",
        form: "each.key, each.value",
        doc: "The key and the value of the current element of `for_each`. For a set or a list, both are the same.",
    },
    RootSchema {
        name: "host",
        form: "host.os.family",
        doc: "A fact about the machine. It is gathered when it is first used.",
    },
    RootSchema { name: "local", form: "local.name", doc: "The value of a local of the same module." },
    RootSchema {
        name: "module",
        form: "module.name.output",
        doc: "An output of a module; `module.name[\"key\"].output` if it is called with `for_each`. \
              `depends_on` and `notifies` can name a resource inside the module: `module.name.kind.name`.",
    },
    RootSchema { name: "param", form: "param.name", doc: "The value of a param of the same module." },
    RootSchema {
        name: "parent",
        form: "parent.kind.name",
        doc: "A resource of the calling module, in `depends_on`, `notifies` and `subscribes`. Its values cannot \
              be read: pass them as params.",
    },
    RootSchema {
        name: "path",
        form: "path.module, path.root, path.cwd",
        doc: "The directories of this file, of the whole configuration, and of the process (where Uphold was \
              started).",
    },
];

/// The reserved first words of references, sorted. No kind can have such a name.
pub const RESERVED_ROOTS: [&str; ROOTS.len()] = {
    let mut names = [""; ROOTS.len()];
    let mut i = 0;
    while i < ROOTS.len() {
        names[i] = ROOTS[i].name;
        i += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_documented() {
        assert!(RESERVED_ROOTS.is_sorted());
        for RootSchema { name, form, doc } in ROOTS {
            assert!(form.starts_with(&format!("{name}.")) && doc.ends_with('.'), "{name}: {form}");
        }
    }
}
