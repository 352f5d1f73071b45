//! Suggestions for users who know other tools.

use super::sandbox::Sandbox;

#[track_caller]
fn check(configuration: &str, help: &str) {
    let ran = Sandbox::with(configuration).rooted(&["validate"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("= help: {help}\n")), "{}", ran.stderr);
}

#[test]
fn words_of_other_tools_get_a_suggestion() {
    check("dir \"/x\" {}\n", "did you mean `directory`?");
    check("exec \"x\" {}\n", "did you mean `task`?");
    let module = "put it into a directory of its own, and call it: `module \"name\" { source = \"./name\" }`";
    check("class \"app\" {}\n", module);
    check("class app ($port) {\n  file { '/x': }\n}\n", module);
    check("bundle \"main\" {}\n", module);
    let when = "write `when = CONDITION` in each resource; a value is chosen with `CONDITION ? a : b`";
    check("if host.os.family == \"debian\" {\n  log \"a\" {}\n} else {\n  log \"b\" {}\n}\n", when);
    check("unless \"x\" {}\n", when);
    check(
        "file { \"/x\":\n  mode => \"0644\",\n}\n",
        "write `file \"/x\" {`, and `name = value` lines without commas",
    );
    check("grains \"os\" {}\n", "facts are read as `host.…`; `uphold facts` lists them");
    check("lineinfile \"x\" {}\n", "did you mean `line`?");
    check("FILE \"/x\" {}\n", "did you mean `file`?");
    check("file \"/x\" { src = \"/y\" }\n", "did you mean `source`?");
    check("link \"/x\" {\n  to = \"y\"\n  target = \"y\"\n}\n", "did you mean `to`?");
    check("line \"x\" {\n  file = \"/y\"\n  line = \"z\"\n  regexp = \"z\"\n}\n", "did you mean `match`?");
    let remove = "declared resources are present; to remove one, write `action = \"remove\"`";
    check("file \"/x\" { state = \"absent\" }\n", remove);
    check("file \"/x\" { ensure = \"absent\" }\n", remove);
    check(
        "file \"/x\" { state = \"directory\" }\n",
        "a directory has a kind of its own: write `directory` instead of `file`",
    );
    check(
        "file \"/x\" { state = \"link\" }\n",
        "a symbolic link has a kind of its own: `link`, with its target in `to`",
    );
    check("file \"/x\" { state = null }\n", remove);
    check(
        "package \"x\" { name = [\"a\", \"b\"] }\n",
        "for one resource each, write `for_each = […]` and `each.value`",
    );
    check(
        "link \"/x\" { to = null }\n",
        "it is required: give it a value, or leave out the block: `when = param.name != null`",
    );
    for word in ["delete = true", "absent = true", "ensure = \"removed\""] {
        check(&format!("package \"x\" {{ {word} }}\n"), remove);
    }
    let latest = "write `version = \"latest\"`";
    check("package \"x\" { state = \"latest\" }\n", latest);
    check("package \"x\" { latest = true }\n", latest);
    let reload = "name the action where the change is: `notifies = [service.NAME.reload]`";
    check("service \"x\" { state = \"reloaded\" }\n", reload);
    check("service \"x\" { restarted = true }\n", reload);
    check(
        "file \"/x\" { handler = \"x\" }\n",
        "write `notifies = […]`, with the resource and the action: `notifies = [service.nginx.reload]`",
    );
    check("file \"/x\" { template = \"x.j2\" }\n", "write `content = template(\"FILE\", { … })`");
    check("template \"/x\" {}\n", "write a `file`, with `content = template(\"FILE\", { … })`");
    check(
        "handler \"x\" {}\n",
        "declare a `task` with `action = \"nothing\"`, and name it in `notifies = [task.NAME.run]`",
    );
    check(
        "directory \"/x\" { source = \"files\" }\n",
        "a directory has no content: declare a `file` with `for_each = fileset(…)`",
    );
    check("cron \"x\" {\n  command = \"true\"\n  daily = true\n}\n", "write `schedule = \"@daily\"`");
    check("cron \"x\" {\n  command = \"true\"\n  schedule = \"daily\"\n}\n", "write \"@daily\"");
    check("systemd_timer \"x\" { daily = true }\n", "write `on_calendar = \"daily\"`");
    check(
        "timer \"x\" { daily = true }\n",
        "a `timer` only notifies, at an interval; use `systemd_timer` or `cron`",
    );
    check("file \"/x\" { count = 2 }\n", "write `for_each = range(n)`, and `each.key` in the block");
    check("file \"/x\" {\n  lifecycle {}\n}\n", "remove it: only properties that are set are managed");
    check(
        "terraform {}\n",
        "remove it: there is no backend; settings of the configuration are in a `settings` block",
    );
}

