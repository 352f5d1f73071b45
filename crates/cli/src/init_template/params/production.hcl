# Params for production. They have their own directory, because every *.hcl file beside main.hcl is configuration.
directory = "/srv/uphold-example"
greeting  = "Welcome"
