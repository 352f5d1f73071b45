# What every machine of these tests has.
given {
  directory "/etc/nginx/conf.d" {}
  directory "/etc/ssl" {}

  command "systemctl reload nginx" {}
}

test "a new machine gets the site, and nginx is told" {
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

test "a page that somebody changed is mended, and nginx is left alone" {
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

    # Nobody asked for a mode, so it keeps its own.
    file "/srv/www/index.html" {
      mode = "0600"
    }
  }
}

test "what an older version left behind is removed" {
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

test "without systemd, nginx is told in another way" {
  facts = { init = "openrc" }

  given {
    command "rc-service nginx reload" {}
  }

  expect {
    ran = ["rc-service nginx reload"]
  }
}

test "a certificate is made for https alone" {
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

test "a port that is none is refused" {
  params = { port = 123456 }

  expect {
    failure = "a port is a number from 1 to 65535"
  }
}

test "if nginx cannot be told, the run fails" {
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

test "a plan tells the same, and changes nothing" {
  apply = false

  expect {
    creates = [directory["/srv/www"], file["/srv/www/index.html"], file["/etc/nginx/conf.d/site.conf"]]
    runs    = [task.reload]
    absent  = ["/srv/www"]
  }
}
