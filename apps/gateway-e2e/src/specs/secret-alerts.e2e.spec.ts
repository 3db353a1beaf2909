import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCallHarness, type CallHarness } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const list = {
  public_keys: [{ key_identifier: 'k1', key: scanner.publicKey.export({ type: 'spki', format: 'pem' }), is_current: true }],
};
const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hi' }] };
const SEEN_WITHIN_MS = 5_000;

describe('keys that a scanner finds in public', () => {
  let harness: Harness;
  let keys: Server;
  let call: CallHarness;
  let asked = 0;

  beforeAll(async () => {
    keys = createServer((_request, response) => {
      asked += 1;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
    });
    await new Promise<void>((resolve) => keys.listen(0, '127.0.0.1', resolve));
    const { port } = keys.address() as AddressInfo;
    harness = await startStandalone({
      env: {
        SECRET_ALERT_KEYS_URL: `http://127.0.0.1:${port}/meta/public_keys/secret_scanning`,
        FETCH_PORTS: String(port),
        FETCH_PRIVATE_NETWORKS: '127.0.0.1/32',
      },
    });
    call = createCallHarness(harness);
  }, 120_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    keys.closeAllConnections();
    await new Promise((resolve) => keys.close(resolve));
  });

  const report = (body: string, signed = body): Promise<Response> =>
    fetch(`${harness.url}/internal/secret-alert`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'Github-Public-Key-Identifier': 'k1',
        'Github-Public-Key-Signature': sign('sha256', Buffer.from(signed), scanner.privateKey).toString('base64'),
      },
      body,
    });
  const chat = async (key: string): Promise<number> =>
    (
      await fetch(`${harness.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(CHAT),
      }).then(async (reply) => (await reply.arrayBuffer(), reply))
    ).status;

  it('open nothing any more within five seconds, and no one reads them anywhere', async () => {
    const made = await call('POST /v1/manage/apikey', { name: 'published' });
    const key = String(made.json['api_key']);
    expect(await chat(key)).toBe(200);
    const body = JSON.stringify([{ token: key, type: 'weir', url: `https://github.com/o/r/blob/main/${key}`, source: 'content' }]);

    expect((await report(body, `${body} `)).status).toBe(403);
    expect(await chat(key)).toBe(200);
    const reply = await report(body);
    const text = await reply.text();
    const until = Date.now() + SEEN_WITHIN_MS;
    expect([reply.status, text]).toEqual([200, expect.stringContaining('"true_positive"')]);
    expect(text).not.toContain(key);
    while ((await chat(key)) !== 403) expect(Date.now()).toBeLessThan(until);

    expect(asked).toBe(1);
    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('weir_secret_alerts_total{outcome="revoked"} 1');
    expect(metrics).toContain('weir_secret_alerts_total{outcome="refused"} 1');
    const { text: audit } = await call('GET /v1/manage/audit');
    expect(audit).toContain('secret-alert');
    expect(audit + harness.process.output()).not.toContain(key);
  }, 60_000);
});
