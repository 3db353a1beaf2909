import { setExpiryBody } from '@weir/contracts';
import { changeApiKey } from '../../records/api-keys';
import { readExpiry } from '../../records/expiry';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setApiKeyExpiry = defineRoute({
  id: 'set-api-key-expiry',
  body: setExpiryBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const expiresAt = readExpiry(call.body.expires_at, parts.now());
    await changeApiKey(parts, { ...call, action: 'set-api-key-expiry', id }, () => Promise.resolve({ expiresAt }));
    return done;
  },
});
