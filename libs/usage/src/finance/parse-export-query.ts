import type { UsageExportParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { DAY_MS, periodCeiling, type Resolution } from '../period-key';

/** A checked request for a finance file. Half-open, UTC epoch milliseconds. */
export type UsageExportQuery = {
  readonly organizationId: string;
  readonly startMs: number;
  readonly endMs: number;
  /** How long the period of one line is. */
  readonly resolution: Resolution;
};

/** Throws `invalid_request` naming the field for a period that does not exist, is not over, or is shorter than its lines. */
export function parseExportQuery(
  { period, resolution = 'day' }: Pick<UsageExportParameters, 'period' | 'resolution'>,
  { organizationId, nowMs }: { readonly organizationId: string; readonly nowMs: number },
): UsageExportQuery {
  const isMonth = period.length === 7;
  const startMs = Date.parse(isMonth ? `${period}-01T00:00:00Z` : `${period}T00:00:00Z`);
  if (Number.isNaN(startMs) || !new Date(startMs).toISOString().startsWith(period))
    throw invalid('period', `${period} is not in the calendar.`);
  const endMs = isMonth ? periodCeiling('month', startMs + 1) : startMs + DAY_MS;
  if (endMs > nowMs) throw invalid('period', `${period} is not over yet: it ends at ${new Date(endMs).toISOString()}.`);
  if (!isMonth && resolution === 'month') throw invalid('resolution', 'A day has no lines of a month: `resolution` must be hour or day.');
  return { organizationId, startMs, endMs, resolution };
}

function invalid(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}
