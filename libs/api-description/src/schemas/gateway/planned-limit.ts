import { LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS } from '@weir/contracts';
import { z } from 'zod';

/** What plans and estimates say of a limit besides its amounts. */
export const plannedLimit = {
  id: z.string().nullable().describe('Null for limits that are settings of a key, a group, a member or the organization.'),
  name: z.string().nullable().describe('The same.'),
  scope: z
    .string()
    .meta({ examples: ['api_key', 'group_member', 'group', 'organization_balance', ...LIMIT_SCOPES.map(({ name }) => name)] })
    .describe('Of settings `api_key`, `group_member`, `group`, `organization_balance`; of others the scope of the limit.'),
  measure: z.enum(LIMIT_MEASURES.map(({ name }) => name)),
  window: z
    .enum(LIMIT_WINDOWS.map(({ name }) => name))
    .nullable()
    .describe('Null for what runs at a moment.'),
};