#[test]
fn actions_of_other_tools_get_a_suggestion() {
    for word in ["absent", "delete", "removed"] {
        check(&format!("file \"/x\" {{ action = \"{word}\" }}\n"), "did you mean \"remove\"?");
    }
    for word in ["create", "installed"] {
        let leave_out = "leave `action` out: declared resources are created and updated";
        check(&format!("package \"x\" {{ action = \"{word}\" }}\n"), leave_out);
    }
    check("package \"x\" { action = \"latest\" }\n", "write `version = \"latest\"`");
    check("service \"x\" { action = \"reloaded\" }\n", "did you mean \"reload\"?");
}

#[test]
fn arguments_of_other_tools_get_a_suggestion() {
    let installed = "declared packages are installed; for the newest version, write `version = \"latest\"`; to remove \
                     one, write `action = \"remove\"`";
    check("package \"x\" { ensure = \"installed\" }\n", installed);
    check("package \"x\" { ensure = installed }\n", installed);
    check("package \"x\" { ensure = \"1.2\" }\n", "did you mean `version`?");
    let enable = "write `enabled = true`, and `running = true` to start it";
    check("service \"x\" { action = [\"enable\", \"start\"] }\n", enable);
    for word in ["state = \"started\"", "ensure = \"running\""] {
        check(&format!("service \"x\" {{ {word} }}\n"), "write `running = true`");
    }
    let notify = "name the action where the change is: `notifies = [service.NAME.reload]`";
    check("service \"x\" { reload = true }\n", notify);
    check("service \"x\" { state = \"stopped\" }\n", "write `running = false`");
    check("package \"x\" { action = \"upgrade\" }\n", "write `version = \"latest\"`");
    check(
        "task \"x\" {\n  apply = \"true\"\n  refreshonly = true\n}\n",
        "write `action = \"nothing\"`: then only notifications run it",
    );
    check(
        "task \"x\" {\n  apply = \"true\"\n  path = [\"/bin\"]\n}\n",
        "write `env = { PATH = \"/usr/local/bin:/usr/bin:/bin\" }`",
    );
    check("log \"x\" { ignore_errors = true }\n", "write `ignore_failure = true`");
    check("log \"x\" { msg = \"a\" }\n", "did you mean `message`?");
    check(
        "directory \"/x\" { exclude = [\"a\"] }\n",
        "to keep only some of the unmanaged content, write a list of it: `purge = [\"keep.conf\"]`",
    );
    let restore = "remove it: `uphold restore FILE` brings the previous content back";
    check("line \"x\" {\n  file = \"/y\"\n  line = \"z\"\n  backup = true\n}\n", restore);
    check("file \"/x\" { backup = true }\n", "did you mean `backups`?");
    check("synchronize \"x\" {}\n", "declare a `file` with `for_each = fileset(…)` and `source`");
}

#[test]
fn statements_and_symbols_of_chef_get_a_suggestion() {
    let include =
        "all `*.hcl` files of a directory are read together; call another directory with a `module` block";
    check("include \"foo.hcl\"\n", include);
    check("include_recipe \"x\"\n", include);
    let notifies = "write `notifies = [kind.name.action]`; with a moment, `notifies = { immediately = \
                    [kind.name.action] }`";
    let file = |line: &str| format!("log \"a\" {{}}\nfile \"/x\" {{\n  {line}\n}}\n");
    check(&file("notifies = [log.a.say, :delayed]"), notifies);
    check(&file("notifies :say, \"log[a]\", :delayed"), notifies);
    check(&file("mode = :x"), "write a string in quotes, without `:`");
    check(&file("notifies = [log.a.write]"), "choose one of converge, say");
    check(&file("notifies = [log.a.create]"), "did you mean \"converge\"?");
}

#[test]
fn references_of_other_tools_get_a_suggestion() {
    let log = |value: &str| format!("log \"x\" {{ message = {value} }}\n");
    let node = "`uphold facts` lists the facts; for a value of your own, write `param.x`";
    check(&log("node[\"x\"][\"y\"]"), node);
    check(&log("\"${node.x}\""), node);
    let data =
        "read a fact such as `host.os.family`, a file with `file(…)`, or a command with a `query` block";
    check(&log("data.x.y"), data);
    let unknown =
        "there is no kind `local_file`: a fact is `host.…`, an input `param.…`; or write a string, in quotes";
    check(&log("local_file.a.id"), unknown);
    let declare = "declare it: user \"a\" { … }; or write a string, in quotes";
    check(&log("user.a.name"), declare);
}

