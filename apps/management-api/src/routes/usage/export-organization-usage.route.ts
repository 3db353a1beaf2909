import { usageExportParameters, type UsageExportParameters } from '@weir/contracts';
import { createQueryQueue, openUsageExport, type OrganizationDatabases, type UsageExport } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { dayKey, listFinanceColumns, type DayRates, type PriceList } from '@weir/finance';
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
  type UsageExportQuery,
} from '@weir/usage';
import { parseBody } from '../../bodies/parse-body';
import { checkCurrency, loadRatesOfUse } from '../../finance/day-rates';
import { loadPriceList } from '../../finance/price-list';
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
    checkConvertible(parameters);
    const format = parameters.format ?? (accepts([CSV_TYPE, XLSX_TYPE]) === XLSX_TYPE ? 'xlsx' : 'csv');
    const exportQuery = parseExportQuery(parameters, { organizationId, nowMs: now() });
    const terms = await readTerms(database, exportQuery, parameters.currency);
    const permit = await queue.acquire(organizationId);
    try {
      const opened = await openUsageExport(database, exportQuery);
      const { period, names } = parameters;
      return describeFile(
        opened,
        { format, period, hasNames: names !== 'false', isFiltered: exportQuery.filters.length > 0, ...terms },
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
  /** The organization's own. */
  readonly prices: PriceList;
  /** Of the currency that amounts are shown in as well. */
  readonly rates: DayRates | undefined;
};

/** A line of a month has no one day whose rate it could be converted by. */
function checkConvertible({ currency, resolution }: UsageExportParameters): void {
  if (currency === undefined) return;
  checkCurrency(currency);
  if (resolution !== 'month') return;
  throw new GatewayError('invalid_request', '`currency` needs lines by the day or hour: each day has its own rate.', { field: 'currency' });
}

/** All that the file will need, so that what cannot be priced or converted is refused before its first line. */
async function readTerms(
  database: OrganizationDatabases,
  query: UsageExportQuery,
  currency: string | undefined,
): Promise<Pick<AskedFile, 'prices' | 'rates'>> {
  const { organizationId, startMs, endMs, resolution } = query;
  return database.asOrganization(organizationId).transact(async (tx) => {
    const prices = await loadPriceList(tx, organizationId);
    if (resolution === 'month' && prices.changesWithin(dayKey(startMs), dayKey(endMs - 1)))
      throw new GatewayError('conflict', 'The price list changes within this month: ask with `resolution=day`.', { field: 'resolution' });
    return { prices, rates: currency === undefined ? undefined : await loadRatesOfUse(tx, organizationId, { currency, startMs, endMs }) };
  });
}

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
function nameFile({ file }: UsageExport, { format, period, isFiltered, rates }: AskedFile): string {
  const parts = [
    'usage',
    format,
    period,
    ...(file.isClosed ? [] : ['not-final']),
    ...(isFiltered ? ['filtered'] : []),
    ...(rates === undefined ? [] : [rates.currency.toLowerCase()]),
    `r${file.revision}`,
  ];
  return `${parts.join('-')}.${format === 'xlsx' ? 'xlsx' : 'csv'}`;
}

function encodeFile(opened: UsageExport, { format, period, hasNames, prices, rates }: AskedFile): AsyncIterable<string | Uint8Array> {
  const more = listFinanceColumns({ kind: format === 'focus' ? 'focus' : 'plain', prices, rates });
  if (format === 'focus') {
    const columns = [...FOCUS_COLUMNS, ...more];
    return encodeCsv(renderRows(opened.pages(), columns, opened.file), columns);
  }
  const plain: readonly UsageColumn[] = hasNames ? USAGE_CSV_COLUMNS : USAGE_CSV_COLUMNS.filter(({ isName }) => isName !== true);
  const columns = [...plain, ...more];
  if (format === 'csv') return encodeCsv(renderRows(opened.pages(), columns, opened.file), columns);
  return encodeXlsx(opened, { name: `${period}${opened.file.isClosed ? '' : ' not final'}`, columns });
}
