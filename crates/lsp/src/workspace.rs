//! The open files of the editor, and a cache of the others.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gen_lsp_types::TextDocumentContentChangeEvent as ContentChange;
use uphold::resource::Registry;
use uphold::{Configuration, ConfigurationReader, Engine};

use crate::document::Document;
use crate::scope::blocks;
use crate::uri::{normalized, path_of};

/// The files that the server knows. The text of an open file replaces the one on the disk.
pub(crate) struct Workspace {
    engine: Engine,
    /// The open files with their versions.
    open: BTreeMap<PathBuf, (Rc<Document>, i32)>,
    /// Files on the disk, so that each text is analysed once.
    cache: HashMap<PathBuf, Rc<Document>>,
    /// The workspace folders of the editor.
    pub(crate) folders: Vec<PathBuf>,
}

impl Workspace {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, open: BTreeMap::new(), cache: HashMap::new(), folders: Vec::new() }
    }

    /// Opens a file, or replaces its text. A URI without a path is ignored.
    pub(crate) fn open(&mut self, uri: &str, text: String, version: i32) {
        if let Some(path) = path_of(uri) {
            let document = Document::open(path.clone(), uri.to_owned(), text);
            self.open.insert(path, (Rc::new(document), version));
        }
    }

    pub(crate) fn close(&mut self, uri: &str) {
        path_of(uri).and_then(|path| self.open.remove(&path));
    }

    /// Applies edits to an open file, in order.
    pub(crate) fn change(&mut self, uri: &str, changes: Vec<ContentChange>, version: i32) {
        for change in changes {
            let changed = match (change, self.document(uri)) {
                (ContentChange::TextDocumentContentChangeWholeDocument(whole), _) => whole.text,
                (ContentChange::TextDocumentContentChangePartial(part), Some(document)) => {
                    let start = document.offset(part.range.start);
                    let end = document.offset(part.range.end).max(start);
                    [&document.text[..start], &part.text, &document.text[end..]].concat()
                }
                (ContentChange::TextDocumentContentChangePartial(_), None) => return,
            };
            self.open(uri, changed, version);
        }
    }

    /// The open file with this URI.
    pub(crate) fn document(&self, uri: &str) -> Option<Rc<Document>> {
        self.open.get(&path_of(uri)?).map(|(document, _)| document.clone())
    }

    /// The open file at this path, with its version.
    pub(crate) fn open_at(&self, path: &Path) -> Option<&(Rc<Document>, i32)> {
        self.open.get(path)
    }

    pub(crate) fn all_open(&self) -> impl Iterator<Item = &Rc<Document>> {
        self.open.values().map(|(document, _)| document)
    }

    /// A reader that sees the open texts.
    pub(crate) fn reader(&self) -> ConfigurationReader {
        let overlay = |reader: ConfigurationReader, document: &Rc<Document>| {
            reader.overlay(&document.path, document.text.clone())
        };
        self.all_open().fold(Configuration::reader(&self.engine), overlay)
    }

    /// The kinds that a file in this directory can use: those beside it, and those of its parent directories, because it
    /// may be a module of a configuration there.
    pub(crate) fn kinds(&self, directory: &Path) -> Registry {
        self.reader().read_kinds(std::iter::once(directory).chain(self.parents(directory))).kinds
    }

    /// The parent directories, up to the workspace folder.
    fn parents<'p>(&self, directory: &'p Path) -> impl Iterator<Item = &'p Path> {
        let inside = |path: &&Path| self.folders.iter().any(|folder| path.starts_with(folder));
        directory.ancestors().skip(1).take_while(inside)
    }

    /// The files of a configuration or module: a directory, an archive or one file. Empty if it does not exist.
    pub(crate) fn files(&mut self, path: &Path) -> Vec<Rc<Document>> {
        let texts = self.reader().texts([path]).unwrap_or_default();
        texts.into_iter().map(|(name, text)| self.cached(PathBuf::from(name), &text)).collect()
    }

    fn cached(&mut self, path: PathBuf, text: &str) -> Rc<Document> {
        if let Some((document, _)) = self.open.get(&path) {
            return document.clone();
        }
        match self.cache.get(&path) {
            Some(document) if *document.text == *text => document.clone(),
            _ => {
                let document = Rc::new(Document::on_disk(path.clone(), text.to_owned()));
                self.cache.insert(path, document.clone());
                document
            }
        }
    }

    /// The directories to check, so that every open file is checked. A module is checked with its caller, which sets its
    /// params; callers are searched among the open files and in their parent directories.
    pub(crate) fn roots(&mut self) -> Vec<PathBuf> {
        let open: BTreeSet<PathBuf> =
            self.all_open().map(|document| document.configuration_directory().to_owned()).collect();
        let parents = open.iter().flat_map(|directory| self.parents(directory)).map(Path::to_owned);
        let candidates: BTreeSet<PathBuf> = parents.chain(open.iter().cloned()).collect();
        let reached: BTreeMap<PathBuf, BTreeSet<PathBuf>> =
            candidates.into_iter().map(|directory| (directory.clone(), self.modules(directory))).collect();
        let is_called = |directory: &Path| {
            reached.iter().any(|(caller, reached)| caller != directory && reached.contains(directory))
        };
        let is_root = |(directory, reached): &(&PathBuf, &BTreeSet<PathBuf>)| {
            !is_called(directory) && (open.contains(*directory) || !open.is_disjoint(reached))
        };
        let mut roots: Vec<PathBuf> =
            reached.iter().filter(is_root).map(|(directory, _)| directory.clone()).collect();
        // Modules that call each other have no root.
        for directory in &open {
            let checked = |root: &PathBuf| root == directory || reached[root].contains(directory);
            if !roots.iter().any(checked) {
                roots.push(directory.clone());
            }
        }
        roots
    }

    /// The modules that a configuration calls, directly or indirectly.
    fn modules(&mut self, directory: PathBuf) -> BTreeSet<PathBuf> {
        let mut reached = BTreeSet::new();
        let mut next = vec![directory];
        while let Some(directory) = next.pop() {
            let documents = self.files(&directory);
            for found in blocks(&documents) {
                let source = found.block.attribute("source").and_then(|source| source.text.as_deref());
                let calls = matches!(&*found.block.kind.text, "module" | "kind");
                let Some(source) = source.filter(|_| calls) else { continue };
                let module = normalized(&found.document.directory().join(source));
                if reached.insert(module.clone()) {
                    next.push(module);
                }
            }
        }
        reached
    }
}
