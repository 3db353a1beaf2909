import { startReplayHouse, type Serve } from './__fixtures__/replay-house';

type House = Awaited<ReturnType<typeof startReplayHouse>>;

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

function signal<Value = void>() {
  let tell: (value: Value) => void = () => undefined;
  const told = new Promise<Value>((resolve) => (tell = resolve));
  return { told, tell };
}

let house: House;
beforeEach(async () => {
  house = await startReplayHouse();
});
afterEach(() => house.stop());

describe('an Idempotency-Key', () => {
  it('answers the same request again without serving it, headers and bytes', async () => {
    house.world.serve = answerJson('{"usage":{"cost":0.25}}', {
      'x-weir-cost': '0.25',
      'x-weir-model': 'acme/one',
      'x-ratelimit-limit-requests': '9',
    });
    const first = await house.send('{"a":1}', KEY);
    const again = await house.send('{"a":1}', KEY);

    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-weir-cost': '0.25', 'x-weir-model': 'acme/one' });
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['x-ratelimit-limit-requests']).toBeUndefined();
    expect(house.world.served).toBe(1);
  });

  it('replays streams byte for byte', async () => {
    house.world.serve = answerStream(['data: {"n":1}\n\n', ': ping\n\n', 'data: [DONE]\n\n']);
    const first = await house.send('{"stream":true}', KEY);
    const again = await house.send('{"stream":true}', KEY);

    expect(first.body).toBe('data: {"n":1}\n\n: ping\n\ndata: [DONE]\n\n');
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(house.world.served).toBe(1);
  });

  it('is refused for another body, and while its request runs; another organization’s is another key', async () => {
    const begun = signal();
    const done = signal();
    house.world.serve = async (response) => {
      begun.tell();
      await done.told;
      response.end('{}');
    };
    const running = house.send('{"a":1}', KEY);
    await begun.told;

    const second = await house.send('{"a":1}', KEY);
    expect(second).toMatchObject({ status: 409, headers: { 'retry-after': '1' } });
    expect(second.body).toContain('idempotency_in_progress');
    const other = await house.send('{"a":2}', KEY);
    expect(other.status).toBe(409);
    expect(other.body).toContain('idempotency_key_reused');
    done.tell();
    expect((await running).status).toBe(200);
    expect((await house.send('{"a":2}', { ...KEY, 'x-organization': 'theirs' })).status).toBe(200);
    expect(house.world.served).toBe(2);
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
    house.world.serve = answerJson('{"error":{}}', {}, status);
    const first = await house.send('{}', KEY);
    const again = await house.send('{}', KEY);

    expect([first.status, again.status]).toEqual([status, status]);
    expect(house.world.served).toBe(times);
  });

  it.each([
    ['an error in a chat stream', ['data: {"n":1}\n\n', 'data: {"error":{"message":"no"}}\n\n']],
    ['an error in a messages stream', ['event: message_start\ndata: {}\n\n', 'event: error\ndata: {"type":"error"}\n\n']],
    ['an error in a responses stream', ['event: response.failed\ndata: {}\n\n']],
  ])('never keeps %s, so the request may be sent again', async (_, frames) => {
    house.world.serve = answerStream(frames);
    await house.send('{}', KEY);
    house.world.serve = answerStream(['data: {"text":"data: {\\"error\\":1}"}\n\n', 'data: [DONE]\n\n']);

    expect((await house.send('{}', KEY)).body).toContain('[DONE]');
    expect((await house.send('{}', KEY)).headers['idempotency-replayed']).toBe('true');
    expect(house.world.served).toBe(2);
  });

  it('carries the request to its end when its caller leaves: whoever asks again finds the answer', async () => {
    const begun = signal();
    const left = signal();
    const over = signal<{ closed: boolean; destroyed: boolean; accepted: boolean }>();
    house.world.serve = async (response) => {
      let closed = false;
      response.once('close', () => (closed = true));
      response.setHeader('content-type', 'text/event-stream');
      response.write('data: 1\n\n');
      const { socket } = response;
      socket?.once('close', () => left.tell());
      begun.tell();
      await left.told;
      const accepted = response.write('data: 2\n\n');
      over.tell({ closed, destroyed: response.destroyed, accepted });
      response.end('data: [DONE]\n\n');
    };
    const caller = house.open('{}', KEY);
    caller.reply.catch(() => undefined);
    await begun.told;
    caller.leave();

    expect(await over.told).toEqual({ closed: false, destroyed: false, accepted: true });
    const again = await house.send('{}', KEY);
    expect(again.body).toBe('data: 1\n\ndata: 2\n\ndata: [DONE]\n\n');
    expect(house.world.served).toBe(1);
  });

  it('lets whoever waits for a drain go on when the caller leaves, and tells of the close once all is over', async () => {
    const closed = signal();
    house.world.serve = async (response) => {
      response.once('close', closed.tell);
      while (response.write('x'.repeat(65_536)));
      await new Promise<void>((resolve) => response.once('drain', resolve));
      response.end();
    };
    const caller = house.open('{}', KEY);
    caller.reply.catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (house.world.served === 0) return;
        clearInterval(timer);
        resolve();
      }, 5);
    });
    caller.leave();

    await closed.told;
    // More than is kept: the key says so.
    const again = await house.send('{}', KEY);
    expect(again.status).toBe(409);
    expect(again.body).toContain('too large to be kept');
    expect(house.world.served).toBe(1);
  });

  it('gives the key back when the reply is cut', async () => {
    house.world.serve = (response) => {
      response.write('half');
      response.destroy();
    };
    await expect(house.send('{}', KEY)).rejects.toThrow();
    house.world.serve = answerJson('{}');

    expect((await house.send('{}', KEY)).status).toBe(200);
    expect(house.world.served).toBe(2);
  });

  it('keeps nothing readable', async () => {
    house.world.serve = answerJson('{"text":"a secret answer"}');
    await house.send('{"prompt":"a secret question"}', KEY);

    const kept = [...house.rows.values()].map(({ sha, reply }) => `${sha}${reply?.toString('latin1') ?? ''}`).join();
    expect(kept.length).toBeGreaterThan(64);
    expect(kept).not.toContain('secret');
    expect(JSON.stringify([...house.rows.keys()])).not.toContain('order-7');
  });

  it('is off under zero retention, and says so; a value that is none is refused', async () => {
    house.world.isZeroRetention = true;
    house.world.serve = answerJson('{}');
    const replies = [await house.send('{}', KEY), await house.send('{}', KEY)];

    expect(replies.map(({ headers }) => headers['x-weir-idempotency'])).toEqual(['off; zero-retention', 'off; zero-retention']);
    expect([house.world.served, house.rows.size]).toEqual([2, 0]);
    expect((await house.send('{}', { 'idempotency-key': 'with space' })).status).toBe(400);
  });
});

