import { z } from 'zod';
import { respondWithUsage } from '../../usage-replies/send-usage';
import { defineRoute } from '../../route/route';

export const readOrganizationUsage = defineRoute({
  id: 'read-organization-usage',
  body: z.record(z.string(), z.unknown()),
  readsBodyOfGet: true,
  run: (call, parts) => respondWithUsage(parts, call),
});
