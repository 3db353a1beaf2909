import { describeWithRealParts, startOwnPostgres, type OwnPostgres } from '@weir/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { addUsd, usdText } from '../harness/price-by-hand';
import { waitForRequests } from '../harness/read-usage';
import { COMPOSED_SERVICES, startComposed, type ComposedHarness } from '../harness/start-composed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

/** D4 in full, by `LOAD_FULL=1`: ten rounds under 200 requests a second and 50 streams of 30 seconds. */
const IS_FULL = process.env['LOAD_FULL'] === '1';
const ROUNDS = IS_FULL ? 10 : 1;
const CALLERS = IS_FULL ? 40 : 6;
const PAUSE_MS = IS_FULL ? 200 : 100;
const STREAMS = IS_FULL ? 50 : 6;
/** In full a connection may begin one more stream after the one it had when its process was asked to stop. */
const SETTINGS = IS_FULL ? { DRAIN_TIMEOUT_MS: '120000' } : { DRAIN_TIMEOUT_MS: '60000' };
/** How long Postgres is away. */
const AWAY_MS = 7000;
const STREAM = IS_FULL ? '!tokens 600 !gap 50' : '!tokens 60 !gap 25';

describeWithRealParts(['postgres', 'redis', 'kafka'], 'D4: two of every service, behind balancers that look at readiness', () => {
  let harness: ComposedHarness;
  let parts: TakenParts;
  let postgres: OwnPostgres;
  const costs: string[] = [];
  const failures: string[] = [];
  let isOver = false;

  beforeAll(async () => {
    [parts, postgres] = await Promise.all([takeRealParts(), startOwnPostgres()]);
    harness = await startComposed({ ...parts, databaseUrl: postgres.url }, { replicas: 2, more: { DRAIN_DELAY_MS: '4000', ...SETTINGS } });
  }, 240_000);
  afterAll(async () => {
    isOver = true;
    await harness.stop();
    await postgres.stop();
    await parts.stop();
  }, 120_000);

  const send = (content: string, stream: boolean) =>
    fetch(`${harness.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox/chat',
        messages: [{ role: 'user', content }],
        ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      }),
    });
  const ask = async (content: string, stream: boolean): Promise<void> => {
    try {
      const reply = await send(content, stream);
      const text = await reply.text();
      if (reply.status !== 200 || (stream && !text.includes('data: [DONE]'))) throw new Error(`${reply.status} ${text.slice(-200)}`);
      const cost = /"cost":\s*([0-9.eE+-]+)/.exec(text)?.[1];
      costs.push(usdText(Number(cost)));
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      failures.push(`${stream ? 'stream' : 'whole'}: ${message} ${cause?.code ?? ''}`);
    }
  };
  const keepAsking = async (content: string, stream: boolean): Promise<void> => {
    while (!isOver) {
      await ask(content, stream);
      if (!stream) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };

  it(
    'restarts the first of every service, then the second, under load: no request fails, and usage is exact',
    async () => {
      const load = Promise.all([
        ...Array.from({ length: CALLERS }, () => keepAsking('hello', false)),
        ...Array.from({ length: STREAMS }, () => keepAsking(STREAM, true)),
      ]);
      const codes: (number | null)[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const replica of [0, 1])
          codes.push(...(await Promise.all(COMPOSED_SERVICES.map((service) => harness.restart(service, replica)))));
      }
      isOver = true;
      await load;

      expect(failures).toEqual([]);
      expect(codes).toEqual(codes.map(() => 0));
      expect(costs.length).toBeGreaterThan(50);
      const day = await waitForRequests(harness, costs.length);
      expect(day.total_requests).toBe(costs.length);
      expect(day.spend).toBe(addUsd(costs));
      process.stderr.write(
        `rolling restart: ${codes.length} restarts, ${costs.length} requests, ${failures.length} failed, ${day.spend} USD\n`,
      );
    },
    IS_FULL ? 3_600_000 : 240_000,
  );

  it('serves on while Postgres is restarted under load: no request fails, no edge is taken out, and usage is exact', async () => {
    isOver = false;
    const before = costs.length;
    const load = Promise.all([
      ...Array.from({ length: CALLERS }, () => keepAsking('hello', false)),
      ...Array.from({ length: STREAMS }, () => keepAsking(STREAM, true)),
    ]);
    const served = async (count: number): Promise<void> => {
      for (const target = costs.length + count; costs.length < target && failures.length === 0;) await pause(50);
    };
    const readHealth = async (service: 'edge-router' | 'management-api'): Promise<readonly [number, unknown]> => {
      const reply = await fetch(`http://127.0.0.1:${harness.portsOf(service)[0]}/readyz?verbose`);
      const { dependencies } = (await reply.json()) as { dependencies: { name: string; status: string }[] };
      return [reply.status, dependencies.find(({ name }) => name === 'postgres')?.status];
    };
    await served(4 * (CALLERS + STREAMS));
    // Each edge has to have seen the key, which it serves from what it knows; one that started late may have served no one yet.
    for (const port of harness.portsOf('edge-router')) {
      const limits = await fetch(`http://127.0.0.1:${port}/v1/limits`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
      expect(limits.status).toBe(200);
    }
    await postgres.halt();
    const haltedAtMs = performance.now();
    const during = costs.length;
    await served(20);
    const health = await Promise.all((['edge-router', 'management-api'] as const).map(readHealth));
    const refused = await fetch(`${harness.managementUrl}/v1/manage/org`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
    const refusal = [refused.status, refused.headers.get('retry-after') !== null, await refused.json()];
    // So long that a balancer would have noticed what is not ready.
    await pause(Math.max(0, AWAY_MS - (performance.now() - haltedAtMs)));
    await served(20);
    const after = costs.length;
    await postgres.resume();
    await served(20);
    isOver = true;
    await load;

    expect(failures).toEqual([]);
    expect(health).toEqual([
      [200, 'away'],
      [200, 'away'],
    ]);
    expect(refusal).toEqual([503, true, { error: expect.objectContaining({ code: 'dependency_down', origin: 'router' }) as unknown }]);
    expect(after - during).toBeGreaterThan(40);
    const day = await waitForRequests(harness, costs.length);
    expect(day.total_requests).toBe(costs.length);
    expect(day.spend).toBe(addUsd(costs));
    process.stderr.write(
      `Postgres restarted: ${costs.length - before} requests, ${after - during} of them while it was away, ${failures.length} failed\n`,
    );
  }, 240_000);

  it('goes on without management and without media: chat is served, media is refused as not there', async () => {
    for (const service of ['management-api', 'media-service'] as const) {
      await Promise.all(harness.processesOf(service).map((process) => process.kill()));
    }
    const chat = await send('hello', false);
    const speech = await fetch(`${harness.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox/speech', input: 'hello', voice: 'alloy' }),
    });

    expect(chat.status).toBe(200);
    expect([404, 503]).toContain(speech.status);
  }, 60_000);
});
