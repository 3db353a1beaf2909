import { startFakeUpstream, type FakeUpstream } from '@weir/testing';
import { once } from 'node:events';
import WebSocket from 'ws';
import { describeOpenaiResponsesSocket } from '../clients/openai-responses-socket.conformance';
import { pointAt } from '../harness/client-harness';
import { startClientHarness } from '../harness/start-client-harness';
import { startStandalone } from '../harness/start-standalone';

describe('the OpenAI SDK on the WebSocket mode of responses', () => describeOpenaiResponsesSocket(startClientHarness));

describe.each([
  ['one process', '1'],
  ['several processes', '2'],
])('connections to a gateway of %s that stops', (_, processes) => {
  let upstream: FakeUpstream;
  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(() => upstream.stop());

  it('end as going away, those with a response under way after it', async () => {
    const harness = await startStandalone({ env: { ...pointAt(upstream), PROCESSES: processes, DRAIN_TIMEOUT_MS: '20000' } });
    const open = async (): Promise<WebSocket> => {
      const url = `${harness.url.replace('http', 'ws')}/v1/responses`;
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${harness.apiKey}` } });
      await once(socket, 'open');
      return socket;
    };
    const idle = await open();
    const busy = await open();
    const types: unknown[] = [];
    const begun = new Promise<void>((resolve) => {
      busy.on('message', (data) => {
        types.push((JSON.parse((data as Buffer).toString('utf8')) as { type: unknown }).type);
        resolve();
      });
    });
    const chunk = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const stream = [...'slowly'].map((content) => chunk({ role: 'assistant', content }, null));
    upstream.reply({
      headers: { 'content-type': 'text/event-stream' },
      stream: [...stream, chunk({}, 'stop'), 'data: [DONE]\n\n'],
      gapMs: 150,
    });
    busy.send(JSON.stringify({ type: 'response.create', model: 'openai/gpt-4o-mini', input: 'Hello' }));
    await begun;
    const closed = [idle, busy].map((socket) => once(socket, 'close'));
    const ended = harness.process.terminate();
    for (const [code] of await Promise.all(closed)) expect(code).toBe(1001);
    expect(types.at(-1)).toBe('response.completed');
    expect(await ended).toBe(0);
  });
});
