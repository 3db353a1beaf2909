// This tool brings the catalogue's data files up to date from a folder of model facts.
