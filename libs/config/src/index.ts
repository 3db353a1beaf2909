// This room parses a process's environment once, reports every problem, and freezes the result.
export * from './fragments/catalog';
export * from './fragments/deployment';
export * from './fragments/fail-points';
export * from './fragments/fetch';
export * from './fragments/hold';
export * from './fragments/http';
export * from './fragments/journal';
export * from './fragments/kafka';
export * from './fragments/postgres';
export * from './fragments/redis';
export * from './fragments/secrets';
export * from './fragments/telemetry';
export * from './fragments/uploads';
export * from './fragments/upstream';
export * from './fragments/usage-retention';
export * from './load-env';
export * from './values';
