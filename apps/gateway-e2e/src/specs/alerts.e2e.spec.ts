import { waitUntil } from '@weir/testing';
import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startStandalone, type Harness } from '../harness/start-standalone';

type Delivery = { readonly path: string; readonly headers: Record<string, string | string[] | undefined>; readonly body: string };

describe('alerts through the whole gateway', () => {
  let harness: Harness;
  let receiver: Server;
  const deliveries: Delivery[] = [];
  /** The statuses of the receiver's next replies; 204 when there is nothing left. */
  const statuses: number[] = [];
  let address: string;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        deliveries.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(statuses.shift() ?? 204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    address = `http://127.0.0.1:${port}/hook`;
    harness = await startStandalone({ env: { FETCH_PRIVATE_NETWORKS: '127.0.0.0/8', FETCH_PORTS: `80,443,${port}` } });
  });
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    receiver.closeAllConnections();
    await new Promise((resolve) => receiver.close(resolve));
  });

  async function call(method: string, path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
    const reply = await fetch(harness.url + path, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: reply.status, json: JSON.parse(await reply.text()) as Record<string, unknown> };
  }
  const chat = () => call('POST', '/v1/chat/completions', { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] });

  it('a crossed threshold is delivered once, signed, and again only when the receiver refused it', async () => {
    const self = await fetch(`${harness.url}/v1/manage/apikey/self`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
    const { key } = (await self.json()) as { key: { id: string } };
    const { status, json } = await call('POST', '/v1/manage/alert', {
      scope: 'key',
      api_key_id: key.id,
      amount: 0.000001,
      url: address,
    });
    expect(status).toBe(201);
    statuses.push(503);

    expect((await chat()).status).toBe(200);
    await waitUntil('two deliveries', () => deliveries.length >= 2);
    expect((await chat()).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 2_500)); // two rounds of looking for crossings

    expect(deliveries).toHaveLength(2);
    const [first, second] = deliveries as [Delivery, Delivery];
    expect(second.body).toBe(first.body);
    expect(second.headers['x-weir-delivery']).toBe(first.headers['x-weir-delivery']);
    const signature = createHmac('sha256', String(json['secret']))
      .update(`${String(second.headers['x-weir-timestamp'])}.${second.body}`)
      .digest('hex');
    expect(second.headers['x-weir-signature']).toBe(`v1=${signature}`);
    expect(JSON.parse(second.body)).toMatchObject({
      type: 'spend.threshold',
      alert_id: json['id'],
      scope: 'key',
      api_key_id: key.id,
      threshold: '0.000001',
      currency: 'USD',
    });
  }, 40_000);

  it('a limit that only alerts is reported as a message within seconds of its use, at an address that is not shown again', async () => {
    const limit = await call('POST', '/v1/manage/limit', {
      ...{ name: 'A few requests', scope: 'organization', measure: 'requests', window: 'day', amount: 2, action: 'alert' },
    });
    expect(limit.status).toBe(201);
    const alert = await call('POST', '/v1/manage/alert', {
      ...{ scope: 'limit', limit_id: limit.json['id'], percentage: 100, channel: 'slack', url: `${address}/of-a-channel` },
    });
    expect([alert.status, Object.keys(alert.json)]).toEqual([201, ['id']]);
    const messages = () =>
      deliveries.filter(({ path }) => path === '/hook/of-a-channel').map(({ body }) => JSON.parse(body) as { text: string });

    const tested = await call('POST', `/v1/manage/alert/${String(alert.json['id'])}/test`, {});
    expect([tested.status, tested.json]).toEqual([
      200,
      { delivery: expect.objectContaining({ kind: 'test', status: 'delivered', last_result: '204' }) },
    ]);
    expect(messages()).toMatchObject([{ text: expect.stringContaining('Test of an alert about the limit "A few requests"') }]);

    // A limit is in force within five seconds: what is sent before is not counted.
    await waitUntil('a message about the limit', async () => {
      expect((await chat()).status).toBe(200);
      return messages().length >= 2;
    });
    expect(messages()[1]?.text).toMatch(
      /^\*The limit "A few requests" has reached 100% of its limit\*\nUsed: \d+ requests\nThreshold: 2 requests\n/,
    );
    const shown = await fetch(`${harness.url}/v1/manage/alert`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
    expect([shown.status, await shown.text()]).toEqual([200, expect.not.stringContaining('of-a-channel')]);
    expect(harness.process.output()).not.toContain('of-a-channel');
  }, 40_000);

  it('an address inside is refused before anything is kept', async () => {
    for (const url of ['http://10.0.0.1/hook', 'http://169.254.169.254/latest', 'http://[::1]/hook']) {
      const { status, json } = await call('POST', '/v1/manage/alert', { scope: 'balance', amount: 5, url });
      expect([url, status]).toEqual([url, 400]);
      expect(JSON.stringify(json)).toContain('url');
    }
  });
});
