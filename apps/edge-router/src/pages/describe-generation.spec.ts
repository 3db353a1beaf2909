import type { PriceSheet, UsageEvent, UsageUnits } from '@weir/contracts';
import { correctEvent } from '@weir/usage';
import { describeGeneration, type GenerationContext } from './describe-generation';

const NOTHING: UsageUnits = {
  ...{ in: 0, out: 0, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0 },
  ...{ images: 0, chars: 0, ms_audio: 0, searches: 0 },
};

const NAMES = { apiKey: 'CI', memberEmail: null, group: null, keyLabels: {}, groupLabels: {} };
const CONTEXT: GenerationContext = { names: NAMES, findPrices: () => undefined };

function createEvent(more: Partial<UsageEvent>): UsageEvent {
  const made: Partial<UsageEvent> = {
    request_id: 'r',
    admitted_at: 0,
    ended_at: 3000,
    dur_ms: 1000,
    ttft_ms: null,
    status: 'ok',
    cost_p: '0',
    billed_p: '0',
    hold_id: null,
  };
  return { ...made, ...more } as UsageEvent;
}

it('shows images, characters and audio by what they were charged by, under an own key too', () => {
  const units = { ...NOTHING, in: 12, out: 1056, image_in: 10, image_out: 1056, images: 1, chars: 21, ms_audio: 1500 };
  const event = createEvent({ endpoint: 'image-edits', units, is_byok: true, cost_p: '42250000000', logical: true });

  expect(describeGeneration([event], CONTEXT)).toMatchObject({
    endpoint: 'image-edits',
    cost: '0.04225',
    billed: '0',
    attempts: [
      {
        own_key: true,
        tokens: {
          ...{ input: 12, output: 1056, image_input: 10, image_output: 1056, images: 1, characters: 21, audio_milliseconds: 1500 },
          searches: 0,
        },
      },
    ],
  });
});

it('adds up all attempts, says what failed ones used for nothing, and names the one that counts', () => {
  const failed = createEvent({
    ...{ model_used: 'a', status: 'upstream_error', error_code: 'provider_overloaded', logical: false, units: NOTHING },
    uncharged: { units: { ...NOTHING, in: 1000 }, cost_p: '3000000000' },
  });
  const answered = createEvent({
    model_used: 'b',
    logical: true,
    units: { ...NOTHING, in: 10 },
    cost_p: '5',
    billed_p: '5',
    doubted: { ...NOTHING, in: 99 },
  });

  expect(describeGeneration([failed, answered], CONTEXT)).toMatchObject({
    model: 'b',
    status: 'ok',
    cost: '0.000000000005',
    billed: '0.000000000005',
    attempts: [
      {
        why_left: 'provider_overloaded',
        tokens: { input: 0, image_output: 0 },
        uncharged: { tokens: { input: 1000 }, cost: '0.003' },
        doubted: null,
      },
      { why_left: null, uncharged: null, doubted: { tokens: { input: 99 } } },
    ],
  });
});

it('shows prices line by line where they are what was charged, and says why there are none elsewhere', () => {
  const prices: PriceSheet = { kind: 'units', version: 'v', units: { character: '0.000001' } };
  const event = createEvent({ logical: true, units: { ...NOTHING, chars: 3 }, cost_p: '3000000', price_version: 'v', model_used: 'm' });
  const describe = (of: UsageEvent, findPrices: GenerationContext['findPrices']): unknown =>
    (describeGeneration([of], { names: NAMES, findPrices }) as { attempts: unknown[] }).attempts[0];

  expect(describe(event, (asked) => (asked.model_used === 'm' && asked.price_version === 'v' ? prices : undefined))).toMatchObject({
    price_lines: [{ unit: 'character', quantity: '3', price: '0.000001', amount: '0.000003' }],
    price_lines_missing: null,
  });
  expect(describe(event, () => undefined)).toMatchObject({ price_lines: null, price_lines_missing: 'prices_unknown' });
  expect(describe({ ...event, cost_p: '4' }, () => prices)).toMatchObject({ price_lines: null, price_lines_missing: 'not_itemized' });
});

it('says who asked, when each attempt ran, and how long all of it took', () => {
  const asked = {
    user_id: 'u',
    group_id: 'g',
    end_user_id: 'e',
    extra: { team: 'red' },
    hold_id: 'h',
    hold_scopes: ['key:k'],
    reserve_p: '1',
  };
  const event = createEvent({ ...asked, logical: true, units: NOTHING, ttft_ms: 400, stream: true });
  const names = { ...NAMES, memberEmail: 'ada@example.com', group: 'Research', keyLabels: { env: 'prod' } };

  expect(describeGeneration([event], { ...CONTEXT, names })).toMatchObject({
    ...{ ended_at: '1970-01-01T00:00:03.000Z', milliseconds: 3000, first_byte_milliseconds: 2400, stream: true, api_key_name: 'CI' },
    ...{ user_id: 'u', user_email: 'ada@example.com', group_id: 'g', group_name: 'Research', end_user: 'e', extra: { team: 'red' } },
    labels: { key: { env: 'prod' }, group: {} },
    limits: { hold_id: 'h', reserved: '0.000000000001', scopes: ['key:k'] },
    attempts: [{ started_at: '1970-01-01T00:00:02.000Z', ended_at: '1970-01-01T00:00:03.000Z', milliseconds: 1000 }],
  });
  expect(describeGeneration([{ ...event, status: 'aborted_crash' }], CONTEXT)).toMatchObject({
    ...{ milliseconds: null, first_byte_milliseconds: null },
    attempts: [{ started_at: null }],
  });
});

it('shows what an attempt costs by now, what it cost at first, and why that was corrected', () => {
  const units = { ...NOTHING, in: 10 };
  const other = createEvent({ event_id: 'r:1', units: NOTHING, price_version: 'v1', attempt_no: 1, logical: false });
  const event = createEvent({
    ...{ event_id: 'r:2', units, cost_p: '20', billed_p: '20', price_version: 'v1', logical: true, model_used: 'b' },
  });
  const rerate = { rerateId: 'x', toPriceVersion: 'v2', because: 'a misprint', atMs: Date.UTC(2026, 10, 7) };
  const correction = correctEvent({ event, corrections: [] }, 10n, rerate);
  const prices = { cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0', output: '0' };
  const findPrices = ({ price_version: version }: { price_version: string }): PriceSheet | undefined =>
    version === 'v2' ? { kind: 'chat', version, tiers: [{ threshold: 0, input: '0.000000000001', ...prices }] } : undefined;

  expect(describeGeneration([other, event, correction], { names: NAMES, findPrices })).toMatchObject({
    cost: '0.00000000001',
    billed: '0.00000000001',
    corrected_from: { cost: '0.00000000002', billed: '0.00000000002' },
    attempts: [
      { number: 1, price_version: 'v1', corrected: null },
      {
        ...{ number: 2, cost: '0.00000000001', billed: '0.00000000001', price_version: 'v2', tokens: { input: 10 } },
        price_lines: [{ unit: 'input', quantity: '10', price: '0.000000000001', amount: '0.00000000001' }],
        corrected: {
          from: { price_version: 'v1', cost: '0.00000000002', billed: '0.00000000002' },
          by: [
            {
              ...{ rerate_id: 'x', at: '2026-11-07T00:00:00.000Z', because: 'a misprint', price_version: 'v2' },
              ...{ cost_difference: '-0.00000000001', billed_difference: '-0.00000000001' },
            },
          ],
        },
      },
    ],
  });
});
