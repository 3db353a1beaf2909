import { describeCut } from '@weir/exchange';
import { wireFormats } from '@weir/wire-formats';
import type { ExpressExchange } from '../exchange/open-exchange';
import type { ChatSession } from '../session/chat-session';
import type { Settlement } from '../settlement/settlement';
import { ExpressConsumer } from './express-consumer';
import { tapResponses } from './tap-responses';

function open(): ExpressConsumer {
  const session = {
    dialect: 'responses',
    format: wireFormats.responses,
    body: { json: {} },
    exact: {},
    asked: () => ({ model: 'vendor/m', turns: [], stream: true }),
    forwarded: { passport: { requestId: 'req' } },
  } as unknown as ChatSession;
  const exchange = {
    lane: { express: {}, target: { attempt: { modelId: 'vendor/m' } } },
  } as unknown as ExpressExchange;
  const settlement = {
    ...{ receive: () => undefined, progress: () => undefined, settle: () => undefined, dropLast: () => undefined },
    ...{ isSettled: () => false, estimateOutput: () => 0 },
  } as unknown as Settlement;
  const host = { readUsage: () => null, expectedModel: '"model":"m"', noteModel: () => undefined };
  const tap = tapResponses({ ...host, settle: () => ({ usage: {}, costUsd: '0' }) as never });
  return new ExpressConsumer({ session, exchange, tap, settlement, gate: undefined, failure: () => undefined });
}

const types = (text: string): string[] => [...text.matchAll(/"type":"(response\.[a-z_]+)"/g)].map(([, type]) => type ?? '');

describe('the failure of a stream in the responses dialect', () => {
  it('names a response of its own where the provider began none, whatever it left over at the end', () => {
    for (const leftOver of ['', '[1,2,3]', 'this is no JSON']) {
      const consumer = open();
      expect(consumer.push(Buffer.from(leftOver))).toBe('');
      expect(() => consumer.end()).toThrow('before it was complete');
      expect(types(consumer.fail(describeCut()))).toEqual(['response.created', 'response.in_progress', 'response.failed']);
    }
  });

  it('goes on with the response that the provider began', () => {
    const consumer = open();
    consumer.push(Buffer.from('event: response.created\ndata: {"type":"response.created","response":{"id":"resp_1"}}\n\n'));
    expect(types(consumer.fail(describeCut()))).toEqual(['response.failed']);
  });
});
