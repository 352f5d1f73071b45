//! Generated configurations, and the tree that they describe.

use std::fmt::Write as _;

/// The number of directories that the files are distributed over.
pub(crate) const DIRECTORIES: usize = 100;
/// Bytes in a file.
pub(crate) const SIZE: usize = 1024;
/// The account that owns everything; `work` gives it the user ID of the benchmark process.
pub(crate) const OWNER: &str = "bench";
pub(crate) const FILE_MODE: u32 = 0o640;
pub(crate) const DIRECTORY_MODE: u32 = 0o750;

pub(crate) fn directory_path(index: usize) -> String {
    format!("/srv/d{index:02}")
}

pub(crate) fn file_path(index: usize) -> String {
    format!("/srv/d{:02}/f{index:05}", index % DIRECTORIES)
}

/// The content of every file: one text whose first line differs, so that generating it costs the floor almost nothing.
pub(crate) struct Content(String);

impl Content {
    const FIRST_LINE: usize = "file 00000000\n".len();

    pub(crate) fn new() -> Self {
        let mut text = "file 00000000\n".to_owned();
        while text.len() < SIZE {
            text.push(if text.len() % 64 == 63 { '\n' } else { char::from(b'a' + (text.len() % 23) as u8) });
        }
        Self(text)
    }

    pub(crate) fn of(&mut self, index: usize) -> &str {
        self.0.replace_range(..Self::FIRST_LINE, &format!("file {index:08}\n"));
        &self.0
    }
}

/// `count` files of 1 KiB in 100 directories, with content, mode, owner and group.
pub(crate) fn files(count: usize) -> String {
    tree(count, "")
}

/// The same files with `force`, so that entries of another type at their paths are replaced.
pub(crate) fn forced_files(count: usize) -> String {
    tree(count, "  force = true\n")
}

/// Each file also gets the line `more`.
fn tree(count: usize, more: &str) -> String {
    let mut text = String::with_capacity(count * (SIZE + 200));
    let mut content = Content::new();
    for index in 0..DIRECTORIES {
        block(&mut text, "directory", &directory_path(index), DIRECTORY_MODE, "");
    }
    for index in 0..count {
        let content = content.of(index).replace('\n', "\\n");
        let lines = format!("  content = \"{content}\"\n{more}");
        block(&mut text, "file", &file_path(index), FILE_MODE, &lines);
    }
    text
}

fn block(text: &mut String, kind: &str, path: &str, mode: u32, more: &str) {
    write!(
        text,
        "{kind} \"{path}\" {{\n  mode = \"{mode:04o}\"\n  owner = \"{OWNER}\"\n  group = \"{OWNER}\"\n{more}}}\n"
    )
    .expect("a String takes any text");
}

/// `count` resources in groups of ten: a directory, files in it, and files that refer to the previous file.
///
/// References alternate between a value known at once (`path`) and one known after apply (`sha256`).
pub(crate) fn mixture(count: usize) -> String {
    let mut text = String::with_capacity(count * 110);
    for index in 0..count {
        let (group, member) = (index / 10, index % 10);
        let folder = format!("/srv/g{group:05}");
        let line = match member {
            0 => format!("directory \"{folder}\" {{\n  mode = \"0755\"\n}}\n"),
            1 | 3 | 5 | 7 | 9 => {
                format!(
                    "file \"{folder}/f{member}\" {{\n  content = \"number {index}\\n\"\n  mode = \"0644\"\n}}\n"
                )
            }
            _ => {
                let field = if member % 4 == 0 { "path" } else { "sha256" };
                let before = format!("file[\"{folder}/f{}\"].{field}", member - 1);
                format!("file \"{folder}/f{member}\" {{\n  content = {before}\n}}\n")
            }
        };
        text.push_str(&line);
    }
    text
}

/// `count` files that read locals, a resource and a function, of some 250 bytes each.
pub(crate) fn references(count: usize) -> String {
    let mut text = String::with_capacity(count * 260);
    text.push_str("locals {\n  root  = \"/srv/app\"\n  owner = \"root\"\n}\n\n");
    text.push_str("query \"kernel\" {\n  query = \"uname -r\"\n}\n\n");
    for index in 0..count {
        let block = format!(
            "file \"/srv/app/conf.d/service-{index:06}.conf\" {{
  content = \"# service {index} of ${{local.root}}\\nkernel = ${{query.kernel.value}}\\nport = ${{8000 + {index} % 1000}}\\n\"
  mode    = \"0640\"
  owner   = local.owner
  group   = upper(local.owner) == \"ROOT\" ? \"root\" : \"adm\"
}}

"
        );
        text.push_str(&block);
    }
    text
}

/// One block for `count` elements.
pub(crate) fn for_each(count: usize) -> String {
    format!(
        "file \"many\" {{\n  for_each = {{ for n in range({count}) : \"/srv/file-${{n}}\" => n * 2 }}\n  \
         content  = \"number ${{each.value}}\\n\"\n}}\n"
    )
}

/// A module that is called `count` times; see [`MODULE`].
pub(crate) fn calls(count: usize) -> String {
    let mut text = String::new();
    for index in 0..count {
        let call = format!(
            "module \"site{index}\" {{\n  source = \"./site\"\n  name   = \"site{index}\"\n}}\n\nlog \"{index}\" {{\n  message = module.site{index}.url\n}}\n\n"
        );
        text.push_str(&call);
    }
    text
}

/// The module that [`calls`] uses, in `site/main.hcl`.
pub(crate) const MODULE: &str = r#"param "name" {
  type = string
}

locals {
  root = "/srv/${param.name}"
}

directory "root" {
  path = local.root
}

file "index" {
  path    = "${local.root}/index.html"
  content = "<h1>${upper(param.name)}</h1>\n"
}

output "url" {
  value = "http://${param.name}.example.org"
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_has_its_size_and_differs() {
        let mut content = Content::new();
        let first = content.of(1).to_owned();
        assert_eq!(first.len(), SIZE);
        assert!(first.starts_with("file 00000001\n"));
        assert_ne!(first, content.of(2));
        assert!(!first.contains(['"', '\\', '$', '%']), "needs no escape in HCL but for the line ends");
    }

    #[test]
    fn files_has_a_block_for_each_path() {
        let text = files(250);
        assert_eq!(text.matches("directory \"").count(), DIRECTORIES);
        assert_eq!(text.matches("file \"").count(), 250);
        assert!(text.contains(
            "directory \"/srv/d07\" {\n  mode = \"0750\"\n  owner = \"bench\"\n  group = \"bench\"\n}\n"
        ));
        assert!(text.contains("file \"/srv/d07/f00107\" {\n  mode = \"0640\"\n"));
        assert!(text.contains("  content = \"file 00000107\\n"));
        assert!(!text.contains("force"));
        assert_eq!(forced_files(250).matches("\"\n  force = true\n}\n").count(), 250);
    }

    #[test]
    fn mixture_has_the_given_number_of_blocks_and_valid_references() {
        let text = mixture(20);
        assert_eq!(text.matches(" {\n").count(), 20);
        assert!(text.contains("file \"/srv/g00001/f4\" {\n  content = file[\"/srv/g00001/f3\"].path\n}\n"));
        assert!(text.contains("content = file[\"/srv/g00001/f5\"].sha256\n"));
        for reference in text.split("= file[").skip(1) {
            let path = reference.split('"').nth(1).expect("a quoted path");
            assert!(text.contains(&format!("file \"{path}\" {{")), "{path}");
        }
    }
}
