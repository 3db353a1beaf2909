import { z } from 'zod';

const personName = z.string().max(200);

/** In the organization; who it was made for is its `owner`, an administrator as well. */
const role = z.enum(['admin', 'member']);

/** Body of `POST /v1/manage/org/member`. */
export const addMemberBody = z.strictObject({
  email: z.email().max(320),
  first_name: personName.optional(),
  last_name: personName.optional(),
  role: role.optional(),
});

/** Body of `PUT /v1/manage/org/member/{id}/role`. */
export const setOrganizationRoleBody = z.strictObject({ role });

/** Body of `POST /v1/session`. */
export const openSessionBody = z.strictObject({ organization_id: z.uuid().optional() });
