import {
  GENERATION_NAME_CHARS_MAX,
  GENERATION_NAMES_MAX,
  generationListParameters,
  generationNamedValues,
  USAGE_STATUSES,
  type GenerationListParameters,
  type UsageStatus,
} from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { parseUsd } from '@weir/pricing';
import { parseInstant, spellInstant } from '../parse-instant';
import { decodeGenerationCursor, type GenerationCursor } from './generation-cursor';
import {
  GENERATION_FIELDS,
  type GenerationField,
  type GenerationFilters,
  type GenerationQuery,
  type GenerationScope,
} from './generation-query';

const LIMIT = 50;
/** The last millisecond that RFC 3339 can express. */
const LAST_MS = Date.UTC(10_000, 0) - 1;
/** `label.team` and `label[team]`; what is in it is the caller's own. */
const NAMED = /^(label|extra)(?:\.([^]+)|\[([^]+)\])$/;

type Named = Record<'label' | 'extra', Map<string, unknown[]>>;

/** Checks the query of `GET /v1/generation`. Throws `invalid_request` naming the field. */
export function parseGenerationQuery(input: Readonly<Record<string, unknown>>, scope: GenerationScope): GenerationQuery {
  const { named, rest } = splitNamed(input);
  const parameters = parseParameters(rest);
  const cursor = readCursors(parameters);
  const startMs = parameters.start === undefined ? undefined : parseInstant(parameters.start);
  const endMs = parameters.end === undefined ? undefined : parseInstant(parameters.end);
  if (startMs !== undefined && endMs !== undefined && !(endMs > startMs)) throw invalid('end', '`end` must be after `start`.');
  return {
    ...scope,
    limit: parameters.limit ?? LIMIT,
    ...(startMs === undefined ? {} : { startMs: withinReach(startMs) }),
    ...(endMs === undefined ? {} : { endMs: withinReach(endMs) }),
    ...cursor,
    filters: readFilters(parameters, named),
  };
}

/** Nothing was admitted before or after, and Postgres has neither a year 0 nor one of five digits as it is written here. */
function withinReach(ms: number): number {
  return Math.min(Math.max(ms, 0), LAST_MS);
}

function splitNamed(input: Readonly<Record<string, unknown>>): { named: Named; rest: Record<string, unknown> } {
  const named: Named = { label: new Map(), extra: new Map() };
  const rest = new Map<string, unknown>();
  for (const [key, value] of Object.entries(input)) {
    const [, kind, dotted, bracketed] = NAMED.exec(key) ?? [];
    const name = dotted ?? bracketed;
    if (kind === undefined || name === undefined) {
      rest.set(key, (key === 'start' || key === 'end') && typeof value === 'string' ? spellInstant(value) : value);
      continue;
    }
    const present = named[kind as keyof Named];
    present.set(name, [...(present.get(name) ?? []), value].flat());
  }
  return { named, rest: Object.fromEntries(rest) };
}

const EXPECTED: Readonly<Record<string, string>> = {
  limit: 'must be a whole number from 1 to 200',
  cursor: 'must be the `next_cursor` of the page before',
  after: 'must be the `newest_cursor` of an earlier page',
  start: 'must be an RFC 3339 time such as 2026-08-07T00:00:00Z',
  end: 'must be an RFC 3339 time such as 2026-08-08T00:00:00Z',
  order: 'must be `desc`: the list is newest first',
  status: `must be of error, ${USAGE_STATUSES.join(', ')}`,
  min_cost: 'must be USD as decimal text such as 0.05',
  max_cost: 'must be USD as decimal text such as 0.05',
  min_ms: 'must be a whole number of milliseconds',
  max_ms: 'must be a whole number of milliseconds',
  id: 'must be a request id or the beginning of one',
};

function parseParameters(input: Record<string, unknown>): GenerationListParameters {
  const result = generationListParameters.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  if (issue?.code === 'unrecognized_keys') {
    const unknown = issue.keys[0] ?? '';
    throw invalid(unknown.slice(0, 100), `Unknown parameter \`${unknown.slice(0, 100)}\`.`);
  }
  const field = String(issue?.path[0] ?? '');
  throw invalid(field, `\`${field}\` ${EXPECTED[field] ?? 'is not valid'}.`);
}

/** A cursor that was made for one parameter is refused in the other: it would quietly mean something else. */
function readCursors({ cursor, after }: GenerationListParameters): GenerationCursor {
  if (cursor !== undefined && after !== undefined) throw invalid('after', '`after` cannot be combined with `cursor`.');
  if (cursor !== undefined) {
    const read = decodeGenerationCursor(cursor);
    if (read?.before === undefined) throw invalid('cursor', `\`cursor\` ${EXPECTED['cursor'] ?? ''}.`);
    return read;
  }
  if (after === undefined) return {};
  const read = decodeGenerationCursor(after);
  if (read?.since === undefined || read.before !== undefined) throw invalid('after', `\`after\` ${EXPECTED['after'] ?? ''}.`);
  return read;
}

function readFilters(parameters: GenerationListParameters, { label, extra }: Named): GenerationFilters {
  const { status, min_cost: minCost, max_cost: maxCost, min_ms: minMs, max_ms: maxMs, id } = parameters;
  if (label.size + extra.size > GENERATION_NAMES_MAX) {
    throw invalid(label.size === 0 ? 'extra' : 'label', `At most ${GENERATION_NAMES_MAX} labels and free fields can be filtered by.`);
  }
  return {
    fields: (Object.keys(GENERATION_FIELDS) as GenerationField[]).flatMap((field) => {
      const given = parameters[field];
      return given === undefined ? [] : [{ field, values: [...new Set([given].flat())].map((value) => spell(field, value)) }];
    }),
    ...(status === undefined ? {} : { statuses: listStatuses([status].flat()) }),
    labels: [...label].map(([name, given]) => checkNamed('label', name, given)),
    extra: [...extra].map(([name, given]) => checkNamed('extra', name, given)),
    ...(minCost === undefined ? {} : { minCostPico: parseUsd(minCost) }),
    ...(maxCost === undefined ? {} : { maxCostPico: parseUsd(maxCost) }),
    ...(minMs === undefined ? {} : { minMs }),
    ...(maxMs === undefined ? {} : { maxMs }),
    ...(id === undefined ? {} : { idPrefix: id }),
  };
}

function spell(field: GenerationField, value: string): string {
  return GENERATION_FIELDS[field].kind === 'id' && value !== 'Unknown' ? value.toLowerCase() : value;
}

function listStatuses(given: readonly (UsageStatus | 'error')[]): UsageStatus[] {
  return USAGE_STATUSES.filter((status) => given.includes(status) || (given.includes('error') && status !== 'ok'));
}

function checkNamed(kind: 'label' | 'extra', name: string, given: unknown[]): { name: string; values: string[] } {
  const field = `${kind}.${name.slice(0, 100)}`;
  if (name.length > GENERATION_NAME_CHARS_MAX || name.includes('\0')) throw invalid(field, `\`${field}\` is no name.`);
  const { data: values } = generationNamedValues.safeParse(given);
  if (values === undefined) throw invalid(field, `\`${field}\` is not valid.`);
  return { name, values: [...new Set(values)] };
}

function invalid(field: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { field });
}
