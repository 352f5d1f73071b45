//! Resources of kinds in Luau: undone by their loader, or listed.

use super::machine::Machine;

#[test]
fn a_kind_with_a_loader_is_undone() {
    let machine = Machine::new();
    machine.add_kind(
        "note",
        r#"
properties.path = { type = "path", name = true }
properties.text = { type = "text", required = true }
function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.text = fs.read(path)
end
function actions.create()
    converge_if_changed(function() fs.write(path, text) end)
end
function actions.remove() fs.remove(path) end
"#,
    );
    machine.write("/old", "old");
    let before = machine.tree();
    machine.apply("note \"/old\" { text = \"new\" }\nnote \"/new\" { text = \"new\" }\n");
    let ran = machine.undo(&[]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert_eq!(machine.tree(), before);
}

#[test]
fn a_kind_without_a_loader_is_listed() {
    let machine = Machine::new();
    machine.add_kind(
        "pair",
        r#"
properties.path = { type = "path", name = true }
function actions.create()
    file(path .. "-1", { content = "1" })
    file(path .. "-2", { content = "2" })
end
"#,
    );
    machine.apply("pair \"/p\" {}\nfile \"/f\" {}\n");
    let ran = machine.undo(&[]);
    let reason = "pair[\"/p\"]: its kind does not load its state: the script has no `load_current_value`\n";
    assert!(ran.stderr.contains(reason), "{ran:#?}");
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(machine.at("/p-1").exists() && !machine.at("/f").exists());
}
