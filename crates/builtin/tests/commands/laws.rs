//! The laws for `task`, on the minimal shell of a machine in memory, and for the read-only kinds.

use uphold_builtin::{Assert, Log, Query, Task, Timer, WaitFile, WaitPort, WaitQuery};
use uphold_model::Value;

mod task {
    use super::Task;

    uphold_testkit::laws! {
        Task,
        world: |host| host.directory("/srv", 0o755).directory("/srv/app", 0o755),
        wishes: [
            { "check", check = "test -s /srv/done", apply = "echo hello > /srv/done" },
            { "creates", creates = "/srv/made", apply = "mkdir /srv/made" },
            { "both", check = "test -s /srv/app/x", creates = "x", dir = "/srv/app", apply = "echo x > x" },
            { "steps", check = "test -f one && test -f two", dir = "/srv/app", apply = "touch one; touch two" },
        ],
        drift: [|host| host.delete("/srv/made")],
    }
}

mod query {
    use super::{Query, Value};

    uphold_testkit::laws! {
        Query,
        world: |host| host.file("/answer", "42\n", 0o644),
        wishes: [
            { "answer", query = "cat /answer" },
            { "answer", query = "cat /answer", watch_paths = Value::list(["/answer".into()]) },
            { "answer", query = "cat /answer", watch_command = "ip monitor" },
        ],
    }
}

mod assert {
    use super::Assert;

    uphold_testkit::laws! {
        Assert,
        wishes: [{ "value", that = true }, { "command", command = "true" }],
    }
}

mod log {
    use super::Log;

    uphold_testkit::laws! {
        Log,
        wishes: [{ "danger" }, { "danger", message = "beware", level = "warning" }],
    }
}

mod timer {
    use super::Timer;

    uphold_testkit::laws! {
        Timer,
        wishes: [{ "slow", interval = "2h" }, { "slow", interval = "30d" }],
    }
}

mod wait_file {
    use super::WaitFile;

    uphold_testkit::laws! {
        WaitFile,
        world: |host| host.directory("/run", 0o755).file("/run/log", "ready\n", 0o644),
        wishes: [
            { "/run/log" },
            { "/run/log", content = "^ready" },
            { "/run/old", state = "absent" },
            { "/run/log", content = "^failed", state = "absent" },
        ],
    }
}

mod wait_port {
    use super::WaitPort;

    uphold_testkit::laws! {
        WaitPort,
        world: |host| host.listening("localhost", 80),
        wishes: [{ "web", port = 80 }, { "gone", port = 81, state = "closed" }],
    }
}

mod wait_query {
    use super::WaitQuery;

    uphold_testkit::laws! {
        WaitQuery,
        world: |host| host.file("/leader", "node-7\n", 0o644),
        wishes: [{ "leader", query = "cat /leader" }, { "leader", query = "cat /leader", matches = "^node-" }],
    }
}
