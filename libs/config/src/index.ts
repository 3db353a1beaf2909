// This library parses a process's environment once, reports every problem, and freezes the result.
export { catalogEnv } from './fragments/catalog';
export { clickHouseEnv, clickHouseFeedEnv, readClickHouseOptions, usageStoreEnv, type ClickHouseOptions } from './fragments/clickhouse';
export { configurationEnv, type ConfigurationEnv } from './fragments/configuration';
export { consoleEnv, consoleSwitch } from './fragments/console';
export { deploymentEnv } from './fragments/deployment';
export { edgeSettings } from './fragments/edge';
export { embeddedEnv } from './fragments/embedded';
export { createFailPoint, failPointEnv } from './fragments/fail-points';
export { fetchEnv } from './fragments/fetch';
export { guardrailEnv } from './fragments/guardrails';
export { counterOwnerEnv, holdCheckEnv, holdEnv } from './fragments/hold';
export { httpEnv, sheddingEnv, protectionEnv, bodyLimitEnv } from './fragments/http';
export { identityEnv } from './fragments/identity';
export { journalEnv } from './fragments/journal';
export {
  brokerList,
  kafkaConsumerEnv,
  kafkaEnv,
  kafkaSecurityEnv,
  readKafkaSecurity,
  usageEnvelopeEnv,
  type KafkaSecurity,
} from './fragments/kafka';
export { oidcEnv } from './fragments/oidc';
export { oidcRoles, type DecidedRole, type GroupGrant, type OidcRoles } from './fragments/oidc-roles';
export { databaseUrl, newerDataAllowed, postgresEnv } from './fragments/postgres';
export { logExportEnv } from './fragments/log-exports';
export { providerAccountEnv } from './fragments/provider-accounts';
export { redisUrl, redisEnv } from './fragments/redis';
export { bootstrapApiKey, pepperEnv, sealingKeys, sealingEnv, paymentEnv, balanceEnv, passportEnv } from './fragments/secrets';
export { secretAlertEnv } from './fragments/secret-alerts';
export { readSmtpSettings, smtpEnv, type SmtpSettings } from './fragments/smtp';
export { telemetryEnv } from './fragments/telemetry';
export { uploadEnv, blobStoreEnv } from './fragments/uploads';
export { upstreamEnv, upstreamSettings } from './fragments/upstream';
export { readUsageFileSettings, usageFilesEnv, type UsageFileSettings } from './fragments/usage-files';
export { usageRetentionEnv } from './fragments/usage-retention';
export { createEnvLookup, loadEnv, warnOfMisspelt } from './load-env';
export { flag, httpUrl, httpUrls, integer } from './values';
