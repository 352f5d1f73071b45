use uphold_config::Reader;
use uphold_model::Sources;
use crate::print;
use crate::surroundings::InMemory;

#[test]
fn smoke() {
    let main = r#"
param "root" { default = "/srv/www" }
param "ports" {
  type    = list(number)
  default = [80, 443]
  validation {
    condition = length(param.ports) > 0
    message   = "at least one"
  }
}
locals {
  a = "x-${param.root}"
  sites = { one = { port = 80 }, two = { port = 81 } }
  unusedx = 1
}
file "conf" {
  for_each = local.sites
  path     = "/etc/${each.key}.conf"
  content  = "port ${each.value.port} ${host.os.family}"
}
file "x" {
  when = length(param.ports) == 3
}
log "all" {
  message = join(",", [for k, f in file.conf : f.sha256])
  level = 1 + 2 * 3 == 7 && !false ? "info" : "debug"
}
log "dir" {
  message = "%{ for p in param.ports ~} ${p}, %{ endfor }%{ if true }yes%{ else }no%{ endif }"
}
task "echo" { apply = "echo" }
log "late" {
  when    = task.echo.status.stdout == "x"
  message = try(local.sites.three.port, "none")
  depends_on = [module.web, file.conf["one"]]
  notifies = [task.echo.run]
}
module "web" {
  source   = "./web"
  for_each = ["a", "b"]
  port     = task.echo.status.exitstatus
}
output "o" { value = module.web["a"].url }
kind "site" { source = "./web" }
site "main" { port = 5 }
log "k" { message = site.main.url }
sequence "s" {
  trigger task echo { action = "run" }
  log "m" { message = local.a }
  parallel {
    log "p1" {}
    log "p2" {}
  }
}
edit "log" "k" { level = "debug" }
"#;
    let web = r#"
param "port" { type = number }
file "/w" { content = "p ${param.port}" }
output "url" { value = "http://${param.port}" }
"#;
    let mut sources = Sources::default();
    let id = sources.add("main.hcl", main);
    let reading = Reader::new(InMemory::with([("web/main.hcl", web)])).read(&mut sources, &[id]);
    println!("{}\n---\n{}", print::statements(&reading), print::diagnostics(&sources, &reading));
    for e in ["1+2", "local.sites[*]", "[for s in local.sites : s.port]", "keys(host.os)", "local.a", "module.web[\"b\"]", "nope(1)", "param.roof", "1 + \"a\"", "{for k,v in local.sites : v.port => k...}", "\"a\" == 1", "7/2", "-param.ports[0]", "local.sites.three", "[1,2][5]", "upper(\"a\", 2)", "cidrhost(\"10.0.0.0/8\", 5)"] {
        match reading.console.evaluate(&mut sources, e) {
            Ok(v) => println!("{e} -> {v}"),
            Err(d) => println!("{e} !! {}", d.iter().map(|p| print::diagnostic(&sources, p)).collect::<Vec<_>>().join(";")),
        }
    }
}
