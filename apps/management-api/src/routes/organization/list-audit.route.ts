import { auditParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeAuditRow, listAuditRows, nameActors } from '../../records/audit';
import { defineRoute, noBody, ok } from '../../route/route';

/** Who changed what, newest first; always in pages. */
export const listAudit = defineRoute({
  id: 'list-audit',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { cursor, limit, ...filter } = parseBody(auditParameters, query);
    const { rows, next, names } = await database.asOrganization(organizationId).transact(async (tx) => {
      const page = await listAuditRows(tx, { organizationId, filter, cursor, limit });
      return { ...page, names: await nameActors(tx, organizationId, page.rows) };
    });
    return ok({ audit: rows.map((row) => describeAuditRow(row, names)), next });
  },
});
