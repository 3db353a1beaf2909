import { startReplayHarness, type Serve } from './__fixtures__/replay-harness';

type Harness = Awaited<ReturnType<typeof startReplayHarness>>;

const KEY = { 'idempotency-key': 'order-7' };
const answerJson =
  (body: string, headers: Record<string, string> = {}, status = 200): Serve =>
  (response) => {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(body);
  };
const answerStream =
  (frames: readonly string[]): Serve =>
  (response) => {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8');
    response.flushHeaders();
    for (const frame of frames) response.write(frame);
    response.end();
  };

/** Speech, whose cost is known only behind it. */
const answerSpeech: Serve = (response) => {
  response.setHeader('content-type', 'audio/mpeg');
  response.setHeader('x-weir-cost-estimate', '0.2');
  response.setHeader('trailer', 'x-weir-cost');
  response.write('sound');
  response.addTrailers({ 'x-weir-cost': '0.25' });
  response.end();
};

function signal<Value = void>() {
  let report: (value: Value) => void = () => undefined;
  const reported = new Promise<Value>((resolve) => (report = resolve));
  return { reported, report };
}

let harness: Harness;
beforeEach(async () => {
  harness = await startReplayHarness();
});
afterEach(() => harness.stop());

describe('an Idempotency-Key', () => {
  it('replays the response of the same request without serving it, headers and bytes', async () => {
    harness.world.serve = answerJson('{"usage":{"cost":0.25}}', {
      'x-weir-cost': '0.25',
      'x-weir-model': 'acme/one',
      'x-ratelimit-limit-requests': '9',
    });
    const first = await harness.send('{"a":1}', KEY);
    const again = await harness.send('{"a":1}', KEY);

    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-weir-cost': '0.25', 'x-weir-model': 'acme/one' });
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['x-ratelimit-limit-requests']).toBeUndefined();
    expect(harness.world.served).toBe(1);
  });

  it('states a cost that came behind the reply in the head of its repetition', async () => {
    harness.world.serve = answerSpeech;
    const first = await harness.send('{"a":1}', KEY);
    const again = await harness.send('{"a":1}', KEY);

    expect(first.headers).toMatchObject({ 'x-weir-cost-estimate': '0.2', trailer: 'x-weir-cost' });
    expect(again).toMatchObject({ body: 'sound', headers: { 'x-weir-cost': '0.25', 'content-length': '5' } });
    for (const name of ['x-weir-cost-estimate', 'trailer']) expect(again.headers[name]).toBeUndefined();
    expect(harness.world.served).toBe(1);
  });

  it('replays streams byte for byte', async () => {
    harness.world.serve = answerStream(['data: {"n":1}\n\n', ': ping\n\n', 'data: [DONE]\n\n']);
    const first = await harness.send('{"stream":true}', KEY);
    const again = await harness.send('{"stream":true}', KEY);

    expect(first.body).toBe('data: {"n":1}\n\n: ping\n\ndata: [DONE]\n\n');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(harness.world.served).toBe(1);
  });

  it('is refused for another body, and while its request runs; another organization’s is another key', async () => {
    const begun = signal();
    const done = signal();
    harness.world.serve = async (response) => {
      begun.report();
      await done.reported;
      response.end('{}');
    };
    const running = harness.send('{"a":1}', KEY);
    await begun.reported;

    const second = await harness.send('{"a":1}', KEY);
    expect(second).toMatchObject({ status: 409, headers: { 'retry-after': '1' } });
    expect(second.body).toContain('idempotency_in_progress');
    const other = await harness.send('{"a":2}', KEY);
    expect(other.status).toBe(409);
    expect(other.body).toContain('idempotency_key_reused');
    done.report();
    expect((await running).status).toBe(200);
    expect((await harness.send('{"a":2}', { ...KEY, 'x-organization': 'theirs' })).status).toBe(200);
    expect(harness.world.served).toBe(2);
  });

  it.each([
    [400, 1],
    [404, 1],
    [422, 1],
    [402, 2],
    [412, 2],
    [429, 2],
    [500, 2],
    [502, 2],
  ])('a reply of status %i is served %i times in two requests', async (status, times) => {
    harness.world.serve = answerJson('{"error":{}}', {}, status);
    const first = await harness.send('{}', KEY);
    const again = await harness.send('{}', KEY);

    expect([first.status, again.status]).toEqual([status, status]);
    expect(harness.world.served).toBe(times);
  });

  it.each([
    ['an error in a chat stream', ['data: {"n":1}\n\n', 'data: {"error":{"message":"no"}}\n\n']],
    ['an error in a messages stream', ['event: message_start\ndata: {}\n\n', 'event: error\ndata: {"type":"error"}\n\n']],
    ['an error in a responses stream', ['event: response.failed\ndata: {}\n\n']],
  ])('never keeps %s, so the request may be sent again', async (_, frames) => {
    harness.world.serve = answerStream(frames);
    await harness.send('{}', KEY);
    harness.world.serve = answerStream(['data: {"text":"data: {\\"error\\":1}"}\n\n', 'data: [DONE]\n\n']);

    expect((await harness.send('{}', KEY)).body).toContain('[DONE]');
    expect((await harness.send('{}', KEY)).headers['idempotency-replayed']).toBe('true');
    expect(harness.world.served).toBe(2);
  });

  it('carries the request to its end when its caller leaves, and replays the response to the next one who asks', async () => {
    const begun = signal();
    const left = signal();
    const over = signal<{ closed: boolean; destroyed: boolean; accepted: boolean }>();
    harness.world.serve = async (response) => {
      let closed = false;
      response.once('close', () => (closed = true));
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: 1\n\n');
      const { socket } = response;
      socket?.once('close', () => left.report());
      begun.report();
      await left.reported;
      const accepted = response.write('data: 2\n\n');
      over.report({ closed, destroyed: response.destroyed, accepted });
      response.end('data: [DONE]\n\n');
    };
    const caller = harness.open('{}', KEY);
    caller.reply.catch(() => undefined);
    await begun.reported;
    caller.leave();

    expect(await over.reported).toEqual({ closed: false, destroyed: false, accepted: true });
    const again = await harness.send('{}', KEY);
    expect(again.body).toBe('data: 1\n\ndata: 2\n\ndata: [DONE]\n\n');
    expect(harness.world.served).toBe(1);
  });

  it('emits `drain` to waiting writers when the caller leaves, and `close` once all is over', async () => {
    const closed = signal();
    harness.world.serve = async (response) => {
      response.once('close', closed.report);
      while (response.write('x'.repeat(65_536)));
      await new Promise<void>((resolve) => response.once('drain', resolve));
      response.end();
    };
    const caller = harness.open('{}', KEY);
    caller.reply.catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (harness.world.served === 0) return;
        clearInterval(timer);
        resolve();
      }, 5);
    });
    caller.leave();

    await closed.reported;
    // More than is kept: the key says so.
    const again = await harness.send('{}', KEY);
    expect(again.status).toBe(409);
    expect(again.body).toContain('too large to be kept');
    expect(harness.world.served).toBe(1);
  });

  it('gives the key back when the reply is cut', async () => {
    harness.world.serve = (response) => {
      response.write('half');
      response.destroy();
    };
    await expect(harness.send('{}', KEY)).rejects.toThrow();
    harness.world.serve = answerJson('{}');

    expect((await harness.send('{}', KEY)).status).toBe(200);
    expect(harness.world.served).toBe(2);
  });

  it('keeps nothing readable', async () => {
    harness.world.serve = answerJson('{"text":"a secret answer"}');
    await harness.send('{"prompt":"a secret question"}', KEY);

    const kept = [...harness.rows.values()].map(({ sha, reply }) => `${sha}${reply?.toString('latin1') ?? ''}`).join();
    expect(kept.length).toBeGreaterThan(64);
    expect(kept).not.toContain('secret');
    expect(JSON.stringify([...harness.rows.keys()])).not.toContain('order-7');
  });

  it('is off under zero retention, and says so; a value that is none is refused', async () => {
    harness.world.isZeroRetention = true;
    harness.world.serve = answerJson('{}');
    const replies = [await harness.send('{}', KEY), await harness.send('{}', KEY)];

    expect(replies.map(({ headers }) => headers['x-weir-idempotency'])).toEqual(['off; zero-retention', 'off; zero-retention']);
    expect([harness.world.served, harness.rows.size]).toEqual([2, 0]);
    expect((await harness.send('{}', { 'idempotency-key': 'with space' })).status).toBe(400);
  });
});

