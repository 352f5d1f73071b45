# Two kinds that are programs: a shell script and a Python script, each beside its manifest in kinds/.
#
#   uphold plan  examples/external     # what would change; the programs only look
#   uphold apply examples/external     # make it so
#   uphold watch examples/external     # hold it so: change the database by hand
#
# How they are written is in docs/external.md.

param "root" {
  description = "Where everything is."
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
