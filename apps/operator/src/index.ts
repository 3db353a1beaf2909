// This app is the operator's command line, `weir`: the same code as the management API, on the database itself.
