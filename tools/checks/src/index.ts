// This tool holds the house rules as specs.
export { createRepository, type Repository, type RepositoryFile, type RepositoryProject, type Rule } from './repository/repository';
export { readRepository } from './repository/read-repository';
export { RULES } from './rules';
