# The state of the machine before each test.
given {
  directory "/etc/nginx/conf.d" {}
  directory "/etc/ssl" {}

  command "systemctl reload nginx" {}
}

test "a new machine gets the site, and nginx is reloaded" {
  expect {
    creates = [directory["/srv/www"], file["/srv/www/index.html"], file["/etc/nginx/conf.d/site.conf"]]
    runs    = [task.reload.run]
    ran     = ["systemctl reload nginx"]
    absent  = ["/etc/nginx/conf.d/default.conf"]
    outputs = { url = "http://www.example.org:80/" }

    file "/srv/www/index.html" {
      content = "<h1>www.example.org</h1>\n"
      mode    = "0644"
      owner   = "root"
    }

    file "/etc/nginx/conf.d/site.conf" {
      contains = ["listen 80;", "root /srv/www;"]
    }
  }
}

test "a changed page is restored, and nginx is not reloaded" {
  given {
    directory "/srv/www" {}

    file "/srv/www/index.html" {
      content = "mine\n"
      mode    = "0600"
    }

    file "/etc/nginx/conf.d/site.conf" {
      content = "server {\n  listen 80;\n  server_name www.example.org;\n  root /srv/www;\n}\n"
    }
  }

  expect {
    updates   = [file["/srv/www/index.html"]]
    unchanged = [file["/etc/nginx/conf.d/site.conf"], directory["/srv/www"]]

    change {
      of     = file["/srv/www/index.html"]
      before = { content = "mine\n" }
      after  = { content = local.welcome }
    }

    # No mode is declared, so the file keeps its own.
    file "/srv/www/index.html" {
      mode = "0600"
    }
  }
}

test "files of an older version are removed" {
  given {
    file "/etc/nginx/conf.d/default.conf" {
      content = "server {}\n"
    }
  }

  expect {
    changes = "at_least"
    removes = [file["/etc/nginx/conf.d/default.conf"]]
  }
}

test "without systemd, nginx is reloaded with rc-service" {
  facts = { init = "openrc" }

  given {
    command "rc-service nginx reload" {}
  }

  expect {
    ran = ["rc-service nginx reload"]
  }
}

test "a certificate is created for https only" {
  params = { port = 443 }

  given {
    command "make-certificate *" {
      stdout = "PEM\n"
    }
  }

  expect {
    changes = "at_least"
    runs    = [task.certificate]
    ran     = ["make-certificate www.example.org"]

    file "/etc/ssl/site.pem" {
      content = "PEM\n"
    }
  }
}

test "no certificate without https" {
  expect {
    unwanted = [task.certificate]
    absent   = ["/etc/ssl/site.pem"]
  }
}

test "an invalid port is refused" {
  params = { port = 123456 }

  expect {
    failure = "a port is a number from 1 to 65535"
  }
}

test "if nginx cannot be reloaded, the run fails" {
  given {
    command "systemctl reload nginx" {
      status = 1
      stderr = "nginx.service is not active\n"
    }
  }

  expect {
    fails   = [task.reload]
    failure = "nginx.service is not active"
    changes = "at_least"
    creates = [file["/etc/nginx/conf.d/site.conf"]]
  }
}

test "a plan shows the same changes, and applies none" {
  apply = false

  expect {
    creates = [directory["/srv/www"], file["/srv/www/index.html"], file["/etc/nginx/conf.d/site.conf"]]
    runs    = [task.reload]
    absent  = ["/srv/www"]
  }
}
