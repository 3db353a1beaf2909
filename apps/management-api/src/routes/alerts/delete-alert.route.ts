import { runChange } from '../../changes/run-change';
import { describeAlert } from '../../records/alerts';
import { notFound, requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

/** What it has noticed and not delivered yet goes with it. */
export const deleteAlert = defineRoute({
  id: 'delete-alert',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'alert');
    await runChange(parts, { ...call, action: 'delete-alert' }, async (tx) => {
      const alert = await tx.alert.findFirst({ where: { id, organizationId } });
      if (alert === null) throw notFound('alert', id);
      await tx.alert.delete({ where: { id } });
      return { result: undefined, audit: { targetKind: 'alert', targetId: id, before: describeAlert(alert), after: null }, changed: [] };
    });
    return done;
  },
});
