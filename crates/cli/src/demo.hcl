# A small site. Apply it twice: the second time, nothing changes.

directory "/srv" {}

directory "/srv/www" {
  mode = "0755"
}

file "/srv/www/index.html" {
  content = <<-HTML
    <!doctype html>
    <title>Upheld</title>
    <p>Uphold keeps this page as declared.</p>
  HTML
  mode = "0644"
}

# A reference is a value and a dependency: the link is created after the page.
link "/srv/www/home.html" {
  to = file["/srv/www/index.html"].path
}

# The content of a file can also be managed by other resources: here by two lines.
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
