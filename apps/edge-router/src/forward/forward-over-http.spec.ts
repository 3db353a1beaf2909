import { NOT_BEGUN_HEADER, PASSPORT_HEADER, WORK_HEADER, type Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { digestForwarded } from '@weir/http-server';
import type { ConnectionNotes, UpstreamCall, UpstreamResponse } from '@weir/upstream-http';
import { Readable } from 'node:stream';
import { buildForwarded } from './__fixtures__/build-forwarded';
import { createHttpForward } from './forward-over-http';
import { WorkerAddresses } from './worker-addresses';

type Outcome = string | Omit<UpstreamResponse, 'body'>;

/** Each call of a worker meets the next outcome: the code of a failure, or an answer. */
function forwardTo(outcomes: readonly Outcome[]) {
  const calls: UpstreamCall[] = [];
  /** All requests go over one. */
  const connection: ConnectionNotes = {};
  const forward = createHttpForward({
    workers: { 'chat-translator': new WorkerAddresses(['http://worker']) },
    send: (call) => {
      const headers = { ...call.headers };
      call.addHeaders?.(headers, connection);
      const outcome = outcomes[calls.push({ ...call, headers }) - 1];
      if (typeof outcome === 'object') return Promise.resolve({ ...outcome, body: Readable.from([Buffer.from('body')]) });
      const cause = Object.assign(new Error('fetch failed'), { code: outcome });
      return Promise.reject(new GatewayError('provider_unreachable', 'The provider could not be reached.', { cause }));
    },
    passportSecret: 's'.repeat(32),
  });
  return { forward, calls };
}

const OK = { status: 200, headers: {} };

describe('handing a request on to a worker in another process', () => {
  it('sends the worker the id that the caller sees, and the priority of the request', async () => {
    const { forward, calls } = forwardTo([OK]);
    const { admitted, reported } = buildForwarded({ priority: 'unpaid' });

    await forward('chat-translator', admitted);

    expect(calls[0]?.headers).toMatchObject({ 'x-request-id': admitted.passport.requestId, [WORK_HEADER]: 'unpaid' });
    expect(reported).toEqual(['200', 'body']);
  });

  it('binds the passport to path and body, anew for each try', async () => {
    const { forward, calls } = forwardTo(['ECONNREFUSED', OK]);
    const { admitted } = buildForwarded({});

    await forward('chat-translator', admitted);

    const bindings = calls.map(({ headers, url }) => {
      const [signed = ''] = headers[PASSPORT_HEADER]?.split('.') ?? [];
      const { binding } = JSON.parse(Buffer.from(signed, 'base64url').toString()) as Passport;
      const digest = digestForwarded({ path: new URL(url).pathname, body: admitted.body });
      return [binding?.digest === digest, binding?.takenByMs === admitted.passport.deadlineMs];
    });
    expect(bindings).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('asks again while connections are refused: another worker may take them', async () => {
    const { forward, calls } = forwardTo(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', OK]);
    const giveBack = jest.fn(() => Promise.resolve());
    const { admitted, reported } = buildForwarded({ giveBack });

    await forward('chat-translator', admitted);

    expect([calls.length, reported, giveBack.mock.calls.length]).toEqual([3, ['200', 'body'], 0]);
  });

  it.each([
    ['ECONNREFUSED', 3, 1],
    ['UND_ERR_SOCKET', 1, 0],
  ])('%s: fails as ours after %i tries, gives back %i times, and the line of the request says why', async (code, tries, given) => {
    const { forward, calls } = forwardTo([code, code, code, OK]);
    const giveBack = jest.fn(() => Promise.resolve());
    const { admitted } = buildForwarded({ giveBack });

    await expect(forward('chat-translator', admitted)).rejects.toMatchObject({ code: 'dependency_down' });
    expect([calls.length, giveBack.mock.calls.length, admitted.notes]).toEqual([tries, given, { cause: code }]);
  });

  it('gives back what was taken for a request that its worker has not begun, before the caller is refused', async () => {
    const { forward } = forwardTo([{ status: 503, headers: { [NOT_BEGUN_HEADER]: 'true', 'retry-after': '2' } }]);
    const { admitted, reported, headers } = buildForwarded({ giveBack: () => Promise.resolve(void reported.push('given back')) });

    await forward('chat-translator', admitted);

    expect(reported).toEqual(['given back', '503', 'body']);
    expect(headers).toEqual({ 'retry-after': '2' });
  });

  describe('is over, with what was taken given back, for a caller who leaves', () => {
    it('before it is sent', async () => {
      const { forward, calls } = forwardTo([OK]);
      const giveBack = jest.fn(() => Promise.resolve());
      const { admitted, reported, leave } = buildForwarded({ giveBack });
      leave();

      await forward('chat-translator', admitted);

      expect([calls.length, reported, giveBack.mock.calls.length]).toEqual([0, [], 1]);
    });

    it('while connections are refused', async () => {
      const giveBack = jest.fn(() => Promise.resolve());
      const { admitted, reported, leave } = buildForwarded({ giveBack });
      const { forward, calls } = forwardTo(['ECONNREFUSED', OK]);

      const forwarding = forward('chat-translator', admitted);
      leave();
      await forwarding;

      expect([calls.length, reported, giveBack.mock.calls.length]).toEqual([1, [], 1]);
    });

    it('while it is given back', async () => {
      const { forward } = forwardTo([{ status: 503, headers: { [NOT_BEGUN_HEADER]: 'true' } }]);
      const { admitted, reported, leave } = buildForwarded({ giveBack: () => Promise.resolve(leave()) });

      await forward('chat-translator', admitted);

      expect(reported).toEqual([]);
    });
  });
});
