import { z } from 'zod';
import { respondWithUsage } from '../../usage-replies/send-usage';
import { defineRoute } from '../../route/route';

/** Every key may see what it has used itself. */
export const readCallingApiKeyUsage = defineRoute({
  id: 'read-calling-api-key-usage',
  body: z.record(z.string(), z.unknown()),
  readsBodyOfGet: true,
  run: (call, parts) => respondWithUsage(parts, call, call.principal.key.apiKeyId),
});
