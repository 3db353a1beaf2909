import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { WorkerRequest } from '@weir/http-server';
import { EventEmitter } from 'node:events';
import { findSystemCode, isNeverSent } from './explain-failure';
import { createHttpForward } from './forward-over-http';

const fail = (code: string): GatewayError =>
  new GatewayError('provider_unreachable', 'The provider could not be reached.', {
    cause: Object.assign(new Error('fetch failed'), { code }),
  });

describe('a request that could not be handed on', () => {
  it.each([
    ['ECONNREFUSED', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['UND_ERR_SOCKET', false],
    ['ECONNRESET', false],
  ])('%s: it reached no worker for certain: %s', (code, expected) => {
    expect([findSystemCode(fail(code)), isNeverSent(fail(code))]).toEqual([code, expected]);
  });

  it('is refused as ours, and its line in the log says why', async () => {
    const forward = createHttpForward({
      addresses: { 'chat-translator': 'http://worker' },
      send: () => Promise.reject(fail('UND_ERR_SOCKET')),
      passportSecret: 's'.repeat(32),
    });
    const passport = { endpointId: 'chat-completions', admittedAtMs: 0, deadlineMs: 1000, attempts: [] } as unknown as Passport;
    const notes = {};
    const work = { passport, body: Buffer.from('{}'), headers: {}, response: new EventEmitter(), notes } as unknown as WorkerRequest;

    await expect(forward('chat-translator', work)).rejects.toMatchObject({ code: 'dependency_down' });
    expect(notes).toEqual({ cause: 'UND_ERR_SOCKET' });
  });
});
