import { OTHER_VALUE, periodStart } from '@weir/usage';
import type { PoolClient } from 'pg';
import { arrayLiteral } from '../../postgres/array-literal';
import { boundKey, extraKey, planExtra, type ExtraPlan, type ExtraValue, type KnownExtra } from './plan-extra';

/** Free fields of a batch's events, each with the instant that decides its day. */
export type ExtraOfEvent = {
  readonly organizationId: string;
  readonly admittedAtMs: number;
  readonly extra: readonly (readonly [string, string])[];
};

type ExtraBounds = {
  /** Decides in the caller's transaction which new fields and values of the batch stand for themselves. */
  prepare(client: PoolClient, extras: readonly ExtraOfEvent[]): Promise<ExtraPlan>;
  /** What was decided, once the transaction has committed. */
  remember(plan: ExtraPlan): void;
  boundExtra(plan: ExtraPlan, event: ExtraOfEvent): readonly (readonly [string, string])[];
};

/** Two processes that add to the same organization take turns, so that neither goes beyond the bound behind the other's back. */
const LOCK = {
  name: 'weir-lock-extra',
  text: "SELECT pg_advisory_xact_lock(hashtextextended('weir-extra ' || id, 0)) FROM (SELECT id FROM unnest($1::text[]) AS t(id) ORDER BY id) ordered",
};

const READ_FIELDS = {
  name: 'weir-read-extra-fields',
  text: 'SELECT org_id, field FROM usage_extra_field WHERE org_id = ANY($1::uuid[])',
};

const READ_VALUES = {
  name: 'weir-read-extra-values',
  text: `SELECT org_id, extract(epoch FROM day)::bigint::text AS day_seconds, field, value FROM usage_extra_value
    WHERE (org_id, day, field) IN (SELECT org_id, to_timestamp(day_seconds), field FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS t(org_id, day_seconds, field))`,
};

const ADD_FIELDS = {
  name: 'weir-add-extra-fields',
  text: 'INSERT INTO usage_extra_field (org_id, field) SELECT * FROM unnest($1::uuid[], $2::text[]) ON CONFLICT DO NOTHING',
};

const ADD_VALUES = {
  name: 'weir-add-extra-values',
  text: `INSERT INTO usage_extra_value (org_id, day, field, value)
    SELECT org_id, to_timestamp(day_seconds), field, value FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) AS t(org_id, day_seconds, field, value)
    ON CONFLICT DO NOTHING`,
};

/** Values that are remembered; starting over costs a query for each field and day in use, once. */
const VALUES_REMEMBERED_MAX = 500_000;

const NOTHING: KnownExtra = { fields: new Map(), values: new Map(), full: new Set() };

export function createExtraBounds(): ExtraBounds {
  let known = NOTHING;
  let remembered = 0;
  return {
    prepare: async (client, extras) => {
      const unknown = listUnknown(known, extras);
      if (unknown.length === 0) return { known, added: [], met: [] };
      const organizations = [...new Set(unknown.map(({ organizationId }) => organizationId))];
      await client.query({ ...LOCK, values: [arrayLiteral(organizations)] });
      const plan = planExtra(await readKnown(client, organizations, unknown), unknown);
      await addPlanned(client, plan);
      return { ...plan, known: mergeKnown(known, plan.known) };
    },
    remember: (plan) => {
      if (plan.added.length === 0 && plan.met.length === 0 && plan.known === known) return;
      remembered += plan.added.length;
      known = remembered > VALUES_REMEMBERED_MAX ? NOTHING : mergeKnown(known, plan.known);
      if (known === NOTHING) remembered = 0;
    },
    boundExtra: ({ known: decided }, { organizationId, admittedAtMs, extra }) => {
      const fields = decided.fields.get(organizationId);
      const dayMs = periodStart('day', admittedAtMs);
      return extra
        .filter(([field]) => fields?.has(field))
        .map(([field, value]) => [field, decided.values.get(extraKey(organizationId, dayMs, field))?.has(value) ? value : OTHER_VALUE]);
    },
  };
}

/** What nothing is known about yet: no place for it, and no decision that there is none. */
function listUnknown(known: KnownExtra, extras: readonly ExtraOfEvent[]): ExtraValue[] {
  const unknown = new Map<string, ExtraValue>();
  for (const { organizationId, admittedAtMs, extra } of extras) {
    const dayMs = periodStart('day', admittedAtMs);
    for (const [field, value] of extra) {
      const one = { organizationId, dayMs, field, value };
      if (!isDecided(known, one)) unknown.set(`${extraKey(organizationId, dayMs, field)} ${value}`, one);
    }
  }
  return [...unknown.values()];
}

function isDecided({ fields, values, full }: KnownExtra, { organizationId, dayMs, field, value }: ExtraValue): boolean {
  if (fields.get(organizationId)?.has(field) !== true) return full.has(boundKey({ organizationId, dayMs, bound: 'fields', field: '' }));
  const ofField = values.get(extraKey(organizationId, dayMs, field));
  return ofField?.has(value) === true || full.has(boundKey({ organizationId, dayMs, bound: 'values', field }));
}

async function readKnown(client: PoolClient, organizations: readonly string[], unknown: readonly ExtraValue[]): Promise<KnownExtra> {
  const fields = new Map<string, Set<string>>(organizations.map((id) => [id, new Set<string>()]));
  const values = new Map<string, Set<string>>();
  const ofFields = await client.query<{ org_id: string; field: string }>({ ...READ_FIELDS, values: [arrayLiteral(organizations)] });
  for (const { org_id, field } of ofFields.rows) fields.get(org_id)?.add(field);
  const asked = new Map(unknown.map((one) => [extraKey(one.organizationId, one.dayMs, one.field), one]));
  for (const key of asked.keys()) values.set(key, new Set());
  const wanted = [...asked.values()];
  const ofValues = await client.query<{ org_id: string; day_seconds: string; field: string; value: string }>({
    ...READ_VALUES,
    values: [
      arrayLiteral(wanted.map(({ organizationId }) => organizationId)),
      arrayLiteral(wanted.map(({ dayMs }) => dayMs / 1000)),
      wanted.map(({ field }) => field),
    ],
  });
  for (const row of ofValues.rows) values.get(extraKey(row.org_id, Number(row.day_seconds) * 1000, row.field))?.add(row.value);
  return { fields, values, full: new Set() };
}

async function addPlanned(client: PoolClient, { added }: ExtraPlan): Promise<void> {
  if (added.length === 0) return;
  await client.query({
    ...ADD_FIELDS,
    values: [arrayLiteral(added.map(({ organizationId }) => organizationId)), added.map(({ field }) => field)],
  });
  await client.query({
    ...ADD_VALUES,
    values: [
      arrayLiteral(added.map(({ organizationId }) => organizationId)),
      arrayLiteral(added.map(({ dayMs }) => dayMs / 1000)),
      added.map(({ field }) => field),
      added.map(({ value }) => value),
    ],
  });
}

function mergeKnown(known: KnownExtra, more: KnownExtra): KnownExtra {
  return {
    fields: new Map([...known.fields, ...more.fields]),
    values: new Map([...known.values, ...more.values]),
    full: new Set([...known.full, ...more.full]),
  };
}
