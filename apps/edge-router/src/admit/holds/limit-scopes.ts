/** How limits are called in the interface. */
export const LIMIT_SCOPES = { key: 'api_key', group_member: 'group_member', group: 'group', balance: 'organization_balance' } as const;
