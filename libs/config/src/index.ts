// This library parses a process's environment once, reports every problem, and freezes the result.
export { catalogEnv } from './fragments/catalog';
export { deploymentEnv } from './fragments/deployment';
export { createFailPoint, failPointEnv } from './fragments/fail-points';
export { fetchEnv } from './fragments/fetch';
export { guardrailEnv } from './fragments/guardrails';
export { holdEnv } from './fragments/hold';
export { httpEnv, sheddingEnv, protectionEnv, bodyLimitEnv } from './fragments/http';
export { journalEnv } from './fragments/journal';
export { brokerList, kafkaConsumerEnv, kafkaEnv } from './fragments/kafka';
export { databaseUrl, postgresEnv } from './fragments/postgres';
export { redisUrl, redisEnv } from './fragments/redis';
export { bootstrapApiKey, pepperEnv, sealingKeys, sealingEnv, paymentEnv, balanceEnv, passportEnv } from './fragments/secrets';
export { telemetryEnv } from './fragments/telemetry';
export { uploadEnv, blobStoreEnv } from './fragments/uploads';
export { upstreamEnv } from './fragments/upstream';
export { usageRetentionEnv } from './fragments/usage-retention';
export { loadEnv, createEnvLookup } from './load-env';
export { integer, flag, httpUrl } from './values';
