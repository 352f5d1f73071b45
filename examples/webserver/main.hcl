# A complete web server: account, package, pages, settings, unit, service, cron job and firewall.
#
#   uphold plan  examples/webserver    # show what would change, and why; nothing is changed
#   uphold apply examples/webserver    # apply it
#   uphold watch examples/webserver    # watch for drift and repair it: now try to break it
#
# No order is declared: a file depends on its owner and its directory, a package on its repository, a service on its
# package and its unit, and a block on the blocks that it refers to.
#
# tinyweb is small enough for a test, which builds its package, applies all this on a disposable host, and breaks it in
# twenty ways: crates/cli/tests/machine_webserver. Replace it by the server of your choice.

param "name" {
  description = "Host name of the site."
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
  description = "Apt repository of the package, which also contains the signing key."
  default     = "/srv/repo"
}

# The user that runs the server and owns the pages. It cannot log in.
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

# The pages. Other files in the directory are removed.
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

# The configuration of the server. When it changes, the server reloads it without interruption.
file "/etc/tinyweb/site.conf" {
  content = template("site.conf.j2", {
    name = param.name
    port = param.port
    root = directory["/srv/www"].path
  })
  mode     = "0644"
  notifies = [service.tinyweb.reload]
}

# The systemd unit. When it changes, the server must be restarted.
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

# A health check every five minutes. If it fails, cron sends a mail with the error of curl.
cron "health" {
  user     = "web"
  schedule = "*/5 * * * *"
  command  = "curl --silent --show-error --fail --output /dev/null http://localhost:${param.port}/"
}

# The open ports; all others are blocked.
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
