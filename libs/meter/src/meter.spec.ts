import { NO_USAGE, type Usage } from '@weir/canonical';
import { usageEvent, type ChatPriceSheet, type Passport, type PriceSheet, type UsageEvent } from '@weir/contracts';
import { createCrashCloser } from './create-crash-closer';
import { createMeter, type ClosingFacts, type Meter } from './meter';
import { priceAttempt } from './price-attempt';
import { readUnits } from './read-units';

/** What an event costs by a price sheet, from nothing but what the event keeps. */
function priceEvent({ units, unit_source: source }: Pick<UsageEvent, 'units' | 'unit_source'>, sheet: PriceSheet): string {
  const { usage, measured } = readUnits(units, source);
  return priceAttempt(sheet, usage, measured).toString();
}

const CHAT: ChatPriceSheet = {
  kind: 'chat',
  version: '2026-08',
  tiers: [
    { threshold: 0, input: '0.000001', output: '0.000002', cachedRead: '0.0000001', cacheWrite5m: '0.000003', cacheWrite1h: '0.000004' },
  ],
};
const IMAGES: PriceSheet = { kind: 'units', version: '2026-09', units: { image: '0.04' } };

const USED: Usage = { ...NO_USAGE, inputUncached: 100, cacheRead: 10, output: 50, reasoning: 20, source: 'provider' };

function makePassport(endpointId = 'chat-completions', prices: PriceSheet = CHAT, isByok = false): Passport {
  const attempt = { modelId: 'maker/model', providerId: 'maker', upstreamModel: 'model', region: 'eu', prices, isByok, isFree: false };
  return {
    version: 1,
    requestId: 'req-1',
    endpointId,
    admittedAtMs: 900,
    deadlineMs: 99_000,
    caller: { organizationId: 'org', apiKeyId: 'key', userId: 'user', groupId: null, apiKeyLabelSetId: 'labels', groupLabelSetId: null },
    modelRequested: 'policy/best',
    stream: false,
    attempts: [attempt, { ...attempt, providerId: 'other' }],
    originTitle: 'App',
    endUserId: 'eu-1',
    traceId: 'trace',
    extra: { team: 'red' },
    hold: {
      id: 'hold-1',
      reservedPico: '777',
      scopes: ['key:key', 'org:org'],
      bounds: [
        { promptTokens: 10_000, outputTokens: 10_000 },
        { promptTokens: 10_000, outputTokens: 10_000 },
      ],
      beginByMs: 60_000,
      isLeased: false,
    },
    isStrict: false,
  };
}

