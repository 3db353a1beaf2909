import { refusalListParameters } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { parseBody } from '../../bodies/parse-body';
import { defineRoute, noBody, ok } from '../../route/route';

type Row = Prisma.RequestRefusalGetPayload<object>;

/** Requests that were refused before anything was passed on, newest first: they are in no usage, and cost nothing. */
export const listRefusals = defineRoute({
  id: 'list-refusals',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { limit, cursor, api_key_id: apiKeyId, code, start, end } = parseBody(refusalListParameters, query);
    const { rows, names } = await database.asOrganization(organizationId).transact(async (tx) => {
      const rows = await tx.requestRefusal.findMany({
        where: {
          organizationId,
          ...(apiKeyId === undefined ? {} : { apiKeyId }),
          ...(code === undefined ? {} : { code }),
          refusedAt: { ...(start === undefined ? {} : { gte: new Date(start) }), ...(end === undefined ? {} : { lt: new Date(end) }) },
        },
        orderBy: [{ refusedAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
        ...(cursor === undefined ? {} : { cursor: { organizationId_id: { organizationId, id: cursor } }, skip: 1 }),
      });
      const keys = await tx.apiKey.findMany({
        where: { organizationId, id: { in: [...new Set(rows.map((row) => row.apiKeyId))] } },
        select: { id: true, name: true },
      });
      return { rows, names: new Map(keys.map(({ id, name }) => [id, name])) };
    });
    const page = rows.slice(0, limit);
    return ok({ refusals: page.map((row) => describe(row, names)), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null });
  },
});

function describe(row: Row, names: ReadonlyMap<string, string>): Record<string, unknown> {
  return {
    id: row.id,
    request_id: row.requestId,
    refused_at: row.refusedAt.toISOString(),
    api_key: { id: row.apiKeyId, name: names.get(row.apiKeyId) ?? null },
    endpoint: row.endpoint,
    model: row.model,
    status: row.status,
    code: row.code,
    message: row.message,
    limit: row.refusedBy,
  };
}
