import { createHmac } from 'node:crypto';
import type { ClaimedFiring, FiringResult } from '@weir/database';
import { DELIVERY_ATTEMPTS_MAX } from '@weir/limits';
import type { Mailer } from './create-mailer';
import { deliverAlerts } from './deliver-alerts';
import type { SendWebhook } from './send-notice';

const NOW = 1_700_000_000_000;

function buildFiring(id: string, attempts = 1): ClaimedFiring {
  const none = Buffer.alloc(0);
  return {
    notice: {
      ...{ id, alertId: 'a', organizationId: 'o', kind: 'crossed', scope: 'key', scopeId: 'k', scopeName: 'ci', period: '2026-11' },
      ...{ repetition: 0, percentage: null, value: 2n, threshold: 1n, details: {}, firedAtMs: NOW },
    },
    channel: 'webhook',
    url: 'https://example.com/hook',
    recipients: [],
    attempts,
    sealedSecret: { nonce: none, ciphertext: none, tag: none, dataKeyId: 'd' },
  };
}

async function run(firings: readonly ClaimedFiring[], send: SendWebhook, mailer?: Mailer) {
  const waiting = [...firings];
  const finished: FiringResult[] = [];
  const delivered = await deliverAlerts({
    claim: (limit) => Promise.resolve(waiting.splice(0, limit)),
    finish: (result) => Promise.resolve(void finished.push(result)),
    openSecret: ({ notice }) => Promise.resolve(`secret of ${notice.alertId}`),
    send,
    mailer,
    now: () => NOW,
    random: () => 1,
  });
  return { delivered, finished };
}

describe('delivering alerts', () => {
  test('a webhook is signed over what is sent, and taken with any 2xx', async () => {
    const sent: Parameters<SendWebhook>[0][] = [];
    const { delivered, finished } = await run([buildFiring('f1')], (webhook) => {
      sent.push(webhook);
      return Promise.resolve({ status: 204 });
    });
    expect(delivered).toBe(1);
    expect(finished).toEqual([{ id: 'f1', status: 'delivered', result: '204', nextAttemptMs: null }]);
    const [{ body = '', headers = {}, ...rest } = {}] = sent;
    expect(rest).toEqual({ url: 'https://example.com/hook', organizationId: 'o' });
    expect(headers).toEqual({
      'x-weir-delivery': 'f1',
      'x-weir-timestamp': '1700000000',
      'x-weir-signature': `v1=${createHmac('sha256', 'secret of a').update(`1700000000.${body}`).digest('hex')}`,
    });
  });

  test.each([
    ['an error', (() => Promise.resolve({ status: 500 })) as SendWebhook, '500'],
    ['a redirect', (() => Promise.resolve({ status: 302 })) as SendWebhook, '302'],
    ['no answer', (() => Promise.reject(new Error('it is not public'))) as SendWebhook, 'it is not public'],
  ])('%s is tried again later, and in the end no more', async (_, send, result) => {
    const { delivered, finished } = await run([buildFiring('early', 2), buildFiring('last', DELIVERY_ATTEMPTS_MAX)], send);
    expect(delivered).toBe(0);
    expect(finished).toEqual([
      { id: 'early', status: 'pending', result, nextAttemptMs: NOW + 20_000 },
      { id: 'last', status: 'dead', result, nextAttemptMs: null },
    ]);
  });

  test('a message goes to the sealed address, unsigned', async () => {
    const sent: Parameters<SendWebhook>[0][] = [];
    const { finished } = await run([{ ...buildFiring('f1'), channel: 'slack', url: '' }], (webhook) => {
      sent.push(webhook);
      return Promise.resolve({ status: 200 });
    });
    expect(sent).toEqual([{ url: 'secret of a', organizationId: 'o', headers: {}, body: expect.stringContaining('"text":"*The key') }]);
    expect(finished).toMatchObject([{ status: 'delivered', result: '200' }]);
  });

  test('an e-mail goes to its recipients; one that is refused for good is not sent again, and one without a mail server waits', async () => {
    const mails: unknown[] = [];
    const mailer: Mailer = {
      from: 'Weir <alerts@example.com>',
      send: (mail) => {
        mails.push(mail);
        return Promise.resolve({ isTaken: mails.length === 1, isFinal: mails.length === 2, text: `reply ${mails.length}` });
      },
    };
    const firing = { ...buildFiring('f1'), channel: 'email' as const, recipients: ['ann@example.com'] };
    const noCall = (): never => {
      throw new Error('is not called');
    };
    const { finished } = await run([firing, firing], noCall, mailer);
    expect(mails[0]).toMatchObject({
      to: ['ann@example.com'],
      messageId: '<alert-f1@example.com>',
      subject: 'The key "ci" has reached 0.000000000001 USD',
    });
    expect(finished.map(({ status, result }) => [status, result])).toEqual([
      ['delivered', 'reply 1'],
      ['dead', 'reply 2'],
    ]);
    expect((await run([firing], noCall)).finished).toMatchObject([{ status: 'pending', result: 'this gateway has no mail server' }]);
  });

  test('a test is sent once, whatever becomes of it', async () => {
    const firing = buildFiring('f1');
    const test = { ...firing, notice: { ...firing.notice, kind: 'test' as const } };
    expect((await run([test], () => Promise.resolve({ status: 500 }))).finished).toMatchObject([{ status: 'dead', result: '500' }]);
  });

  test('everything that is due is delivered in one pass, a few at a time', async () => {
    let [running, most] = [0, 0];
    const { delivered } = await run(
      Array.from({ length: 20 }, (_, at) => buildFiring(`f${at}`)),
      async () => {
        most = Math.max(most, (running += 1));
        await new Promise(setImmediate);
        running -= 1;
        return { status: 200 };
      },
    );
    expect([delivered, most]).toEqual([20, 8]);
  });
});
