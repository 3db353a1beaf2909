// This app runs all five services in one process on embedded parts: what npm start runs.
export { startStandalone, type StandaloneParts } from './compose';
export { standaloneEnv, type StandaloneEnv } from './env';
export { holdDataDirectory, tryHoldDataDirectory } from './hold-data-directory';
export { openSecrets, readPeppers, type Secrets } from './open-secrets';
export { importedModelsPath, readImportedModels, writeImportedModels } from './imported-models';
