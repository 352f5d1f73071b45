# A site served by nginx. Its tests are in site.test.hcl: `uphold test` runs them.

param "name" {
  description = "Host name of the site."
  default     = "www.example.org"
}

param "port" {
  type    = number
  default = 80

  validation {
    condition = param.port > 0 && param.port < 65536
    message   = "a port is a number from 1 to 65535"
  }
}

locals {
  root    = "/srv/www"
  reload  = host.init == "systemd" ? "systemctl reload nginx" : "rc-service nginx reload"
  welcome = "<h1>${param.name}</h1>\n"
}

directory "/srv/www" {
  mode = "0755"
}

file "/srv/www/index.html" {
  content = local.welcome
}

file "/etc/nginx/conf.d/site.conf" {
  content  = <<-CONF
    server {
      listen ${param.port};
      server_name ${param.name};
      root ${local.root};
    }
  CONF
  notifies = [task.reload.run]
}

# Runs only when notified.
task "reload" {
  action = "nothing"
  check  = "true"
  apply  = local.reload
}

# A file that an older version of this configuration created.
file "/etc/nginx/conf.d/default.conf" {
  action = "remove"
}

task "certificate" {
  when    = param.port == 443
  creates = "/etc/ssl/site.pem"
  apply   = "make-certificate ${param.name} > /etc/ssl/site.pem"
}

output "url" {
  value = "http://${param.name}:${param.port}/"
}
