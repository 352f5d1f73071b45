# Values for params. They stand in a directory of their own, since every *.hcl file beside main.hcl is configuration.
directory = "/srv/uphold-example"
greeting  = "Welcome"
