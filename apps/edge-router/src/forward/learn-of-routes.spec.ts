import type { Attempt } from '@weir/contracts';
import { OUTCOMES_HEADER } from '@weir/routing';
import { Readable } from 'node:stream';
import { buildForwarded } from './__fixtures__/build-forwarded';
import { createHttpForward } from './forward-over-http';
import { WorkerAddresses } from './worker-addresses';

describe('what a worker reports of its attempts', () => {
  it('is learned by the edge and kept from the caller', async () => {
    const attempts = ['a', 'b'].map((providerId) => ({ modelId: `${providerId}/m`, providerId, region: null }) as Attempt);
    const record = jest.fn();
    const forward = createHttpForward({
      workers: { 'chat-translator': new WorkerAddresses(['http://worker']) },
      send: () =>
        Promise.resolve({
          status: 200,
          headers: { [OUTCOMES_HEADER]: '0:provider_failed:,1:ok:12', 'x-weir-attempts': '2' },
          body: Readable.from([Buffer.from('{}')]),
        }),
      passportSecret: 's'.repeat(32),
      health: { record },
    });
    const { admitted, headers } = buildForwarded({ attempts });

    await forward('chat-translator', admitted);

    expect(headers).toEqual({ 'x-weir-attempts': '2' });
    expect(record.mock.calls).toEqual([
      [attempts[0], { isStream: true, error: expect.objectContaining({ code: 'provider_failed' }) }],
      [attempts[1], { isStream: true, firstByteMs: 12 }],
    ]);
  });
});
