import { z } from 'zod';

const personName = z.string().max(200);

/** Body of `POST /v1/manage/org/member`. */
export const addMemberBody = z.strictObject({
  email: z.email().max(320),
  first_name: personName.optional(),
  last_name: personName.optional(),
});
