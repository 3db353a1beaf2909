// This app lets an organization's administrators manage keys, access lists, groups, members and read usage.
export { composeManagementApi, type ManagementApi } from './compose';
export type { Console } from './console/mount-console';
export { readConfigurationFile } from './configuration/file/follow-configuration-file';
export {
  joinConfigurationDocuments,
  listConfigurationDocuments,
  readConfigurationTexts,
  UnreadableFiles,
} from './configuration/file/read-configuration-files';
export { openConsole } from './console/open-console';
export { readOidcSettings } from './console/oidc/read-oidc-settings';
export { isWhole, verifyAudit } from './changes/verify-audit';
export type { ManagementParts } from './route/management-parts';
export type { AccountFields, ProviderAccounts } from './ports/provider-accounts';
export { createOperatorActions, type OperatorActions } from './organizations/create-operator-actions';
export { createIdentityProvider } from './identity/create-identity-provider';
export type { IdentityProvider } from './ports/identity-provider';
export { createSecretAlerts } from './secret-alerts/create-secret-alerts';
export { managementApiEnv, migrateEnv, readVariable } from './env';
export { openUsageStore } from './open-usage-store';
export { seedFirstKey } from './seed-first-key';