#[test]
fn a_splat_of_a_map_gets_a_suggestion() {
    let sandbox = Sandbox::with(
        "module \"m\" {\n  for_each = [\"a\", \"b\"]\n  source   = \"./m\"\n}\n\
         log \"x\" { message = join(\",\", module.m[*].url) }\n",
    );
    std::fs::create_dir_all(sandbox.path("m")).expect("a directory");
    sandbox.write("m/main.hcl", "output \"url\" { value = \"u\" }\n");
    let printed = sandbox.rooted(&["validate"]).stderr;
    let help = "= help: `[*]` is for lists; for the values of a map, write `values(module.m)[*].…`\n";
    assert!(printed.contains(help), "{printed}");
}

#[test]
fn content_in_the_place_of_a_source_is_recognized() {
    let content = "this is the content itself, not a path: write `content = …` instead of `source`";
    check("file \"/x\" { source = \"a\\nb\\n\" }\n", content);
    let path = "create the file; for a file on the machine, write an absolute path";
    check("file \"/x\" { source = \"a\" }\n", path);
}

#[test]
fn jinja_in_a_string_explains_an_unused_param() {
    let text = "param \"port\" { default = 80 }\nfile \"/x\" { content = \"port {{ port }}\" }\n";
    let printed = Sandbox::with(text).rooted(&["validate"]).stderr;
    let help = "= help: `{{ }}` works in `template(…)`; in a string, write `${param.port}`\n";
    assert!(printed.contains(help), "{printed}");
}

/// A plan reports the failures of apply that it can predict_effects.
#[test]
fn a_plan_predicts_failures() {
    let plan = |configuration: &str| Sandbox::with(configuration).rooted(&["plan"]);
    for configuration in
        ["file \"/no/a\" {}\n", "link \"/no/a\" { to = \"b\" }\n", "directory \"/no/a\" {}\n"]
    {
        let ran = plan(configuration);
        assert_eq!(ran.code, Some(1), "{}", ran.stdout);
        assert!(
            ran.stderr.contains("/no/a cannot be created: FOLDER/root/no does not exist"),
            "{}",
            ran.stderr
        );
    }
    let deep = plan("file \"/no/such/a\" {}\n").stderr;
    assert!(
        deep.contains("hint: declare it: directory \"/no/such\" {}, with `recursive = true`\n"),
        "{deep}"
    );
    assert_eq!(plan("file \"/no/a\" {}\ndirectory \"/no\" {}\n").code, Some(2));
    assert_eq!(plan("directory \"/no/a\" { recursive = true }\n").code, Some(2));
    assert_eq!(plan("file \"/no/a\" { action = \"remove\" }\n").code, Some(0));
}

#[track_caller]
fn check_tip(arguments: &[&str], tip: &str) {
    let ran = Sandbox::new().run(arguments);
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert!(ran.stderr.contains(&format!("\n  tip: {tip}\n")), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("tip:").count(), 1, "{}", ran.stderr);
}

#[test]
fn flags_of_other_tools_get_a_suggestion() {
    let plan = "`uphold plan` shows what apply would change, and changes nothing";
    check_tip(&["apply", "--dry-run"], plan);
    check_tip(&["apply", "--check"], plan);
    check_tip(&["apply", "--diff"], "`uphold plan` shows every difference; -v shows them whole");
    let not_asked = "leave it out: `uphold apply` asks only with --ask";
    check_tip(&["apply", "-y"], not_asked);
    check_tip(&["apply", "--yes"], not_asked);
    check_tip(&["apply", "--auto-approve"], not_asked);
    check_tip(&["apply", "-auto-approve"], not_asked);
    check_tip(&["apply", "-var", "x=1"], "set params with --param NAME=VALUE");
    check_tip(&["apply", "-var=x=1"], "set params with --param NAME=VALUE");
    check_tip(&["plan", "-target", "file.x"], "select resources with --target ADDRESS");
    check_tip(&["plan", "-target=file.x"], "select resources with --target ADDRESS");
    check_tip(&["plan", "-out", "x"], "save a plan with `uphold plan --out FILE`");
    let machine = "uphold manages the machine on which it runs; there is no inventory";
    check_tip(&["plan", "--limit", "web"], machine);
    check_tip(&["plan", "--targt", "x"], "a similar argument exists: '--target'");
    let refused = Sandbox::new().run(&["apply", "-var", "x=1"]).stderr;
    assert!(refused.starts_with("error: unexpected argument '-var' found\n"), "{refused}");
}

