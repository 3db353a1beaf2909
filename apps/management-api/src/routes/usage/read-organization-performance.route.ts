import { z } from 'zod';
import { respondWithPerformance } from '../../usage-replies/send-usage';
import { defineRoute } from '../../route/route';

export const readOrganizationPerformance = defineRoute({
  id: 'read-organization-performance',
  body: z.record(z.string(), z.unknown()),
  readsBodyOfGet: true,
  run: (call, parts) => respondWithPerformance(parts, call),
});