describe('the meter', () => {
  let now: number;
  let begun: { eventId: string; draft: string }[];
  let noted: [string, number][];
  let ended: UsageEvent[];
  let meter: Meter;
  let journal: Parameters<typeof createMeter>[0]['journal'];
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const facts = (more: Partial<ClosingFacts> = {}): ClosingFacts => ({
    usage: USED,
    status: 'ok',
    httpStatus: 200,
    errorOrigin: null,
    isLogical: true,
    ...more,
  });

  beforeEach(() => {
    [now, begun, noted, ended] = [1_000, [], [], []];
    log.error.mockClear();
    journal = {
      begin: (eventId, draft) => void begun.push({ eventId, draft }),
      progress: (eventId, tokens) => void noted.push([eventId, tokens]),
      end: (id, rest, facts) => {
        // As a reader of the journal gets it: the first part from the draft.
        const draft = begun.findLast(({ eventId }) => eventId === id)?.draft ?? '';
        const first = facts === undefined ? '' : draft.slice(facts.at, facts.at + facts.text.length);
        expect(first).toBe(facts?.text ?? '');
        return { sequence: BigInt(ended.push(JSON.parse(`${first}${rest}`) as UsageEvent) - 1) };
      },
    };
    meter = createMeter({ journal, now: () => now, elapsed: () => now, log });
  });

  it('journals one complete, valid event per attempt, priced exactly', () => {
    const attempt = meter.openAttempt(makePassport(), 1, 42);
    now = 1_200;
    attempt.noteFirstByte();
    now = 1_300;
    attempt.noteFirstByte();
    now = 1_500;
    const receipt = attempt.close(facts());
    expect(receipt).toEqual({ costPico: 201_000_000n, costUsd: '0.000201', billedPico: 201_000_000n, inputTokens: 110, outputTokens: 50 });
    expect(ended).toHaveLength(1);
    expect(usageEvent.parse(ended[0])).toEqual({
      v: 1,
      event_id: 'req-1:2',
      request_id: 'req-1',
      attempt_no: 2,
      logical: true,
      admitted_at: 900,
      ended_at: 1_500,
      dur_ms: 500,
      ttft_ms: 200,
      org_id: 'org',
      api_key_id: 'key',
      user_id: 'user',
      group_id: null,
      key_label_set_id: 'labels',
      group_label_set_id: null,
      endpoint: 'chat-completions',
      modality: 'chat',
      model_requested: 'policy/best',
      stream: false,
      model_used: 'maker/model',
      provider_used: 'other',
      region: 'eu',
      is_byok: false,
      is_free: false,
      origin_title: 'App',
      end_user_id: 'eu-1',
      trace_id: 'trace',
      extra: { team: 'red' },
      units: {
        in: 100,
        out: 50,
        cached_in: 10,
        cache_w5m: 0,
        cache_w1h: 0,
        reasoning: 20,
        audio_in: 0,
        audio_out: 0,
        images: 0,
        chars: 0,
        ms_audio: 0,
        searches: 0,
      },
      unit_source: 'provider',
      price_version: '2026-08',
      cost_p: '201000000',
      billed_p: '201000000',
      reserve_p: '777',
      hold_id: 'hold-1',
      hold_scopes: ['key:key', 'org:org'],
      status: 'ok',
      http_status: 200,
      error_origin: null,
      guardrail: null,
    });
  });

  it('counts only the first close and returns the same from every later one', () => {
    const attempt = meter.openAttempt(makePassport(), 0, 1);
    const first = attempt.close(facts());
    expect(attempt.close(facts({ usage: NO_USAGE, status: 'client_closed' }))).toBe(first);
    attempt.progress(1_000_000);
    expect({ ended: ended.length, noted: noted.length }).toEqual({ ended: 1, noted: 0 });
  });

  it("bills nothing under the caller's own provider key, but keeps what it is worth", () => {
    const receipt = meter.openAttempt(makePassport('messages', CHAT, true), 0, 1).close(facts());
    expect(receipt).toMatchObject({ costPico: 201_000_000n, billedPico: 0n });
    expect(ended[0]).toMatchObject({ cost_p: '201000000', billed_p: '0', is_byok: true });
  });

  it('closes a failed attempt without usage at no cost, with its status and whose fault it was', () => {
    const failed = facts({ usage: NO_USAGE, status: 'upstream_error', httpStatus: 502, errorOrigin: 'provider', isLogical: false });
    expect(meter.openAttempt(makePassport(), 0, 9).close(failed)).toEqual({
      costPico: 0n,
      costUsd: '0',
      billedPico: 0n,
      inputTokens: 0,
      outputTokens: 0,
    });
    expect(meter.openAttempt(makePassport('image-generations', IMAGES), 1, 9).close(failed).costPico).toBe(0n);
    expect(ended[0]).toMatchObject({
      logical: false,
      status: 'upstream_error',
      http_status: 502,
      error_origin: 'provider',
      cost_p: '0',
      ttft_ms: null,
    });
    expect(log.error).not.toHaveBeenCalled();
  });

  it('prices what is not measured in tokens by its units', () => {
    const attempt = meter.openAttempt(makePassport('image-generations', IMAGES), 0, 12);
    const measured = { image: 3, second: 1.2346, character: 7 };
    expect(attempt.close(facts({ usage: { ...NO_USAGE, inputUncached: 12 }, measured })).costUsd).toBe('0.12');
    expect(ended[0]).toMatchObject({ modality: 'image', units: { in: 12, images: 3, ms_audio: 1_235, chars: 7 } });
  });

  it('journals what cannot be priced, and says so, rather than losing it', () => {
    const attempt = meter.openAttempt(makePassport('image-generations', IMAGES), 0, 12);
    expect(attempt.close(facts({ measured: { picture: 3 } })).costPico).toBe(0n);
    expect(ended).toHaveLength(1);
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it.each([3_600_000, -3_600_000])('T3: measures durations and notes progress when the time of day is set by %i ms meanwhile', (step) => {
    let elapsed = 0;
    const steady = createMeter({ journal, now: () => now, elapsed: () => elapsed, log });
    const attempt = steady.openAttempt(makePassport(), 0, 100);
    const openedAt = now;
    now += step;
    elapsed = 2_500.4;
    attempt.noteFirstByte();
    attempt.progress(5);
    elapsed = 7_000;
    attempt.close(facts());
    expect(noted).toEqual([['req-1:1', 5]]);
    expect(ended[0]).toMatchObject({ admitted_at: 900, ended_at: openedAt + 7_000, dur_ms: 7_000, ttft_ms: 2_500 });
  });

  it('notes progress every thousand tokens or two seconds, and not when nothing grew', () => {
    const attempt = meter.openAttempt(makePassport(), 0, 1);
    attempt.progress(999);
    attempt.progress(1_000);
    attempt.progress(1_500);
    now += 1_999;
    attempt.progress(1_501);
    now += 1;
    attempt.progress(1_502.7);
    now += 5_000;
    attempt.progress(1_502.7);
    attempt.progress(10);
    expect(noted).toEqual([
      ['req-1:1', 1_000],
      ['req-1:1', 1_502],
    ]);
  });

  it('refuses an attempt that the passport does not have, and sends nothing when the journal refuses', () => {
    expect(() => meter.openAttempt(makePassport(), 2, 1)).toThrow(RangeError);
    const full = createMeter({
      journal: {
        begin: () => {
          throw new Error('full');
        },
        progress: () => undefined,
        end: () => ({ sequence: 0n }),
      },
      now: () => 0,
    });
    expect(() => full.openAttempt(makePassport(), 0, 1)).toThrow('full');
  });

  it('records why an attempt was made and why it failed, and keeps what its provider reported without charging it', () => {
    const passport = makePassport();
    const [first] = passport.attempts;
    const planned = { ...passport, attempts: first === undefined ? [] : [{ ...first, why: 'policy/best: fallback' }] };
    const failed = { status: 'upstream_error', errorOrigin: 'provider', errorCode: 'provider_overloaded', isLogical: false } as const;

    const receipt = meter.openAttempt(planned, 0, 1).close(facts({ ...failed, isUncharged: true }));
    meter.openAttempt(planned, 0, 1).close(facts(failed));

    const [free, charged] = ended;
    expect(receipt).toMatchObject({ costPico: 0n, billedPico: 0n });
    expect(usageEvent.parse(free)).toMatchObject({
      ...{ why: 'policy/best: fallback', error_code: 'provider_overloaded', cost_p: '0', billed_p: '0' },
      units: { in: 0, out: 0 },
      uncharged: { units: { in: 100, out: 50 }, cost_p: charged?.cost_p },
    });
    expect(charged).not.toHaveProperty('uncharged');
    expect(Number(charged?.cost_p)).toBeGreaterThan(0);
  });

  it('keeps reported usage that is not plausible beside what is charged, and logs it', () => {
    const errors: object[] = [];
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (reported: object) => void errors.push(reported),
      fatal: () => undefined,
    };
    const doubted = { usage: { ...facts().usage, inputUncached: 2 ** 40 }, measured: { second: 1e300 } };
    createMeter({ journal, now: () => 0, log })
      .openAttempt(makePassport(), 0, 1)
      .close(facts({ doubted }));

    expect(usageEvent.parse(ended.at(-1))).toMatchObject({ units: { in: 100 }, doubted: { in: 2 ** 40, ms_audio: 2 ** 40 } });
    expect(errors).toMatchObject([{ reported: { in: 2 ** 40 }, charged: { in: 100 } }]);
  });

  it('journals the model that replied in place of the one that was asked for, at its price, in an event that is whole, and logs it', () => {
    const served = { modelId: 'maker/dearer', prices: { ...CHAT, version: 'dearer', tiers: [{ ...CHAT.tiers[0], output: '0.00002' }] } };
    const end = jest.spyOn(journal, 'end');
    const receipt = meter.openAttempt(makePassport(), 0, 1).close(facts({ served: served as NonNullable<ClosingFacts['served']> }));

    const event = usageEvent.parse(ended.at(-1));
    expect(event).toMatchObject({ model_used: 'maker/dearer', model_requested: 'policy/best', price_version: 'dearer', attempt_no: 1 });
    expect(event.cost_p).toBe(priceEvent(event, served.prices as PriceSheet));
    expect(receipt.costPico.toString()).toBe(event.cost_p);
    // Behind its beginning, which names another model, none of it may be left out.
    expect(end).toHaveBeenCalledWith(event.event_id, expect.stringContaining('"v":1'));
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ reported: 'maker/dearer', modelId: 'maker/model' }),
      expect.any(String),
    );
  });

  describe('after a crash', () => {
    const close = createCrashCloser({ now: () => 5_000 });
    const crash = (passport: Passport, tokens: number | undefined): UsageEvent => {
      meter.openAttempt(passport, 0, 100);
      return close(begun.at(-1)?.draft ?? '', tokens);
    };

    it('charges the whole prompt and the last noted output at the journalled prices, under the same event id', () => {
      const event = crash(makePassport(), 500);
      expect(usageEvent.parse(event)).toEqual(event);
      expect(begun.at(-1)?.eventId).toBe(event.event_id);
      expect(event).toMatchObject({
        event_id: 'req-1:1',
        logical: true,
        status: 'aborted_crash',
        error_origin: 'router',
        unit_source: 'estimate',
        admitted_at: 900,
        ended_at: 5_000,
        units: { in: 100, out: 500 },
        cost_p: '1100000000',
        billed_p: '1100000000',
        hold_id: 'hold-1',
      });
    });

    it("charges the prompt alone when nothing was noted, and nothing under the caller's own key", () => {
      expect(crash(makePassport(), undefined)).toMatchObject({ cost_p: '100000000', units: { in: 100, out: 0 } });
      expect(crash(makePassport('messages', CHAT, true), 5)).toMatchObject({ cost_p: '110000000', billed_p: '0' });
    });

    it('charges nothing for units no one counted', () => {
      expect(crash(makePassport('image-generations', IMAGES), undefined)).toMatchObject({ cost_p: '0', modality: 'image' });
    });

    it.each([
      ['image-generations', { image: '0.04' }, { image: 3 }, { images: 3 }, '120000000000'],
      ['image-generations', { image: '0.04', 'image:hd:1024x1024': '0.08' }, { 'image:hd:1024x1024': 2 }, { images: 2 }, '160000000000'],
      ['speech', { character: '0.000015' }, { character: 1_000 }, { chars: 1_000 }, '15000000000'],
      ['transcriptions', { second: '0.0001' }, { second: 7.3214 }, { ms_audio: 7_321 }, '732100000'],
    ] as const)('charges for %s, priced by %j, what was counted before it was sent', (endpointId, units, measured, counted, cost_p) => {
      const prices: PriceSheet = { kind: 'units', version: '2026-09', units };
      meter.openAttempt(makePassport(endpointId, prices), 0, { usage: { ...NO_USAGE, source: 'tokenizer' }, measured });
      const draft = begun.at(-1)?.draft ?? '';
      const event = close(draft, undefined);
      expect(usageEvent.parse(event)).toMatchObject({ units: counted, cost_p, billed_p: cost_p, unit_source: 'estimate' });
      if (Object.keys(units).length === 1) expect(priceEvent(event, prices)).toBe(cost_p);
      const plain = JSON.stringify({ event: JSON.parse(draft).event as object, prices }).length;
      expect(draft.length - plain).toBeLessThanOrEqual(40);
    });

    it('charges tokens of pictures by their kind, and as many as were noted when those are more', () => {
      const prices: PriceSheet = { kind: 'units', version: '1', units: { input_token: '0.000001', output_image_token: '0.00004' } };
      const usage = { ...NO_USAGE, inputUncached: 10, output: 272, source: 'estimate' as const };
      meter.openAttempt(makePassport('image-generations', prices), 0, {
        usage,
        measured: { input_token: 10, output_token: 0, output_image_token: 272 },
      });
      const event = close(begun.at(-1)?.draft ?? '', 5);
      expect(event).toMatchObject({ units: { in: 10, out: 272, image_out: 272 }, cost_p: '10890000000' });
      expect(priceEvent(event, prices)).toBe(event.cost_p);
    });

    it('reads a beginning that says all of its event, as older ones do', () => {
      const short = crash(makePassport(), 500);
      const { event, ...rest } = JSON.parse(begun.at(-1)?.draft ?? '') as { event: object };
      const whole = { ...short, ...event, units: { ...short.units, out: 0, in: 100 }, cost_p: '0', billed_p: '0' };
      expect(close(JSON.stringify({ event: whole, ...rest }), 500)).toEqual(short);
    });

    it('refuses a draft it cannot read', () => {
      expect(() => close('{"event":{}}', 1)).toThrow();
      expect(() => close('not json', 1)).toThrow();
    });
  });
});
