import { setLabelsBody } from '@weir/contracts';
import { changeGroup } from '../../records/groups';
import { ensureLabelSet } from '../../records/label-sets';
import { requireId } from '../../records/require-id';
import { defineRoute, done } from '../../route/route';

export const setGroupLabels = defineRoute({
  id: 'set-group-labels',
  body: setLabelsBody,
  run: async (call, parts) => {
    const id = requireId(call.params['id'], 'group');
    const { organizationId, body } = call;
    await changeGroup(parts, { ...call, action: 'set-group-labels', id }, async (tx) => ({
      labelSetId: await ensureLabelSet(tx, { organizationId, kind: 'group', labels: body.labels }),
    }));
    return done;
  },
});
