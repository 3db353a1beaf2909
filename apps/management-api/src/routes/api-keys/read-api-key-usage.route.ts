import { z } from 'zod';
import { answerUsage } from '../../records/answer-usage';
import { getApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute } from '../../route';

export const readApiKeyUsage = defineRoute({
  id: 'read-api-key-usage',
  body: z.record(z.string(), z.unknown()),
  readsBodyOfGet: true,
  run: async (call, parts) => {
    const key = await getApiKey(parts.database.prisma, call.organizationId, requireId(call.params['id'], 'API key'));
    return answerUsage(parts, call, key.id);
  },
});
