// This tool holds the rules of the repository as specs.
export { createRepository, type Repository, type RepositoryFile, type RepositoryProject, type Rule } from './repository/repository';
export { readRepository } from './repository/read-repository';
export { RULES } from './rules';
