import type { UsageExportParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { parseFilters } from '../parse-filters';
import { DAY_MS, instantKey, periodCeiling, type Resolution } from '../period-key';
import type { UsageFilter } from '../usage-query';

/** A checked request for a finance file. Half-open, UTC epoch milliseconds. */
export type UsageExportQuery = {
  readonly organizationId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** How long the period of one line is. */
  readonly resolution: Resolution;
  /** Whether the period is a day, and not a month. */
  readonly isDay: boolean;
  /** Whether the period is over; until then its file is what was used to date. */
  readonly isClosed: boolean;
  /** All of them apply. */
  readonly filters: readonly UsageFilter[];
};

/** Throws `invalid_request` naming the field for a period that does not exist, has not begun, or is shorter than its lines. */
export function parseExportQuery(
  { period, resolution = 'day', filter }: Pick<UsageExportParameters, 'period' | 'resolution' | 'filter'>,
  { organizationId, nowMs }: { readonly organizationId: string; readonly nowMs: number },
): UsageExportQuery {
  const isMonth = period.length === 7;
  const startMs = Date.parse(isMonth ? `${period}-01T00:00:00Z` : `${period}T00:00:00Z`);
  if (Number.isNaN(startMs) || !new Date(startMs).toISOString().startsWith(period))
    throw invalid('period', `${period} is not in the calendar.`);
  const endMs = isMonth ? periodCeiling('month', startMs + 1) : startMs + DAY_MS;
  if (startMs > nowMs) throw invalid('period', `${period} has not begun: it begins at ${instantKey(startMs)}.`);
  if (!isMonth && resolution === 'month') throw invalid('resolution', 'A day has no lines of a month: `resolution` must be hour or day.');
  return { organizationId, startMs, endMs, resolution, isDay: !isMonth, isClosed: endMs <= nowMs, filters: parseFilters(filter) };
}

function invalid(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}
