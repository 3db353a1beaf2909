import { previewAccessListBody } from '@weir/contracts';
import { describeWarnings, findEmptyEntries, listNames } from '../../records/access-list-warnings';
import { listLetIn } from '../../records/list-let-in';
import { defineRoute, ok } from '../../route/route';

/** What patterns let in as things stand. */
export const previewAccessList = defineRoute({
  id: 'preview-access-list',
  body: previewAccessListBody,
  run: async ({ organizationId, body }, { database, catalog }) => {
    const names = await database.asOrganization(organizationId).transact((tx) => listNames(tx, organizationId));
    return ok({ ...(await listLetIn(body, { catalog, names })), ...describeWarnings(await findEmptyEntries(body, { catalog, names })) });
  },
});
