//! A saved plan does what it showed: with the same selection, on the same names, with the same settings and contents.

use crate::ground::{Ground, Ran};
use crate::saved_plan::apply;

/// Plans `site` in a folder, lets something happen, and applies the plan. `FOLDER` in the configuration is the folder.
#[track_caller]
fn replay(site: &str, before: &[(&str, &str)], flags: &[&str], after: &[(&str, &str)]) -> (Ground, Ran) {
    let ground = Ground::new();
    let folder = ground.path("root").display().to_string();
    ground.write("site.hcl", site.replace("FOLDER", &folder));
    before.iter().for_each(|(name, content)| ground.write(&format!("root/{name}"), content));
    let planned = ground.run(&[&["plan", "site.hcl", "--out", "plan"], flags].concat());
    assert_eq!(planned.code, Some(2), "{}{}", planned.stdout, planned.stderr);
    after.iter().for_each(|(name, content)| ground.write(&format!("root/{name}"), content));
    let applied = apply(&ground);
    (ground, applied)
}

#[test]
fn a_selected_plan_delivers_its_notifications() {
    let site = |moment: &str| {
        format!(
            "file \"a\" {{\n  path = \"FOLDER/a\"\n  content = \"a\"\n  notifies = {{ {moment} = [task.rel.run] }}\n}}\n\
             task \"rel\" {{\n  action = \"nothing\"\n  apply = \"echo rel >> FOLDER/log\"\n}}\n\
             file \"z\" {{ path = \"FOLDER/z\" }}\n"
        )
    };
    for moment in ["before", "immediately", "delayed"] {
        for flags in [["--exclude", "file.z"], ["--target", "file.a"]] {
            let (ground, applied) = replay(&site(moment), &[], &flags, &[]);
            assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
            assert_eq!(ground.read("root/log"), "rel\n", "{moment} {flags:?}");
            assert!(!ground.path("root/z").exists());
        }
    }
    // A handler that was excluded stays so, and is no reason to refuse anything.
    let (ground, applied) =
        replay(&site("delayed"), &[], &["--exclude", "task.rel", "--exclude", "file.z"], &[]);
    assert_eq!(applied.code, Some(0), "{}{}", applied.stdout, applied.stderr);
    assert!(ground.path("root/a").exists() && !ground.path("root/log").exists());
}
