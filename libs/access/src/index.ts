// This library decides who is calling, and whether that key may do this with this model.
export { generateApiKey, isPlausibleApiKey, hideApiKeys, digestApiKey, createApiKeyDigest } from './api-key-format';
export { checkKeyUsable, createAuthenticator, invalidCredentials, type Authenticator } from './authenticate-key';
export {
  planDataRules,
  checkDeployment,
  findDataProblem,
  areaOf,
  type DataArea,
  type DataRules,
  type DeploymentPlace,
  DATA_AREAS,
} from './check-data-policy';
export { pickNameEntries, createModelGuard, type ModelGuard } from './check-model-allowed';
export { checkPermission } from './check-permission';
export { createKeyCache } from './key-cache';
export { createKeyPeppers, createKeyDigests, splitDigests, pepperVersion, type KeyPeppers, DEFAULT_PEPPER_VERSION } from './key-peppers';
export { createOrganizationRulesCache, type OrganizationRulesCache } from './organization-rules-cache';
export { createMemoryChangeNotices, joinChangeNotices, type ChangeNotices } from './ports/change-notices';
export type { KeyDirectory, KeyLookup, ConfigChange, ChangeLog } from './ports/key-directory';
export type { CreditState, CreditLot, OrganizationFinance, AutoTopUpState, OrganizationDirectory } from './ports/organization-directory';
export type { OrganizationRule, SealedCredential, OrganizationRules, OrganizationRulesDirectory } from './ports/organization-rules';
export { createMemoryProcessReports, PROCESS_REPORT_CHARS_MAX, type ProcessReports } from './ports/process-reports';
export { createMemoryReplyCache, type ReplyCache } from './ports/reply-cache';
export type { ModelPatterns, OrganizationSettings, GroupLimits, KeyLabels, KeyRecord, Principal } from './ports/principal';
export { readCredential } from './read-credential';
export { watchChanges } from './watch-changes';
