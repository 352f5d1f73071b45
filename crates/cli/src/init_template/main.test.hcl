# Tests of the configuration in this directory: `uphold test` runs each on its own machine in memory.

test "a new machine gets all pages" {
  params = { directory = "/srv/pages" }

  expect {
    creates = [directory.pages, file.page, module.contents.file.note]
    outputs = { pages = ["/srv/pages/about.txt", "/srv/pages/index.txt"] }

    file "/srv/pages/index.txt" {
      content = "${param.greeting}: ${local.pages.index}.\n"
      mode    = "0644"
    }
  }
}

test "a changed page is repaired" {
  params = { directory = "/srv/pages", greeting = "Hi" }

  given {
    file "/srv/pages/index.txt" {
      content = "mine\n"
    }
  }

  expect {
    updates   = [file.page["index"]]
    creates   = [file.page["about"], module.contents.file.note]
    unchanged = [directory.pages]
  }
}
