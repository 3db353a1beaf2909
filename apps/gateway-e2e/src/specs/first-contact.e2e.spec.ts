import { makeTestFolder } from '@weir/testing';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { startStandalone, type House } from '../house/start-standalone';

const NO_KEY = { BOOTSTRAP_API_KEY: '' };

async function takePort(): Promise<{ port: number; free(): Promise<unknown> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, free: () => new Promise((resolve) => server.close(resolve)) };
}

/** Reads a stream of about `seconds`; `act` runs when it has begun. */
async function readStream(house: House, seconds: number, act: () => void): Promise<{ pieces: number; finish: unknown }> {
  const client = new OpenAI({ baseURL: `${house.url}/v1`, apiKey: house.apiKey, maxRetries: 0 });
  const stream = await client.chat.completions.create({
    model: 'sandbox/chat',
    stream: true,
    messages: [{ role: 'user', content: `!tokens ${seconds * 10} !gap 100` }],
  });
  let pieces = 0;
  let finish: unknown = null;
  for await (const chunk of stream) {
    pieces += 1;
    if (pieces === 5) act();
    finish = chunk.choices[0]?.finish_reason ?? finish;
  }
  return { pieces, finish };
}

describe('a start', () => {
  it('makes no key where its port is taken, says so in one line with a port to try, and prints the key at the next start', async () => {
    const dataDir = makeTestFolder('first-contact');
    const other = await takePort();
    const refused = startStandalone({ dataDir, env: { ...NO_KEY, PORT: String(other.port) } });

    const message = await refused.catch((error: unknown) => (error as Error).message);
    expect(message).toMatch(/ended with 1:\nweir could not start: port \d+ of 127\.0\.0\.1 is taken .*PORT=\d+, which is free\.\n$/);

    await other.free();
    const house = await startStandalone({ dataDir, env: { ...NO_KEY, PORT: String(other.port) } });
    expect(house.process.output()).toMatch(/Administrator key \(shown only now\): weir_live_\w+/);
    await house.process.terminate();
  });

  it('makes no key either where the port of metrics is taken', async () => {
    const dataDir = makeTestFolder('first-contact');
    const other = await takePort();
    const refused = startStandalone({ dataDir, env: { ...NO_KEY, METRICS_PORT: String(other.port) } });

    await expect(refused).rejects.toThrow(/^[^\n]+ ended with 1:\nweir could not start: port \d+ .*METRICS_PORT=\d+, which is free\.\n$/);
    await other.free();
  });
});

describe('a stop', () => {
  it('finishes a stream when the signal goes to the whole process group and the shell that started the gateway ends first', async () => {
    const house = await startStandalone({ isInShell: true, env: { npm_lifecycle_event: 'start', DRAIN_TIMEOUT_MS: '30000' } });
    let ended: Promise<unknown> | undefined;
    const { pieces, finish } = await readStream(house, 3, () => (ended = house.process.terminate()));
    await ended;

    expect([pieces >= 30, finish]).toEqual([true, 'stop']);
    expect(house.process.output()).toContain('stopping: waiting for 1 running request, 30 s at most');
    expect(house.process.output()).toContain('"msg":"stopped"');
  });

  it('finishes a stream when a signal comes twice at once, and cuts it when Ctrl-C is pressed again a second later', async () => {
    const house = await startStandalone({ env: { DRAIN_TIMEOUT_MS: '60000' } });
    const { child } = house.process;
    const press = (): void => void child.kill('SIGINT');
    const reading = readStream(house, 30, () => {
      press();
      setTimeout(press, 20);
      setTimeout(press, 1_500);
    });
    await house.process.waitFor(/stopping at once: 1 running request cut/);

    await expect(reading).rejects.toThrow();
    expect(await house.process.ended).toBe(0);
  });
});
