//! The laws that every kind keeps, on a machine in memory.

mod logrotate {
    use own_kind::Logrotate;
    use uphold_kit::resource::Value;

    uphold_testkit::laws! {
        Logrotate,
        world: |host| host.directory("/etc", 0o755).directory("/etc/logrotate.d", 0o755).user("app", 1000),
        wishes: [
            { "app", logs = Value::list(["/var/log/app/*.log".into()]) },
            { "app", logs = Value::list(["/var/log/app/*.log".into()]), frequency = "daily", keep = 14 },
            { "app", logs = Value::list(["/var/log/x".into()]), compress = false, owner = "app", mode = "0600" },
        ],
        drift: [|host| host.tamper("/etc/logrotate.d/app", "/var/log/app/*.log {\n}\n")],
    }
}

mod switch {
    use own_kind::Switch;

    uphold_testkit::laws! {
        Switch,
        world: |host| host.directory("/srv", 0o755),
        wishes: [{ "/srv/light" }, { "/srv/light", on = true }, { "/srv/heating", on = true }],
    }
}
