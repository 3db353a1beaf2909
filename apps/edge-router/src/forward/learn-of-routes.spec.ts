import type { Attempt, Passport } from '@weir/contracts';
import type { WorkerRequest } from '@weir/http-server';
import { OUTCOMES_HEADER } from '@weir/routing';
import type { UpstreamTransport } from '@weir/upstream-http';
import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { createHttpForward } from './forward-over-http';

describe('what a worker tells of its attempts', () => {
  it('is learned by the edge and kept from the caller', async () => {
    const attempts = ['a', 'b'].map((providerId) => ({ modelId: `${providerId}/m`, providerId, region: null }) as Attempt);
    const headers: Record<string, unknown> = {};
    const response = Object.assign(new EventEmitter(), {
      statusCode: 0,
      setHeader: (name: string, value: unknown) => void (headers[name] = value),
      flushHeaders: () => undefined,
      write: () => true,
      end: () => void response.emit('close'),
      destroy: () => undefined,
    });
    const record = jest.fn();
    const send: UpstreamTransport = () =>
      Promise.resolve({
        status: 200,
        headers: { [OUTCOMES_HEADER]: '0:provider_failed:,1:ok:12', 'x-weir-attempts': '2' },
        body: Readable.from([Buffer.from('{}')]),
      });
    const forward = createHttpForward({
      addresses: { 'chat-translator': 'http://worker' },
      send,
      passportSecret: 's'.repeat(32),
      health: { record },
    });
    const passport = { endpointId: 'chat-completions', admittedAtMs: 0, deadlineMs: 1000, attempts, stream: true } as unknown as Passport;

    await forward('chat-translator', { passport, body: Buffer.from('{}'), headers: {}, response, notes: {} } as unknown as WorkerRequest);

    expect(headers).toEqual({ 'x-weir-attempts': '2' });
    expect(record.mock.calls).toEqual([
      [attempts[0], { isStream: true, error: expect.objectContaining({ code: 'provider_failed' }) }],
      [attempts[1], { isStream: true, firstByteMs: 12 }],
    ]);
  });
});
