import { rotateApiKeyBody } from '@weir/contracts';
import { createApiKeySecret, keepPreviousSecret, NO_PREVIOUS_SECRET } from '../../records/api-key-secret';
import { changeApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, ok } from '../../route/route';

export const rotateApiKey = defineRoute({
  id: 'rotate-api-key',
  body: rotateApiKeyBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const { secret, stored } = createApiKeySecret(parts);
    const overlapMs = call.body.overlap_seconds * 1000;
    await changeApiKey(parts, { ...call, action: 'rotate-api-key', id }, (_tx, key) =>
      Promise.resolve({
        ...stored,
        // Only one old secret lives on: a rotation during an overlap ends the one before it.
        ...(overlapMs === 0 ? NO_PREVIOUS_SECRET : keepPreviousSecret(key, parts.peppers, new Date(parts.now() + overlapMs))),
      }),
    );
    return ok({ api_key: secret });
  },
});
