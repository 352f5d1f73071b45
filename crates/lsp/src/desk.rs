//! The desk: what is open, and what else was looked at.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use gen_lsp_types::TextDocumentContentChangeEvent as ContentChange;
use uphold::resource::Registry;
use uphold::{Configuration, ConfigurationReader, Engine};

use crate::sheet::Sheet;
use crate::text::path_of;

/// Open texts stand for their files, whatever is on the disk.
pub(crate) struct Desk {
    engine: Engine,
    open: BTreeMap<PathBuf, (Rc<Sheet>, i32)>,
    /// Texts of the disk, so that what is in them is found out once.
    seen: HashMap<PathBuf, Rc<Sheet>>,
    /// The directories that the editor works in.
    pub(crate) folders: Vec<PathBuf>,
}

impl Desk {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, open: BTreeMap::new(), seen: HashMap::new(), folders: Vec::new() }
    }

    /// Puts a text on the desk. What has no path is left alone.
    pub(crate) fn open(&mut self, uri: &str, text: String, version: i32) {
        if let Some(path) = path_of(uri) {
            let sheet = Sheet::open(path.clone(), uri.to_owned(), text);
            self.open.insert(path, (Rc::new(sheet), version));
        }
    }

    pub(crate) fn close(&mut self, uri: &str) {
        path_of(uri).and_then(|path| self.open.remove(&path));
    }

    /// Makes changes to an open text, one after the other.
    pub(crate) fn change(&mut self, uri: &str, changes: Vec<ContentChange>, version: i32) {
        for change in changes {
            let changed = match (change, self.sheet(uri)) {
                (ContentChange::TextDocumentContentChangeWholeDocument(whole), _) => whole.text,
                (ContentChange::TextDocumentContentChangePartial(part), Some(sheet)) => {
                    let start = sheet.offset(part.range.start);
                    let end = sheet.offset(part.range.end).max(start);
                    [&sheet.text[..start], &part.text, &sheet.text[end..]].concat()
                }
                (ContentChange::TextDocumentContentChangePartial(_), None) => return,
            };
            self.open(uri, changed, version);
        }
    }

    /// The open text of this address.
    pub(crate) fn sheet(&self, uri: &str) -> Option<Rc<Sheet>> {
        self.open.get(&path_of(uri)?).map(|(sheet, _)| sheet.clone())
    }

    /// All open texts with their versions.
    pub(crate) fn all_open(&self) -> impl Iterator<Item = (&Rc<Sheet>, i32)> {
        self.open.values().map(|(sheet, version)| (sheet, *version))
    }

    /// Reads configurations with what is open.
    pub(crate) fn reader(&self) -> ConfigurationReader {
        let reader = Configuration::reader(&self.engine);
        let overlay =
            |reader: ConfigurationReader, sheet: &Rc<Sheet>| reader.overlay(&sheet.path, sheet.text.clone());
        self.all_open().map(|(sheet, _)| sheet).fold(reader, overlay)
    }

    /// The kinds that a file in this directory can use: those beside it, and those of the directories around it, because it
    /// may be a module of a configuration there.
    pub(crate) fn kinds(&self, directory: &Path) -> Registry {
        self.reader().read_kinds(std::iter::once(directory).chain(self.around(directory))).kinds
    }

    /// The directories around this one, as far as the editor works in them.
    pub(crate) fn around<'p>(&self, directory: &'p Path) -> impl Iterator<Item = &'p Path> {
        let inside = |path: &&Path| self.folders.iter().any(|folder| path.starts_with(folder));
        directory.ancestors().skip(1).take_while(inside)
    }

    /// The files of a configuration or of a module: a directory, an archive or one file. Empty if there is none.
    pub(crate) fn files(&mut self, path: &Path) -> Vec<Rc<Sheet>> {
        let texts = self.reader().texts([path]).unwrap_or_default();
        texts.into_iter().map(|(name, text)| self.kept(PathBuf::from(name), text)).collect()
    }

    fn kept(&mut self, path: PathBuf, text: String) -> Rc<Sheet> {
        if let Some((sheet, _)) = self.open.get(&path) {
            return sheet.clone();
        }
        match self.seen.get(&path) {
            Some(sheet) if *sheet.text == *text => sheet.clone(),
            _ => {
                let sheet = Rc::new(Sheet::new(path.clone(), text));
                self.seen.insert(path, sheet.clone());
                sheet
            }
        }
    }
}
