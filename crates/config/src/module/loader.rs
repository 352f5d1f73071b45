//! Loading the sources of modules, each directory once.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use uphold_functions::Surroundings;
use uphold_model::{Code, Diagnostic, Name, Place, SourceId, SourceText, Sources};

use super::definition::Module;
use super::literals::{LiteralLists, LiteralRange};
use super::reader::SourceReader;
use crate::names::Names;
use crate::parser::{LiteralBlock, RootItem, parse_literals_on};
use crate::source_code::SourceCode;
use crate::tree::{Content, Tree, TreeView};

/// Loads modules, and caches them.
pub(crate) struct Loader<'a> {
    pub(crate) sources: &'a mut Sources,
    pub(crate) surroundings: &'a dyn Surroundings,
    /// Kinds that are not defined by modules.
    pub(crate) kinds: &'a HashSet<Name>,
    pub(crate) problems: &'a mut Vec<Diagnostic>,
    /// Shared names of kinds.
    pub(super) names: Names,
    /// The number of threads that read a long source, if the process ends after the run.
    threads: Option<NonZeroUsize>,
    loaded: HashMap<PathBuf, Loaded>,
    /// The nesting depth of the module that is being loaded.
    depth: u32,
}

/// The maximum nesting depth of modules; functions over modules are recursive.
pub(crate) const DEEPEST: u32 = 32;

/// The maximum size of a source in bytes. Trees address their words with 32 bits, and no byte needs more than three
/// words; lengths of names have 30 bits.
pub(crate) const LARGEST: usize = (1 << 30) - 1;

/// A source, and the trees of its items.
struct Parsed {
    code: Arc<SourceCode>,
    /// `kind` blocks, which affect the meaning of other blocks.
    kinds: Vec<Arc<Tree>>,
    others: Vec<OtherItem>,
    /// The attributes of its literal blocks.
    literals: LiteralLists,
}

/// An item besides `kind` blocks.
enum OtherItem {
    Tree(Arc<Tree>),
    /// The attributes were moved out.
    Literals(LiteralBlock, LiteralRange),
}

/// The state of a directory.
#[derive(Clone)]
enum Loaded {
    /// It is being loaded: a request for it comes from inside.
    Begun,
    Done(Arc<Module>),
    Failed,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(
        sources: &'a mut Sources,
        surroundings: &'a dyn Surroundings,
        kinds: &'a HashSet<Name>,
        problems: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let (names, loaded) = Default::default();
        let threads = None;
        Self { sources, surroundings, kinds, problems, names, threads, loaded, depth: 0 }
    }

    /// The same, for a process that ends after the run, with this many threads for a long source.
    pub(crate) fn until_exit(self, threads: Option<NonZeroUsize>) -> Self {
        Self { threads, ..self }
    }

    /// Whether the sources of the configuration itself are being read, and not those of a module.
    pub(super) fn is_root(&self) -> bool {
        self.depth == 0
    }

    /// The module with these sources.
    pub(crate) fn define(&mut self, ids: &[SourceId]) -> Arc<Module> {
        let mut module = Module::default();
        let mut parsed: Vec<Parsed> = Vec::with_capacity(ids.len());
        for id in ids {
            let number = parsed.len() as u32;
            parsed.extend(self.parse(*id, number));
        }
        for (number, Parsed { code, kinds, .. }) in parsed.iter().enumerate() {
            module.codes.push(code.clone());
            for tree in kinds {
                self.reader(&mut module, number, (code, tree)).read_kind();
            }
        }
        for (number, Parsed { code, others, literals, .. }) in parsed.into_iter().enumerate() {
            module.literals.push(literals);
            module.reserve(others.len());
            for item in others {
                match item {
                    OtherItem::Literals(block, range) if module.kinds.is_empty() => {
                        module.add_literals(block, range, &code);
                    }
                    // Its kind may be a module.
                    OtherItem::Literals(block, _) => {
                        let tree = Arc::new(code.parse_again(&[block.kind.start]));
                        self.reader(&mut module, number, (&code, &tree)).read_block();
                    }
                    OtherItem::Tree(tree) => self.reader(&mut module, number, (&code, &tree)).read_block(),
                }
            }
        }
        Arc::new(module)
    }

