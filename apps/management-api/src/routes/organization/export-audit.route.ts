import { auditExportParameters } from '@weir/contracts';
import { createQueryQueue, type OrganizationDatabases } from '@weir/database';
import { stringify } from 'csv-stringify/sync';
import { parseBody } from '../../bodies/parse-body';
import { describeAuditRow, listAuditRows, nameActors, type AuditFilter, type DescribedEntry } from '../../records/audit';
import { defineRoute, noBody } from '../../route/route';

/** Each looks at the whole log of its organization. */
const queue = createQueryQueue({ runningMax: 2, waitingMax: 4 });
const ROWS_AT_ONCE = 1_000;

const COLUMNS: readonly (readonly [name: string, value: (entry: DescribedEntry) => string | null])[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['action', ({ action }) => action],
  ['target_kind', ({ target }) => target.kind],
  ['target_id', ({ target }) => target.id],
  ['before', ({ before }) => toJson(before)],
  ['after', ({ after }) => toJson(after)],
  ['request_id', ({ request_id: requestId }) => requestId],
  ['ip', ({ ip }) => ip],
];

/** All that a filter selects of the audit log, newest first, as a file. */
export const exportAudit = defineRoute({
  id: 'export-audit',
  body: noBody,
  run: async ({ organizationId, query }, { database, now }) => {
    const { format, ...filter } = parseBody(auditExportParameters, query);
    const { release } = await queue.acquire(organizationId);
    const pages = readPages(database, organizationId, filter);
    const day = new Date(now()).toISOString().slice(0, 10);
    return {
      status: 200,
      headers: {
        'content-type': format === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
        'content-disposition': `attachment; filename="audit-${day}.${format}"`,
      },
      stream: {
        chunks: format === 'csv' ? encodeCsv(pages) : encodeJson(pages),
        close: () => Promise.resolve(release()),
      },
    };
  },
});

/** What is added meanwhile is newer than where it began, and so not in it. */
async function* readPages(
  database: OrganizationDatabases,
  organizationId: string,
  filter: AuditFilter,
): AsyncGenerator<readonly DescribedEntry[]> {
  let cursor: string | undefined;
  do {
    const page = await database.asOrganization(organizationId).transact(async (tx) => {
      const { rows, next } = await listAuditRows(tx, { organizationId, filter, cursor, limit: ROWS_AT_ONCE });
      const names = await nameActors(tx, organizationId, rows);
      return { next, entries: rows.map((row) => describeAuditRow(row, names)) };
    });
    yield page.entries;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}

async function* encodeCsv(pages: AsyncIterable<readonly DescribedEntry[]>): AsyncGenerator<string> {
  yield stringify([COLUMNS.map(([name]) => name)]);
  for await (const entries of pages) {
    // Callers choose some of the texts; a spreadsheet must not take one for a formula.
    yield stringify(
      entries.map((entry) => COLUMNS.map(([, value]) => value(entry))),
      { escape_formulas: true },
    );
  }
}

async function* encodeJson(pages: AsyncIterable<readonly DescribedEntry[]>): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for await (const entries of pages) {
    for (const entry of entries) {
      yield `${isFirst ? '\n' : ',\n'}${JSON.stringify(entry)}`;
      isFirst = false;
    }
  }
  yield '\n]\n';
}

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
