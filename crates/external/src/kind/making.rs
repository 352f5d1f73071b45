//! From a manifest to a kind.

use std::sync::Arc;

use serde_json::Value as Json;
use uphold_resource::{Definition, Observe, Result};

use super::definition::External;
use super::shelf;
use crate::document::Fault;
use crate::manifest::{Manifest, SchemaSource};
use crate::program::{Call, Operation, Printed, Runner};
use crate::schema::{Checker, Layout};

/// The kind that a manifest defines. If its schema has to be asked for, the program is run, by looking alone.
///
/// The same manifest at the same place gives the same kind again, so that reading it often costs no memory.
///
/// # Errors
/// If the schema cannot be had, or is nothing that a kind can have; with the place in the manifest.
pub fn define(manifest: &Manifest, host: &dyn Observe) -> std::result::Result<Arc<dyn Definition>, Fault> {
    let runner = Runner::default();
    let (schema, path) = match &manifest.schema {
        SchemaSource::Embedded(schema) => (schema.clone(), ["schema", "embedded"]),
        SchemaSource::Command(_) => {
            let path = ["schema", "command"];
            let asked = ask(manifest, &runner, host).map_err(|error| {
                let fix = error.advice().unwrap_or("run it by hand to see why").to_owned();
                manifest.fault(&path, error.chain(), fix)
            });
            (asked?, path)
        }
    };
    shelf::take(manifest, &schema, || {
        let layout = Layout::read(manifest, &schema).map_err(|flaw| {
            let inside = flaw.path.iter().map(String::as_str);
            let full: Vec<&str> = path.into_iter().chain(inside).collect();
            manifest.fault(&full, format!("{}: {}", manifest.type_name, flaw.what), flaw.fix)
        })?;
        let checker = Checker::new(&schema);
        Ok(Arc::new(External { manifest: manifest.clone(), layout, checker, runner }))
    })
}

/// The schema that a program prints.
fn ask(manifest: &Manifest, runner: &Runner, host: &dyn Observe) -> Result<Json> {
    let SchemaSource::Command(method) = &manifest.schema else { return Ok(Json::Null) };
    let call = Call { operation: Operation::Schema, method, input: Default::default(), secret: false };
    let output = runner.run(manifest, &call, host, &|command| host.probes().probe(command))?;
    Printed::of(&call, &output, &manifest.type_name).object().map(Json::Object)
}
