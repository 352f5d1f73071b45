//! Source files that properties name by paths relative to the configuration.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::Surroundings;
use uphold_functions::beside;
use uphold_model::{
    Attribute, Deferred, Diagnostic, Name, Reference, Schema, Scope, Sources, Statement, Term, Value,
};
use uphold_resource::{Kind, Registry, SourceFile};

/// Adds the contents of the source files that statements name, relative to their own file. They are inputs of the
/// configuration: recorded for saved plans and watches, and read outside the machine's root.
pub(crate) fn read_source_files(
    statements: &mut [Statement],
    sources: &Sources,
    kinds: &Registry,
    surroundings: &Arc<dyn Surroundings>,
) {
    let mut files_of: HashMap<Name, Vec<&str>> = HashMap::new();
    for statement in statements {
        let (id, place, attributes): (_, _, &mut [Attribute]) = match statement {
            Statement::Declare(declaration) => {
                (&declaration.id, declaration.place, &mut declaration.attributes)
            }
            Statement::Edit(edit) => (&edit.id, edit.place, &mut edit.attributes),
            _ => continue,
        };
        let Some(place) = place else { continue };
        let files = files_of.entry(id.kind.clone()).or_insert_with(|| file_properties(kinds, &id.kind));
        for attribute in attributes.iter_mut().filter(|one| files.contains(&&*one.name)) {
            let origin = Origin::new(&sources.get(place.source).name, surroundings);
            let value = std::mem::replace(&mut attribute.value, Term::Known(Value::Null));
            attribute.value = match value {
                Term::Known(value) => Term::Known(origin.resolved(value)),
                Term::Deferred(inner) => Term::Deferred(Arc::new(DeferredFile { inner, origin })),
            };
        }
    }
}

/// The source file properties of a kind.
fn file_properties(kinds: &Registry, kind: &str) -> Vec<&'static str> {
    let properties = kinds.get(kind).map(Kind::schema).map(Schema::all).unwrap_or_default();
    let files = properties.into_iter().filter(|property| SourceFile::is_type(property.ty));
    files.flat_map(|property| property.aliases.iter().copied().chain([property.name])).collect()
}

/// The location of a block.
struct Origin {
    /// The name of its source.
    source: String,
    directory: PathBuf,
    surroundings: Arc<dyn Surroundings>,
}

impl Origin {
    fn new(source: &str, surroundings: &Arc<dyn Surroundings>) -> Self {
        let directory = Path::new(source).parent().unwrap_or(Path::new("")).to_owned();
        Self { source: source.to_owned(), directory, surroundings: surroundings.clone() }
    }

    fn resolved(&self, value: Value) -> Value {
        match value {
            Value::Sensitive(inner) => self.resolved((*inner).clone()).sensitive(),
            Value::Text(path) if SourceFile::is_beside(&path) => match self.content(&path) {
                Ok(content) => SourceFile::read_beside(&path, content),
                Err(reason) => SourceFile::unreadable(&path, reason),
            },
            other => other,
        }
    }

    fn content(&self, path: &str) -> Result<Vec<u8>, String> {
        let surroundings = &*self.surroundings;
        surroundings.read(&beside(surroundings, &self.directory, path)).map_err(|reason| {
            let directory: PathBuf =
                self.surroundings.current_directory().join(&self.directory).components().collect();
            format!("{reason}; searched in {} (beside {})", directory.display(), self.source)
        })
    }
}

/// A source file whose path refers to a resource.
struct DeferredFile {
    inner: Arc<dyn Deferred>,
    origin: Origin,
}

impl std::fmt::Debug for DeferredFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl Deferred for DeferredFile {
    fn references(&self) -> &[Reference] {
        self.inner.references()
    }

    fn evaluate(&self, scope: &dyn Scope) -> Result<Value, Diagnostic> {
        Ok(self.origin.resolved(self.inner.evaluate(scope)?))
    }

    fn is_optional(&self) -> bool {
        self.inner.is_optional()
    }
}
