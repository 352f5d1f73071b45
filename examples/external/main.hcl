# Two kinds implemented as programs: a shell script and a Python script, each with its manifest in kinds/.
#
#   uphold plan  examples/external     # show what would change; the programs only read
#   uphold apply examples/external     # apply it
#   uphold watch examples/external     # watch for drift: now change the database by hand
#
# docs/external.md describes how to write them.

param "root" {
  description = "Directory of all files."
  default     = "/srv/external"
}

directory "root" {
  path = param.root
}

git_setting "init.defaultBranch" {
  file  = "${param.root}/gitconfig"
  value = "main"
}

git_setting "user.nickname" {
  file   = "${param.root}/gitconfig"
  action = "remove"
}

task "database" {
  dir     = param.root
  creates = "app.db"
  apply   = "python3 -c \"import sqlite3; sqlite3.connect('app.db').execute('CREATE TABLE people (name, role, visits)')\""
}

sqlite_row "ada" {
  database   = "${param.root}/app.db"
  table      = "people"
  key        = { name = "ada" }
  values     = { role = "admin", visits = 0 }
  depends_on = [task.database]
}