    fn reader<'r>(
        &'r mut self,
        module: &'r mut Module,
        number: usize,
        (code, tree): (&'r Arc<SourceCode>, &'r Arc<Tree>),
    ) -> SourceReader<'r, 'a> {
        SourceReader { module, code: TreeView::new(code, tree), tree, number: number as u32, loader: self }
    }

    /// Parses the source with this number in its module.
    fn parse(&mut self, id: SourceId, number: u32) -> Option<Parsed> {
        let source = self.sources.get(id);
        if source.text.len() > LARGEST {
            let error = Diagnostic::new(Code::SourceTooLarge, "a source must be smaller than 1 GiB");
            self.problems.push(error.fix("split it into several files"));
            return None;
        }
        let directory = Path::new(&source.name).parent().unwrap_or(Path::new("")).to_owned();
        let code = Arc::new(SourceCode::of(self.sources, id, directory));
        let (mut kinds, mut others) = (Vec::new(), Vec::new());
        let mut literals = match self.threads {
            Some(_) => LiteralLists::Separate(Vec::new()),
            None => LiteralLists::Joined(Vec::new()),
        };
        let take = |item| match item {
            RootItem::Tree(tree) if is_kind(TreeView::new(&code, &tree), &tree) => kinds.push(tree),
            RootItem::Tree(tree) => others.push(OtherItem::Tree(tree)),
            RootItem::Literals(mut block) => {
                let range = literals.add(number, std::mem::take(&mut block.attributes));
                others.push(OtherItem::Literals(block, range));
            }
        };
        let threads = self.threads.unwrap_or(NonZeroUsize::MIN);
        let problems = parse_literals_on(threads, (&code.text, id), &mut self.names, take);
        self.problems.extend(problems);
        Some(Parsed { code, kinds, others, literals })
    }

    /// The module at `source`, which is written at `place` in a file of `directory`.
    pub(super) fn load(&mut self, directory: &Path, source: &str, place: Place) -> Option<Arc<Module>> {
        if let Some(problem) = unusable(source, place) {
            self.problems.push(problem);
            return None;
        }
        let path = normal(&directory.join(source.replace("//", "/")));
        match self.loaded.get(&path) {
            Some(Loaded::Done(module)) => return Some(module.clone()),
            Some(Loaded::Failed) => return None,
            Some(Loaded::Begun) => {
                let error = Diagnostic::new(
                    Code::ModuleCycle,
                    format!("`{source}` calls itself, directly or through other modules"),
                );
                self.problems.push(error.at(place).fix("move what both need into a third module"));
                return None;
            }
            None => {}
        }
        if self.depth >= DEEPEST {
            let detail = format!("modules are called more than {DEEPEST} levels deep");
            let error = Diagnostic::new(Code::NestedTooDeeply, detail).at(place);
            self.problems.push(error.fix("call modules from fewer levels"));
            return None;
        }
        self.loaded.insert(path.clone(), Loaded::Begun);
        self.depth += 1;
        let module = self.open(&path, source, place).map(|ids| self.define(&ids));
        self.depth -= 1;
        let state = module.clone().map_or(Loaded::Failed, Loaded::Done);
        self.loaded.insert(path, state);
        module
    }

    /// The sources of a module: a file, or all `*.hcl` files of a directory.
    fn open(&mut self, path: &Path, source: &str, place: Place) -> Option<Vec<SourceId>> {
        let files = if path.extension().is_some_and(|extension| extension == "hcl") {
            Ok(vec![path.to_owned()])
        } else {
            self.surroundings.list(path).map(|names| {
                let is_source = |name: &String| is_configuration(name);
                names.into_iter().filter(is_source).map(|name| path.join(name)).collect()
            })
        };
        let texts = files.and_then(|files: Vec<PathBuf>| {
            if files.is_empty() {
                Err("there is no *.hcl file in it".into())
            } else {
                files.iter().map(|file| self.text(file)).collect()
            }
        });
        match texts {
            Ok(texts) => {
                let texts: Vec<(String, SourceText)> = texts;
                Some(texts.into_iter().map(|(name, text)| self.sources.add(name, text)).collect())
            }
            Err(reason) => {
                let detail = format!("`{source}`: {reason}");
                let is_remote =
                    source.contains("://") || source.contains("::") || source.starts_with("github.com/");
                let fix = if is_remote {
                    "a module is a directory or an archive on this machine: download it, and write its path"
                } else {
                    "name a directory or an archive with *.hcl files, relative to this file"
                };
                self.problems.push(Diagnostic::new(Code::ModuleNotLoaded, detail).at(place).fix(fix));
                None
            }
        }
    }

    fn text(&self, file: &Path) -> Result<(String, SourceText), String> {
        let text = self.surroundings.read_source(file)?;
        let name = file.display().to_string();
        match text {
            Some(text) => Ok((name, text)),
            None => Err(format!("{name} is not UTF-8")),
        }
    }
}

fn is_kind(code: TreeView<'_>, tree: &Tree) -> bool {
    code.items(tree.root).any(|item| item.key == "kind" && matches!(item.content, Content::Block { .. }))
}

/// Whether a file of this name is part of the configuration in its directory: an `*.hcl` file that is neither hidden
/// nor a test.
pub fn is_configuration(name: &str) -> bool {
    name.ends_with(".hcl") && !is_test(name) && !name.starts_with('.')
}

/// Whether a file of this name contains tests.
pub fn is_test(name: &str) -> bool {
    name.ends_with(".test.hcl")
}

/// Rejects sources that only other tools support.
fn unusable(source: &str, place: Place) -> Option<Diagnostic> {
    let remote = source.contains("://") || source.starts_with("git@") || source.starts_with("git::");
    let (detail, fix) = if remote {
        ("modules are read from local paths and archives only", "download it first, and name its path")
    } else if source.is_empty() {
        ("the path is empty", "write a path: \"./web\"")
    } else {
        return None;
    };
    Some(Diagnostic::new(Code::ModuleNotLoaded, detail).at(place).fix(fix))
}

/// The path without `.` and inner `..`, so that a directory has one name.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(normal.components().next_back(), Some(Component::Normal(_))) => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
