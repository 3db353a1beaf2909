import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import { JournalUnavailableError } from '@weir/usage-journal';
import type { ServerResponse } from 'node:http';
import type { ClosingFacts, Meter } from '../meter';
import type { KeptSlot } from './free-slot-keeper';
import { RequestMeter, type RequestMeterParts } from './request-meter';

const passport = { caller: {}, hold: null, attempts: [{}] } as unknown as Passport;
const FACTS: ClosingFacts = { usage: NO_USAGE, status: 'ok', httpStatus: 200, errorOrigin: null, isLogical: true };

function open(meter: Meter, more: Pick<RequestMeterParts, 'noteTokens'> = {}): RequestMeter {
  const parts = { meter, slots: { begin: () => undefined }, ...more };
  const request = new RequestMeter({ passport, headers: {}, response: {} as ServerResponse }, parts);
  request.begin();
  return request;
}

function throwing(error: Error): RequestMeter {
  return open({
    openAttempt: () => {
      throw error;
    },
  });
}

describe('M7: opening an attempt in a journal', () => {
  it.each(['full', 'failed', 'closed'] as const)('that is %s is refused with 503 and when to come back', (reason) => {
    expect(() => throwing(new JournalUnavailableError(reason)).openAttempt(0, 1)).toThrow(
      expect.objectContaining({ code: 'overloaded', details: expect.objectContaining({ retryAfterSeconds: 30 }) as object }) as Error,
    );
  });

  it('hides no error of its own making', () => {
    expect(() => throwing(new RangeError('no attempt')).openAttempt(0, 1)).toThrow('no attempt');
  });
});

describe('the end of an attempt', () => {
  const closed: ClosingFacts[] = [];
  const meter: Meter = {
    openAttempt: () => ({
      ...{ eventId: 'e', progress: () => undefined, noteFirstByte: () => undefined },
      close: (facts) => {
        closed.push(facts);
        return { costPico: 0n, costUsd: '0', billedPico: 0n, inputTokens: 0, outputTokens: 0 };
      },
    }),
  };
  beforeEach(() => closed.splice(0));

  it('has the verdict of guardrails, as it is then', () => {
    const request = open(meter);
    request.guard = { verdict: () => 'masked' };
    request.openAttempt(0, 1).close(FACTS);
    expect(closed).toEqual([{ ...FACTS, guardrail: 'masked' }]);
  });

  it('reports what an attempt used, from caches too, once, charged or not', () => {
    const noteTokens = jest.fn();
    const attempt = open(meter, { noteTokens }).openAttempt(0, 1);
    const usage = { ...NO_USAGE, inputUncached: 100, cacheRead: 20, output: 7 };
    for (let times = 0; times < 2; times += 1) attempt.close({ ...FACTS, usage, isUncharged: true });
    expect(noteTokens.mock.calls).toEqual([[passport.attempts[0], 127]]);
  });

  it('uses a free slot by what its event says: of an attempt that failed and is not charged, nothing', () => {
    const slot = { opened: jest.fn(), use: jest.fn(), closed: jest.fn(), finish: jest.fn() };
    const free = { ...passport, attempts: [{ isFree: true, isByok: false }] } as unknown as Passport;
    const parts = { meter, slots: { begin: () => slot as unknown as KeptSlot } };
    const request = new RequestMeter({ passport: free, headers: {}, response: {} as ServerResponse }, parts);
    request.begin();
    const usage = { ...NO_USAGE, output: 7 };
    request.openAttempt(0, 1).close({ ...FACTS, usage, status: 'upstream_error', isUncharged: true });
    expect(slot.closed.mock.calls).toEqual([[false]]);
  });

  it('is recorded with a refusal of guardrails, as one request that cost nothing', () => {
    open(meter).recordRefusal({ status: 'refused_midstream', httpStatus: null, errorOrigin: 'router', guardrail: 'flagged' });
    expect(closed).toEqual([
      { usage: NO_USAGE, isLogical: true, status: 'refused_midstream', httpStatus: null, errorOrigin: 'router', guardrail: 'flagged' },
    ]);
  });
});
