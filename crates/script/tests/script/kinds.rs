//! A scripted kind and a recipe, planned and applied.

use uphold_engine::Mode::{Apply, Plan};
use uphold_model::Value;

use crate::bench::Bench;

const FILE: &str = r#"
properties.path = { type = "path", name = true }
properties.mode = { type = "mode", default = "0666" }
properties.content = { type = "text" }

function load_current_value(current)
    if not fs.exists(path) then current_value_does_not_exist() end
    current.mode = fs.stat(path).mode
    current.content = fs.read(path)
end

function actions.create()
    converge_if_changed(function()
        fs.write(path, content or "", { mode = mode })
    end)
end

function actions.remove()
    fs.remove(path)
end
"#;

#[test]
fn plans_and_applies_a_scripted_kind() {
    let bench = Bench::new(&[("my_file", FILE)]);
    let hello = [("content", Value::text("hello"))];
    assert_eq!(
        bench.run(Plan, "my_file", "/x.txt", &hello),
        "my_file[\"/x.txt\"] would change\n  mode: - -> \"0666\"\n  content: - -> \"hello\"\n"
    );
    assert_eq!(
        bench.run(Apply, "my_file", "/x.txt", &hello),
        "my_file[\"/x.txt\"] changed\n  mode: - -> \"0666\"\n  content: - -> \"hello\"\n"
    );
    assert_eq!(bench.content("/x.txt"), "hello");
    assert_eq!(bench.run(Apply, "my_file", "/x.txt", &hello), "my_file[\"/x.txt\"] unchanged\n");
    let other = [("content", Value::text("other"))];
    assert_eq!(
        bench.run(Apply, "my_file", "/x.txt", &other),
        "my_file[\"/x.txt\"] changed\n  content: \"hello\" -> \"other\"\n"
    );
}

#[test]
fn plans_and_applies_a_recipe() {
    let bench = Bench::new(&[]);
    let text = r#"
        directory("/srv", {})
        file("/srv/a", { content = `port {param.port}` })
        if fs.read("/srv/a") == "port 80" then
            file("/srv/b", { content = "b" })
        end
    "#;
    let changes = |word: &str| {
        format!(
            "recipe[\"site.luau\"] {word}\n  directory[\"/srv\"].mode: - -> \"0755\"\n  \
             file[\"/srv/a\"].content: - -> \"port 80\"\n  file[\"/srv/a\"].mode: - -> \"0644\"\n  \
             file[\"/srv/b\"].content: - -> \"b\"\n  file[\"/srv/b\"].mode: - -> \"0644\"\n"
        )
    };
    assert_eq!(bench.recipe(Plan, text), changes("would change"));
    assert_eq!(bench.recipe(Apply, text), changes("changed"));
    assert_eq!(bench.recipe(Apply, text), "recipe[\"site.luau\"] unchanged\n");
}
