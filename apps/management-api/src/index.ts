// This room lets an organization's administrators manage keys, access lists, groups, members and read usage.
export { composeManagementApi, type ManagementApi } from './compose';
export type { ManagementParts } from './management-parts';
export type { IdentityProvider } from './offboarding/identity-provider';
export { seedFirstKey } from './seed-first-key';
