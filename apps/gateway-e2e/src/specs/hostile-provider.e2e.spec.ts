import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createCallHarness, type CallHarness, type HarnessReply } from '../harness/call-harness';
import { startStandalone, type Harness } from '../harness/start-standalone';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;
const CHUNK = Buffer.alloc(64 * 1024, 'a');
const JSON_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n';
const STREAM_HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';

/** What the provider does with the next call; returns how many bytes it could send. */
type Behaviour = (socket: Socket) => Promise<number> | number;

/** Sends the beginning, and then the same letters for a gibibyte or until no one takes them any more. */
function endlessly(beginning: string): Behaviour {
  return async (socket) => {
    socket.write(beginning);
    let sent = 0;
    while (sent < GIB && !socket.destroyed) {
      sent += CHUNK.length;
      if (!socket.write(CHUNK)) await drained(socket);
    }
    socket.destroy();
    return sent;
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      socket.off('drain', end).off('close', end);
      resolve();
    };
    socket.once('drain', end).once('close', end);
  });
}

function answerWith(body: string | Buffer, head = JSON_HEAD): Behaviour {
  return (socket) => {
    socket.end(Buffer.concat([Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)]));
    return 0;
  };
}

const replyWith = (usage: string, content = '"Hi"'): string =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":${content}},"finish_reason":"stop"}],"usage":${usage}}`;

describe('a provider that wants to do harm', () => {
  let harness: Harness;
  let provider: Server;
  let call: CallHarness;
  let behave: Behaviour = () => 0;
  let sent: Promise<number> = Promise.resolve(0);

  beforeAll(async () => {
    provider = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        sent = Promise.resolve(behave(socket));
      });
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    const { port } = provider.address() as AddressInfo;
    harness = await startStandalone({
      env: { OPENAI_API_KEY: 'sk-of-the-operator', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, UPSTREAM_HEADERS_TIMEOUT_MS: '5000' },
    });
    call = createCallHarness(harness);
  }, 60_000);
  afterAll(async () => {
    expect(await harness.process.terminate()).toBe(0);
    await new Promise((resolve) => provider.close(resolve));
  });

  const messages = [{ role: 'user', content: 'Hello' }];
  const ask = (path = '/v1/chat/completions', more: object = {}): Promise<HarnessReply> =>
    call(`POST ${path}`, { model: 'openai/gpt-4o-mini', messages, max_tokens: 100, ...more });
  const memory = async (): Promise<number> => {
    const metrics = await (await fetch(`${harness.metricsUrl}/metrics`)).text();
    return Number(/^process_resident_memory_bytes(?:\{.*?\})? (\S+)/m.exec(metrics)?.[1]);
  };

  it.each([
    ['a header without end', endlessly('HTTP/1.1 200 OK\r\nx-big: '), MIB],
    // Only time ends this one: it is thrown away as it comes.
    ['a status line without end', endlessly('HTTP/1.1 200 '), GIB],
    ['a body without end', endlessly(`${JSON_HEAD}\r\n{"choices":"`), 200 * MIB],
    ['a refusal without end', endlessly('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'), 4 * MIB],
  ])(
    '%s is read so far and no further',
    async (_, behaviour, bytesMax) => {
      const before = await memory();
      for (const path of ['/v1/chat/completions', '/v1/messages']) {
        behave = behaviour;
        const reply = await ask(path);
        expect([path, reply.status >= 400 && reply.status < 600]).toEqual([path, true]);
        expect(reply.text).toContain('"origin":"provider"');
        expect(await sent).toBeLessThan(bytesMax + 16 * MIB);
      }
      expect((await memory()) - before).toBeLessThan(700 * MIB);
    },
    60_000,
  );

  it('an event without end breaks a stream off, in every lane', async () => {
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      behave = endlessly(`${STREAM_HEAD}data: {"choices":[{"index":0,"delta":{"content":"`);
      const reply = await ask(path, { stream: true });
      expect(reply.text).toContain('provider');
      expect(await sent).toBeLessThan(64 * MIB);
    }
  }, 60_000);

  it('a body that would swell when it is unpacked does not', async () => {
    behave = answerWith(gzipSync(Buffer.alloc(200 * MIB)), `${JSON_HEAD}content-encoding: gzip\r\n`);
    expect((await ask()).status).toBe(502);
    behave = answerWith(
      gzipSync(replyWith('{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}')),
      `${JSON_HEAD}content-encoding: gzip\r\n`,
    );
    expect([200, 502]).toContain((await ask()).status);
  }, 60_000);

  it.each([
    ['negative', '{"prompt_tokens":-5,"completion_tokens":-7,"total_tokens":-12}', 0.001],
    ['no numbers', '{"prompt_tokens":"1","completion_tokens":null,"total_tokens":[]}', 0.001],
    ['beyond all numbers', '{"prompt_tokens":1e999,"completion_tokens":1e300,"total_tokens":1e999}', 0.001],
    ['absurd', '{"prompt_tokens":999999999999,"completion_tokens":999999999,"total_tokens":1}', 0.001],
    ['more cached than there are', '{"prompt_tokens":10,"completion_tokens":1,"prompt_tokens_details":{"cached_tokens":1e12}}', 0.001],
    ['no object', '"many"', 0.001],
  ])('counts that are %s cost no more than an estimate', async (_, usage, costMax) => {
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      behave = answerWith(replyWith(usage));
      const reply = await ask(path);
      if (reply.status !== 200) {
        expect([reply.status, reply.text]).toEqual([502, expect.stringContaining('provider') as string]);
        continue;
      }
      const { cost } = reply.json['usage'] as { cost: number };
      expect([path, cost >= 0 && cost <= costMax, cost]).toEqual([path, true, cost]);
    }
  });

  it('absurd counts at the end of a stream, and of embeddings, cost no more than an estimate', async () => {
    const usage = '{"prompt_tokens":999999999999,"completion_tokens":999999999,"total_tokens":1}';
    const frames = ['{"choices":[{"index":0,"delta":{"content":"Hi"}}]}', `{"choices":[],"usage":${usage}}`, '[DONE]'];
    behave = (socket) => {
      socket.end(STREAM_HEAD + frames.map((frame) => `data: ${frame}\n\n`).join(''));
      return 0;
    };
    const streamed = await ask('/v1/chat/completions', { stream: true, stream_options: { include_usage: true } });
    behave = answerWith(`{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"usage":${usage}}`);
    const embedded = await call('POST /v1/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' });
    const costs = [streamed, embedded].map(({ text }) => Number(/"cost":([\d.e-]+)/.exec(text)?.[1]));
    for (const cost of costs) expect([costs, cost > 0 && cost < 0.001]).toEqual([costs, true]);
  });

  it('bytes that are no text, and text that breaks lines, harm no one', async () => {
    const [before = '', after = ''] = replyWith('{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}', '"#"').split('#');
    const broken = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from(after)]);
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      behave = answerWith(broken);
      expect([200, 502]).toContain((await ask(path)).status);
    }
    behave = answerWith('{}', `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nset-cookie: a=b\r\nx-weir-cost: 0\r\nx-evil: 1\r\n`);
    const { headers } = await ask();
    expect([headers['set-cookie'], headers['x-evil']]).toEqual([undefined, undefined]);
  });

  it('and afterwards the gateway serves as before', async () => {
    behave = answerWith(replyWith('{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12}'));
    const reply = await ask();
    expect([reply.status, (reply.json['usage'] as { cost: number }).cost]).toEqual([200, 10 * 1.5e-7 + 2 * 6e-7]);
    expect(harness.process.output()).not.toContain('request failed by our own fault');
  });
});
