import { usageExportParameters, type UsageExportParameters } from '@weir/contracts';
import { createTurns, openUsageExport, type UsageExport } from '@weir/database';
import { formatUsd } from '@weir/pricing';
import { encodeInstant, FOCUS_COLUMNS, parseExportQuery, USAGE_CSV_COLUMNS, type UsageColumn } from '@weir/usage';
import { stringify } from 'csv-stringify/sync';
import { parseBody } from '../../http/parse-body';
import { defineRoute, noBody, type Answer } from '../../route';

const COLUMNS: Readonly<Record<UsageExportParameters['format'], readonly UsageColumn[]>> = { csv: USAGE_CSV_COLUMNS, focus: FOCUS_COLUMNS };

/** Each holds a database connection and a snapshot for as long as its download takes. */
const turns = createTurns({ runningMax: 2, waitingMax: 4 });

/** A finance file of a period that is over; byte for byte the same until usage of its month changes, and then of another revision. */
export const exportOrganizationUsage = defineRoute({
  id: 'export-organization-usage',
  body: noBody,
  run: async ({ organizationId, query }, { database, now }) => {
    const parameters = parseBody(usageExportParameters, query);
    const exportQuery = parseExportQuery(parameters, { organizationId, nowMs: now() });
    const turn = await turns.begin(organizationId);
    try {
      return describeFile(await openUsageExport(database, exportQuery), parameters, turn.end);
    } catch (error) {
      turn.end();
      throw error;
    }
  },
});

function describeFile(opened: UsageExport, { period, format }: UsageExportParameters, endTurn: () => void): Answer {
  const { file, totals } = opened;
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="usage-${format}-${period}-r${file.revision}.csv"`,
      'x-weir-usage-revision': file.revision,
      'x-weir-usage-as-of': encodeInstant(file.asOfMs),
      'x-weir-usage-lines': totals.lines,
      'x-weir-usage-requests': totals.requests,
      'x-weir-usage-spend': formatUsd(totals.costPico),
      'x-weir-usage-billed': formatUsd(totals.billedPico),
    },
    stream: {
      chunks: encodeFile(opened, COLUMNS[format]),
      close: async () => {
        endTurn();
        await opened.close();
      },
    },
  };
}

async function* encodeFile(opened: UsageExport, columns: readonly UsageColumn[]): AsyncGenerator<string> {
  yield stringify([columns.map(({ name }) => name)]);
  for await (const lines of opened.pages()) {
    // Callers choose some of the texts; a spreadsheet must not take one for a formula.
    yield stringify(
      lines.map((line) => columns.map(({ value }) => value(line, opened.file))),
      { escape_formulas: true },
    );
  }
}