#[test]
fn commands_of_other_tools_get_a_suggestion() {
    let apply = "`uphold apply` changes the machine; `uphold plan` shows the changes first";
    check_tip(&["converge"], apply);
    check_tip(&["run", "site.hcl"], apply);
    check_tip(&["deploy"], apply);
    check_tip(&["refresh"], "every plan reads the machine; `uphold apply --audit` reports what differs");
    let import = "nothing has to be imported: declare the resource, and `uphold plan` compares it with the machine; \
                  `uphold read KIND NAME` shows its current state";
    check_tip(&["import", "file.x"], import);
    let state =
        "there is no state file: `uphold read KIND NAME` shows a resource, `uphold status` a running watch";
    check_tip(&["state", "list"], state);
    let remove = "set `action = \"remove\"` in the blocks of the resources to remove, then `uphold apply`";
    check_tip(&["destroy"], remove);
    check_tip(&["agent"], "`uphold watch` applies the configuration and repairs drift");
    check_tip(&["aply"], "a similar subcommand exists: 'apply'");
}

/// The usage line would contain the flag that clap guesses.
#[test]
fn a_flag_of_another_tool_has_no_usage_line_of_a_guess() {
    let ran = Sandbox::with("").rooted(&["apply", "--auto-approve"]);
    assert!(ran.stderr.contains("tip: leave it out") && !ran.stderr.contains("Usage"), "{}", ran.stderr);
}

#[test]
fn a_group_cannot_be_selected() {
    let sandbox = Sandbox::with("sequence \"x\" {\n  file \"/a\" {}\n}\n");
    let expected = "error: --target sequence.x: no such resource or module is declared\n  hint: groups cannot be \
                    selected: name the members, or their module\n";
    sandbox.rooted(&["plan", "--target", "sequence.x"]).check(1, "", expected);
}

#[test]
fn a_reference_by_path_names_the_block_that_manages_it() {
    let named = "file \"motd\" { path = \"/motd\" }\n";
    let log = "log \"a\" { depends_on = [file[\"/motd\"]] }\n";
    check(&format!("{named}{log}"), "did you mean file.motd?");
    let each = "file \"x\" {\n  for_each = [\"a\", \"b\"]\n  path     = \"/srv/${each.key}\"\n}\n";
    check(&format!("{each}log \"a\" {{ depends_on = [file[\"/srv/b\"]] }}\n"), "did you mean file.x[\"b\"]?");
}

#[test]
fn hints_of_notifications_have_actions_of_the_kind() {
    let log = "log \"x\" {}\ntask \"t\" {\n  apply = \"true\"\n  action = \"nothing\"\n}\n";
    let check =
        |value: &str, help: &str| check(&format!("{log}file \"/a\" {{ notifies = {value} }}\n"), help);
    check("[log.x]", "add the action to the resource, such as `log.x.converge`");
    check("[task.t]", "add the action to the resource, such as `task.t.run`");
    check("log.x.converge", "write `[log.x.converge]`, or `{ immediately = [log.x.converge] }`");
    check("[log.x.nothing]", "name an action, such as `converge`");
}

/// A reference in a module is written as the module has to write it.
#[test]
fn a_reference_in_a_module_gets_a_hint_for_the_module() {
    let sandbox = Sandbox::with("module \"m\" { source = \"./m\" }\nfile \"/of-caller\" {}\n");
    let hint = |reference: &str| {
        let text = format!("file \"/near\" {{}}\nlog \"in\" {{ depends_on = [{reference}] }}\n");
        std::fs::create_dir_all(sandbox.path("m")).expect("a directory");
        sandbox.write("m/main.hcl", &text);
        let printed = sandbox.rooted(&["validate"]).stderr;
        printed.split("= help: ").nth(1).unwrap_or_default().lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(hint("file[\"/neer\"]"), "did you mean file[\"/near\"]?");
    assert_eq!(hint("file[\"/of-caller\"]"), "did you mean parent.file[\"/of-caller\"]?");
    let declare =
        "declare it in the same module: user \"ann\" { … }; a resource of the caller is `parent.user…`";
    assert_eq!(hint("user.ann"), declare);
}