describe('the response cache', () => {
  const ON = { 'x-weir-cache': 'on' };

  it('serves an equal request of one organization from the cache at no cost, when both ask for it', async () => {
    harness.world.serve = answerJson('{"id":"x","usage":{"total":3,"cost":0.25},"output":[{"input":{"cost":7}}]}', {
      'x-weir-cost': '0.25',
    });
    const plain = await harness.send('{}');
    const miss = await harness.send('{}', ON);
    const hit = await harness.send('{}', ON);

    expect([plain.headers['x-weir-cache'], miss.headers['x-weir-cache'], hit.headers['x-weir-cache']]).toEqual([undefined, 'miss', 'hit']);
    expect(miss.body).toContain('"cost":0.25');
    expect(hit.body).toBe('{"id":"x","usage":{"total":3,"cost":0},"output":[{"input":{"cost":7}}]}');
    expect(hit.headers['x-weir-cost']).toBe('0');
    expect((await harness.send('{}', { ...ON, 'x-organization': 'theirs' })).headers['x-weir-cache']).toBe('miss');
    expect((await harness.send('{"a":1}', ON)).headers['x-weir-cache']).toBe('miss');
    expect((await harness.send('{}', { ...ON, 'x-weir-strict': 'true' })).headers['x-weir-cache']).toBe('miss');
    expect(harness.world.served).toBe(5);
  });

  it('serves speech from the cache at no cost, also where that was known only behind it', async () => {
    harness.world.serve = answerSpeech;
    await harness.send('{}', ON);
    const hit = await harness.send('{}', ON);

    expect(hit).toMatchObject({ body: 'sound', headers: { 'x-weir-cache': 'hit', 'x-weir-cost': '0' } });
    expect(hit.headers['x-weir-cost-estimate']).toBeUndefined();
  });

  it('replays streams as streams, with their costs set to nothing', async () => {
    const frames = [
      'event: response.created\ndata: {"response":{"id":"r"}}\n\n',
      'event: response.completed\ndata: {"response":{"id":"r","usage":{"input_tokens":1,"cost":0.5}}}\n\n',
    ];
    harness.world.serve = answerStream(frames);
    await harness.send('{}', ON);
    const hit = await harness.send('{}', ON);

    expect(hit.body).toBe(frames.join('').replace('0.5', '0'));
    expect(hit.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it.each([
    ['a refusal', answerJson('{}', {}, 400)],
    ['a failed stream', answerStream(['data: {"error":{}}\n\n'])],
    ['an answer that a limit cut short', answerJson('{}', { 'x-weir-max-tokens-clamped': '20' })],
    ['an answer of a fallback model', answerJson('{}', { 'x-weir-fallback-model': 'acme/small' })],
    ['an answer that is not to be kept', answerJson('{"data":[{"url":"https://a.example/x"}]}', { 'cache-control': 'no-store' })],
    ['an answer that is too large', answerJson('x'.repeat(5000))],
  ])('never keeps %s', async (_, serve) => {
    harness.world.serve = serve;
    await harness.send('{}', ON);

    expect((await harness.send('{}', ON)).headers['x-weir-cache']).toBe('miss');
  });

  it('is off under zero retention, takes a number of seconds, and refuses anything else', async () => {
    harness.world.serve = answerJson('{}');
    await harness.send('{}', { 'x-weir-cache': '60' });
    expect((await harness.send('{}', ON)).headers['x-weir-cache']).toBe('hit');
    harness.world.isZeroRetention = true;
    expect((await harness.send('{}', ON)).headers['x-weir-cache']).toBe('off; zero-retention');
    for (const value of ['0', '86401', '1.5', 'maybe', '-1'])
      expect((await harness.send('{}', { 'x-weir-cache': value })).status).toBe(400);
  });

  it('goes together with an Idempotency-Key: the hit is kept under it', async () => {
    harness.world.serve = answerJson('{"usage":{"cost":1}}');
    await harness.send('{}', ON);
    const hit = await harness.send('{}', { ...ON, ...KEY });
    const replayed = await harness.send('{}', { ...ON, ...KEY });

    expect(hit.headers['x-weir-cache']).toBe('hit');
    expect(replayed).toMatchObject({ body: hit.body, headers: { 'idempotency-replayed': 'true' } });
    expect(harness.world.served).toBe(1);
    expect(harness.counted).toEqual(['cache', 'idempotency']);
  });
});
