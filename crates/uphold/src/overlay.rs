//! Texts that stand for files: what is open in an editor and not saved yet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_config::is_configuration;
use uphold_host::ConfigurationFiles;
use uphold_resource::Result;

/// Texts by path. A path is meant as the configuration reaches it: absolute ones for an absolute configuration.
#[derive(Clone, Default)]
pub(crate) struct Overlay(BTreeMap<PathBuf, Arc<str>>);

impl Overlay {
    pub(crate) fn add(&mut self, path: PathBuf, text: Arc<str>) {
        self.0.insert(path, text);
    }

    /// The text that stands for this file.
    pub(crate) fn text(&self, path: &Path) -> Option<&str> {
        self.0.get(path).map(|text| &**text)
    }

    /// The names in a directory that texts are there for.
    fn names(&self, directory: &Path) -> impl Iterator<Item = String> {
        let inside = move |path: &&PathBuf| path.parent() == Some(directory);
        self.0.keys().filter(inside).filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
    }

    /// The names in a directory, those of new files included.
    pub(crate) fn list(&self, directory: &Path, files: &ConfigurationFiles) -> Result<Vec<String>> {
        let listed = files.list(directory);
        let mut names: Vec<String> = self.names(directory).collect();
        match listed {
            Err(error) if names.is_empty() => return Err(error),
            listed => names.extend(listed.unwrap_or_default()),
        }
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// The texts of a configuration, as [`ConfigurationFiles::configuration`] gives them.
    pub(crate) fn configuration(
        &self,
        path: &Path,
        files: &ConfigurationFiles,
    ) -> Result<Vec<(String, String)>> {
        if let Some(text) = self.text(path) {
            return Ok(vec![(path.display().to_string(), text.to_owned())]);
        }
        if self.names(path).next().is_none() {
            return files.configuration(path);
        }
        let names = self.list(path, files)?;
        let is_source = |name: &String| is_configuration(name);
        let mut texts = Vec::new();
        for name in names.into_iter().filter(is_source) {
            texts.extend(self.configuration(&path.join(name), files)?);
        }
        Ok(texts)
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real files")]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_for_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let directory = folder.path();
        std::fs::write(directory.join("b.hcl"), "on disk").expect("a file");
        std::fs::write(directory.join("c.hcl"), "on disk").expect("a file");
        let mut overlay = Overlay::default();
        let read = |overlay: &Overlay, path: &Path| {
            let texts = overlay.configuration(path, &ConfigurationFiles::new()).unwrap_or_default();
            let shown = texts
                .iter()
                .map(|(name, text)| format!("{}={text}", name.rsplit('/').next().unwrap_or(name)));
            shown.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&overlay, directory), "b.hcl=on disk c.hcl=on disk");
        overlay.add(directory.join("a.hcl"), "new".into());
        overlay.add(directory.join("b.hcl"), "changed".into());
        overlay.add(directory.join("b.txt"), "no configuration".into());
        overlay.add(directory.join("b.test.hcl"), "a test".into());
        overlay.add(directory.join("none/a.hcl"), "elsewhere".into());
        assert_eq!(read(&overlay, directory), "a.hcl=new b.hcl=changed c.hcl=on disk");
        assert_eq!(read(&overlay, &directory.join("b.hcl")), "b.hcl=changed");
        assert_eq!(read(&overlay, &directory.join("none")), "a.hcl=elsewhere");
        assert_eq!(read(&overlay, &directory.join("nothing")), "");
    }
}
