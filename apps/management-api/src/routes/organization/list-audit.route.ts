import { auditParameters } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { parseBody } from '../../bodies/parse-body';
import { defineRoute, noBody, ok } from '../../route/route';

/** Who changed what, newest first; always in pages. `next` is the `cursor` of the following page, null on the last. */
export const listAudit = defineRoute({
  id: 'list-audit',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { cursor, limit } = parseBody(auditParameters, query);
    const before = cursor === undefined ? {} : { sequence: { lt: BigInt(cursor) } };
    const rows = await database
      .asOrganization(organizationId)
      .transact((tx) => tx.auditLog.findMany({ where: { organizationId, ...before }, orderBy: { sequence: 'desc' }, take: limit + 1 }));
    const page = rows.slice(0, limit);
    return ok({ audit: page.map(describeAuditRow), next: rows.length > limit ? String(page.at(-1)?.sequence) : null });
  },
});

function describeAuditRow(row: Prisma.AuditLogGetPayload<object>): Record<string, unknown> {
  return {
    id: String(row.sequence),
    at: row.at.toISOString(),
    actor: { kind: row.actorKind, id: row.actorId },
    action: row.action,
    target: { kind: row.targetKind, id: row.targetId },
    before: row.before,
    after: row.after,
    request_id: row.requestId,
    ip: row.ip,
  };
}
