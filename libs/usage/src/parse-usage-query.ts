import { GROUP_BY_MAX, usageParameters, type UsageParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { describeDimensions, findDimension } from './dimensions';
import { gatherFilters, parseFilters } from './parse-filters';
import { parseInstant, spellInstant } from './parse-instant';
import { DAY_MS, periodStart } from './period-key';
import type { UsageQuery, UsageReach } from './usage-query';

const RANGE_MAX_DAYS = 100;
/** The whole hours whose bounds RFC 3339 can express, in years of four digits. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:00:00Z');

/** Whose usage is asked for: decided by the route, never by the caller's parameters. */
export type UsageScope = { readonly organizationId: string; readonly apiKeyId?: string; readonly reach?: UsageReach };

/**
 * Checks the parameters of a usage endpoint, from a query string or a JSON body; `months` is how many calendar months are asked for
 * in place of an end, which may be more than other ranges have days. Throws `invalid_request` naming the field.
 */
export function parseUsageQuery(input: Readonly<Record<string, unknown>>, scope: UsageScope, months?: number): UsageQuery {
  const parameters = parseParameters(input);
  const startMs = parseInstant(parameters.start);
  const endMs = months === undefined ? readEnd(parameters, startMs) : readEndOfMonths(parameters, startMs, months);
  if (!(endMs > startMs)) throw invalid('end', '`end` must be after `start`.');
  if (startMs < FIRST_MS) throw invalid('start', '`start` may not be before 0000-01-01T00:00:00Z.');
  if (endMs > LAST_MS) {
    const field = parameters.end === undefined ? 'start' : 'end';
    throw invalid(field, `The range from \`start\` to \`end\` may not reach beyond 9999-12-31T23:00:00Z.`);
  }
  if (months === undefined && endMs - startMs > RANGE_MAX_DAYS * DAY_MS) {
    throw invalid(
      'end',
      `The range from \`start\` to \`end\` may not exceed ${RANGE_MAX_DAYS} days; \`months\` asks for more by the month.`,
    );
  }
  const groupBy = checkGroupBy(listGroupBy(parameters.group_by));
  const filters = parseFilters(parameters.filter);
  return {
    ...scope,
    startMs,
    endMs,
    resolution: months === undefined ? (parameters.resolution ?? 'day') : 'month',
    groupBy,
    ...(filters.length === 0 ? {} : { filters }),
  };
}

function readEnd({ end }: UsageParameters, startMs: number): number {
  return end === undefined ? startMs + DAY_MS : parseInstant(end);
}

/** Whole months, which their own rollup serves. */
function readEndOfMonths({ end, resolution = 'month' }: UsageParameters, startMs: number, months: number): number {
  if (end !== undefined) throw invalid('end', '`end` and `months` both say where the range ends; send one of them.');
  if (resolution !== 'month') throw invalid('resolution', '`resolution` must be month where `months` is sent.');
  if (periodStart('month', startMs) !== startMs)
    throw invalid('start', '`start` must be the start of a month in UTC, such as 2026-01-01T00:00:00Z, where `months` is sent.');
  const date = new Date(startMs);
  return new Date(startMs).setUTCMonth(date.getUTCMonth() + months);
}

function parseParameters(input: Readonly<Record<string, unknown>>): UsageParameters {
  const result = usageParameters.safeParse(normalizeInput(input));
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  if (issue?.code === 'unrecognized_keys') throw invalid(issue.keys[0] ?? '', `Unknown parameter \`${issue.keys[0] ?? ''}\`.`);
  const field = String(issue?.path[0] ?? 'start');
  const isMissing = field === 'start' && input['start'] === undefined;
  throw invalid(field, isMissing ? START_MISSING : (EXPECTED[field] ?? `\`${field}\` is not valid.`));
}

const START_MISSING = '`start` is required: an RFC 3339 time such as 2026-08-07T00:00:00Z.';

const EXPECTED: Readonly<Record<string, string>> = {
  start: '`start` must be an RFC 3339 time such as 2026-08-07T00:00:00Z.',
  end: '`end` must be an RFC 3339 time such as 2026-08-08T00:00:00Z.',
  resolution: '`resolution` must be one of hour, day, month.',
  group_by: `\`group_by\` must be up to ${GROUP_BY_MAX} dimension names.`,
};

/** A query string spells lists as `group_by[]` or with commas. */
function normalizeInput(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { 'group_by[]': bracketed, ...rest } = gatherFilters(input);
  const reported: unknown[] = [rest['group_by'], bracketed].flat().filter((value) => value !== undefined);
  const groupBy = [...new Set(reported.flatMap((value) => (typeof value === 'string' ? value.split(',') : [value])))];
  const normalized: Record<string, unknown> = { ...rest };
  if (groupBy.length > 0) normalized['group_by'] = groupBy;
  for (const name of ['start', 'end']) {
    const value = normalized[name];
    if (typeof value === 'string') normalized[name] = spellInstant(value);
  }
  return normalized;
}

function listGroupBy(value: UsageParameters['group_by']): string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function checkGroupBy(names: string[]): string[] {
  for (const name of names) {
    if (findDimension(name) === undefined) {
      throw invalid('group_by', `\`group_by\` does not know "${name.slice(0, 80)}"; it takes ${describeDimensions()}.`);
    }
  }
  return names;
}

function invalid(field: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { field });
}
