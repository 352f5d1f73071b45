//! A made-up Debian package.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A small made-up Debian package for all architectures.
#[derive(Debug, Clone)]
pub struct Package {
    name: String,
    version: String,
    fields: Vec<(String, String)>,
    files: Vec<(String, String, u32)>,
    conffiles: Vec<String>,
    scripts: Vec<(String, String)>,
}

impl Package {
    /// An empty package.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        let (name, version) = (name.to_owned(), version.to_owned());
        Self { name, version, fields: vec![], files: vec![], conffiles: vec![], scripts: vec![] }
    }

    /// Sets the field `Depends`.
    #[must_use]
    pub fn depends(self, packages: &str) -> Self {
        self.field("Depends", packages)
    }

    /// Adds a field to its control file.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a file with mode 0644.
    #[must_use]
    pub fn file(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.to_owned(), content.to_owned(), 0o644));
        self
    }

    /// Adds a program with mode 0755.
    #[must_use]
    pub fn program(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.to_owned(), content.to_owned(), 0o755));
        self
    }

    /// Adds a conffile, which dpkg keeps if it was edited.
    #[must_use]
    pub fn conffile(mut self, path: &str, content: &str) -> Self {
        self.conffiles.push(path.to_owned());
        self.file(path, content)
    }

    /// Adds a maintainer script (`preinst`, `postinst`, `prerm`, `postrm`) in shell.
    #[must_use]
    pub fn script(mut self, name: &str, shell: &str) -> Self {
        self.scripts.push((name.to_owned(), format!("#!/bin/sh\nset -e\n{shell}\n")));
        self
    }

    /// The name of the package file.
    pub(crate) fn file_name(&self) -> String {
        // The file name leaves out the epoch.
        let version = self.version.rsplit(':').next().unwrap_or_default();
        format!("{}_{version}_all.deb", self.name)
    }

    /// Its control file, which also begins its entry in an index.
    pub(crate) fn control(&self) -> String {
        let mut text = format!(
            "Package: {}\nVersion: {}\nArchitecture: all\nMaintainer: Test <test@example.invalid>\n\
             Description: made up by a test\n",
            self.name, self.version
        );
        self.fields.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\n")));
        text
    }

    /// Builds the package file in this directory.
    #[track_caller]
    pub(crate) fn build(&self, directory: &Path) {
        let tree = directory.join(format!("{}.tree", self.file_name()));
        self.write_tree(&tree).expect("the tree of a package can be written");
        let mut build = Command::new("dpkg-deb");
        build
            .args(["-Znone", "--root-owner-group", "--build"])
            .arg(&tree)
            .arg(directory.join(self.file_name()));
        let output = build.output().expect("`dpkg-deb` runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "package {} {}: {errors}", self.name, self.version);
        fs::remove_dir_all(&tree).expect("the tree can be removed");
    }

    fn write_tree(&self, tree: &Path) -> io::Result<()> {
        put(tree, "/DEBIAN/control", &self.control(), 0o644)?;
        if !self.conffiles.is_empty() {
            put(tree, "/DEBIAN/conffiles", &(self.conffiles.join("\n") + "\n"), 0o644)?;
        }
        for (name, text) in &self.scripts {
            put(tree, &format!("/DEBIAN/{name}"), text, 0o755)?;
        }
        self.files.iter().try_for_each(|(path, content, mode)| put(tree, path, content, *mode))
    }
}

fn put(tree: &Path, path: &str, content: &str, mode: u32) -> io::Result<()> {
    let target = tree.join(path.trim_start_matches('/'));
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&target, content)?;
    fs::set_permissions(&target, fs::Permissions::from_mode(mode))
}
