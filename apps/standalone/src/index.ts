// This app runs all five services on one machine with embedded parts: what npm start runs.
export { standaloneEnv } from './env';
export { holdDataDirectory, tryHoldDataDirectory } from './hold-data-directory';
export { openSecrets, readPeppers } from './open-secrets';
export { importedModelsPath, readImportedModels } from './imported-models';
