import { setLabelsBody } from '@weir/contracts';
import { changeApiKey } from '../../records/api-keys';
import { ensureLabelSet } from '../../records/label-sets';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setApiKeyLabels = defineRoute({
  id: 'set-api-key-labels',
  body: setLabelsBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'API key');
    const { organizationId, body } = call;
    await changeApiKey(parts, { ...call, action: 'set-api-key-labels', id }, async (tx) => ({
      labelSetId: await ensureLabelSet(tx, { organizationId, kind: 'key', labels: body.labels }),
    }));
    return done;
  },
});
