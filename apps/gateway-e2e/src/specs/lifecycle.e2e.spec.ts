import OpenAI from 'openai';
import { waitForRequests } from '../harness/read-usage';
import { startStandalone, type Harness } from '../harness/start-standalone';

function clientOf(harness: Harness): OpenAI {
  return new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
}

describe.each([
  ['in several processes', { PROCESSES: '2' }],
  ['in one process', { PROCESSES: '1' }],
])('the life of a standalone gateway %s', (_, shape) => {
  it('accounts for a request once when it is killed in mid-stream, and recovers by itself', async () => {
    const first = await startStandalone({ env: shape });
    const stream = await clientOf(first).chat.completions.create({
      model: 'sandbox/chat',
      stream: true,
      messages: [{ role: 'user', content: '!tokens 2000 !gap 20' }],
    });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const chunk of stream) {
        seen.push(chunk);
        if (seen.length === 150) await first.process.kill();
      }
    })();
    await expect(reading).rejects.toThrow();

    const second = await startStandalone({ dataDir: first.dataDir, env: shape });
    const day = await waitForRequests(second, 1);
    await clientOf(second).chat.completions.create({ model: 'sandbox/chat-free', messages: [{ role: 'user', content: 'hi' }] });
    const later = await waitForRequests(second, 2);
    const code = await second.process.terminate();

    expect(day.total_requests).toBe(1);
    expect(Number(day.spend)).toBeGreaterThan(0);
    expect(day.output_tokens).toBeGreaterThan(0);
    expect(day.output_tokens).toBeLessThan(2000);
    expect(later.total_requests).toBe(2);
    expect(later.spend).toBe(day.spend);
    expect(code).toBe(0);
  });

  it('prints a key once, serves it, and lets running requests finish when it is stopped', async () => {
    const harness = await startStandalone({ env: { ...shape, BOOTSTRAP_API_KEY: '' } });
    const [, key = ''] = await harness.process.waitFor(/Administrator key \(shown only now\): (\S+)/);
    const curl = /curl \S+\/v1\/chat\/completions .*/.exec(harness.process.output())?.[0] ?? '';
    const client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: key, maxRetries: 0 });
    const running = client.chat.completions.create({
      model: 'sandbox/chat',
      messages: [{ role: 'user', content: '!delay 800 finish me' }],
    });
    await new Promise((resolve) => setTimeout(resolve, 200));

    const stopped = harness.process.terminate();
    const reply = await running;

    expect(curl).toContain(key);
    expect(reply.choices[0]?.finish_reason).toBe('stop');
    expect(await stopped).toBe(0);

    const again = await startStandalone({ dataDir: harness.dataDir, env: { ...shape, BOOTSTRAP_API_KEY: '' } });
    const accepted = await fetch(`${again.url}/v1/auth/check`, { headers: { authorization: `Bearer ${key}` } });
    await again.process.terminate();
    expect(accepted.status).toBe(200);
    expect(again.process.output()).not.toContain(key);
  });

  it('refuses a second gateway on the same data directory', async () => {
    const harness = await startStandalone({ env: shape });
    const second = startStandalone({ dataDir: harness.dataDir, env: shape });

    await expect(second).rejects.toThrow(/^[^\n]+ ended with 1:\nweir could not start: another gateway [^\n]+\n$/);
    expect((await fetch(`${harness.url}/readyz`)).status).toBe(200);
    await harness.process.terminate();
  });
});
