//! A kind whose properties a program prints.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use uphold_model::Schema;
use uphold_resource::{Definition, Reading, Result};

use super::from_manifest::with_schema;
use super::kind_cache;
use crate::document::Fault;
use crate::manifest::{Manifest, Method};
use crate::program::{Call, Operation, Printed, Runner};
use crate::schema::Layout;

/// A kind whose manifest has a `schema.command`. The program runs only when [`PrintedKind::define`] is called.
pub struct PrintedKind {
    manifest: Manifest,
    name: String,
    method: Method,
    outline: &'static Schema,
}

impl PrintedKind {
    pub(super) fn new(manifest: Manifest, name: String, method: Method) -> Self {
        let outline = kind_cache::outline(&manifest, &name, || Layout::outline(&manifest, &name));
        Self { manifest, name, method, outline }
    }

    /// The kind without its properties.
    pub fn outline(&self) -> &'static Schema {
        self.outline
    }

    /// The directory of the manifest, where the program runs.
    pub fn directory(&self) -> &Path {
        &self.manifest.directory
    }

    /// The program that prints the properties, as the manifest names it.
    pub fn program(&self) -> &str {
        &self.method.executable
    }

    /// Runs the program, and creates the kind from its output. A program file with the same stamp is run once for each
    /// manifest in the life of the process.
    ///
    /// # Errors
    /// If the program cannot be run, or does not print a valid schema.
    pub fn define(
        &self,
        host: &Reading<'_>,
        program_stamp: Option<&str>,
    ) -> std::result::Result<Arc<dyn Definition>, Fault> {
        let path = ["schema", "command"];
        let schema = kind_cache::printed_schema(&self.manifest, program_stamp, || self.print(host));
        let schema = schema.map_err(|error| {
            let fix = error.advice().unwrap_or("run it manually to see why").to_owned();
            self.manifest.fault(&path, error.chain(), fix)
        })?;
        with_schema(&self.manifest, &self.name, &schema, &path)
    }

    fn print(&self, host: &Reading<'_>) -> Result<Json> {
        let (method, input) = (&self.method, Default::default());
        let call = Call { operation: Operation::Schema, method, input, secret: false };
        let start = |command: &uphold_resource::Command| host.probe(command);
        let output = Runner::default().run(&self.manifest, &call, host, &start)?;
        Printed::of(&call, &output, &self.manifest.type_name).object().map(Json::Object)
    }
}
