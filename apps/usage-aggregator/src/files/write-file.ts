import type { ExportedFile, UsageDataset, UsageFileFormat, UsageMeasure } from '@weir/contracts';
import { openDayEvents, openDayLines, type ClaimedExport, type DayRows, type SettledDay } from '@weir/database';
import {
  DAY_MS,
  encodeMeasure,
  EVENT_DATASET,
  LINE_DATASETS,
  nameFileObject,
  renderRows,
  type SummedColumns,
  type UsageColumn,
  type UsageFile,
} from '@weir/usage';
import { encodeFile, FORMATS } from '@weir/usage-files';
import type { ExportParts } from './export-parts';

/** One file of a day. */
export type PlannedFile = { readonly dataset: UsageDataset; readonly format: UsageFileFormat };

/** The day is not what the export began with any more. */
export class ChangedDay extends Error {
  constructor() {
    super('usage of the day changed while it was exported');
    this.name = 'ChangedDay';
  }
}

/** The rows do not add up to the day: nothing is published. */
class UnexplainedSum extends Error {
  constructor({ dataset }: PlannedFile, column: string, [found, expected]: readonly [string, string]) {
    super(`${dataset}: ${column} adds up to ${found}, the hours of the day to ${expected}`);
    this.name = 'UnexplainedSum';
  }
}

/** Puts one file into the bucket and compares what it adds up to with the day. Throws ChangedDay, and an error where they differ. */
export async function writeFile(
  parts: ExportParts,
  { claimed, day }: { readonly claimed: ClaimedExport; readonly day: SettledDay },
  planned: PlannedFile,
  signal: AbortSignal,
): Promise<ExportedFile> {
  const { dataset, format } = planned;
  const opened = await openRows(parts, { claimed, day }, dataset);
  try {
    const { columns, sums, pages } = opened;
    const encoded = encodeFile(pages(), { format, columns, summed: sums });
    const { compression, type } = FORMATS[format];
    const key = nameFileObject(parts.settings.prefix, claimed, { ...planned, fingerprint: day.fingerprint });
    await parts.files.put({ key, type, chunks: encoded.chunks }, signal);
    const file = { key, dataset, format, compression, ...encoded.describe() };
    checkSums(planned, { file, sums }, day);
    parts.metrics.written(dataset, format, file.bytes);
    return file;
  } finally {
    await opened.close();
  }
}

type OpenRows = {
  readonly columns: readonly Pick<UsageColumn, 'name' | 'kind'>[];
  readonly sums: SummedColumns;
  readonly pages: () => AsyncIterable<readonly string[][]>;
  readonly close: () => Promise<void>;
};

async function openRows(
  { database }: ExportParts,
  { claimed, day }: { readonly claimed: ClaimedExport; readonly day: SettledDay },
  dataset: UsageDataset,
): Promise<OpenRows> {
  const { organizationId, dayMs, revision, asOfMs } = claimed;
  const { organizationName, attempt } = day;
  const file = {
    organizationId,
    organizationName,
    startMs: dayMs,
    endMs: dayMs + DAY_MS,
    revision: String(revision),
    asOfMs,
    isClosed: true,
  };
  const asked = { organizationId, dayMs, attempt };
  if (dataset === 'events') return renderDataset(await openDayEvents(database, asked), EVENT_DATASET, file);
  return renderDataset(await openDayLines(database, asked, dataset === 'focus' ? 'days' : dataset), LINE_DATASETS[dataset], file);
}

function renderDataset<Line>(
  rows: DayRows<Line> | undefined,
  { columns, sums }: { readonly columns: readonly UsageColumn<Line>[]; readonly sums: SummedColumns },
  file: UsageFile,
): OpenRows {
  if (rows === undefined) throw new ChangedDay();
  return { columns, sums, pages: () => renderRows(rows.pages(), columns, file), close: rows.close };
}

function checkSums(
  planned: PlannedFile,
  { file, sums }: { readonly file: ExportedFile; readonly sums: SummedColumns },
  day: SettledDay,
): void {
  for (const [column, found] of Object.entries(file.sums)) {
    const measure = sums[column] as UsageMeasure;
    const expected = encodeMeasure(measure, day.totals[measure]);
    if (found !== expected) throw new UnexplainedSum(planned, column, [found, expected]);
  }
}
