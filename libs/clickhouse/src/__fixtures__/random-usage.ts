import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, NO_UNITS } from '@weir/testing';
import { DAY_MS, DIMENSIONS, HOUR_MS, instantKey } from '@weir/usage';
import * as fc from 'fast-check';
import type { Stores } from './start-bench';

/** Three days around the end of a month. */
export const SPAN = { startMs: Date.UTC(2026, 6, 30, 12), endMs: Date.UTC(2026, 7, 2, 12) } as const;

const KEYS = ['22222222-2222-4222-8222-222222222222', '55555555-5555-4555-8555-555555555555'] as const;
const STATUSES = ['ok', 'client_closed', 'upstream_error', 'aborted_crash'] as const;
const MODALITIES = ['chat', 'embedding', 'image', 'speech', 'transcription'] as const;

const anyCount = fc.integer({ min: 0, max: 1_000_000 });
const anyText = fc.constantFrom(null, 'a', 'B', "c'\\", '\u{1F600}');

/** Events that differ in everything that usage is sliced by and adds up. */
export function anyEvent({ organizationId, known }: Pick<Stores, 'organizationId' | 'known'>): fc.Arbitrary<UsageEvent> {
  const facts = fc.record({
    admitted_at: fc.integer({ min: SPAN.startMs, max: SPAN.endMs - 1 }),
    api_key_id: fc.constantFrom(...KEYS),
    user_id: fc.constantFrom(null, known.userId),
    group_id: fc.constantFrom(null, known.groupId),
    key_label_set_id: fc.constantFrom(null, known.keyLabels),
    group_label_set_id: fc.constantFrom(null, known.groupLabels),
    model_used: fc.constantFrom('vendor/model', 'vendor/other'),
    is_byok: fc.boolean(),
    logical: fc.boolean(),
    status: fc.constantFrom(...STATUSES),
    modality: fc.constantFrom(...MODALITIES),
    origin_title: anyText,
    end_user_id: anyText,
    cost_p: fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }).map(String),
    ttft_ms: fc.option(anyCount, { nil: null }),
  });
  const units = fc.record({
    in: anyCount,
    out: anyCount,
    cached_in: anyCount,
    cache_w5m: anyCount,
    cache_w1h: anyCount,
    reasoning: anyCount,
    searches: anyCount,
  });
  const extra = fc.dictionary(fc.constantFrom('team', 'run'), fc.constantFrom('x', 'y', ''), { maxKeys: 2 });
  return fc.tuple(facts, units, extra).map(([fact, used, fields]) =>
    makeUsageEvent({
      ...{ org_id: organizationId, ...fact, billed_p: fact.is_byok ? '0' : fact.cost_p },
      ...{ units: { ...NO_UNITS, ...used }, extra: fields },
    }),
  );
}

const NAMES = DIMENSIONS.flatMap(({ name, match }) =>
  match === 'exact' ? [name] : name === 'extra.' ? ['extra.team', 'extra.run'] : [`${name}f`],
);

/** Questions about any range near the span, in any resolution and time zone, by and with any dimensions. */
export function anyQuestion({ known }: Pick<Stores, 'known'>): fc.Arbitrary<Record<string, unknown>> {
  const values: Record<string, readonly string[]> = {
    ...{ group_name: ['Research "A"'], group_id: [known.groupId], member_id: [known.userId], member_email: ['none@example.com'] },
    ...{
      user_id: ['a', "c'\\", '\u{1F600}'],
      api_key_id: KEYS,
      model_requested: ['vendor/model'],
      model_used: ['vendor/model', 'vendor/other'],
    },
    ...{ provider_used: ['vendor'], is_byok: ['true'], origin_title: ['B', 'a'], 'extra.team': ['x', 'y', ''], 'extra.run': ['x'] },
    ...{ 'api_key_label.f': ['prod', 'test'], 'group_label.f': ['42'] },
  };
  const anyFilter = fc
    .uniqueArray(fc.constantFrom(...NAMES), { maxLength: 2 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, fc.subarray([...(values[name] ?? []), 'Unknown'], { minLength: 1 })]))),
    );
  const anyBound = fc.integer({ min: SPAN.startMs - HOUR_MS, max: SPAN.endMs + HOUR_MS });
  const onTheHour = anyBound.map((atMs) => Math.floor(atMs / HOUR_MS) * HOUR_MS);
  const onTheDay = anyBound.map((atMs) => Math.floor(atMs / DAY_MS) * DAY_MS);
  return fc
    .record({
      bounds: fc.tuple(fc.oneof(anyBound, onTheHour, onTheDay), fc.oneof(anyBound, onTheHour, onTheDay)).filter(([a, b]) => a !== b),
      resolution: fc.constantFrom('hour', 'day', 'month'),
      group_by: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
      filter: anyFilter,
      offset: fc.constantFrom('', '+05:30', '-08:00'),
    })
    .map(({ bounds, resolution, group_by, filter, offset }) => {
      const [startMs, endMs] = bounds[0] < bounds[1] ? bounds : [bounds[1], bounds[0]];
      return {
        ...{ start: spell(startMs, offset), end: spell(endMs, offset), resolution },
        ...(group_by.length > 0 ? { group_by } : {}),
        ...(Object.keys(filter).length > 0 ? { filter } : {}),
      };
    });
}

/** The same instant as clocks elsewhere show it. */
function spell(atMs: number, offset: string): string {
  if (offset === '') return instantKey(atMs);
  const minutes = (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4)));
  return instantKey(atMs + minutes * 60_000).replace('Z', offset);
}
