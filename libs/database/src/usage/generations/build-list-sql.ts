import { GENERATION_FIELDS, type GenerationFilters, type GenerationQuery } from '@weir/usage';

/** How many events one page looks at, at most: what bounds its time, whatever is filtered by. */
export const LOOKED_AT_MAX = 10_000;
/** The same for what came to be counted after a mark: old events are left aside without being parsed. */
export const LOOKED_AT_SINCE_MAX = 20_000;

/** So much earlier than its mark a request may have been admitted that is found by it. */
const SINCE_MS = 24 * 3_600_000;

/**
 * Attempts of a request say the same admission. Only an event that claims to be from the future stands elsewhere: where it
 * arrived, and the others of its request arrived with it.
 */
export const ATTEMPTS_WITHIN = "interval '1 hour'";

/** From admission to end, by the clocks of two machines; unknown where a crash ended it. */
export const MILLISECONDS = `CASE WHEN payload->>'status' <> 'aborted_crash' THEN
  greatest((payload->>'ended_at')::bigint - (payload->>'admitted_at')::bigint, (payload->>'dur_ms')::bigint) END`;

type Statement = { readonly text: string; readonly values: readonly unknown[] };

class Values {
  readonly all: unknown[] = [];

  /** The place of a value in the statement. */
  add(value: unknown): string {
    this.all.push(value);
    return `$${this.all.length}`;
  }
}

/**
 * One page. Every sort is by what the index is sorted by, so nothing is read before it is wanted. The inner query goes through the index of organization and admission from the newest event on and is cut off
 * where the page has cost enough; filters are conditions on what it returns, so the page ends as soon as it is full. The
 * last event looked at is returned too, to go on from.
 */
export function buildListSql(query: GenerationQuery, sinceXid: { readonly low: string } | null): Statement {
  const values = new Values();
  const organization = values.add(query.organizationId);
  const max = sinceXid === null ? LOOKED_AT_MAX : LOOKED_AT_SINCE_MAX;
  const range = listRange(query, values);
  const isMatch = [
    ...(sinceXid === null ? [] : [`arrived <= age(${values.add(sinceXid.low)}::text::xid)`]),
    "payload->>'logical' = 'true'",
    ...listOwn(query, values),
    ...listFilters(query.filters, values, organization),
  ].join(' AND ');
  const text = `SELECT looked_at::int AS looked_at, floor(extract(epoch FROM admitted_at) * 1000)::text AS admitted_ms, request_id,
      is_match, CASE WHEN is_match THEN payload::text END AS payload
    FROM (SELECT admitted_at, request_id, payload, row_number() OVER (ORDER BY admitted_at DESC, request_id DESC) AS looked_at, coalesce(${isMatch}, false) AS is_match
      FROM (SELECT admitted_at, request_id, payload${sinceXid === null ? '' : ', age(xmin) AS arrived'} FROM usage_event
        WHERE org_id = ${organization}::uuid${range.map((condition) => ` AND ${condition}`).join('')}
        ORDER BY admitted_at DESC, request_id DESC LIMIT ${max}) AS newest) AS looked
    WHERE is_match OR looked_at = ${max} ORDER BY looked.admitted_at DESC, looked.request_id DESC LIMIT ${query.limit + 1}`;
  return { text, values: values.all };
}

function listRange({ startMs, endMs, before, since }: GenerationQuery, values: Values): string[] {
  const at = (ms: number): string => `${values.add(new Date(ms).toISOString())}::timestamptz`;
  const fromMs = since === undefined ? startMs : Math.max(startMs ?? 0, since.atMs - SINCE_MS);
  const conditions = [];
  if (fromMs !== undefined) conditions.push(`admitted_at >= ${at(fromMs)}`);
  if (endMs !== undefined) conditions.push(`admitted_at < ${at(endMs)}`);
  if (before !== undefined) {
    const place = at(before.admittedAtMs);
    // The first is what the index is entered by.
    conditions.push(`admitted_at <= ${place}`, `(admitted_at < ${place} OR request_id < ${values.add(before.requestId)}::text)`);
  }
  return conditions;
}

/** Members see what they used themselves: as on the page of one request. */
function listOwn({ own }: GenerationQuery, values: Values): string[] {
  if (own === null) return [];
  const key = `payload->>'api_key_id' = ${values.add(own.apiKeyId)}`;
  return [own.userId === null ? key : `(${key} OR payload->>'user_id' = ${values.add(own.userId)})`];
}

function listFilters(filters: GenerationFilters, values: Values, organization: string): string[] {
  return [
    ...filters.fields.map(({ field, values: wanted }) => {
      const { of, kind } = GENERATION_FIELDS[field];
      const value = kind === 'id' ? `coalesce(lower(payload->>'${of}'), 'Unknown')` : `coalesce(payload->>'${of}', 'Unknown')`;
      return `${value} = ANY (${values.add(wanted)}::text[])`;
    }),
    ...(filters.statuses === undefined ? [] : [`payload->>'status' = ANY (${values.add(filters.statuses)}::text[])`]),
    ...(filters.idPrefix === undefined ? [] : [`starts_with(request_id, ${values.add(filters.idPrefix)}::text)`]),
    ...filters.extra.map(
      ({ name, values: wanted }) => `payload->'extra'->>${values.add(name)}::text = ANY (${values.add(wanted)}::text[])`,
    ),
    ...filters.labels.map(({ name, values: wanted }) => matchLabel(values.add(name), values.add(wanted), organization)),
    ...(filters.minMs === undefined ? [] : [`${MILLISECONDS} >= ${values.add(filters.minMs)}::bigint`]),
    ...(filters.maxMs === undefined ? [] : [`${MILLISECONDS} <= ${values.add(filters.maxMs)}::bigint`]),
    ...matchCost(filters, values, organization),
  ];
}

/** Sets of labels are looked up once for the whole page. */
function matchLabel(name: string, wanted: string, organization: string): string {
  const sets = `(SELECT id::text FROM label_set WHERE organization_id = ${organization}::uuid
    AND labels->>${name}::text = ANY (${wanted}::text[]))`;
  return `(lower(payload->>'key_label_set_id') IN ${sets} OR lower(payload->>'group_label_set_id') IN ${sets})`;
}

/** Of all attempts, which are other events: found by the index of organization and request. */
function matchCost({ minCostPico, maxCostPico }: GenerationFilters, values: Values, organization: string): string[] {
  if (minCostPico === undefined && maxCostPico === undefined) return [];
  const cost = `(SELECT sum((a.payload->>'cost_p')::numeric) FROM usage_event a
    WHERE a.org_id = ${organization}::uuid AND a.request_id = newest.request_id
      AND a.admitted_at BETWEEN newest.admitted_at - ${ATTEMPTS_WITHIN} AND newest.admitted_at + ${ATTEMPTS_WITHIN})`;
  const least = values.add(String(minCostPico ?? 0n));
  if (maxCostPico === undefined) return [`${cost} >= ${least}::numeric`];
  return [`${cost} BETWEEN ${least}::numeric AND ${values.add(String(maxCostPico))}::numeric`];
}
