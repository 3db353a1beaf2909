import type { Attempt, Passport } from '@weir/contracts';
import { EventTexts } from './event-texts';

const ATTEMPT: Attempt = {
  modelId: 'maker/"model"',
  providerId: 'maker',
  upstreamModel: 'model',
  region: null,
  prices: { kind: 'units', version: '2026-09', units: { image: '0.04' } },
  isByok: false,
  isFree: true,
};

function makePassport(more: Partial<Passport> = {}): Passport {
  return {
    version: 1,
    requestId: 'req-1',
    endpointId: 'messages',
    admittedAtMs: 900,
    deadlineMs: 99_000,
    caller: { organizationId: 'org', apiKeyId: 'key', userId: null, groupId: 'g', apiKeyLabelSetId: null, groupLabelSetId: 'ü' },
    modelRequested: 'the "best"',
    stream: false,
    attempts: [ATTEMPT],
    originTitle: 'App \\ 🙂',
    endUserId: null,
    traceId: null,
    extra: { 'te"am': 'rot\n' },
    hold: null,
    isStrict: false,
    ...more,
  };
}

const FACTS = {
  ...{ v: 1, event_id: 'req-1:3', request_id: 'req-1', attempt_no: 3, admitted_at: 900 },
  ...{ org_id: 'org', api_key_id: 'key', user_id: null, group_id: 'g', key_label_set_id: null, group_label_set_id: 'ü' },
  ...{ endpoint: 'messages', modality: 'chat', model_requested: 'the "best"', stream: false },
  ...{ model_used: 'maker/"model"', provider_used: 'maker', region: null, is_byok: false, is_free: true, price_version: '2026-09' },
  ...{ origin_title: 'App \\ 🙂', end_user_id: null, trace_id: null, extra: { 'te"am': 'rot\n' } },
  ...{ reserve_p: '0', hold_id: null, hold_scopes: [] },
};

describe('the texts of events', () => {
  const read = (texts: EventTexts, passport: Passport, attempt = ATTEMPT): unknown =>
    JSON.parse(`${texts.encodeFacts(passport, attempt, 3)}}`);

  it('say all that is known of an attempt, whatever stands in it', () => {
    expect(read(new EventTexts(), makePassport())).toEqual(FACTS);
    const hold = { id: 'h"1', reservedPico: '77', scopes: ['key:1', 'org:"'], bounds: [], beginByMs: 1, isLeased: false };
    expect(read(new EventTexts(), makePassport({ hold }), { ...ATTEMPT, why: 'policy "x"' })).toEqual({
      ...FACTS,
      ...{ reserve_p: '77', hold_id: 'h"1', hold_scopes: ['key:1', 'org:"'], why: 'policy "x"' },
    });
  });

  it('name the scopes that an attempt is not counted in, of each attempt its own', () => {
    const held = { id: 'h', reservedPico: '7', scopes: ['a', 'b', 'c'], bounds: [], beginByMs: 1, isLeased: false };
    const uncounted = (lists: number[][]): unknown =>
      (read(new EventTexts(), makePassport({ hold: { ...held, uncounted: lists } })) as { hold_uncounted?: unknown }).hold_uncounted;
    expect([uncounted([[], [0], [0, 2]]), uncounted([[1], [1], []]), uncounted([])]).toEqual([[0, 2], undefined, undefined]);
  });

  it('are those of each caller, attempt and endpoint, however often each comes', () => {
    const texts = new EventTexts();
    const passport = makePassport();
    const others = [
      { ...passport, caller: { ...passport.caller, apiKeyId: 'other' } },
      { ...passport, endpointId: 'image-generations', requestId: 'req-2' },
    ];
    const other = { ...ATTEMPT, providerId: 'other', prices: { ...ATTEMPT.prices, version: '2026-10' } };
    for (let round = 0; round < 2; round += 1) {
      expect(read(texts, passport)).toEqual(FACTS);
      expect(others.map((one) => read(texts, one))).toEqual([
        { ...FACTS, api_key_id: 'other' },
        { ...FACTS, endpoint: 'image-generations', modality: 'image', request_id: 'req-2', event_id: 'req-2:3' },
      ]);
      expect(read(texts, passport, other)).toEqual({ ...FACTS, provider_used: 'other', price_version: '2026-10' });
      expect([ATTEMPT, other].map((one) => JSON.parse(texts.encodePrices(one)) as unknown)).toEqual([ATTEMPT.prices, other.prices]);
    }
  });
});
