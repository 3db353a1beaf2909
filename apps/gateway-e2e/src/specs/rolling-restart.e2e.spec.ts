import { describeWithRealParts } from '@weir/testing';
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
const STREAM = IS_FULL ? '!tokens 600 !gap 50' : '!tokens 60 !gap 25';

describeWithRealParts(['postgres', 'redis', 'kafka'], 'D4: two of every service, behind balancers that look at readiness', () => {
  let harness: ComposedHarness;
  let parts: TakenParts;
  const costs: string[] = [];
  const failures: string[] = [];
  let isOver = false;

  beforeAll(async () => {
    parts = await takeRealParts();
    harness = await startComposed(parts, { replicas: 2, more: { DRAIN_DELAY_MS: '4000', ...SETTINGS } });
  }, 240_000);
  afterAll(async () => {
    isOver = true;
    await harness.stop();
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
