import { usageExportParameters } from '@weir/contracts';
import { createQueryQueue, openUsageExport, type UsageExport } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import {
  encodeCsv,
  encodeInstant,
  FOCUS_COLUMNS,
  gatherFilters,
  parseExportQuery,
  renderRows,
  restatableUntil,
  USAGE_CSV_COLUMNS,
  type UsageColumn,
} from '@weir/usage';
import { parseBody } from '../../bodies/parse-body';
import { defineRoute, noBody, type RouteResponse } from '../../route/route';
import { encodeXlsx } from '../../usage-files/encode-xlsx';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const CSV_TYPE = 'text/csv';

/** Each holds a database connection and a snapshot for as long as its download takes. */
const queue = createQueryQueue({ runningMax: 2, waitingMax: 4 });

/** A finance file of a day or month. Once that is over, the same until usage of its month changes, and then of another revision. */
export const exportOrganizationUsage = defineRoute({
  id: 'export-organization-usage',
  body: noBody,
  run: async ({ organizationId, query, accepts }, { database, now }) => {
    const parameters = parseBody(usageExportParameters, gatherFilters(query));
    const format = parameters.format ?? (accepts([CSV_TYPE, XLSX_TYPE]) === XLSX_TYPE ? 'xlsx' : 'csv');
    const exportQuery = parseExportQuery(parameters, { organizationId, nowMs: now() });
    const permit = await queue.acquire(organizationId);
    try {
      const opened = await openUsageExport(database, exportQuery);
      const { period, names } = parameters;
      return describeFile(
        opened,
        { format, period, hasNames: names !== 'false', isFiltered: exportQuery.filters.length > 0 },
        permit.release,
      );
    } catch (error) {
      permit.release();
      throw error;
    }
  },
});

type AskedFile = {
  readonly format: 'csv' | 'xlsx' | 'focus';
  readonly period: string;
  readonly hasNames: boolean;
  readonly isFiltered: boolean;
};

function describeFile(opened: UsageExport, asked: AskedFile, releasePermit: () => void): RouteResponse {
  const { file, totals } = opened;
  return {
    status: 200,
    headers: {
      'content-type': asked.format === 'xlsx' ? XLSX_TYPE : `${CSV_TYPE}; charset=utf-8; header=present`,
      vary: 'accept',
      'content-disposition': `attachment; filename="${nameFile(opened, asked)}"`,
      'x-weir-final': String(file.isClosed),
      'x-weir-usage-restatable-until': encodeInstant(restatableUntil(file.endMs)),
      'x-weir-usage-revision': file.revision,
      'x-weir-usage-as-of': encodeInstant(file.asOfMs),
      'x-weir-usage-lines': totals.lines,
      'x-weir-usage-requests': totals.requests,
      'x-weir-usage-spend': formatUsd(totals.costPico),
      'x-weir-usage-billed': formatUsd(totals.billedPico),
    },
    stream: {
      chunks: encodeFile(opened, asked),
      close: async () => {
        releasePermit();
        await opened.close();
      },
    },
  };
}

/** What a file is not is in its name: it travels without its headers. */
function nameFile({ file }: UsageExport, { format, period, isFiltered }: AskedFile): string {
  const parts = [
    'usage',
    format,
    period,
    ...(file.isClosed ? [] : ['not-final']),
    ...(isFiltered ? ['filtered'] : []),
    `r${file.revision}`,
  ];
  return `${parts.join('-')}.${format === 'xlsx' ? 'xlsx' : 'csv'}`;
}

function encodeFile(opened: UsageExport, { format, period, hasNames }: AskedFile): AsyncIterable<string | Uint8Array> {
  if (format === 'focus') return encodeCsv(renderRows(opened.pages(), FOCUS_COLUMNS, opened.file), FOCUS_COLUMNS);
  const columns: readonly UsageColumn[] = hasNames ? USAGE_CSV_COLUMNS : USAGE_CSV_COLUMNS.filter(({ isName }) => isName !== true);
  if (format === 'csv') return encodeCsv(renderRows(opened.pages(), columns, opened.file), columns);
  return encodeXlsx(opened, { name: `${period}${opened.file.isClosed ? '' : ' not final'}`, columns });
}