describe('the response cache', () => {
  const ON = { 'x-weir-cache': 'on' };

  it('answers an equal request of one organization at no cost, when both ask for it', async () => {
    house.world.serve = answerJson('{"id":"x","usage":{"total":3,"cost":0.25},"output":[{"input":{"cost":7}}]}', { 'x-weir-cost': '0.25' });
    const plain = await house.send('{}');
    const miss = await house.send('{}', ON);
    const hit = await house.send('{}', ON);

    expect([plain.headers['x-weir-cache'], miss.headers['x-weir-cache'], hit.headers['x-weir-cache']]).toEqual([undefined, 'miss', 'hit']);
    expect(miss.body).toContain('"cost":0.25');
    expect(hit.body).toBe('{"id":"x","usage":{"total":3,"cost":0},"output":[{"input":{"cost":7}}]}');
    expect(hit.headers['x-weir-cost']).toBe('0');
    expect((await house.send('{}', { ...ON, 'x-organization': 'theirs' })).headers['x-weir-cache']).toBe('miss');
    expect((await house.send('{"a":1}', ON)).headers['x-weir-cache']).toBe('miss');
    expect((await house.send('{}', { ...ON, 'x-weir-strict': 'true' })).headers['x-weir-cache']).toBe('miss');
    expect(house.world.served).toBe(5);
  });

  it('replays streams as streams, with their costs set to nothing', async () => {
    const frames = [
      'event: response.created\ndata: {"response":{"id":"r"}}\n\n',
      'event: response.completed\ndata: {"response":{"id":"r","usage":{"input_tokens":1,"cost":0.5}}}\n\n',
    ];
    house.world.serve = answerStream(frames);
    await house.send('{}', ON);
    const hit = await house.send('{}', ON);

    expect(hit.body).toBe(frames.join('').replace('0.5', '0'));
    expect(hit.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  });

  it.each([
    ['a refusal', answerJson('{}', {}, 400)],
    ['a failed stream', answerStream(['data: {"error":{}}\n\n'])],
    ['an answer that a limit cut short', answerJson('{}', { 'x-weir-max-tokens-clamped': '20' })],
    ['an answer that is not to be kept', answerJson('{"data":[{"url":"https://a.example/x"}]}', { 'cache-control': 'no-store' })],
    ['an answer that is too large', answerJson('x'.repeat(5000))],
  ])('never keeps %s', async (_, serve) => {
    house.world.serve = serve;
    await house.send('{}', ON);

    expect((await house.send('{}', ON)).headers['x-weir-cache']).toBe('miss');
  });

  it('is off under zero retention, takes a number of seconds, and refuses anything else', async () => {
    house.world.serve = answerJson('{}');
    await house.send('{}', { 'x-weir-cache': '60' });
    expect((await house.send('{}', ON)).headers['x-weir-cache']).toBe('hit');
    house.world.isZeroRetention = true;
    expect((await house.send('{}', ON)).headers['x-weir-cache']).toBe('off; zero-retention');
    for (const value of ['0', '86401', '1.5', 'maybe', '-1']) expect((await house.send('{}', { 'x-weir-cache': value })).status).toBe(400);
  });

  it('goes together with an Idempotency-Key: the hit is kept under it', async () => {
    house.world.serve = answerJson('{"usage":{"cost":1}}');
    await house.send('{}', ON);
    const hit = await house.send('{}', { ...ON, ...KEY });
    const replayed = await house.send('{}', { ...ON, ...KEY });

    expect(hit.headers['x-weir-cache']).toBe('hit');
    expect(replayed).toMatchObject({ body: hit.body, headers: { 'idempotency-replayed': 'true' } });
    expect(house.world.served).toBe(1);
    expect(house.counted).toEqual(['cache', 'idempotency']);
  });
});
