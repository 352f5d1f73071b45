//! A Debian package that a test makes up.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// A Debian package that a test makes up: for all architectures, tiny, with what the test says.
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
    /// A package with nothing in it.
    #[must_use]
    pub fn new(name: &str, version: &str) -> Self {
        let (name, version) = (name.to_owned(), version.to_owned());
        Self { name, version, fields: vec![], files: vec![], conffiles: vec![], scripts: vec![] }
    }

    /// What it needs, as `Depends:` has it.
    #[must_use]
    pub fn depends(self, packages: &str) -> Self {
        self.field("Depends", packages)
    }

    /// Another field of its control file.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A file that everybody can read.
    #[must_use]
    pub fn file(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.to_owned(), content.to_owned(), 0o644));
        self
    }

    /// A file that everybody can run.
    #[must_use]
    pub fn program(mut self, path: &str, content: &str) -> Self {
        self.files.push((path.to_owned(), content.to_owned(), 0o755));
        self
    }

    /// A file of configuration, which dpkg keeps if somebody changed it.
    #[must_use]
    pub fn conffile(mut self, path: &str, content: &str) -> Self {
        self.conffiles.push(path.to_owned());
        self.file(path, content)
    }

    /// A maintainer script (`preinst`, `postinst`, `prerm`, `postrm`): text of the shell.
    #[must_use]
    pub fn script(mut self, name: &str, shell: &str) -> Self {
        self.scripts.push((name.to_owned(), format!("#!/bin/sh\nset -e\n{shell}\n")));
        self
    }

    /// The name of its file.
    pub(crate) fn file_name(&self) -> String {
        // A colon of an epoch is not part of the name.
        let version = self.version.rsplit(':').next().unwrap_or_default();
        format!("{}_{version}_all.deb", self.name)
    }

    /// Its control file, which is also the begin of its entry in an index.
    pub(crate) fn control(&self) -> String {
        let mut text = format!(
            "Package: {}\nVersion: {}\nArchitecture: all\nMaintainer: Test <test@example.invalid>\n\
             Description: made up by a test\n",
            self.name, self.version
        );
        self.fields.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\n")));
        text
    }

    /// Builds it as a file in this directory.
    #[track_caller]
    pub(crate) fn build(&self, directory: &Path) {
        let tree = directory.join(format!("{}.tree", self.file_name()));
        self.lay_out(&tree).expect("the tree of a package can be written");
        let mut build = Command::new("dpkg-deb");
        build
            .args(["-Znone", "--root-owner-group", "--build"])
            .arg(&tree)
            .arg(directory.join(self.file_name()));
        let output = build.output().expect("`dpkg-deb` runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "package {} {}: {said}", self.name, self.version);
        fs::remove_dir_all(&tree).expect("the tree can be removed");
    }

    fn lay_out(&self, tree: &Path) -> io::Result<()> {
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
