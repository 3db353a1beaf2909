// This room runs all five services in one process on embedded parts: what npm start runs.
export { startHouse, type HouseParts } from './compose';
export { standaloneEnv, type StandaloneEnv } from './env';
