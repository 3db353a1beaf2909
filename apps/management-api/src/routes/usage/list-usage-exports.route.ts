import { usageExportListParameters } from '@weir/contracts';
import { parseBody } from '../../bodies/parse-body';
import { describeUsageExport } from '../../records/usage-exports';
import { defineRoute, noBody, ok } from '../../route/route';

/** Days that were exported as files, newest first, and their revisions. */
export const listUsageExports = defineRoute({
  id: 'list-usage-exports',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const { from, to, limit, cursor } = parseBody(usageExportListParameters, query);
    const days = { ...(from === undefined ? {} : { gte: new Date(from) }), ...(to === undefined ? {} : { lte: new Date(to) }) };
    const rows = await database.asOrganization(organizationId).transact((tx) =>
      tx.usageFileExport.findMany({
        where: { organizationId, day: days, ...(cursor === undefined ? {} : { OR: after(cursor) }) },
        orderBy: [{ day: 'desc' }, { revision: 'desc' }],
        take: limit + 1,
      }),
    );
    const page = rows.slice(0, limit).map(describeUsageExport);
    const last = page.at(-1);
    return ok({ exports: page, next: rows.length > limit && last !== undefined ? `${last.day}.${last.revision}` : null });
  },
});

/** What comes after the last one of the page before. */
function after(cursor: string): object[] {
  const [text = '', revision = ''] = cursor.split('.');
  const day = new Date(text);
  return [{ day: { lt: day } }, { day, revision: { lt: Number(revision) } }];
}
