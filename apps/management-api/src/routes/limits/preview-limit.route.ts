import { previewLimitBody } from '@weir/contracts';
import { createQueryQueue } from '@weir/database';
import { previewLimit as playLimit } from '../../limit-previews/preview-limit';
import { checkLimitRefers } from '../../records/limits';
import { timeZoneOf } from '../../records/organization';
import { defineRoute, ok } from '../../route/route';

const DAY_MS = 86_400_000;

/** Each reads the events of days one by one. */
const queue = createQueryQueue({ runningMax: 1, waitingMax: 2 });

/** What a limit would have refused, of the requests of the last days. Nothing is kept. */
export const previewLimit = defineRoute({
  id: 'preview-limit',
  body: previewLimitBody,
  run: async ({ organizationId, body }, { database, catalog, now }) => {
    const { name: _, days, ...document } = body;
    const timeZone = await database.asOrganization(organizationId).transact(async (tx) => {
      await checkLimitRefers(tx, organizationId, { document, catalog });
      return timeZoneOf(await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }));
    });
    const endMs = now();
    const permit = await queue.acquire(organizationId);
    try {
      return ok(await playLimit(database, document, { organizationId, startMs: endMs - days * DAY_MS, endMs, timeZone }));
    } finally {
      permit.release();
    }
  },
});
