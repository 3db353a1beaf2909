import { makeTestFolder } from '@weir/testing';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { startStandalone, type Harness } from '../harness/start-standalone';

const NO_KEY = { BOOTSTRAP_API_KEY: '' };
const SHAPES = [
  ['in several processes', { PROCESSES: '2' }],
  ['in one process', { PROCESSES: '1' }],
] as const;

async function takePort(): Promise<{ port: number; free(): Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, free: () => new Promise((resolve) => server.close(resolve)) };
}

/** Reads a stream of about `seconds`, ten pieces each; `act` hears of every piece. */
async function readStream(harness: Harness, seconds: number, act: (pieces: number) => void): Promise<{ pieces: number; finish: unknown }> {
  const client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  const stream = await client.chat.completions.create({
    model: 'sandbox/chat',
    stream: true,
    messages: [{ role: 'user', content: `!tokens ${seconds * 10} !gap 100` }],
  });
  let pieces = 0;
  let finish: unknown = null;
  for await (const chunk of stream) {
    pieces += 1;
    act(pieces);
    finish = chunk.choices[0]?.finish_reason ?? finish;
  }
  return { pieces, finish };
}

describe.each(SHAPES)('a start %s', (_, shape) => {
  it('makes no key where its port is taken, says so in one line with a port to try, and prints the key at the next start', async () => {
    const dataDir = makeTestFolder('first-contact');
    const other = await takePort();
    const refused = startStandalone({ dataDir, env: { ...shape, ...NO_KEY, PORT: String(other.port) } });

    const message = await refused.catch((error: unknown) => (error as Error).message);
    expect(message).toMatch(/ended with 1:\nweir could not start: port \d+ of 127\.0\.0\.1 is taken .*PORT=\d+, which is free\.\n$/);

    await other.free();
    const harness = await startStandalone({ dataDir, env: { ...shape, ...NO_KEY, PORT: String(other.port) } });
    expect(harness.process.output()).toMatch(/Administrator key \(shown only now\): weir_live_\w+/);
    await harness.process.terminate();
  });

  it('makes no key either where the port of metrics is taken', async () => {
    const dataDir = makeTestFolder('first-contact');
    const other = await takePort();
    const refused = startStandalone({ dataDir, env: { ...shape, ...NO_KEY, METRICS_PORT: String(other.port) } });

    await expect(refused).rejects.toThrow(/^[^\n]+ ended with 1:\nweir could not start: port \d+ .*METRICS_PORT=\d+, which is free\.\n$/);
    await other.free();
  });

  it('says once what is wrong with its settings, whichever process reads them', async () => {
    const early = startStandalone({ env: { ...shape, PORT: 'none', LOG_LEVEL: 'loud' } });
    await expect(early).rejects.toThrow(
      /^[^\n]+ ended with 1:\nweir could not start: the environment is not usable:\n {2}- PORT[^\n]+\n {2}- LOG_LEVEL[^\n]+\n$/,
    );

    const late = startStandalone({ env: { ...shape, CONSOLE_OIDC_CLIENT_ID: 'weir' } });
    const message = await late.catch((error: unknown) => (error as Error).message);
    expect(message).toMatch(/weir could not start: CONSOLE_OIDC_CLIENT_ID needs CONSOLE_OIDC_ISSUER beside it\.\n$/);
    expect(String(message).match(/CONSOLE_OIDC_ISSUER/g)).toHaveLength(1);
  });
});

describe.each(SHAPES)('a stop %s', (_, shape) => {
  it('finishes a stream when the signal goes to the whole process group and the shell that started the gateway ends first', async () => {
    const harness = await startStandalone({ isInShell: true, env: { ...shape, npm_lifecycle_event: 'start', DRAIN_TIMEOUT_MS: '30000' } });
    let ended: Promise<unknown> = Promise.resolve();
    const { pieces, finish } = await readStream(harness, 3, (pieces) => {
      if (pieces === 5) ended = harness.process.terminate();
    });
    await ended;

    expect([pieces >= 30, finish]).toEqual([true, 'stop']);
    expect(harness.process.output()).toContain('stopping: waiting for 1 running request, 30 s at most');
    expect(harness.process.output()).toContain('"msg":"stopped"');
  });

  it('finishes a stream when a signal comes twice at once, and cuts it when Ctrl-C is pressed again a second later', async () => {
    const harness = await startStandalone({ env: { ...shape, DRAIN_TIMEOUT_MS: '60000' } });
    const { child } = harness.process;
    const press = (): void => void child.kill('SIGINT');
    let read = 0;
    const reading = readStream(harness, 30, (pieces) => {
      read = pieces;
      if (pieces === 5) setTimeout(press, 20);
      // The third one comes a second and a half after the first.
      if (pieces === 5 || pieces === 20) press();
    });
    await harness.process.waitFor(/stopping at once: 1 running request cut/);

    await expect(reading).rejects.toThrow();
    expect(read).toBeGreaterThanOrEqual(20);
    expect(await harness.process.ended).toBe(0);
  });
});

describe.each(SHAPES)('the log of a start and of requests %s', (_, shape) => {
  async function ask(harness: Harness): Promise<string> {
    const client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
    const { usage } = await client.chat.completions.create({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] });
    await expect(client.chat.completions.create({ model: 'no/such', messages: [] })).rejects.toThrow();
    return String((usage as { cost?: unknown } | undefined)?.cost);
  }

  it('is JSON where the output is no terminal, with the cost and tokens that the reply has', async () => {
    const harness = await startStandalone({ env: shape });
    const cost = await ask(harness);
    const [line = ''] = await harness.process.waitFor(/^.*"status":200.*"msg":"request".*$/m);
    await harness.process.terminate();

    const { inputTokens, outputTokens, costUsd, apiKeyName } = JSON.parse(line) as Record<string, unknown>;
    expect([inputTokens, outputTokens, apiKeyName]).toEqual([1, expect.any(Number), 'Administrator']);
    expect(Number(costUsd)).toBe(Number(cost));
    expect(Number(costUsd)).toBeGreaterThan(0);
    expect(harness.process.output().match(/migration/g)).toHaveLength(1);
  });

  it('has no JSON with LOG_FORMAT=text, a line for each request, the providers, and the key that a provider refuses', async () => {
    const provider = createHttpServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"Incorrect API key"}}');
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
    const env = { ...shape, LOG_FORMAT: 'text', OPENAI_API_KEY: 'sk-wrong-0123456789', PROVIDER_OPENAI_BASE_URL: address };
    const harness = await startStandalone({ env });
    await ask(harness);
    await harness.process.waitFor(/warning: the provider openai refuses its key: correct OPENAI_API_KEY and start again/);
    await harness.process.waitFor(/404 no\/such model_not_found/);
    await harness.process.terminate();
    provider.close();

    const output = harness.process.output();
    expect(output).toMatch(/^\d\d:\d\d:\d\d 200 sandbox\/chat [\d.]+ ms 1→\d+ tokens \$[\d.]+ key "Administrator"$/m);
    expect(output).toMatch(/^Providers on: openai, .*sandbox$/m);
    expect(output).toMatch(/^More with ANTHROPIC_API_KEY, .* others: docs\/settings\.md$/m);
    expect(output).not.toMatch(/^\{|sk-wrong/m);
    expect(output).not.toContain('\u001b');
  });
});
