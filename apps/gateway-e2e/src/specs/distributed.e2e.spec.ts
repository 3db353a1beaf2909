import { createTopics } from '@weir/kafka';
import { describeWithRealParts, makeTestFolder, startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { pointAt } from '../harness/client-harness';
import { addUsd, usdText } from '../harness/price-by-hand';
import { readUsage, waitForRequests } from '../harness/read-usage';
import { compileUsageConsumer, installUsageConsumer } from '../harness/run-usage-consumer';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

type Priced = { cost?: number };

/** Interfaces differ in how many zeros they write. */
const trimUsd = (text: string): string => text.replace(/\.?0+$/, '');

describeWithRealParts(['postgres', 'redis', 'kafka'], 'one process per service, with Postgres, Redis and Kafka', () => {
  let harness: DistributedHarness;
  let upstream: FakeUpstream;
  let client: OpenAI;
  let parts: TakenParts;
  const costs: string[] = [];
  let requests = 0;

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    upstream = await startFakeUpstream();
    // An aggregator that was killed is missed soon: the one that follows has its share before a test tires of waiting.
    harness = await startDistributed(parts, pointAt(upstream), {
      'usage-aggregator': { KAFKA_SESSION_TIMEOUT_MS: '6000' },
      'chat-translator': { USAGE_EVENT_ENVELOPE: 'cloudevents' },
    });
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  }, 180_000);
  afterAll(async () => {
    await harness.stop();
    await upstream.stop();
    await parts.stop();
  }, 60_000);

  const note = (usage: (OpenAI.CompletionUsage & Priced) | null | undefined): void => {
    costs.push(usdText(usage?.cost));
    requests += 1;
  };

  it('serves express, translated and sandbox requests, streamed and whole, and finds each of them in the rollups', async () => {
    for (const model of ['openai/gpt-4o-mini', 'anthropic/claude-sonnet-4-5', 'sandbox/chat']) {
      const messages = [{ role: 'user' as const, content: `Hello from the distributed gateway to ${model}` }];
      const whole = await client.chat.completions.create({ model, messages });
      note(whole.usage);
      const stream = await client.chat.completions.create({ model, messages, stream: true, stream_options: { include_usage: true } });
      let text = '';
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (chunk.usage) note(chunk.usage);
      }
      expect(whole.choices[0]?.message.content).toBeTruthy();
      expect(text).not.toBe('');
    }

    const day = await waitForRequests(harness, requests);
    expect(requests).toBe(6);
    expect(day.total_requests).toBe(6);
    expect(day.spend).toBe(addUsd(costs));
    const headers = { authorization: `Bearer ${harness.apiKey}` };
    const listed = (await (await fetch(`${harness.url}/v1/generation`, { headers })).json()) as { generations: { cost: string }[] };
    expect(listed.generations).toHaveLength(6);
    expect(addUsd(listed.generations.map(({ cost }) => cost))).toBe(day.spend);
  }, 60_000);

  it('reports the same usage by hour, day and month', async () => {
    const start = `${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`;
    const end = new Date(Date.now() + 86_400_000).toISOString();
    const totals = await Promise.all(
      ['hour', 'day', 'month'].map(async (resolution) => {
        const entries = Object.values((await readUsage(harness, { start, end, resolution })).usage);
        return addUsd(entries.map((entry) => entry.spend));
      }),
    );

    expect(new Set(totals)).toEqual(new Set([addUsd(costs)]));
  });

  it('a limit holds across the services: refused at the edge, settled by the worker, confirmed by the aggregator', async () => {
    const made = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'limited', monthly_limit: 0.002, permissions: { completions: 'write' } }),
    });
    const { api_key: apiKey } = (await made.json()) as { api_key: string };
    const limited = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey, maxRetries: 0 });
    const ask = () =>
      limited.chat.completions.create({ model: 'sandbox/chat', max_tokens: 100, messages: [{ role: 'user', content: '!tokens 90' }] });
    let spent = 0;
    const refused = await (async () => {
      for (let tries = 0; tries < 20; tries += 1) {
        const { usage } = await ask();
        spent += (usage as Priced | undefined)?.cost ?? 0;
        note(usage);
      }
      return undefined;
    })().catch((error: unknown) => error);

    expect(refused).toMatchObject({ status: 412, code: 'monthly_limit_reached' });
    expect(spent).toBeGreaterThan(0.0007);
    expect(spent).toBeLessThanOrEqual(0.002);
    expect((await waitForRequests(harness, requests)).total_requests).toBe(requests);
  }, 60_000);

  it('counts a request once whose worker is killed in mid-stream', async () => {
    const before = await readUsage(harness);
    const stream = await client.chat.completions.create({
      model: 'sandbox/chat',
      stream: true,
      messages: [{ role: 'user', content: '!tokens 2000 !gap 20' }],
    });
    let chunks = 0;
    const reading = (async () => {
      for await (const chunk of stream) if (chunk.id && (chunks += 1) === 150) await harness.services['chat-translator'].kill();
    })();
    await expect(reading).rejects.toThrow();

    await harness.restart('chat-translator');
    const day = await waitForRequests(harness, requests + 1);

    requests += 1;
    expect(day.total_requests).toBe(requests);
    expect(Number(day.spend)).toBeGreaterThan(Number(Object.values(before.usage)[0]?.spend));
  }, 60_000);

  it('counts nothing twice when the aggregator is killed while events come in', async () => {
    const answered = Promise.all(
      Array.from({ length: 40 }, () =>
        client.chat.completions.create({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'count me once' }] }),
      ),
    );
    await harness.services['usage-aggregator'].kill();
    expect(await answered).toHaveLength(40);
    requests += 40;

    await harness.restart('usage-aggregator');
    const day = await waitForRequests(harness, requests);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const later = await waitForRequests(harness, requests);

    expect(day.total_requests).toBe(requests);
    expect(later).toEqual(day);
  }, 90_000);

  it('tests an account of the organization’s own at its provider, which the management-api itself never calls', async () => {
    const path = '/v1/manage/provider-credential';
    const manage = async (method: string, at: string, body?: object) => {
      const headers = { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' };
      const reply = await fetch(harness.managementUrl + at, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, json: (text === '' ? {} : JSON.parse(text)) as { id?: string; error?: { message: string } } };
    };
    const own = 'sk-own-of-two-processes-0123456789';
    const wrong = await manage('POST', path, { provider: 'bedrock', fields: { access_key_id: 'AKIA0123456789' } });
    expect(wrong).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining('`fields.secret_access_key`') as string } },
    });
    const made = await manage('POST', path, { provider: 'openai', api_key: own });
    const at = `${path}/${made.json.id}`;

    const accepted = await manage('POST', `${at}/test`);
    upstream.reply(
      { status: 401, body: { error: { message: `Incorrect API key provided: ${own}` } } },
      { when: ({ headers }) => headers.authorization === `Bearer ${own}` },
    );
    const refused = await manage('POST', `${at}/test`);
    await harness.services['chat-translator'].terminate();
    const unasked = await manage('POST', `${at}/test`);
    await harness.restart('chat-translator');
    await manage('DELETE', at);

    expect([made.status, accepted]).toEqual([201, { status: 200, json: { ok: true } }]);
    expect(upstream.requests.at(-1)?.headers.authorization).toBe(`Bearer ${own}`);
    expect(refused).toMatchObject({
      status: 200,
      json: { ok: false, why: expect.stringContaining('refused the account with status 401') as string },
    });
    expect(unasked).toMatchObject({ status: 503, json: { error: { code: 'dependency_down' } } });
    for (const { output } of Object.values(harness.services)) expect(output()).not.toContain(own);
    expect(JSON.stringify([accepted, refused, unasked])).not.toContain(own);
  }, 60_000);

  it('refuses what a worker has no place for, in the dialect and under the id of the edge, and gives back what was set aside', async () => {
    await harness.services['chat-translator'].kill();
    await harness.restart('chat-translator', { IN_FLIGHT_MAX: '2' });
    const made = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'just enough', monthly_limit: 0.001, permissions: { completions: 'write' } }),
    });
    const { api_key: apiKey } = (await made.json()) as { api_key: string };
    const ask = (content: string, key: string, more: { max_tokens: number; stream?: boolean }) =>
      fetch(`${harness.url}/v1/messages`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content }], ...more }),
      });
    const running = await ask('!tokens 400 !gap 10', harness.apiKey, { max_tokens: 500, stream: true });
    const refused = [];
    for (let tries = 0; tries < 12; tries += 1) {
      const reply = await ask('hello', apiKey, { max_tokens: 100 });
      refused.push({ status: reply.status, id: reply.headers.get('request-id'), body: await reply.json() });
    }
    expect(await running.text()).toContain('message_stop');
    const served = await ask('hello', apiKey, { max_tokens: 100 });
    requests += 2;

    for (const { status, id, body } of refused) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ type: 'error', error: { type: 'overloaded_error' }, request_id: id });
    }
    // Were it not given back, twelve times the most that such a request may cost would be four times the limit.
    expect(served.status).toBe(200);
    expect((await waitForRequests(harness, requests)).total_requests).toBe(requests);
    await harness.services['chat-translator'].kill();
    await harness.restart('chat-translator');
  }, 60_000);

  it('refuses requests that reach a worker without a passport', async () => {
    const port = /"port":(\d+)/.exec(harness.services['chat-translator'].output())?.[1];
    for (const path of ['/v1/chat/completions', '/internal/provider-account']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{}' })).status).toBe(403);
    }
  });

  describe.each([
    ['TypeScript', compileUsageConsumer, [] as const],
    ['Python', installUsageConsumer, ['python'] as const],
  ])('a consumer of usage events in %s', (language, prepare, needed) => {
    describeWithRealParts([...needed], 'beside the gateway', () => {
      it('counts every event once, proves that none is missing, and comes to the sums of the usage interface', async () => {
        const consume = await prepare();
        const stateFile = join(makeTestFolder('usage-state'), 'state.json');
        const day = await waitForRequests(harness, requests);
        const read = await consume(parts.brokers, stateFile);
        expect(read).toMatchObject({ is_complete: true, lost: 0, requests: day.total_requests });
        expect(trimUsd(read.billed_usd)).toBe(trimUsd(day.spend));
        // The workers that were killed were writers of their own.
        expect(Object.keys(read.writers).length).toBeGreaterThan(2);

        note((await client.chat.completions.create({ model: 'sandbox/chat', messages: [{ role: 'user', content: language }] })).usage);
        const later = await waitForRequests(harness, requests);
        const more = await consume(parts.brokers, stateFile);
        expect(more).toMatchObject({ is_complete: true, requests: later.total_requests, repeated: read.repeated });
        expect(trimUsd(more.billed_usd)).toBe(trimUsd(later.spend));

        // Everything comes again, as after a broker that lost what it knew of its consumers.
        const state = JSON.parse(readFileSync(stateFile, 'utf8')) as object;
        writeFileSync(stateFile, JSON.stringify({ ...state, offsets: {} }));
        const again = await consume(parts.brokers, stateFile);
        expect({ ...again, repeated: 0 }).toEqual({ ...more, repeated: 0 });
        expect(again.repeated).toBe(more.repeated * 2 + more.events);

        // One that was never read.
        const [[writer = '', ranges = []] = []] = Object.entries((state as { writers: Record<string, [number, number][]> }).writers);
        const last = ranges.at(-1)?.[1] ?? 0;
        writeFileSync(stateFile, JSON.stringify({ ...state, writers: { [writer]: [...ranges, [last + 2, last + 2]] } }));
        expect(await consume(parts.brokers, stateFile)).toMatchObject({
          is_complete: false,
          writers: { [writer]: { missing: [[last + 1, last + 1]] } },
        });
      }, 120_000);
    });
  });
});
