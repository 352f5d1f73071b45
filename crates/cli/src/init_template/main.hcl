# A small example that holds a few text files in a directory of their own.
#
#   uphold plan                                  shows what would be done
#   uphold apply                                 does it; the second time there is nothing to do
#   uphold plan --params params/production.hcl   the same with other values
#   uphold console -e local.pages                evaluates an expression

param "directory" {
  description = "Where the pages are put."
  default     = "/tmp/uphold-example"

  validation {
    condition = startswith(param.directory, "/")
    message   = "write the whole path, such as /srv/www"
  }
}

param "greeting" {
  description = "What every page begins with."
  default     = "Hello"
}

locals {
  pages = {
    index = "this file is held in the state that was declared"
    about = "this machine is ${host.architecture}"
  }
}

# The files wait for it by themselves, because they are below it.
directory "pages" {
  path      = param.directory
  recursive = true
}

# One file for each element of a map.
file "page" {
  for_each = local.pages
  path     = "${param.directory}/${each.key}.txt"
  content  = "${param.greeting}: ${each.value}.\n"
}

# A module is a directory of configuration, with params and outputs of its own.
module "contents" {
  source = "./modules/note"
  path   = "${param.directory}/contents.txt"
  lines  = [for page in file.page : "${page.path}, ${page.size} bytes"]
}

log "done" {
  message = "${module.contents.path} lists ${length(local.pages)} pages"
}

output "pages" {
  description = "Where the pages are."
  value       = [for page in file.page : page.path]
}
