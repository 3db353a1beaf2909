// This tool holds the rules of the repository as specs.
