# A web server, whole: account, package, pages, settings, unit, service, cron job and firewall.
#
#   uphold plan  examples/webserver    # what would change, and why; nothing is touched
#   uphold apply examples/webserver    # make it so
#   uphold watch examples/webserver    # hold it so: now try to break it
#
# Nothing below says what comes first: a file waits for its owner and its directory, a package for its repository, a
# service for its package and its unit, and whoever refers to something waits for it.
#
# tinyweb is small enough for a test, which makes its package, runs all this on a host of its own, and breaks it in twenty
# ways: crates/cli/tests/machine_webserver. Put the server of your choice in its place.

param "name" {
  description = "The name that the site answers to."
  default     = "www.example.org"
}

param "port" {
  type    = number
  default = 8080

  validation {
    condition = param.port > 0 && param.port < 65536
    message   = "a port is a number from 1 to 65535"
  }
}

param "repository" {
  description = "Where the package comes from: a repository of apt, and in it the key that signs it."
  default     = "/srv/repo"
}

# Who runs the server and owns the pages. Nobody logs in as web.
user "web" {
  comment = "Web server"
  system  = true
  home    = "/srv/www"
  shell   = "/usr/sbin/nologin"
}

# The program, from a repository of our own whose signature is checked.
apt_key "site" {
  source = "${param.repository}/key.asc"
}

apt_repository "site" {
  uris       = ["file:${param.repository}"]
  suites     = ["test"]
  components = ["main"]
  signed_by  = apt_key.site.path
}

package "tinyweb" {}

# The pages. What is in the directory and not declared here is removed.
directory "/srv/www" {
  mode  = "0755"
  owner = "web"
  group = "web"
  purge = true
}

file "/srv/www/index.html" {
  content = template("index.html.j2", { name = param.name })
  mode    = "0644"
  owner   = "web"
}

# What the server reads. When that changes, it reads it again, and goes on serving meanwhile.
file "/etc/tinyweb/site.conf" {
  content = template("site.conf.j2", {
    name = param.name
    port = param.port
    root = directory["/srv/www"].path
  })
  mode     = "0644"
  notifies = [service.tinyweb.reload]
}

# How systemd runs it. When that changes, only a restart will do.
systemd_unit "tinyweb.service" {
  content = {
    Unit = {
      Description = "A small web server"
      After       = "network.target"
    }
    Service = {
      Type          = "notify"
      User          = user.web.name
      ExecStart     = "/usr/sbin/tinyweb ${file["/etc/tinyweb/site.conf"].path}"
      ExecReload    = "/bin/kill -HUP $MAINPID"
      Restart       = "on-failure"
      ProtectSystem = "strict"
      PrivateTmp    = true
    }
    Install = {
      WantedBy = "multi-user.target"
    }
  }
  notifies = [service.tinyweb.restart]
}

service "tinyweb" {
  running = true
  enabled = true
}

# Every five minutes: does it answer? If not, cron sends a mail with what curl says.
cron "health" {
  user     = "web"
  schedule = "*/5 * * * *"
  command  = "curl --silent --show-error --fail --output /dev/null http://localhost:${param.port}/"
}

# The doors that are open; all others are shut.
firewall "web" {
  ruleset = <<-NFT
    chain input {
      type filter hook input priority 0; policy drop;
      iif "lo" accept
      ct state established,related accept
      meta l4proto { icmp, icmpv6 } accept
      tcp dport { 22, ${param.port} } accept
    }
  NFT
}

output "url" {
  value = "http://${param.name}:${param.port}/"
}
