import { USAGE_STATUSES, type UsageUnits } from '@weir/contracts';
import fc from 'fast-check';
import { encodeOutcome, encodeUnits, type Outcome } from './encode-outcome';

const count = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 2 ** 40 }), fc.double());
const COUNTS = [
  'in',
  'out',
  'cached_in',
  'cache_w5m',
  'cache_w1h',
  'reasoning',
  'audio_in',
  'audio_out',
  'images',
  'chars',
  'ms_audio',
  'searches',
];
const counts: Record<string, fc.Arbitrary<number>> = Object.fromEntries(
  [...COUNTS, 'image_in', 'image_out', 'searches_medium', 'searches_high'].map((name) => [name, count]),
);
const units = fc.record(counts, { requiredKeys: COUNTS }) as unknown as fc.Arbitrary<UsageUnits>;
const pico = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String);

const outcomes: fc.Arbitrary<Outcome> = fc.record(
  {
    logical: fc.boolean(),
    ended_at: fc.integer(),
    dur_ms: fc.nat(),
    ttft_ms: fc.option(fc.nat()),
    units,
    unit_source: fc.constantFrom('provider', 'tokenizer', 'estimate'),
    cost_p: pico,
    billed_p: pico,
    status: fc.constantFrom(...USAGE_STATUSES),
    http_status: fc.option(fc.nat()),
    error_origin: fc.constantFrom('router', 'provider', null),
    guardrail: fc.constantFrom('passed', 'scan_error', null),
    error_code: fc.string({ unit: 'binary' }),
    traceparent: fc.string(),
    uncharged: fc.record({ units, cost_p: pico }),
    doubted: units,
  },
  {
    requiredKeys: [
      ...(['logical', 'ended_at', 'dur_ms', 'ttft_ms', 'units', 'unit_source', 'cost_p', 'billed_p', 'status'] as const),
      ...(['http_status', 'error_origin', 'guardrail'] as const),
    ],
  },
);

describe('the text of an outcome', () => {
  it('says what JSON would, member by member, and goes on after what was begun', () => {
    fc.assert(
      fc.property(outcomes, (outcome) => {
        expect(JSON.parse(`{"v":1${encodeOutcome(outcome)}`)).toEqual({ v: 1, ...(JSON.parse(JSON.stringify(outcome)) as object) });
        expect(encodeUnits(outcome.units)).toBe(JSON.stringify({ ...sortedUnits(outcome.units) }));
      }),
    );
  });

  it('has no number for what is none, so that the event can still be read', () => {
    const none = { ...Object.fromEntries(COUNTS.map((name) => [name, 0])), out: Number.NaN } as unknown as UsageUnits;
    expect(JSON.parse(encodeUnits(none))).toMatchObject({ in: 0, out: null });
  });
});

/** In the order in which events have them. */
function sortedUnits(given: UsageUnits): Partial<UsageUnits> {
  const names = [...COUNTS, 'image_in', 'image_out', 'searches_medium', 'searches_high'] as (keyof UsageUnits)[];
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}
