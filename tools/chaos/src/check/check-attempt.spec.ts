import type { UsageEvent } from '@weir/contracts';
import type { ClientRequest } from '../load/client-request';
import { MODELS } from '../load/models';
import type { ClientResult } from '../load/send-request';
import type { OracleEntry } from '../provider/start-sim-provider';
import { checkAttempt, isSameCost } from './check-attempt';

const request: ClientRequest = { seed: 1, endpoint: 'chat-completions', model: MODELS.chat.id, isStream: true, prompt: 'seed=1' };
const complete: ClientResult = {
  request,
  status: 200,
  isComplete: true,
  cost: '0.000009',
  text: '',
  startedAt: 0,
  firstByteMs: 1,
  leftAt: null,
};
const broken: ClientResult = { ...complete, isComplete: false, cost: undefined };
const oracle: OracleEntry = {
  seed: 1,
  model: '',
  outcome: 'whole',
  producedTokens: 10,
  billedInput: 20,
  billedOutput: 10,
  startedAt: 0,
  endedAt: 1,
};

function makeEvent(more: Partial<UsageEvent> & { in?: number; out?: number } = {}): UsageEvent {
  const { in: input = 20, out = 10, ...rest } = more;
  return { status: 'ok', cost_p: '9000000', unit_source: 'provider', units: { in: input, out }, ...rest } as unknown as UsageEvent;
}

describe('the judgement of one attempt', () => {
  it('finds nothing wrong when client, provider and event agree', () => {
    expect(checkAttempt({ result: complete, events: [makeEvent()], oracle })).toEqual([]);
    expect(checkAttempt({ result: broken, events: [], oracle: undefined })).toEqual([]);
  });

  it.each([
    ['a whole reply without an event', { result: complete, events: [], oracle }],
    ['a whole reply recorded as cut', { result: complete, events: [makeEvent({ status: 'aborted_crash' })], oracle }],
    ['another cost in the reply', { result: { ...complete, cost: '0.00000900000001' }, events: [makeEvent()], oracle }],
    ['a cost that the provider does not bill', { result: broken, events: [makeEvent({ cost_p: '9000001' })], oracle }],
    ['units that cost something else', { result: broken, events: [makeEvent({ status: 'client_closed', cost_p: '1' })], oracle }],
    [
      'more output than was made',
      { result: broken, events: [makeEvent({ status: 'client_closed', out: 100, cost_p: '63000000' })], oracle },
    ],
    [
      'less output than its caller read',
      {
        result: { ...broken, text: 'tok '.repeat(9) },
        events: [makeEvent({ status: 'client_closed', out: 1, cost_p: '3600000' })],
        oracle,
      },
    ],
    ['output that never came from a provider', { result: broken, events: [makeEvent()], oracle: undefined }],
  ])('finds %s', (_name, evidence) => {
    expect(checkAttempt(evidence)).not.toEqual([]);
  });

  it('reads a cost as it stands in JSON, with or without an exponent, to the last digit', () => {
    expect([isSameCost('1.5e-7', '150000'), isSameCost('0.00000015', '150000'), isSameCost('2', '2000000000000')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isSameCost('1.5e-7', '150001'), isSameCost('1e-13', '0'), isSameCost(undefined, '0')]).toEqual([false, false, false]);
  });
});
