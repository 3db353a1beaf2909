import { encodeSseFrame } from '@weir/testing';
import OpenAI from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { connect } from 'node:net';
import WebSocket from 'ws';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { waitForRequests } from '../harness/read-usage';

type Event = { readonly type: string; readonly response?: OpenAI.Responses.Response; readonly status?: number; readonly delta?: string };

/** What the provider sends for `id`, as it sends it over HTTP. */
function replyWith(id: string, text: string): string[] {
  const item = {
    id: `msg_${id}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const response = { id, object: 'response', created_at: 1, model: 'gpt-4o-2024-08-06', output: [], usage: null };
  const usage = {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  return [
    { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item: { ...item, content: [], status: 'in_progress' } },
    {
      type: 'response.output_text.delta',
      sequence_number: 2,
      item_id: item.id,
      output_index: 0,
      content_index: 0,
      delta: text,
      logprobs: [],
    },
    { type: 'response.output_item.done', sequence_number: 3, output_index: 0, item },
    { type: 'response.completed', sequence_number: 4, response: { ...response, status: 'completed', output: [item], usage } },
  ].map((event) => encodeSseFrame(event, event.type));
}

export function describeOpenaiResponsesSocket(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;
  let socket: ResponsesWS;
  const received: Event[] = [];

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
  });
  beforeEach(() => {
    received.length = 0;
    socket = new ResponsesWS(client);
    socket.on('event', (event) => received.push(event as unknown as Event));
    socket.on('error', () => undefined);
  });
  afterEach(() => socket.close());
  afterAll(() => harness.stop());

  /** Sends an event, and returns those that come until the response has ended. */
  async function say(body: object): Promise<Event[]> {
    const from = received.length;
    socket.send({ type: 'response.create', ...body } as OpenAI.Responses.ResponsesClientEvent);
    const ended = /^(error|response\.(completed|failed|incomplete))$/;
    while (!received.slice(from).some(({ type }) => ended.test(type))) await new Promise((resolve) => socket.once('event', resolve));
    return received.slice(from);
  }

  it('serves one response after the other on one connection, each with its cost, counted as requests', async () => {
    for (const [model, words] of [
      ['sandbox/chat', 'Hello there'],
      ['openai/gpt-4o-mini', ''],
    ] as const) {
      const events = await say({ model, input: 'Hello there', max_output_tokens: 50 });
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['response.created', 'response.output_text.delta', 'response.completed']),
      );
      expect(events.flatMap(({ delta }) => delta ?? []).join('')).toContain(words);
      const { usage } = events.at(-1)?.response as OpenAI.Responses.Response & { usage: { cost: number } };
      expect(usage.cost).toBeGreaterThan(0);
      expect(usage.input_tokens + usage.output_tokens).toBe(usage.total_tokens);
    }
    await waitForRequests(harness, 2);
  });

  it('goes on from the last response, whose conversation no one else has to keep, after making ready for it', async () => {
    const ready = await say({ model: 'openai-responses/gpt-4o', generate: false, store: false, input: [{ role: 'user', content: 'One' }] });
    expect(ready.map(({ type }) => type)).toEqual(['response.created', 'response.completed']);
    const asked = harness.upstream.requests.length;
    harness.upstream.reply({ headers: { 'content-type': 'text/event-stream' }, stream: replyWith('resp_a', 'Two') });
    const first = await say({
      model: 'openai-responses/gpt-4o',
      store: false,
      previous_response_id: ready[1]?.response?.id,
      input: [{ role: 'user', content: 'Three' }],
    });
    expect(harness.upstream.requests).toHaveLength(asked + 1);
    expect(harness.readLastCall().json).toMatchObject({ store: false, stream: true, input: [{ content: 'One' }, { content: 'Three' }] });
    expect(harness.readLastCall().json).not.toHaveProperty('previous_response_id');
    expect(harness.readLastCall().json).not.toHaveProperty('type');

    const id = first.at(-1)?.response?.id;
    expect(id).toBe('resp_a');
    harness.upstream.reply({
      headers: { 'content-type': 'text/event-stream' },
      stream: replyWith('resp_b', 'Four').map((frame) => frame.replaceAll('\n', '\r\n')),
    });
    await say({ model: 'openai-responses/gpt-4o', store: false, previous_response_id: id, input: 'Five' });
    expect(harness.readLastCall().json).toMatchObject({
      input: [{ content: 'One' }, { content: 'Three' }, { type: 'message', role: 'assistant' }, { role: 'user', content: 'Five' }],
    });

    const translated = await say({ model: 'sandbox/chat', previous_response_id: 'resp_b', input: 'Six', max_output_tokens: 50 });
    expect(translated.at(-1)?.type).toBe('response.completed');
    const unknown = await say({ model: 'sandbox/chat', previous_response_id: 'resp_of_another', input: 'Six' });
    expect(unknown).toMatchObject([{ type: 'error', status: 400, error: { param: 'previous_response_id' } }]);
  });

  it('says what is wrong with an event, and serves the next', async () => {
    for (const [event, expected] of [
      [{ type: 'response.cancel' }, { status: 400, error: { param: 'type' } }],
      [{ model: 'no/such-model', input: 'x' }, { status: 404 }],
      [{ model: 'sandbox/chat', input: 5 }, { status: 400 }],
    ] as const) {
      expect((await say(event)).at(-1)).toMatchObject({ type: 'error', ...expected });
    }
    socket.sendRaw('{"type":');
    await new Promise((resolve) => socket.once('event', resolve));
    expect(received.at(-1)).toMatchObject({ type: 'error', status: 400, error: { code: 'invalid_json' } });
    expect((await say({ model: 'sandbox/chat', input: 'Hello' })).at(-1)?.type).toBe('response.completed');
  });

  it('cuts the response of a caller who leaves, and counts what it came to', async () => {
    harness.upstream.reply({
      headers: { 'content-type': 'text/event-stream' },
      stream: replyWith('resp_c', 'Half').slice(0, 3),
      hang: true,
    });
    socket.send({ type: 'response.create', model: 'openai-responses/gpt-4o', input: 'Hello' } as OpenAI.Responses.ResponsesClientEvent);
    while (!received.some(({ type }) => type === 'response.output_text.delta'))
      await new Promise((resolve) => socket.once('event', resolve));
    const counted = await waitForRequests(harness, 0);
    socket.close();
    await waitForRequests(harness, counted.total_requests + 1);
  });

  it('refuses a connection without a key with the error that a request gets', async () => {
    const refused = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/responses`, { headers: { authorization: 'Bearer sk-nothing' } });
    const [status, body] = await new Promise<[number | undefined, string]>((resolve) => {
      refused.on('unexpected-response', (_, response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve([response.statusCode, text]));
      });
    });
    expect([status, JSON.parse(body)]).toMatchObject([403, { error: { code: 'invalid_credentials' } }]);
  });

  it('serves a request that wishes for another protocol as if it did not', async () => {
    const body = JSON.stringify({ model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] });
    const { hostname, port } = new URL(harness.url);
    const raw = connect(Number(port), hostname);
    const head = [
      ...[
        'POST /v1/chat/completions HTTP/1.1',
        `host: ${hostname}`,
        'connection: Upgrade, HTTP2-Settings',
        'upgrade: h2c',
        'http2-settings: AAEAAEAA',
      ],
      ...[`authorization: Bearer ${harness.apiKey}`, 'content-type: application/json', `content-length: ${body.length}`],
    ];
    let text = '';
    raw.on('data', (bytes) => (text += bytes.toString()));
    for (let round = 1; round <= 2; round += 1) {
      raw.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`);
      raw.write(body.slice(10));
      while (text.split('HTTP/1.1 200').length <= round || !text.endsWith('}')) await new Promise((resolve) => raw.once('data', resolve));
    }
    raw.destroy();
    expect(text.split('"chat.completion"')).toHaveLength(3);
  });
}
