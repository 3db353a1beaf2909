import { createDefaultReply, startFakeUpstream, type FakeUpstream, type RecordedRequest, type ReplyScript, waitUntil } from '@weir/testing';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { pointAt } from '../harness/client-harness';
import { addUsd } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { ROOT } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

const PER_SECOND = 40;
const BURST = 10;
const MODEL = 'openai/gpt-4o-mini';
const run = promisify(execFile);

/** A provider that takes so many requests a second, says in its headers what is left, and refuses the others. */
function limitRate(upstream: FakeUpstream) {
  let [left, atMs] = [BURST, performance.now()];
  const refill = (): number => {
    const nowMs = performance.now();
    left = Math.min(BURST, left + ((nowMs - atMs) * PER_SECOND) / 1000);
    atMs = nowMs;
    return left;
  };
  /** `shutFor`: nothing is taken, and so long is asked to be waited. `taken`: the end users of the requests, in order. */
  const provider = { shutFor: undefined as Record<string, string> | undefined, taken: [] as string[], left: refill };
  const takeOne = (): boolean => {
    if (refill() < 1 || provider.shutFor !== undefined) return false;
    left -= 1;
    return true;
  };
  const script = (request: RecordedRequest): ReplyScript => {
    const isTaken = takeOne();
    const headers = {
      'x-ratelimit-limit-requests': String(BURST),
      'x-ratelimit-remaining-requests': String(Math.floor(left)),
      'x-ratelimit-reset-requests': `${Math.ceil(((BURST - left) * 1000) / PER_SECOND)}ms`,
    };
    if (!isTaken) {
      return {
        status: 429,
        headers: { ...headers, 'retry-after-ms': '50', ...provider.shutFor },
        body: { error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' } },
      };
    }
    provider.taken.push((JSON.parse(request.bodyText) as { user?: string }).user ?? '');
    return { ...createDefaultReply(request), headers };
  };
  upstream.reply(script, { when: ({ path }) => path.endsWith('/chat/completions') });
  return provider;
}

describe('a provider that limits its rate', () => {
  let upstream: FakeUpstream;
  let harness: Harness;
  let call: CallHarness;
  let provider: ReturnType<typeof limitRate>;
  let other: { readonly organizationId: string; readonly apiKey: string };

  const weir = async (...words: string[]): Promise<Record<string, unknown>> => {
    const env = { PATH: process.env['PATH'], DATA_DIR: harness.dataDir };
    const { stdout } = await run(process.execPath, [join(ROOT, 'apps/operator/dist/main.js'), ...words, '--json'], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    provider = limitRate(upstream);
    harness = await startStandalone({ env: { ...pointAt(upstream), PROVIDER_QUEUE_MS: '30000' } });
    call = createCallHarness(harness);
    const made = await weir('organization', 'create', '--name', 'Other');
    other = { organizationId: String(made['organization_id']), apiKey: String(made['api_key']) };
    // Before its key is used for the first time, so it is in force at once.
    expect(await weir('organization', 'share', '--organization', other.organizationId, '--share', '4')).toMatchObject({ share: 4 });
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await upstream.stop();
  });

  const ask = async (apiKey: string, more: object = {}, headers: Record<string, string> = {}): Promise<HarnessReply> => {
    const body = { model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello there' }], ...more };
    return call('POST /v1/chat/completions', body, { authorization: `Bearer ${apiKey}`, ...headers });
  };
  const askMany = (count: number, act: (index: number) => ReturnType<typeof ask>) =>
    Promise.all(Array.from({ length: count }, (_, index) => act(index)));
  const waiting = async (): Promise<number> => {
    const text = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    return Number(/weir_provider_queue_waiting\{provider="openai"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  const waitFor = (count: number) => waitUntil(`${count} requests wait`, async () => (await waiting()) === count);
  const queued = ({ headers }: HarnessReply): number => Number(headers['x-weir-queued-ms'] ?? 0);
  const costOf = ({ text }: HarnessReply): string => /"cost":\s*([\d.e-]+)/.exec(text)?.[1] ?? 'none';

  it('has requests wait instead of failing, and serves an organization that floods not before another one', async () => {
    const flooding = askMany(120, (index) =>
      ask(harness.apiKey, index % 2 === 0 ? {} : { stream: true, stream_options: { include_usage: true } }),
    );
    // Once the queue is there.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const others = await askMany(10, () => ask(other.apiKey));
    const flood = await flooding;

    expect([...flood, ...others].filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    expect(provider.taken).toHaveLength(130);
    expect(Math.max(...flood.map(queued))).toBeGreaterThan(1_500);
    expect(flood.some((reply) => reply.headers['x-weir-queued-ms'] === undefined)).toBe(true);
    // Four of five turns are theirs as long as they wait.
    expect(Math.max(...others.map(queued))).toBeLessThan(Math.max(...flood.map(queued)) / 2);

    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/weir_provider_queue_seconds_count\{provider="openai",end="served"\} \d{2,}/);
    expect(metrics).toContain('weir_provider_queue_waiting{provider="openai"} 0');

    for (const [source, replies] of [
      [harness, flood],
      [{ ...harness, apiKey: other.apiKey }, others],
    ] as const) {
      const day = await waitForRequests(source, replies.length);
      expect(day.total_requests).toBe(replies.length);
      expect(addUsd([String(day.spend)])).toBe(addUsd(replies.map(costOf)));
    }
  });

  it('waits for no one who left', async () => {
    provider.shutFor = { 'retry-after-ms': '3000' };
    const [before, leaving] = [provider.taken.length, new AbortController()];
    const left = Array.from({ length: 20 }, () =>
      fetch(`${harness.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, max_tokens: 50, messages: [{ role: 'user', content: 'Hello there' }] }),
        signal: leaving.signal,
      }).catch(() => 'left'),
    );
    await waitFor(20);
    leaving.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set(['left']));
    await waitFor(0);
    provider.shutFor = undefined;
    expect((await ask(harness.apiKey, { user: 'next' })).status).toBe(200);
    expect(provider.taken.slice(before)).toEqual(['next']);
  });

  it('divides by the shares that the operator gave, and by the priorities of an organization', async () => {
    const low = { 'x-weir-priority': 'low' };
    provider.shutFor = { 'retry-after-ms': '5000' };
    const before = provider.taken.length;
    const flooding = Promise.all([
      askMany(40, () => ask(harness.apiKey, { user: 'mine' })),
      askMany(40, () => ask(other.apiKey, { user: 'theirs' })),
      askMany(10, () => ask(other.apiKey, { user: 'theirs, low' }, low)),
    ]);
    await waitFor(90);
    provider.shutFor = undefined;
    const replies = (await flooding).flat();
    expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    // While all of them had requests waiting: four of five are theirs, and of these four of five are not low.
    const first = provider.taken.slice(before, before + 40);
    const count = (user: string): number => first.filter((each) => each === user).length;
    expect(Math.abs(count('mine') - 8)).toBeLessThanOrEqual(2);
    expect(Math.abs(count('theirs, low') - 32 / 5)).toBeLessThanOrEqual(2);
  });

  it('takes a lower priority from anyone, a higher one from keys that may, and no other word', async () => {
    const before = upstream.requests.length;
    expect((await ask(harness.apiKey, {}, { 'x-weir-priority': 'low' })).status).toBe(200);
    expect(upstream.requests.slice(before).map(({ headers }) => headers['x-weir-priority'])).toEqual([undefined]);
    const above = await ask(harness.apiKey, {}, { 'x-weir-priority': 'high' });
    expect([above.status, above.json['error']]).toEqual([403, expect.objectContaining({ code: 'permission_denied' })]);
    const odd = await ask(harness.apiKey, {}, { 'x-weir-priority': 'urgent' });
    expect([odd.status, odd.json['error']]).toEqual([400, expect.objectContaining({ param: 'x-weir-priority' })]);

    const made = await call('POST /v1/manage/apikey', { name: 'first', priority: 'high', share: 5 });
    expect((await ask(String(made.json['api_key']), {}, { 'x-weir-priority': 'high' })).status).toBe(200);
  });

  it('refuses at once with the 429 of the provider where waiting is known not to suffice, and goes on when it takes requests again', async () => {
    // Otherwise the request waits for its turn as well, before the provider has said so.
    await waitUntil('the provider takes a whole burst again', () => provider.left() === BURST);
    provider.shutFor = { 'retry-after-ms': '59500', 'retry-after': '60' };
    const refused = await ask(harness.apiKey);
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-weir-queued-ms']]).toEqual([429, '60', undefined]);
    expect(refused.json['error']).toMatchObject({ code: 'provider_rate_limited', message: 'Rate limit reached' });
    provider.shutFor = undefined;
    await waitUntil('it is asked again', async () => (await ask(harness.apiKey)).status === 200);
    expect((await ask(harness.apiKey)).status).toBe(200);
  });
});
