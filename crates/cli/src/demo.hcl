# A small site. Plan it, apply it, apply it again: the second time there is nothing to do.

directory "/srv" {}

directory "/srv/www" {
  mode = "0755"
}

file "/srv/www/index.html" {
  content = <<-HTML
    <!doctype html>
    <title>Upheld</title>
    <p>This page is held in the state that was declared.</p>
  HTML
  mode = "0644"
}

# A reference is a value and an edge: the link comes after the page.
link "/srv/www/home.html" {
  to = file["/srv/www/index.html"].path
}

# What a file contains may also be left to others: here to the two lines.
file "/srv/www/robots.txt" {}

line "everybody" {
  file = file["/srv/www/robots.txt"].path
  line = "User-agent: *"
}

line "nothing private" {
  file  = file["/srv/www/robots.txt"].path
  line  = "Disallow: /private/"
  after = "^User-agent"
}

log "digest" {
  message = "index.html is ${file["/srv/www/index.html"].sha256}"
}
