import type { UsageEvent } from '@weir/contracts';
import { makeUsageEvent, NO_UNITS } from '@weir/testing';
import * as fc from 'fast-check';
import { foldBatch, type FoldedBatch, type RollupIncrement, type TimedUsageEvent } from './fold-batch';
import { addMeasures, type Measures } from './measures';
import { HOUR_MS } from './period-key';

const START = Date.UTC(2026, 6, 31, 20);

const anyEvent: fc.Arbitrary<TimedUsageEvent> = fc
  .record({
    hour: fc.integer({ min: 0, max: 30 }),
    key: fc.constantFrom('a', 'b'),
    user: fc.constantFrom(null, 'u'),
    group: fc.constantFrom(null, 'g'),
    team: fc.constantFrom('red', 'blue'),
    out: fc.nat(1e6),
    cost: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    logical: fc.boolean(),
    status: fc.constantFrom('ok' as const, 'timeout' as const),
  })
  .map(({ hour, key, user, group, team, out, cost, logical, status }) => {
    const more: Partial<UsageEvent> = { api_key_id: key, user_id: user, group_id: group, extra: { team }, logical, status };
    const event = makeUsageEvent({ ...more, units: { ...NO_UNITS, out }, cost_p: String(cost), billed_p: String(cost) });
    return { event, admittedAtMs: START + hour * HOUR_MS };
  });

function rows(increments: readonly RollupIncrement[], into = new Map<string, Measures>()): Map<string, Measures> {
  for (const { organizationId, periodStartMs, series, measures } of increments) {
    const key = `${organizationId} ${periodStartMs} ${series}`;
    const present = into.get(key);
    if (present === undefined) into.set(key, { ...measures });
    else addMeasures(present, measures);
  }
  return into;
}

function spendOf(folded: readonly FoldedBatch[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { scope, scopeId, monthMs, costPico } of folded.flatMap(({ spend }) => spend)) {
    const key = `${scope} ${scopeId} ${monthMs}`;
    sums.set(key, (sums.get(key) ?? 0n) + costPico);
  }
  return sums;
}

describe('folding a batch', () => {
  test('in one piece or in two gives the same rows', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), fc.array(anyEvent), (first, second) => {
        const [a, b, both] = [foldBatch(first), foldBatch(second), foldBatch([...first, ...second])];
        for (const rollup of ['hours', 'days', 'months'] as const) {
          expect(rows(b[rollup], rows(a[rollup]))).toEqual(rows(both[rollup]));
        }
        expect(spendOf([a, b])).toEqual(spendOf([both]));
        expect(new Set([...a.series.keys(), ...b.series.keys()])).toEqual(new Set(both.series.keys()));
      }),
    );
  });

  test('hours, days, months and the organization spend all sum to the events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent), (events) => {
        const folded = foldBatch(events);
        const cost = events.reduce((sum, { event }) => sum + BigInt(event.cost_p), 0n);
        for (const rollup of [folded.hours, folded.days, folded.months]) {
          expect(rollup.reduce((sum, { measures }) => sum + measures.costPico, 0n)).toBe(cost);
          expect(rollup.reduce((sum, { measures }) => sum + measures.attempts, 0)).toBe(events.length);
        }
        const ofOrganization = folded.spend.filter(({ scope }) => scope === 'organization');
        expect(ofOrganization.reduce((sum, { costPico }) => sum + costPico, 0n)).toBe(cost);
        expect(folded.billed.reduce((sum, { billedPico }) => sum + billedPico, 0n)).toBe(cost);
      }),
    );
  });

  test('a retried attempt counts as attempt, not as request, and its money counts', () => {
    const admittedAtMs = START;
    const failed = makeUsageEvent({ logical: false, status: 'upstream_error', cost_p: '5', billed_p: '5' });
    const served = makeUsageEvent({ attempt_no: 2, cost_p: '7', billed_p: '7' });
    const [hour, ...others] = foldBatch([failed, served].map((event) => ({ event, admittedAtMs }))).hours;
    expect(others).toEqual([]);
    expect(hour?.measures).toMatchObject({ requests: 1, attempts: 2, errors: 1, costPico: 12n });
  });

  test('events that differ in any dimension are different series; the order of extra fields is no difference', () => {
    const base = makeUsageEvent({ extra: { a: '1', b: '2' } });
    const variants: Partial<UsageEvent>[] = [
      { extra: { b: '2', a: '1' } },
      { model_used: 'x' },
      { is_byok: true },
      { end_user_id: 'x' },
      { extra: { a: '1' } },
      { origin_title: 'x' },
      { key_label_set_id: 'x' },
      { group_label_set_id: 'x' },
      { user_id: 'x' },
      { group_id: 'x' },
      { org_id: 'x' },
      { api_key_id: 'x' },
      { model_requested: 'x' },
      { provider_used: 'x' },
      { endpoint: 'x' },
      { modality: 'speech' },
      { extra: { a: '1', b: '3' } },
      { extra: { a: '1', c: '2' } },
    ];
    const events = [base, ...variants.map((more) => ({ ...base, ...more }))];
    const folded = foldBatch([...events, ...events].map((event) => ({ event, admittedAtMs: START })));
    expect(folded.series.size).toBe(variants.length);
    expect(folded.hours.map(({ measures }) => measures.attempts)).toEqual([4, ...Array.from({ length: variants.length - 1 }, () => 2)]);
  });

  test('what callers choose freely is bounded: twenty extra fields with names that can be asked for, of 64 characters', () => {
    const extra = {
      'not a name': 'lost',
      ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${String(at).padStart(2, '0')}`, 'x'.repeat(64)])),
      f00: 'x'.repeat(65),
    };
    const [series] = foldBatch([
      { event: makeUsageEvent({ extra, origin_title: `${'y'.repeat(255)}\u{1f600}` }), admittedAtMs: START },
    ]).series.values();
    expect(series?.extra).toHaveLength(20);
    expect(series?.extra.slice(0, 2)).toEqual([
      ['f00', '__other__'],
      ['f01', 'x'.repeat(64)],
    ]);
    expect(series?.originTitle).toBe('y'.repeat(255));
  });

  test('a series above the bound of an hour is counted with its free text folded; no sum changes', () => {
    const events = Array.from({ length: 10 }, (_, at) => ({
      event: makeUsageEvent({ end_user_id: `u${at}`, origin_title: null, extra: { team: `t${at}` }, cost_p: '7', billed_p: '7' }),
      admittedAtMs: START,
    }));
    const met = new Set<string>();
    const hasCapacity = (_organizationId: string, _hourMs: number, identity: string): boolean => met.size < 3 && met.add(identity).size > 0;
    const folded = foldBatch([...events, ...events], { boundExtra: (_organizationId, _admittedAtMs, extra) => extra, hasCapacity });
    expect([...folded.series.values()].map(({ endUserId, originTitle, extra }) => [endUserId, originTitle, extra[0]?.[1]])).toEqual([
      ['u0', null, 't0'],
      ['u1', null, 't1'],
      ['u2', null, 't2'],
      ['__other__', null, '__other__'],
    ]);
    expect(folded.hours.map(({ measures }) => measures.requests)).toEqual([2, 2, 2, 14]);
    expect(folded.hours.reduce((sum, { measures }) => sum + measures.costPico, 0n)).toBe(140n);
  });
});
