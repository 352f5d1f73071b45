//! The resources that root manages in the attacker's directory, and the entries that the attacker exchanges.

use super::home::{DIRECTORY, FILE, LINK, OPEN_DIRECTORY, PRIVATE, SECRET, TO_FILE, TO_TREE};

/// One declaration under attack.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// A block in which `PATH` stands for the exchanged name, and `ARCHIVE` for an archive.
    pub(super) block: &'static str,
    /// The entries that get the name in turn; the first one has it at the beginning.
    pub(super) entries: &'static [&'static str],
}

const fn case(name: &'static str, block: &'static str, entries: &'static [&'static str]) -> Case {
    Case { name, block, entries }
}

const FILES: &[&str] = &[FILE, TO_FILE, TO_TREE, DIRECTORY];
const DIRECTORIES: &[&str] = &[DIRECTORY, TO_TREE, TO_FILE];
/// For resources one level deeper: only a directory or a link to one has entries.
const PARENTS: &[&str] = &[DIRECTORY, TO_TREE];

pub(super) const CASES: [Case; 18] = [
    case(
        "file at a link",
        "file \"PATH\" {\n content = \"declared\\n\"\n mode = \"0600\"\n owner = \"root\"\n}\n",
        FILES,
    ),
    case(
        "forced file",
        "file \"PATH\" {\n content = \"declared\\n\"\n force = true\n backups = 1\n}\n",
        FILES,
    ),
    case(
        "line at a link",
        "line \"x\" {\n file = \"PATH\"\n line = \"declared\"\n create = true\n}\n",
        FILES,
    ),
    case("link at a link", "link \"PATH\" {\n to = \"/dev/null\"\n}\n", FILES),
    case(
        "directory at a link",
        "directory \"PATH\" {\n mode = \"0711\"\n owner = \"nobody\"\n}\n",
        DIRECTORIES,
    ),
    case("purge at a link", "directory \"PATH\" {\n purge = true\n}\n", DIRECTORIES),
    case(
        "removal at a link",
        "directory \"PATH\" {\n action = \"remove\"\n recursive = true\n}\n",
        DIRECTORIES,
    ),
    case(
        "archive at a link",
        "archive \"PATH\" {\n source = \"ARCHIVE\"\n directory_mode = \"0700\"\n}\n",
        DIRECTORIES,
    ),
    case("file below a link", "file \"PATH/file\" {\n content = \"declared\\n\"\n}\n", PARENTS),
    case("mode below a link", "file \"PATH/file\" {\n mode = \"0666\"\n}\n", PARENTS),
    case("line below a link", "line \"x\" {\n file = \"PATH/file\"\n line = \"declared\"\n}\n", PARENTS),
    case("directory below a link", "directory \"PATH/new\" {\n owner = \"nobody\"\n}\n", PARENTS),
    case("link below a link", "link \"PATH/new\" {\n to = \"/dev/null\"\n}\n", PARENTS),
    case("removal below a link", "file \"PATH/file\" {\n action = \"remove\"\n}\n", PARENTS),
    case(
        "directory beside a secret",
        "directory \"PATH\" {\n owner = \"nobody\"\n mode = \"0755\"\n}\n",
        &[OPEN_DIRECTORY, SECRET],
    ),
    case(
        "new link beside a secret",
        "link \"PATH\" {\n to = \"/dev/zero\"\n owner = \"nobody\"\n}\n",
        &[LINK, SECRET],
    ),
    case(
        "owner of a link beside a secret",
        "link \"PATH\" {\n to = \"/dev/null\"\n owner = \"nobody\"\n}\n",
        &[LINK, SECRET],
    ),
    // A file under the name of another file matches the declaration: only another type can be recognized.
    case(
        "mode of a file beside a private directory",
        "file \"PATH\" {\n mode = \"0644\"\n}\n",
        &[FILE, PRIVATE],
    ),
];
