// This app lets an organization's administrators manage keys, access lists, groups, members and read usage.
export { composeManagementApi, type ManagementApi } from './compose';
export type { Console } from './console/mount-console';
export { openConsole } from './console/open-console';
export { oidcEnv } from './console/oidc/oidc-env';
export { isWhole, verifyAudit } from './changes/verify-audit';
export type { ManagementParts } from './route/management-parts';
export type { AccountFields, ProviderAccounts } from './ports/provider-accounts';
export { createOperatorActions, type OperatorActions } from './organizations/create-operator-actions';
export { createIdentityProvider, identityEnv } from './identity/create-identity-provider';
export type { IdentityProvider } from './ports/identity-provider';
export { createSecretAlerts, secretAlertEnv } from './secret-alerts/create-secret-alerts';
export { managementApiEnv, migrateEnv } from './env';
export { seedFirstKey } from './seed-first-key';
