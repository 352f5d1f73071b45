# A small example that manages a few text files in their own directory.
#
#   uphold plan                                  show what would change
#   uphold apply                                 change it; the second time, nothing changes
#   uphold plan --params params/production.hcl   the same with other params
#   uphold console -e local.pages                evaluate an expression

param "directory" {
  description = "Directory of the pages."
  default     = "/tmp/uphold-example"

  validation {
    condition = startswith(param.directory, "/")
    message   = "write the whole path, such as /srv/www"
  }
}

param "greeting" {
  description = "First word of every page."
  default     = "Hello"
}

locals {
  pages = {
    index = "Uphold keeps this file as declared"
    about = "this machine is ${host.architecture}"
  }
}

# The files depend on it automatically, because they are below it.
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

# A module is a directory of configuration with its own params and outputs.
module "contents" {
  source = "./modules/note"
  path   = "${param.directory}/contents.txt"
  lines  = [for page in file.page : "${page.path}, ${page.size} bytes"]
}

log "done" {
  message = "${module.contents.path} lists ${length(local.pages)} pages"
}

output "pages" {
  description = "Paths of the pages."
  value       = [for page in file.page : page.path]
}
